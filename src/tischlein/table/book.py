"""The book of a table: its entries folded into what is so now. Pure: no clock, no I/O."""

import hashlib
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from tischlein import record
from tischlein.bots import Turn, turn_in_sight, turn_of, usual_level
from tischlein.chance import Fair, commitment
from tischlein.game import (
    NATURE,
    AnyGame,
    By,
    News,
    OpenRace,
    Seen,
    Viewer,
    ranking,
    traits,
)
from tischlein.games import game_named
from tischlein.record import Header, Result
from tischlein.table import entries as e
from tischlein.table.entries import Stamp
from tischlein.table.sealed import SealedWords
from tischlein.table.waits import Waits
from tischlein.words import Tell, news_of, story_of

Phase = Literal["open", "playing", "over"]
Choice = tuple[int, int, bool, int]
"""Which choice of a seat this is: the game, the race, whether it is open, and its moves so far."""


class Step(NamedTuple):
    """A move and what it changed."""

    before: Any
    by: By
    move: Any
    after: Any


class Scene(Struct, frozen=True):
    """One move as it is shown: the move, what is seen after it, who is to move, what it tells."""

    move: Seen
    view: Any
    to_move: tuple[By, ...]
    news: list[News]


RECENT: Final = 16
"""So many of the latest steps are at hand; what an older one told is found by replaying."""
OF_A_CHAIR: Final = (e.Handicapped, e.Relieved, e.StandIn, e.Keyed, e.Renamed, e.TakesBots)
"""What changes for the person in a chair."""
MOST_KEYS: Final = 8
"""So many further tokens a seat has; the oldest gives way."""
MOST_SCENES: Final = 4
"""Who has missed more than this is shown how things stand: fewer cover nothing that they tell."""


class Chair(Struct):
    """A seat at the table: empty, a person's (with the fingerprint of their token), or a bot's."""

    name: str | None = None
    token: str | None = None
    bot: str | None = None
    relief: str | None = None
    handicap: float = 0.0
    stand_in: str = ""
    """The bot that plays for this person when they are away."""
    keys: tuple[str, ...] = ()
    """Fingerprints of further tokens, of the same person's other devices."""
    profile: str | None = None
    has_left: bool = False
    """Whether this person got up in the middle of a game."""
    takes_bots: bool = False
    """Whether this person, who looks for others, takes bots in the empty seats."""

    @property
    def player(self) -> str | None:
        """Name the bot that plays here, also for somebody who is away."""
        return self.bot or self.relief

    @property
    def free(self) -> bool:
        """Say whether anybody may sit down here."""
        return self.name is None


class Played(Struct, frozen=True, gc=False):
    """A move of the game in progress."""

    by: By
    move: Any
    t: int
    stamp: Stamp | None


@lru_cache(4096)
def shared(move: Any) -> Any:
    """Give the one copy of a move that all tables share: most moves are made again and again."""
    return move


def change_of(entry: e.AnyEntry) -> tuple[type, int | None]:
    """Say what an entry changes: what it is about, and at which seat."""
    return type(entry), getattr(entry, "seat", None)


def forget_changes(changes: Counter[tuple[type, int | None]], seat: int) -> None:
    """Count anew for who sits down: others may have worn out what is changed at this seat."""
    for change in [change for change in changes if change[1] == seat]:
        del changes[change]


