"""What is made of many numbers: sums, extremes, products of matrices, orders, groups."""

from math import prod
from typing import Any, Final

from tischlein.page.numbers.elements import (
    DIVIDE,
    MAXIMUM,
    MINIMUM,
    MULTIPLY,
    NOT_EQUAL,
    as_array,
    as_kind,
    astype,
    calculate,
    copy,
    copy_into,
    scalar,
    solid,
    stored,
)
from tischlein.page.numbers.heap import (
    BOOL,
    FLOAT,
    INT,
    Shape,
    axis_of,
    kernels,
    layout,
    ndarray,
    new,
    refuse,
    without,
)
from tischlein.page.numbers.indexing import get
from tischlein.page.numbers.scalars import SCALARS, kind_of
from tischlein.page.numbers.shapes import broadcast_to, expand_dims, ravel, reshape, transpose

SUM: Final = 0
LEAST: Final = 1
MOST: Final = 2
ANY: Final = 3
ALL: Final = 4
WHERE_LEAST: Final = 5
WHERE_MOST: Final = 6
PRODUCT: Final = 7

GIVES: Final = {ANY: BOOL, ALL: BOOL, WHERE_LEAST: INT, WHERE_MOST: INT}
"""The kind that a fold gives, whatever it folds."""
OF_NONE: Final = {SUM: 0, PRODUCT: 1, ANY: 0, ALL: 1}
"""What a fold of nothing gives, where it gives something."""


