"""Reading and writing some elements: by numbers, slices, arrays of numbers and of bools."""

from typing import Any

from tischlein.page.numbers.elements import (
    as_array,
    as_kind,
    calculate,
    copy,
    copy_into,
    scalar,
    solid,
)
from tischlein.page.numbers.heap import (
    BOOL,
    FLOAT,
    INT,
    SIZES,
    Shape,
    axis_of,
    broadcast,
    kernels,
    layout,
    ndarray,
    new,
    refuse,
    spread,
    strides_of,
    view,
)
from tischlein.page.numbers.scalars import bool_, int64
from tischlein.page.numbers.shapes import arange, broadcast_to, joined, reshape

Axis = tuple[int, int]
"""Its size and stride."""


class Places:
    """What a key points to: a view of some axes, and arrays that index others."""

    def __init__(self, of: ndarray, key: Any) -> None:
        self.of, self.at = of, of.at
        self.axes: list[Axis] = []
        self.indices: list[tuple[ndarray, Axis]] = []
        self.marks: list[int] = []
        """How many axes there were before each index."""
        self._left = list(zip(of.shape, of.strides, strict=True))
        self._read(key if type(key) is tuple else (key,))

    def _read(self, key: tuple[Any, ...]) -> None:
        parts = [as_array(part) if type(part) in (list, range) else part for part in key]
        rest = len(self.of.shape) - sum(map(consumed, parts))
        if rest < 0:
            raise IndexError(f"too many indices for array of {len(self.of.shape)} axes")
        if not any(part is Ellipsis for part in parts):
            parts.append(Ellipsis)
        for part in parts:
            if type(part) is slice:
                self._slice(part)
            elif part is None:
                self.axes.append((1, 0))
            elif part is Ellipsis:
                self.axes += self._left[:rest]
                del self._left[:rest]
            elif type(part) is ndarray:
                self._index(part)
            else:
                self._number(part)

    def _slice(self, part: slice) -> None:
        size, stride = self._left.pop(0)
        start, stop, step = part.indices(size)
        many = len(range(start, stop, step))
        self.at += start * stride if many else 0
        self.axes.append((many, stride * step))

    def _number(self, part: Any) -> None:
        if type(part) is bool or type(part) is bool_:
            refuse("indexing by a single bool")
        size, stride = self._left.pop(0)
        place = part.__index__()
        if not -size <= place < size:
            raise IndexError(f"index {place} is out of bounds for axis with size {size}")
        self.at += place % size * stride
        self.marks.append(len(self.axes))

    def _index(self, part: ndarray) -> None:
        self.marks.append(len(self.axes))
        if part.kind == FLOAT and part.size:
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        if part.kind != BOOL:
            self.indices.append((as_kind(part, INT), self._left.pop(0)))
            return
        sizes = tuple(size for size, _ in self._left[: len(part.shape)])
        if part.shape != sizes:
            raise IndexError(f"boolean index of shape {part.shape} does not match {sizes}")
        self.indices += zip(nonzero(part), self._left[: len(sizes)], strict=True)
        del self._left[: len(sizes)]

    def view(self) -> ndarray:
        """Look at what is left when no array indexes."""
        shape = tuple(size for size, _ in self.axes)
        return view(self.of, self.at, shape, tuple(stride for _, stride in self.axes))

    def pointed(self) -> tuple[ndarray, Shape]:
        """Tell how far in bytes each index points, in the shape that all have together."""
        shape: Shape = ()
        for index, _ in self.indices:
            shape = broadcast(shape, index.shape)
        found = new(INT, shape)  # room for numbers of half the size
        for nth, (index, (size, stride)) in enumerate(self.indices):
            walk = layout(shape, strides_of(shape, 4), spread(index, shape))
            if kernels.point(found.at, index.at, walk, size, stride, nth == 0):
                raise IndexError(f"index is out of bounds for axis with size {size}")
        return found, shape

    def around(self) -> tuple[list[Axis], list[Axis]]:
        """Tell the axes before the indices and those after; those of apart ones come first."""
        before = self.marks[0] if len(set(self.marks)) == 1 else 0
        return self.axes[:before], self.axes[before:]


def consumed(part: Any) -> int:
    """Say how many axes a part of a key is about."""
    if part is None or part is Ellipsis:
        return 0
    return len(part.shape) if type(part) is ndarray and part.kind == BOOL else 1


