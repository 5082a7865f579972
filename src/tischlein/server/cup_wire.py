"""What goes over the wire of a cup."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from tischlein.people.cup import Board, Cup, Phase, outcomes, rounded
from tischlein.people.cups import Seen
from tischlein.people.schedule import By, Mode, decided_by, outcome, points, standings
from tischlein.server.wire import Name, Request

Title = Annotated[str, Meta(min_length=1, max_length=200, description="1 to 40 signs.")]
BoardPhase = Literal["planned", "open", "playing", "over", "left_out"]


class OpenCup(Request, frozen=True):
    """Open a tournament; the caller is its host. `seats`: at each table."""

    name: Title
    game: str
    seats: int
    nickname: Name
    mode: Mode = "at_once"
    options: dict[str, Any] = field(default_factory=dict)


class JoinCup(Request, frozen=True):
    """Take part in a tournament."""

    nickname: Name


class NameTable(Request, frozen=True):
    """Name a table of this round."""

    table: Annotated[str, Meta(max_length=40)]


class CupHeld(Struct, frozen=True):
    """Somebody's place in a tournament: what they are called there, and the token that holds it."""

    cup: str
    member: int
    name: str
    token: str


class CupSelf(Struct, frozen=True):
    """A member's number, and what they are called: whoever runs the house may take a name away."""

    member: int
    name: str


class CupMember(Struct, frozen=True):
    """Somebody in a tournament; who has left is played for by bots."""

    name: str
    left: bool


class CupTable(Struct, frozen=True):
    """A table of a round: who meets there, in the order of seats; bots have the other seats."""

    people: tuple[int, ...]
    table: str | None
    phase: BoardPhase
    places: tuple[int, ...]
    """Of these people, among themselves, from 1; none until it is over."""
    scores: tuple[float, ...]
    points: tuple[float, ...]


class CupStanding(Struct, frozen=True):
    """How somebody stands; `by` says what puts them ahead of the next with as many points."""

    member: int
    place: int
    points: float
    wins: int
    played: int
    by: By | None


class CupInfo(Struct, frozen=True):
    """A tournament as everybody may know it; `round` counts from 0."""

    cup: str
    title: str
    game: str
    seats: int
    options: dict[str, Any]
    mode: Mode
    phase: Phase
    host: int
    members: tuple[CupMember, ...]
    most: int
    planned: int
    """How many rounds there are, or would be with those who are in now."""
    round: int
    rounds: tuple[tuple[CupTable, ...], ...]
    standings: tuple[CupStanding, ...]
    may_begin_at: float
    """When people may begin without the others at a table of this round, in server's seconds."""


def cup_info(name: str, seen: Seen, planned: int, most: int, patience: float) -> CupInfo:
    """Tell what everybody may know of a cup."""
    cup = seen.cup
    return CupInfo(
        name,
        cup.title,
        cup.game,
        cup.seats,
        cup.options,
        cup.mode,
        cup.phase,
        cup.host,
        tuple(CupMember(member.name, member.has_left) for member in cup.members),
        most,
        planned,
        cup.round,
        tuple(tuple(table_info(board, seen) for board in boards) for boards in cup.rounds),
        standings_of(cup),
        cup.since + patience,
    )


def table_info(board: Board, seen: Seen) -> CupTable:
    """Tell what everybody may know of a table."""
    if board.result is None:
        phase: BoardPhase = "planned"
        if board.table is not None:
            phase = seen.phases.get(board.table, "open")
        return CupTable(board.people, board.table, phase, (), (), ())
    if not board.result.ranking:
        return CupTable(board.people, board.table, "left_out", (), (), ())
    ranking, scores = board.result.ranking, board.result.scores
    found = outcome(ranking, scores, dict(enumerate(board.people)))
    return CupTable(
        board.people,
        board.table,
        "over",
        tuple(found.places[person] + 1 for person in board.people),
        scores[: len(board.people)],
        tuple(rounded(points(found, person)) for person in board.people),
    )


def standings_of(cup: Cup) -> tuple[CupStanding, ...]:
    """Tell who is ahead."""
    rows = standings(len(cup.members), outcomes(cup))
    return tuple(
        CupStanding(
            row.person,
            row.place,
            rounded(row.points),
            row.wins,
            row.played,
            decided_by(rows, number) if cup.phase != "open" else None,
        )
        for number, row in enumerate(rows)
    )
