"""What goes over the wire: requests, answers and frames, each a typed struct."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tischlein.bots import Answer
from tischlein.bots.coach import Account, Lesson
from tischlein.chance import LONGEST_WORD
from tischlein.game import News
from tischlein.table.entries import Speed
from tischlein.table.sealed import Hindrance
from tischlein.table.table import Table
from tischlein.words import Say, deed, reason

Name = Annotated[
    str,
    Meta(min_length=1, max_length=200, description="A nickname, 1 to 24 signs that can be seen."),
]
LagCap = Annotated[
    float, Meta(ge=0, le=400, description="The most lag in races that is made up for, in ms.")
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
    lag_cap: LagCap | None = None
    stand_in: str | None = None


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
    """Seal a word for the dice (`seal`), or open it when the table opens them (`text`, `salt`)."""

    seal: Annotated[str, Meta(min_length=64, max_length=64)] | None = None
    text: Annotated[str, Meta(max_length=LONGEST_WORD)] | None = None
    salt: Annotated[str, Meta(min_length=32, max_length=64)] | None = None


class PlayOn(Request, frozen=True):
    """Let a bot play for somebody who is away: the one that they chose."""

    seat: int


class ChooseStandIn(Request, frozen=True):
    """Choose who plays for oneself when one is away; before the game the host may for others."""

    bot: str
    seat: int | None = None


class RemovePlayer(Request, frozen=True):
    """Give a player's seat back to the table."""

    seat: int


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
    stand_in: str | None
    sealed: str | None
    opened: bool


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
    lag_cap: float | None
    opening: bool
    held_up: tuple[Hindrance, ...]


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


class Ask(Struct, frozen=True, tag_field="type", tag="ask"):
    """May I make this move, and if not, why? Nothing is played."""

    id: Annotated[str, Meta(min_length=1, max_length=64)] | int
    move: msgspec.Raw


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Asks for the server's time; `echo` is the `t1` of the last pong, to measure the line."""

    t0: float
    echo: float | None = None


Frame = Hello | MoveFrame | Ask | Ping


class Common(Struct, frozen=True):
    """What all who look with the same eyes may know now, as long as nothing changes."""

    view: Any
    to_move: Any
    scores: Any
    winners: Any
    ranking: tuple[tuple[int, ...], ...]
    over: bool
    table: Any
    clocks: dict[str, float]
    race: dict[str, Any] | None


class StateFrame(Common, frozen=True, tag_field="type", tag="state"):
    """The frame as it is sent; `now` is the server's time in ms, `log` the moves since the last.

    `news` is what these moves tell; a `story` takes the place of all that was told before.
    """

    seq: int
    seat: int | None
    legal: dict[str, Any]
    table: TableInfo
    log: list[dict[str, Any]]
    news: list[News]
    story: list[News] | None
    now: float


class RefusedFrame(Struct, frozen=True, tag_field="type", tag="refused"):
    """A move or a frame that was refused, with the reason, to its sender alone."""

    id: str | int | None
    reason: str
    code: str
    fields: dict[str, Any]


class ToldFrame(Struct, frozen=True, tag_field="type", tag="told"):
    """The answer to `ask`: whether the move would be taken now, and if not, why."""

    id: str | int
    legal: bool
    reason: str = ""
    code: str = ""
    fields: dict[str, Any] = {}


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


def told_hint(game: str, found: Answer, names: Sequence[str], say: Say) -> Advice:
    """Word what the expert would do."""
    worth = [(deed(game, move, names, say), round(share, 4)) for move, share in found.worth]
    why = reason(found.because, found.fields, say)
    return Advice(found.move, deed(game, found.move, names, say), why, worth)


def told_lesson(lesson: Lesson, say: Say) -> ToldLesson:
    """Word a lesson."""
    names = lesson.names
    mistakes = tuple(
        Mistake(
            found.number,
            found.seat,
            deed(lesson.game, found.move, names, say),
            deed(lesson.game, found.best, names, say),
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
        table.presence.watchers,
        book.lag_cap,
        book.words.is_opening,
        book.words.held_up,
    )


def seat_info(table: Table, seat: int) -> SeatInfo:
    """Tell what everybody may know of a seat."""
    chair, words = table.book.chairs[seat], table.book.words
    lag = table.races.shown_lag(seat)
    return SeatInfo(
        chair.name,
        chair.bot,
        chair.relief,
        table.presence.is_here(seat) or chair.bot is not None,
        table.seating.may_be_relieved(seat),
        chair.handicap,
        None if lag is None else round(lag),
        words.shown(seat),
        chair.stand_in or None,
        words.seals[seat],
        words.is_open(seat),
    )
