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


def both(version: int, words: str) -> Migration:
    """Take a step that reads the same for both engines, but for their names of two kinds."""
    sqlite = words.replace("DOUBLE", "REAL").replace("BYTES", "BLOB")
    postgresql = words.replace("DOUBLE", "DOUBLE PRECISION").replace("BYTES", "BYTEA")
    return Migration(version, 1, sqlite, postgresql)


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
    both(
        3,
        """
        CREATE TABLE alarms (name TEXT PRIMARY KEY, due DOUBLE NOT NULL);
        CREATE INDEX alarms_by_time ON alarms (due);
        CREATE TABLE pushes (
            name TEXT NOT NULL, seat INTEGER NOT NULL, endpoint TEXT NOT NULL,
            body BYTES NOT NULL, made DOUBLE NOT NULL, PRIMARY KEY (name, seat, endpoint)
        );
        CREATE INDEX pushes_by_endpoint ON pushes (endpoint);
        CREATE TABLE keys (name TEXT PRIMARY KEY, body BYTES NOT NULL);
        CREATE TABLE offers (
            name TEXT PRIMARY KEY, server TEXT NOT NULL, body BYTES NOT NULL, since DOUBLE NOT NULL
        );
        CREATE INDEX offers_by_server ON offers (server, since);
        CREATE TABLE profiles (
            id TEXT PRIMARY KEY, made DOUBLE NOT NULL, seen DOUBLE NOT NULL, body BYTES NOT NULL
        );
        CREATE TABLE passkeys (
            id TEXT PRIMARY KEY, profile TEXT NOT NULL, made DOUBLE NOT NULL, used DOUBLE NOT NULL,
            body BYTES NOT NULL
        );
        CREATE INDEX passkeys_by_profile ON passkeys (profile);
        CREATE TABLE logins (
            token TEXT PRIMARY KEY, profile TEXT NOT NULL, made DOUBLE NOT NULL,
            seen DOUBLE NOT NULL, device TEXT NOT NULL
        );
        CREATE INDEX logins_by_profile ON logins (profile);
        CREATE TABLE codes (
            code TEXT PRIMARY KEY, profile TEXT NOT NULL, purpose TEXT NOT NULL,
            until DOUBLE NOT NULL
        );
        CREATE INDEX codes_by_profile ON codes (profile);
        CREATE TABLE sits (
            profile TEXT NOT NULL, name TEXT NOT NULL, at DOUBLE NOT NULL,
            PRIMARY KEY (profile, name)
        );
        CREATE INDEX sits_by_table ON sits (name);
        CREATE TABLE played (
            name TEXT NOT NULL, game INTEGER NOT NULL, seat INTEGER NOT NULL,
            profile TEXT NOT NULL, ended DOUBLE NOT NULL, left_early INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (name, game, seat)
        );
        CREATE INDEX played_by_profile ON played (profile, ended);
        CREATE TABLE unrated (
            name TEXT NOT NULL, game INTEGER NOT NULL, ended DOUBLE NOT NULL,
            PRIMARY KEY (name, game)
        );
        CREATE TABLE ratings (
            profile TEXT NOT NULL, game TEXT NOT NULL, season TEXT NOT NULL,
            mu DOUBLE NOT NULL, sigma DOUBLE NOT NULL, games INTEGER NOT NULL,
            worth DOUBLE NOT NULL, at DOUBLE NOT NULL, gained DOUBLE NOT NULL DEFAULT 0,
            last TEXT NOT NULL DEFAULT '', PRIMARY KEY (profile, game, season)
        );
        CREATE INDEX ratings_by_worth ON ratings (game, season, worth);
        CREATE TABLE insights (
            name TEXT NOT NULL, game INTEGER NOT NULL, body BYTES NOT NULL,
            PRIMARY KEY (name, game)
        );
        CREATE TABLE cups (
            name TEXT PRIMARY KEY, version INTEGER NOT NULL, touched DOUBLE NOT NULL,
            body BYTES NOT NULL
        );
        CREATE INDEX cups_by_time ON cups (touched);
        """,
    ),
    both(
        4,
        """
        CREATE TABLE carried (
            profile TEXT NOT NULL, name TEXT NOT NULL, mark TEXT NOT NULL, at DOUBLE NOT NULL,
            goes_on INTEGER NOT NULL, body BYTES NOT NULL, PRIMARY KEY (profile, name)
        );
        CREATE INDEX carried_by_table ON carried (name);
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
