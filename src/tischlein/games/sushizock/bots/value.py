"""What a position between turns is worth to each seat: a small network, taught by self-play."""

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tischlein.games.sushizock.bots.table import PLACES, Boards, is_over, seats_of, shares

Singles = NDArray[np.float32]
Net = list[Singles]
"""Weights and biases, layer by layer."""

FROM_TOP: Final = np.array([-1, -2], np.int8)[:, None, None]
"""The two topmost places of a pile, seen from its size."""
AROUND: Final = np.arange(-2, 4, dtype=np.int8)[:, None, None]
"""Places of a sushi pile seen from the height of the bones pile: the next ones to count."""
OUTSIDE: Final = 4
"""So far outside of a pile places are looked up."""
IN_REACH: Final = 6
"""Tiles of a row that are looked at one by one."""


def features(boards: Boards) -> Singles:
    """Describe positions by numbers of about the size of one; the last axis counts positions."""
    tiles = np.ascontiguousarray(boards.transpose(2, 1, 0))  # long rows of numbers go fastest
    sizes = (tiles != 0).sum(axis=0, dtype=np.int8)
    rows = (tiles[:, :2], sizes[:2])
    piles = (tiles[:, 2::2], tiles[:, 3::2], sizes[2::2], sizes[3::2])
    found = [*features_of_rows(*rows), *features_of_seats(*piles)]
    return np.ascontiguousarray(np.concatenate(found, dtype=np.float32).T)


def features_of_rows(rows: Boards, left: Boards) -> list[Singles]:
    """Describe what lies on the table."""
    sushi, bones = rows[:, 0], rows[:, 1]
    return [
        sushi[:IN_REACH] / 4,
        bones[:IN_REACH] / 2,
        sushi[:IN_REACH] != 0,
        bones[:IN_REACH] != 0,
        left / 8,
        rows.sum(axis=0, dtype=np.int8) / 16,
        sushi.max(axis=0)[None] / 4,
        bones.min(axis=0)[None] / 2,
    ]


def features_of_seats(sushi: Boards, bones: Boards, high: Boards, low: Boards) -> list[Singles]:
    """Describe the piles of each seat."""
    lost = bones.sum(axis=0, dtype=np.int8)
    counted = np.arange(PLACES)[:, None, None] < low
    points = (sushi * counted).sum(axis=0, dtype=np.int8) + lost
    return [
        high / 4,
        low / 4,
        points / 8,
        lost / 8,
        sushi.sum(axis=0, dtype=np.int8) / 16,
        np.minimum(high - low, 0) / 3,
        np.maximum(high - low, 0) / 3,
        *(at_heights(sushi, high + FROM_TOP) / 4),
        *(at_heights(bones, low + FROM_TOP) / 2),
        sushi.max(axis=0) / 4,
        bones.min(axis=0) / 2,
        (points - points.max(axis=0)) / 8,
        *(at_heights(sushi, low + AROUND) / 4),
    ]


def at_heights(piles: Boards, heights: Boards) -> Boards:
    """Read tiles of each pile, counted from the bottom; 0 where there is none."""
    padded = np.zeros((OUTSIDE + PLACES + OUTSIDE, *piles.shape[1:]), np.int8)
    padded[OUTSIDE:-OUTSIDE] = piles
    return np.take_along_axis(padded, heights.astype(np.intp) + OUTSIDE, axis=0)


def run(net: Net, numbers: Singles) -> Singles:
    """Ask a network for the shares of all seats."""
    for weights, bias in zip(net[:-2:2], net[1:-2:2], strict=True):
        numbers = np.maximum(numbers @ weights + bias, 0)
    return softmax(numbers @ net[-2] + net[-1])


def softmax(numbers: Singles) -> Singles:
    """Turn numbers into shares that sum to one."""
    powers = np.exp(numbers - numbers.max(axis=1, keepdims=True))
    found: Singles = powers / powers.sum(axis=1, keepdims=True)
    return found


@cache
def net_for(seats: int) -> Net:
    """Read the network for a number of seats."""
    with (files(__package__) / "value.npz").open("rb") as file, np.load(file) as kept:
        layers = sum(name.startswith(f"{seats}_") for name in kept.files)
        return [kept[f"{seats}_{layer}"].astype(np.float32) for layer in range(layers)]


def value(boards: Boards, net: Net | None = None) -> NDArray[np.float64]:
    """Give each seat's expected share of the win, the one who moves first; exact at the end."""
    found = run(net or net_for(seats_of(boards)), features(boards)).astype(np.float64)
    over = is_over(boards)
    found[over] = shares(boards[over])
    found /= found.sum(axis=1, keepdims=True)
    return found
