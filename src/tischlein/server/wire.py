"""What goes over the wire: requests, answers and frames, each a typed struct."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tischlein.bots import Answer
from tischlein.bots.coach import Account, Lesson, Weighed
from tischlein.bots.verdict import dearest, opening
from tischlein.chance import LONGEST_WORD
from tischlein.game import News
from tischlein.house.offers import Offer
from tischlein.people.history import MOST, PastGame
from tischlein.people.insights import CountedGame, SummedFigure
from tischlein.people.mine import MOST_SEATS, MyTable
from tischlein.table.book import Book, Scene
from tischlein.table.entries import Speed
from tischlein.table.moods import Mood
from tischlein.table.sealed import Hindrance
from tischlein.table.table import Table
from tischlein.words import Say, deed, reason, worded

Name = Annotated[
    str,
    Meta(min_length=1, max_length=200, description="A nickname, 1 to 24 signs that can be seen."),
]
LagCap = Annotated[
    float, Meta(ge=0, le=400, description="The most lag in races that is made up for, in ms.")
]
PushAddress = Annotated[
    str, Meta(min_length=1, max_length=1000, description="Where a push service takes messages.")
]
Language = Literal["en", "de", "fr", "it"]
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
    public: bool = False
    lang: Language | None = None


class Publish(Request, frozen=True):
    """Open the table to everybody, or only to who has its link."""

    on: bool


class Seek(Request, frozen=True):
    """Play with somebody: sit down with others who look for the same game."""

    game: str
    name: Name
    lang: Language | None = None


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


class WantNudges(Request, frozen=True):
    """Tell me that it is my turn, on this browser: its push address and keys, as it gives them."""

    endpoint: PushAddress
    p256dh: Annotated[str, Meta(min_length=1, max_length=100)]
    auth: Annotated[str, Meta(min_length=1, max_length=40)]
    lang: Literal["en", "de", "fr", "it"] = "en"


class NoNudges(Request, frozen=True):
    """Tell this browser no more."""

    endpoint: PushAddress


class PlayAgain(Request, frozen=True):
    """Set the table once more; who begins: the loser, or chance."""

    starter: Literal["loser", "chance"] = "chance"


class LookAround(Request, frozen=True):
    """Look at the house."""


class NameTable(Request, frozen=True):
    """Name a table to be looked at, or closed for good."""

    table: Annotated[str, Meta(max_length=40)]


class NameCup(Request, frozen=True):
    """Name a tournament to be looked at."""

    cup: Annotated[str, Meta(max_length=40)]


class TakeName(Request, frozen=True):
    """Take a name away, of a seat, of a profile (its name or id), or of a member of a tournament.

    Without `name` they are called somebody; without a `member` the tournament's title is taken.
    """

    table: Annotated[str, Meta(max_length=40)] | None = None
    seat: int | None = None
    cup: Annotated[str, Meta(max_length=40)] | None = None
    member: int | None = None
    profile: Annotated[str, Meta(max_length=100)] | None = None
    name: Annotated[str, Meta(max_length=100)] | None = None


class AboutHouse(Struct, frozen=True):
    """Whom to ask here, and for how many seconds what nobody touches is kept."""

    contact: str
    tidy_after: float
    tidy_unplayed_after: float
    tidy_cups_after: float


Text = Annotated[str, Meta(max_length=100)]


class AskMine(Request, frozen=True):
    """Ask how one's tables stand: `[table, token]` of each seat that this device holds."""

    seats: Annotated[tuple[tuple[Text, Text], ...], Meta(max_length=MOST_SEATS)] = ()


class AskFigures(Request, frozen=True):
    """Ask for the figures of games: `[table, number of the game there, one's seat]` of each."""

    games: Annotated[
        tuple[
            tuple[Text, Annotated[int, Meta(ge=1, le=99_999)], Annotated[int, Meta(ge=0, le=99)]],
            ...,
        ],
        Meta(max_length=MOST),
    ]


class ToldMine(Struct, frozen=True):
    """How one's tables stand, and the places of those seats asked for that are no more."""

    tables: tuple[MyTable, ...]
    gone: tuple[int, ...]


class ToldGames(Struct, frozen=True):
    """Finished games, the newest first; `next` asks for those before them, null: there are none."""

    games: tuple[PastGame, ...]
    next: str | None


class ToldFigures(Struct, frozen=True):
    """What there is to look at; `waits`: so many games are still to be counted, ask again."""

    games: tuple[CountedGame, ...]
    figures: tuple[SummedFigure, ...]
    waits: int


class Held(Struct, frozen=True):
    """A seat, and the token that holds it."""

    seat: int
    token: str
    table: str


class PushKey(Struct, frozen=True):
    """The key that browsers subscribe to nudges with, in base64url."""

    key: str


class Nudging(Struct, frozen=True):
    """Whether this browser is told."""

    on: bool


class Looked(Struct, frozen=True):
    """Where somebody who waits for others goes; null: stay."""

    held: Held | None


class OpenPlayer(Struct, frozen=True):
    """Who sits at an open table: a person's nickname, or a bot's level."""

    seat: int
    name: str | None
    bot: str | None


class OpenOffer(Struct, frozen=True):
    """A table that waits for anybody; `since` is the server's time in seconds."""

    table: str
    game: str
    seats: int
    free: int
    players: tuple[OpenPlayer, ...]
    speed: Speed
    options: dict[str, Any]
    hints: bool
    lang: Language | None
    since: float
    seek: bool


