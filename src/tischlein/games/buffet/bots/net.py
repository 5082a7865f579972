"""Two small networks: which card to lay, and who will win (`research.buffet_train`)."""

from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tischlein.games.buffet.bots.features import Floats, seen_by, whole_from
from tischlein.games.buffet.bots.worlds import KINDS, Ints, Worlds

NEVER: Final = -1e9

Layers = list[tuple[Floats, Floats]]


@cache
def weights(name: str) -> Layers:
    """Read the layers of a network from the package."""
    with files(__package__).joinpath("weights.npz").open("rb") as file:
        kept = np.load(file)
        depth = sum(1 for key in kept.files if key.startswith(f"{name}.w"))
        return [
            (kept[f"{name}.w{n}"].astype(np.float32), kept[f"{name}.b{n}"].astype(np.float32))
            for n in range(depth)
        ]


def forward(layers: Layers, read: Floats) -> Floats:
    """Let a network answer."""
    for at, (matrix, bias) in enumerate(layers):
        read = read @ matrix + bias
        if at < len(layers) - 1:
            np.maximum(read, 0, out=read)
    return read


def card_chances(
    worlds: Worlds, rows: Ints, seats: Ints, layers: Layers | None = None
) -> NDArray[np.float32]:
    """Say how likely each seat lays each card."""
    logits = forward(layers or weights("policy"), seen_by(worlds, rows, seats))[:, :KINDS]
    return softmax(np.where(worlds.hands[rows, seats] > 0, logits, NEVER))


def exchange_chances(
    worlds: Worlds, rows: Ints, seats: Ints, layers: Layers | None = None
) -> NDArray[np.float32]:
    """Say how likely each seat gives all its cards of each value away."""
    logits = forward(layers or weights("policy"), seen_by(worlds, rows, seats))[:, KINDS:]
    return sigmoid(logits)


def win_shares(worlds: Worlds, rows: Ints, layers: Layers | None = None) -> NDArray[np.float64]:
    """Say what share of the win each seat may expect, all hands face up; exact at the end."""
    n = worlds.seats
    seats = np.tile(np.arange(n), len(rows))
    read = whole_from(worlds, np.repeat(rows, n), seats)
    logits = forward(layers or weights("value"), read).reshape(len(rows), n)
    guess = softmax(logits).astype(np.float64)
    done = worlds.over[rows]
    if done.any():
        guess[done] = worlds.shares(rows[done])
    return guess


def softmax(logits: NDArray[Any]) -> NDArray[Any]:
    """Turn logits into chances."""
    chances = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(chances / chances.sum(1, keepdims=True))


def sigmoid(logits: NDArray[Any]) -> NDArray[Any]:
    """Turn each logit into a chance of its own."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def pick(chances: NDArray[Any], rng: np.random.Generator) -> Ints:
    """Draw one of the columns of each row by its chance."""
    sums = chances.cumsum(1)
    drawn = rng.random(len(chances))[:, None] * sums[:, -1:]
    return np.asarray(np.minimum((sums < drawn).sum(1), chances.shape[1] - 1))
