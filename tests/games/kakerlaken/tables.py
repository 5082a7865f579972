"""Short ways to set a table of Kakerlaken Sushi for a test."""

from typing import Any

from tests.tables import Table
from tischlein.games.kakerlaken.rules import TILES

RED_CHOPSTICKS = ["chopsticks", "red"]
RED_RICE = ["rice", "red"]
GREEN_RICE = ["rice", "green"]


def table(seats: int = 3, starter: int = 0, **options: Any) -> Table:
    """Lay the circle in the order of the tiles."""
    laid = Table("kakerlaken", seats, **options)
    return laid.nature("deal", circle=[list(tile) for tile in TILES], starter=starter)


def roll(at: Table, tile: list[str]) -> Table:
    """Let nature roll."""
    return at.nature("roll", symbol=tile[0], colour=tile[1])


def win(at: Table, seat: int, *tiles: Any) -> Table:
    """Let a seat win tiles from the middle."""
    for tile in tiles:
        roll(at, list(tile)).do(seat, "slap", tile=list(tile), at=500).nature("time")
    return at


def grab(at: Table, seat: int, at_ms: float, squeak: bool, thief: str | None = None) -> Table:
    """Let a seat grab, and name half a second later."""
    at.do(seat, "grab", squeak=squeak, at=at_ms)
    return at if thief is None else at.do(seat, "name", thief=thief, at=at_ms + 500)


def owners(at: Table) -> dict[tuple[str, ...], int]:
    """Say in front of whom which tile lies."""
    circle = at.view()["circle"]
    return {tuple(t["tile"]): t["owner"] for t in circle if t["owner"] is not None}


def owned_by(seat: int) -> Table:
    """Set a table where the red chopsticks lie in front of a seat and are rolled again."""
    return roll(win(table(), seat, RED_CHOPSTICKS), RED_CHOPSTICKS)
