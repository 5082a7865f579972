"""Train the networks of the Buffet bots by self-play: proximal policy steps, all seats learning.

    nice -n 10 python -m research.buffet_train --minutes 14

The player's network sees one seat's view; the judge's network sees all hands, gives the expected
share of the win of every seat, and serves as the baseline. Both are kept in the package.
"""

import argparse
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tischlein.bots.arrays import Dice, Floats, Ints, Layers, answer, read_weights, sigmoid, softmax
from tischlein.games.buffet.bots.features import SEEN, WHOLE, whole_from
from tischlein.games.buffet.bots.net import NEVER, pick
from tischlein.games.buffet.bots.worlds import KINDS, NOBODY, Worlds

WEIGHTS: Final = Path(__file__).parent.parent / "src/tischlein/games/buffet/bots/weights.npz"
TABLES: Final = {3: 160, 4: 160, 5: 64, 6: 56}
STEPS: Final = 24
TRACE: Final = 0.9
"""How far a result is credited to earlier moves."""
CLIP: Final = 0.2
MINIBATCH: Final = 1024


class Batch(Struct):
    """What some tables showed: of each decision what was read, done, how likely, how good."""

    read: Floats
    hand: NDArray[np.int64]
    trade: NDArray[np.bool_]
    done: NDArray[np.int64]
    chance: Floats
    gain: Floats


class Lessons(Struct):
    """What the judge learns from: tables from the side of each seat, and how they went on."""

    read: Floats
    target: Floats