def fingerprint(secret: str) -> str:
    """Give what the store keeps of a secret: enough to know it again, not enough to use it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def chair_of(entry: e.Sat, stand_in: str) -> Chair:
    """Give the chair of who sits down."""
    return Chair(entry.name, entry.token, stand_in=stand_in, profile=entry.profile)


def bots_chair(entry: e.Seated) -> Chair:
    """Give the chair of a bot, or an empty one."""
    name = None if entry.bot is None else f"{entry.bot.capitalize()} {entry.seat + 1}"
    return Chair(name, bot=entry.bot)


def fold_chair(
    chair: Chair, entry: e.Handicapped | e.Relieved | e.StandIn | e.Keyed | e.Renamed | e.TakesBots
) -> None:
    """Take in what changes for the person in a chair."""
    match entry:
        case e.Handicapped():
            chair.handicap = entry.handicap
        case e.Relieved():
            chair.relief = entry.bot
        case e.StandIn():
            chair.stand_in = entry.bot
        case e.Keyed():
            chair.keys = (*chair.keys, entry.token)[-MOST_KEYS:]
        case e.Renamed():
            chair.name = entry.name
            if entry.forget:
                chair.profile = None
        case e.TakesBots():
            chair.takes_bots = True


class Book:
    """A table as its entries tell it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries = 0
        self.phase: Phase = "open"
        self.chairs: list[Chair] = []
        self.host = 0
        self.games = 0
        self.finished = 0
        self.begun = 0.0
        self.touched = 0.0
        self.starter: int | None = None
        self.public = self.seek = self.is_slow = self.is_closed = False
        self.cup: str | None = None
        self.began_public = False
        """Whether the table was open to everybody when this game began."""
        self.lang: str | None = None
        self.waits_since = 0.0
        """Since when the table waits for people: it was set, published, or set once more."""
        self._new_game()

    def _new_game(self) -> None:
        self.moves: list[Played] = []
        self.deeds: list[tuple[By, Any]] = []
        self._recent: deque[Step] = deque(maxlen=RECENT)
        self.ids: set[tuple[int, str]] = set()
        self.made = [0] * len(self.chairs)
        self.stood_in = [0] * len(self.chairs)
        """How many moves a bot made for each person."""
        self.late: frozenset[int] = frozenset()
        """For whom a bot made the last move, since their time was up."""
        self.changes: Counter[tuple[type, int | None]] = Counter()
        self.show_at = 0.0
        self.race_from = 0
        self.words = SealedWords(len(self.chairs))
        self.waits = Waits()
        """Who is waited for since when, where people play when they have time."""

    def fold(self, entry: e.AnyEntry, move: Any = None, state: Any = None) -> None:
        """Take in what happened; `move` and `state` spare what was just judged a second look."""
        self.entries += 1
        self.touched = entry.when
        if isinstance(entry, e.Moved):
            self._fold_move(entry, move, state)
            wait_after(self, entry)
            return
        self.changes[change_of(entry)] += 1
        match entry:
            case e.Opened():
                self._fold_opening(entry)
            case e.Sat():
                forget_changes(self.changes, entry.seat)
                self._seat(entry.seat, chair_of(entry, self.stand_in))
            case e.Seated():
                self._seat(entry.seat, bots_chair(entry))
            case e.Left() | e.Removed():
                self._fold_leaving(entry)
            case e.Hosted():
                self.host = entry.seat
            case e.Salted() | e.Sealed() | e.Unsealing() | e.Unsealed() | e.HeldUp():
                self.words.fold(entry, self.names)
            case e.Appointed():
                self.starter = entry.seat
                self.state = self.rules.start(len(self.chairs), self.game_options)
            case _ if isinstance(entry, OF_A_CHAIR):
                fold_chair(self.chairs[entry.seat], entry)
            case e.Started():
                self.phase, self.begun, self.began_public = "playing", entry.when, self.public
                self.words.start()
                self.games += 1
                self.state = self.rules.start(len(self.chairs), self.game_options)
            case e.Again():
                self._fold_again(entry)
            case e.Published():
                fold_publishing(self, entry)
            case e.Closed():
                self.is_closed = True
        wait_after(self, entry)

    def _fold_again(self, entry: e.Again) -> None:
        self.phase, self.waits_since = "open", entry.when
        self.starter = entry.starter if entry.starter is not None else self.opened_for
        self.chairs = [c if c.bot or c.token else Chair() for c in self.chairs]
        self._take_seed(entry.seed)
        self._new_game()
        self.state = self.rules.start(len(self.chairs), self.game_options)

    def _fold_opening(self, entry: e.Opened) -> None:
        self.rules: AnyGame = game_named(entry.game)
        self.options, self.speed = entry.options, entry.speed
        self.starter = self.opened_for
        self._take_seed(entry.seed)
        self.hints, self.lag_cap = entry.hints, entry.lag_cap
        self.public, self.seek, self.cup = entry.public, entry.seek, entry.cup
        self.lang = entry.lang
        self.waits_since = entry.when
        self.is_slow = entry.speed in e.SLOW
        self.stand_in = entry.stand_in or usual_level(self.rules)
        self.state = self.rules.start(entry.seats, entry.options)  # too many seats end here
        self.chairs = [Chair() for _ in range(entry.seats)]
        self.words = SealedWords(entry.seats)
        self.made, self.stood_in = [0] * entry.seats, [0] * entry.seats
        self.read_move = record.move_decoder(self.rules)
        self.tell: Tell = news_of(self.rules)

    def _seat(self, seat: int, chair: Chair) -> None:
        self.chairs[seat] = chair
        self.words.drop(seat)

    def _take_seed(self, seed: str) -> None:
        self.seed, self.commitment = seed, commitment(seed)

    def _fold_leaving(self, entry: e.Left | e.Removed) -> None:
        chair = self.chairs[entry.seat]
        if self.phase == "open":
            self.words.got_up(entry.seat, self.names)
            self.chairs[entry.seat] = Chair()
        else:
            chair.token, chair.keys, chair.has_left = None, (), True

    def _fold_move(self, entry: e.Moved, move: Any, state: Any) -> None:
        if move is None:
            move = self.read_move.decode(entry.move)
            state = self.rules.play(self.state, entry.by, move)
        self._recent.append(Step(self.state, entry.by, move, state))
        self.state = state
        stamp = entry.stamp if isinstance(entry.stamp, Stamp) else None
        self.moves.append(Played(entry.by, shared(move), entry.t, stamp))
        self.deeds.append((entry.by, self.moves[-1].move))
        if entry.by != NATURE:
            self.made[entry.by] += 1
            self.stood_in[entry.by] += entry.for_seat or self.chairs[entry.by].relief is not None
            if entry.for_seat != (entry.by in self.late):
                self.late ^= {entry.by}
        if entry.id is not UNSET:
            self.ids.add((int(entry.by), str(entry.id)))
        if isinstance(entry.show_at, float):
            self.show_at, self.race_from = entry.show_at, len(self.moves)
        if self.is_over:
            self.phase = "over"
            self.finished = self.games

    @property
    def opened_for(self) -> int | None:
        """Give the seat that was to begin when the table was set; None: chance decides."""
        return self.options.get("starter")

    @property
    def game_options(self) -> dict[str, Any]:
        """Give the house rules of this game: the host may name another seat that begins."""
        if self.starter == self.opened_for:
            return self.options
        return self.options | {"starter": self.starter}

    @property
    def is_over(self) -> bool:
        """Say whether the game has ended."""
        return not self.rules.to_move(self.state)

    @property
    def has_races(self) -> bool:
        """Say whether this is a table of quick hands."""
        return "race" in traits(self.rules, self.options)

    def race_in(self, state: Any) -> OpenRace | None:
        """Give the race that is open in a state; none in a game without races."""
        return self.rules.race(state) if self.has_races else None  # type: ignore[attr-defined]

    @property
    def race(self) -> OpenRace | None:
        """Give the race that is open now."""
        return self.race_in(self.state)

    @property
    def is_race(self) -> bool:
        """Say whether a race is open."""
        return self.race is not None

    @property
    def names(self) -> list[str]:
        """List the names of those who sit here, in the order of seats."""
        return [chair.name or "" for chair in self.chairs]

    def seat_of(self, token: str) -> int | None:
        """Find the seat that a token holds."""
        wanted = fingerprint(token)
        for seat, chair in enumerate(self.chairs):
            if chair.token is not None and wanted in (chair.token, *chair.keys):
                return seat
        return None

    def natures_move(self, state: Any, number: int) -> Any:
        """Draw nature's move with this number in the record."""
        return self.rules.draw(state, Fair(self.seed, self.words.texts, self.rules.NAME, number))

    def log(self, viewer: Viewer, after: int) -> list[Seen]:
        """Tell the moves after a number, as the viewer may be told of them now."""
        told = self.rules.retold(self.deeds, after, self.state, viewer)
        return [seen for seen in told if seen is not None]

    def news(self, viewer: Viewer, after: int) -> list[News]:
        """Tell what the moves after a number have changed, as the viewer may know it."""
        return [news for step in self.steps(after) for news in self.tell(*step, viewer)]

    def story(self, viewer: Viewer) -> list[News]:
        """Tell the whole game: while it runs without what one must remember oneself."""
        return story_of(self.news(viewer, 0), over=self.is_over)

    def steps(self, after: int) -> Iterator[Step]:
        """Give the steps of the game after a number."""
        old = len(self.moves) - len(self._recent)
        if after >= old:
            yield from islice(self._recent, after - old, None)
            return
        state = self.rules.start(len(self.chairs), self.game_options)
        for number, (by, move) in enumerate(self.deeds):
            before, state = state, self.rules.play(state, by, move)
            if number >= after:
                yield Step(before, by, move, state)

    @property
    def all_see_the_same(self) -> bool:
        """Say whether nothing at this table is hidden by seat."""
        return self.rules.HAS.isdisjoint({"race", "secrets"})

    def turn_of(self, seat: int) -> Turn:
        """Tell a bot in a seat what it may know, ready to be sent to another process."""
        turn = turn_of(self.rules, self.state, self.deeds, seat)
        return replace(turn, history=tuple(turn.history))

    def advisers_turn(self, seat: int) -> Turn:
        """Tell an adviser what a seat may be told now: what it must remember is its own affair."""
        return turn_in_sight(self.rules, self.state, self.deeds, seat)

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """List the seats, best first, equal ones together."""
        return ranking(self.rules, self.state)

    @property
    def race_name(self) -> float:
        """Give the moment at which the dice are shown, in milliseconds; it names the race."""
        return round(self.show_at * 1000, 1)

    def choice(self, seat: int) -> Choice:
        """Say which choice a seat has before it."""
        return self.games, self.race_from, self.is_race, self.made[seat]

    def movers(self) -> list[int]:
        """List the seats that may move now."""
        return [int(by) for by in self.rules.to_move(self.state) if by != NATURE]


