"""What a move tells, and a move as advice."""

from typing import Any

from tischlein.game import By, News, Seat, Viewer, Word
from tischlein.games.kakerlaken.rules import Deal, Give, Grab, Move, Name, Race, State, Tile


def news(before: State, by: By, move: Move, after: State, viewer: Viewer) -> list[News]:
    """Tell what a move has changed; of a race nothing before it is over [K23]."""
    match move:
        case Deal():
            return [News("told_deal", {"name": Seat(move.starter)})]
        case Give():
            return [News("told_give", {"name": Seat(int(by)), **tile_in_words(move.tile)})]
    if before.roll is None or after.roll is not None or after.last is None:
        return []
    return [outcome(after.last)]


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
    key = "deed.give" if isinstance(move, Give) else "deed.slap"
    return Word(key, tile_in_words(move.tile))


def tile_in_words(tile: Tile) -> dict[str, Word]:
    """Name the symbol and the colour of a tile."""
    return {"symbol": Word(f"symbol.{tile[0]}"), "colour": Word(f"colour.{tile[1]}")}
