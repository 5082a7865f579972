"""The batch engine beside `tischlein.games`: the same games, every state, legal set and score.

The batch engine plays at random; its games are then played again by the rules, with the deals,
rolls and draws that it came upon. Run: `python -m tests.batch.differential [--games 10000]
[--keep]`; the first difference ends it.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from bench.results import keep
from jax import Array
from msgspec import UNSET
from msgspec.structs import replace

from tischlein import batch
from tischlein.batch import decoder
from tischlein.batch.engine import Core, States, at_random
from tischlein.game import NATURE, without
from tischlein.games import game_named
from tischlein.games.buffet import rules as buffet
from tischlein.games.kakerlaken import batch as kakerlaken_core
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.sushizock import rules as sushizock

MOST_LANES = 200
STEPS = 64
QUICK_TO_COMPILE: Any = {"xla_backend_optimization_level": 0}


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


@partial(jax.jit, static_argnums=(0, 1, 2), compiler_options=QUICK_TO_COMPILE)
def play_some(
    core: Core, steps: int, free: bool, states: States, key: Array
) -> tuple[States, dict[str, Array]]:
    """Play at random and keep everything: by `random_step`, or freely any action of the mask."""
    engine, seats = batch.game(core.NAME), states.seats

    def one(states: States, key: Array) -> tuple[States, dict[str, Array]]:
        legal, now = engine.legal(states), engine.scores(states)
        if free:
            what, when = jax.random.split(key)
            chosen = at_random(what, now, legal)
            if core is kakerlaken_core:  # few times, so that many are equal or on the edge
                times = jax.random.randint(when, chosen.shape, 0, 17) * 250
                chosen |= times + 1 << kakerlaken_core.WHEN
            after, ended = engine.step(states, chosen)
        else:
            chosen = core.chosen(states.lanes, seats)
            after, ended = engine.random_step(states)
        kept = {
            "words": jnp.stack(jax.tree.leaves(core.settled(states.lanes, seats)), -1),
            "legal": legal,
            "chosen": chosen,
            "scores": jnp.where(ended.over[:, None], ended.scores, now),
            "shares": ended.shares,
            "over": ended.over,
        }
        return after, kept

    return jax.lax.scan(one, states, jax.random.split(key, steps))


def games_of(name: str, seats: int, seed: int, n: int, free: bool) -> Iterator[list[Step]]:
    """Play n games or a few more."""
    engine, key = batch.game(name), jax.random.key(seed)
    lanes = min(n, MOST_LANES)
    states = engine.init(key, lanes, seats)
    open_games: list[list[Step]] = [[] for _ in range(lanes)]
    done = 0
    while done < n:
        key, now = jax.random.split(key)
        states, kept = play_some(engine.core, STEPS, free, states, now)
        words, scores, shares = (
            np.asarray(kept[part]).tolist() for part in ("words", "scores", "shares")
        )
        legal, chosen, over = (np.asarray(kept[part]) for part in ("legal", "chosen", "over"))
        for lane in range(lanes):
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
    rules = game_named(name)
    decode = decoder(name)
    states = [decode.state_of(step.words, seats) for step in steps]
    read = decode.move_of
    moves = [read(step.action, state) for step, state in zip(steps, states, strict=True)]
    replay: Replay = REPLAYS[name](seats, states, moves)
    state = rules.start(seats)
    for at, step in enumerate(steps):
        while rules.to_move(state) == (NATURE,):
            state = rules.play(state, NATURE, replay.nature(state, at))
        assert replay.comparable(states[at]) == replay.comparable(state), (at, states[at], state)
        allowed = {replay.shape(read(action, states[at])) for action in step.legal}
        assert len(allowed) == len(step.legal)
        expected = {replay.shape(move) for move in rules.legal(state, replay.mover(at))}
        assert allowed - replay.waiting == expected, (at, state)
        what = step.action & 31 if name == "kakerlaken" else step.action
        assert what in step.legal, (at, step.action, step.legal)
        if step.shares is None:
            assert tuple(step.scores) == rules.scores(state), (at, step.scores)
        state = replay.play(rules, state, at)
    assert rules.to_move(state) == ()
    assert tuple(steps[-1].scores) == rules.scores(state)
    shares = steps[-1].shares or ()
    assert tuple(seat for seat in range(seats) if shares[seat] > 0) == rules.winners(state)
    assert abs(sum(shares) - 1) < 1e-6
    return len(steps)


class Replay:
    """How the moves of nature are found again, and what of a state is compared."""

    waiting: frozenset[Any] = frozenset()
    """Moves that the batch engine has and the rules do not list."""

    def __init__(self, seats: int, states: list[Any], moves: list[Any]) -> None:
        self.seats, self.states, self.moves = seats, states, moves

    def nature(self, state: Any, at: int) -> Any:
        """Give the move of nature that leads to decision `at`."""

    def comparable(self, state: Any) -> Any:
        """Give what can be compared of a state."""
        return state

    def mover(self, at: int) -> int:
        """Say who decides."""
        raise NotImplementedError

    def shape(self, move: Any) -> Any:
        """Give what can be compared of a move."""
        return move

    def play(self, rules: Any, state: Any, at: int) -> Any:
        """Play the move of decision `at`."""
        return rules.play(state, self.mover(at), self.moves[at])


class SushizockReplay(Replay):
    """Sushizock: everything can be seen in the next state."""

    def nature(self, state: sushizock.State, at: int) -> Any:
        """Give the deal or the roll."""
        after = self.states[at]
        if state.turn is None:
            return sushizock.Deal(after.sushi, after.bones, after.turn)
        return sushizock.Roll(sushizock.faces(after.rolled))

    def mover(self, at: int) -> int:
        """Say whose turn it is."""
        return int(self.states[at].turn)


class BuffetReplay(Replay):
    """Buffet: the order of the cards is that in which they will be drawn."""

    def __init__(self, seats: int, states: list[Any], moves: list[Any]) -> None:
        super().__init__(seats, states, moves)
        first = states[0]
        self.decks = [[card for hand in first.hands for card in hand]]
        for before, move, after in zip(states, moves, states[1:], strict=False):
            self.draw(before, move, after)
        self.shuffles = 0
        starts = [s for s, before in zip(states, [None, *states], strict=False)
                  if before is None or s.round != before.round]  # fmt: skip
        self.plates = [plate for start in starts for plate in start.buffet]

    def draw(self, before: buffet.State, move: Any, after: buffet.State) -> None:
        """Write down what was drawn between two decisions, seat by seat."""
        old, shuffled = list(before.stock), False
        first = before.exchanging if before.exchanging is not None else after.token or 0
        for seat in [(first + at) % self.seats for at in range(self.seats)]:
            held = list(before.hands[seat])
            if seat == self.mover_of(before):
                held = without(held, [move.card] if isinstance(move, buffet.Play) else move.cards)
            drawn = without(after.hands[seat], held)
            if not shuffled and len(drawn) > len(old):
                self.decks[-1] += old
                drawn, shuffled = without(drawn, old), True
                self.decks.append([])
            self.decks[-1] += drawn
            old = [] if shuffled else without(old, drawn)

    def nature(self, state: buffet.State, at: int) -> Any:
        """Give the deal or the shuffle."""
        deck = self.decks[self.shuffles]
        self.shuffles += 1
        if state.token is not None:
            return buffet.Shuffle((*deck, *without([card for card, _ in state.discard], deck)))
        plates = (*self.plates, *without(buffet.all_plates(state.options), self.plates))
        cards = (*deck, *without(buffet.CARDS, deck))
        return buffet.Deal(cards, plates, self.states[0].token)

    def mover_of(self, state: buffet.State) -> int:
        """Say who decides: from the token clockwise, the first who has not laid a card."""
        if state.exchanging is not None:
            return state.exchanging
        return next(s for s in buffet.clockwise(state.token, state.inside) if s in state.movers)

    def mover(self, at: int) -> int:
        """Say who decides."""
        return self.mover_of(self.states[at])

    def comparable(self, state: buffet.State) -> Any:
        """Leave out what no rule asks for, and order."""
        last_round = len(state.plates) < buffet.buffet_size(self.seats)
        plates = () if last_round else sorted(state.plates)
        tops = [tuple(stack[-1:] for stack in stacks) for stacks in state.stacks]
        return (
            *(state.token, state.round, state.part, plates, state.buffet, tops),
            *(sorted(state.stock), sorted(state.discard), state.hands, state.at, state.inside),
            *(state.movers, state.played, state.exchanging, state.over),
        )


class KakerlakenReplay(Replay):
    """Kakerlaken Sushi: deeds carry their times, and the clock ends a race in which some wait."""

    waiting = frozenset([None])

    def nature(self, state: kakerlaken.State, at: int) -> Any:
        """Give the deal or the roll."""
        after = self.states[at]
        if not state.circle:
            return kakerlaken.Deal(after.circle, after.roller)
        return kakerlaken.Roll(*after.roll)

    def mover(self, at: int) -> int:
        """Say who decides."""
        return int(self.states[at].movers[0])

    def shape(self, move: Any) -> Any:
        """Leave out when."""
        return replace(move, at=UNSET) if hasattr(move, "at") else move

    def comparable(self, state: kakerlaken.State) -> Any:
        """Leave out the last race, and who else may move at the same time."""
        return replace(state, last=None, movers=())

    def play(self, rules: Any, state: Any, at: int) -> Any:
        """Play the move, or wait; when all have decided the time is up."""
        seat, move = self.mover(at), self.moves[at]
        after = state if move is None else rules.play(state, seat, move)
        all_decided = seat == self.seats - 1 and not isinstance(move, kakerlaken.Grab)
        if all_decided and after.roll is not None:
            return rules.play(after, NATURE, kakerlaken.TIME)
        return after


REPLAYS: Any = {
    "buffet": BuffetReplay,
    "kakerlaken": KakerlakenReplay,
    "sushizock": SushizockReplay,
}


def compare(name: str, seats: int, seed: int, games: int, free: bool) -> tuple[int, int]:
    """Compare some games, and count them and their decisions."""
    played = decisions = 0
    for steps in games_of(name, seats, seed, games, free):
        decisions += check(name, seats, steps)
        played += 1
    return played, decisions


def main() -> None:
    """Compare many games of every kind and number of seats, half of each by `random_step`."""
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--game", choices=batch.games(), help="only this one")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", action="store_true")
    given = options.parse_args()
    rows = ["| game | seats | games | decisions compared | differences |", "|---|--:|--:|--:|--:|"]
    for name in [given.game] if given.game else batch.games():
        for seats in batch.game(name).core.SEATS:
            halves = [
                compare(name, seats, given.seed + free, given.games // 2, free)
                for free in (False, True)
            ]
            games, decisions = (sum(numbers) for numbers in zip(*halves, strict=True))
            rows.append(f"| {name} | {seats} | {games:,} | {decisions:,} | 0 |")
            print(rows[-1], flush=True)
    keep("Batch: every state, legal set and score beside the rules", rows, given.keep)


if __name__ == "__main__":
    main()
