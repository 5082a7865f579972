"""Look ahead from a seat: imagine the hidden cards many times, let the learned players go on.

Every legal move is tried at the same imagined tables against the same cards of the others, so
that chance hardly blurs the comparison. How well a round ends is judged by the value network.
"""

from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tischlein.bots import doubt
from tischlein.bots.arrays import SHARES, Dice, Floats, Ints, exp, mean, on_grid, total
from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.games.buffet.bots.duel import guessed_duel, race
from tischlein.games.buffet.bots.memory import glance, imagine
from tischlein.games.buffet.bots.net import card_chances, exchange_chances, pick, win_shares
from tischlein.games.buffet.bots.reasons import because_card, because_swap
from tischlein.games.buffet.bots.worlds import KINDS, LOWEST, NOBODY, Worlds
from tischlein.games.buffet.rules import Exchange, Play

Column = tuple[int, int, int]


class Depth(Struct, frozen=True):
    """How deep a level thinks."""

    worlds: int
    """How many tables it imagines."""
    reveals: int
    """How many times cards are revealed before the judge is asked; 0 is not at all."""
    mixing: float
    """How much worse a card may be, in shares of the win, and still be laid now and then."""


HARD: Final = Depth(worlds=1, reveals=0, mixing=0.0)
DUEL_ROUNDS: Final = 100
RIDGE: Final = 1 << 20
"""So much more weighs what was tried than that slopes are small."""
EXPERT: Final = Depth(worlds=64, reveals=8, mixing=0.002)


def hard(turn: Turn, rng: Chance) -> Answer:
    """Play as the network has learned to, without looking ahead."""
    return think(turn, rng, HARD)


def expert(turn: Turn, rng: Chance) -> Answer:
    """Look ahead to the end of the round over many imagined tables."""
    return think(turn, rng, EXPERT)


def think(turn: Turn, rng: Chance, depth: Depth) -> Answer:
    """Answer a turn."""
    dice = Dice(rng.below(1 << 30) << 30 | rng.below(1 << 30))
    if isinstance(turn.legal[0], Exchange):
        return swap(turn, imagined(turn, depth, dice), depth, dice)
    thought = weigh(turn, depth, dice)
    card = turn.legal[int(pick(thought.mix[None, :], dice)[0])].card
    told = Answer(Play(card), *because_card(turn, card))
    return told if thought.tried is None else with_worth(told, turn, thought.tried)


class Thought(Struct, frozen=True):
    """What a seat makes of its legal cards: how it mixes them, and what each brought it."""

    mix: Floats
    tried: Floats | None = None
    """Its share of the win with each card at each imagined table."""


def with_worth(told: Answer, turn: Turn, tried: Floats) -> Answer:
    """Add what each card is worth, best first, and the reason for the best."""
    shares = mean(tried, 1)
    order = np.argsort(-shares, kind="stable")
    best = turn.legal[order[0]].card
    return replace(
        told,
        worth=tuple((turn.legal[at], float(shares[at])) for at in order),
        doubt=doubts(tried[order]),
        why=because_card(turn, best),
    )


def doubts(tried: Floats) -> tuple[float, ...]:
    """Say how far the gaps to the first way may be off; all were tried at the same tables."""
    return (0.0, *(doubt.of_pairs((tried[0] - other).tolist()) for other in tried[1:]))


def weigh(turn: Turn, depth: Depth, dice: Dice) -> Thought:
    """Weigh the cards that a seat may lay."""
    worlds = imagined(turn, depth, dice)
    cards = np.array([move.card - LOWEST for move in turn.legal])
    seat = np.array([turn.seat])
    habit = card_chances(worlds, np.zeros(1, np.int64), seat)[0, cards]
    if not depth.reveals or len(cards) == 1:
        return Thought(habit)
    trial = try_cards(worlds, turn.seat, cards, depth, dice)
    tried = trial.shares[:, :, turn.seat]
    if len(turn.view.inside) == 2:
        habit = duel_mix(worlds, turn.seat, trial)[cards]
    return Thought(sharpen(habit, mean(tried, 1), depth.mixing), tried)


def imagined(turn: Turn, depth: Depth, dice: Dice) -> Worlds:
    """Imagine as many tables as a level does."""
    if not depth.reveals:
        return glance(turn, dice)
    return imagine(turn, max(1, round(depth.worlds * turn.effort)), dice)


def sharpen(habit: Floats, shares: Floats, mixing: float) -> Floats:
    """Shift the learned mix towards the cards that look better, as far as the look is clear."""
    gain = (shares - shares.max()) / mixing
    mix = np.maximum(habit, 1e-3) * exp(np.maximum(gain, -50.0))
    return on_grid(mix / total(mix, 0))


class Trial(Struct, frozen=True):
    """What came of trying each card at each imagined table: what all laid, and what shares."""

    laid: Ints
    shares: Floats


def try_cards(worlds: Worlds, seat: int, cards: Ints, depth: Depth, dice: Dice) -> Trial:
    """Try each card at each imagined table, and let the learned players finish the round."""
    count = len(worlds)
    first = lay(worlds, np.arange(count), dice)
    tried = worlds.take(np.tile(np.arange(count), len(cards)))
    laid = np.tile(first, (len(cards), 1))
    laid[:, seat] = np.repeat(cards, count)
    start = tried.round.copy()
    rows = np.arange(len(tried))
    tried.play(rows, laid)
    go_on(tried, start, depth.reveals - 1, dice)
    shape = (len(cards), count, worlds.seats)
    return Trial(laid.reshape(shape), win_shares(tried, rows).reshape(shape))


