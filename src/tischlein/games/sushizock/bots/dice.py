"""The five dice as tables of numbers: what can be kept, what a roll can bring."""

from functools import cache
from itertools import product
from typing import Final

import numpy as np

from tischlein.bots.arrays import Floats, Ints
from tischlein.games.sushizock.rules import (
    DICE,
    DIE,
    FACES,
    STEAL_ANY,
    STEAL_TOP,
    Count,
    added,
    count,
    rolls_of,
)

COUNTS: Final[list[Count]] = [
    (a, b, c, d)
    for a, b, c, d in product(range(DICE + 1), repeat=len(FACES))
    if a + b + c + d <= DICE
]
PARTS: Final = sorted((dice for dice in COUNTS if sum(dice) < DICE), key=sum)
"""Dice aside that leave some to roll: 70 ways, first none at all."""
WHOLES: Final = [dice for dice in COUNTS if sum(dice) == DICE]
"""All five dice together: 56 ways."""
PART: Final = {dice: at for at, dice in enumerate(PARTS)}
WHOLE: Final = {dice: at for at, dice in enumerate(WHOLES)}

NOTHING: Final = 0
TAKE_SUSHI: Final = 0
"""Take the n-th sushi: option TAKE_SUSHI + n; so with bones."""
TAKE_BONES: Final = 5
STEAL: Final = {
    ("sushi", False): 11,
    ("sushi", True): 12,
    ("bones", False): 13,
    ("bones", True): 14,
}
"""Steal the best top tile of a kind, or the best of all tiles."""
FORCED: Final = 15
OPTIONS: Final = 16
"""The ends that a turn can have; NOTHING is none."""


def claims_of(dice: Count) -> tuple[int, int, int]:
    """Name the options that five dice give: a sushi, a bone, a steal."""
    sushi, bones, blue, red = dice
    steal = NOTHING
    if blue >= STEAL_TOP:
        steal = STEAL["sushi", blue >= STEAL_ANY]
    elif red >= STEAL_TOP:
        steal = STEAL["bones", red >= STEAL_ANY]
    return (
        TAKE_SUSHI + sushi if sushi else NOTHING,
        TAKE_BONES + bones if bones else NOTHING,
        steal,
    )


CLAIMS: Final[Ints] = np.array([claims_of(dice) for dice in WHOLES])


ROLLS: Final = len(DIE) ** DICE
"""So many rolls of five dice there are: every chance is a whole number of these."""


def ways_beside(aside: Count) -> list[float]:
    """Give the chance of each five dice when the rest is rolled beside some aside, in rolls."""
    found = [0.0] * len(WHOLES)
    for roll, chance in rolls_of(DICE - sum(aside)):
        whole = WHOLE[added(aside, count(roll.dice))]  # type: ignore[union-attr]
        found[whole] += float(chance * ROLLS)
    return found


WAYS: Final[Floats] = np.array([ways_beside(aside) for aside in PARTS])
"""For each part aside, the chance of each whole, in rolls: whole numbers, whose sums are exact."""
CHANCES: Final[Floats] = WAYS / ROLLS


@cache
def kept_between(aside: Count, whole: Count) -> tuple[int, ...]:
    """List the parts that can lie aside next: one die more at least, and one left to roll [S7]."""
    ways = product(*(range(low, high + 1) for low, high in zip(aside, whole, strict=True)))
    return tuple(PART[part] for part in ways if part in PART and part != aside)


def ways_to_keep(node: tuple[int, int]) -> int:
    """Count the parts that can lie aside after a roll."""
    return len(kept_between(PARTS[node[0]], WHOLES[node[1]]))


def most_keeps_first(asides: range) -> list[tuple[int, int]]:
    """List rolls: the part that was aside and the whole that came; most ways to keep first."""
    nodes = [(aside, whole) for aside in asides for whole in np.flatnonzero(WAYS[aside]).tolist()]
    return sorted(nodes, key=ways_to_keep, reverse=True)


def columns(nodes: list[tuple[int, int]]) -> list[Ints]:
    """Give the first part to keep of every node, then the second where there is one, and so on."""
    rows = [kept_between(PARTS[aside], WHOLES[whole]) for aside, whole in nodes]
    return [
        np.array([row[column] for row in rows if len(row) > column])
        for column in range(len(rows[0]))
    ]


FIRST: Final = most_keeps_first(range(1))
SECOND: Final = most_keeps_first(range(1, len(PARTS)))
KEEPS_FIRST: Final = columns(FIRST)
KEEPS_SECOND: Final = columns(SECOND)
CAME_FIRST: Final[Ints] = np.array([whole for _, whole in FIRST])
CAME: Final[Ints] = np.array([whole for _, whole in SECOND])
LAST_DIE: Final = np.array([ways_to_keep(node) == 0 for node in SECOND])
"""Where a single die was rolled: that ends the rolling [S8]."""
ASIDE: Final[Ints] = np.array([aside for aside, _ in SECOND])
CAME_IN: Final[Floats] = WAYS[ASIDE, CAME][:, None]
"""The chance of each second roll, in rolls."""
BY_ASIDE: Final[Ints] = np.argsort(ASIDE, kind="stable")
"""The second rolls sorted by the part that was aside,"""
GROUPS: Final[Ints] = np.searchsorted(ASIDE[BY_ASIDE], np.arange(1, len(PARTS)))
"""and where each part begins."""
