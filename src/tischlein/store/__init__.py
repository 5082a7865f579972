"""Where tables are kept: one interface, and one file for each engine that keeps it."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from tischlein.table.needs import NotHolder, Page, Record, StoreDown, Taken

__all__ = [
    "Asks",
    "Glance",
    "KeptRecord",
    "KeptTable",
    "NotHolder",
    "Page",
    "Peer",
    "Record",
    "Step",
    "Store",
    "StoreDown",
    "Taken",
    "open_store",
    "store_at",
]


class Peer(Struct, frozen=True):
    """A server that lives: how well it knows the time, and how long its writes take, in ms."""

    id: str
    uncertainty: float = 0.0
    hop: float = 0.0


class Glance(NamedTuple):
    """How a table stands: its entries, who conducts it, and what living servers show of it."""

    entries: int
    holder: str | None
    here: dict[str, bytes]


class KeptTable(NamedTuple):
    """What the store tells of a table, beside its entries."""

    name: str
    entries: int
    touched: float
    live: bool


class KeptRecord(NamedTuple):
    """The record of a finished game, as it is kept."""

    name: str
    game: int
    record: str
    kept: float


class Step(NamedTuple):
    """Something to be asked together with other things; `rows`: how many it must give, or none."""

    words: str
    values: tuple[Any, ...] = ()
    rows: int | None = None


class Asks(Protocol):
    """Answers in SQL: what is kept of people, and beside tables, is asked for in these words.

    `$1` is the first argument, `{now}` the engine's time, `{names}` a list given as one argument.
    """

    async def ask(self, words: str, *values: Any) -> list[Any]:
        """Do something that may be done twice, and give the rows."""

    async def together(self, *steps: Step) -> list[list[Any]] | None:
        """Take steps all together, or none of them: None if one does not give what it must.

        None may also mean that they were taken, but the line broke before that was heard: who
        must know looks again.
        """

    def listed(self, names: Sequence[str]) -> Any:
        """Give a list as one argument."""


class Store(Asks, Protocol):
    """Keeps the entries of tables, in order, durably.

    An entry is a line of JSON. `(table, number)` is unique, and numbers leave no gap.
    """

    async def open(self) -> None:
        """Reach the engine, and bring its tables to this program's version."""

    async def append(self, page: Page, /) -> None:
        """Write a page, all or nothing; when this returns it is durable.

        Raises Taken if one of its numbers is written already or if a number before them is
        missing, NotHolder if it names a holder who is not.
        """

    async def load(self, table: str, after: int = 0) -> list[bytes]:
        """Read the entries of a table after a number, in order; none if there is no such table."""

    async def tidy(
        self, untouched_since: float, unplayed_since: float, seen: Sequence[str] = ()
    ) -> list[str]:
        """Forget tables untouched since, or since the second time where no game was started.

        Gives the names of some of them, enough for one go. Records stay, and so do tables that
        are named as seen, or that a living server shows.
        """

    async def record(self, table: str, game: int | None = None) -> str | None:
        """Read the record of a finished game: of this number, or the last."""

    async def close(self) -> None:
        """Finish what is being written and let go of the engine."""

    # Many servers

    async def time(self) -> float:
        """Tell the time that all servers share, in seconds."""

    async def beat(self, peer: Peer, seconds: float) -> list[Peer]:
        """Say that a server lives for so long from now; give all others that live."""

    async def take(self, tables: Sequence[str], holder: str) -> list[str]:
        """Let a server conduct those of these tables that no other living one does; name them."""

    async def release(self, table: str, holder: str) -> None:
        """Let a table go that a server conducts."""

    async def abandoned(self, most: int) -> list[str]:
        """List tables whose server died."""

    async def glance(self, tables: Sequence[str]) -> dict[str, Glance]:
        """Say how tables stand; those that are not kept are left out."""

    async def show(self, table: str, server: str, here: bytes) -> None:
        """Keep what a server shows of who is at a table; empty: nobody is."""

    # Moving house

    def snapshot(self) -> "AbstractAsyncContextManager[Store]":
        """Give the store as it is now, to be read only, whatever is written meanwhile."""

    async def size(self) -> int:
        """Say how many bytes it takes."""

    async def tables(self, after: str, most: int) -> list[KeptTable]:
        """List what is kept of tables, by name, after a name."""

    async def records(self, after: tuple[str, int], most: int) -> list[KeptRecord]:
        """List records, by table and game, after one of them."""

    async def keep(self, record: KeptRecord) -> None:
        """Keep a record that another store gave; one that is there stays."""


def store_at(address: str) -> Store:
    """Give the store at an address, `postgresql://…` or a SQLite file, still to be opened."""
    if address.startswith(("postgresql://", "postgres://")):
        from tischlein.store.postgresql import PostgresqlStore

        return PostgresqlStore(address)
    from tischlein.store.sqlite import SqliteStore

    return SqliteStore(address)


async def open_store(address: str) -> Store:
    """Open the store at an address."""
    store = store_at(address)
    await store.open()
    return store
