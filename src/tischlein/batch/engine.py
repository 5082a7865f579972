"""Many games at once: the one vocabulary in which all batch games are played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, NamedTuple, Protocol

import jax
import jax.numpy as jnp
from jax import Array, lax

from tischlein.batch import lanes as w
from tischlein.batch.lanes import Lane, Last, Layout

CHUNK: Final = 16
"""So many decisions are played before games that ended are counted: no game is shorter, so at
most one game a lane ends in a chunk."""


class Core(Protocol):
    """What a game over arrays is. Each `games/NAME/batch.py` is one."""

    NAME: str
    SEATS: range
    FEWEST: int

    def fresh(self, random: w.Random, seats: int) -> Any:
        """Start from nothing but random words."""

    def actions(self, seats: int) -> int:
        """Say how many actions there are."""

    def mover(self, lanes: Any) -> Lane:
        """Say whose turn it is."""

    def legal(self, lanes: Any, seats: int) -> Array:
        """Say of each action whether it is legal; the last axis is that of the actions."""

    def step(self, lanes: Any, seats: int, action: Lane) -> tuple[Any, Array, Last]:
        """Play the move of an action, and then nature's."""

    def random_step(self, lanes: Any, seats: int) -> tuple[Any, Array, Last]:
        """Play any legal move, each equally likely, and then nature's."""

    def chosen(self, lanes: Any, seats: int) -> Lane:
        """Say which action `random_step` will choose."""

    def settled(self, lanes: Any, seats: int) -> Any:
        """Do all that is put off until it is needed; nobody can tell the difference."""

    def last_of(self, lanes: Any) -> Last:
        """Give what is needed to count this position."""

    def scores(self, last: Last, seats: int) -> list[Array]:
        """Count the points of each seat."""

    def best(self, last: Last, points: list[Array]) -> list[Array]:
        """Say which seats win."""

    def layout(self, seats: int) -> Layout:
        """Say what stands where in an observation."""

    def observe(self, lanes: Any, seats: int, seat: Lane) -> list[Lane]:
        """Tell a seat what it may know."""


@partial(jax.tree_util.register_dataclass, data_fields=["lanes"], meta_fields=["seats"])
@dataclass(frozen=True)
class States:
    """Many games, a lane each."""

    lanes: Any
    seats: int = field(metadata={"static": True})


class Ended(NamedTuple):
    """Which games the step has ended, their points and shares of the win; else zeros."""

    over: Array
    scores: Array
    shares: Array


class Sums(NamedTuple):
    """What has been counted in each lane: for each seat or place points, wins, their squares."""

    left: Lane
    """How many more games to count; later ones are played but not counted."""
    points: list[Lane]
    points_squared: list[Lane]
    wins: list[Lane]
    """In sixtieths, so that every number of winners shares evenly."""
    wins_squared: list[Lane]


class Totals(NamedTuple):
    """Exact sums over all games that were counted, for each seat or place."""

    games: int
    points: list[int]
    points_squared: list[int]
    wins: list[int]
    """In sixtieths."""
    wins_squared: list[int]


By = Literal["place", "seat"]
"""Count by seat, or by place: the one who started, the next clockwise, and so on."""
Policy = Callable[[Array, Array, Array], Array]
"""From a key, observations and masks of legal actions to actions."""
Policies = Policy | Sequence[Policy | None] | None
"""One for all seats or one a seat; None plays at random."""


