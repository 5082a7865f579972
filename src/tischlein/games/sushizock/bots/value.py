"""What a position between turns is worth to each seat: a small network, taught by self-play."""

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from tischlein.bots.arrays import Floats, answer, on_grid, read_weights, softmax, total
from tischlein.games.sushizock.bots.table import PLACES, Boards, is_over, seats_of, shares

Net = list[Floats]
"""Weights and biases, layer by layer."""

FROM_TOP: Final = np.array([-1, -2])[:, None, None]
"""The two topmost places of a pile, seen from its size."""
AROUND: Final = np.arange(-2, 4)[:, None, None]
"""Places of a sushi pile seen from the height of the bones pile: the next ones to count."""
OUTSIDE: Final = 4
"""So far outside of a pile places are looked up."""
IN_REACH: Final = 6
"""Tiles of a row that are looked at one by one."""


def features(boards: Boards) -> Floats:
    """Describe positions by numbers of about the size of one; the last axis counts positions."""
    tiles = boards.transpose(2, 1, 0).copy()  # long rows of numbers go fastest
    sizes = (tiles != 0).sum(axis=0)
    rows = (tiles[:, :2], sizes[:2])
    piles = (tiles[:, 2::2], tiles[:, 3::2], sizes[2::2], sizes[3::2])
    found = [*features_of_rows(*rows), *features_of_seats(*piles)]
    return np.concatenate(found).T


def features_of_rows(rows: Boards, left: Boards) -> list[Floats]:
    """Describe what lies on the table."""
    sushi, bones = rows[:, 0], rows[:, 1]
    return [
        sushi[:IN_REACH] / 4,
        bones[:IN_REACH] / 2,
        sushi[:IN_REACH] != 0,
        bones[:IN_REACH] != 0,
        left / 8,
        rows.sum(axis=0) / 16,
        sushi.max(axis=0)[None] / 4,
        bones.min(axis=0)[None] / 2,
    ]


def features_of_seats(sushi: Boards, bones: Boards, high: Boards, low: Boards) -> list[Floats]:
    """Describe the piles of each seat."""
    lost = bones.sum(axis=0)
    counted = np.arange(PLACES)[:, None, None] < low
    points = (sushi * counted).sum(axis=0) + lost
    return [
        high / 4,
        low / 4,
        points / 8,
        lost / 8,
        sushi.sum(axis=0) / 16,
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
    padded = np.zeros((OUTSIDE + PLACES + OUTSIDE, *piles.shape[1:]), np.int64)
    padded[OUTSIDE:-OUTSIDE] = piles
    return np.take_along_axis(padded, heights + OUTSIDE, axis=0)


def run(net: Net, numbers: Floats) -> Floats:
    """Ask a network for the shares of all seats."""
    return softmax(answer(list(zip(net[::2], net[1::2], strict=True)), numbers))


@cache
def net_for(seats: int) -> Net:
    """Read the network for a number of seats."""
    kept = read_weights((files(__package__) / "value.npz").read_bytes())
    layers = sum(name.startswith(f"{seats}_") for name in kept)
    return [kept[f"{seats}_{layer}"] for layer in range(layers)]


def value(boards: Boards, net: Net | None = None) -> Floats:
    """Give each seat's expected share of the win, the one who moves first; exact at the end."""
    found = run(net or net_for(seats_of(boards)), features(boards))
    over = is_over(boards)
    found[over] = shares(boards[over])
    return on_grid(found / total(found, 1)[:, None])