def goes_on(book: Book) -> bool:
    """Say whether a game is being played, and the table was not closed."""
    return book.phase == "playing" and not book.is_closed


def wait_after(book: Book, entry: e.AnyEntry) -> None:
    """Take in who is waited for, where people play when they have time."""
    if book.is_slow:
        book.waits = book.waits.after(entry, book.rules.to_move(book.state))


def fold_publishing(book: Book, entry: e.Published) -> None:
    """Let everybody in, or no longer; words that were sealed among friends do not count."""
    book.public, book.waits_since = entry.public, entry.when
    book.words.drop_all(len(book.chairs))


def guests_of(book: Book) -> list[tuple[int, str]]:
    """List the seats of people with a profile, also of who left in the game, with it."""
    found = enumerate(book.chairs)
    return [(seat, chair.profile) for seat, chair in found if chair.profile is not None]


def is_rated(book: Book) -> bool:
    """Say whether a game counts for ratings: the table was open to all, and profiles have met.

    Where one person has several seats it does not, nor where the expert may be asked or somebody
    is given milliseconds. What is opened or closed in the middle of a game changes nothing: else
    the host could choose which games count.
    """
    profiles = [profile for _, profile in guests_of(book)]
    is_even = not book.hints and not any(chair.handicap for chair in book.chairs)
    return book.began_public and is_even and 1 < len(profiles) == len(set(profiles))


