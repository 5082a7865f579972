"""What a seat can know of the hidden cards: it remembers what lay open before a shuffle.

Whatever lay in the discard pile when it was shuffled is the new stock, so a card that a rival has
held since before cannot be one of those. Cards are counted in two pools: those that were in hands
at the last shuffle (old) and those that were shuffled (new); before the first shuffle all are new.
"""

from typing import Final

import numpy as np
from msgspec import Struct

from tischlein.bots.arrays import Dice, Flags, Ints
from tischlein.bots.bot import Turn
from tischlein.game import Seen
from tischlein.games.buffet.bots.worlds import KINDS, LOWEST, PLATES, Worlds
from tischlein.games.buffet.rules import CARDS, HAND, SHORT_TABLE, clockwise
from tischlein.games.buffet.rules import imagine as imagine_one

EACH: Final = len(CARDS) // KINDS


class Spent(Struct, frozen=True):
    """Cards that left a hand since the last shuffle; None where their values are secret."""

    seat: int
    cards: tuple[int | None, ...]


class Story:
    """What everybody could see of a game: the sizes of hands, and which cards went where."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.sizes = [0] * seats
        self.stock = len(CARDS)
        self.token = 0
        self.part = 1
        self.at = [0] * seats
        self.inside = list(range(seats))
        self.laid: dict[int, int] = {}
        self.owed: list[tuple[int, int]] = []
        self.pile: list[int | None] = []
        self.given: Spent | None = None
        self.own: list[int] = []
        self.held: list[int] = [0] * seats
        self.shuffled: list[int | None] = []
        self.spent: list[Spent] = []

    def hear(self, told: Seen) -> None:
        """Follow one move."""
        match told["do"]:
            case "deal":
                self.new_round()
                self.token = told["starter"]
            case "shuffle":
                self.shuffle()
            case "exchange":
                self.exchange(told["by"], tuple(told["cards"]))
            case "play":
                self.laid[told["by"]] = told["card"]
                if len(self.laid) == len(self.inside):
                    self.reveal()

    def shuffle(self) -> None:
        """Begin anew: all hands are old, the discard pile is the stock."""
        self.held, self.shuffled, self.spent = list(self.sizes), self.pile, []
        self.stock, self.pile, self.own = len(self.pile), [], []
        if self.given is not None:  # cards on their way to the discard pile were held too
            self.held[self.given.seat] += len(self.given.cards)
            self.spent.append(self.given)
        self.serve()

    def exchange(self, seat: int, cards: tuple[int | None, ...]) -> None:
        """Let a mouse give cards away [B10]."""
        self.given = Spent(seat, cards)
        self.spent.append(self.given)
        self.sizes[seat] -= len(cards)
        self.owed.append((seat, len(cards)))
        self.serve()

    def reveal(self) -> None:
        """Move the mice; one alone at the back leaves [B7] [B9]."""
        for seat in clockwise(self.token, tuple(self.inside)):
            card = self.laid[seat]
            self.at[seat] += card
            self.sizes[seat] -= 1
            self.pile.append(card)
            self.spent.append(Spent(seat, (card,)))
        self.laid = {}
        back = min(self.at[seat] for seat in self.inside)
        last = [seat for seat in self.inside if self.at[seat] == back]
        if len(last) == 1:
            self.leave(last[0])
        else:
            self.feed()

    def leave(self, seat: int) -> None:
        """Let a mouse go, and the winner too if only one is left [B12] [B21]."""
        exchanges = self.part == 1 and len(self.inside) == self.seats
        self.inside.remove(seat)
        self.token = clockwise(self.token, tuple(self.inside))[0]
        if len(self.inside) > 1:
            if not exchanges:
                self.feed()
        elif self.seats == SHORT_TABLE and self.part == 1:
            self.part, self.inside = 2, list(range(self.seats))
            self.feed()
        else:
            self.new_round()

    def new_round(self) -> None:
        """Call everybody in and fill all hands [B15]."""
        self.part, self.at, self.inside = 1, [0] * self.seats, list(range(self.seats))
        order = clockwise(self.token, tuple(self.inside))
        self.owed = [(seat, HAND - self.sizes[seat]) for seat in order]
        self.serve()

    def feed(self) -> None:
        """Whoever has no card draws nine [B13]."""
        order = clockwise(self.token, tuple(self.inside))
        self.owed = [(seat, HAND) for seat in order if not self.sizes[seat]]
        self.serve()

    def serve(self) -> None:
        """Draw from the stock as far as it goes."""
        while self.owed:
            seat, wanted = self.owed.pop(0)
            drawn = min(wanted, self.stock)
            self.sizes[seat] += drawn
            self.stock -= drawn
            if drawn < wanted:
                self.owed.insert(0, (seat, wanted - drawn))
                return
        if self.given is not None:
            self.pile += self.given.cards
            self.own += [card for card in self.given.cards if card is not None]
            self.given = None
            self.feed()


def follow(turn: Turn) -> Story:
    """Read what has happened so far."""
    story = Story(len(turn.view.hands))
    for told in turn.history:
        story.hear(told)
    return story


class Pools:
    """Guesses at which cards are old and which new, many at once."""

    def __init__(self, story: Story, count: int, dice: Dice) -> None:
        self.dice = dice
        self.every = np.arange(count)
        self.fails: Flags = np.zeros(count, bool)
        self.old: Ints = np.full((count, KINDS), EACH, np.int64)
        self.new: Ints = np.zeros((count, KINDS), np.int64)
        self.held: Ints = np.tile(np.array(story.held), (count, 1))
        self.fresh: Ints = np.zeros_like(self.held)
        self.covered: Ints = np.zeros((count, 2), np.int64)
        if not any(story.held):
            self.old, self.new = self.new, self.old
            return
        for card in story.shuffled:
            if card is not None:
                self.old[:, card - LOWEST] -= 1
                self.new[:, card - LOWEST] += 1
        for _ in range(story.shuffled.count(None)):
            kind = draw(self.old, dice)
            self.old[self.every, kind] -= 1
            self.new[self.every, kind] += 1

    def spend(self, seat: int, card: int | None) -> None:
        """Take a card out of a hand: of an old one, or one drawn since the shuffle."""
        held, fresh = self.held[:, seat], self.fresh[:, seat]
        if not held.any():  # the usual case, at once
            self.fresh[:, seat] -= 1
            if card is None:
                self.covered[:, 1] += 1
            else:
                self.new[:, card - LOWEST] -= 1
                self.fails |= self.new[:, card - LOWEST] < 0
            return
        if card is None:
            is_old = self.dice.random(len(held)) * (held + fresh) < held
            self.covered[self.every, np.where(is_old, 0, 1)] += 1
        else:
            kind = card - LOWEST
            old = held * self.old[:, kind] / np.maximum(self.old.sum(1), 1)
            new = fresh * self.new[:, kind] / np.maximum(self.new.sum(1), 1)
            is_old = self.dice.random(len(held)) * (old + new) < old
            self.fails |= old + new == 0
            self.old[:, kind] -= is_old
            self.new[:, kind] -= ~is_old
        self.held[:, seat] -= is_old
        self.fresh[:, seat] -= ~is_old

    def sound(self) -> "Pools | None":
        """Put guesses that have come out right in the place of those that cannot be."""
        right = np.flatnonzero(~self.fails)
        if not len(right):
            return None
        chosen = np.where(self.fails, self.dice.choice(right, len(self.every)), self.every)
        for name in ("old", "new", "held", "fresh", "covered"):
            setattr(self, name, getattr(self, name)[chosen])
        return self


def draw(counts: Ints, dice: Dice) -> Ints:
    """Draw one card from each pool."""
    sums = counts.cumsum(1)
    return np.asarray((sums <= dice.random(len(counts))[:, None] * sums[:, -1:]).sum(1))


def glance(turn: Turn, dice: Dice) -> Worlds:
    """Imagine the table once, without remembering."""
    return Worlds.of([imagine_one(turn.view, dice)], dice)


def imagine(turn: Turn, count: int, dice: Dice) -> Worlds:
    """Imagine the whole table some times, as it may be from a seat that remembers."""
    story = follow(turn)
    down = [seat in turn.view.played for seat in range(story.seats)]
    sizes = [len(hand) + laid for hand, laid in zip(turn.view.hands, down, strict=True)]
    pools = sort_cards(story, turn, count, dice) if story.sizes == sizes else None
    if pools is None:  # no guess came out right, or nobody has told what was before
        return Worlds.of([imagine_one(turn.view, dice) for _ in range(count)], dice)
    worlds = Worlds.of([imagine_one(turn.view, dice)], dice).take(np.zeros(count, np.int64))
    deal_hidden(worlds, turn, pools, story.own)
    mix_plates(worlds, dice)
    return worlds


def sort_cards(story: Story, turn: Turn, count: int, dice: Dice) -> Pools | None:
    """Guess which of the cards that left the hands were old, the own hand last."""
    pools = Pools(story, count, dice)
    sizes = np.array(story.sizes)
    for seat in range(story.seats):
        gone = sum(len(spent.cards) for spent in story.spent if spent.seat == seat)
        pools.fresh[:, seat] = sizes[seat] + gone - story.held[seat]
    for spent in story.spent:
        for card in spent.cards:
            pools.spend(spent.seat, card)
    for card in turn.view.hands[turn.seat]:
        pools.spend(turn.seat, card)
    return pools.sound()


def deal_hidden(worlds: Worlds, turn: Turn, pools: Pools, own: list[int]) -> None:
    """Deal the cards that a seat does not know to the places where they may be."""
    count, seats = len(worlds), worlds.seats
    stock = int(worlds.size[0])
    places = np.concatenate(
        [pools.held, pools.covered[:, :1], pools.fresh, pools.covered[:, 1:],
         np.full((count, 1), stock)], axis=1
    )  # fmt: skip
    hidden = int(places[0].sum())
    names = np.tile([*range(seats + 1), *range(seats + 2)], count)
    place = np.repeat(names, places.ravel()).reshape(count, hidden)
    kinds = np.tile(np.arange(2 * KINDS), count)
    left = np.concatenate([pools.old, pools.new], axis=1)
    cards = np.repeat(kinds, left.ravel()).reshape(count, hidden)
    order = np.argsort(pools.dice.random(cards.shape) + (cards >= KINDS), axis=1, kind="stable")
    cards = np.take_along_axis(cards, order, 1) % KINDS
    mine = worlds.hands[0, turn.seat].copy()
    table = np.zeros((count, seats + 2, KINDS), np.int64)
    np.add.at(table, (np.arange(count)[:, None], place, cards), 1)
    worlds.hands[:] = table[:, :seats]
    worlds.hands[:, turn.seat] = mine
    known = np.bincount(np.array(own, np.int64) - LOWEST, minlength=KINDS)
    worlds.covered[:] = table[:, seats] + known
    worlds.stock[:, :stock] = cards[:, hidden - stock :]
    worlds.top[:], worlds.size[:] = 0, stock


def mix_plates(worlds: Worlds, dice: Dice) -> None:
    """Shuffle the plates that lie face down."""
    first = int(worlds.next_plate[0])
    if first < PLATES:
        worlds.plates[:, first:] = dice.permuted(worlds.plates[:, first:])
