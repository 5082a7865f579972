"""A whole turn solved exactly: three rolls, all ways to keep, for many positions at once.

All that the solver is told is what each end of the turn is worth to the player who moves.
"""

from typing import Final

import numpy as np
from msgspec import Struct

from tischlein.bots.arrays import Floats, Ints, on_grid
from tischlein.games.sushizock.bots.dice import (
    ASIDE,
    BY_ASIDE,
    CAME,
    CAME_FIRST,
    CAME_IN,
    CLAIMS,
    FORCED,
    GROUPS,
    KEEPS_FIRST,
    KEEPS_SECOND,
    LAST_DIE,
    OPTIONS,
    PART,
    PARTS,
    ROLLS,
    WAYS,
    WHOLES,
)
from tischlein.games.sushizock.rules import NO_DICE, Count

NEVER: Final = -4.0
"""What an option is worth that the position does not have."""
PAIRS: Final = ROLLS * ROLLS


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
    """Solve the turn for the worth of its ends, (OPTIONS, batch); NEVER where there is none.

    Worths lie on the grid of shares, chances are counted in rolls: so all sums are exact.
    """
    options = on_grid(options)
    pick, claim = best_claims(options)
    forced = claim <= NEVER
    end = np.where(forced, FORCED, pick)
    last = np.where(forced, options[FORCED], claim)
    third = on_grid(WAYS @ last / ROLLS)
    second_roll, choose_second = best_of(claim[CAME], pick[CAME], third, KEEPS_SECOND)
    second_roll[LAST_DIE], choose_second[LAST_DIE] = last[CAME[LAST_DIE]], end[CAME[LAST_DIE]]
    second = expect_second(second_roll)
    first_roll, choose_first = best_of(claim[CAME_FIRST], pick[CAME_FIRST], second, KEEPS_FIRST)
    worth = on_grid(WAYS[0, CAME_FIRST] @ first_roll / ROLLS)
    return Solved(worth, claim, third, second, end, choose_first, choose_second)


def expect_second(rolls: Floats) -> Floats:
    """Average the second rolls beside each part; with no die aside there is none."""
    sums = np.add.reduceat((CAME_IN * rolls)[BY_ASIDE], GROUPS, axis=0)
    return np.concatenate([np.full((1, rolls.shape[1]), NEVER), on_grid(sums / ROLLS)])


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
        best[some] = np.maximum(best[some], kept)
        choice[some] = np.where(better, OPTIONS + part[:, None], choice[some])
    return best, choice


def reach(solved: Solved, first: Floats, second: Floats, third: Floats) -> Floats:
    """Give the chance of each end of the turn, from chances of being somewhere in it.

    First rolls (wholes, batch) and parts aside before the second roll are counted in rolls, parts
    before the third in pairs of rolls, and ends in threes: whole numbers all, and their sums exact.
    """
    ends, kept = spread(solved.choose_first, first)
    more, again = spread(solved.choose_second, CAME_IN * (second + kept)[ASIDE])
    last, _ = spread(solved.end, WAYS.T @ (third + again))
    return (ends * PAIRS + more * ROLLS + last) / (PAIRS * ROLLS)


def spread(choice: Ints, chance: Floats) -> tuple[Floats, Floats]:
    """Sum chances by what is chosen: ends of the turn, and parts kept."""
    batch = choice.shape[1]
    size = OPTIONS + len(PARTS)
    at = choice * batch + np.arange(batch)
    sums: Floats = np.bincount(at.ravel(), chance.ravel(), size * batch).astype(np.float64)
    found = sums.reshape(size, batch)
    return found[:OPTIONS], found[OPTIONS:]


def ends_of(solved: Solved) -> Floats:
    """Give the chance of each end before the first roll, (OPTIONS, batch)."""
    batch = len(solved.worth)
    nothing = np.zeros((len(PARTS), batch))
    return reach(solved, np.repeat(WAYS[0, CAME_FIRST][:, None], batch, axis=1), nothing, nothing)


def ends_after(solved: Solved, aside: Count, rolls_left: int) -> Floats:
    """Give the chance of each end when dice are aside and the rest is to be rolled; no batch."""
    if aside == NO_DICE:
        return ends_of(solved)[:, 0]
    nothing, no_first = np.zeros((len(PARTS), 1)), np.zeros((len(WHOLES), 1))
    at = nothing.copy()
    at[PART[aside]] = ROLLS if rolls_left == 2 else PAIRS
    second, third = (at, nothing) if rolls_left == 2 else (nothing, at)
    return reach(solved, no_first, second, third)[:, 0]