class Engine:
    """A game over arrays."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.name = core.NAME

    def init(self, key: Array, n: int, seats: int) -> States:
        """Start n games."""
        if seats not in self.core.SEATS:
            allowed = self.core.SEATS
            raise ValueError(f"{self.name} is for {allowed[0]} to {allowed[-1]} players")
        started: States = _init(self.core, key, n, seats)
        return started

    def actions(self, seats: int) -> int:
        """Say how many actions there are."""
        return self.core.actions(seats)

    @partial(jax.jit, static_argnums=0)
    def to_move(self, states: States) -> Array:
        """Say whose turn it is in each game."""
        return self.core.mover(states.lanes).astype(jnp.int32)

    @partial(jax.jit, static_argnums=0)
    def legal(self, states: States) -> Array:
        """Say of each action whether it is legal, for the seat to move."""
        return self.core.legal(states.lanes, states.seats)

    @partial(jax.jit, static_argnums=0)
    def step(self, states: States, actions: Array) -> tuple[States, Ended]:
        """Play one legal action in each game; a game that ends is dealt anew at once."""
        chosen = actions.astype(jnp.uint32)
        lanes, over, last = self.core.step(states.lanes, states.seats, chosen)
        return States(lanes, states.seats), self._ended(over, last, states.seats)

    @partial(jax.jit, static_argnums=0)
    def random_step(self, states: States) -> tuple[States, Ended]:
        """Play one random legal action in each game."""
        lanes, over, last = self.core.random_step(states.lanes, states.seats)
        return States(lanes, states.seats), self._ended(over, last, states.seats)

    @partial(jax.jit, static_argnums=0)
    def scores(self, states: States) -> Array:
        """Give the points of each seat if the games ended now."""
        points = self.core.scores(self.core.last_of(states.lanes), states.seats)
        return jnp.stack(points, -1)

    @partial(jax.jit, static_argnums=0)
    def observe(self, states: States, seat: Array | int | None = None) -> Array:
        """Tell a seat, or whoever is to move, what it may know: numbers laid out as `layout`."""
        turn = self.core.mover(states.lanes)
        who = turn if seat is None else jnp.zeros_like(turn) + jnp.asarray(seat, jnp.uint32)
        seen = self.core.observe(states.lanes, states.seats, who)
        return jnp.stack([lane.astype(jnp.int16) for lane in seen], -1)

    def layout(self, seats: int) -> Layout:
        """Say what stands where in an observation."""
        return self.core.layout(seats)

    def rollout(
        self,
        policy: Policies,
        states: States,
        decisions: int,
        key: Array | None = None,
        by: By = "place",
    ) -> tuple[States, Totals]:
        """Play on for so many decisions a game and sum up the games that end.

        A policy of None plays at random; give one for all seats, or one a seat.
        """
        nothing = no_sums(states.lanes[0], states.seats)
        states, sums = self.play_on(policy, states, nothing, decisions, key, by)
        return states, totals(sums, nothing.left)

    def play_on(
        self,
        policy: Policies,
        states: States,
        sums: Sums,
        decisions: int,
        key: Array | None = None,
        by: By = "place",
    ) -> tuple[States, Sums]:
        """Play on for so many decisions a game, and count more games."""
        seats, chunks = states.seats, -(-decisions // CHUNK)
        given = [policy] if policy is None or callable(policy) else list(policy)
        policies = tuple(given * seats if len(given) == 1 else given)
        if not any(policies):
            lanes, sums = random_rollout(self.core, states.lanes, sums, seats, chunks, by)
        else:
            start = jax.random.key(0) if key is None else key
            lanes, sums = policy_rollout(self, policies, states, sums, chunks, start, by)
        return States(lanes, seats), sums

    def _ended(self, over: Array, last: Last, seats: int) -> Ended:
        points = self.core.scores(last, seats)
        shares = w.sixtieths(self.core.best(last, points))
        stacked = jnp.stack(points, -1), jnp.stack(shares, -1).astype(jnp.float32) / w.SIXTIETHS
        at = jnp.expand_dims(over, -1)
        return Ended(over, *[jnp.where(at, numbers, 0) for numbers in stacked])


@partial(jax.jit, static_argnums=(0, 2, 3))
def _init(core: Core, key: Array, n: int, seats: int) -> States:
    low, high = jax.random.bits(key, (2, n), jnp.uint32)
    return States(core.fresh((low | 1, high), seats), seats)  # never both zero


ALL: Final = 1 << 30


def no_sums(like: Lane, seats: int, most: Any = ALL) -> Sums:
    """Start to count, up to so many games a lane."""
    zero = jnp.zeros_like(like, jnp.int32)
    return Sums(zero + most, *([zero] * seats for _ in range(4)))


def add(core: Core, sums: Sums, over: Array, last: Last, seats: int, by: By) -> Sums:
    """Count the games that have ended."""
    points = core.scores(last, seats)
    wins = [win.astype(jnp.int32) for win in w.sixtieths(core.best(last, points))]
    if by == "place":
        points, wins = w.at_place(points, last[-1]), w.at_place(wins, last[-1])
    ended = (over & (sums.left > 0)).astype(jnp.int32)

    def more(old: list[Lane], new: list[Array]) -> list[Lane]:
        return [one + ended * other for one, other in zip(old, new, strict=True)]

    return Sums(
        sums.left - ended,
        more(sums.points, points),
        more(sums.points_squared, [one * one for one in points]),
        more(sums.wins, wins),
        more(sums.wins_squared, [one * one for one in wins]),
    )


def play_chunk(
    core: Core, lanes: Any, seats: int, sums: Sums, by: By, unroll: int | bool = 1
) -> tuple[Any, Sums]:
    """Play some random decisions and count what has ended."""

    def one(_: Any, carried: tuple[Any, Array, Last]) -> tuple[Any, Array, Last]:
        lanes, ended, kept = carried
        lanes, over, last = core.random_step(lanes, seats)
        return lanes, ended | over, w.choose_all(over, last, kept)

    start = (lanes, lanes[0] != lanes[0], core.last_of(lanes))
    lanes, ended, kept = lax.fori_loop(0, CHUNK, one, start, unroll=unroll)
    return lanes, add(core, sums, ended, kept, seats, by)


@partial(jax.jit, static_argnums=(0, 3, 4, 5, 6))
def random_rollout(
    core: Core, lanes: Any, sums: Sums, seats: int, chunks: int, by: By, unroll: int = 1
) -> tuple[Any, Sums]:
    """Play at random, and count."""

    def some(_: Any, carried: tuple[Any, Sums]) -> tuple[Any, Sums]:
        return play_chunk(core, carried[0], seats, carried[1], by, unroll)

    after: tuple[Any, Sums] = lax.fori_loop(0, chunks, some, (lanes, sums))
    return after


@partial(jax.jit, static_argnums=(0, 1, 4, 6))
def policy_rollout(
    engine: Engine,
    policies: tuple[Policy | None, ...],
    states: States,
    sums: Sums,
    chunks: int,
    key: Array,
    by: By,
) -> tuple[Any, Sums]:
    """Play by policies, each for its seat, and count."""
    core, seats = engine.core, states.seats

    def one(at: Any, carried: tuple[States, Sums]) -> tuple[States, Sums]:
        states, sums = carried
        actions = act(engine, policies, states, jax.random.fold_in(key, at))
        lanes, over, last = core.step(states.lanes, seats, actions)
        return States(lanes, seats), add(core, sums, over, last, seats, by)

    states, sums = lax.fori_loop(0, chunks * CHUNK, one, (states, sums))
    return states.lanes, sums


def act(engine: Engine, policies: tuple[Policy | None, ...], states: States, key: Array) -> Array:
    """Ask the policy of the seat to move; each policy is asked once, for all its seats."""
    observations, masks = engine.observe(states), engine.legal(states)
    turn = engine.to_move(states)
    chosen = jnp.zeros_like(turn)
    for at, policy in enumerate(dict.fromkeys(policies)):
        answer = (policy or at_random)(jax.random.fold_in(key, at), observations, masks)
        seats = jnp.asarray([other is policy for other in policies])
        chosen = jnp.where(seats[turn], answer.astype(jnp.int32), chosen)
    return chosen.astype(jnp.uint32)


def at_random(key: Array, observations: Array, masks: Array) -> Array:
    """Choose any legal action."""
    return jax.random.categorical(key, jnp.where(masks, 0.0, -jnp.inf))


def totals(sums: Sums, left: Lane) -> Totals:
    """Sum over all lanes; `left` is how many games there were to count in each."""
    n = sums.left.size
    found: Sums = jax.tree.map(partial(exact, n), in_bytes(sums._replace(left=left - sums.left)))
    return Totals(*found)  # type: ignore[arg-type]


@jax.jit
def in_bytes(sums: Any) -> Any:
    """Sum each lane byte by byte, which 32 bits hold for up to 16 million games."""

    def four(lane: Lane) -> Array:
        bits = lane.astype(jnp.uint32) + w.word(1 << 31)  # not below zero
        return jnp.stack([(bits >> 8 * byte & 255).sum(dtype=jnp.uint32) for byte in range(4)])

    return jax.tree.map(four, sums)


def exact(n: int, sums_of_bytes: Array) -> int:
    """Put the sums of the four bytes of n numbers together."""
    return sum(int(total) << 8 * at for at, total in enumerate(sums_of_bytes)) - (n << 31)
