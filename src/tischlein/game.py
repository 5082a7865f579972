"""The one vocabulary that all games share: who moves, what a move is, what a refusal says."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal, Protocol, TypeVar, cast

import msgspec
from msgspec import Struct

NATURE: Final = "nature"
REFEREE: Final = "referee"

By = int | Literal["nature"]
"""Who moves: a seat, numbered from 0 clockwise, or nature (chance and the clock)."""

Viewer = int | Literal["referee"] | None
"""Who looks: a seat, the referee who sees all, or None, a bystander."""

Seen = dict[str, Any]
"""A move as somebody may see it: its JSON object, with null for what is hidden."""

BY_NATURE: Final[tuple[By, ...]] = (NATURE,)
NOBODY: Final[tuple[By, ...]] = ()


class Move(Struct, frozen=True, gc=False, tag_field="do", tag=str.lower):
    """A deed at the table; its JSON form is one line of a record, less `by`."""


class Timed(Move, frozen=True):
    """A deed in a race; its field `at` says when, in ms after the dice were seen."""


class OpenRace(Struct, frozen=True, gc=False):
    """What a table must know of a race that is open; times are ms after the dice were seen."""

    until: float
    """A deed with a later time is refused."""
    acted: dict[int, float] = {}
    """The seats that have done their deed, and when."""
    decided_at: float | None = None
    """When the deed was done that decides as things stand: no later one has any effect."""
    waits_for: int | None = None
    """Whose next word the result still depends on; a seat that has acted."""
    waits_until: float = 0.0
    """Until when that word counts."""


class Options(Struct, frozen=True):
    """House rules. Every game has `starter`: a seat, or None to let chance decide."""

    starter: int | None = None


class Refusal(Exception):
    """What the table will not do: a code and fields for programs, a sentence for people."""

    def __init__(self, code: str, sentence: str, **fields: Any) -> None:
        super().__init__(sentence.format(**{k: in_words(v) for k, v in fields.items()}))
        self.code = code
        self.fields = fields

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a refusal come back from another process as it was."""
        return told_again, (type(self), self.code, str(self), self.fields)


def told_again(kind: type[Refusal], code: str, told: str, fields: dict[str, Any]) -> Refusal:
    """Make a refusal whose sentence is worded already."""
    problem = kind(code, "{told}", told=told)
    problem.fields = fields
    return problem


class Seat(Struct, frozen=True, gc=False):
    """Somebody at the table, in a field of what is told: worded as their name."""

    seat: int


class Word(Struct, frozen=True, omit_defaults=True):
    """A word of the catalogue, in a field of what is told: worded in the reader's language."""

    word: str
    fields: dict[str, Any] = {}


class News(Struct, frozen=True, omit_defaults=True):
    """What a move tells somebody: a key of the game's words, and fields to fill in.

    A field is a text, a number, a Seat, a Word, or a list of these.
    """

    key: str
    fields: dict[str, Any] = {}
    place: str = ""
    """Where the thing told of lies, if it may be told only as long as nothing else comes there."""
    touches: tuple[str, ...] = ()
    """The places that this changes: what was told of them fades."""
    faded: "News | None" = None
    """What is still told when it has faded; nothing if there is none."""


def still_told(told: Sequence[News]) -> list[News]:
    """Let fade what later news have touched: of a covered tile one tells no more which it was."""
    kept: list[News] = []
    touched: set[str] = set()
    for news in reversed(told):
        found = news.faded if news.place in touched else news
        touched.update(news.touches)
        if found is not None:
            kept.append(found)
    return kept[::-1]


class IllegalMove(Refusal):
    """A move that the rules do not allow; the state has not changed."""


class BadStart(Refusal):
    """A game that cannot be set up so: a wrong number of seats, a wrong house rule."""


class Rng(Protocol):
    """Where chance comes from; see `tischlein.chance`."""

    def below(self, n: int, /) -> int:
        """Give a whole number from 0 to n - 1, each equally likely."""


Trait = Literal["turns", "secrets", "race"]
"""What a game has: one player after another; things that seats hide from each other; quick hands.

A game with a race also has `race(state)`, which gives the OpenRace, or None while none is open. It
may name in `CALM` a house rule that takes the race away: then all decide in secret instead.
"""

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")


Chances = Sequence[tuple[Any, Fraction]]
"""Moves of nature, each with its probability."""
Deeds = dict[type, Callable[[S, Any], S]]
"""What a kind of move does to a state."""
SeatDeeds = dict[type, Callable[[S, int, Any], S]]
"""What a kind of move by a seat does to a state."""


