"""Ratings from games of many players: the model of Plackett and Luce, with ties.

A seat's strength is exp(rating); it finishes first with the chance of its share of all strengths,
then the rest is ranked in the same way. Of those who finish level the order is not known, so the
chances of all their orders are summed (as for ties in a race of exponential clocks).
Errors come from the curvature and from how the deals differ (a sandwich): games of one deal hang
together, deals do not. A weak prior keeps a bot that always loses at a finite place.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from math import log
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from numpy import floating
    from numpy.typing import NDArray

    Array = NDArray[floating]

Tiers = tuple[tuple[int, ...], ...]
"""How a game ended: the numbers of the bots, best first, those who finish level together."""

POINTS: Final = 400 / log(10)
"""So many points are one unit of rating: 400 points more is ten times the chance."""
MIDDLE: Final = 1000.0
PRIOR: Final = 5.0
"""The spread of ratings that is expected before any game is played, in units."""
ENOUGH: Final = 1e-9
MOST_STEPS: Final = 200


class Rating(Struct, frozen=True):
    """A bot's strength in points, the average bot at 1000, and its standard error."""

    who: str
    points: float
    error: float


def tiers(seating: Sequence[int], scores: Sequence[int], shares: Sequence[float]) -> Tiers:
    """Rank a game: the winners first, then by score."""
    ended = zip(shares, scores, strict=True)
    keys = [(share > 0, 0 if share > 0 else score) for share, score in ended]
    return tuple(
        tuple(sorted(bot for bot, own in zip(seating, keys, strict=True) if own == key))
        for key in sorted(set(keys), reverse=True)
    )


def rate(bots: Sequence[str], deals: Sequence[Mapping[Tiers, int]]) -> tuple[Rating, ...]:
    """Rate bots by how often each ranking came up in each deal."""
    import numpy as np

    kinds = list(dict.fromkeys(chain.from_iterable(deals)))
    counts = np.array([[deal.get(kind, 0) for kind in kinds] for deal in deals], dtype=float)
    best = climb(kinds, counts.sum(axis=0), len(bots))
    bend = np.linalg.inv(curvature(kinds, counts.sum(axis=0), best))
    pulls = counts @ slopes(kinds, best)
    pulls -= pulls.mean(axis=0)
    centre = np.eye(len(bots)) - 1 / len(bots)
    spread = centre @ bend @ (pulls.T @ pulls) @ bend @ centre
    errors = np.sqrt(np.diag(spread) * len(deals) / max(1, len(deals) - 1))
    points = MIDDLE + POINTS * (best - best.mean())
    return tuple(
        Rating(who, float(point), float(POINTS * error))
        for who, point, error in zip(bots, points, errors, strict=True)
    )


def climb(kinds: Sequence[Tiers], counts: "Array", bots: int) -> "Array":
    """Find the likeliest ratings by Newton's steps, none longer than one unit."""
    import numpy as np

    ratings = np.zeros(bots)
    for _ in range(MOST_STEPS):
        pull = slope(kinds, counts, ratings)
        step = np.linalg.solve(curvature(kinds, counts, ratings), -pull)
        ratings = ratings + step * min(1.0, 1.0 / max(1e-12, float(np.abs(step).max())))
        if np.abs(step).max() < ENOUGH:
            break
    return ratings


def slope(kinds: Sequence[Tiers], counts: "Array", ratings: "Array") -> "Array":
    """Give the slope of the log of the chance of all games, and of the prior."""
    found: Array = counts @ slopes(kinds, ratings) - ratings / PRIOR**2
    return found


def curvature(kinds: Sequence[Tiers], counts: "Array", ratings: "Array") -> "Array":
    """Give the second derivatives, by differences of the slope."""
    import numpy as np

    tiny = 1e-5
    ways = np.eye(len(ratings)) * tiny
    rows = [
        (slope(kinds, counts, ratings + way) - slope(kinds, counts, ratings - way)) / (2 * tiny)
        for way in ways
    ]
    bend = np.array(rows)
    found: Array = (bend + bend.T) / 2
    return found


def slopes(kinds: Sequence[Tiers], ratings: "Array") -> "Array":
    """Give for each kind of ranking the slope of the log of its chance."""
    import numpy as np

    weights = tuple(float(weight) for weight in np.exp(ratings))
    return np.array([chance_and_slope(kind, weights)[1] for kind in kinds])


def chance_and_slope(kind: Tiers, weights: Sequence[float]) -> tuple[float, list[float]]:
    """Give the chance of a ranking, and the slope of its log in the ratings."""
    chance, slope = 1.0, [0.0] * len(weights)
    for place in range(len(kind) - 1):
        behind = list(chain.from_iterable(kind[place + 1 :]))
        rest = sum(weights[bot] for bot in behind)
        tier = 0.0
        change = [0.0] * len(weights)
        for sign, some in subsets(kind[place]):
            total = rest + sum(weights[bot] for bot in some)
            tier += sign * rest / total
            for bot in behind:
                change[bot] += sign * weights[bot] * (total - rest) / total**2
            for bot in some:
                change[bot] -= sign * weights[bot] * rest / total**2
        chance *= tier
        slope = [old + new / tier for old, new in zip(slope, change, strict=True)]
    return chance, slope


@cache
def subsets(tier: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """List all subsets with the sign that they have in a sum by inclusion and exclusion."""
    sizes = range(len(tier) + 1)
    return tuple(((-1) ** size, some) for size in sizes for some in combinations(tier, size))
