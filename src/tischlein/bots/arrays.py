"""Arithmetic over arrays that gives the same bits on every machine.

Sums differ in the last bit with the order in which a machine adds, and each adds in its own. So
what is summed or multiplied as a matrix lies on a grid: on whole multiples of a power of a half,
so coarse that every sum is exact, in whatever order. What lies on no grid is added first to last.
"""

import random
import struct
from ast import literal_eval
from collections.abc import Callable
from io import BytesIO
from math import ldexp, prod
from typing import Any, Final
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from tischlein.bots import exact

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Layers = list[tuple[Floats, Floats]]
"""The weights and biases of a network, layer by layer."""

SHARES: Final = 36
"""The grid of shares of the win, in bits: 2^16 of them are summed exactly."""
WEIGHTS: Final = 17
"""The grid of a network's weights, and of what each layer reads."""
GRAINS: Final = ldexp(1.0, WEIGHTS)
HEAVIEST: Final = 8.0
"""No weight is larger: so 2^8 weights of 2^3 times numbers of 2^7, on grids of 2^-17, fit into the
53 bits of a number."""
MOST: Final = 128 * GRAINS
"""What a layer reads is at most this, in grains."""
ROWS: Final = 512

BULK: Final = 500
"""From so many numbers at once on it pays to let NumPy draw them."""

TWO_TO: Final[Floats] = np.array(exact.TWO_TO)
LEAST_TWOS: Final = -1011
TWOS: Final[Floats] = np.array([ldexp(1.0, twos) for twos in range(LEAST_TWOS, 1012)])


def on_grid(numbers: Floats, bits: int = SHARES) -> Floats:
    """Round to whole multiples of a half to so many times a half."""
    found: Floats = np.rint(numbers * ldexp(1.0, bits)) * ldexp(1.0, -bits)
    return found


def total(numbers: Floats, axis: int) -> Floats:
    """Add along an axis, first to last; for few terms."""
    before: tuple[Any, ...] = (slice(None),) * axis
    found: Floats = numbers[(*before, 0)].copy()
    for at in range(1, numbers.shape[axis]):
        found += numbers[(*before, at)]
    return found


def mean(numbers: Floats, axis: int) -> Floats:
    """Average along an axis what lies on a grid."""
    found: Floats = numbers.sum(axis=axis) / numbers.shape[axis]
    return found


def exp(numbers: Floats) -> Floats:
    """Give powers of e, of numbers up to 700: bit for bit those of `exact.exp`."""
    rest = np.maximum(numbers, exact.LEAST)
    roots = np.rint(rest * exact.PER_ROOT)
    rest -= roots * exact.ROOT_HIGH
    rest -= roots * exact.ROOT_LOW
    found = rest * exact.SERIES[0]
    found += exact.SERIES[1]
    for part in exact.SERIES[2:]:
        found *= rest
        found += part
    twos = np.floor(roots * (1 / exact.ROOT))
    roots -= twos * exact.ROOT
    found *= TWO_TO[roots.astype(np.int64)]
    found *= TWOS[twos.astype(np.int64) - LEAST_TWOS]
    found[numbers < exact.LEAST] = 0.0
    return found


def softmax(logits: Floats) -> Floats:
    """Turn each row of logits into chances, on the grid of shares."""
    powers = exp(logits - logits.max(axis=1, keepdims=True))
    return on_grid(powers / total(powers, 1)[:, None])


def sigmoid(logits: Floats) -> Floats:
    """Turn each logit into a chance of its own."""
    found: Floats = 1 / (1 + exp(-np.clip(logits, -30.0, 30.0)))
    return found


def answer(layers: Layers, read: Floats) -> Floats:
    """Let a network answer, some rows at once: so all stays near the processor."""
    if len(read) <= ROWS:
        return answer_some(layers, read)
    blocks = range(0, len(read), ROWS)
    return np.concatenate([answer_some(layers, read[at : at + ROWS]) for at in blocks])


def answer_some(layers: Layers, read: Floats) -> Floats:
    """Let a network answer. Between layers numbers are counted in whole grains."""
    grains = np.clip(np.rint(read * GRAINS), -MOST, MOST)
    for matrix, bias in layers[:-1]:
        grains = np.clip(np.rint(grains @ matrix + bias * GRAINS), 0.0, MOST)
    matrix, bias = layers[-1]
    found: Floats = (grains @ matrix) * (1 / GRAINS) + bias
    return found


def read_weights(data: bytes) -> dict[str, Floats]:
    """Read the arrays of an .npz file by their names, on the grid of weights."""
    with ZipFile(BytesIO(data)) as kept:
        arrays = {
            name.removesuffix(".npy"): read_array(kept.read(name)) for name in kept.namelist()
        }
    return {
        name: np.clip(on_grid(array, WEIGHTS), -HEAVIEST, HEAVIEST)
        for name, array in arrays.items()
    }


def read_array(data: bytes) -> Floats:
    """Read an array of floats as NumPy keeps it: a header that is a dict, then the numbers."""
    start = 10 + int.from_bytes(data[8:10], "little")
    header: dict[str, Any] = literal_eval(data[10:start].decode())
    code = {"<f2": "e", "<f4": "f", "<f8": "d"}[header["descr"]]
    shape: tuple[int, ...] = header["shape"]
    numbers = np.array(struct.unpack_from(f"<{prod(shape)}{code}", data, start))
    if header["fortran_order"]:
        return numbers.reshape(shape[::-1]).T
    return numbers.reshape(shape)


class Dice:
    """The numbers of Python's own `random.Random`, one by one or as many as wanted."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311
        self._bulk: Callable[[int], Floats] | None = None

    def random(self, shape: int | tuple[int, ...]) -> Floats:
        """Give numbers from 0 up to, but not including, 1."""
        size = (shape,) if isinstance(shape, int) else shape
        many = prod(size)
        if self._bulk is None and many >= BULK:
            self._bulk = in_bulk(self._random)
        if self._bulk is not None:
            return self._bulk(many).reshape(size)
        return np.array([self._random.random() for _ in range(many)], np.float64).reshape(size)

    def below(self, n: int, /) -> int:
        """Give a whole number from 0 to n - 1."""
        number = self._random.random() if self._bulk is None else float(self._bulk(1)[0])
        return int(number * n)

    def many_below(self, n: int, many: int) -> Ints:
        """Give so many whole numbers from 0 to n - 1."""
        found: Ints = (self.random(many) * n).astype(np.int64)
        return found

    def choice(self, among: Ints, many: int) -> Ints:
        """Choose so many, the same ones again, too."""
        return among[self.many_below(len(among), many)]

    def permuted(self, rows: Ints) -> Ints:
        """Shuffle each row by itself."""
        order = np.argsort(self.random(rows.shape), axis=1, kind="stable")
        return np.take_along_axis(rows, order, axis=1)


def in_bulk(source: random.Random) -> Callable[[int], Floats] | None:
    """Let NumPy go on with the numbers of a source, where it has any: that is much quicker."""
    numpys = getattr(np, "random", None)
    if numpys is None:
        return None
    *key, place = source.getstate()[1]
    going_on = numpys.RandomState(0)
    going_on.set_state(("MT19937", key, place))
    found: Callable[[int], Floats] = going_on.random_sample
    return found
