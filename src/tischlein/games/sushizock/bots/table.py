"""Positions between turns as arrays, and all that a turn can make of them, many at once.

A position is a board of lines of twelve places: both rows, then sushi and bones of each seat,
from the one who moves on clockwise. Places are filled from the left; 0 is an empty one.
"""

import random
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from msgspec import Struct

from tischlein.bots.arrays import Flags, Floats, Ints
from tischlein.games.sushizock.bots import dice
from tischlein.games.sushizock.rules import BONES, Forced, Move, State, Steal, Take

Boards = Ints

PLACES: Final = len(BONES)
BY_DICE: Final = 5
"""So many portions of a row can be reached by dice."""
WITHOUT: Final[Ints] = np.array(
    [[*range(at), *range(at + 1, PLACES), PLACES] for at in range(PLACES)]
)
"""The places of a line after one is taken out of it; the last is empty."""


class Slots(Struct, frozen=True):
    """All ends of a turn at a table of some seats, told apart by victim and depth."""

    line: Ints
    """The line of the board that the tile comes from."""
    nth: Ints
    """Which place of a row, or how deep in a pile, from 1; 0 is the forced take."""
    bones: Flags
    option: Ints
    """The option of the turn; a top tile stands for the deep steal too."""


class Ends(Struct, frozen=True):
    """What a turn can make of each position of a batch."""

    position: Ints
    slot: Ints
    boards: Boards
    """After the turn, seen by the seat that moves next."""


@cache
def slots(seats: int) -> Slots:
    """List the ends of a turn: takes, the forced one, steals of each victim and depth."""
    takes = [(row, nth, row == 1, 5 * row + nth) for row in (0, 1) for nth in range(1, BY_DICE + 1)]
    forced = [(1, 0, True, dice.FORCED), (0, 0, False, dice.FORCED)]
    steals = [
        (
            2 + 2 * victim + kind,
            depth,
            kind == 1,
            dice.STEAL["bones" if kind else "sushi", depth > 1],
        )
        for victim in range(1, seats)
        for kind in (0, 1)
        for depth in range(1, PLACES + 1)
    ]
    line, nth, bones, option = zip(*takes, *forced, *steals, strict=True)
    return Slots(np.array(line), np.array(nth), np.array(bones), np.array(option))


def board_of(
    sushi: Sequence[int], bones: Sequence[int], piles: Sequence[Sequence[Sequence[int]]], turn: int
) -> Boards:
    """Write a position down, seen by the seat that moves."""
    lines = [sushi, bones]
    for at in range(len(piles)):
        lines += piles[(turn + at) % len(piles)]
    return np.array([[*line, *[0] * (PLACES - len(line))] for line in lines], np.int64)


def board_of_state(state: State) -> Boards:
    """Write down the position in which this turn began."""
    return board_of(state.sushi, state.bones, state.piles, state.turn or 0)


def ends(boards: Boards) -> Ends:
    """Find all ends of a turn in a batch of boards."""
    ways = slots(seats_of(boards))
    sizes = (boards != 0).sum(axis=2)
    allowed = (ways.nth > 0) & (ways.nth <= sizes[:, ways.line])
    allowed[:, 2 * BY_DICE] = sizes[:, 1] > 0
    allowed[:, 2 * BY_DICE + 1] = (sizes[:, 1] == 0) & (sizes[:, 0] > 0)
    position, slot = np.nonzero(allowed)
    return Ends(position, slot, after(boards, sizes, position, slot))


def after(boards: Boards, sizes: Ints, position: Ints, slot: Ints) -> Boards:
    """Move one tile on each board to the player who moves; the turn passes on."""
    ways = slots(seats_of(boards))
    line, nth, many = ways.line[slot], ways.nth[slot], np.arange(len(slot))
    place = np.where(line < 2, nth - 1, sizes[position, line] - nth)
    forced = nth == 0
    place[forced] = np.where(  # the worst bone, or the smallest sushi [S17]
        boards[position[forced], line[forced]] == 0, 127, boards[position[forced], line[forced]]
    ).argmin(axis=1)
    found = boards[position]
    tile = found[many, line, place]
    padded = np.concatenate([found[many, line], np.zeros((len(slot), 1), np.int64)], axis=1)
    found[many, line] = np.take_along_axis(padded, WITHOUT[place], axis=1)
    mine = np.where(ways.bones[slot], 3, 2)
    found[many, mine, sizes[position, mine]] = tile
    return np.concatenate([found[:, :2], found[:, 4:], found[:, 2:4]], axis=1)


def seats_of(boards: Boards) -> int:
    """Say how many play."""
    return int(boards.shape[1]) // 2 - 1


def scores(boards: Boards) -> Ints:
    """Count the points of each seat [S21] [S22]."""
    sushi, bones = boards[:, 2::2], boards[:, 3::2]
    counted = np.arange(PLACES) < (bones != 0).sum(axis=2)[:, :, None]
    points: Ints = (sushi * counted).sum(axis=2) + bones.sum(axis=2)
    return points


def shares(boards: Boards) -> Floats:
    """Share the win as if the game ended now [S22]."""
    points = scores(boards)
    best = points == points.max(axis=1, keepdims=True)
    found: Floats = best / best.sum(axis=1, keepdims=True)
    return found


def prints(boards: Boards) -> Ints:
    """Give each board a number that in all likelihood no other board has."""
    lines = boards.reshape(len(boards), -1)
    return lines @ keys(lines.shape[1])


@cache
def keys(many: int) -> Ints:
    """Give large numbers, the same ones always; what they sum to may run over."""
    source = random.Random(0)  # noqa: S311
    return np.array([source.getrandbits(62) for _ in range(many)], np.int64)


def is_over(boards: Boards) -> Flags:
    """Say where both rows are empty [S20]."""
    found: Flags = (boards[:, 0, 0] == 0) & (boards[:, 1, 0] == 0)
    return found


def slot_of(seats: int, turn: int, whole: tuple[int, ...], move: Move) -> int:
    """Find the slot of an end of the turn; a forced sushi stands right after the forced bone."""
    if isinstance(move, Take):
        return whole[0] - 1 if move.row == "sushi" else BY_DICE + whole[1] - 1
    if isinstance(move, Steal):
        victim = (move.victim - turn) % seats
        return (
            2 * BY_DICE + 2 + (2 * (victim - 1) + (move.pile == "bones")) * PLACES + move.depth - 1
        )
    assert isinstance(move, Forced)  # noqa: S101
    return 2 * BY_DICE
