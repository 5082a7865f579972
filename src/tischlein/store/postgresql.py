"""Tables in PostgreSQL, for any number of servers; each append is one statement of its own."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from tischlein.store import NotHolder, Page, Step, StoreDown, Taken, schema
from tischlein.store.sql import FORGET_SERVERS, FORGET_WITH_SERVERS, OF_A_TABLE, OLD, SqlStore

log = logging.getLogger("tischlein.store")
T = TypeVar("T")
Connection: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"

NOW: Final = "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
NAMES: Final = "unnest(CAST($1 AS TEXT[])) AS given(value)"
CONNECTIONS: Final = 8
MIGRATING: Final = 7_153_846
"""The number of the lock under which one server at a time migrates."""

WRITE: Final = """
    , kept AS (
        INSERT INTO records (name, game, record, kept)
        SELECT name, $6, $7, $4 FROM held WHERE CAST($6 AS INTEGER) IS NOT NULL
    ), guests AS (
        INSERT INTO played (name, game, seat, profile, ended, left_early)
        SELECT name, $6, seat, profile, $4, CASE WHEN seat = ANY($13) THEN 1 ELSE 0 END
        FROM held, unnest(CAST($9 AS INTEGER[]), CAST($10 AS TEXT[])) AS given(seat, profile)
        WHERE CAST($6 AS INTEGER) IS NOT NULL
    ), unrating AS (
        INSERT INTO unrated (name, game, ended)
        SELECT name, $6, $4 FROM held WHERE CAST($6 AS INTEGER) IS NOT NULL AND $11
    ), awake AS (
        DELETE FROM alarms
        WHERE CAST($12 AS DOUBLE PRECISION) = 0 AND name IN (SELECT name FROM held)
    ), alarmed AS (
        INSERT INTO alarms (name, due) SELECT name, $12 FROM held WHERE $12 <> 0
        ON CONFLICT (name) DO UPDATE SET due = excluded.due
    )
    INSERT INTO entries (name, number, entry)
    SELECT name, CAST($2 AS INTEGER) + place - 1, entry
    FROM held, unnest(CAST($3 AS BYTEA[])) WITH ORDINALITY AS given(entry, place)
    RETURNING number
"""
LAST: Final = "CAST($2 AS INTEGER) + cardinality(CAST($3 AS BYTEA[])) - 1"
FIRST_WRITE: Final = (
    f"WITH held AS (INSERT INTO tables (name, entries, touched, live)"
    f" SELECT $1, {LAST}, CAST($4 AS DOUBLE PRECISION), CAST($5 AS BOOLEAN)"
    f" WHERE CAST($8 AS TEXT) IS NULL RETURNING name) {WRITE}"
)
NEXT_WRITE: Final = (
    f"WITH held AS (UPDATE tables SET entries = {LAST}, touched = $4, live = $5 WHERE name = $1"  # noqa: S608
    " AND EXISTS (SELECT 1 FROM entries WHERE name = $1 AND number = $2 - 1)"
    " AND (CAST($8 AS TEXT) IS NULL"
    " OR EXISTS (SELECT 1 FROM leases WHERE name = $1 AND holder = $8))"
    f" RETURNING name) {WRITE}"
)
"""The number is judged by the unique key alone; the row of the table only keeps tidying out."""
WITH_IT: Final = ", ".join(
    f"no_{table} AS (DELETE FROM {table} WHERE name IN (SELECT name FROM gone))"  # noqa: S608
    for table in OF_A_TABLE
    if table != "tables"
)
TIDY: Final = f"""
    WITH gone AS (DELETE FROM tables WHERE name IN ({OLD}) RETURNING name), {WITH_IT}
    SELECT name FROM gone ORDER BY name
"""  # noqa: S608  # all of it stands here and beside
BROKEN: Final = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.TransactionRollbackError,
)
"""What may pass: the line is cut, the engine starts again, or it chose to undo one of two."""


@cache
def in_postgresql(words: str) -> str:
    """Say in this engine's words what both are asked."""
    return words.replace("{now}", NOW).replace("{names}", NAMES)


