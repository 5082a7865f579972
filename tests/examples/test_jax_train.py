"""The learner of `examples/jax_train.py` sees the same numbers here as there, and learns."""

import importlib.util
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tischlein.games.sushizock.decode import state_of

SOURCE = Path(__file__).parents[2] / "examples" / "jax_train.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("jax_train", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_seat_at_a_table_is_told_what_a_lane_is_told(example: ModuleType) -> None:
    game, seats = example.GAME, example.SEATS
    states = game.init(jax.random.key(3), 4, seats)
    step = jax.jit(game.random_step)
    for _ in range(60):
        states, _ = step(states)
        leaves = jax.tree.leaves(game.core.settled(states.lanes, seats))
        words = np.asarray(jnp.stack(leaves, -1)).tolist()
        for seat in range(seats):
            told = np.asarray(game.observe(states, seat))
            for lane in range(4):
                state = state_of(words[lane], seats)
                assert example.numbers_of(state, seat).tolist() == told[lane].tolist()


def test_it_learns_and_keeps_its_curve(example: ModuleType) -> None:
    net, curve = example.train(minutes=0.001, lanes=32, games=3)
    assert [point["rounds"] > 0 for point in curve] == [False, True]
    assert all(0 <= point["share"] <= 1 for point in curve)
    assert all(np.isfinite(np.asarray(part)).all() for layer in net for part in layer)
    before = example.fresh(jax.random.key(1))
    assert any(not np.array_equal(a[0], b[0]) for a, b in zip(net, before, strict=True))
