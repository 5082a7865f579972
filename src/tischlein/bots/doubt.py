"""How far what a bot found may be off, by what it knows of its own search.

A bot that tries its moves on imagined tables compares them table by table, so that what all moves
have in common does not blur the gap between two. A bot that counts wins knows how often it tried.
A doubt is two standard errors of a gap: nineteen times of twenty the gap is not farther off.
"""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Final

WIDE: Final = 2.0
"""So many standard errors."""
UNKNOWN: Final = 1.0
"""The doubt of one who knows nothing: the whole win."""
FEWEST: Final = 3
"""With fewer tables one cannot say how much they differ."""


def of_pairs(gaps: Sequence[float]) -> float:
    """Give the doubt of the mean of gaps, one from each table; few tables count as fewer still."""
    many = len(gaps)
    if many < FEWEST:
        return UNKNOWN
    mean = fsum(gaps) / many
    variance = fsum((gap - mean) * (gap - mean) for gap in gaps) / (many - 1)
    return WIDE * sqrt(variance / (many - FEWEST + 1))


def of_pair(one: tuple[float, int], two: tuple[float, int]) -> float:
    """Give the doubt of the gap between two moves, each given by its wins and its tries."""
    return WIDE * sqrt(_variance(*one) + _variance(*two))


def _variance(won: float, tries: int) -> float:
    """Give the variance of a share; who never lost in a few tries may still lose."""
    share = (won + 1) / (tries + 2)
    return share * (1 - share) / tries