def left_of(book: Book) -> list[int]:
    """List the seats of who got up in the game, or had most of their moves made by a bot."""
    return [
        seat
        for seat, chair in enumerate(book.chairs)
        if chair.bot is None and (chair.has_left or book.stood_in[seat] * 2 > book.made[seat])
    ]


def hides_deeds(book: Book) -> bool:
    """Say whether deeds are not told yet whose number would tell what they are."""
    if "race" not in book.rules.HAS:
        return False
    return book.is_race or book.rules.in_secret(book.state) > 0


def scenes_of(book: Book, viewer: Viewer, after: int) -> list[Scene]:
    """Tell the moves after a number one by one: each that brings news, and how it left things."""
    if len(book.moves) - after > RECENT:
        return []
    told = [(step, book.tell(*step, viewer)) for step in book.steps(after)]
    found = [scene_of(book, step, news, viewer) for step, news in told if news]
    return found if len(found) <= MOST_SCENES else []


def scene_of(book: Book, step: Step, news: list[News], viewer: Viewer) -> Scene:
    """Show what a viewer may see of a move, and after it."""
    seen = book.rules.seen(step.by, step.move, viewer) or {"by": step.by, "do": None}
    view, movers = book.rules.view(step.after, viewer), book.rules.waits_for(step.after, viewer)
    return Scene(seen, view, movers, news)


def photo_of(book: Book) -> list[dict[str, Any]]:
    """Show the last race that is over: every deed with how it was timed."""
    if not book.has_races or book.is_race:
        return []
    deeds = [played for played in book.moves[book.race_from :] if played.stamp is not None]
    return [
        {"seat": played.by, **msgspec.to_builtins(played.move), **timing(played.stamp)}
        for played in deeds
    ]


def timing(stamp: Stamp | None) -> dict[str, Any]:
    """Tell how a deed was timed."""
    return {} if stamp is None else msgspec.to_builtins(stamp)


def header_of(book: Book) -> Header:
    """Make the header of the record of the game that is played."""
    date = f"{datetime.fromtimestamp(book.begun, UTC):%Y-%m-%d}"
    more: dict[str, Any] = {"date": date, "table": book.name, "commitment": book.commitment}
    more |= {"contributions": book.words.texts, "seals": book.words.told()}
    return record.header(book.rules.NAME, book.names, book.game_options, **more)


def record_of(book: Book, last: Sequence[Played], state: Any) -> str:
    """Write the game that these last moves end as a record, with its seed revealed."""
    lines = [msgspec.json.encode(header_of(book)).decode()]
    for played in [*book.moves, *last]:
        line = record.move_line(played.by, played.move)[:-1]
        lines.append(f'{line},"t":{played.t}}}')
    result = Result(book.rules.scores(state), book.rules.winners(state))
    end = {"result": result, "seed": book.seed}
    return "\n".join([*lines, msgspec.json.encode(end).decode(), ""])
