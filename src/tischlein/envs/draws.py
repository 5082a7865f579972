"""Chance in small steps, each with its exact probability."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb, lcm

from tischlein.game import Rng

Chances = list[tuple[int, Fraction]]
"""Numbers of outcomes and their probabilities."""


def evenly(n: int) -> Chances:
    """List n outcomes that are equally likely."""
    return [(outcome, Fraction(1, n)) for outcome in range(n)]


def one_of(counts: Sequence[int]) -> Chances:
    """List which kind the next thing from a pile is; `counts` says how many of each kind it has."""
    size = sum(counts)
    return [(kind, Fraction(n, size)) for kind, n in enumerate(counts) if n]


def next_in_hand(counts: tuple[int, ...], so_far: tuple[int, ...], size: int) -> Chances:
    """List which kind comes next when `size` things are drawn and laid out in order of kind.

    So each hand is one path, however its cards came. `counts` is the pile before the draw.
    """
    last = so_far[-1] if so_far else 0
    had, missing = so_far.count(last), size - len(so_far)
    ways = [(last, more_of_kind(counts, last, had + 1, missing - 1))]
    stop = comb(counts[last], had)
    for kind in range(last + 1, len(counts)):
        ways.append((kind, stop * more_of_kind(counts, kind, 1, missing - 1)))
    total = sum(way for _, way in ways)
    return [(kind, Fraction(way, total)) for kind, way in ways if way]


@cache
def more_of_kind(counts: tuple[int, ...], kind: int, had: int, missing: int) -> int:
    """Count the hands with at least `had` of a kind and `missing` more of it or of later kinds."""
    later = sum(counts[kind + 1 :])
    return sum(
        comb(counts[kind], had + more) * comb(later, missing - more) for more in range(missing + 1)
    )


def pick(chances: Chances, rng: Rng) -> int:
    """Draw one of the outcomes."""
    whole = lcm(*(chance.denominator for _, chance in chances))
    left = rng.below(whole)
    for outcome, chance in chances:
        left -= chance.numerator * (whole // chance.denominator)
        if left < 0:
            return outcome
    raise ValueError("the chances do not add up to one")
