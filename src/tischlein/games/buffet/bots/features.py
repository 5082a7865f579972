"""What the networks read of a table: numbers from the side of one seat."""

from typing import Final

import numpy as np

from tischlein.bots.arrays import Flags, Floats, Ints
from tischlein.games.buffet.bots.worlds import (
    KINDS,
    LOWEST,
    NO_CARD,
    NOBODY,
    PLATES,
    Worlds,
)
from tischlein.games.buffet.rules import FOODS, SEATS, SHORT_TABLE, buffet_size

RIVALS: Final = SEATS[-1] - 1
EARLY: Final = SEATS[-1] - 2
"""How many mice may leave before the last two."""
PLACES: Final = EARLY + 4
"""Places in the race: leaving early, behind and ahead at last, and two plates of a second part."""
COMMON: Final = 4 + 2 + 4 + 1 + 5 + 3 * KINDS + 1 + 2 + 1 + 3 + 4 * len(FOODS) + PLACES
RIVAL: Final = 8 + PLACES + len(FOODS)
SEEN: Final = COMMON + RIVALS * RIVAL
"""How many numbers a seat sees."""
WHOLE: Final = SEEN + RIVALS * KINDS
"""How many numbers tell the whole table, all hands face up."""

NO_PLATE: Final = 99
THIRDS: Final = np.arange(11) / 3.0
TENTHS: Final = np.arange(11) / 10.0
"""Parts of what there are ten of, and none."""


def seen_by(worlds: Worlds, rows: Ints, seats: Ints) -> Floats:
    """Give what each of some seats sees at its table."""
    n = worlds.seats
    out = np.zeros((len(rows), SEEN))
    fill = Filler(out)
    tables, of = np.unique(rows, return_inverse=True)
    order = (seats[:, None] + np.arange(1, n)) % n
    mine, theirs = of * n + seats, (of * n)[:, None] + order  # places in what is flat below
    inside, at = worlds.inside[tables], worlds.at[tables]
    hands, tops = worlds.hands[tables], worlds.tops[tables]
    scores = tops.sum(2)
    flat_at, flat_scores = at.ravel(), scores.ravel()
    hand = hands.reshape(-1, KINDS)[mine]
    rivals_in = inside.ravel()[theirs]
    rivals_at = flat_at[theirs] - flat_at[mine][:, None]
    rivals_score = flat_scores[theirs] - flat_scores[mine][:, None]

    fill(stages(worlds, tables)[of])
    fill(inside.ravel()[mine][:, None])
    fill((inside.sum(1)[:, None] == np.arange(2, 7))[of])
    fill(THIRDS[hand])
    fill(hand > 0)
    fill(TENTHS[10 - hand - worlds.shown[tables][of]])
    fill((hand.sum(1) / 9.0)[:, None])
    fill((np.minimum(np.where(rivals_in, rivals_at, 99).min(1), 30) / 9.0)[:, None])
    fill((np.maximum(np.where(rivals_in, rivals_at, -99).max(1), -30) / 9.0)[:, None])
    fill((worlds.token[rows] == seats)[:, None])
    fill((flat_scores[mine] / 20.0)[:, None])
    fill((rivals_score.max(1) / 10.0)[:, None])
    fill((rivals_score.sum(1) / (n - 1) / 10.0)[:, None])
    fifths = (tops / 5.0).reshape(-1, len(FOODS))
    fill(fifths[mine])
    fill(plates_to_win(worlds, tables)[of])
    prizes = (prizes_by_place(worlds, tables) / 5.0).reshape(-1, PLACES)
    fill(prizes[mine])
    rival = from_anywhere(worlds, tables, prizes, fifths)[theirs]
    rival[:, :, 2] = (rivals_at * rivals_in) / 9.0
    rival[:, :, 4] = rivals_score / 10.0
    fill(rival.reshape(len(rows), (n - 1) * RIVAL))
    return out


def stages(worlds: Worlds, tables: Ints) -> Floats:
    """Tell how far the games at some tables have come."""
    rounds = (PLATES - worlds.next_plate[tables]) // buffet_size(worlds.seats)
    told = [
        np.broadcast_to(np.eye(4)[worlds.seats - 3], (len(tables), 4)),
        (worlds.part[tables] == 2)[:, None],
        (worlds.exchanging[tables] != NOBODY)[:, None],
        (rounds / 8.0)[:, None],
        rounds[:, None] == np.arange(3),
    ]
    return np.concatenate(told, 1)


