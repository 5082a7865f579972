"""Arrays of numbers in Python's own memory, and how they lie there."""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from math import prod
from typing import Any, Final, NoReturn

BOOL: Final = 0
INT: Final = 1
FLOAT: Final = 2
"""The kinds of elements; of two kinds the greater one holds both."""
CODES: Final = "Bqd"
SIZES: Final = (1, 8, 8)
SHIFTS: Final = (0, 3, 3)
EMPTY: Final = tuple(array(code, [0]) for code in CODES)

Shape = tuple[int, ...]


class Kernels:
    """The loops over elements, in WebAssembly: `web/src/arrays/kernels.ts`."""

    def __getattr__(self, name: str) -> Any:
        """Find a loop when it is first run, and keep it."""
        found = getattr(import_module("tischlein_kernels"), name)
        setattr(self, name, found)
        return found


kernels: Final = Kernels()


class ndarray:  # noqa: N801  # the name that numpy's users know
    """A view of numbers that lie somewhere in memory; what it can do is put on in `methods`."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("at", "data", "kind", "shape", "size", "solid", "strides")

    def __init__(
        self,
        data: "array[Any]",
        at: int,
        kind: int,
        shape: Shape,
        strides: Shape,
        solid: bool,
        size: int,
    ) -> None:
        self.data = data
        """Keeps the memory."""
        self.at = at
        """The address of the first element."""
        self.kind = kind
        self.shape = shape
        self.strides = strides
        """In bytes."""
        self.solid = solid
        """Whether the elements lie one after the other."""
        self.size = size


def new(kind: int, shape: Shape) -> ndarray:
    """Make an array of zeros."""
    size = prod(shape)
    data = EMPTY[kind] * (size or 1)
    strides = strides_of(shape, SIZES[kind])
    return ndarray(data, data.buffer_info()[0], kind, shape, strides, True, size)


def view(of: ndarray, at: int, shape: Shape, strides: Shape) -> ndarray:
    """Look at the same numbers in another way."""
    solid = strides == strides_of(shape, SIZES[of.kind])
    return ndarray(of.data, at, of.kind, shape, strides, solid, prod(shape))


@lru_cache(4096)
def strides_of(shape: Shape, size: int) -> Shape:
    """Give the strides of an array whose elements lie one after the other."""
    strides = []
    for many in reversed(shape):
        strides.append(size)
        size *= many
    return tuple(reversed(strides))


@lru_cache(4096)
def broadcast(one: Shape, two: Shape) -> Shape:
    """Give the shape that two arrays have together."""
    if len(one) < len(two):
        one, two = two, one
    longer = (1,) * (len(one) - len(two)) + two
    if any(a != b and a != 1 and b != 1 for a, b in zip(one, longer, strict=True)):
        raise ValueError(f"operands could not be broadcast together with shapes {one} {two}")
    return tuple(a if b == 1 else b for a, b in zip(one, longer, strict=True))


def spread(of: ndarray, shape: Shape) -> Shape:
    """Give the strides with which an array is read as if it had another shape."""
    if of.shape == shape:
        return of.strides
    return spread_strides(of.shape, of.strides, shape)


@lru_cache(4096)
def spread_strides(own: Shape, strides: Shape, shape: Shape) -> Shape:
    """Give strides that stand still along the axes that are not there."""
    before = len(shape) - len(own)
    if before < 0 or any(a not in (1, b) for a, b in zip(own, shape[before:], strict=True)):
        raise ValueError(f"could not broadcast input array from shape {own} into shape {shape}")
    there = [
        stride if a == b else 0 for a, b, stride in zip(own, shape[before:], strides, strict=True)
    ]
    return (0,) * before + tuple(there)


def layout(shape: Shape, one: Shape, two: Shape, three: Shape = (), four: Shape = ()) -> Any:
    """Tell how up to four arrays are walked together."""
    found = walk(shape, one, two, three, four)[:]
    kept[0] = found  # or else it would be gone before it is read
    return found.buffer_info()[0]


kept: Final[list[Any]] = [None]


@lru_cache(4096)
def walk(shape: Shape, *strides: Shape) -> "array[int]":
    """Write a layout down: the number of axes, and six numbers for each."""
    found = array("i", [len(shape)])
    for axis, many in enumerate(shape):
        found.extend([many, 0, *(by[axis] if by else 0 for by in strides)])
    return found


def axis_of(axis: int, axes: int) -> int:
    """Count an axis from the front."""
    if not -axes <= axis < axes:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {axes}")
    return axis % axes


def without(shape: Sequence[int], axis: int) -> Shape:
    """Leave an axis out."""
    return (*shape[:axis], *shape[axis + 1 :])


def refuse(what: str) -> NoReturn:
    """Say that something is not here."""
    raise NotImplementedError(f"the browser's small numpy cannot do {what}")
