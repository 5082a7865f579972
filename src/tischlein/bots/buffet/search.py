"""Look ahead from a seat: imagine the hidden cards many times, let the learned players go on.

Every legal move is tried at the same imagined tables against the same cards of the others, so
that chance hardly blurs the comparison. How well a round ends is judged by the value network.
"""

from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.bots.buffet.memory import glance, imagine
from tischlein.bots.buffet.net import card_chances, exchange_chances, pick, win_shares
from tischlein.bots.buffet.reasons import because_card, because_swap
from tischlein.bots.buffet.worlds import KINDS, LOWEST, NOBODY, Ints, Worlds
from tischlein.rules.buffet import Exchange, Play

Values = NDArray[np.float64]


class Depth(Struct, frozen=True):
    """How deep a level thinks."""

    worlds: int
    """How many tables it imagines."""
    reveals: int
    """How many times cards are revealed before the judge is asked; 0 is not at all."""
    mixing: float
    """How much worse a card may be, in shares of the win, and still be laid now and then."""


HARD: Final = Depth(worlds=1, reveals=0, mixing=0.0)
EXPERT: Final = Depth(worlds=64, reveals=8, mixing=0.006)


def hard(turn: Turn, rng: Chance) -> Answer:
    """Play as the network has learned to, without looking ahead."""
    return think(turn, rng, HARD)


def expert(turn: Turn, rng: Chance) -> Answer:
    """Look ahead to the end of the round over many imagined tables."""
    return think(turn, rng, EXPERT)


def think(turn: Turn, rng: Chance, depth: Depth) -> Answer:
    """Answer a turn."""
    dice = np.random.default_rng([rng.below(1 << 30), rng.below(1 << 30)])
    count = max(1, round(depth.worlds * turn.effort))
    worlds = imagine(turn, count, dice) if depth.reveals else glance(turn, dice)
    if isinstance(turn.legal[0], Exchange):
        return swap(turn, worlds, depth, dice)
    one, seat = np.zeros(1, np.int64), np.array([turn.seat])
    habit = card_chances(worlds, one, seat)[0].astype(np.float64)
    cards = np.array([move.card - LOWEST for move in turn.legal])
    if not depth.reveals or len(cards) == 1:
        card = int(pick(habit[None, :], dice)[0])
        return Answer(Play(card + LOWEST), *because_card(turn, card + LOWEST))
    shares = try_cards(worlds, turn.seat, cards, depth, dice)
    mix = sharpen(habit[cards], shares, depth.mixing)
    card = int(cards[pick(mix[None, :], dice)[0]])
    order = np.argsort(-shares, kind="stable")
    worth = tuple((Play(int(cards[at]) + LOWEST), float(shares[at])) for at in order)
    return Answer(Play(card + LOWEST), *because_card(turn, card + LOWEST), worth)


def sharpen(habit: Values, shares: Values, mixing: float) -> Values:
    """Shift the learned mix towards the cards that look better, as far as the look is clear."""
    gain = (shares - shares.max()) / mixing
    mix = np.maximum(habit, 1e-3) * np.exp(np.maximum(gain, -50))
    return np.asarray(mix / mix.sum())


def try_cards(worlds: Worlds, seat: int, cards: Ints, depth: Depth, dice: Any) -> Values:
    """Say what share of the win each card brings."""
    count = len(worlds)
    first = lay(worlds, np.arange(count), dice)
    tried = worlds.take(np.tile(np.arange(count), len(cards)))
    tried.rng = dice
    laid = np.tile(first, (len(cards), 1))
    laid[:, seat] = np.repeat(cards, count)
    start = tried.round.copy()
    rows = np.arange(len(tried))
    tried.play(rows, laid)
    go_on(tried, start, depth.reveals - 1, dice)
    return np.asarray(win_shares(tried, rows)[:, seat].reshape(len(cards), count).mean(1))


def go_on(worlds: Worlds, start: Ints, reveals: int, dice: Any) -> None:
    """Let the learned players finish the round, or some reveals of it."""
    for _ in range(reveals):
        rows = np.flatnonzero(~worlds.over & (worlds.round == start))
        if not len(rows):
            return
        trade(worlds, rows[worlds.exchanging[rows] != NOBODY], dice)
        worlds.play(rows, lay(worlds, rows, dice))
    trade(worlds, np.flatnonzero(~worlds.over & (worlds.exchanging != NOBODY)), dice)


def lay(worlds: Worlds, rows: Ints, dice: Any) -> Ints:
    """Let everybody inside lay a card."""
    laid = np.zeros((len(rows), worlds.seats), np.int64)
    which, seat = np.nonzero(worlds.inside[rows])
    laid[which, seat] = pick(card_chances(worlds, rows[which], seat), dice)
    return laid


def trade(worlds: Worlds, rows: Ints, dice: Any) -> None:
    """Let those who may exchange cards do so."""
    if len(rows):
        seats = worlds.exchanging[rows]
        gives = dice.random((len(rows), KINDS)) < exchange_chances(worlds, rows, seats)
        worlds.exchange(rows, (gives * worlds.hands[rows, seats]).astype(np.int16))


def swap(turn: Turn, worlds: Worlds, depth: Depth, dice: Any) -> Answer:
    """Choose which cards to give away [B10]."""
    rows, seat = np.arange(len(worlds)), turn.seat
    hand = worlds.hands[0, seat].astype(np.int64)
    habit = exchange_chances(worlds, rows[:1], np.array([seat]))[0]
    usual = np.where(habit > 0.5, hand, 0)
    if not depth.reveals:
        return Answer(*because_swap(given_cards(usual)))
    ways = [usual, *(np.where(np.arange(KINDS) < limit, hand, 0) for limit in range(8))]
    ways += [np.where((np.arange(KINDS) < 7) & (np.arange(KINDS) > keep), hand, 0)
             for keep in (0, 1)]  # fmt: skip
    found: dict[tuple[int, ...], float] = {}
    for way in ways:
        cards = given_cards(way)
        if cards not in found:
            tried = worlds.take(rows)
            tried.exchange(rows, np.tile(way, (len(rows), 1)).astype(np.int16))
            found[cards] = float(win_shares(tried, rows)[:, seat].mean())
    ranked = sorted(found.items(), key=lambda item: -item[1])
    worth = tuple((Exchange(cards), share) for cards, share in ranked)
    return Answer(*because_swap(ranked[0][0]), worth)


def given_cards(counts: NDArray[Any]) -> tuple[int, ...]:
    """List cards from their counts."""
    return tuple(int(card) for card in np.repeat(np.arange(LOWEST, KINDS + LOWEST), counts))