class Adam:
    """Steps of a size that fits each weight (Kingma and Ba 2015)."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.mean = [tuple(np.zeros_like(p) for p in layer) for layer in layers]
        self.square = [tuple(np.zeros_like(p) for p in layer) for layer in layers]
        self.time = 0

    def step(self, slopes: Layers, rate: float) -> None:
        """Go down the slope."""
        self.time += 1
        scale = rate * np.sqrt(1 - 0.999**self.time) / (1 - 0.9**self.time)
        for at, layer in enumerate(slopes):
            for which, slope in enumerate(layer):
                mean, square = self.mean[at][which], self.square[at][which]
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                self.layers[at][which][...] -= scale * mean / (np.sqrt(square) + 1e-8)


def fresh(sizes: list[int], rng: np.random.Generator) -> Layers:
    """Make a network that knows nothing."""
    layers = []
    for before, after in pairwise(sizes):
        matrix = rng.normal(0, np.sqrt(2 / before), (before, after))
        layers.append((matrix, np.zeros(after)))
    layers[-1][0][...] *= 0.05
    return layers


def remember(layers: Layers, read: Floats) -> list[Floats]:
    """Give what each layer puts out."""
    outs = [read]
    for at, (matrix, bias) in enumerate(layers):
        out = outs[-1] @ matrix + bias
        outs.append(np.maximum(out, 0) if at < len(layers) - 1 else out)
    return outs


def slopes(layers: Layers, outs: list[Floats], slope: Floats) -> Layers:
    """Lead the slope of the loss back through a network."""
    found: Layers = []
    for at in range(len(layers) - 1, -1, -1):
        found.append((outs[at].T @ slope, slope.sum(0)))
        if at:
            slope = (slope @ layers[at][0].T) * (outs[at] > 0)
    return found[::-1]


def dice_from(rng: np.random.Generator) -> Dice:
    """Give the dice of some tables."""
    return Dice(int(rng.integers(1 << 62)))


class Tables:
    """Tables of one size that play on and on."""

    def __init__(self, seats: int, count: int, rng: np.random.Generator) -> None:
        self.dice = dice_from(rng)
        self.worlds = Worlds.dealt(count, seats, self.dice)
        for _ in range(40):  # so that not all are in the same round
            self.advance(fresh([SEEN, 2 * KINDS], rng))
            some = np.flatnonzero(rng.random(count) < 0.5 / 40)
            self.worlds.deal(some)

    def advance(self, policy: Layers) -> tuple[Floats, dict[str, NDArray[Any]]]:
        """Let everybody who has to decide do so."""
        worlds, n = self.worlds, self.worlds.seats
        count = len(worlds)
        rows, seats = np.repeat(np.arange(count), n), np.tile(np.arange(n), count)
        read = whole_from(worlds, rows, seats)
        trading = worlds.exchanging != NOBODY
        decides = np.where(
            trading[:, None], worlds.exchanging[:, None] == np.arange(n), worlds.inside
        )
        asked = np.flatnonzero(decides.ravel())
        trade = trading[rows[asked]]
        hand = worlds.hands[rows[asked], seats[asked]]
        logits = answer(policy, read[asked, :SEEN])
        done = np.zeros((len(asked), KINDS), np.int64)
        cards = pick(softmax(np.where(hand > 0, logits[:, :KINDS], NEVER)), self.dice)
        done[np.arange(len(asked)), cards] = 1
        gives = self.dice.random(hand.shape) < sigmoid(logits[:, KINDS:])
        done[trade] = (gives & (hand > 0))[trade]
        chance = log_chance(logits, hand, trade, done)
        laid = np.zeros((count, n), np.int64)
        laid[rows[asked], seats[asked]] = cards
        playing = np.flatnonzero(~trading)
        changing = np.flatnonzero(trading)
        given = done[trade] * hand[trade]
        worlds.play(playing, laid[playing])
        if len(changing):
            worlds.exchange(changing, given)
        facts: dict[str, NDArray[Any]] = {
            "asked": asked, "hand": hand, "trade": trade, "done": done, "chance": chance,
        }  # fmt: skip
        return read, facts

    def collect(self, policy: Layers, judge: Layers) -> tuple[Batch, Lessons]:
        """Play some steps and work out how much better each decision went than expected."""
        n, count = self.worlds.seats, len(self.worlds)
        reads, facts, guesses = [], [], []
        ends = np.zeros((STEPS, count), bool)
        results = np.zeros((STEPS, count, n))
        for step in range(STEPS):
            read, fact = self.advance(policy)
            guesses.append(softmax(answer(judge, read).reshape(count, n)))
            reads.append(read)
            facts.append(fact)
            over = np.flatnonzero(self.worlds.over)
            ends[step, over] = True
            results[step, over] = self.worlds.shares(over)
            self.worlds.deal(over)
        rows, seats = np.repeat(np.arange(count), n), np.tile(np.arange(n), count)
        last = softmax(answer(judge, whole_from(self.worlds, rows, seats)).reshape(count, n))
        values = np.stack([*guesses, last])
        gains = np.zeros((STEPS, count, n))
        running = np.zeros((count, n))
        for step in range(STEPS - 1, -1, -1):
            end = ends[step][:, None]
            after = np.where(end, results[step], values[step + 1])
            running = after - values[step] + TRACE * np.where(end, 0, running)
            gains[step] = running
        asked = [fact["asked"] for fact in facts]
        parts = [reads[step][at, :SEEN] for step, at in enumerate(asked)]
        batch = Batch(
            np.concatenate(parts),
            np.concatenate([fact["hand"] for fact in facts]),
            np.concatenate([fact["trade"] for fact in facts]),
            np.concatenate([fact["done"] for fact in facts]),
            np.concatenate([fact["chance"] for fact in facts]),
            np.concatenate([gains[step].ravel()[at] for step, at in enumerate(asked)]),
        )
        target = (gains + values[:-1]).reshape(STEPS * count, n)
        return batch, Lessons(np.stack(reads).reshape(STEPS * count, n, WHOLE), target)


def log_chance(
    logits: Floats, hand: NDArray[Any], trade: NDArray[np.bool_], done: NDArray[Any]
) -> Floats:
    """Give the logarithm of how likely the decisions were."""
    cards = np.where(hand > 0, logits[:, :KINDS], NEVER)
    cards = cards - cards.max(1, keepdims=True)
    cards = cards - np.log(np.exp(cards).sum(1, keepdims=True))
    laid = np.where(done > 0, cards, 0).sum(1)
    sign = np.where(done > 0, 1, -1) * logits[:, KINDS:]
    given = np.where(hand > 0, -np.log1p(np.exp(-sign)), 0).sum(1)
    return np.asarray(np.where(trade, given, laid))


def policy_slope(batch: Batch, at: Ints, logits: Floats, mixing: float) -> tuple[Floats, float]:
    """Give the slope of the clipped loss with a bonus for mixing, and how mixed the play is."""
    hand, trade, done, gain = batch.hand[at], batch.trade[at], batch.done[at], batch.gain[at]
    ratio = np.exp(np.clip(log_chance(logits, hand, trade, done) - batch.chance[at], -20, 20))
    used = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    push = (gain * ratio * used)[:, None]
    held = hand > 0
    chances = softmax(np.where(held, logits[:, :KINDS], NEVER))
    logs = np.log(np.maximum(chances, 1e-12))
    mixed = -(chances * logs).sum(1, keepdims=True)
    slope = np.zeros_like(logits)
    laying = ~trade[:, None]
    slope[:, :KINDS] = laying * (push * (chances - done) + mixing * chances * (logs + mixed))
    gives = sigmoid(logits[:, KINDS:])
    trading = trade[:, None] & held
    slope[:, KINDS:] = trading * (
        push * (gives - done) + mixing * gives * (1 - gives) * logits[:, KINDS:]
    )
    return np.asarray(slope / len(at)), float(mixed[~trade].mean())


def merge(parts: list[Batch]) -> Batch:
    """Put the decisions of all tables together; their gains in standard deviations."""
    fields = [
        np.concatenate([getattr(part, name) for part in parts]) for name in Batch.__struct_fields__
    ]
    batch = Batch(*fields)
    batch.gain = batch.gain / (batch.gain.std() + 1e-6)
    return batch


def teach_policy(adam: Adam, batch: Batch, rate: float, mixing: float, rng: np.random.Generator,
                 epochs: int) -> float:  # fmt: skip
    """Improve the player."""
    mixed = 0.0
    for _ in range(epochs):
        order = rng.permutation(len(batch.gain))
        for first in range(0, len(order), MINIBATCH):
            at = order[first : first + MINIBATCH]
            outs = remember(adam.layers, batch.read[at])
            slope, mixed = policy_slope(batch, at, outs[-1], mixing)
            adam.step(slopes(adam.layers, outs, slope), rate)
    return mixed


def teach_judge(adam: Adam, parts: list[Lessons], rate: float, rng: np.random.Generator) -> float:
    """Improve the judge, table size by table size in turns."""
    pieces = []
    for which, part in enumerate(parts):
        n = part.target.shape[1]
        order = rng.permutation(len(part.target))
        order = order[: int(len(order) * 0.5)]
        size = MINIBATCH // n
        pieces += [(which, order[a : a + size]) for a in range(0, len(order), size)]
    losses = []
    for at in rng.permutation(len(pieces)):
        which, rows = pieces[at]
        read = parts[which].read[rows]
        target = parts[which].target[rows]
        outs = remember(adam.layers, read.reshape(-1, WHOLE))
        guess = softmax(outs[-1].reshape(target.shape))
        losses.append(float(((guess - target) ** 2).sum(1).mean()))
        slope = ((guess - target) / len(rows)).reshape(-1, 1)
        adam.step(slopes(adam.layers, outs, slope), rate)
    return float(np.mean(losses))


def keep(policy: Layers, judge: Layers, path: Path) -> None:
    """Write the weights, in half precision."""
    kept = {}
    for name, layers in (("policy", policy), ("value", judge)):
        for at, (matrix, bias) in enumerate(layers):
            kept[f"{name}.w{at}"] = matrix.astype(np.float16)
            kept[f"{name}.b{at}"] = bias.astype(np.float16)
    np.savez_compressed(path, **kept)  # type: ignore[arg-type]


def read_layers(path: Path) -> tuple[Layers, Layers]:
    """Read weights that were kept."""
    kept = read_weights(path.read_bytes())

    def layers(name: str) -> Layers:
        depth = sum(1 for key in kept if key.startswith(f"{name}.w"))
        return [(kept[f"{name}.w{n}"], kept[f"{name}.b{n}"]) for n in range(depth)]

    return layers("policy"), layers("value")


def versus(
    seats: int, one: Layers, others: Layers, count: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Play whole games, one player against another in all other seats; its share and the error."""
    dice = dice_from(rng)
    worlds = Worlds.dealt(count, seats, dice)
    hero = np.arange(count) % seats
    while not worlds.over.all():
        alive = np.flatnonzero(~worlds.over)
        trading = alive[worlds.exchanging[alive] != NOBODY]
        playing = alive[worlds.exchanging[alive] == NOBODY]
        laid = np.zeros((count, seats), np.int64)
        which, seat = np.nonzero(worlds.inside[playing])
        rows = playing[which]
        for layers, mine in ((one, True), (others, False)):
            some = (hero[rows] == seat) == mine
            read = whole_from(worlds, rows[some], seat[some])[:, :SEEN]
            logits = answer(layers, read)[:, :KINDS]
            held = worlds.hands[rows[some], seat[some]] > 0
            laid[rows[some], seat[some]] = pick(softmax(np.where(held, logits, NEVER)), dice)
            seats_now = worlds.exchanging[trading]
            changing = trading[(hero[trading] == seats_now) == mine]
            if len(changing):
                who = worlds.exchanging[changing]
                read = whole_from(worlds, changing, who)[:, :SEEN]
                gives = dice.random((len(changing), KINDS)) < sigmoid(
                    answer(layers, read)[:, KINDS:]
                )
                worlds.exchange(changing, gives * worlds.hands[changing, who])
        worlds.play(playing, laid[playing])
    shares = worlds.shares(np.arange(count))[np.arange(count), hero]
    return float(shares.mean()), float(shares.std() / np.sqrt(count))


