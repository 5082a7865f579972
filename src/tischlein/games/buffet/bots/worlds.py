"""Many tables at once: the rules of a round over arrays, quick enough to imagine thousands of them.

Cards are numbered by their value plus one (−1 is 0, 9 is 10), plates by six times the rank of
their food plus the place of their value among the six. `tests/games/buffet/test_bots.py` plays
whole games here and by the rules.
"""

from collections.abc import Sequence
from typing import Final, Self

import numpy as np

from tischlein.bots.arrays import Dice, Flags, Floats, Ints
from tischlein.games.buffet.rules import (
    CARDS,
    FOODS,
    HAND,
    RANK,
    SHORT_TABLE,
    Options,
    State,
    buffet_size,
)

KINDS: Final = 11
LOWEST: Final = -1
MOST_PLATES: Final = 5
PLATES: Final = 36
NOBODY: Final = -1
NO_CARD: Final = -1


class Worlds:
    """A batch of tables with the same number of seats and the same house rules."""

    def __init__(self, count: int, seats: int, options: Options, rng: Dice) -> None:
        self.seats, self.options, self.rng = seats, options, rng
        self.values: Ints = np.tile(np.array(options.plate_values, np.int64), len(FOODS))
        self.falling = falling_order(options)
        self.hands: Ints = np.zeros((count, seats, KINDS), np.int64)
        self.stock: Ints = np.zeros((count, len(CARDS)), np.int64)
        self.top: Ints = np.zeros(count, np.int64)
        self.size: Ints = np.zeros(count, np.int64)
        self.shown: Ints = np.zeros((count, KINDS), np.int64)
        self.covered: Ints = np.zeros((count, KINDS), np.int64)
        self.plates: Ints = np.zeros((count, PLATES), np.int64)
        self.next_plate: Ints = np.zeros(count, np.int64)
        self.buffet: Ints = np.zeros((count, MOST_PLATES), np.int64)
        self.laid: Ints = np.zeros(count, np.int64)
        self.tops: Ints = np.zeros((count, seats, len(FOODS)), np.int64)
        self.at: Ints = np.zeros((count, seats), np.int64)
        self.inside: Flags = np.ones((count, seats), bool)
        self.token: Ints = np.zeros(count, np.int64)
        self.part: Ints = np.ones(count, np.int64)
        self.round: Ints = np.zeros(count, np.int64)
        self.exchanging: Ints = np.full(count, NOBODY, np.int64)
        self.last: Ints = np.full((count, seats), NO_CARD, np.int64)
        self.over: Flags = np.zeros(count, bool)

    def __len__(self) -> int:
        return len(self.over)

    @classmethod
    def dealt(cls, count: int, seats: int, rng: Dice, options: Options | None = None) -> Self:
        """Set many tables for a new game [B5]."""
        worlds = cls(count, seats, options or Options(), rng)
        worlds.deal(np.arange(count))
        return worlds

    @classmethod
    def of(cls, states: Sequence[State], rng: Dice) -> Self:
        """Pack whole states of the rules, when nature has nothing to do."""
        worlds = cls(len(states), states[0].seats, states[0].options, rng)
        for row, state in enumerate(states):
            worlds.put(row, state)
        return worlds

    def put(self, row: int, state: State) -> None:
        """Pack one state; cards that lie face down are back in their hands."""
        for seat, hand in enumerate(state.hands):
            card = state.played[seat]
            hand = hand if card is None else (*hand, card)
            self.hands[row, seat] = np.bincount(np.array(hand, np.int64) - LOWEST, minlength=KINDS)
        self.size[row], self.top[row] = len(state.stock), 0
        self.stock[row, : len(state.stock)] = np.array(state.stock, np.int64) - LOWEST
        for card, face_up in state.discard:
            (self.shown if face_up else self.covered)[row, card - LOWEST] += 1
        place = {value: at for at, value in enumerate(state.options.plate_values)}
        number = [RANK[food] * 6 + place[value] for food, value in state.plates]
        self.plates[row, PLATES - len(number) :] = number
        self.next_plate[row] = PLATES - len(number)
        self.laid[row] = len(state.buffet)
        self.buffet[row, : len(state.buffet)] = [
            RANK[food] * 6 + place[value] for food, value in state.buffet
        ]
        self.tops[row] = [[stack[-1] if stack else 0 for stack in own] for own in state.stacks]
        self.at[row] = state.at
        self.inside[row] = False
        self.inside[row, list(state.inside)] = True
        self.token[row], self.part[row], self.round[row] = state.token or 0, state.part, state.round
        self.exchanging[row] = NOBODY if state.exchanging is None else state.exchanging
        self.over[row] = state.over
        self.last[row] = NO_CARD
        fresh = (self.hands[row].sum(1) == HAND).all()
        if state.revealed is not None and not fresh:
            for seat, card in state.revealed.cards:
                self.last[row, seat] = card - LOWEST

    def take(self, rows: Ints) -> "Worlds":
        """Copy some tables, also several times."""
        copy = Worlds.__new__(Worlds)
        for name, value in vars(self).items():
            batched = isinstance(value, np.ndarray) and name not in ("values", "falling")
            setattr(copy, name, value[rows] if batched else value)
        return copy

    def deal(self, rows: Ints) -> None:
        """Shuffle cards and plates, draw the token and lay the first buffet [B5]."""
        deck = np.sort(np.array(CARDS, np.int64) - LOWEST)
        self.stock[rows] = self.rng.permuted(np.tile(deck, (len(rows), 1)))
        self.top[rows], self.size[rows] = 0, len(CARDS)
        self.plates[rows] = self.rng.permuted(np.tile(np.arange(PLATES), (len(rows), 1)))
        self.next_plate[rows] = 0
        for array in (self.hands, self.shown, self.covered, self.tops, self.round):
            array[rows] = 0
        self.over[rows] = False
        self.exchanging[rows] = NOBODY
        self.token[rows] = 0
        starter = self.options.starter
        if starter is None:
            chosen = self.rng.many_below(self.seats, len(rows))
        else:
            chosen = np.full(len(rows), starter)
        self.new_round(rows)  # with the token at seat 0: the top nine cards go there [B5]
        self.token[rows] = chosen

    def new_round(self, rows: Ints) -> None:
        """Call everybody in and fill all hands to nine [B15], or end the game [B16]."""
        needed = buffet_size(self.seats)
        ended = PLATES - self.next_plate[rows] < needed
        self.over[rows[ended]] = True
        rows = rows[~ended]
        if not len(rows):
            return
        self.round[rows] += 1
        self.part[rows] = 1
        self.at[rows] = 0
        self.inside[rows] = True
        self.last[rows] = NO_CARD
        self.draw(rows, HAND - self.hands[rows].sum(2))
        self.lay_buffet(rows, needed)

    def lay_buffet(self, rows: Ints, needed: int) -> None:
        """Lay plates out by falling value, equal ones by the rank of their food [B6] [B19]."""
        at = self.next_plate[rows][:, None] + np.arange(needed)
        laid = self.plates[rows[:, None], at]
        order = np.argsort(self.falling[laid], axis=1, kind="stable")
        self.buffet[rows, :needed] = np.take_along_axis(laid, order, 1)
        self.laid[rows] = needed
        self.next_plate[rows] += needed

    def draw(self, rows: Ints, need: Ints) -> None:
        """Draw cards, from the token's holder clockwise; shuffle the discards at need [B15]."""
        seats = (self.token[rows][:, None] + np.arange(self.seats)) % self.seats
        wanted = np.take_along_axis(need, seats, 1)
        total = wanted.sum(1)
        seat = np.repeat(seats.ravel(), wanted.ravel())
        of = np.repeat(np.arange(len(rows)), total)
        nth = np.arange(len(of)) - np.repeat(np.cumsum(total) - total, total)
        game, place = rows[of], self.top[rows][of] + nth
        short = place >= self.size[rows][of]
        self._serve(game[~short], seat[~short], place[~short])
        self.top[rows] += total
        lacking = rows[self.top[rows] > self.size[rows]]
        if len(lacking):
            sizes = self.size.copy()
            self.shuffle(lacking)
            self._serve(game[short], seat[short], place[short] - sizes[game[short]])
            self.top[lacking] -= sizes[lacking]

    def _serve(self, game: Ints, seat: Ints, place: Ints) -> None:
        """Put cards of the stock into hands."""
        np.add.at(self.hands, (game, seat, self.stock[game, place]), 1)

    def shuffle(self, rows: Ints) -> None:
        """Make the discard pile the stock [B15]."""
        counts = self.shown[rows] + self.covered[rows]
        size = counts.sum(1)
        kinds = np.tile(np.arange(KINDS), len(rows))
        cards = np.repeat(kinds, counts.ravel())
        filled = np.arange(len(CARDS)) < size[:, None]
        pile = np.zeros(filled.shape, np.int64)
        pile[filled] = cards
        keys = np.where(filled, self.rng.random(filled.shape), 2.0)
        self.stock[rows] = np.take_along_axis(pile, np.argsort(keys, axis=1, kind="stable"), 1)
        self.size[rows] = size
        self.shown[rows] = 0
        self.covered[rows] = 0

    def exchange(self, rows: Ints, given: Ints) -> None:
        """Let the first mouse out give cards away for as many from the stock [B10]."""
        seat = self.exchanging[rows]
        self.hands[rows, seat] -= given
        need = np.zeros((len(rows), self.seats), np.int64)
        need[np.arange(len(rows)), seat] = given.sum(1)
        self.draw(rows, need)
        self.covered[rows] += given
        self.exchanging[rows] = NOBODY
        self._feed(rows)

    def play(self, rows: Ints, cards: Ints) -> None:
        """Reveal a card of everybody inside; the mouse alone at the back leaves [B7] [B9]."""
        which, seat = np.nonzero(self.inside[rows])
        laid = cards[which, seat]
        np.add.at(self.hands, (rows[which], seat, laid), -1)
        np.add.at(self.shown, (rows[which], laid), 1)
        self.last[rows] = NO_CARD
        self.last[rows[which], seat] = laid
        self.at[rows[which], seat] += laid + LOWEST
        place = np.where(self.inside[rows], self.at[rows], 30000)
        back = place.argmin(1)
        alone = (place == place.min(1)[:, None]).sum(1) == 1
        self._leave(rows[alone], back[alone])
        self._feed(rows[~self.over[rows]])

    def _leave(self, rows: Ints, seat: Ints) -> None:
        """Let mice go with the rightmost plates; the last two settle it [B9] [B12]."""
        count = self.inside[rows].sum(1)
        more = count > 2
        going, who = rows[more], seat[more]
        self.inside[going, who] = False
        self._pass_token(going)
        self._win_plate(going, who)
        first = (self.part[going] == 1) & (count[more] == self.seats)
        self.exchanging[going[first]] = who[first]
        settled, behind = rows[~more], seat[~more]
        self.inside[settled, behind] = False
        ahead = self.inside[settled].argmax(1)
        self.token[settled] = ahead  # [B14]
        eating = (self.part[settled] == 1) & (self.seats == SHORT_TABLE)  # [B20]
        self._win_plate(settled[eating], behind[eating])
        self._win_plate(settled, ahead)
        self.part[settled[eating]] = 2
        self.inside[settled[eating]] = True  # [B21]
        self.new_round(settled[~eating])

    def _pass_token(self, rows: Ints) -> None:
        """Give the token to the next mouse clockwise that is still in [B14]."""
        order = (self.token[rows][:, None] + np.arange(self.seats)) % self.seats
        still = np.take_along_axis(self.inside[rows], order, 1)
        self.token[rows] = order[np.arange(len(rows)), still.argmax(1)]

    def _win_plate(self, rows: Ints, seat: Ints) -> None:
        """Put the rightmost plate on top of a stack [B17]."""
        self.laid[rows] -= 1
        plate = self.buffet[rows, self.laid[rows]]
        self.tops[rows, seat, plate // 6] = self.values[plate]

    def _feed(self, rows: Ints) -> None:
        """Whoever has to play and has no card draws nine [B13]."""
        sizes = self.hands[rows].sum(2)
        empty = self.inside[rows] & (sizes == 0) & (self.exchanging[rows] == NOBODY)[:, None]
        some = empty.any(1)
        if some.any():
            self.draw(rows[some], np.where(empty[some], HAND, 0))

    def shares(self, rows: Ints) -> Floats:
        """Say who has won, or would if the game ended now; a tie food by food [B18]."""
        tops = self.tops[rows]
        key = tops.sum(2)
        for food in range(len(FOODS)):
            key = key * 256 + tops[:, :, food]
        best = key == key.max(1)[:, None]
        shares: Floats = best / best.sum(1)[:, None]
        return shares


def falling_order(options: Options) -> Ints:
    """Number the plates in the order in which they are laid, the best first [B6]."""
    values = np.tile(np.array(options.plate_values), len(FOODS))
    order: Ints = -values * 64 + np.repeat(np.arange(len(FOODS)), 6)
    return order