def duel_mix(worlds: Worlds, seat: int, trial: Trial) -> Floats:
    """Mix as in the equilibrium of the last two: neither knows the other's hand [B12].

    What winning brings and a card costs each of them is read off the cards that were tried.
    """
    rival = next(int(other) for other in np.flatnonzero(worlds.inside[0]) if other != seat)
    ahead = int(worlds.at[0, seat] - worlds.at[0, rival])
    lead = ahead + trial.laid[:, :, seat] - trial.laid[:, :, rival]
    payoffs = tuple(
        stakes(side * lead, trial.laid[:, :, who], trial.shares[:, :, who], side * ahead)
        for who, side in ((seat, 1), (rival, -1))
    )
    theirs = worlds.hands[:, rival]
    mine = np.concatenate([worlds.hands[:1, seat], np.roll(theirs, 1, 0)])
    mixes = guessed_duel((mine, theirs), payoffs, DUEL_ROUNDS)
    return np.asarray(mixes[0][0])


def stakes(lead: Ints, cards: Ints, shares: Floats, ahead: int) -> Floats:
    """Give what a pair of cards brings one of the last two, by least squares."""
    settled = lead != 0
    won = (lead > 0)[settled].astype(np.int64)
    plate, card = slopes(won, cards[settled], shares[settled])
    return plate * race(ahead) + card * np.arange(KINDS)[:, None]


def slopes(one: Ints, two: Ints, shares: Floats) -> tuple[float, float]:
    """Say by how much shares rise with each of two numbers, by least squares.

    All is counted in whole numbers. A trace of a ridge keeps small what nothing tells, such as
    what winning brings where all have won.
    """
    grains = np.rint(shares * (1 << SHARES)).astype(np.int64)
    many, ones, twos = RIDGE * len(one), RIDGE * int(one.sum()), RIDGE * int(two.sum())
    both = RIDGE * int((one * two).sum())
    squares = RIDGE * int((one * one).sum()), RIDGE * int((two * two).sum())
    columns = (many + 1, ones, twos), (ones, squares[0] + 1, both), (twos, both, squares[1] + 1)
    risen = int(grains.sum()), int((one * grains).sum()), int((two * grains).sum())
    wanted = RIDGE * risen[0], RIDGE * risen[1], RIDGE * risen[2]
    whole = determinant(*columns) << SHARES
    return (
        determinant(columns[0], wanted, columns[2]) / whole,
        determinant(columns[0], columns[1], wanted) / whole,
    )


def determinant(one: Column, two: Column, three: Column) -> int:
    """Give the determinant of three columns."""
    (a, b, c), (d, e, f), (g, h, i) = one, two, three
    return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e)


def go_on(worlds: Worlds, start: Ints, reveals: int, dice: Dice) -> None:
    """Let the learned players finish the round, or some reveals of it."""
    for _ in range(reveals):
        rows = np.flatnonzero(~worlds.over & (worlds.round == start))
        if not len(rows):
            return
        trade(worlds, rows[worlds.exchanging[rows] != NOBODY], dice)
        worlds.play(rows, lay(worlds, rows, dice))
    trade(worlds, np.flatnonzero(~worlds.over & (worlds.exchanging != NOBODY)), dice)


def lay(worlds: Worlds, rows: Ints, dice: Dice) -> Ints:
    """Let everybody inside lay a card."""
    laid = np.zeros((len(rows), worlds.seats), np.int64)
    which, seat = np.nonzero(worlds.inside[rows])
    laid[which, seat] = pick(card_chances(worlds, rows[which], seat), dice)
    return laid


def trade(worlds: Worlds, rows: Ints, dice: Dice) -> None:
    """Let those who may exchange cards do so."""
    if len(rows):
        seats = worlds.exchanging[rows]
        gives = dice.random((len(rows), KINDS)) < exchange_chances(worlds, rows, seats)
        worlds.exchange(rows, gives * worlds.hands[rows, seats])


def swap(turn: Turn, worlds: Worlds, depth: Depth, dice: Dice) -> Answer:
    """Choose which cards to give away [B10]."""
    rows, seat = np.arange(len(worlds)), turn.seat
    hand = worlds.hands[0, seat]
    habit = exchange_chances(worlds, rows[:1], np.array([seat]))[0]
    usual = np.where(habit > 0.5, hand, 0)
    if not depth.reveals:
        return Answer(*because_swap(given_cards(usual)))
    ways = [usual, *(np.where(np.arange(KINDS) < limit, hand, 0) for limit in range(8))]
    ways += [np.where((np.arange(KINDS) < 7) & (np.arange(KINDS) > keep), hand, 0)
             for keep in (0, 1)]  # fmt: skip
    found: dict[tuple[int, ...], Floats] = {}
    for way in ways:
        cards = given_cards(way)
        if cards not in found:
            tried = worlds.take(rows)
            tried.exchange(rows, np.tile(way, (len(rows), 1)))
            go_on(tried, worlds.round, depth.reveals, dice)
            found[cards] = win_shares(tried, rows)[:, seat]
    ranked = sorted(found.items(), key=lambda item: -mean(item[1], 0))
    worth = tuple((Exchange(cards), float(mean(shares, 0))) for cards, shares in ranked)
    unsure = doubts(np.array([shares for _, shares in ranked]))
    return Answer(*because_swap(ranked[0][0]), worth, unsure)


def given_cards(counts: Ints) -> tuple[int, ...]:
    """List cards from their counts."""
    return tuple(int(card) for card in np.repeat(np.arange(LOWEST, KINDS + LOWEST), counts))