class PostgresqlStore(SqlStore):
    """Keeps tables in PostgreSQL."""

    def __init__(
        self, address: str, patience: float = 10.0, connections: int = CONNECTIONS
    ) -> None:
        self._address, self._patience, self._connections = address, patience, connections
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    async def open(self) -> None:
        """Connect, and bring the tables to this program's version, or let go again."""
        try:
            await self._patiently(self._connect)
            await self._patiently(lambda again: self._with(migrate))
        except BaseException:
            await self.close()
            raise

    async def _connect(self, again: bool) -> None:
        if self._pool is None:
            self._pool = await asyncpg.create_pool(
                self._address,
                min_size=0,
                max_size=self._connections,
                timeout=5.0,
                command_timeout=self._patience,
                server_settings={"application_name": "tischlein"},
            )

    async def append(self, page: Page, /) -> None:
        """Write a page, all or nothing; when this returns it is durable."""
        table, first, entries, now, live, record, holder, alarm, guests, rated, left = page
        game, text = record or (None, None)
        words = FIRST_WRITE if first == 1 else NEXT_WRITE
        seats, profiles = [seat for seat, _ in guests], [profile for _, profile in guests]
        ended = (game, text, holder, seats, profiles, rated, alarm, list(left))
        values = (table, first, list(entries), now, live, *ended)

        async def write(again: bool) -> None:
            if again and await self._is_there(table, first, entries):
                return  # the line broke when it was written already
            try:
                rows = await self._with(lambda db: db.fetch(words, *values))
            except asyncpg.UniqueViolationError:
                if again and await self._is_there(table, first, entries):
                    return
                raise Taken(f"{table} has a number {first}") from None
            if not rows:
                await self._refuse(table, first, holder)

        await self._patiently(write)

    async def _is_there(self, table: str, first: int, entries: Sequence[bytes]) -> bool:
        """Say whether just these entries stand at their place: every one tells its own moment."""
        found = await self.load(table, first - 1)
        return found[: len(entries)] == list(entries)

    async def _refuse(self, table: str, first: int, holder: str | None) -> None:
        query = "SELECT 1 FROM leases WHERE name = $1 AND holder = $2"
        if holder is not None and not await self.ask(query, table, holder):
            raise NotHolder(table)
        raise Taken(f"{table} is not at number {first - 1}")

    async def tidy(
        self, untouched_since: float, unplayed_since: float, seen: Sequence[str] = ()
    ) -> list[str]:
        """Forget tables untouched since, or since the second time where no game was started."""
        values = self.listed(seen), untouched_since, unplayed_since
        names = [row[0] for row in await self.ask(TIDY, *values)]
        await self.ask(FORGET_SERVERS)
        for words in FORGET_WITH_SERVERS:
            await self.ask(words)
        return names

    async def time(self) -> float:
        """Tell the time that all servers share: that of PostgreSQL."""
        return float((await self.ask("SELECT {now}"))[0][0])

    async def close(self) -> None:
        """Let go of all connections."""
        if self._pool is not None:
            try:
                async with asyncio.timeout(5.0):
                    await self._pool.close()
            except BROKEN:
                self._pool.terminate()

    async def together(self, *steps: Step) -> list[list[Any]] | None:
        """Take steps all together, or none of them."""
        return await self._patiently(lambda again: self._with(partial(take_steps, steps)))

    async def ask(self, words: str, *values: Any) -> list[Any]:
        """Do something that may be done twice, and give the rows."""
        said = in_postgresql(words)
        return await self._patiently(lambda again: self._with(lambda db: db.fetch(said, *values)))

    def listed(self, names: Sequence[str]) -> Any:
        """Give a list as one argument."""
        return list(names)

    @asynccontextmanager
    async def snapshot(self) -> "AsyncIterator[PostgresqlStore]":
        """Give the store as it is now, to be read only, whatever is written meanwhile."""
        if self._pool is None:
            raise StoreDown("the store is not open")
        async with (
            self._pool.acquire(timeout=self._patience) as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield Still(connection)

    async def size(self) -> int:
        """Say how many bytes the database takes."""
        return int((await self.ask("SELECT pg_database_size(current_database())"))[0][0])

    async def _with(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        if self._pool is None:
            raise StoreDown("the store is not open")
        async with self._pool.acquire(timeout=self._patience) as connection:
            return await work(connection)

    async def _patiently(self, work: Callable[[bool], Awaitable[T]]) -> T:
        """Try again while the engine is away, for a while; `work` hears whether it is a retry."""
        end, again = time.monotonic() + self._patience, False
        while True:
            try:
                return await work(again)
            except asyncpg.DataError as problem:
                raise ValueError(str(problem)) from None
            except BROKEN as problem:
                if time.monotonic() > end:
                    raise StoreDown(str(problem) or type(problem).__name__) from problem
                log.info("store away: %s %s", type(problem).__name__, problem)
            again = True
            await asyncio.sleep(0.1)


class Still(PostgresqlStore):
    """The store as it was at one moment: all is read in one transaction."""

    def __init__(self, connection: Connection) -> None:
        super().__init__("")
        self._connection = connection

    async def _with(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await work(self._connection)

    async def _patiently(self, work: Callable[[bool], Awaitable[T]]) -> T:
        """Try once: what is gone with its line cannot be read on."""
        try:
            return await work(False)
        except BROKEN as problem:
            raise StoreDown(str(problem) or type(problem).__name__) from problem


class Unfit(Exception):
    """A step did not give what it must."""


async def take_steps(steps: Sequence[Step], db: Connection) -> list[list[Any]] | None:
    """Take steps one after the other; where one does not fit, none was taken."""
    found = []
    try:
        async with db.transaction():
            for step in steps:
                rows = await db.fetch(in_postgresql(step.words), *step.values)
                if step.rows is not None and len(rows) != step.rows:
                    raise Unfit
                found.append([tuple(row) for row in rows])
    except Unfit:
        return None
    return found


async def migrate(db: Connection) -> None:
    """Bring the tables to this program's version, while others may be at work."""
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", MIGRATING)
        await db.execute(schema.HISTORY)
        row = await db.fetchrow(
            "SELECT coalesce(max(version), 0), coalesce(max(oldest), 0) FROM schema"
        )
        assert row is not None  # noqa: S101  # an aggregate always gives one
        for step in schema.missing(*row):
            await db.execute(step.postgresql)
            await db.execute("INSERT INTO schema VALUES ($1, $2)", step.version, step.oldest)
