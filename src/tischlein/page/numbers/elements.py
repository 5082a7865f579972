"""What is done element by element, and how arrays are made and copied."""

from array import array
from collections.abc import Callable
from typing import Any, Final

from tischlein.page.numbers.heap import (
    BOOL,
    CODES,
    FLOAT,
    INT,
    SHIFTS,
    SIZES,
    Shape,
    broadcast,
    kernels,
    layout,
    ndarray,
    new,
    refuse,
    spread,
    view,
)
from tischlein.page.numbers.scalars import KINDS, OWN, SCALARS, bool_, float64, int64, kind_of

ADD: Final = 0
SUBTRACT: Final = 1
MULTIPLY: Final = 2
DIVIDE: Final = 3
FLOOR_DIVIDE: Final = 4
REMAINDER: Final = 5
MINIMUM: Final = 6
MAXIMUM: Final = 7
EQUAL: Final = 8
NOT_EQUAL: Final = 9
LESS: Final = 10
LESS_EQUAL: Final = 11
GREATER: Final = 12
GREATER_EQUAL: Final = 13
AND: Final = 14
OR: Final = 15
XOR: Final = 16
SHIFT_LEFT: Final = 17
SHIFT_RIGHT: Final = 18
LDEXP: Final = 19
TO_KIND: Final = 32
"""To bools; the next two to whole numbers and to floats."""
NEGATIVE: Final = 35
ABSOLUTE: Final = 36
INVERT: Final = 37
RINT: Final = 38
FLOOR: Final = 39
CEIL: Final = 40
SQRT: Final = 41
IS_NAN: Final = 42

Plan = tuple[int, int] | None
"""Which operation is done, and the kind of what it gives; None where there is none."""
TRUTHS: Final = {ADD: OR, MULTIPLY: AND, MINIMUM: AND, MAXIMUM: OR, AND: AND, OR: OR, XOR: XOR}
"""What operations are on bools."""


def plan(op: int, one: int, two: int) -> Plan:
    """Say what an operation is for two kinds, by numpy's rules."""
    most = max(one, two)
    if EQUAL <= op <= GREATER_EQUAL:
        return op, BOOL
    if op == DIVIDE:
        return op, FLOAT
    if op == LDEXP:
        return (op, FLOAT) if one != BOOL and two == INT else None
    if most == BOOL:
        return (TRUTHS[op], BOOL) if op in TRUTHS else (op, INT) if op != SUBTRACT else None
    if op >= AND and most == FLOAT:
        return None
    return op, most


PLANS: Final[list[Plan]] = [
    plan(op, one, two) for op in range(LDEXP + 1) for one in range(3) for two in range(3)
]
CELLS: Final = tuple(tuple(array(code, [0]) for code in CODES) for _ in range(2))
"""Where a single number lies while it is read."""
CELLS_AT: Final = tuple(tuple(cell.buffer_info()[0] for cell in cells) for cells in CELLS)
EXACT: Final[dict[type, int]] = {
    bool: BOOL,
    bool_: BOOL,
    int: INT,
    int64: INT,
    float: FLOAT,
    float64: FLOAT,
}
"""The kinds of single numbers."""


def single(value: Any, kind: int) -> ndarray:
    """Make an array of one number without axes."""
    found = new(kind, ())
    found.data[0] = value
    return found


def calculate(op: int, one: Any, two: Any, out: ndarray | None = None) -> Any:
    """Do something with two arrays or numbers, element by element."""
    if type(one) is ndarray:
        kind, shape, at, solid = one.kind, one.shape, one.at, one.solid
    elif (found := EXACT.get(type(one))) is not None:
        kind, shape, at, solid = found, (), CELLS_AT[0][found], True
        CELLS[0][found][0] = one
    else:
        return calculate(op, as_array(one), two, out)
    if type(two) is ndarray:
        other, over, at_two = two.kind, two.shape, two.at
        solid = solid and two.solid
    elif (found := EXACT.get(type(two))) is not None:
        other, over, at_two = found, (), CELLS_AT[1][found]
        CELLS[1][found][0] = two
    else:
        return calculate(op, one, as_array(two), out)
    kinds = 3 * kind + other
    planned = PLANS[9 * op + kinds]
    if planned is None:
        raise TypeError(f"operation {op} has no meaning for kinds {kind} and {other}")
    if out is not None:
        return into(out, one, two, planned, kinds, at, at_two)
    op, gives = planned
    if solid and (shape == over or not over or not shape):
        made = new(gives, shape or over)
        by, by_two = SIZES[kind] if shape else 0, SIZES[other] if over else 0
        kernels.row(op, kinds, made.size, made.at, SIZES[gives], at, by, at_two, by_two)
        return made if made.shape else scalar(made)
    both = broadcast(shape, over)
    made = new(gives, both)
    walk = layout(both, made.strides, strides(one, both), strides(two, both))
    kernels.calculate(op, kinds, made.at, at, at_two, walk)
    return made


