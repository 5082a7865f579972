"""Teach the value of Sushizock positions by self-play.

Every position's target is the exact expectation of its turn under the network so far, mixed with
what followed in the game. Run as `python -m research.sushizock_train SEATS ROUNDS [SEED]`; it goes
on from the network in the package, if there is one, and keeps the better one there.
"""

import sys
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from research.sushizock_games import Chance, deal, draw_ends
from tischlein.bots.arrays import Floats, softmax
from tischlein.games.sushizock.bots import table, value
from tischlein.games.sushizock.bots.search import weigh
from tischlein.games.sushizock.bots.table import Boards
from tischlein.games.sushizock.bots.value import Net

KEPT: Final = Path(value.__file__).with_name("value.npz")
HIDDEN: Final = (96, 48)
GAMES: Final = 256
"""Played at once in a round."""
EXPLORE: Final = 0.07
"""How often a turn ends anyhow, so that odd positions are learned too."""
FOLLOW: Final = (0.6, 0.3)
"""How much of a target is what followed, and not the expectation of the turn alone: at first, and
when a network is taught further."""
MEMORY: Final = 12
"""Rounds that are learned from."""
STEPS: Final = 60
BATCH: Final = 512
RATE: Final = (2e-3, 1e-3)
"""How quickly weights change, at first and further on; it falls to nothing in the end."""


def fresh_net(inputs: int, seats: int, rng: Chance) -> Net:
    """Make a network that knows nothing."""
    net: Net = []
    sizes = (inputs, *HIDDEN, seats)
    for before, behind in pairwise(sizes):
        scale = np.sqrt(2 / before) * (0.1 if behind == seats else 1)
        net.append(rng.normal(0, scale, (before, behind)))
        net.append(np.zeros(behind))
    return net


def play_round(net: Net, seats: int, follow: float, rng: Chance) -> tuple[Boards, Floats, float]:
    """Play games against oneself; give positions, their targets, and how far off the net was."""
    boards = deal(seats, GAMES, rng)
    alive = np.arange(GAMES)
    seen: list[tuple[Boards, Floats, NDArrayBool, NDArrayInt]] = []
    off = []
    while len(alive):
        now = boards[alive]
        weighed = weigh(now, lambda ends: value.value(ends, net))
        off.append(np.abs(value.value(now, net) - weighed.shares)[:, 0].mean())
        chosen = draw_ends(weighed, rng)
        odd = rng.random(len(alive)) < EXPLORE
        chosen[odd] = anyhow(weighed.found.position, len(alive), rng)[odd]
        seen.append((now, weighed.shares, odd, alive))
        boards[alive] = weighed.found.boards[chosen]
        alive = alive[~table.is_over(boards[alive])]
    return (*targets(seen, boards, follow), float(np.mean(off)))


NDArrayBool = np.ndarray[tuple[int], np.dtype[np.bool_]]
NDArrayInt = np.ndarray[tuple[int], np.dtype[np.intp]]


def anyhow(position: NDArrayInt, many: int, rng: Chance) -> NDArrayInt:
    """Choose any end for each position."""
    start = np.searchsorted(position, np.arange(many))
    size = np.bincount(position, minlength=many)
    return start + (rng.random(many) * size).astype(np.intp)


def targets(
    seen: list[tuple[Boards, Floats, NDArrayBool, NDArrayInt]], last: Boards, follow: float
) -> tuple[Boards, Floats]:
    """Mix each turn's expectation with what followed, from the end of the games backwards."""
    behind = table.shares(last)
    found = []
    for _, expected, odd, alive in reversed(seen):
        followed = np.roll(behind[alive], 1, axis=1)
        mixed = np.where(odd[:, None], expected, (1 - follow) * expected + follow * followed)
        behind[alive] = mixed
        found.append(mixed)
    return np.concatenate([one[0] for one in seen]), np.concatenate(found[::-1])


def slopes(net: Net, numbers: Floats, wanted: Floats) -> tuple[list[Floats], float]:
    """Give the slope of the cross-entropy for each weight, and the cross-entropy."""
    layers = [numbers]
    for weights, bias in zip(net[:-2:2], net[1:-2:2], strict=True):
        layers.append(np.maximum(layers[-1] @ weights + bias, 0))
    answer = softmax(layers[-1] @ net[-2] + net[-1])
    loss = float(-(wanted * np.log(answer + 1e-9)).sum(axis=1).mean())
    back: Floats = (answer - wanted) / len(wanted)
    found: list[Floats] = []
    for layer in reversed(range(len(layers))):
        found = [layers[layer].T @ back, back.sum(axis=0), *found]
        back = (back @ net[2 * layer].T) * (layers[layer] > 0)
    return found, loss


class Adam:
    """The usual way to follow slopes."""

    def __init__(self, net: Net) -> None:
        self.mean = [np.zeros_like(one) for one in net]
        self.square = [np.zeros_like(one) for one in net]
        self.steps = 0

    def step(self, net: Net, slope: list[Floats], rate: float) -> None:
        """Move the weights a little."""
        self.steps += 1
        for one, s, m, q in zip(net, slope, self.mean, self.square, strict=True):
            m += 0.1 * (s - m)
            q += 0.001 * (s * s - q)
            fair = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
            one -= rate * fair * m / (np.sqrt(q) + 1e-8)


def train(seats: int, rounds: int, seed: int = 1) -> Net:
    """Teach a network for a number of seats; the last third of it is averaged."""
    rng = np.random.default_rng(seed)
    further = KEPT.exists() and f"{seats}_0" in np.load(KEPT)
    inputs = value.features(deal(seats, 1, rng)).shape[1]
    net = [one.copy() for one in value.net_for(seats)] if further else fresh_net(inputs, seats, rng)
    adam, steady = Adam(net), [one.copy() for one in net]
    memory: list[tuple[Floats, Floats]] = []
    for number in range(rounds):
        boards, wanted, off = play_round(net, seats, FOLLOW[further], rng)
        memory = [*memory, (value.features(boards), wanted)][-MEMORY:]
        numbers, goals = (np.concatenate(part) for part in zip(*memory, strict=True))
        rate = RATE[further] * (1 - number / rounds) + 1e-5
        losses = []
        for _ in range(STEPS):
            at = rng.integers(len(numbers), size=BATCH)
            slope, loss = slopes(net, numbers[at], goals[at])
            adam.step(net, slope, rate)
            losses.append(loss)
            for kept, one in zip(steady, net, strict=True):
                kept += 0.002 * (one - kept)
        if number % 10 == 0 or number == rounds - 1:
            turns = len(boards) / GAMES
            print(
                f"{number:5} loss {np.mean(losses):.4f} off {off:.4f} turns {turns:.1f}", flush=True
            )
    return steady


def keep(seats: int, net: Net) -> None:
    """Put a network into the package, beside those for other numbers of seats."""
    kept = dict(np.load(KEPT)) if KEPT.exists() else {}
    kept |= {f"{seats}_{layer}": one.astype(np.float16) for layer, one in enumerate(net)}
    np.savez_compressed(KEPT, allow_pickle=False, **kept)


if __name__ == "__main__":
    keep(int(sys.argv[1]), train(*map(int, sys.argv[1:])))
