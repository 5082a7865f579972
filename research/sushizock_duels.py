"""One bot of a kind among bots of another: how often does it win, and how long does it think?"""

import sys
from collections.abc import Sequence
from math import sqrt
from time import perf_counter

from msgspec import Struct

from tischlein.bots import Bot, bot_named, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE, By
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.rules import Move, State


class Duel(Struct, frozen=True):
    """What one bot won among others; `fair` is what it would win if all were equal."""

    one: str
    others: str
    seats: int
    games: int
    share: float
    error: float
    fair: float


def play(bots: Sequence[Bot], seed: str) -> tuple[State, list[tuple[By, Move]]]:
    """Play a game; the dice follow from the seed and the number of the move alone."""
    state, moves = sushizock.start(len(bots)), list[tuple[By, Move]]()
    while movers := sushizock.to_move(state):
        chance, by = Quick(f"{seed}/{len(moves)}"), movers[0]
        if by == NATURE:
            move = sushizock.draw(state, chance)
        else:
            answer = bots[int(by)](turn_of(sushizock, state, moves, int(by)), chance)
            assert answer.move is not None  # nobody passes here
            move = answer.move
        state = sushizock.play(state, by, move)
        moves.append((by, move))
    return state, moves


def duel(one: str, others: str, seats: int, games: int, seed: str = "duel") -> Duel:
    """Let one bot play among others, each deal in every seat; deals are the unit of the error."""
    first, rest = bot_named(sushizock, one), bot_named(sushizock, others)
    deals = games // seats
    shares = [
        sum(share_of(first, rest, seat, seats, f"{seed}/{deal}") for seat in range(seats)) / seats
        for deal in range(deals)
    ]
    mean = sum(shares) / deals
    error = sqrt(sum((share - mean) ** 2 for share in shares) / (deals - 1) / deals)
    return Duel(one, others, seats, deals * seats, mean, error, 1 / seats)


def share_of(first: Bot, rest: Bot, seat: int, seats: int, seed: str) -> float:
    """Give what a bot wins in one game from its seat."""
    bots = [first if at == seat else rest for at in range(seats)]
    won = sushizock.winners(play(bots, seed)[0])
    return (seat in won) / len(won)


if __name__ == "__main__":
    began = perf_counter()
    found = duel(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    title = f"{found.one} among {found.others}, {found.seats} seats, {found.games} games"
    times = found.share / found.fair
    print(f"{title}: {found.share:.3f} ± {found.error:.3f}, {times:.2f} times its fair share")
    print(f"{perf_counter() - began:.0f} s")