class Game(Protocol[S, M, V]):
    """What a game is. Each module in `tischlein.games` is one."""

    NAME: str
    SEATS: range
    HAS: frozenset[Trait]
    Options: Any
    Move: Any
    View: Any
    REASONS: dict[str, str]

    def start(self, seats: int, options: Mapping[str, Any] | None = None) -> S:
        """Give the empty table, before nature deals."""

    def to_move(self, state: S) -> tuple[By, ...]:
        """Say who may move now; nobody when the game is over."""

    def legal(self, state: S, seat: int) -> Sequence[M]:
        """List every legal move of a seat and nothing else (race moves without their time)."""

    def play(self, state: S, by: By, move: M) -> S:
        """Give the state after the move, or raise IllegalMove."""

    def chances(self, state: S) -> Sequence[tuple[M, Fraction]]:
        """List nature's moves with their probabilities; empty where they can't be listed."""

    def draw(self, state: S, rng: Rng) -> M:
        """Draw nature's next move; in a race, which chance does not decide, the end of its time."""

    def view(self, state: S, viewer: Viewer) -> V:
        """Show what the viewer may see."""

    def seen(self, by: By, move: M, viewer: Viewer, later: bool = False) -> Seen | None:
        """Tell a move as the viewer may see it when it is made, or later, when it is no secret.

        None if not at all.
        """

    def retold(
        self,
        moves: Sequence[tuple[By, M]],
        since: int,
        state: S,
        viewer: Viewer,
        later: bool = False,
    ) -> list[Seen | None]:
        """Tell the moves of a game since a number, each as far as it may still be told now."""

    def in_secret(self, state: S) -> int:
        """Say how many of the latest moves were made in secret and are not told yet."""

    def waits_for(self, state: S, viewer: Viewer) -> tuple[By, ...]:
        """Say who may move now, as far as the viewer may know."""

    def standing(self, state: S, viewer: Viewer) -> tuple[int, ...] | None:
        """Give the scores, or None where they would tell the viewer what is hidden."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Give the scores of the position if it ended now."""

    def winners(self, state: S) -> tuple[int, ...]:
        """Name the winning seats; nobody until the game is over."""

    def imagine(self, view: V, rng: Rng) -> S:
        """Give a whole state that agrees with the view, each equally likely."""


AnyGame = Game[Any, Any, Any]


def traits(rules: AnyGame, options: Mapping[str, Any]) -> frozenset[Trait]:
    """Say what a game has under some house rules: one without a clock has secrets, not a race."""
    if options.get(getattr(rules, "CALM", ""), False):
        return rules.HAS - {"race"} | {"secrets"}
    return rules.HAS


def ranking(rules: AnyGame, state: Any) -> tuple[tuple[int, ...], ...]:
    """Put the seats in order, best first, equal ones together.

    Points decide, unless the game says with `merits` what else does.
    """
    return in_order(getattr(rules, "merits", rules.scores)(state))


