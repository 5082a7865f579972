"""Small whole numbers, many in one word: what all games share.

A *lane* is an array of uint32, one word a game; the functions here work on lanes of any shape, one
game alone or of many. A word holds several small numbers in *fields* of equal width.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

Lane = Array
Random = tuple[Lane, Lane]
Last = tuple[Lane, ...]
"""What is needed to count a game that has ended; the last of the lanes is who started it."""
Layout = list[tuple[str, int]]
"""What stands where in an observation: the name of each part, and how many numbers it has."""
T = TypeVar("T")

SIXTIETHS = 60
"""A win is counted in sixtieths, so that every number of winners shares it evenly."""


def word(number: int) -> Any:
    """Make a constant of 32 bits."""
    return np.uint32(number)


def rotate(lane: Lane, by: int) -> Lane:
    """Rotate the bits of a word to the left."""
    return (lane << by) | (lane >> (32 - by))


def draw(random: Random) -> tuple[Lane, Random]:
    """Draw 32 random bits (xoroshiro64**, Blackman and Vigna)."""
    low, high = random
    bits = rotate(low * word(0x9E3779BB), 5) * 5
    high = high ^ low
    return bits, (rotate(low, 26) ^ high ^ (high << 9), rotate(high, 13))


def below(bits: Lane, n: Any, width: int) -> tuple[Lane, Lane]:
    """Make a number below n < 2**width of 32 random bits; what is left is again random.

    Of 2**(32 - width) equal parts each number gets as many as the others, or one more. The rest
    is the place within the part, as 32 bits whose lower `width` ones are zero.
    """
    product = (bits >> width) * n
    return product >> (32 - width), product << width


def scaled(bits: Lane, n: int) -> Lane:
    """Make a number below n < 2**16 of all 32 random bits."""
    return ((bits >> 16) * n + ((bits & 0xFFFF) * n >> 16)) >> 16


def nth(mask: Lane, chosen: Lane, widths: Sequence[int]) -> Lane:
    """Find the place of set bit number `chosen`, halving what is left to search by these widths."""
    place = jnp.zeros_like(mask)
    for width in widths:
        found = ones(mask & (1 << width) - 1)
        beyond = chosen >= found
        chosen = choose(beyond, chosen - found, chosen)
        mask = choose(beyond, mask >> width, mask)
        place += choose(beyond, word(width), word(0))
    return place


def choose(condition: Array, yes: Any, no: Any) -> Lane:
    """Take one lane where the condition holds, the other elsewhere."""
    return jnp.where(condition, yes, no)


def choose_all(condition: Array, yes: T, no: T) -> T:
    """Take one of two sets of lanes."""
    chosen: T = jax.tree.map(lambda one, other: choose(condition, one, other), yes, no)
    return chosen


def number(condition: Array) -> Lane:
    """Count a condition as 0 or 1."""
    return condition.astype(jnp.uint32)


def ones(lane: Lane) -> Lane:
    """Count the bits that are set."""
    return lax.population_count(lane)


def lowest(lane: Lane) -> Lane:
    """Keep only the lowest bit that is set."""
    return lane & (~lane + 1)


def sixtieths(best: Sequence[Array]) -> list[Lane]:
    """Share a win among the seats that are best."""
    winners = sum([number(b) for b in best[1:]], number(best[0]))
    # 60 / n for 1 to 6 winners, without dividing: six bits each
    share = choose(winners == 1, 60, word(0x0A0C0F14) >> (8 * (winners - 3)) & 0xFF)
    share = choose(winners == 2, 30, share)
    return [choose(b, share, 0) for b in best]


def at_place(by_seat: Sequence[Lane], starter: Lane) -> list[Lane]:
    """Turn what seats have into what places have: the starter, the next clockwise, and so on."""
    turned = list(by_seat)
    for bit in (1, 2, 4):
        if bit < len(by_seat):
            moved = turned[bit:] + turned[:bit]
            far = (starter & bit) != 0
            turned = [choose(far, one, other) for one, other in zip(moved, turned, strict=True)]
    return turned
