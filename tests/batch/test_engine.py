"""What users of the batch engine rely on: arrays that jit and vmap, fair chance, no leaks."""

import subprocess
import sys
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.batch.differential import QUICK_TO_COMPILE
from tischlein import batch
from tischlein.batch import engine
from tischlein.batch.layouts import layout_table
from tischlein.games.buffet import batch as buffet
from tischlein.games.kakerlaken import batch as kakerlaken

GAMES = batch.games()


@cache
def states_of(name: str) -> engine.States:
    """Give 64 games that are 16 decisions old."""
    game = batch.game(name)
    return game.rollout(None, game.init(jax.random.key(3), 64, 4), 16)[0]


def test_one_game_alone_is_a_lane_of_many() -> None:
    game, states = batch.game("kakerlaken"), states_of("kakerlaken")

    def alone(lanes: Any) -> Any:
        after, ended = game.random_step(engine.States(lanes, 4))
        return after.lanes, ended

    together = game.random_step(states)
    one_by_one = jax.jit(jax.vmap(alone))(states.lanes)
    expected = (together[0].lanes, together[1])
    assert jax.tree.all(jax.tree.map(lambda a, b: (a == b).all(), one_by_one, expected))


@pytest.mark.parametrize("name", GAMES)
def test_shapes_are_those_of_the_layout_and_the_actions(name: str) -> None:
    game = batch.game(name)
    states = jax.eval_shape(lambda key: game.init(key, 8, 4), jax.random.key(1))
    width = sum(size for _, size in game.layout(4))
    for seat in (None, 2):
        assert jax.eval_shape(partial(game.observe, seat=seat), states).shape == (8, width)
    assert jax.eval_shape(game.legal, states).shape == (8, game.actions(4))
    one = jax.vmap(lambda lanes: game.legal(engine.States(lanes, 4)))
    assert jax.eval_shape(one, states.lanes).shape == (8, game.actions(4))


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_equally_likely(name: str) -> None:
    game, n = batch.game(name), 20_000
    one = jax.tree.map(lambda lane: jnp.repeat(lane[:1], n), states_of(name).lanes)
    random = jax.random.bits(jax.random.key(1), (2, n), jnp.uint32)
    if name == "sushizock":
        lanes = one._replace(random=random[0], random_high=random[1])
    else:
        lanes = one._replace(random=(random[0], random[1]))
    draw = jax.jit(game.core.chosen, static_argnums=1, compiler_options=QUICK_TO_COMPILE)
    chosen = np.asarray(draw(lanes, 4))
    legal = np.flatnonzero(game.legal(states_of(name))[0])
    if name == "kakerlaken":
        chosen, legal = chosen & 31, legal[legal != kakerlaken.WAIT]
    counts = np.bincount(chosen, minlength=game.actions(4))
    assert counts[legal].sum() == n
    expected = n / len(legal)
    chi_squared = ((counts[legal] - expected) ** 2 / expected).sum()
    assert chi_squared < len(legal) + 5 * (2 * len(legal)) ** 0.5


def test_rows_and_dice_of_sushizock_are_fair() -> None:
    """[S1] [S3]: the first game, and one that was drawn ahead."""
    game = batch.game("sushizock")
    first_games = game.init(jax.random.key(3), 6000, 4)
    for states in (first_games, game.rollout(None, first_games, 160)[0]):
        seen = np.asarray(game.observe(states))
        fresh = seen[(seen[:, :24] > 0).all(1) & (seen[:, 24:28].sum(1) == 0)]
        first = np.bincount(fresh[:, 0], minlength=7)[1:] / len(fresh)
        dice = fresh[:, 28:32].mean(0) / 5
        error = 4 * (0.25 / len(fresh)) ** 0.5
        assert np.abs(first - 1 / 6).max() < error
        assert np.abs(dice - np.array([2, 2, 1, 1]) / 6).max() < error


def test_buffet_does_not_show_what_is_hidden() -> None:
    """[B23]: change only others' hands, the stock's order and laid cards."""
    game, states = batch.game("buffet"), states_of("buffet")
    settled = jax.jit(buffet.settled, static_argnums=1)(states.lanes, 4)
    other = settled._replace(
        hands=tuple(jnp.where(at == 0, hand, hand & 0) for at, hand in enumerate(settled.hands)),
        shuffle=settled.random,
        ahead=settled.ahead,
    )
    mine = [game.observe(engine.States(lanes, 4), 0) for lanes in (settled, other)]
    assert (mine[0] == mine[1]).all()


def test_policies_play_and_the_same_seed_gives_the_same_result() -> None:
    game = batch.game("sushizock")

    def first_legal(key: Any, observations: Any, masks: Any) -> Any:
        return jnp.argmax(masks, -1)

    found = [
        game.rollout(
            [first_legal, None, None], game.init(jax.random.key(9), 64, 3), 320, by="seat"
        )[1]
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0].games > 200
    assert sum(found[0].wins) == 60 * found[0].games


def test_only_so_many_games_are_counted() -> None:
    game = batch.game("kakerlaken")
    states = game.init(jax.random.key(2), 16, 2)
    start = engine.no_sums(states.lanes[0], 2, jnp.arange(16) % 3)
    _, sums = game.play_on(None, states, start, 8000)
    assert engine.totals(sums, start.left).games == sum(at % 3 for at in range(16))


def test_it_needs_nothing_but_jax() -> None:
    program = "import sys; sys.modules['msgspec'] = None; sys.modules['typer'] = None\n"
    program += "from tischlein import batch\n[batch.game(name) for name in batch.games()]"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize("name", GAMES)
def test_the_documented_layout_is_that_of_the_code(name: str) -> None:
    with open("docs/research.md", encoding="utf-8") as page:
        assert layout_table(name) in page.read()