def main() -> None:
    """Train for some minutes and keep the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=7e-4)
    parser.add_argument("--mixing", type=float, default=0.02)
    parser.add_argument("--least-mixing", type=float, default=0.004)
    parser.add_argument("--go-on", action="store_true", help="from the weights kept before")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    if args.go_on:
        policy, judge = read_layers(args.out)
    else:
        policy = fresh([SEEN, 128, 64, 2 * KINDS], rng)
        judge = fresh([WHOLE, 96, 48, 1], rng)
    first = [(matrix.copy(), bias.copy()) for matrix, bias in policy]
    player, critic = Adam(policy), Adam(judge)
    tables = [Tables(seats, count, rng) for seats, count in TABLES.items()]
    started = time.monotonic()
    turn, decisions = 0, 0
    while (gone := (time.monotonic() - started) / (60 * args.minutes)) < 1:
        turn += 1
        rate = args.rate * max(0.05, 1 - gone)
        mixing = args.mixing * (args.least_mixing / args.mixing) ** gone
        parts = [some.collect(policy, judge) for some in tables]
        batch = merge([part for part, _ in parts])
        decisions += len(batch.gain)
        loss = teach_judge(critic, [part for _, part in parts], rate, rng)
        mixed = 0.0
        if turn > 3 or args.go_on:
            mixed = teach_policy(player, batch, rate, mixing, rng, epochs=3)
        if turn % 20 == 0:
            print(f"{turn} {60 * args.minutes * gone:.0f} s, {decisions:,} decisions, "
                  f"judge off by {loss:.4f}, mixed {mixed:.3f}", flush=True)  # fmt: skip
        if turn % 100 == 0:
            keep(policy, judge, args.out)
            for seats in (3, 4):
                mean, error = versus(seats, policy, first, 400, rng)
                print(f"  {seats} seats: {mean:.3f} ± {error:.3f} against the first", flush=True)
    keep(policy, judge, args.out)
    print(f"{turn} turns, {decisions:,} decisions; kept {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
