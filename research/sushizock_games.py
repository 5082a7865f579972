"""Many games of Sushizock at once, turn by turn: the machines see all, the dice are solved."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tischlein.bots.arrays import Floats, Ints
from tischlein.games.sushizock.bots import table
from tischlein.games.sushizock.bots.search import Valuer, Weighed, weigh
from tischlein.games.sushizock.bots.table import Boards
from tischlein.games.sushizock.rules import BONES, SUSHI

Chance = np.random.Generator


def deal(seats: int, games: int, rng: Chance) -> Boards:
    """Lay out fresh tables; the first seat moves."""
    boards = np.zeros((games, 2 + 2 * seats, table.PLACES), np.int64)
    for row, tiles in enumerate((SUSHI, BONES)):
        boards[:, row] = rng.permuted(np.tile(np.array(tiles, np.int64), (games, 1)), axis=1)
    return boards


def draw_ends(weighed: Weighed, rng: Chance) -> Ints:
    """Draw for each position how its turn ends."""
    running = weighed.chance.cumsum(axis=0)
    lot = rng.random(running.shape[1]) * running[-1]
    option = (running < lot).sum(axis=0)
    found: Ints = weighed.best[option, np.arange(len(option))]
    return found


def play_out(
    boards: Boards, players: Sequence[Valuer], seating: NDArray[np.intp], rng: Chance
) -> Floats:
    """Play games to their ends; `seating` names the player in each seat; give their shares."""
    games, seats = seating.shape
    result = np.zeros((games, seats))
    mover = np.zeros(games, np.intp)
    alive = np.arange(games)
    while len(alive):
        who = seating[alive, mover[alive]]
        after = boards[alive]
        for player, valuer in enumerate(players):
            mine = alive[who == player]
            if len(mine):
                weighed = weigh(boards[mine], valuer)
                after[who == player] = weighed.found.boards[draw_ends(weighed, rng)]
        boards[alive] = after
        mover[alive] = (mover[alive] + 1) % seats
        over = table.is_over(after)
        for game in alive[over]:
            result[game] = np.roll(table.shares(boards[game][None])[0], mover[game])
        alive = alive[~over]
    return result
