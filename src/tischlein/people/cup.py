"""A cup as it is kept, one document, and what changes in it: pure."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from tischlein.game import Refusal, ranking
from tischlein.names import are_alike, printable
from tischlein.people.schedule import Mode, Outcome, outcome
from tischlein.record import replay
from tischlein.table.book import fingerprint
from tischlein.table.care import neutral_name
from tischlein.table.needs import Conflict, Stranger

LONGEST_TITLE: Final = 40
NO_TITLE: Final = "Tournament"
"""What is left of a title that was taken away; pages say it in their own language."""
Phase = Literal["open", "playing", "over"]


class Member(Struct, frozen=True):
    """Somebody in a cup."""

    name: str
    token: str
    """The fingerprint of what they hold."""
    profile: str | None = None
    has_left: bool = False


class Result(Struct, frozen=True):
    """How a table ended, by seat; without any it was not played."""

    ranking: tuple[tuple[int, ...], ...] = ()
    scores: tuple[float, ...] = ()


class Board(Struct, frozen=True):
    """A table of a round: who meets there, its name when it is set, how it ended."""

    people: tuple[int, ...]
    table: str | None = None
    result: Result | None = None


class Cup(Struct, frozen=True):
    """A cup as it is kept; members have the number of their place in the list."""

    title: str
    game: str
    seats: int
    mode: Mode
    members: tuple[Member, ...]
    made: float
    options: dict[str, Any] = {}
    host: int = 0
    rounds: tuple[tuple[Board, ...], ...] = ()
    round: int = -1
    since: float = 0.0
    """When this round began."""

    @property
    def phase(self) -> Phase:
        """Say whether people may join, play, or look at the result."""
        if self.round < 0:
            return "open"
        return "playing" if self.round < len(self.rounds) else "over"

    @property
    def boards(self) -> tuple[Board, ...]:
        """List the tables of this round."""
        return self.rounds[self.round] if self.phase == "playing" else ()

    def member(self, token: str) -> int:
        """Find whose token this is, or refuse."""
        wanted = fingerprint(token)
        for number, member in enumerate(self.members):
            if member.token == wanted and not member.has_left:
                return number
        raise Stranger("not_member", "send the token of a member of this tournament")

    def is_played_by_bots(self, board: Board) -> bool:
        """Say whether all who should meet at a table have left the cup."""
        return all(self.members[person].has_left for person in board.people)


def proper_title(text: str) -> str:
    """Make a title proper, or refuse it."""
    title = " ".join(text.split())
    if not title or len(title) > LONGEST_TITLE or printable(title) != title:
        sentence = "a title has 1 to {most} signs that all can see"
        raise Refusal("bad_title", sentence, most=str(LONGEST_TITLE))
    return title


def without(found: Cup, token: str) -> Cup:
    """Give a cup without somebody, before its start; the next one becomes host."""
    gone = found.member(token)
    if found.phase != "open":
        return left(found, gone)
    members = tuple(member for n, member in enumerate(found.members) if n != gone)
    return replace(found, members=members)


def forgotten(found: Cup, profile: str) -> Cup:
    """Give a cup in which a profile's name is gone; of several who are gone each has a number."""
    members = list(found.members)
    for number, member in enumerate(members):
        if member.profile == profile:
            name = neutral_name([other.name for other in members], number)
            members[number] = replace(member, name=name, profile=None)
    return replace(found, members=tuple(members))


def renamed(found: Cup, number: int, wanted: str | None) -> Cup:
    """Give a cup in which somebody is called otherwise: as is wanted, or just somebody."""
    if not 0 <= number < len(found.members):
        told = {"member": str(number), "last": str(len(found.members) - 1)}
        raise Refusal("no_member", "there is no member {member}; they are 0 to {last}", **told)
    others = [member.name for n, member in enumerate(found.members) if n != number]
    if wanted is not None and any(are_alike(wanted, other) for other in others):
        raise Conflict("name_taken", "somebody here is called that already")
    named = replace(found.members[number], name=wanted or neutral_name(others, number))
    return replace(found, members=(*found.members[:number], named, *found.members[number + 1 :]))


def seats_of(found: Cup, number: int) -> list[tuple[str, int]]:
    """List the tables that were set for somebody, and their seats there."""
    return [
        (board.table, board.people.index(number))
        for boards in found.rounds
        for board in boards
        if board.table is not None and number in board.people
    ]


def member_at(found: Cup, table: str, seat: int) -> int | None:
    """Find who was given a seat at a table; None if a bot was, or the table does not count."""
    boards = [board for boards in found.rounds for board in boards if board.table == table]
    people = [board.people[seat] for board in boards if 0 <= seat < len(board.people)]
    return next(iter(people), None)


def with_boards(found: Cup, boards: tuple[Board, ...]) -> Cup:
    """Give a cup with other tables in this round."""
    rounds = (*found.rounds[: found.round], boards, *found.rounds[found.round + 1 :])
    return replace(found, rounds=rounds)


def left(found: Cup, gone: int) -> Cup:
    """Give a cup in which somebody has left; the next one who is there becomes host."""
    members = tuple(
        replace(member, has_left=True) if n == gone else member
        for n, member in enumerate(found.members)
    )
    there = [n for n, member in enumerate(members) if not member.has_left]
    host = found.host if found.host in there else next(iter(there), found.host)
    return replace(found, members=members, host=host)


def result_of(record: str) -> Result:
    """Read who came out where, and with how many points."""
    game = replay(record.split("\n"))
    assert game.result is not None  # noqa: S101  # only finished games are kept as records
    return Result(ranking(game.rules, game.state), game.result.scores)


def outcomes(found: Cup) -> Sequence[Outcome]:
    """List how the tables ended that were played, for the people who met there."""
    boards = [board for boards in found.rounds for board in boards]
    return [
        outcome(board.result.ranking, board.result.scores, dict(enumerate(board.people)))
        for board in boards
        if board.result is not None and board.result.ranking
    ]


def rounded(value: Fraction) -> float:
    """Give a share as it is told."""
    return round(float(value), 4)
