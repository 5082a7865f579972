"""The same numbers in another shape, and several arrays put together."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from tischlein.page.numbers.elements import (
    as_array,
    astype,
    copy,
    copy_into,
    flat_list,
    item,
    scalar,
)
from tischlein.page.numbers.heap import (
    FLOAT,
    INT,
    SIZES,
    Shape,
    axis_of,
    broadcast,
    kernels,
    ndarray,
    new,
    spread,
    strides_of,
    view,
    without,
)
from tischlein.page.numbers.scalars import kind_of


def shape_of(shape: Any) -> Shape:
    """Read a shape: one number, or several."""
    if isinstance(shape, tuple):
        return shape
    return (int(shape),) if isinstance(shape, int) else tuple(int(size) for size in shape)


def reshape(of: Any, *shape: Any) -> ndarray:
    """Give an array another shape; the same numbers, where they lie as they should."""
    of = as_array(of)
    wanted = shape_of(shape[0] if len(shape) == 1 else shape)
    if -1 in wanted:
        known = -prod(wanted)
        rest = of.size // known if known else 0
        wanted = tuple(rest if size == -1 else size for size in wanted)
    if prod(wanted) != of.size:
        raise ValueError(f"cannot reshape array of size {of.size} into shape {wanted}")
    if of.solid:
        return view(of, of.at, wanted, strides_of(wanted, SIZES[of.kind]))
    strides = strides_in(of, wanted) if of.size else None
    return reshape(copy(of), wanted) if strides is None else view(of, of.at, wanted, strides)


def strides_in(of: ndarray, wanted: Shape) -> Shape | None:
    """Find strides that show an array in another shape; None where there are none."""
    parts = joined(of.shape, of.strides)
    found: list[int] = []
    for size in reversed(wanted):
        if size == 1:
            found.append(0)
            continue
        while parts and parts[-1][0] == 1:
            parts.pop()
        many, stride = parts[-1]
        if many % size:
            return None
        found.append(stride)
        parts[-1] = (many // size, stride * size)
    return tuple(reversed(found))


def joined(shape: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    """Join axes where one goes on as the next one ends: sizes and strides of what is left."""
    found: list[tuple[int, int]] = []
    for size, stride in zip(shape, strides, strict=True):
        if size == 1:
            continue
        if found and found[-1][1] == size * stride:
            found[-1] = (found[-1][0] * size, stride)
        else:
            found.append((size, stride))
    return found


def ravel(of: Any) -> ndarray:
    """Give all numbers in one row."""
    return reshape(of, -1)


def transpose(of: Any, *axes: Any) -> ndarray:
    """Put axes into another order, or turn it round."""
    of = as_array(of)
    if len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0] or ()
    order = [axis_of(axis, len(of.shape)) for axis in axes] or range(len(of.shape))[::-1]
    shape = tuple(of.shape[axis] for axis in order)
    return view(of, of.at, shape, tuple(of.strides[axis] for axis in order))


def transposed(of: ndarray) -> ndarray:
    """Turn the order of axes round."""
    return view(of, of.at, of.shape[::-1], of.strides[::-1])


def broadcast_to(of: Any, shape: Any) -> ndarray:
    """Read an array as if it had another shape."""
    of, wanted = as_array(of), shape_of(shape)
    return view(of, of.at, wanted, spread(of, wanted))


def broadcast_arrays(*arrays: Any) -> tuple[ndarray, ...]:
    """Read arrays in the shape that they have together."""
    shape: Shape = ()
    for of in arrays:
        shape = broadcast(shape, as_array(of).shape)
    return tuple(broadcast_to(of, shape) for of in arrays)


def expand_dims(of: Any, axis: int) -> ndarray:
    """Put in an axis of one."""
    of = as_array(of)
    at = axis_of(axis, len(of.shape) + 1)
    shape = (*of.shape[:at], 1, *of.shape[at:])
    return view(of, of.at, shape, (*of.strides[:at], 0, *of.strides[at:]))


def squeeze(of: Any, axis: int | None = None) -> ndarray:
    """Leave out axes of one."""
    of = as_array(of)
    there = [
        at
        for at, size in enumerate(of.shape)
        if size != 1 or (axis is not None and at != axis_of(axis, len(of.shape)))
    ]
    return view(
        of, of.at, tuple(of.shape[at] for at in there), tuple(of.strides[at] for at in there)
    )


def swapaxes(of: Any, one: int, two: int) -> ndarray:
    """Let two axes change places."""
    axes = list(range(len(of.shape)))
    axes[one], axes[two] = axes[two], axes[one]
    return transpose(of, axes)


def part(of: ndarray, axis: int, start: int, many: int) -> ndarray:
    """Look at some places of an axis."""
    shape = (*of.shape[:axis], many, *of.shape[axis + 1 :])
    return view(of, of.at + start * of.strides[axis], shape, of.strides)


def flip(of: Any, axis: int | None = None) -> ndarray:
    """Turn one axis round, or all."""
    found = as_array(of)
    shape, axes = found.shape, len(found.shape)
    for at in range(axes) if axis is None else (axis_of(axis, axes),):
        by = found.strides[at]
        strides = (*found.strides[:at], -by, *found.strides[at + 1 :])
        found = view(found, found.at + max(shape[at] - 1, 0) * by, shape, strides)
    return found


def concatenate(arrays: Any, axis: int | None = 0, dtype: Any = None) -> ndarray:
    """Put arrays one after the other."""
    parts = [as_array(of) for of in arrays]
    if axis is None:
        parts, axis = [ravel(of) for of in parts], 0
    axis = axis_of(axis, len(parts[0].shape))
    kind = max(of.kind for of in parts) if dtype is None else kind_of(dtype)
    if len({without(of.shape, axis) for of in parts}) != 1:
        raise ValueError("all the input array dimensions except for one must match")
    many = sum(of.shape[axis] for of in parts)
    made = new(kind, (*parts[0].shape[:axis], many, *parts[0].shape[axis + 1 :]))
    start = 0
    for of in parts:
        if of.size:
            copy_into(part(made, axis, start, of.shape[axis]), of)
        start += of.shape[axis]
    return made


def stack(arrays: Any, axis: int = 0) -> ndarray:
    """Put arrays beside each other along an axis of their own."""
    return concatenate([expand_dims(of, axis) for of in arrays], axis)


def split(of: Any, where: Any, axis: int = 0) -> list[ndarray]:
    """Cut an array into so many parts, or at some places."""
    of = as_array(of)
    axis = axis_of(axis, len(of.shape))
    many = of.shape[axis]
    if isinstance(where, int):
        if many % where:
            raise ValueError("array split does not result in an equal division")
        where = range(many // where, many, many // where)
    starts = [0, *(slice(at).indices(many)[1] for at in where)]
    pairs = zip(starts, [*starts[1:], many], strict=True)
    return [part(of, axis, start, max(end - start, 0)) for start, end in pairs]


def roll(of: Any, shift: int, axis: int | None = None) -> ndarray:
    """Push elements on; what is pushed out comes in on the other side."""
    of = as_array(of)
    if axis is None:
        return reshape(roll(ravel(of), shift, 0), of.shape)
    axis = axis_of(axis, len(of.shape))
    many = of.shape[axis]
    cut = -shift % many if many else 0
    return concatenate([part(of, axis, cut, many - cut), part(of, axis, 0, cut)], axis)


def tile(of: Any, times: Any) -> ndarray:
    """Repeat a whole array along its axes."""
    of, repeats = as_array(of), shape_of(times)
    axes = max(len(of.shape), len(repeats))
    shape = (1,) * (axes - len(of.shape)) + of.shape
    repeats = (1,) * (axes - len(repeats)) + repeats
    pairs = list(zip(repeats, shape, strict=True))
    apart = reshape(of, tuple(size for pair in pairs for size in (1, pair[1])))
    wide = broadcast_to(apart, tuple(size for pair in pairs for size in pair))
    return reshape(copy(wide), tuple(times * size for times, size in pairs))


def repeat(of: Any, times: Any, axis: int | None = None) -> ndarray:
    """Repeat each element, or each part along an axis, so many times."""
    of = ravel(of) if axis is None else as_array(of)
    axis = axis_of(axis or 0, len(of.shape))
    counts = broadcast_to(as_array(times, int), (of.shape[axis],))
    each = flat_list(counts)
    if each and min(each) < 0:
        raise ValueError("repeats may not contain negative values")
    total = sum(each)
    ahead = copy(transpose(of, axis, *without(range(len(of.shape)), axis)))
    made = new(of.kind, (total, *ahead.shape[1:]))
    wide = prod(ahead.shape[1:]) * SIZES[of.kind]
    kernels.repeat(made.at, ahead.at, wide, of.shape[axis], counts.at, counts.strides[0])
    order = [*range(1, axis + 1), 0, *range(axis + 1, len(of.shape))]
    return made if axis == 0 else copy(transpose(made, order))


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    """Make an array of one number."""
    of = as_array(value)
    made = new(of.kind if dtype is None else kind_of(dtype), shape_of(shape))
    copy_into(made, of)
    return made


def zeros(shape: Any, dtype: Any = float) -> ndarray:
    """Make an array of zeros."""
    return new(kind_of(dtype), shape_of(shape))


def ones(shape: Any, dtype: Any = float) -> ndarray:
    """Make an array of ones."""
    return full(shape, 1, dtype)


def zeros_like(of: Any, dtype: Any = None) -> ndarray:
    """Make an array of zeros in the shape of another."""
    of = as_array(of)
    return new(of.kind if dtype is None else kind_of(dtype), of.shape)


def ones_like(of: Any, dtype: Any = None) -> ndarray:
    """Make an array of ones in the shape of another."""
    return full_like(of, 1, dtype)


def full_like(of: Any, value: Any, dtype: Any = None) -> ndarray:
    """Make an array of one number in the shape of another."""
    made = zeros_like(of, dtype)
    copy_into(made, value)
    return made


def eye(many: int, dtype: Any = float) -> ndarray:
    """Make a square of zeros with ones from corner to corner."""
    made = new(kind_of(dtype), (many, many))
    wide = (many + 1) * SIZES[made.kind]
    copy_into(view(made, made.at, (many,), (wide,)), 1)
    return made


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> ndarray:
    """Count from a start to a stop."""
    if stop is None:
        start, stop = 0, start
    whole = all(isinstance(number, int) for number in (start, stop, step))
    many = max(0, -int(-(stop - start) // step) if whole else -int((start - stop) // step))
    made = new(INT if whole else FLOAT, (many,))
    kernels.count(made.kind, made.at, many, start, step)
    return made if dtype is None else astype(made, dtype)


def iterate(of: ndarray) -> Iterator[Any]:
    """Go through the first axis."""
    if not of.shape:
        raise TypeError("iteration over a 0-d array")
    rest, strides = of.shape[1:], of.strides[1:]
    for at in range(of.shape[0]):
        one = view(of, of.at + at * of.strides[0], rest, strides)
        yield one if rest else scalar(one)


def tobytes(of: ndarray) -> bytes:
    """Write the elements down as they lie in memory."""
    found = copy(of)
    return found.data.tobytes()[: found.size * SIZES[found.kind]]


def frombuffer(data: bytes, dtype: Any = float) -> ndarray:
    """Read what `tobytes` has written; kinds of other sizes are as large as here."""
    kind = kind_of(dtype)
    made = new(kind, (len(data) // SIZES[kind],))
    if data:
        del made.data[:]
        made.data.frombytes(data)
        made.at = made.data.buffer_info()[0]
    return made


def length(of: ndarray) -> int:
    """Count the places of the first axis."""
    if not of.shape:
        raise TypeError("len() of unsized object")
    return of.shape[0]


def truth(of: ndarray) -> bool:
    """Say whether the only element is not zero."""
    if of.size > 1:
        raise ValueError("the truth of an array of more than one element is ambiguous")
    return bool(of.size and item(of))
