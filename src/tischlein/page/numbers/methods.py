"""What arrays can do, put on under the names that numpy's users know."""

from collections.abc import Callable
from typing import Any

from tischlein.page.numbers import elements as e
from tischlein.page.numbers import folding, indexing, shapes
from tischlein.page.numbers.heap import BOOL, FLOAT, INT, SIZES, ndarray
from tischlein.page.numbers.scalars import SCALARS, dtype

OPERATORS = {
    "add": e.ADD,
    "sub": e.SUBTRACT,
    "mul": e.MULTIPLY,
    "truediv": e.DIVIDE,
    "floordiv": e.FLOOR_DIVIDE,
    "mod": e.REMAINDER,
    "and": e.AND,
    "or": e.OR,
    "xor": e.XOR,
    "lshift": e.SHIFT_LEFT,
    "rshift": e.SHIFT_RIGHT,
}
COMPARISONS = {
    "eq": e.EQUAL,
    "ne": e.NOT_EQUAL,
    "lt": e.LESS,
    "le": e.LESS_EQUAL,
    "gt": e.GREATER,
    "ge": e.GREATER_EQUAL,
}


def matmul_backward(one: Any, two: Any) -> Any:
    """Multiply with an array on the right."""
    return folding.matmul(two, one)


def power(one: Any, times: Any) -> Any:
    """Square; other powers differ from machine to machine."""
    if times != 2:
        raise NotImplementedError("the browser's small numpy knows no powers but squares")
    one = e.calculate(e.MULTIPLY, one, 1)  # of bools whole numbers
    return e.calculate(e.MULTIPLY, one, one)


def get_dtype(of: ndarray) -> dtype:
    """Name the kind of the elements."""
    return dtype(SCALARS[of.kind])


def text(of: ndarray) -> str:
    """Write an array."""
    return f"array({e.to_list(of)})"


def convert(kind: Callable[[Any], Any], of: ndarray) -> Any:
    """Make a Python number of the only element."""
    return kind(e.item(of))


METHODS: dict[str, Any] = {
    "__abs__": e.unary(e.ABSOLUTE),
    "__bool__": shapes.truth,
    "__float__": lambda of: convert(float, of),
    "__getitem__": indexing.get,
    "__index__": lambda of: convert(int, of),
    "__int__": lambda of: convert(int, of),
    "__invert__": e.unary(e.INVERT, most=INT),
    "__iter__": shapes.iterate,
    "__len__": shapes.length,
    "__matmul__": folding.matmul,
    "__neg__": e.unary(e.NEGATIVE),
    "__pos__": e.copy,
    "__pow__": power,
    "__repr__": text,
    "__rmatmul__": matmul_backward,
    "__setitem__": indexing.put,
    "T": property(shapes.transposed),
    "all": folding.all_of,
    "any": folding.any_of,
    "argmax": folding.where_most,
    "argmin": folding.where_least,
    "argsort": folding.argsort,
    "astype": e.astype,
    "clip": folding.clip,
    "copy": e.copy,
    "cumsum": folding.cumsum,
    "dot": folding.dot,
    "dtype": property(get_dtype),
    "fill": folding.fill,
    "flatten": lambda of: e.copy(shapes.ravel(of)),
    "item": e.item,
    "itemsize": property(lambda of: SIZES[of.kind]),
    "max": folding.most,
    "mean": folding.mean,
    "min": folding.least,
    "ndim": property(lambda of: len(of.shape)),
    "nonzero": indexing.nonzero,
    "prod": folding.product,
    "ravel": shapes.ravel,
    "repeat": shapes.repeat,
    "reshape": shapes.reshape,
    "searchsorted": folding.searchsorted,
    "sort": folding.sort_in_place,
    "squeeze": shapes.squeeze,
    "sum": folding.total,
    "swapaxes": shapes.swapaxes,
    "take": indexing.take,
    "tobytes": shapes.tobytes,
    "tolist": e.to_list,
    "transpose": shapes.transpose,
}


def put_on() -> None:
    """Give arrays their methods and operators, and single numbers the operators, too."""
    for kind in (ndarray, *SCALARS):
        for name, op in OPERATORS.items():
            setattr(kind, f"__{name}__", e.forward(op))
            setattr(kind, f"__r{name}__", e.backward(op))
        for name, op in COMPARISONS.items():
            setattr(kind, f"__{name}__", e.forward(op))
        for name in ("__abs__", "__neg__", "__invert__"):
            setattr(kind, name, METHODS[name])
    for name, op in OPERATORS.items():
        setattr(ndarray, f"__i{name}__", e.in_place(op))
    for name, method in METHODS.items():
        setattr(ndarray, name, method)


