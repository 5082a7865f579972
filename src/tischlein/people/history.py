"""What somebody has played: the results of finished games, read without playing them again."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from tischlein.bots import levels
from tischlein.game import Refusal
from tischlein.games import game_named
from tischlein.record import Header, Result
from tischlein.store import Asks

PAGE: Final = 20
"""So many games are told at once."""
MOST: Final = 200
"""So many of somebody's games count for their figures."""
PLAYED: Final = """
    SELECT played.name, played.game, played.seat, played.ended, records.record
    FROM played JOIN records ON records.name = played.name AND records.game = played.game
    WHERE played.profile = $1 AND (played.ended, played.name, played.game, played.seat)
        < (CAST($2 AS DOUBLE PRECISION), CAST($3 AS TEXT), CAST($4 AS INTEGER), CAST($5 AS INTEGER))
    ORDER BY played.ended DESC, played.name DESC, played.game DESC, played.seat DESC LIMIT $6
"""
LAST: Final = """
    SELECT name, game, seat FROM played WHERE profile = $1 ORDER BY ended DESC LIMIT $2
"""

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Cursor = tuple[float, Annotated[str, Meta(pattern="^[a-z0-9]{0,40}$")], Number, Number]
"""Where a list of games goes on: when the last of them ended, its table, number and seat."""
NEWEST: Final[Cursor] = (9e15, "", 0, 0)


class PastGame(Struct, frozen=True):
    """A finished game of somebody's; `number`: which one of its table, from 1."""

    table: str
    number: int
    seat: int
    game: str
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    place: int
    ended: float


class End(Struct, frozen=True):
    """The last line of a record."""

    result: Result


_read_header: Final = msgspec.json.Decoder(Header)
_read_end: Final = msgspec.json.Decoder(End)
_read_cursor: Final[msgspec.json.Decoder[Cursor]] = msgspec.json.Decoder(Cursor)


class History:
    """Finds the games that somebody has played."""

    def __init__(self, store: Asks) -> None:
        self._store = store

    async def games(
        self, profile: str, before: Cursor, most: int = PAGE
    ) -> tuple[list[PastGame], Cursor | None]:
        """List somebody's finished games, the newest first; and from where it goes on."""
        rows = await self._store.ask(PLAYED, profile, *before, most + 1)
        found = [past_game(*row) for row in rows[:most]]
        if len(rows) <= most:
            return found, None
        name, number, seat, ended, _ = rows[most - 1]
        return found, (ended, name, number, seat)

    async def last(self, profile: str) -> list[tuple[str, int, int]]:
        """Name somebody's last games: the table, which game there, and their seat."""
        rows = await self._store.ask(LAST, profile, MOST)
        return [(str(name), int(number), int(seat)) for name, number, seat in rows]


def past_game(table: str, number: int, seat: int, ended: float, record: str) -> PastGame:
    """Tell of a finished game; only the first and the last line of its record are read."""
    header, result = header_of(record), result_of(record)
    return PastGame(
        table,
        number,
        seat,
        header.game,
        header.seats,
        bots_of(header),
        result.scores,
        result.winners,
        place_of(result, seat),
        ended,
    )


def header_of(record: str) -> Header:
    """Read who played a game."""
    return _read_header.decode(record.partition("\n")[0])


def result_of(record: str) -> Result:
    """Read how a game ended."""
    return _read_end.decode(record.rstrip("\n").rpartition("\n")[2]).result


def place_of(result: Result, seat: int) -> int:
    """Say in which place a seat came; equal points share one."""
    if seat in result.winners:
        return 1
    better = sum(score > result.scores[seat] for score in result.scores)
    return 1 + max(better, len(result.winners))


def bots_of(header: Header) -> tuple[str | None, ...]:
    """Say which of the players were bots: nobody else may be called so."""
    try:
        known: Sequence[str] = tuple(levels(game_named(header.game)))
    except Refusal:  # a game that is not on the shelf any more
        known = ()
    return tuple(bot_called(name, seat, known) for seat, name in enumerate(header.seats))


def bot_called(name: str, seat: int, known: Sequence[str]) -> str | None:
    """Give the level of the bot with this name."""
    return next((one for one in known if name == f"{one.capitalize()} {seat + 1}"), None)


def cursor_in(text: str) -> Cursor | None:
    """Read from where to go on; None if that is not one."""
    try:
        return _read_cursor.decode(text)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeEncodeError):
        return None


def written(cursor: Any) -> str | None:
    """Write down from where to go on."""
    return None if cursor is None else msgspec.json.encode(cursor).decode()
