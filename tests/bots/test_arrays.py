"""Arrays that bots count with: the same bits in whatever order a machine adds."""

import random
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from math import fsum
from typing import Any

import numpy as np
import pytest

from tischlein.bots import arrays, exact
from tischlein.bots.arrays import (
    BULK,
    HEAVIEST,
    MOST,
    ROWS,
    SHARES,
    WEIGHTS,
    Dice,
    Floats,
    Layers,
    answer,
    mean,
    on_grid,
    read_weights,
    sigmoid,
    softmax,
    total,
)

SEEDS = (0, 1, 2**31, 2**32, 2**60 - 1, 12345678901234567890123)


def numbers(seed: int, *shape: int) -> Floats:
    """Give numbers from -1 to 1."""
    return Dice(seed).random(shape) * 2 - 1


def by_python(row: Floats, column: Floats) -> float:
    """Sum products without rounding on the way."""
    pairs = zip(row.tolist(), column.tolist(), strict=True)
    return float(sum(Fraction(one) * Fraction(two) for one, two in pairs))


def test_a_grid_keeps_what_lies_on_it_and_rounds_the_rest_to_even() -> None:
    assert on_grid(np.array([0.3, 0.375, 0.125, -0.125, 5.0]), 2).tolist() == [
        0.25, 0.5, 0.0, 0.0, 5.0,
    ]  # fmt: skip
    found = on_grid(numbers(1, 1000))
    assert (on_grid(found) == found).all()
    assert np.abs(found - numbers(1, 1000)).max() <= 2.0**-SHARES / 2


def some_net(seed: int, *sizes: int) -> Layers:
    """Make a network with weights as large as any may be."""
    return [
        (
            on_grid(numbers(seed + at, before, after) * HEAVIEST, WEIGHTS),
            on_grid(numbers(seed - at, after), WEIGHTS),
        )
        for at, (before, after) in enumerate(pairwise(sizes))
    ]


def in_any_order(layers: Layers, seed: int) -> Layers:
    """Reorder what a network reads and each layer's own numbers: it must answer the same."""
    rng, found = np.random.default_rng(seed), []
    behind = np.arange(len(layers[0][0]))
    for at, (matrix, bias) in enumerate(layers):
        before, behind = behind, rng.permutation(len(bias))
        if at == len(layers) - 1:
            behind = np.arange(len(bias))
        found.append((np.ascontiguousarray(matrix[before][:, behind]), bias[behind]))
    return found


@pytest.mark.parametrize("sizes", [(253, 96, 48, 3), (253, 30)])
def test_networks_sum_alike_in_any_order_to_the_last_bit(sizes: tuple[int, ...]) -> None:
    """At the largest that weights and numbers may be, each sum of products is exact."""
    layers = some_net(5, *sizes)
    read = numbers(9, ROWS + 3, 253) * 140  # some are beyond what a layer reads
    found = answer(layers, read)
    assert answer(in_any_order(layers, 1), read).tobytes() == found.tobytes()
    order = np.random.default_rng(2).permutation(253)
    turned = [(layers[0][0][order], layers[0][1]), *layers[1:]]
    assert answer(turned, read[:, order]).tobytes() == found.tobytes()
    alone = [answer(layers, row[None])[0] for row in read]
    assert np.array(alone).tobytes() == found.tobytes()


def test_the_largest_sum_of_a_layer_is_exact() -> None:
    """As many inputs as any network has, all as large and as fine as can be, by whole fractions."""
    matrix = on_grid(np.abs(numbers(3, 253, 2)) * 0.01 + HEAVIEST - 0.01, WEIGHTS)
    grains = MOST - np.rint(np.abs(numbers(4, 1, 253)) * 1000)
    for column in range(2):
        wanted = by_python(grains[0], matrix[:, column])
        assert (grains @ matrix)[0, column] == wanted == fsum(grains[0] * matrix[:, column])
    coarse = numbers(6, 1, 253), numbers(7, 253, 200)
    off = coarse[0] @ coarse[1] - [by_python(coarse[0][0], column) for column in coarse[1].T]
    assert off.any(), "without a grid sums differ"


def test_a_network_answers_what_floats_do_nearly() -> None:
    layers = some_net(8, 50, 20, 4)
    layers = [(matrix / 16, bias / 16) for matrix, bias in layers]
    read = numbers(4, 30, 50)
    hidden = np.maximum(read @ layers[0][0] + layers[0][1], 0)
    plain = hidden @ layers[1][0] + layers[1][1]
    assert np.abs(answer(layers, read) - plain).max() < 1e-3