def in_order(merits: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Group the seats by merit, the greatest first."""
    seats = range(len(merits))
    levels = sorted(set(merits), reverse=True)
    return tuple(tuple(seat for seat in seats if merits[seat] == level) for level in levels)


COMMON_REASONS: Final = {
    "over": "the game is over",
    "no_seat": "there is no seat {seat} at this table; the seats are 0 to {last}",
    "not_your_turn": "it is not your turn; it is the turn of seat {turn}",
    "already_moved": "you have made your move; wait for the others",
    "wait_for_nature": "wait: the dice or cards come first",
    "seats_first": "nature has nothing to do now; the table waits for a player",
    "only_nature": "dice and cards do that by themselves; it is not a player's move",
    "only_players": "only a player can do that, not nature",
    "deal_first": "nature must deal first",
    "dealt_already": "the game is dealt already",
    "wrong_starter": "the house rule says that seat {starter} starts, not seat {named}",
    "not_a_seat": "seat {named} cannot start; the seats are 0 to {last}",
}

_NUMBERS: Final = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def in_words(value: object) -> object:
    """Write a small count as people do."""
    if type(value) is int and 0 <= value < len(_NUMBERS):
        return _NUMBERS[value]
    return value


def illegal(reasons: Mapping[str, str], code: str, **fields: Any) -> IllegalMove:
    """Make the refusal that the catalogue words for this code."""
    return IllegalMove(code, reasons[code], **fields)


def refuse_mover(movers: tuple[By, ...], by: By, seats: int) -> IllegalMove:
    """Say why somebody who is not to move is refused."""
    if not movers:
        return illegal(COMMON_REASONS, "over")
    if by == NATURE:
        return illegal(COMMON_REASONS, "seats_first")
    if not 0 <= by < seats:
        return illegal(COMMON_REASONS, "no_seat", seat=str(by), last=str(seats - 1))
    if movers == BY_NATURE:
        return illegal(COMMON_REASONS, "wait_for_nature")
    if len(movers) == 1:
        return illegal(COMMON_REASONS, "not_your_turn", turn=str(movers[0]))
    return illegal(COMMON_REASONS, "already_moved")


def check_starter(options: Options, named: int, seats: int) -> None:
    """Refuse a deal that names a starter who is not at the table or not the agreed one."""
    if not 0 <= named < seats:
        raise illegal(COMMON_REASONS, "not_a_seat", named=str(named), last=str(seats - 1))
    if options.starter is not None and options.starter != named:
        fields = {"starter": str(options.starter), "named": str(named)}
        raise illegal(COMMON_REASONS, "wrong_starter", **fields)


def draw_starter(options: Options, seats: int, rng: Rng) -> int:
    """Let chance name the starter where no house rule does."""
    return rng.below(seats) if options.starter is None else options.starter


def starters(options: Options, seats: int) -> Sequence[int]:
    """List who may start: all, or the one whom the house rule names."""
    return range(seats) if options.starter is None else (options.starter,)


def evenly(moves: Sequence[Any]) -> Chances:
    """Make all these moves of nature equally likely."""
    chance = Fraction(1, len(moves))
    return [(move, chance) for move in moves]


def shuffled(things: Sequence[M], rng: Rng) -> tuple[M, ...]:
    """Shuffle (Fisher and Yates): every order equally likely if `rng` is fair."""
    pile, below = list(things), rng.below
    for last in range(len(pile) - 1, 0, -1):
        chosen = below(last + 1)
        pile[last], pile[chosen] = pile[chosen], pile[last]
    return tuple(pile)


def whole(by: By, move: Move) -> Seen:
    """Tell a move that hides nothing."""
    told: Seen = {"by": by}
    told.update(msgspec.to_builtins(move))
    return told


def same_multiset(things: Sequence[Any], others: Sequence[Any]) -> bool:
    """Say whether both hold the same things, in whatever order."""
    return len(things) == len(others) and sorted(things) == sorted(others)


def changed(things: tuple[M, ...], at: int, thing: M) -> tuple[M, ...]:
    """Give a tuple with one place changed; a copied list is the quickest way."""
    copy = list(things)
    copy[at] = thing
    return tuple(copy)


def less(things: tuple[M, ...], thing: M) -> tuple[M, ...]:
    """Give a tuple without one of the things in it."""
    at = things.index(thing)
    return things[:at] + things[at + 1 :]


@lru_cache(1024)  # more than all groups at a table of six
def others(movers: tuple[M, ...], seat: M) -> tuple[M, ...]:
    """Give all movers but one of them."""
    return less(movers, seat)


def without(things: Sequence[M], taken: Sequence[M]) -> list[M]:
    """Give what is left of a pile when some of its things are taken out."""
    left = list(things)
    for thing in taken:
        left.remove(thing)
    return left


O = TypeVar("O", bound=Options)  # noqa: E741


def set_up(seats: int, given: Mapping[str, Any] | None, allowed: range, kind: type[O]) -> O:
    """Check the number of seats and read the house rules, or say in a sentence what is wrong."""
    if type(seats) is not int or seats not in allowed:
        sentence = "this game is for {fewest} to {most} players, not {seats}"
        raise BadStart("seats", sentence, fewest=allowed[0], most=allowed[-1], seats=seats)
    if not given:
        return kind()
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    chosen = {}
    for name, value in given.items():
        if name not in fields:
            sentence = "there is no house rule `{name}`; this game has {known}"
            raise BadStart("no_option", sentence, name=name[:40], known=", ".join(sorted(fields)))
        chosen[name] = _read_option(name, value, fields[name].type, seats)
    return kind(**chosen)


def _read_option(name: str, value: Any, kind: Any, seats: int) -> Any:
    """Convert one house rule, or say what it must be."""
    if name == "starter" and (value is None or (type(value) is int and 0 <= value < seats)):
        return value
    try:
        if name != "starter":
            return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        pass  # the sentence below says what is wrong, in the words of the rule
    must = f"a seat from 0 to {seats - 1}, or null" if name == "starter" else _expected(kind)
    sentence = "the house rule `{name}` must be {must}, not {value}"
    raise BadStart("bad_option", sentence, name=name, must=must, value=_shown(value))


def _shown(value: Any) -> str:
    """Write what somebody gave, or the beginning of it."""
    try:
        text = repr(value)
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) < 60 else f"{text[:60]}…"


def _expected(kind: Any) -> str:
    """Say in words what a house rule takes: its own description, or true or false."""
    for note in getattr(kind, "__metadata__", ()):
        if isinstance(note, msgspec.Meta) and note.description:
            return note.description
    return "true or false" if kind is bool else cast(str, kind.__name__)