class Function:
    """A function of two arrays that can also fold and add in place."""

    def __init__(self, op: int) -> None:
        self._run = e.function(op)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._run(*args, **options)

    at = staticmethod(indexing.add_at)
    reduceat = staticmethod(folding.add_reduceat)


FUNCTIONS: dict[str, Any] = {
    "abs": e.unary(e.ABSOLUTE),
    "absolute": e.unary(e.ABSOLUTE),
    "add": Function(e.ADD),
    "all": folding.all_of,
    "amax": folding.most,
    "amin": folding.least,
    "any": folding.any_of,
    "arange": shapes.arange,
    "argmax": folding.where_most,
    "argmin": folding.where_least,
    "argsort": folding.argsort,
    "array": e.make,
    "array_equal": folding.array_equal,
    "asarray": e.as_array,
    "ascontiguousarray": lambda of, dtype=None: e.solid(e.as_array(of, dtype)),
    "bincount": folding.bincount,
    "broadcast_arrays": shapes.broadcast_arrays,
    "broadcast_to": shapes.broadcast_to,
    "ceil": e.whole_or(e.CEIL),
    "clip": folding.clip,
    "concatenate": shapes.concatenate,
    "copy": lambda of: e.make(of),
    "copyto": e.copy_where,
    "count_nonzero": indexing.count_nonzero,
    "cumsum": folding.cumsum,
    "dot": folding.dot,
    "empty": shapes.zeros,
    "empty_like": shapes.zeros_like,
    "expand_dims": shapes.expand_dims,
    "eye": shapes.eye,
    "flatnonzero": indexing.flatnonzero,
    "flip": shapes.flip,
    "floor": e.whole_or(e.FLOOR),
    "frombuffer": shapes.frombuffer,
    "full": shapes.full,
    "full_like": shapes.full_like,
    "isnan": e.unary(e.IS_NAN, BOOL),
    "ldexp": e.function(e.LDEXP),
    "max": folding.most,
    "mean": folding.mean,
    "min": folding.least,
    "nonzero": indexing.nonzero,
    "ones": shapes.ones,
    "ones_like": shapes.ones_like,
    "outer": folding.outer,
    "prod": folding.product,
    "put_along_axis": indexing.put_along_axis,
    "ravel": shapes.ravel,
    "repeat": shapes.repeat,
    "reshape": shapes.reshape,
    "rint": e.unary(e.RINT, FLOAT),
    "roll": shapes.roll,
    "searchsorted": folding.searchsorted,
    "sort": folding.sort,
    "split": shapes.split,
    "sqrt": e.unary(e.SQRT, FLOAT),
    "square": lambda of: power(of, 2),
    "squeeze": shapes.squeeze,
    "stack": shapes.stack,
    "sum": folding.total,
    "swapaxes": shapes.swapaxes,
    "take": indexing.take,
    "take_along_axis": indexing.take_along_axis,
    "tile": shapes.tile,
    "transpose": shapes.transpose,
    "unique": folding.unique,
    "where": e.where,
    "zeros": shapes.zeros,
    "zeros_like": shapes.zeros_like,
}
TWO: dict[str, int] = {
    "subtract": e.SUBTRACT,
    "multiply": e.MULTIPLY,
    "divide": e.DIVIDE,
    "true_divide": e.DIVIDE,
    "floor_divide": e.FLOOR_DIVIDE,
    "remainder": e.REMAINDER,
    "mod": e.REMAINDER,
    "minimum": e.MINIMUM,
    "maximum": e.MAXIMUM,
    "equal": e.EQUAL,
    "not_equal": e.NOT_EQUAL,
    "less": e.LESS,
    "less_equal": e.LESS_EQUAL,
    "greater": e.GREATER,
    "greater_equal": e.GREATER_EQUAL,
    "logical_and": e.AND,
    "logical_or": e.OR,
    "logical_xor": e.XOR,
    "bitwise_and": e.AND,
    "bitwise_or": e.OR,
}
FUNCTIONS |= {name: e.function(op) for name, op in TWO.items()}
FUNCTIONS["negative"] = e.unary(e.NEGATIVE)
FUNCTIONS["logical_not"] = e.unary(e.INVERT, most=BOOL)
FUNCTIONS["matmul"] = folding.matmul