class OpenTables(Struct, frozen=True):
    """Tables that wait for anybody, the newest first."""

    tables: tuple[OpenOffer, ...]


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
    holds: bool
    takes_bots: bool
    late: bool


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
    wishes: tuple[int, ...]
    public: bool
    seek: bool
    closed: bool
    cup: str | None
    bots_at: float | None


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """The first frame; without a token one watches. `seq`: the last state seen, of game `game`.

    With `steps` every state tells the moves since the last one by one.
    `hold`: wait for me from the start. `pings`: who falls silent after that counts as away.
    `reactions`: let me see them.
    """

    token: str | None = None
    seq: Annotated[int, Meta(ge=0)] = 0
    game: int | None = None
    steps: bool = False
    hold: bool = False
    pings: bool = False
    reactions: bool = False


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


class Hold(Struct, frozen=True, tag_field="type", tag="hold"):
    """Let bots and the next roll wait for me, or no longer."""

    on: bool


class React(Struct, frozen=True, tag_field="type", tag="react"):
    """Show everybody how one feels; `again`, when the game is over: I want to play once more."""

    mood: Mood | Literal["again"] = msgspec.field(name="with")
    id: Annotated[str, Meta(min_length=1, max_length=64)] | int | None = None


Frame = Hello | MoveFrame | Ask | Ping | Hold | React


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

    `news` is what these moves tell; a `story` takes the place of all that was told before. `steps`,
    for who asked for them, are those of the moves that tell something, each with what is seen then.
    """

    seq: int
    seat: int | None
    legal: dict[str, Any]
    table: TableInfo
    log: list[dict[str, Any]]
    news: list[News]
    story: list[News] | None
    now: float
    steps: list[Scene] = []


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


class Reaction(Struct, frozen=True, tag_field="type", tag="reaction"):
    """How somebody at the table feels just now."""

    seat: int
    mood: Mood = msgspec.field(name="with")


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The server's time, in milliseconds."""

    t0: float
    t1: float


class Advice(Struct, frozen=True):
    """What the expert would do: the move, in words, why, and what each move is worth.

    The move is the first in `worth`; `equal` are the places there of those about as good.
    """

    move: Any
    told: str
    why: str
    worth: list[tuple[str, float]]
    equal: tuple[int, ...]


class Mistake(Struct, frozen=True):
    """A decision that gave something away."""

    number: int
    seat: int
    told: str
    better: str
    why: str
    lost: float


class Verdict(Struct, frozen=True):
    """What the coach says to a seat first, and which of the mistakes it should look at."""

    says: tuple[str, ...]
    lessons: tuple[int, ...]


class ToldLesson(Struct, frozen=True):
    """What the coach says of a game: the luck ledger, the curve of chances, the mistakes."""

    game: str
    names: tuple[str, ...]
    ledger: tuple[Account, ...]
    curve: tuple[tuple[float, ...], ...]
    mistakes: tuple[Mistake, ...]
    verdicts: tuple[Verdict, ...]


def told_hint(game: str, found: Answer, names: Sequence[str], say: Say) -> Advice:
    """Word what the expert would do."""
    worth = [(deed(game, move, names, say), round(share, 4)) for move, share in found.worth]
    move, because, fields = found.advised
    why = reason(because, fields, say)
    return Advice(move, deed(game, move, names, say), why, worth, found.equals)


def told_lesson(lesson: Lesson, say: Say) -> ToldLesson:
    """Word a lesson."""
    return ToldLesson(
        lesson.game,
        lesson.names,
        lesson.ledger,
        lesson.curve,
        tuple(told_mistake(lesson, found, say) for found in lesson.decisions if found.is_mistake),
        tuple(told_verdict(lesson, seat, say) for seat in range(len(lesson.names))),
    )


def told_mistake(lesson: Lesson, found: Weighed, say: Say) -> Mistake:
    """Word a mistake."""
    return Mistake(
        found.number,
        found.seat,
        deed(lesson.game, found.move, lesson.names, say),
        deed(lesson.game, found.best, lesson.names, say),
        reason(found.because, found.fields, say),
        round(found.lost, 4),
    )


def told_verdict(lesson: Lesson, seat: int, say: Say) -> Verdict:
    """Word what the coach says to a seat first."""
    says = tuple(worded(word, lesson.names, say) for word in opening(lesson, seat))
    return Verdict(says, tuple(found.number for found in dearest(lesson, seat)))


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
        tuple(called_now(book, one) for one in book.words.held_up),
        table.moods.wishes,
        book.public,
        book.seek,
        book.is_closed,
        book.cup,
        table.seeking.bots_at,
    )


def called_now(book: Book, one: Hindrance) -> Hindrance:
    """Tell who held up a start by the name that they have now: it may have been taken away."""
    return Hindrance(one.seat, book.chairs[one.seat].name or one.name)


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
        chair.token is not None and table.presence.holds(seat),
        chair.takes_bots,
        seat in table.book.late,
    )


def told_offer(offer: Offer) -> OpenOffer:
    """Tell what everybody may know of a table that waits for anybody."""
    players = tuple(OpenPlayer(one.seat, one.name, one.bot) for one in offer.players)
    return OpenOffer(
        offer.table,
        offer.game,
        offer.seats,
        offer.free,
        players,
        offer.speed,
        offer.options,
        offer.hints,
        msgspec.convert(offer.lang, Language | None),
        round(offer.since, 3),
        offer.seek,
    )