def plates_to_win(worlds: Worlds, tables: Ints) -> Floats:
    """Tell how many plates of each food are left, what they are worth, and what is to be beaten."""
    count, total = plates_left(worlds, tables)
    return np.concatenate([count / 6.0, total / 14.0, worlds.tops[tables].max(1) / 5.0], 1)


def from_anywhere(worlds: Worlds, tables: Ints, prizes: Floats, tops: Floats) -> Floats:
    """Tell what each seat is like as a rival, as far as that does not depend on who looks."""
    n, last = worlds.seats, worlds.last[tables]
    told = np.zeros((len(tables) * n, RIVAL))
    told[:, 0] = 1
    told[:, 1] = worlds.inside[tables].ravel()
    told[:, 3] = worlds.hands[tables].sum(2).ravel() / 9.0
    told[:, 5] = (last != NO_CARD).ravel()
    told[:, 6] = np.where(last == NO_CARD, 0, last + LOWEST).ravel() / 9.0
    told[:, 7] = (worlds.token[tables][:, None] == np.arange(n)).ravel()
    told[:, 8 : 8 + PLACES] = prizes
    told[:, 8 + PLACES :] = tops
    return told


class Filler:
    """Fills an array from left to right."""

    def __init__(self, out: Floats) -> None:
        self.out, self.at = out, 0

    def __call__(self, part: Floats | Ints | Flags) -> None:
        """Put the next columns in."""
        self.out[:, self.at : self.at + part.shape[1]] = part
        self.at += part.shape[1]


def whole_from(worlds: Worlds, rows: Ints, seats: Ints) -> Floats:
    """Give the whole table as seen from some seats, with the hands of the others."""
    n = worlds.seats
    out = np.zeros((len(rows), WHOLE))
    out[:, :SEEN] = seen_by(worlds, rows, seats)
    order = (seats[:, None] + np.arange(1, n)) % n
    hands = worlds.hands[rows[:, None], order] / 3.0
    out[:, SEEN : SEEN + (n - 1) * KINDS] = hands.reshape(len(rows), (n - 1) * KINDS)
    return out


def prizes_by_place(worlds: Worlds, rows: Ints) -> Ints:
    """Say what each place in the race brings each seat, in points; 0 where there is no such place.

    First those who leave early, the next to leave first; then of the last two the one behind and
    the one ahead; then the plates of a second part [B21].
    """
    inside = worlds.inside[rows].sum(1)[:, None]
    eats = ((worlds.part[rows] == 1) & (worlds.seats == SHORT_TABLE))[:, None]  # [B20]
    early = np.arange(EARLY)[None, :]
    behind = inside - 2
    from_right = np.concatenate(
        [np.where(early < inside - 2, early, NO_PLATE), np.where(eats, behind, NO_PLATE),
         behind + eats, np.where(eats, behind + 2, NO_PLATE), np.where(eats, behind + 3, NO_PLATE)],
        axis=1,
    )  # fmt: skip
    at = worlds.laid[rows][:, None] - 1 - from_right
    there = (from_right != NO_PLATE) & (at >= 0)
    plates = worlds.buffet[rows[:, None], np.where(there, at, 0)]
    worth = worlds.values[plates][:, None, :]
    tops = np.take_along_axis(worlds.tops[rows], (plates // 6)[:, None, :], 2)
    return np.where(there[:, None, :], worth - tops, 0)


def plates_left(worlds: Worlds, rows: Ints) -> tuple[Ints, Ints]:
    """Count the plates to come, food by food, and sum their values."""
    hidden = np.arange(PLATES) >= worlds.next_plate[rows][:, None]
    plates = worlds.plates[rows]
    spread = np.zeros((len(rows), PLATES), bool)
    np.put_along_axis(spread, plates, hidden, 1)
    by_food = spread.reshape(len(rows), len(FOODS), 6)
    return by_food.sum(2), (by_food * worlds.values[:6]).sum(2)
