"""Two small networks: which card to lay, and who will win (`research.buffet_train`)."""

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from tischlein.bots.arrays import (
    Dice,
    Floats,
    Ints,
    Layers,
    answer,
    on_grid,
    read_weights,
    sigmoid,
    softmax,
)
from tischlein.games.buffet.bots.features import seen_by, whole_from
from tischlein.games.buffet.bots.worlds import KINDS, Worlds

NEVER: Final = -1e9


@cache
def weights(name: str) -> Layers:
    """Read the layers of a network from the package."""
    kept = read_weights(files(__package__).joinpath("weights.npz").read_bytes())
    depth = sum(1 for key in kept if key.startswith(f"{name}.w"))
    return [(kept[f"{name}.w{n}"], kept[f"{name}.b{n}"]) for n in range(depth)]


def card_chances(worlds: Worlds, rows: Ints, seats: Ints, layers: Layers | None = None) -> Floats:
    """Say how likely each seat lays each card."""
    logits = answer(layers or weights("policy"), seen_by(worlds, rows, seats))[:, :KINDS]
    return softmax(np.where(worlds.hands[rows, seats] > 0, logits, NEVER))


def exchange_chances(
    worlds: Worlds, rows: Ints, seats: Ints, layers: Layers | None = None
) -> Floats:
    """Say how likely each seat gives all its cards of each value away."""
    logits = answer(layers or weights("policy"), seen_by(worlds, rows, seats))[:, KINDS:]
    return sigmoid(logits)


def win_shares(worlds: Worlds, rows: Ints, layers: Layers | None = None) -> Floats:
    """Say what share of the win each seat may expect, all hands face up; exact at the end."""
    n = worlds.seats
    seats = np.tile(np.arange(n), len(rows))
    read = whole_from(worlds, np.repeat(rows, n), seats)
    guess = softmax(answer(layers or weights("value"), read).reshape(len(rows), n))
    done = worlds.over[rows]
    if done.any():
        guess[done] = on_grid(worlds.shares(rows[done]))
    return guess


def pick(chances: Floats, dice: Dice) -> Ints:
    """Draw one of the columns of each row by its chance; chances lie on a grid."""
    sums = chances.cumsum(1)
    drawn = dice.random(len(chances))[:, None] * sums[:, -1:]
    return np.asarray(np.minimum((sums < drawn).sum(1), chances.shape[1] - 1))
