"""How far the expert's gaps between moves may be off in Sushizock: `NET_DOUBT` of its machines.

It is asked about positions of games among medium bots, once as usual and once looking ahead thirty
times as far. Of the gaps to the best move that matter, nineteen of twenty change by less than this.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tischlein import game_named
from tischlein.bots import Answer, bot_named, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.lab.simulate import ask_bots, play_game

FARTHER: Final = 30
MATTERS: Final = 0.1
"""Gaps larger than this are mistakes, however far they are off."""
EVERY: Final = 4
"""Of so many moves one is looked at."""


def changes(seats: int, seed: str) -> Iterator[float]:
    """Give by how much the gaps of a game change when the expert looks farther."""
    rules = game_named("sushizock")
    bots = [bot_named(rules, "medium")] * seats
    game = play_game(rules, ask_bots(bots), ["medium"] * seats, {}, seed)
    for number in range(0, len(game.moves), EVERY):
        by, _ = game.moves[number]
        if by != NATURE:
            turn = turn_of(rules, game.states[number], game.moves[:number], int(by))
            usual, far = (
                bot_named(rules, name)(turn, Quick(1)) for name in ("expert", f"expert*{FARTHER}")
            )
            yield from compare(usual, far)


def compare(usual: Answer, far: Answer) -> Iterator[float]:
    """Compare the gaps to the move that is usually best."""
    worth = dict(far.worth)
    best, share = usual.worth[0]
    for move, other in usual.worth[1:]:
        if share - other < MATTERS:
            yield (share - other) - (worth[best] - worth[move])


def main(games: int = 4) -> None:
    """Print how far nineteen of twenty gaps are off at most."""
    for seats in game_named("sushizock").SEATS:
        found = [abs(one) for game in range(games) for one in changes(seats, f"doubt {game}")]
        print(seats, len(found), round(float(np.quantile(found, 0.95)), 4))


if __name__ == "__main__":
    main()