def one_axis(axes: list[Axis]) -> Axis | None:
    """Walk several axes as one; None where they cannot be."""
    left = joined([size for size, _ in axes], [stride for _, stride in axes])
    return (1, 0) if not left else left[0] if len(left) == 1 else None


def get(of: ndarray, key: Any) -> Any:
    """Read some elements: a view where a key has no arrays, else a copy."""
    if type(key) is ndarray and (found := rows(of, key)) is not None:
        return take_rows(*found)
    seen = simple(of, key if type(key) is tuple else (key,))
    if seen is not None:
        return seen if seen.shape else scalar(seen)
    places = Places(of, key)
    if not places.indices:
        return places.view()
    offsets, shape, outer, inner = lines(places)
    made = new(of.kind, shape)
    if made.size:
        size, n = SIZES[of.kind], offsets.size
        kernels.gather(size, made.at, places.at, offsets.at, n, *outer, *inner)
    return made if made.shape else scalar(made)


def lines(places: Places) -> tuple[ndarray, Shape, Axis, Axis]:
    """Tell where lines of elements begin, the shape of all, how often and how long lines go on."""
    before, after = places.around()
    outer, inner = one_axis(before), one_axis(after)
    offsets, shape = places.pointed()
    whole = tuple(size for size, _ in before) + shape + tuple(size for size, _ in after)
    if outer is None or inner is None:
        return everywhere(places, len(before), len(shape), len(after)), whole, (1, 0), (1, 0)
    return offsets, whole, outer, inner


def rows(of: ndarray, key: ndarray) -> tuple[ndarray, ndarray] | None:
    """Tell which rows of an array whose elements lie together a key is about; None if of others."""
    if not of.solid or not of.shape:
        return None
    if key.kind == INT:
        return of, key
    axes = len(key.shape)
    if key.kind != BOOL or not axes or key.shape != of.shape[:axes]:
        return None
    flat = of if axes == 1 else reshape(of, (key.size, *of.shape[axes:]))
    return flat, flatnonzero(key)


def simple(of: ndarray, key: tuple[Any, ...]) -> ndarray | None:
    """Look at what numbers and slices point to; None where there is more in a key."""
    at, axis, sizes, strides = of.at, 0, of.shape, of.strides
    shape: list[int] = []
    by: list[int] = []
    for part in key:
        kind = type(part)
        if kind is slice:
            start, stop, step = part.indices(sizes[axis])
            many = len(range(start, stop, step))
            at += start * strides[axis] if many else 0
            shape.append(many)
            by.append(strides[axis] * step)
            axis += 1
        elif kind is int or kind is int64:
            if not -sizes[axis] <= part < sizes[axis]:
                raise IndexError(f"index {part} is out of bounds for axis with size {sizes[axis]}")
            at += int(part) % sizes[axis] * strides[axis]
            axis += 1
        elif part is None:
            shape.append(1)
            by.append(0)
        else:
            return None
    return view(of, at, (*shape, *sizes[axis:]), (*by, *strides[axis:]))


def take_rows(of: ndarray, index: ndarray) -> Any:
    """Read some rows of an array whose elements lie one after the other."""
    made = new(of.kind, index.shape + of.shape[1:])
    offsets, stride = new(INT, index.shape), of.strides[0]
    walk = layout(index.shape, strides_of(index.shape, 4), index.strides)
    if kernels.point(offsets.at, index.at, walk, of.shape[0], stride, True):
        raise IndexError(f"index is out of bounds for axis with size {of.shape[0]}")
    if made.size:
        size = SIZES[of.kind]
        inner = made.size // index.size
        kernels.gather(size, made.at, of.at, offsets.at, index.size, 1, 0, inner, size)
    return made if made.shape else scalar(made)


def put(of: ndarray, key: Any, value: Any) -> None:
    """Write some elements."""
    if type(key) is ndarray and (found := rows(of, key)) is not None:
        of, key = found
    seen = simple(of, key if type(key) is tuple else (key,))
    if seen is not None:
        copy_into(seen, value)
        return
    places = Places(of, key)
    if places.indices:
        scatter(places, value, adds=False)
    else:
        copy_into(places.view(), value)


def add_at(of: ndarray, key: Any, value: Any) -> None:
    """Add to some elements, also to the same one more than once."""
    places = Places(of, key)
    if not places.indices:
        calculate(0, places.view(), value, places.view())
    else:
        scatter(places, value, adds=True)


