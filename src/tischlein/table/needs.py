"""What a table needs of the world: a house it stands in, a journal that keeps what happens."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from tischlein.bots import Answer, Turn
from tischlein.game import Refusal
from tischlein.table.settings import TableSettings

if TYPE_CHECKING:
    from tischlein.table.table import Table

T = TypeVar("T")


class Conflict(Refusal):
    """Something that fits the table at another time, not now."""


class Stranger(Refusal):
    """Something that only somebody else may do."""


class Taken(Exception):
    """Somebody else has written this number of this table: read on, and judge again."""


class NotHolder(Exception):
    """Another server conducts this table now."""


class StoreDown(Exception):
    """The store cannot be reached; what was to be written may or may not be there."""


NEVER: Final = 0.0
Record = tuple[int, str]
"""Which game of a table this is, from 1, and how it went."""


class Page(NamedTuple):
    """Entries of a table to be written in one go, all or none."""

    table: str
    first: int
    """The number of the first entry; the one before it must be there."""
    entries: Sequence[bytes]
    now: float
    live: bool
    """Whether the table then waits for its server: a game goes on."""
    record: Record | None = None
    """The record of the game that these entries end."""
    holder: str | None = None
    """The server that must conduct the table for this to be written."""
    alarm: float | None = None
    """When a server must look at the table again, whoever else does; NEVER, or None: as before."""
    guests: Sequence[tuple[int, str]] = ()
    """With a record: the seats in which people with a profile played it, and their profiles."""
    rated: bool = False
    """With a record: whether it counts for their ratings."""
    left: Sequence[int] = ()
    """With a record: the seats of those who did not play it to its end themselves."""


class Journal(Protocol):
    """Keeps the entries of tables, in order, durably."""

    async def append(self, page: Page, /) -> None:
        """Write a page; when this returns it is durable. Raises Taken or NotHolder."""

    async def load(self, table: str, after: int = 0) -> list[bytes]:
        """Read the entries of a table after a number."""

    async def glance(self, tables: Sequence[str]) -> Mapping[str, Any]:
        """Say how tables stand; those that are not kept are left out."""


class Listener(Protocol):
    """Somebody who looks at the table: a seat's socket, or a watcher's."""

    seat: int | None
    network: str
    """Where they look from: an address, or what stands for all addresses of one household."""

    def changed(self) -> None:
        """Hear that there is something new to see."""

    def lose_seat(self, why: Refusal | None) -> None:
        """Hear that the seat is no longer one's own, and why if somebody else wished it."""

    def saw(self, seat: int, mood: str) -> None:
        """See how somebody at the table feels."""


class Asker(NamedTuple):
    """For whom a bot thinks: a table, and the networks of the people who wait for it there."""

    table: str = ""
    networks: frozenset[str] = frozenset({""})


class Thinkers(Protocol):
    """Lets bots think, somewhere where no table waits for it; who is cancelled wants no answer."""

    async def choose(self, game: str, level: str, turn: Turn, asker: Asker) -> Answer:
        """Let a bot choose; any legal move takes the place of an answer that does not come."""

    async def ask(self, game: str, level: str, turn: Turn, asker: Asker) -> Answer | None:
        """Ask a bot what it would do; None if it has no answer."""


class Servers(Protocol):
    """The servers that share the store, as one of them sees them; it may be alone."""

    @property
    def holder(self) -> str | None:
        """Give this server's name among the others; none if it is alone."""

    @property
    def slack(self) -> float:
        """Say how far the clocks of servers may be apart, in ms."""

    @property
    def hop(self) -> float:
        """Say how long a deed may take from another server to the store, in ms."""

    def conducts(self, name: str) -> bool:
        """Say whether bots, clocks and races of a table are this server's."""

    def wrote(self, name: str, entries: int, took: float) -> None:
        """Hear that a table has so many entries now, and how long writing took in seconds."""

    def collided(self) -> None:
        """Hear that another server was quicker."""

    def lost(self, name: str) -> None:
        """Hear that another server conducts a table."""

    def let_go(self, name: str) -> None:
        """Hear that a table needs nobody to conduct it just now."""

    def seen(self, name: str) -> None:
        """Hear that somebody came to a table, or went."""

    async def look_at(self, table: "Table") -> None:
        """Let a table hear who is at it, at all servers."""


class Nudges(Protocol):
    """Tells people who are away that it is their turn."""

    def nudge(self, table: "Table", seat: int) -> None:
        """Tell the player in a seat; this never waits, and never fails."""


class Counts(Protocol):
    """What the house counts."""

    def moved(self, moves: int, table: str, in_race: bool) -> None:
        """Count moves that were stored; those of a race are told when it is over."""

    def timed(self, uncertainty: float, table: str) -> None:
        """Count how uncertain the time of a race deed was, in ms; told when the race is over."""


class Offers(Protocol):
    """Hears of tables, and shows those that wait for anybody."""

    def changed(self, table: "Table") -> None:
        """Hear that something has changed at a table."""


class House(Protocol):
    """What a table needs of the house it stands in."""

    @property
    def journal(self) -> Journal:
        """Give what keeps the entries."""

    @property
    def settings(self) -> TableSettings:
        """Give the times of tables."""

    @property
    def servers(self) -> Servers:
        """Give what is known of all servers."""

    @property
    def thinkers(self) -> Thinkers:
        """Give whoever lets bots think."""

    @property
    def nudges(self) -> Nudges:
        """Give whoever tells people that are away."""

    @property
    def counts(self) -> Counts:
        """Give whoever counts."""

    @property
    def offers(self) -> Offers:
        """Give whoever shows tables that wait for anybody."""

    @property
    def now(self) -> Callable[[], float]:
        """Give the clock: the time in seconds."""

    def mark(self, network: str) -> str:
        """Give what tells a network from others, and its address to nobody."""

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start work that goes on whatever becomes of the caller."""

    def game_ended(self, table: str, game: int) -> None:
        """Hear that a game has ended and is written down."""


Do = Callable[[], Awaitable[None]]
