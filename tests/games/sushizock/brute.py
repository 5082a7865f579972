"""A turn of Sushizock by plain enumeration with the rules alone, against the bots' tables.

`python -m tests.games.sushizock.brute 5000` compares so many positions.
"""

import hashlib
import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.bots.machines import shares_in, worth_of
from tischlein.games.sushizock.bots.search import weigh
from tischlein.games.sushizock.bots.table import Boards, board_of_state
from tischlein.games.sushizock.rules import NO_DICE, Keep, State

Shares = tuple[float, ...]
Leaf = Callable[[State], Shares]


def random_states(seats: int, seed: str) -> list[State]:
    """List the states of a game in which everybody does anything."""
    rng, state, found = Quick(seed), sushizock.start(seats), []
    while movers := sushizock.to_move(state):
        if movers[0] == NATURE:
            move = sushizock.draw(state, rng)
        else:
            legal = sushizock.legal(state, int(movers[0]))
            move = legal[rng.below(len(legal))]
        state = sushizock.play(state, movers[0], move)
        found.append(state)
    return found


def brute(state: State, leaf: Leaf, known: dict[State, Shares]) -> Shares:
    """Give all seats' expectation when the player of this turn does the best, by recursion."""
    if state in known:
        return known[state]
    if state.rolled is None:
        rolls = sushizock.chances(state)
        parts = [
            (float(chance), brute(sushizock.play(state, NATURE, roll), leaf, known))
            for roll, chance in rolls
        ]
        found = tuple(
            sum(chance * part[seat] for chance, part in parts) for seat in range(state.seats)
        )
    else:
        turn = state.turn or 0
        found = max(
            (move_worth(state, move, leaf, known) for move in sushizock.legal(state, turn)),
            key=lambda shares: shares[turn],
        )
    known[state] = found
    return found


def move_worth(
    state: State, move: sushizock.Move, leaf: Leaf, known: dict[State, Shares]
) -> Shares:
    """Give all seats' expectation after a move."""
    after = sushizock.play(state, state.turn or 0, move)
    return brute(after, leaf, known) if isinstance(move, Keep) else leaf(after)


def any_value(board: bytes, seats: int) -> NDArray[np.float64]:
    """Make up shares for a position that only depend on it."""
    digest = hashlib.sha256(board).digest()
    numbers = np.frombuffer(digest, np.uint32)[:seats] + 1.0
    shares: NDArray[np.float64] = numbers / numbers.sum()
    return shares


def any_values(boards: Boards) -> NDArray[np.float64]:
    """Make up shares for positions."""
    seats = boards.shape[1] // 2 - 1
    return np.array([any_value(board.tobytes(), seats) for board in boards])


def any_leaf(state: State) -> Shares:
    """Make up the same shares for a state, seat by seat."""
    mine = any_value(board_of_state(state).tobytes(), state.seats)
    return tuple(np.roll(mine, state.turn or 0).tolist())


def difference(state: State) -> float:
    """Say how far solver and enumeration differ: everybody's shares, and each legal move."""
    weighed = weigh(board_of_state(state)[None], any_values)
    turn, known = state.turn or 0, dict[State, Shares]()
    shares = np.roll(shares_in(state, weighed), turn)
    off = [np.abs(shares - brute(state, any_leaf, known)).max()]
    for move in sushizock.legal(state, turn):
        exact = move_worth(state, move, any_leaf, known)[turn]
        off.append(abs(worth_of(state, weighed, move) - exact))
    return float(max(off))


def positions(many: int, seed: str) -> list[State]:
    """Choose states of random games: mostly in a turn, a tenth before its first roll."""
    rng, found = Quick(seed), list[State]()
    while len(found) < many:
        for state in random_states(2 + rng.below(4), f"{seed}/{len(found)}"):
            fresh = state.aside == NO_DICE and state.rolled is None
            if sushizock.to_move(state) and rng.below(60 if fresh else 6) == 0:
                found.append(state)
    return found[:many]


if __name__ == "__main__":
    most = max(map(difference, positions(int(sys.argv[1]), "long")))
    print(f"{sys.argv[1]} positions: solver and enumeration differ by {most:.1e} at most")
