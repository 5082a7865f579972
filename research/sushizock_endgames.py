"""Endgames with few tiles solved outright: all positions that can follow, until nothing changes.

Steals can go round in circles, so the values are iterated on the whole set of positions.
"""

import numpy as np
from msgspec import Struct

from tischlein.bots.arrays import Floats
from tischlein.games.sushizock.bots.search import weigh
from tischlein.games.sushizock.bots.table import Boards, ends, is_over, seats_of, shares


class Unsolved(Exception):
    """Too many positions can follow."""


class Endgame(Struct, frozen=True):
    """All positions that can follow one another, with the exact shares of all seats."""

    boards: Boards
    shares: Floats
    at: dict[bytes, int]

    def value(self, boards: Boards) -> Floats:
        """Give the shares of positions of this endgame."""
        return self.shares[[self.at[board.tobytes()] for board in boards]]


def following(board: Boards, most: int) -> Boards:
    """List all positions that can follow one, itself the first."""
    found = board[None]
    known = {board.tobytes()}
    front = found
    while len(front):
        going_on = front[~is_over(front)]
        after = np.unique(ends(going_on).boards, axis=0) if len(going_on) else going_on
        front = np.array([one for one in after if one.tobytes() not in known], np.int64)
        known |= {one.tobytes() for one in front}
        if len(known) > most:
            raise Unsolved(f"more than {most} positions can follow")
        if len(front):
            found = np.concatenate([found, front])
    return found


def solve_endgame(board: Boards, most: int = 20_000, close: float = 3e-11) -> Endgame:
    """Solve an endgame, everybody playing for their own share, to two steps of their grid."""
    boards = following(board, most)
    over = is_over(boards)
    values = np.full((len(boards), seats_of(boards)), 1 / seats_of(boards))
    values[over] = shares(boards[over])
    game = Endgame(boards, values, {one.tobytes(): at for at, one in enumerate(boards)})
    change = 1.0
    while change > close:
        better = weigh(boards[~over], game.value).shares
        change = float(np.abs(better - values[~over]).max())
        values[~over] = better
    return game
