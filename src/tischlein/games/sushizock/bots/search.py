"""What a turn is worth to every seat: the ends of the turn valued, the turn solved, and deeper."""

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from tischlein.bots.arrays import Floats, Ints, on_grid, total
from tischlein.games.sushizock.bots.dice import OPTIONS, STEAL
from tischlein.games.sushizock.bots.table import (
    Boards,
    Ends,
    ends,
    is_over,
    prints,
    seats_of,
    shares,
    slots,
)
from tischlein.games.sushizock.bots.turn import NEVER, Solved, ends_of, solve

DEEPEST: Final = 40
"""So many turns ahead are enough: nobody steals on and on for longer, only by rare luck."""

Valuer = Callable[[Boards], Floats]
"""Gives the shares of all seats, from the one who moves on."""


class Weighed(Struct, frozen=True):
    """A batch of positions whose turns are solved."""

    shares: Floats
    """Of all seats before the turn, (batch, seats)."""
    found: Ends
    worth: Floats
    """Of all seats after each end, seen by the seat that moved."""
    solved: Solved
    best: Ints
    """Which end stands for each option, (OPTIONS, batch); -1 is none."""
    chance: Floats
    """Of each option, (OPTIONS, batch)."""


def weigh(boards: Boards, valuer: Valuer) -> Weighed:
    """Solve the turn of each board; everybody wants the most for themselves."""
    found = ends(boards)
    worth = np.roll(valuer(found.boards), 1, axis=1)
    return weigh_ends(boards, found, worth)


def weigh_ends(boards: Boards, found: Ends, worth: Floats) -> Weighed:
    """Solve the turn of each board when its ends are valued."""
    best, options = best_ends(boards, found, worth[:, 0])
    solved = solve(options)
    chance = ends_of(solved)
    values = np.where(best[:, :, None] < 0, 0.0, worth[best])
    shares = on_grid(total(chance[:, :, None] * values, 0))
    return Weighed(shares, found, worth, solved, best, chance)


def best_ends(boards: Boards, found: Ends, mine: Floats) -> tuple[Ints, Floats]:
    """Choose the best end for each option of the turn."""
    many = len(boards)
    option = slots(seats_of(boards)).option[found.slot]
    best = np.full((OPTIONS, many), -1)
    options = np.full((OPTIONS, many), NEVER)
    order = np.argsort(mine, kind="stable")  # the best comes last and stays
    best[option[order], found.position[order]] = order
    at = best >= 0
    options[at] = mine[best[at]]
    for pile in ("sushi", "bones"):  # who may steal any tile may steal a top one
        top, deep = STEAL[pile, False], STEAL[pile, True]
        better = options[top] >= options[deep]
        options[deep], best[deep] = (
            np.where(better, options[top], options[deep]),
            np.where(better, best[top], best[deep]),
        )
    return best, options


def ahead(valuer: Valuer, turns: float, deepest: int = DEEPEST) -> Valuer:
    """Value positions by solving their turns first, and so on while there are not too many."""

    def look(boards: Boards) -> Floats:
        _, first, back = np.unique(prints(boards), return_index=True, return_inverse=True)
        different = boards[first]
        over = is_over(different)
        going_on = different[~over]
        if len(going_on) > turns or not deepest:
            return valuer(boards)
        found = np.empty((len(different), seats_of(boards)))
        found[over] = shares(different[over])
        if len(going_on):
            found[~over] = weigh(going_on, ahead(valuer, turns - len(going_on), deepest - 1)).shares
        return found[back]

    return look
