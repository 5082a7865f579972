"""The tables of the stores, version by version.

A version only adds to what was there, so that a server of the version before goes on beside it;
`oldest` names the oldest version of the program that can still work with it.
"""

from typing import Final, NamedTuple


class Migration(NamedTuple):
    """One step forward, in the words of each engine."""

    version: int
    oldest: int
    sqlite: str
    postgresql: str


HISTORY: Final = (
    "CREATE TABLE IF NOT EXISTS schema (version INTEGER PRIMARY KEY, oldest INTEGER NOT NULL)"
)
"""Which versions this store has been through."""

MIGRATIONS: Final = (
    Migration(
        1,
        1,
        """
        CREATE TABLE tables (
            name TEXT PRIMARY KEY, entries INTEGER NOT NULL, touched REAL NOT NULL,
            live INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE entries (
            name TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL,
            PRIMARY KEY (name, number)
        ) WITHOUT ROWID;
        CREATE TABLE records (
            name TEXT NOT NULL, game INTEGER NOT NULL, record TEXT NOT NULL, kept REAL NOT NULL,
            PRIMARY KEY (name, game)
        ) WITHOUT ROWID;
        CREATE INDEX live_tables ON tables (name) WHERE live;
        CREATE INDEX by_time ON tables (touched);
        """,
        """
        CREATE TABLE tables (
            name TEXT PRIMARY KEY, entries INTEGER NOT NULL, touched DOUBLE PRECISION NOT NULL,
            live BOOLEAN NOT NULL
        ) WITH (fillfactor = 70);
        CREATE TABLE entries (
            name TEXT NOT NULL, number INTEGER NOT NULL, entry BYTEA NOT NULL,
            PRIMARY KEY (name, number)
        );
        CREATE TABLE records (
            name TEXT NOT NULL, game INTEGER NOT NULL, record TEXT NOT NULL,
            kept DOUBLE PRECISION NOT NULL, PRIMARY KEY (name, game)
        );
        CREATE INDEX live_tables ON tables (name) WHERE live;
        """,
    ),
    Migration(
        2,
        1,
        """
        CREATE TABLE servers (
            id TEXT PRIMARY KEY, expires REAL NOT NULL, uncertainty REAL NOT NULL, hop REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE presence (
            name TEXT NOT NULL, server TEXT NOT NULL, here BLOB NOT NULL,
            PRIMARY KEY (name, server)
        ) WITHOUT ROWID;
        CREATE INDEX by_holder ON leases (holder);
        """,
        """
        CREATE TABLE servers (
            id TEXT PRIMARY KEY, expires DOUBLE PRECISION NOT NULL,
            uncertainty DOUBLE PRECISION NOT NULL, hop DOUBLE PRECISION NOT NULL
        ) WITH (fillfactor = 50);
        CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL);
        CREATE TABLE presence (
            name TEXT NOT NULL, server TEXT NOT NULL, here BYTEA NOT NULL,
            PRIMARY KEY (name, server)
        );
        CREATE INDEX by_holder ON leases (holder);
        """,
    ),
)
VERSION: Final = MIGRATIONS[-1].version


class NewerStore(RuntimeError):
    """A store that only a newer program understands."""

    def __init__(self, oldest: int) -> None:
        super().__init__(f"this store was written by a newer Tischlein (version {oldest})")


def missing(version: int, oldest: int) -> tuple[Migration, ...]:
    """List the steps from a version to this program's; refuse a store that is too new."""
    if oldest > VERSION:
        raise NewerStore(oldest)
    return tuple(step for step in MIGRATIONS if step.version > version)
