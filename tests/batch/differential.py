"""The batch engine beside `tischlein.rules`: the same games, every state, legal set and score.

The batch engine plays at random; its games are then played again by the rules, with the deals,
rolls and draws that it came upon. Run: `python -m tests.batch.differential [--games 10000]`.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from tischlein import batch
from tischlein.batch import decode
from tischlein.batch.engine import Core, States
from tischlein.rules import NATURE, game_named

LANES = 100
STEPS = 64


@dataclass
class Step:
    """A decision of one game: the position as rules, what was legal, what was done."""

    words: Sequence[int]
    legal: Sequence[int]
    action: int
    scores: Sequence[int]
    """The points before this decision, or after it if it ended the game."""
    shares: Sequence[float] | None
    """Who won, if this decision ended the game."""


@partial(jax.jit, static_argnums=(0, 1))
def play_some(core: Core, steps: int, states: States) -> tuple[States, dict[str, Array]]:
    """Play at random and keep everything; the chosen action is found by its move."""
    engine, seats = batch.game(core.NAME), states.seats

    def one(states: States, _: None) -> tuple[States, dict[str, Array]]:
        legal, now = engine.legal(states), engine.scores(states)
        after, ended = engine.random_step(states)
        chosen = core.chosen(states.lanes, seats)  # type: ignore[attr-defined]
        kept = {
            "words": jnp.stack(states.lanes, -1),
            "legal": legal,
            "chosen": chosen,
            "scores": jnp.where(ended.over[:, None], ended.scores, now),
            "shares": ended.shares,
            "over": ended.over,
        }
        return after, kept

    return jax.lax.scan(one, states, length=steps)


def games_of(name: str, seats: int, seed: int, n: int) -> Iterator[list[Step]]:
    """Play n games or a few more."""
    engine = batch.game(name)
    states = engine.init(jax.random.key(seed), LANES, seats)
    open_games: list[list[Step]] = [[] for _ in range(LANES)]
    done = 0
    while done < n:
        states, kept = play_some(engine.core, STEPS, states)
        words, scores, shares = (
            np.asarray(kept[k]).tolist() for k in ("words", "scores", "shares")
        )
        legal, chosen, over = (np.asarray(kept[k]) for k in ("legal", "chosen", "over"))
        for lane in range(LANES):
            for at in range(STEPS):
                allowed = np.flatnonzero(legal[at, lane]).tolist()
                ended = bool(over[at, lane])
                result = shares[at][lane] if ended else None
                action = int(chosen[at, lane])
                step = Step(words[at][lane], allowed, action, scores[at][lane], result)
                open_games[lane].append(step)
                if ended:
                    yield open_games[lane]
                    open_games[lane] = []
                    done += 1


def check(name: str, seats: int, steps: list[Step]) -> int:
    """Play one game again by the rules and compare."""
    rules, replay = game_named(name), REPLAYS[name](seats, steps)
    read_state, read_move = decode.STATES[name], decode.MOVES[name]
    state = rules.start(seats)
    for at, step in enumerate(steps):
        while rules.to_move(state)[-1] == NATURE and (move := replay.nature(state, at)):
            state = rules.play(state, NATURE, move)
        found = read_state(step.words, seats)
        assert replay.comparable(found) == replay.comparable(state), (at, found, state)
        seat = replay.mover(at)
        allowed = {replay.shape(read_move(action, found)) for action in step.legal}
        assert len(allowed) == len(step.legal)
        assert allowed - replay.waiting == {replay.shape(m) for m in rules.legal(state, seat)}
        assert step.action in step.legal, (at, step.action, step.legal)
        if step.shares is None:
            assert tuple(step.scores) == rules.scores(state), (at, step.scores)
        state = replay.play(rules, state, seat, read_move(step.action, found), at)
    while rules.to_move(state)[-1:] == (NATURE,) and (move := replay.nature(state, len(steps))):
        state = rules.play(state, NATURE, move)
    assert rules.to_move(state) == ()
    assert tuple(steps[-1].scores) == rules.scores(state)
    shares = steps[-1].shares or ()
    assert tuple(seat for seat in range(seats) if shares[seat] > 0) == rules.winners(state)
    assert abs(sum(shares) - 1) < 1e-6
    return len(steps)


class Replay:
    """How a kind of game is played again; this one suits Sushizock."""

    waiting: frozenset[Any] = frozenset()

    def __init__(self, seats: int, steps: list[Step]) -> None:
        self.steps = steps
        self.states = [decode.sushizock_state(step.words, seats) for step in steps]

    def nature(self, state: Any, at: int) -> Any:
        """Give the deal or the roll that the batch engine came upon."""
        from tischlein.rules import sushizock

        if at == len(self.states):
            return None
        after = self.states[at]
        if state.turn is None:
            return sushizock.Deal(after.sushi, after.bones, after.turn or 0)
        return sushizock.Roll(sushizock.faces(after.rolled or sushizock.NO_DICE))

    def comparable(self, state: Any) -> Any:
        """Give what can be compared of a state: here all of it."""
        return state

    def mover(self, at: int) -> int:
        """Say who decides."""
        return self.states[at].turn or 0

    def shape(self, move: Any) -> Any:
        """Give what can be compared of a move."""
        return move

    def play(self, rules: Any, state: Any, seat: int, move: Any, at: int) -> Any:
        """Play the move."""
        return rules.play(state, seat, move)


REPLAYS: Any = {"sushizock": Replay}


def compare(name: str, seats: int, seed: int, games: int) -> tuple[int, int]:
    """Compare some games, and count them and their decisions."""
    played = decisions = 0
    for steps in games_of(name, seats, seed, games):
        decisions += check(name, seats, steps)
        played += 1
    return played, decisions


if __name__ == "__main__":
    name, seats, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    start = perf_counter()
    print(name, seats, compare(name, seats, 1, games), perf_counter() - start)
