"""How long a network of the Buffet's bots takes, with arrays and in plain Python."""

import json
from collections.abc import Callable
from time import perf_counter
from typing import Final

import numpy as np

from tischlein.bots.arrays import GRAINS, MOST, answer
from tischlein.games.buffet.bots.net import weights

ROWS: Final = (1, 16, 256)
"""So many hands are looked at at once."""
Numbers = list[list[float]]


def plain(layers: list[tuple[Numbers, list[float]]], read: Numbers) -> Numbers:
    """Let a network answer as `tischlein.bots.arrays` does, without arrays."""
    columns = [([*zip(*matrix, strict=True)], bias) for matrix, bias in layers]
    found = []
    for row in read:
        now = [max(-MOST, min(float(round(one * GRAINS)), MOST)) for one in row]
        for matrix, bias in columns[:-1]:
            sums = (sum(map(float.__mul__, now, column)) for column in matrix)
            told = zip(sums, bias, strict=True)
            now = [max(0.0, min(float(round(one + b * GRAINS)), MOST)) for one, b in told]
        matrix, bias = columns[-1]
        sums = (sum(map(float.__mul__, now, column)) for column in matrix)
        found.append([one * (1 / GRAINS) + b for one, b in zip(sums, bias, strict=True)])
    return found


def took(deed: Callable[[], object], seconds: float) -> float:
    """Give the milliseconds of a deed, on average."""
    deed()
    begun, many = perf_counter(), 0
    while (now := perf_counter()) < begun + seconds or not many:
        deed()
        many += 1
    return (now - begun) / many * 1000


def measure(seconds: float) -> list[tuple[float, float]]:
    """Time both ways in whatever Python this is: with arrays, and plain."""
    layers = weights("policy")
    lists = [(matrix.tolist(), bias.tolist()) for matrix, bias in layers]
    found = []
    for rows in ROWS:
        read = np.array([[(7 * at + row) % 9 / 8 for at in range(198)] for row in range(rows)])
        numbers = read.tolist()
        assert answer(layers, read).tolist() == plain(lists, numbers)
        times = [took(lambda r=read: answer(layers, r), seconds)]  # type: ignore[misc]
        times.append(took(lambda r=numbers: plain(lists, r), seconds))  # type: ignore[misc]
        found.append((times[0], times[1]))
    return found


def main(seconds: str) -> None:
    """Print the times."""
    print(json.dumps(measure(float(seconds))))
