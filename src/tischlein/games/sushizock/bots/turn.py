"""A whole turn solved exactly: three rolls, all ways to keep, for many positions at once.

All that the solver is told is what each end of the turn is worth to the player who moves.
"""

from typing import Final

import numpy as np
from msgspec import Struct

from tischlein.games.sushizock.bots.dice import (
    ASIDE,
    BY_ASIDE,
    CAME,
    CAME_FIRST,
    CHANCE,
    CHANCES,
    CLAIMS,
    FORCED,
    GROUPS,
    KEEPS_FIRST,
    KEEPS_SECOND,
    LAST_DIE,
    OPTIONS,
    PART,
    PARTS,
    WHOLES,
    Floats,
    Ints,
)
from tischlein.games.sushizock.rules import NO_DICE, Count

NEVER: Final = -1e9
"""What an option is worth that the position does not have."""


class Solved(Struct, frozen=True):
    """The best play of a turn in a batch of positions; the last axis counts positions.

    A choice below OPTIONS is an end of the turn, one above is OPTIONS plus the part to keep.
    """

    worth: Floats
    """The turn before its first roll."""
    claim: Floats
    """The best claim of each whole, or NEVER."""
    third: Floats
    """Parts aside before the third roll."""
    second: Floats
    """Parts aside before the second roll."""
    end: Ints
    """What to claim with each whole, forced where nothing can be claimed."""
    choose_first: Ints
    choose_second: Ints


def solve(options: Floats) -> Solved:
    """Solve the turn for the worth of its ends, (OPTIONS, batch); NEVER where there is none."""
    pick, claim = best_claims(options)
    forced = claim <= NEVER
    end = np.where(forced, FORCED, pick)
    last = np.where(forced, options[FORCED], claim)
    third = CHANCES @ last
    second_roll, choose_second = best_of(claim[CAME], pick[CAME], third, KEEPS_SECOND)
    second_roll[LAST_DIE], choose_second[LAST_DIE] = last[CAME[LAST_DIE]], end[CAME[LAST_DIE]]
    second = expect_second(second_roll)
    first_roll, choose_first = best_of(claim[CAME_FIRST], pick[CAME_FIRST], second, KEEPS_FIRST)
    worth = CHANCES[0, CAME_FIRST] @ first_roll
    return Solved(worth, claim, third, second, end, choose_first, choose_second)


def expect_second(rolls: Floats) -> Floats:
    """Average the second rolls beside each part; with no die aside there is none."""
    sums = np.add.reduceat((CHANCE * rolls)[BY_ASIDE], GROUPS, axis=0)
    return np.concatenate([np.full((1, rolls.shape[1]), NEVER), sums])


def best_claims(options: Floats) -> tuple[Ints, Floats]:
    """Find the best claim of each whole and its worth."""
    ways = options[CLAIMS]
    which = ways.argmax(axis=1)
    pick = CLAIMS[np.arange(len(CLAIMS))[:, None], which]
    return pick, np.take_along_axis(ways, which[:, None], axis=1)[:, 0]


def best_of(best: Floats, choice: Ints, parts: Floats, keeps: list[Ints]) -> tuple[Floats, Ints]:
    """Improve claims, in place, by what can be kept instead; at a tie claim."""
    for part in keeps:
        kept, some = parts[part], slice(len(part))
        better = kept > best[some]
        np.copyto(best[some], kept, where=better)
        np.copyto(choice[some], OPTIONS + part[:, None], where=better)
    return best, choice


def reach(solved: Solved, first: Floats, second: Floats, third: Floats) -> Floats:
    """Give the chance of each end of the turn, from chances of being somewhere in it.

    First rolls (wholes, batch), parts aside before the second and before the third roll.
    """
    ends, kept = spread(solved.choose_first, first)
    more, again = spread(solved.choose_second, CHANCE * (second + kept)[ASIDE])
    last, _ = spread(solved.end, CHANCES.T @ (third + again))
    return ends + more + last


def spread(choice: Ints, chance: Floats) -> tuple[Floats, Floats]:
    """Sum chances by what is chosen: ends of the turn, and parts kept."""
    batch = choice.shape[1]
    size = OPTIONS + len(PARTS)
    at = choice * batch + np.arange(batch)
    found: Floats = np.bincount(at.ravel(), chance.ravel(), size * batch).astype(np.float64)
    ends, kept = np.split(found.reshape(size, batch), [OPTIONS])
    return ends, kept


def ends_of(solved: Solved) -> Floats:
    """Give the chance of each end before the first roll, (OPTIONS, batch)."""
    batch = len(solved.worth)
    nothing = np.zeros((len(PARTS), batch))
    return reach(solved, np.repeat(CHANCES[0, CAME_FIRST, None], batch, axis=1), nothing, nothing)


def ends_after(solved: Solved, aside: Count, rolls_left: int) -> Floats:
    """Give the chance of each end when dice are aside and the rest is to be rolled; no batch."""
    if aside == NO_DICE:
        return ends_of(solved)[:, 0]
    at = np.zeros((len(PARTS), 1))
    at[PART[aside]] = 1
    nothing, no_first = np.zeros_like(at), np.zeros((len(WHOLES), 1))
    second, third = (at, nothing) if rolls_left == 2 else (nothing, at)
    return reach(solved, no_first, second, third)[:, 0]