def test_sums_go_first_to_last() -> None:
    some = numbers(2, 40, 11, 3)
    for axis in range(3):
        wanted = np.zeros_like(some.sum(axis))
        for one in np.moveaxis(some, axis, 0):
            wanted = wanted + one
        assert total(some, axis).tobytes() == wanted.tobytes()
    kept = some.copy()
    total(some, 0)
    assert (some == kept).all()


def test_means_of_what_lies_on_a_grid_do_not_depend_on_the_order() -> None:
    shares = on_grid(np.abs(numbers(3, 65536)))
    order = np.random.default_rng(1).permutation(len(shares))
    wanted = fsum(shares.tolist()) / len(shares)
    assert float(mean(shares, 0)) == float(mean(shares[order], 0)) == wanted


def test_powers_of_e_are_those_of_single_numbers_bit_by_bit() -> None:
    some = np.concatenate([numbers(1, 4000) * 705, numbers(2, 4000), [0.0, -0.0, 700, -1e9]])
    some = np.minimum(some, 700)
    assert arrays.exp(some).tolist() == [exact.exp(x) for x in some.tolist()]
    assert arrays.exp(some.reshape(4, -1)).ravel().tobytes() == arrays.exp(some).tobytes()
    there = some >= exact.LEAST
    assert arrays.exp(some)[there] == pytest.approx(np.exp(some[there]), rel=1e-13, abs=0)


def test_chances_sum_to_one_and_lie_on_a_grid() -> None:
    chances = softmax(np.concatenate([numbers(1, 50, 6) * 9, np.full((1, 6), -1e9)]))
    assert np.abs(chances.sum(axis=1) - 1).max() < 1e-9
    assert (on_grid(chances) == chances).all()
    assert chances[-1].tolist() == on_grid(np.full(6, 1 / 6)).tolist()
    assert softmax(np.array([[0.0, -1e9]])).tolist() == [[1.0, 0.0]]
    logits = numbers(1, 99) * 40
    assert sigmoid(logits) == pytest.approx(1 / (1 + np.exp(-np.clip(logits, -30, 30))), rel=1e-12)


def without_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be no chance of NumPy's own, as in a browser."""
    monkeypatch.setattr(arrays, "in_bulk", lambda source: None)


def leave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let NumPy draw many at once."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("place", [without_numpys, leave_it])
def test_dice_are_pythons_own(
    seed: int, place: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    place(monkeypatch)
    dice, source = Dice(seed), random.Random(seed)
    for shape in (3, (2, 5), 0, (BULK, 2), 7, (3, BULK), 1):
        found = dice.random(shape)
        assert found.shape == ((shape,) if isinstance(shape, int) else shape)
        assert found.dtype == np.float64
        assert found.ravel().tolist() == [source.random() for _ in range(found.size)]
        assert dice.below(6) == int(source.random() * 6)
    assert dice.many_below(9, 5).tolist() == [int(source.random() * 9) for _ in range(5)]
    assert set(dice.choice(np.array([3, 8]), 60).tolist()) == {3, 8}


def test_numpy_draws_what_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Dice(1)
    dice.random(BULK)
    monkeypatch.setattr(dice, "_random", None)
    assert len(dice.random(3)) == 3


def test_rows_are_shuffled_each_by_itself() -> None:
    rows = np.tile(np.arange(6), (6000, 1))
    found = Dice(4).permuted(rows)
    assert (np.sort(found, axis=1) == rows).all()
    counts = np.array([np.bincount(column, minlength=6) for column in found.T])
    assert np.abs(counts - 1000).max() < 150
    assert Dice(4).permuted(np.ones((2, 0), np.int64)).shape == (2, 0)


@pytest.mark.parametrize("name", ["buffet/bots/weights.npz", "sushizock/bots/value.npz"])
def test_weights_are_what_numpy_reads(name: str) -> None:
    data = files("tischlein.games").joinpath(name).read_bytes()
    kept, found = np.load(BytesIO(data)), read_weights(data)
    assert list(found) == kept.files
    for key in kept.files:
        wanted = kept[key].astype(np.float64)
        assert found[key].shape == wanted.shape
        assert np.abs(wanted).max() < HEAVIEST
        assert found[key].tolist() == on_grid(wanted, WEIGHTS).tolist()


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_any_kind_of_float_is_read_in_either_order(kind: type) -> None:
    array: Any = on_grid(numbers(1, 3, 4), 5).astype(kind)
    file = BytesIO()
    np.savez_compressed(file, rows=array, columns=np.asfortranarray(array), one=array[0, :1])
    found = read_weights(file.getvalue())
    assert found["rows"].tolist() == found["columns"].tolist() == array.tolist()
    assert found["one"].tolist() == array[0, :1].tolist()