def strides(of: Any, shape: Shape) -> Shape:
    """Give the strides of an array or number that is read in a shape."""
    return spread(of, shape) if type(of) is ndarray else (0,) * len(shape)


def into(
    out: ndarray, one: Any, two: Any, planned: tuple[int, int], kinds: int, at: int, at_two: int
) -> ndarray:
    """Write what is calculated into an array."""
    op, gives = planned
    if gives > out.kind:
        raise TypeError(f"cannot cast output from {CODES[gives]} to {CODES[out.kind]}")
    if gives < out.kind or overlaps(out, one) or overlaps(out, two):
        copy_into(out, calculate(op, one, two))
        return out
    walk = layout(out.shape, out.strides, strides(one, out.shape), strides(two, out.shape))
    kernels.calculate(op, kinds, out.at, at, at_two, walk)
    return out


def overlaps(out: ndarray, other: Any) -> bool:
    """Say whether writing may change what is yet to be read."""
    if type(other) is not ndarray or other.data is not out.data:
        return False
    return (other.at, other.shape, other.strides) != (out.at, out.shape, out.strides)


def forward(op: int) -> Callable[[Any, Any], Any]:
    """Make an operator."""
    return lambda one, two: calculate(op, one, two)


def backward(op: int) -> Callable[[Any, Any], Any]:
    """Make an operator with an array on the right."""
    return lambda one, two: calculate(op, two, one)


def in_place(op: int) -> Callable[[ndarray, Any], ndarray]:
    """Make an operator that changes its array."""
    return lambda one, two: into_itself(op, one, two)


def into_itself(op: int, one: ndarray, two: Any) -> ndarray:
    """Change an array."""
    found: ndarray = calculate(op, one, two, one)
    return found


def function(op: int) -> Callable[..., Any]:
    """Make a function of two arrays."""

    def run(one: Any, two: Any, out: ndarray | None = None, where: Any = None) -> Any:
        if where is None or out is None:
            return calculate(op, one, two, out)
        return stored(out, calculate(op, one, two), where)

    return run


def unary(op: int, gives: int | None = None, most: int = FLOAT) -> Callable[..., Any]:
    """Make a function of one array; what it gives is of its kind or another."""

    def run(one: Any, out: ndarray | None = None) -> Any:
        found = as_array(one)
        if found.kind > most or (found.kind == BOOL and op == NEGATIVE):
            raise TypeError(f"operation {op} has no meaning for kind {found.kind}")
        kind = found.kind if gives is None else gives
        made = each(op, found, kind)
        if out is not None:
            return stored(out, made)
        return made if made.shape else scalar(made)

    return run


def each(op: int, one: ndarray, kind: int) -> ndarray:
    """Do something with every element."""
    made = new(kind, one.shape)
    if one.solid:
        by = SIZES[one.kind]
        kernels.row(op, 3 * one.kind, one.size, made.at, SIZES[kind], one.at, by, 0, 0)
    else:
        walk = layout(one.shape, made.strides, one.strides)
        kernels.calculate(op, 3 * one.kind, made.at, one.at, 0, walk)
    return made


def whole_or(op: int) -> Callable[..., Any]:
    """Make a function that rounds floats and leaves whole numbers as they are."""
    rounded = unary(op, FLOAT)
    return lambda one, out=None: (
        rounded(one, out) if out is not None or as_array(one).kind == FLOAT else copy(as_array(one))
    )


def scalar(of: ndarray) -> Any:
    """Read the only element."""
    return SCALARS[of.kind](of.data[(of.at - of.data.buffer_info()[0]) >> SHIFTS[of.kind]])


def copy(of: ndarray) -> ndarray:
    """Copy an array; the elements of the copy lie one after the other."""
    if not of.solid:
        return each(TO_KIND + of.kind, of, of.kind)
    made = new(of.kind, of.shape)
    kernels.move(made.at, of.at, of.size * SIZES[of.kind])
    return made


def solid(of: ndarray) -> ndarray:
    """Give an array whose elements lie one after the other."""
    return of if of.solid else copy(of)


def astype(of: ndarray, dtype: Any, copy_it: bool = True) -> ndarray:
    """Copy an array as one of another kind."""
    kind = kind_of(dtype)
    return copy(of) if kind == of.kind else each(TO_KIND + kind, of, kind)


def as_kind(of: ndarray, kind: int) -> ndarray:
    """Give an array of a kind."""
    return of if kind == of.kind else each(TO_KIND + kind, of, kind)


