"""What a move tells, and a move as advice."""

from typing import Any

from tischlein.game import By, News, Seat, Viewer, Word
from tischlein.games.kakerlaken.rules import (
    Deal,
    Deed,
    Give,
    Grab,
    Move,
    Name,
    Pass,
    Race,
    State,
    Tile,
)


def news(before: State, by: By, move: Move, after: State, viewer: Viewer) -> list[News]:
    """Tell what a move has changed; of a race nothing before it is over [K23]."""
    match move:
        case Deal():
            return [News("told_deal", {"name": Seat(move.starter)})]
        case Give():
            return [News("told_give", {"name": Seat(int(by)), **tile_in_words(move.tile)})]
    if before.roll is None or after.roll is not None or after.last is None:
        return []
    told = [outcome(after.last)]
    return [all_did(after.last), *told] if after.options.calm else told


def all_did(race: Race) -> News:
    """Tell what everybody did, where no photo finish shows it [K24]."""
    return News("all_did", {"deeds": [did(seat, one) for seat, one in enumerate(race.deeds)]})


def did(seat: int, deed: Deed | None) -> Word:
    """Tell what somebody did after a roll."""
    who = {"name": Seat(seat)}
    if deed is None:
        return Word("did.nothing", {**who})
    if deed.tile is not None:
        return Word("did.slap", {**who, **tile_in_words(deed.tile)})
    key = "did.squeak" if deed.squeak else "did.grab"
    return Word(key, {**who, "thief": Word(f"thief.{deed.thief}")})


def outcome(race: Race) -> News:
    """Tell what a race brought."""
    key: str = race.outcome
    if key == "tile_won" and race.owner is not None:
        key = "tile_taken"
    who = {"name": race.seat, "owner": race.owner}
    return News(key, {role: Seat(seat) for role, seat in who.items() if seat is not None})


def deed(move: Any) -> Word:
    """Word what to do."""
    if isinstance(move, Grab):
        return Word("deed.squeak" if move.squeak else "deed.grab")
    if isinstance(move, Name):
        return Word("deed.name", {"thief": Word(f"thief.{move.thief}")})
    if isinstance(move, Pass):
        return Word("deed.pass")
    key = "deed.give" if isinstance(move, Give) else "deed.slap"
    return Word(key, tile_in_words(move.tile))


def tile_in_words(tile: Tile) -> dict[str, Word]:
    """Name the symbol and the colour of a tile."""
    return {"symbol": Word(f"symbol.{tile[0]}"), "colour": Word(f"colour.{tile[1]}")}
