"""What stands where in an observation: named blocks of numbers, one after the other."""

from collections.abc import Container, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Array = NDArray[np.float32]


class Block(Struct, frozen=True):
    """Some numbers of an observation, from `low` to `high`."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """Say how many numbers it has."""
        return prod(self.shape)


class Layout(Struct, frozen=True):
    """The blocks of an observation in their order."""

    blocks: tuple[Block, ...]

    @property
    def size(self) -> int:
        """Say how long an observation is."""
        return sum(block.size for block in self.blocks)

    def low(self) -> Array:
        """Give the least value of each number."""
        return np.concatenate([np.full(b.size, b.low, np.float32) for b in self.blocks])

    def high(self) -> Array:
        """Give the greatest value of each number."""
        return np.concatenate([np.full(b.size, b.high, np.float32) for b in self.blocks])

    def write(self, values: Mapping[str, Sequence[Any]]) -> Array:
        """Put the numbers of all blocks into one array."""
        parts = []
        for block in self.blocks:
            part = np.asarray(values[block.name], np.float32).reshape(-1)
            if part.size != block.size:
                raise ValueError(f"`{block.name}` has {part.size} numbers, not {block.size}")
            parts.append(part)
        return np.concatenate(parts)

    def parts(self, observation: Array) -> dict[str, Array]:
        """Give the blocks of an observation by their names."""
        found, at = {}, 0
        for block in self.blocks:
            found[block.name] = observation[at : at + block.size].reshape(block.shape)
            at += block.size
        return found


def one_hot(at: int | None, size: int) -> list[int]:
    """Mark one place, or none."""
    return [int(at == place) for place in range(size)]


def mask(legal: Sequence[int], size: int) -> NDArray[np.int8]:
    """Mark the legal ones of all actions."""
    found = np.zeros(size, np.int8)
    found[list(legal)] = 1
    return found


def from_seat(values: Sequence[Any], seat: int) -> list[Any]:
    """List what belongs to the seats clockwise, one's own first."""
    return [*values[seat:], *values[:seat]]


def flags(marked: Container[Any], seats: int, seat: int) -> list[int]:
    """Mark some of the seats, clockwise, one's own first."""
    return from_seat([int(other in marked) for other in range(seats)], seat)


def padded(values: Sequence[int | None], size: int) -> list[int]:
    """Fill a row up with zeros; what is not known is a zero, too."""
    return [*(value or 0 for value in values), *[0] * (size - len(values))]
