"""What a table is worth to each seat: the expected share of the win among equal players.

A seat's strength depends on its coins and tiles; its share is its part of all strengths. The
numbers in `chances.json` are made by `research/kakerlaken_chances.py`, which measures what races
among equal players bring, solves the game that this makes exactly, and fits the strengths.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import fsum

import msgspec
from msgspec import Struct

from tischlein.game import changed
from tischlein.games.kakerlaken.rules import (
    COINS_TO_WIN,
    MOST_TILES,
    PLACE,
    THIEF_OF,
    Deed,
    State,
    deciding,
    owing_for_grab,
)

Table = tuple[tuple[int, int], ...]
"""The coins and tiles of each seat."""


class Odds(Struct, frozen=True):
    """What a race among equal players brings, and the strengths by coins and tiles."""

    won: float
    """The chance that somebody wins a tile from the middle."""
    coin: float
    stolen: float
    """The chances that a tile in front of a player brings its owner a coin, or moves; else it goes
    back to the middle [K15] [K18]."""
    named: float
    """The chance that a grabber names the thief rightly and in time."""
    strength: tuple[tuple[float, ...], ...]


@cache
def odds(seats: int) -> Odds:
    """Read the numbers for some seats."""
    text = files(__package__).joinpath("chances.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Odds])[str(seats)]


def shares(table: Table) -> tuple[float, ...]:
    """Give each seat's share between two races; four coins have won [K21]."""
    if max(coins for coins, _ in table) >= COINS_TO_WIN:
        return tuple(float(coins >= COINS_TO_WIN) for coins, _ in table)
    strength = odds(len(table)).strength
    found = [strength[coins][tiles] for coins, tiles in table]
    whole = fsum(found)
    return tuple(one / whole for one in found)


def table_of(state: State) -> Table:
    """Count coins and tiles."""
    return tuple((state.coins[seat], state.owners.count(seat)) for seat in range(state.seats))


def with_tile(table: Table, seat: int, more: int) -> Table:
    """Give a seat a tile more or less; a sixth goes back to the middle [K19]."""
    coins, tiles = table[seat]
    return changed(table, seat, (coins, min(tiles + more, MOST_TILES)))


def with_coin(table: Table, owner: int) -> Table:
    """Give the owner of a tile a coin for it; the tile goes back [K14]."""
    coins, tiles = table[owner]
    return changed(table, owner, (coins + 1, tiles - 1))


def moved(table: Table, owner: int, seat: int) -> Table:
    """Move a tile from its owner to somebody else [K16]."""
    return with_tile(with_tile(table, owner, -1), seat, 1)


def appraise(state: State) -> tuple[float, ...]:
    """Give the expected share of the win of each seat; exact at the end."""
    table = table_of(state)
    if state.roll is None:
        return after_giving(table, state.owing)
    owner = state.owners[PLACE[state.roll]]
    if owner is None:
        return in_slap_race(state, table)
    return in_grab_race(state, table, owner)


def after_giving(table: Table, owing: Sequence[int]) -> tuple[float, ...]:
    """Give the shares once everybody who owes a tile has given it."""
    for seat in owing:
        table = with_tile(table, seat, -1)
    return shares(table)


def in_slap_race(state: State, table: Table) -> tuple[float, ...]:
    """Give the shares while a tile of the middle is raced for."""
    decided = deciding(state)
    owing = owing_for_grab(state, decided)
    if decided is not None:
        return after_giving(with_tile(table, decided[0], 1), owing)
    open_to = [seat for seat, deed in enumerate(state.deeds) if deed is None]
    won = odds(state.seats).won * len(open_to) / state.seats
    ends = [(won / len(open_to), with_tile(table, seat, 1)) for seat in open_to]
    return mixed([(1 - won, table), *ends], owing)


def in_grab_race(state: State, table: Table, owner: int) -> tuple[float, ...]:
    """Give the shares while a tile in front of somebody is raced for."""
    decided = deciding(state)
    if decided is not None:
        first, deed = decided
        return mixed(after_grab(table, owner, first, chance_right(state, deed, first == owner)))
    known = odds(state.seats)
    open_to = [seat for seat, deed in enumerate(state.deeds) if deed is None]
    thieves = [seat for seat in open_to if seat != owner]
    stolen = known.stolen * len(thieves) / (state.seats - 1)
    coin = known.coin if owner in open_to else 0.0
    ends = [(coin, with_coin(table, owner)), (1 - coin - stolen, with_tile(table, owner, -1))]
    ends += [(stolen / len(thieves), moved(table, owner, seat)) for seat in thieves]
    return mixed(ends)


def chance_right(state: State, deed: Deed, own: bool) -> float:
    """Say how likely a grab is right in the end: it is known once the thief is named."""
    if deed.squeak != own:
        return 0.0
    if deed.thief is None or deed.named_at is None:
        return odds(state.seats).named
    in_time = deed.named_at - deed.at <= state.options.naming_ms
    assert state.roll is not None  # noqa: S101  # a race is open
    return float(in_time and deed.thief == THIEF_OF[state.roll])


def after_grab(table: Table, owner: int, first: int, right: float) -> list[tuple[float, Table]]:
    """List what the first grab may bring."""
    if first == owner:
        return [(right, with_coin(table, owner)), (1 - right, with_tile(table, owner, -1))]
    return [(right, moved(table, owner, first)), (1 - right, with_coin(table, owner))]


def mixed(ends: Sequence[tuple[float, Table]], owing: Sequence[int] = ()) -> tuple[float, ...]:
    """Give the shares expected over several ends."""
    worth = [(chance, after_giving(table, owing)) for chance, table in ends if chance]
    seats = len(ends[0][1])
    return tuple(fsum(chance * share[seat] for chance, share in worth) for seat in range(seats))