def fold(op: int, of: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Fold along an axis, or along several, or all."""
    of = as_array(of)
    shape = of.shape
    if axis is None:
        of, one, kept = ravel(of), 0, (1,) * len(shape)
    elif isinstance(axis, tuple):
        axes = {axis_of(each, len(shape)) for each in axis}
        kept = tuple(1 if at in axes else size for at, size in enumerate(shape))
        rest = [at for at in range(len(shape)) if at not in axes]
        of = transpose(of, [*rest, *sorted(axes)])
        of = reshape(of, (*of.shape[: len(rest)], prod(of.shape[len(rest) :])))
        one = len(rest)
    else:
        one = axis_of(axis, len(shape))
        kept = (*shape[:one], 1, *shape[one + 1 :])
    made = fold_axis(op, of, one)
    if keepdims:
        return reshape(made, kept)
    return made if made.shape else scalar(made)


def fold_axis(op: int, of: ndarray, axis: int) -> ndarray:
    """Fold along one axis."""
    kind = GIVES.get(op)
    if kind is None:
        kind = max(of.kind, INT) if op in (SUM, PRODUCT) else of.kind
    shape, many = without(of.shape, axis), of.shape[axis]
    made = new(kind, shape)
    if many:
        walk = layout(shape, made.strides, without(of.strides, axis))
        kernels.reduce(op, of.kind, made.at, of.at, walk, many, of.strides[axis])
    elif op in OF_NONE:
        copy_into(made, OF_NONE[op])
    elif made.size:
        raise ValueError("zero-size array to reduction operation which has no identity")
    return made


def total(
    of: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False, initial: Any = None
) -> Any:
    """Add, first to last."""
    if dtype is not None:
        of = as_kind(as_array(of), kind_of(dtype))
    found = fold(SUM, of, axis, keepdims)
    return found if initial is None else calculate(0, found, initial)


def product(of: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Multiply."""
    return fold(PRODUCT, of, axis, keepdims)


def least(of: Any, axis: Any = None, *, keepdims: bool = False, initial: Any = None) -> Any:
    """Find the least."""
    return extreme(LEAST, of, axis, keepdims, initial)


def most(of: Any, axis: Any = None, *, keepdims: bool = False, initial: Any = None) -> Any:
    """Find the most."""
    return extreme(MOST, of, axis, keepdims, initial)


def extreme(op: int, of: Any, axis: Any, keepdims: bool, initial: Any) -> Any:
    """Find the least or the most, of nothing an initial number."""
    of = as_array(of)
    if initial is None:
        return fold(op, of, axis, keepdims)
    if of.kind != FLOAT and isinstance(initial, float):
        raise TypeError("an initial float does not fit to whole numbers")
    initial = SCALARS[of.kind](initial)
    if of.size if axis is None else of.shape[axis]:
        found = fold(op, of, axis, keepdims)
        return calculate(MINIMUM if op == LEAST else MAXIMUM, found, initial)
    found = astype(as_array(fold(SUM, of, axis, keepdims)), SCALARS[of.kind])
    copy_into(found, initial)
    return found if found.shape else scalar(found)


def any_of(of: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Say whether any is not zero."""
    return fold(ANY, of, axis, keepdims)


def all_of(of: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Say whether none is zero."""
    return fold(ALL, of, axis, keepdims)


def where_least(of: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Find the place of the first of the least."""
    return fold(WHERE_LEAST, of, axis, keepdims)


def where_most(of: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Find the place of the first of the most."""
    return fold(WHERE_MOST, of, axis, keepdims)


def mean(of: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Average."""
    of = as_kind(as_array(of), FLOAT)
    found = fold(SUM, of, axis, keepdims)
    many = of.size / max(1, getattr(found, "size", 1))
    return calculate(DIVIDE, found, many)


def cumsum(of: Any, axis: int | None = None) -> ndarray:
    """Sum up, keeping every sum on the way."""
    of = ravel(of) if axis is None else as_array(of)
    at = axis_of(axis or 0, len(of.shape))
    made = new(max(of.kind, INT), of.shape)
    shape = without(of.shape, at)
    walk = layout(shape, without(made.strides, at), without(of.strides, at))
    if made.size:
        go, by, many = made.strides[at], of.strides[at], of.shape[at]
        kernels.accumulate(of.kind, made.at, of.at, walk, many, go, by)
    return made


def matmul(one: Any, two: Any) -> Any:
    """Multiply matrices, or rows and columns with them."""
    one, two = as_array(one), as_array(two)
    if not one.shape or not two.shape:
        raise ValueError("matmul: an operand has no axes")
    if len(two.shape) > 2:
        return refuse("products of more than two axes on the right")
    kind = max(one.kind, two.kind)
    out: Shape = one.shape[:-1] + two.shape[1:]
    k, m = two.shape[0], prod(two.shape[1:])
    if one.shape[-1] != k:
        raise ValueError(f"matmul: {one.shape} and {two.shape} do not fit")
    left, right = solid(as_kind(one, max(kind, INT))), solid(as_kind(two, max(kind, INT)))
    made = new(left.kind, out)
    run = kernels.multiply if kind == FLOAT else kernels.multiplyWhole
    run(made.at, left.at, right.at, prod(one.shape[:-1]), k, m)
    if kind == BOOL:
        made = calculate(NOT_EQUAL, made, 0)
    return made if type(made) is not ndarray or made.shape else scalar(made)


def dot(one: Any, two: Any) -> Any:
    """Multiply as matrices."""
    return matmul(one, two)


def outer(one: Any, two: Any) -> Any:
    """Multiply each with each."""
    return calculate(MULTIPLY, expand_dims(ravel(one), 1), expand_dims(ravel(two), 0))


def argsort(of: Any, axis: int = -1, kind: Any = None) -> ndarray:
    """Find the order that sorts; equal elements stay as they stand."""
    of = as_array(of)
    last = len(of.shape) - 1
    if axis_of(axis, last + 1) != last:
        axes = list(range(last + 1))
        axes[axis], axes[last] = axes[last], axes[axis]
        return transpose(argsort(transpose(of, axes)), axes)
    keys = solid(as_kind(of, max(of.kind, INT)))
    made, many = new(INT, of.shape), of.shape[-1]
    if of.size:
        room = new(INT, (many,))
        kernels.sort(keys.kind, made.at, keys.at, of.size // many, many, room.at)
    return made


def sort(of: Any, axis: int = -1, kind: Any = None) -> ndarray:
    """Sort along an axis."""
    from tischlein.page.numbers.indexing import take_along_axis

    return take_along_axis(of, argsort(of, axis), axis)


def sort_in_place(of: ndarray, axis: int = -1, kind: Any = None) -> None:
    """Sort an array itself."""
    copy_into(of, sort(of, axis))


def searchsorted(of: Any, values: Any, side: str = "left") -> Any:
    """Find where values belong in a sorted row."""
    of, wanted = as_array(of), as_array(values)
    kind = max(of.kind, wanted.kind, INT)
    row, wanted = solid(as_kind(of, kind)), solid(as_kind(wanted, kind))
    made = new(INT, wanted.shape)
    right = side == "right"
    kernels.search(kind, made.at, row.at, row.size, wanted.at, wanted.size, right)
    return made if made.shape else scalar(made)


def unique(of: Any, return_index: bool = False, return_inverse: bool = False) -> Any:
    """List different elements in order, where each first stands, and which one each is."""
    whole = as_array(of)
    of = solid(ravel(whole))
    keys = as_kind(of, max(of.kind, INT))
    order, first, back = argsort(keys), new(INT, of.shape), new(INT, of.shape)
    many = kernels.distinct(keys.kind, first.at, back.at, order.at, keys.at, of.size)
    first = get(first, slice(many))
    found = get(of, first)
    if not return_index and not return_inverse:
        return found
    inverse = [reshape(back, whole.shape)] if return_inverse else []
    return (found, *([copy(first)] if return_index else []), *inverse)


def bincount(of: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    """Count how often each number occurs, or sum what each occurrence weighs."""
    of = as_array(of)
    if of.kind == FLOAT and of.size:
        raise TypeError("cannot count floats")
    if len(of.shape) != 1:
        raise ValueError("object too deep for desired array")
    of = solid(as_kind(of, INT))
    if of.size and least(of) < 0:
        raise ValueError("'list' argument must have no negative elements")
    many = max(minlength, int(most(of)) + 1 if of.size else 0)
    made = new(INT if weights is None else FLOAT, (many,))
    heavy = None if weights is None else solid(as_kind(as_array(weights), FLOAT))
    if heavy is not None and heavy.shape != of.shape:
        raise ValueError("The weights and list don't have the same length.")
    kernels.tally(made.at, of.at, of.size, 0 if heavy is None else heavy.at)
    return made


def add_reduceat(of: Any, starts: Any, axis: int = 0) -> ndarray:
    """Add groups of neighbours, each up to where the next one begins."""
    of, where = as_array(of), solid(as_kind(as_array(starts), INT))
    if axis_of(axis, len(of.shape)) != 0:
        refuse("sums of groups along another axis than the first")
    of = solid(as_kind(of, max(of.kind, INT)))
    if where.size and (least(where) < 0 or most(where) >= of.shape[0]):
        raise IndexError("index out-of-bounds in add.reduceat")
    made = new(of.kind, where.shape + of.shape[1:])
    wide = prod(of.shape[1:])
    kernels.groups(of.kind, made.at, of.at, of.shape[0], wide, where.at, where.size)
    return made


def clip(of: Any, low: Any = None, high: Any = None, out: ndarray | None = None) -> Any:
    """Keep numbers between two bounds."""
    found = of if low is None else calculate(MAXIMUM, of, low)
    found = found if high is None else calculate(MINIMUM, found, high)
    return found if out is None else stored(out, found)


def array_equal(one: Any, two: Any) -> bool:
    """Say whether two arrays are of one shape and all elements are equal."""
    one, two = as_array(one), as_array(two)
    return one.shape == two.shape and not bool(any_of(calculate(NOT_EQUAL, one, two)))


def fill(of: ndarray, value: Any) -> None:
    """Write the same number everywhere."""
    copy_into(of, broadcast_to(value, of.shape))
