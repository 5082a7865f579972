"""What goes over the wire: requests, answers and frames, each a typed struct."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tischlein.bots import Answer
from tischlein.bots.coach import Account, Lesson
from tischlein.table.book import Book
from tischlein.table.entries import Speed
from tischlein.table.table import Table
from tischlein.words import Say
from tischlein.words.deeds import deed, reason

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=24,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
        description="A nickname, 1 to 24 signs.",
    ),
]
Handicap = Annotated[float, Meta(ge=0, le=1000, description="Milliseconds given to a player.")]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends; a field that we do not know is refused."""


class OpenTable(Request, frozen=True):
    """Open a table; the caller sits in seat 0 and is the host."""

    game: str
    seats: int
    name: Name
    options: dict[str, Any] = {}
    bots: dict[str, str] = {}
    speed: Speed = "relaxed"
    hints: bool = False


class TakeSeat(Request, frozen=True):
    """Take a free seat."""

    name: Name


class GiveHandicap(Request, frozen=True):
    """Give a player some milliseconds in races."""

    seat: int
    handicap: Handicap


class PlaceBot(Request, frozen=True):
    """Put a bot in a seat, or with null take it away."""

    seat: int
    bot: str | None


class NameStarter(Request, frozen=True):
    """Name the seat that begins; with null chance will."""

    seat: int | None


class AddWord(Request, frozen=True):
    """Add a word to the seed."""

    text: Annotated[str, Meta(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]


class PlayOn(Request, frozen=True):
    """Let a bot play for somebody who is away."""

    seat: int
    bot: str = "easy"


class PlayAgain(Request, frozen=True):
    """Set the table once more; who begins: the loser, or chance."""

    starter: Literal["loser", "chance"] = "chance"


class Held(Struct, frozen=True):
    """A seat, and the token that holds it."""

    seat: int
    token: str
    table: str


class SeatInfo(Struct, frozen=True):
    """A seat as everybody may know it."""

    name: str | None
    bot: str | None
    relief: str | None
    here: bool
    can_be_relieved: bool
    handicap: float
    lag: float | None
    contribution: str | None


class TableInfo(Struct, frozen=True):
    """A table as everybody may know it."""

    table: str
    game: str
    phase: Literal["open", "playing", "over"]
    seats: tuple[SeatInfo, ...]
    host: int
    options: dict[str, Any]
    speed: Speed
    hints: bool
    commitment: str
    games: int
    watchers: int


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """The first frame; without a token one watches. `seq`: the last state seen, of game `game`."""

    token: str | None = None
    seq: Annotated[int, Meta(ge=0)] = 0
    game: int | None = None


class MoveFrame(Struct, frozen=True, tag_field="type", tag="move"):
    """A move; the same id twice is one move. `race`: the `show_at` of the race it is meant for."""

    id: Annotated[str, Meta(min_length=1, max_length=64)] | int
    move: msgspec.Raw
    race: float | None = None


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Asks for the server's time; `echo` is the `t1` of the last pong, to measure the line."""

    t0: float
    echo: float | None = None


Frame = Hello | MoveFrame | Ping


class StateBody(Struct, frozen=True, tag_field="type", tag="state"):
    """All that a seat or a watcher may know now, as long as nothing changes."""

    seq: int
    seat: int | None
    view: Any
    to_move: Any
    legal: dict[str, Any]
    scores: Any
    winners: Any
    ranking: tuple[tuple[int, ...], ...]
    over: bool
    table: Any
    clocks: dict[str, float]
    race: dict[str, Any] | None


class StateFrame(StateBody, frozen=True, tag_field="type", tag="state"):
    """The frame as it is sent: with the moves since the last one, and the server's time in ms."""

    table: TableInfo
    log: list[dict[str, Any]]
    now: float


class RefusedFrame(Struct, frozen=True, tag_field="type", tag="refused"):
    """A move or a frame that was refused, with the reason, to its sender alone."""

    id: str | int | None
    reason: str
    code: str
    fields: dict[str, Any]


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The server's time, in milliseconds."""

    t0: float
    t1: float


class Advice(Struct, frozen=True):
    """What the expert would do: the move, in words, why, and what each move is worth."""

    move: Any
    told: str
    why: str
    worth: list[tuple[str, float]]


class Mistake(Struct, frozen=True):
    """A decision that gave something away."""

    number: int
    seat: int
    told: str
    better: str
    why: str
    lost: float


class ToldLesson(Struct, frozen=True):
    """What the coach says of a game: the luck ledger, the curve of chances, the mistakes."""

    game: str
    names: tuple[str, ...]
    ledger: tuple[Account, ...]
    curve: tuple[tuple[float, ...], ...]
    mistakes: tuple[Mistake, ...]


def told_hint(found: Answer, names: Sequence[str], say: Say) -> Advice:
    """Word what the expert would do."""
    worth = [(deed(move, names, say), round(share, 4)) for move, share in found.worth]
    why = reason(found.because, found.fields, say)
    return Advice(found.move, deed(found.move, names, say), why, worth)


def told_lesson(lesson: Lesson, say: Say) -> ToldLesson:
    """Word a lesson."""
    names = lesson.names
    mistakes = tuple(
        Mistake(
            found.number,
            found.seat,
            deed(found.move, names, say),
            deed(found.best, names, say),
            reason(found.because, found.fields, say),
            round(found.lost, 4),
        )
        for found in lesson.decisions
        if found.is_mistake
    )
    return ToldLesson(lesson.game, names, lesson.ledger, lesson.curve, mistakes)


def table_info(table: Table) -> TableInfo:
    """Tell what everybody may know of a table."""
    book = table.book
    return TableInfo(
        book.name,
        book.rules.NAME,
        book.phase,
        tuple(seat_info(table, seat) for seat in range(len(book.chairs))),
        book.host,
        book.game_options,
        book.speed,
        book.hints,
        book.commitment,
        book.games,
        table.watchers,
    )


def seat_info(table: Table, seat: int) -> SeatInfo:
    """Tell what everybody may know of a seat."""
    chair = table.book.chairs[seat]
    lag = table.lag_of(seat)
    return SeatInfo(
        chair.name,
        chair.bot,
        chair.relief,
        table.is_here(seat) or chair.bot is not None,
        table.may_be_relieved(seat),
        chair.handicap,
        None if lag is None or not lag.worst else round(lag.median),
        chair.salt or None,
    )


def state_frame(table: Table, seat: int | None, seq: int, info: msgspec.Raw) -> StateBody:
    """Build the frame of a seat, or of a watcher, from what it may see; `info` is for everybody."""
    book, rules = table.book, table.book.rules
    playing = book.phase == "playing"
    legal = rules.legal(book.state, seat) if playing and seat is not None else ()
    return StateBody(
        seq=seq,
        seat=seat,
        view=rules.view(book.state, seat),
        to_move=rules.waits_for(book.state, seat) if playing else (),
        legal={str(seat): legal} if legal else {},
        scores=rules.standing(book.state, seat),
        winners=rules.winners(book.state) if book.phase == "over" else (),
        ranking=book.ranking if book.phase == "over" else (),
        over=book.phase == "over",
        table=info,
        clocks={str(who): round(due * 1000) for who, due in table.deadlines.items()},
        race=race_info(book),
    )


def race_info(book: Book) -> dict[str, Any] | None:
    """Tell of a race: when its dice are shown, and when it is over the photo finish."""
    if book.is_race:
        return {"show_at": book.race_name, "photo": None}
    photo = book.photo()
    return {"show_at": None, "photo": photo} if photo else None