def copy_into(to: ndarray, value: Any) -> None:
    """Write values into an array, of whatever kind and shape fits."""
    if type(value) is not ndarray:
        value = as_array(value)
    if value.data is to.data and overlaps(to, value):
        value = copy(value)
    while len(value.shape) > len(to.shape) > 0 and value.shape[0] == 1:
        value = view(value, value.at, value.shape[1:], value.strides[1:])
    walk = layout(to.shape, to.strides, spread(value, to.shape))
    kernels.calculate(TO_KIND + to.kind, 3 * value.kind, to.at, value.at, 0, walk)


def copy_where(to: ndarray, value: Any, where: Any = True) -> None:
    """Write values into an array where something is true."""
    value, when = as_array(value), as_kind(as_array(where), BOOL)
    if value.kind > to.kind:
        raise TypeError(f"cannot cast from {CODES[value.kind]} to {CODES[to.kind]}")
    value = as_kind(value, to.kind)
    shape = to.shape
    walk = layout(shape, to.strides, spread(when, shape), spread(value, shape), to.strides)
    kernels.choose(SIZES[to.kind], to.at, when.at, value.at, to.at, walk)


def stored(to: ndarray, value: Any, where: Any = True) -> ndarray:
    """Write values into an array, and give it."""
    copy_where(to, value, where)
    return to


def where(when: Any, one: Any, two: Any) -> Any:
    """Take each element from one of two arrays."""
    when, one, two = as_kind(as_array(when), BOOL), as_array(one), as_array(two)
    kind = max(one.kind, two.kind)
    one, two = as_kind(one, kind), as_kind(two, kind)
    shape = broadcast(when.shape, broadcast(one.shape, two.shape))
    made = new(kind, shape)
    walk = layout(shape, made.strides, spread(when, shape), spread(one, shape), spread(two, shape))
    kernels.choose(SIZES[kind], made.at, when.at, one.at, two.at, walk)
    return made


def as_array(value: Any, dtype: Any = None) -> ndarray:
    """Make an array of whatever is none."""
    if type(value) is not ndarray:
        kind = EXACT.get(type(value))
        return make(value, dtype) if kind is None or dtype is not None else single(value, kind)
    return value if dtype is None else as_kind(value, kind_of(dtype))


def make(value: Any, dtype: Any = None) -> ndarray:
    """Make a new array of numbers, lists of numbers, and so on."""
    if type(value) is ndarray:
        return copy(value) if dtype is None else astype(value, dtype)
    elements: list[Any] = []
    shape = flatten(value, elements)
    kind = kind_of(dtype) if dtype is not None else kind_among(elements)
    if kind == INT and dtype is not None:
        elements = [int(element) for element in elements]
    if kind == BOOL:
        elements = [bool(element) for element in elements]
    found = new(kind, shape)
    if elements:
        found.data[:] = array(CODES[kind], elements)
    return found


def flatten(value: Any, into: list[Any]) -> Shape:
    """List all elements of nested lists, and tell their shape."""
    if type(value) is ndarray:
        into += flat_list(value)
        return value.shape
    if not isinstance(value, list | tuple | range):
        if type(value) not in EXACT:
            refuse(f"an array of {type(value).__name__}")
        into.append(value)
        return ()
    if value and EXACT.keys() >= set(map(type, value)):
        into += value
        return (len(value),)
    shapes = {flatten(part, into) for part in value}
    if len(shapes) > 1:
        raise ValueError("setting an array element with a sequence of another shape")
    return (len(value), *(shapes.pop() if shapes else ()))


def kind_among(elements: list[Any]) -> int:
    """Say of which kind an array of some elements is; one of none is of floats."""
    types = set(map(type, elements))
    return max((KINDS[one] for one in types), default=FLOAT)


def flat_list(of: ndarray) -> list[Any]:
    """List all elements as Python's own numbers."""
    of = solid(of)
    start = (of.at - of.data.buffer_info()[0]) >> SHIFTS[of.kind]
    found = of.data[start : start + of.size].tolist()
    return [truth != 0 for truth in found] if of.kind == BOOL else found


def to_list(of: ndarray) -> Any:
    """Give nested lists of Python's own numbers."""
    found: list[Any] = flat_list(of)
    if not of.shape:
        return found[0]
    for axis in range(len(of.shape) - 1, 0, -1):
        many = of.shape[axis]
        rows = 1
        for size in of.shape[:axis]:
            rows *= size
        found = [found[row * many : (row + 1) * many] for row in range(rows)]
    return found


def item(of: ndarray) -> Any:
    """Give the only element as Python's own number."""
    if of.size != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return OWN[of.kind](scalar(of))
