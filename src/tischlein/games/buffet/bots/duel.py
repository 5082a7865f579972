"""The last two mice [B12]: one plate, two cards at once, and again as long as they are level.

With both hands open the duel is a matrix game within a matrix game, solved exactly. With hands
that each can only guess, it is solved over many guessed hands by regrets.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from tischlein.bots.arrays import Flags, Ints, mean, on_grid
from tischlein.games.buffet.bots.matrix import Matrix, Solution, solve
from tischlein.games.buffet.bots.worlds import KINDS, LOWEST

EVEN: Final = 0.5
"""What the plate is worth to whom draws nine new cards [B13]: anybody's race."""

MIXES: Final = 26
PAYOFFS: Final = 24
"""The grids of mixes and payoffs, in bits: the sum of their products fits into 53."""
MOST: Final = 4.0
"""No pair of cards brings more than this, in wins."""

Hand = tuple[int, ...]


class Duel(Struct, frozen=True):
    """Both hands, and by how much the first mouse is ahead."""

    mine: Hand
    theirs: Hand
    ahead: int = 0


class Stakes(Struct, frozen=True):
    """What is at stake: the plate (1 if I win it, 0 if not), and what each card in hand is worth.

    `keep` holds the worth of the cards −1 to 9, in plates; none if empty.
    """

    keep: tuple[float, ...] = ()

    def of(self, card: int) -> float:
        """Say what it costs to spend a card."""
        return self.keep[card - LOWEST] if self.keep else 0.0


class Solved(Struct, frozen=True):
    """A solved duel: which cards there are, the mixes over them, and what I can be sure of."""

    cards: tuple[Hand, Hand]
    payoff: Matrix
    solution: Solution


class Solver:
    """Solves duels, and remembers those that come after level mice."""

    def __init__(self, stakes: Stakes | None = None) -> None:
        self.stakes = stakes or Stakes()
        self.known: dict[Duel, Solved] = {}

    def solve(self, duel: Duel) -> Solved:
        """Solve a duel and all that may follow it."""
        if duel not in self.known:
            cards = (tuple(sorted(set(duel.mine))), tuple(sorted(set(duel.theirs))))
            payoff = np.array([[self.pays(duel, one, two) for two in cards[1]] for one in cards[0]])
            self.known[duel] = Solved(cards, payoff, solve(payoff))
        return self.known[duel]

    def pays(self, duel: Duel, one: int, two: int) -> float:
        """Say what a pair of cards brings me."""
        spent = self.stakes.of(two) - self.stakes.of(one)
        ahead = duel.ahead + one - two
        if ahead:
            return float(ahead > 0) + spent
        after = follow(duel, one, two)
        return spent + (EVEN if after is None else self.solve(after).solution.value)

    def exploitability(self, duel: Duel) -> float:
        """Say how much both could gain together against these mixes, over the whole duel."""
        return self.best(duel, first=True) - self.best(duel, first=False)

    def best(self, duel: Duel, first: bool) -> float:
        """Say what I get if the first (or the second) answers the other's mixes perfectly."""
        solved = self.solve(duel)
        brings = np.array(
            [[self._brings(duel, one, two, first) for two in solved.cards[1]]
             for one in solved.cards[0]]
        )  # fmt: skip
        if first:
            return float((brings @ solved.solution.columns).max())
        return float((solved.solution.rows @ brings).min())

    def _brings(self, duel: Duel, one: int, two: int, first: bool) -> float:
        """Say what a pair of cards brings if the answer stays perfect afterwards."""
        after = follow(duel, one, two)
        if duel.ahead + one != two or after is None:
            return self.pays(duel, one, two)
        return self.stakes.of(two) - self.stakes.of(one) + self.best(after, first)


def follow(duel: Duel, one: int, two: int) -> Duel | None:
    """Give the duel after two cards that left the mice level; None where somebody draws nine."""
    mine, theirs = list(duel.mine), list(duel.theirs)
    mine.remove(one)
    theirs.remove(two)
    return Duel(tuple(mine), tuple(theirs)) if mine and theirs else None


def guessed_duel(
    hands: Sequence[Ints], payoffs: Sequence[Matrix], rounds: int
) -> tuple[Matrix, Matrix]:
    """Mix for each of many hands that each side may hold, by regrets; hands are counts by value.

    All hands of a side are equally likely. Each side has its own payoffs, over its own card and
    the other's, to gain as much as it can. All lies on grids so coarse that its sums are exact.
    """
    held = [some > 0 for some in hands]
    payoffs = [on_grid(np.clip(some, -MOST, MOST), PAYOFFS) for some in payoffs]
    regrets = [np.zeros(some.shape) for some in held]
    sums = [np.zeros(some.shape) for some in held]
    mixes = [masked(regret, some) for regret, some in zip(regrets, held, strict=True)]
    for number in range(1, rounds + 1):
        for side in (0, 1):
            other = on_grid(mean(mixes[1 - side], 0), MIXES)
            gains = on_grid(payoffs[side] @ other, PAYOFFS)
            now = on_grid((mixes[side] * gains).sum(axis=1, keepdims=True), PAYOFFS)
            regrets[side] = np.maximum(regrets[side] + gains - now, 0.0) * held[side]
            mixes[side] = masked(regrets[side], held[side])
            sums[side] += number * mixes[side]
    means = [total / total.sum(axis=1, keepdims=True) for total in sums]
    return means[0], means[1]


def guessed_exploitability(
    hands: Sequence[Ints], payoffs: Sequence[Matrix], mixes: Sequence[Matrix]
) -> float:
    """Say how much both sides could gain together if each of their hands answered perfectly."""
    gain = 0.0
    for side in (0, 1):
        brings = payoffs[side] @ mixes[1 - side].mean(0)
        best = np.where(hands[side] > 0, brings, -np.inf).max(1)
        gain += float((best - (mixes[side] * brings).sum(1)).mean())
    return gain


def masked(regrets: Matrix, held: Flags) -> Matrix:
    """Mix in proportion to the regrets, evenly over the cards held where there are none."""
    total = regrets.sum(axis=1, keepdims=True)
    even = held / held.sum(axis=1, keepdims=True)
    return on_grid(np.where(total > 0, regrets / np.where(total > 0, total, 1.0), even), MIXES)


def race(ahead: int) -> Matrix:
    """Give the payoff of one pair of cards: who is ahead wins, level mice may both hope."""
    cards = np.arange(KINDS)
    lead = ahead + cards[:, None] - cards[None, :]
    return np.where(lead > 0, 1.0, np.where(lead < 0, 0.0, EVEN))
