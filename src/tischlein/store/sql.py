"""What both engines do with the same words: reading, leases, presence, moving house.

`$1` is the first argument, `{now}` the engine's time, `{names}` a list given as one argument.
"""

from collections.abc import Sequence
from typing import Any, Final

from tischlein.store import Glance, KeptRecord, KeptTable, Peer

LIVING: Final = "SELECT 1 FROM servers WHERE id = leases.holder AND expires > {now}"
LOAD: Final = "SELECT entry FROM entries WHERE name = $1 AND number > $2 ORDER BY number"
RECORD: Final = "SELECT record FROM records WHERE name = $1 AND game = $2"
LAST_RECORD: Final = "SELECT record FROM records WHERE name = $1 ORDER BY game DESC LIMIT 1"
BEAT: Final = """
    INSERT INTO servers (id, expires, uncertainty, hop)
    VALUES ($1, {now} + CAST($2 AS DOUBLE PRECISION), $3, $4)
    ON CONFLICT (id) DO UPDATE SET expires = excluded.expires,
        uncertainty = excluded.uncertainty, hop = excluded.hop
"""
OTHERS: Final = "SELECT id, uncertainty, hop FROM servers WHERE expires > {now} AND id <> $1"
TAKE: Final = f"""
    INSERT INTO leases (name, holder) SELECT value, CAST($2 AS TEXT) FROM {{names}} WHERE true
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder
    WHERE leases.holder = excluded.holder OR NOT EXISTS ({LIVING})
    RETURNING name
"""  # noqa: S608  # all of it stands here
RELEASE: Final = "DELETE FROM leases WHERE name = $1 AND holder = $2"
ABANDONED: Final = """
    SELECT leases.name FROM servers JOIN leases ON leases.holder = servers.id
    WHERE servers.expires <= {now} LIMIT $1
"""
GLANCE: Final = """
    SELECT tables.name, tables.entries, servers.id FROM tables
    LEFT JOIN leases ON leases.name = tables.name
    LEFT JOIN servers ON servers.id = leases.holder AND servers.expires > {now}
    WHERE tables.name IN (SELECT value FROM {names})
"""
PRESENCE: Final = """
    SELECT presence.name, presence.server, presence.here FROM presence
    JOIN servers ON servers.id = presence.server AND servers.expires > {now}
    WHERE presence.name IN (SELECT value FROM {names})
"""
SHOW: Final = """
    INSERT INTO presence (name, server, here) VALUES ($1, $2, $3)
    ON CONFLICT (name, server) DO UPDATE SET here = excluded.here
"""
HIDE: Final = "DELETE FROM presence WHERE name = $1 AND server = $2"
OLD: Final = """
    SELECT name FROM tables WHERE (touched < $2 OR (touched BETWEEN $3 - 259200.0 AND $3
        AND NOT live AND NOT EXISTS (SELECT 1 FROM records WHERE records.name = tables.name)))
    AND name NOT IN (SELECT value FROM {names})
    AND NOT EXISTS (SELECT 1 FROM alarms WHERE alarms.name = tables.name)
    AND NOT EXISTS (
        SELECT 1 FROM presence JOIN servers ON servers.id = presence.server
        WHERE presence.name = tables.name AND servers.expires > {now}
    ) LIMIT 500
"""
"""A game that goes on is live, one that has ended left a record: else none was started.

For these the last three days count, so that a store that keeps many tables is not read through.
A table that will be looked at again at a set time stays until then.
"""
FORGET_SERVERS: Final = """
    DELETE FROM servers WHERE expires < {now} - 3600
    AND NOT EXISTS (SELECT 1 FROM leases WHERE holder = servers.id)
"""
FORGET_WITH_SERVERS: Final = (
    "DELETE FROM presence WHERE server NOT IN (SELECT id FROM servers)",
    "DELETE FROM offers WHERE server > '' AND server NOT IN (SELECT id FROM servers)",
)
OF_A_TABLE: Final = ("entries", "tables", "leases", "alarms", "pushes", "offers", "sits")
"""What goes with a table when it is tidied up; records, and who played them, stay."""
TABLES: Final = """
    SELECT name, entries, touched, live FROM tables WHERE name > $1 ORDER BY name LIMIT $2
"""
RECORDS: Final = """
    SELECT name, game, record, kept FROM records
    WHERE (name, game) > ($1, $2) ORDER BY name, game LIMIT $3
"""
KEEP: Final = """
    INSERT INTO records (name, game, record, kept) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name, game) DO NOTHING
"""


class SqlStore:
    """A store in SQL; its engine says how to ask."""

    async def ask(self, words: str, *values: Any) -> list[Any]:
        """Do something that may be done twice, and give the rows."""
        raise NotImplementedError

    def listed(self, names: Sequence[str]) -> Any:
        """Give a list as one argument."""
        raise NotImplementedError

    async def load(self, table: str, after: int = 0) -> list[bytes]:
        """Read the entries of a table after a number, in order."""
        return [row[0] for row in await self.ask(LOAD, table, after)]

    async def record(self, table: str, game: int | None = None) -> str | None:
        """Read the record of a finished game: of this number, or the last."""
        asked = (LAST_RECORD, table) if game is None else (RECORD, table, game)
        rows = await self.ask(*asked)
        return str(rows[0][0]) if rows else None

    async def beat(self, peer: Peer, seconds: float) -> list[Peer]:
        """Say that a server lives for so long from now; give all others that live."""
        await self.ask(BEAT, peer.id, seconds, peer.uncertainty, peer.hop)
        return [Peer(*row) for row in await self.ask(OTHERS, peer.id)]

    async def take(self, tables: Sequence[str], holder: str) -> list[str]:
        """Let a server conduct those of these tables that no other living one does; name them."""
        return [row[0] for row in await self.ask(TAKE, self.listed(sorted(tables)), holder)]

    async def release(self, table: str, holder: str) -> None:
        """Let a table go that a server conducts."""
        await self.ask(RELEASE, table, holder)

    async def abandoned(self, most: int) -> list[str]:
        """List tables whose server died."""
        return [row[0] for row in await self.ask(ABANDONED, most)]

    async def glance(self, tables: Sequence[str]) -> dict[str, Glance]:
        """Say how tables stand; those that are not kept are left out."""
        names = self.listed(tables)
        found = {row[0]: Glance(row[1], row[2], {}) for row in await self.ask(GLANCE, names)}
        for name, server, here in await self.ask(PRESENCE, names):
            if name in found:
                found[name].here[server] = here
        return found

    async def show(self, table: str, server: str, here: bytes) -> None:
        """Keep what a server shows of who is at a table; empty: nobody is."""
        await (self.ask(SHOW, table, server, here) if here else self.ask(HIDE, table, server))

    async def tables(self, after: str, most: int) -> list[KeptTable]:
        """List what is kept of tables, by name, after a name."""
        rows = await self.ask(TABLES, after, most)
        return [KeptTable(name, n, touched, bool(live)) for name, n, touched, live in rows]

    async def records(self, after: tuple[str, int], most: int) -> list[KeptRecord]:
        """List records, by table and game, after one of them."""
        return [KeptRecord(*row) for row in await self.ask(RECORDS, *after, most)]

    async def keep(self, record: KeptRecord) -> None:
        """Keep a record that another store gave; one that is there stays."""
        await self.ask(KEEP, *record)
