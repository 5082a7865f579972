"""How machines play: the turn solved exactly, against a value learned from self-play."""

from functools import lru_cache
from math import sqrt
from typing import Any, Final

import numpy as np
from msgspec import Struct

from tischlein.bots import doubt
from tischlein.bots.arrays import Floats, mean, total
from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.games.sushizock import rules as rules
from tischlein.games.sushizock.bots.dice import PART
from tischlein.games.sushizock.bots.memory import remember
from tischlein.games.sushizock.bots.reasons import because
from tischlein.games.sushizock.bots.search import Weighed, ahead, weigh, weigh_ends
from tischlein.games.sushizock.bots.table import Boards, Ends, board_of_state, ends, slot_of
from tischlein.games.sushizock.bots.turn import ends_after
from tischlein.games.sushizock.bots.value import value
from tischlein.games.sushizock.rules import Keep, Move, State, added, count

WORLDS: Final = 8
"""So many ways to fill the covered places are imagined by one who remembers nothing."""
TURNS: Final = 100
"""So many turns are solved ahead by one who remembers all."""
NET_DOUBT: Final = 0.013
"""What the learned value adds to the doubt of a gap (`research/sushizock_doubt.py`)."""


def hard(turn: Turn, rng: Chance) -> Answer:
    """Play well by what lies open: covered tiles are guessed afresh."""
    worlds = max(1, round(WORLDS * turn.effort))
    if not any(None in line for pile in turn.view.piles for line in (pile.sushi, pile.bones)):
        worlds = 1
    states = [rules.imagine(turn.view, rng) for _ in range(worlds)]
    looked = look_at(states)
    return answer(turn, states[0], looked.weighed, looked)


def expert(turn: Turn, rng: Chance) -> Answer:
    """Play as well as we know: remember every tile and look ahead; who was not there guesses."""
    state = remember(turn)
    if state is None:
        return hard(turn, rng)
    return answer(turn, state, weigh_state(state, turn.effort))


class Looked(Struct, frozen=True):
    """Some states that differ only in covered tiles, valued."""

    boards: Boards
    found: Ends
    worth: Floats
    """Of all seats after each end in each state, (states, ends, seats)."""
    weighed: Weighed
    """The turn solved for the average of them."""


def answer(turn: Turn, state: State, weighed: Weighed, looked: Looked | None = None) -> Answer:
    """Choose the best move, and say what each is worth."""
    worth = sorted(
        ((move, worth_of(state, weighed, move)) for move in turn.legal),
        key=lambda pair: -pair[1],
    )
    moves = [move for move, _ in worth]
    return because(turn, moves[0], tuple(worth), doubts(state, looked, moves))


def doubts(state: State, looked: Looked | None, moves: list[Any]) -> tuple[float, ...]:
    """Say how far the gaps to the first move may be off: by the value, and by what is covered."""
    if looked is None or len(looked.worth) == 1:
        return (0.0, *(NET_DOUBT for _ in moves[1:]))
    ends = looked.worth.reshape(-1, looked.worth.shape[-1])
    each = weigh_ends(looked.boards, looked.found, ends)
    tried = [worth_in_each(state, looked, each, move) for move in moves]
    gaps = [(tried[0] - other).tolist() for other in tried[1:]]
    covered = [doubt.of_pairs(some) for some in gaps]
    return (0.0, *(sqrt(NET_DOUBT * NET_DOUBT + some * some) for some in covered))


def worth_in_each(state: State, looked: Looked, each: Weighed, move: Move) -> Floats:
    """Say what a move is worth in each of some states, every turn solved by itself."""
    if isinstance(move, Keep):
        parts = each.solved.second if state.rolls_left == 2 else each.solved.third
        kept: Floats = parts[PART[added(state.aside, count(move.dice))]]
        return kept
    ended: Floats = looked.worth[:, end_of(state, looked.weighed, move), 0]
    return ended


def weigh_state(state: State, effort: float = 1.0) -> Weighed:
    """Solve the turn of a whole state, looking ahead as far as the effort allows."""
    board = board_of_state(state)
    return weigh_board(tuple(board.ravel().tolist()), len(board), TURNS * effort)


@lru_cache(64)  # a turn asks several times for the same
def weigh_board(board: tuple[int, ...], lines: int, turns: float) -> Weighed:
    """Solve the turn of a board."""
    boards = np.array(board, np.int64).reshape(1, lines, -1)
    return weigh(boards, ahead(value, turns))


def look_at(states: list[State]) -> Looked:
    """Solve the turn for the average of some states that differ only in covered tiles."""
    boards = np.array([board_of_state(state) for state in states])
    found = ends(boards)
    worth = np.roll(value(found.boards), 1, axis=1)
    worth = worth.reshape(len(states), -1, worth.shape[1])
    average = mean(worth, 0)
    alike = slice(len(average))  # all worlds have the same ends
    first = Ends(found.position[alike], found.slot[alike], found.boards[alike])
    return Looked(boards, found, worth, weigh_ends(boards[:1], first, average))


def worth_of(state: State, weighed: Weighed, move: Move) -> float:
    """Say what a move is worth to the player who makes it."""
    if isinstance(move, Keep):
        parts = weighed.solved.second if state.rolls_left == 2 else weighed.solved.third
        return float(parts[PART[added(state.aside, count(move.dice))], 0])
    return float(weighed.worth[end_of(state, weighed, move), 0])


def end_of(state: State, weighed: Weighed, move: Move) -> int:
    """Find the end of the turn that a claim is."""
    whole = added(state.aside, state.rolled or rules.NO_DICE)
    slot = slot_of(state.seats, state.turn or 0, whole, move)
    return int(np.searchsorted(weighed.found.slot, slot))


def shares_after(state: State, weighed: Weighed, move: Move) -> Floats:
    """Give all seats' shares after a move, the player who makes it first."""
    if isinstance(move, Keep):
        return before_roll(weighed, added(state.aside, count(move.dice)), state.rolls_left)
    found: Floats = weighed.worth[end_of(state, weighed, move)]
    return found


def before_roll(weighed: Weighed, aside: rules.Count, rolls_left: int) -> Floats:
    """Give all seats' shares when the rest of the dice is to be rolled."""
    chance = ends_after(weighed.solved, aside, rolls_left)
    best = weighed.best[:, 0]
    worth: Floats = np.where(best[:, None] < 0, 0.0, weighed.worth[best])
    return total(chance[:, None] * worth, 0)


def appraise(state: State) -> tuple[float, ...]:
    """Give each seat's expected share of the win, anywhere in a turn, when all play well."""
    if state.turn is None:
        return (1 / state.seats,) * state.seats
    if rules.is_over(state):
        won = rules.winners(state)
        return tuple((seat in won) / len(won) for seat in range(state.seats))
    return tuple(np.roll(shares_in(state, weigh_state(state)), state.turn).tolist())


def shares_in(state: State, weighed: Weighed) -> Floats:
    """Give all seats' shares anywhere in a turn that is solved, the player who moves first."""
    if state.rolled is None:
        return before_roll(weighed, state.aside, state.rolls_left)
    moves = rules.legal(state, state.turn or 0)
    best = max(moves, key=lambda move: worth_of(state, weighed, move))
    return shares_after(state, weighed, best)