def scatter(places: Places, value: Any, adds: bool) -> None:
    """Write to where indices point."""
    of = places.of
    offsets, shape, outer, inner = lines(places)
    value = as_kind(as_array(value), of.kind)
    if value.data is of.data:
        value = copy(value)
    while len(value.shape) > len(shape) and value.shape[0] == 1:
        value = reshape(value, value.shape[1:])
    by = SIZES[of.kind] if value.size > 1 else 0
    value = broadcast_to(value, shape)
    if value.size:
        value = solid(value) if by else value
        n, ways = offsets.size, (*outer, *inner)
        kernels.scatter(of.kind, adds, places.at, offsets.at, n, *ways, value.at, by)


def everywhere(places: Places, before: int, among: int, after: int) -> ndarray:
    """Tell how far each element points, with an index for every axis."""
    axes = before + among + after
    found = [
        (along_axis(axis[0], at if at < before else at + among, axes), axis)
        for at, axis in enumerate([*places.around()[0], *places.around()[1]])
    ]
    pointed = [(reshape(index, index.shape + (1,) * after), axis) for index, axis in places.indices]
    places.indices = found + pointed
    return places.pointed()[0]


def along_axis(size: int, axis: int, axes: int) -> ndarray:
    """Count along one axis of several."""
    return reshape(arange(size), (1,) * axis + (size,) + (1,) * (axes - axis - 1))


def nonzero(of: Any) -> tuple[ndarray, ...]:
    """Tell where elements are not zero, axis by axis."""
    of = as_array(of)
    if not of.shape:
        raise ValueError("calling nonzero on 0d arrays is not allowed")
    places = flatnonzero(of)
    if len(of.shape) == 1:
        return (places,)
    found = []
    for size, by in zip(of.shape, strides_of(of.shape, 1), strict=True):
        axis = new(INT, places.shape)
        kernels.unravel(axis.at, places.at, places.size, by, size)
        found.append(axis)
    return tuple(found)


def flatnonzero(of: Any) -> ndarray:
    """Tell where elements are not zero, all axes counted through."""
    of = solid(as_array(of))
    found = new(INT, (kernels.there(of.kind, of.at, of.size),))
    kernels.whereThere(of.kind, found.at, of.at, of.size)
    return found


def count_nonzero(of: Any) -> int64:
    """Count the elements that are not zero."""
    of = solid(as_array(of))
    return int64(kernels.there(of.kind, of.at, of.size))


def take(of: Any, index: Any, axis: int | None = None) -> Any:
    """Read some places of an axis."""
    of = as_array(of)
    if axis is None:
        return get(reshape(of, -1), as_array(index))
    return get(of, (slice(None),) * axis_of(axis, len(of.shape)) + (as_array(index),))


def take_along_axis(of: Any, index: Any, axis: int) -> ndarray:
    """Take for each index the element of an axis that it names."""
    of, index = as_array(of), as_kind(as_array(index), INT)
    axis = axis_of(axis, len(of.shape))
    shape = along(of, index, axis)
    made = new(of.kind, shape)
    walk = layout(shape, made.strides, still(of, axis, shape), spread(index, shape))
    many, by, size = of.shape[axis], of.strides[axis], SIZES[of.kind]
    if kernels.takeAlong(size, made.at, of.at, index.at, walk, many, by):
        raise IndexError(f"index is out of bounds for axis with size {many}")
    return made


def put_along_axis(of: ndarray, index: Any, value: Any, axis: int) -> None:
    """Write values to where `take_along_axis` would read them."""
    index, value = as_kind(as_array(index), INT), as_kind(as_array(value), of.kind)
    axis = axis_of(axis, len(of.shape))
    shape = along(of, index, axis)
    walk = layout(shape, still(of, axis, shape), spread(index, shape), spread(value, shape))
    many, by, size = of.shape[axis], of.strides[axis], SIZES[of.kind]
    if kernels.putAlong(size, of.at, index.at, value.at, walk, many, by):
        raise IndexError(f"index is out of bounds for axis with size {many}")


def along(of: ndarray, index: ndarray, axis: int) -> Shape:
    """Give the shape of indices along an axis, spread over the other axes."""
    if len(of.shape) != len(index.shape):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    flat = (*of.shape[:axis], 1, *of.shape[axis + 1 :])
    return broadcast(flat, index.shape)


def still(of: ndarray, axis: int, shape: Shape) -> Shape:
    """Give strides that stand still along an axis, in a shape with another number of places."""
    flat = (*of.shape[:axis], 1, *of.shape[axis + 1 :])
    strides = (*of.strides[:axis], 0, *of.strides[axis + 1 :])
    return spread(view(of, of.at, flat, strides), shape)
