"""Small zero-sum matrix games: solved exactly by the simplex method, or nearly by regrets."""

from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Mix = NDArray[np.float64]

TINY: Final = 1e-12


class Solution(Struct, frozen=True):
    """What the row player can be sure of, and how both mix."""

    value: float
    rows: Mix
    columns: Mix


def solve(payoff: Matrix) -> Solution:
    """Solve a game exactly: the row player gets the payoff, the column player loses it."""
    shift = 1.0 - payoff.min()
    many_rows, many_columns = payoff.shape
    table = np.zeros((many_rows + 1, many_columns + many_rows + 1))
    table[:-1, :many_columns] = payoff + shift
    table[:-1, many_columns:-1] = np.eye(many_rows)
    table[:-1, -1] = 1.0
    table[-1, :many_columns] = -1.0
    basis = list(range(many_columns, many_columns + many_rows))
    while (entering := _entering(table)) is not None:
        leaving = _leaving(table, entering, basis)
        _pivot(table, leaving, entering)
        basis[leaving] = entering
    columns = np.zeros(many_columns + many_rows)
    columns[basis] = table[:-1, -1]
    rows = np.maximum(table[-1, many_columns:-1], 0)
    columns = np.maximum(columns[:many_columns], 0)
    value = 1.0 / table[-1, -1] - shift
    return Solution(float(value), rows / rows.sum(), columns / columns.sum())


def _entering(table: Matrix) -> int | None:
    """Find the first column that improves the sum (the rule of Bland, which never cycles)."""
    better = np.flatnonzero(table[-1, :-1] < -TINY)
    return int(better[0]) if len(better) else None


def _leaving(table: Matrix, entering: int, basis: list[int]) -> int:
    """Find the row that limits the column; of equal ones that with the lowest variable."""
    column = table[:-1, entering]
    limits = np.full(len(column), np.inf)
    np.divide(table[:-1, -1], column, out=limits, where=column > TINY)
    tied = np.flatnonzero(limits <= limits.min() + TINY)
    return int(min(tied, key=lambda row: basis[row]))


def _pivot(table: Matrix, row: int, column: int) -> None:
    """Bring a variable into the basis."""
    table[row] /= table[row, column]
    others = table[:, column].copy()
    others[row] = 0.0
    table -= np.outer(others, table[row])


def exploitability(payoff: Matrix, rows: Mix, columns: Mix) -> float:
    """Say how much both could gain together by answering the other's mix as well as can be."""
    return float((payoff @ columns).max() - (rows @ payoff).min())


def regret_matching(payoff: Matrix, rounds: int) -> tuple[Solution, list[tuple[int, float]]]:
    """Let both learn from regrets (Tammelin's RM+, in turns); the mean mix nears the equilibrium.

    Also tells the exploitability of the mean mix after 1, 2, 4, 8 … rounds.
    """
    regrets = [np.zeros(size) for size in payoff.shape]
    sums = [np.zeros(size) for size in payoff.shape]
    told = []
    for number in range(1, rounds + 1):
        columns = mix_of(regrets[1])
        gains = payoff @ columns
        regrets[0] = np.maximum(regrets[0] + gains - mix_of(regrets[0]) @ gains, 0)
        rows = mix_of(regrets[0])
        losses = -(rows @ payoff)
        regrets[1] = np.maximum(regrets[1] + losses - columns @ losses, 0)
        sums[0] += number * rows
        sums[1] += number * columns
        if number & (number - 1) == 0 or number == rounds:
            means = [total / total.sum() for total in sums]
            told.append((number, exploitability(payoff, *means)))
    value = float(means[0] @ payoff @ means[1])
    return Solution(value, *means), told


def mix_of(regrets: Mix) -> Mix:
    """Mix in proportion to the regrets; evenly where there are none."""
    total = regrets.sum()
    return regrets / total if total > 0 else np.full(len(regrets), 1 / len(regrets))
