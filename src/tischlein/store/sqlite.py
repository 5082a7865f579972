"""Tables in one SQLite file: a writer thread of its own commits whatever has come together."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from tischlein.store import Record, Taken

T = TypeVar("T")
Job = tuple[Callable[[sqlite3.Connection], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]

VERSION: Final = 1
SCHEMA: Final = """
CREATE TABLE tables (
    name TEXT PRIMARY KEY, entries INTEGER NOT NULL, touched REAL NOT NULL, live INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE entries (
    name TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (name, number)
) WITHOUT ROWID;
CREATE TABLE records (
    name TEXT NOT NULL, game INTEGER NOT NULL, record TEXT NOT NULL, kept REAL NOT NULL,
    PRIMARY KEY (name, game)
) WITHOUT ROWID;
CREATE INDEX live_tables ON tables (name) WHERE live;
CREATE INDEX by_time ON tables (touched);
"""


class SqliteStore:
    """Keeps tables in a file; one thread does all the writing and reading."""

    def __init__(self, file: Path | str) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._db = open_database(str(file))
        self._thread.start()

    async def append(
        self,
        table: str,
        first: int,
        entries: Sequence[bytes],
        now: float,
        live: bool,
        record: Record | None = None,
    ) -> None:
        """Write entries numbered from `first`, all or none; when this returns they are durable."""

        def write(db: sqlite3.Connection) -> None:
            write_entries(db, table, first, entries, now, live)
            if record is not None:
                db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (table, *record, now))

        await self._do(write)

    async def load(self, table: str, after: int = 0) -> list[bytes]:
        """Read the entries of a table after a number, in order."""
        query = "SELECT entry FROM entries WHERE name = ? AND number > ? ORDER BY number"
        rows = await self._do(lambda db: db.execute(query, (table, after)).fetchall())
        return [entry for (entry,) in rows]

    async def live(self) -> list[str]:
        """List the tables that wait for their server."""
        query = "SELECT name FROM tables WHERE live ORDER BY name"
        return [name for (name,) in await self._do(lambda db: db.execute(query).fetchall())]

    async def tidy(self, untouched_since: float) -> list[str]:
        """Forget tables that nobody has touched since; give their names."""
        return await self._do(lambda db: forget(db, untouched_since))

    async def record(self, table: str, game: int | None = None) -> str | None:
        """Read the record of a finished game: of this number, or the last."""
        query = (
            "SELECT record FROM records WHERE name = ? AND game = coalesce(?, game)"
            " ORDER BY game DESC LIMIT 1"
        )
        row = await self._do(lambda db: db.execute(query, (table, game)).fetchone())
        return None if row is None else str(row[0])

    async def close(self) -> None:
        """Finish what is being written and let go of the file."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._db.close()

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put((work, loop, done))
        return await done

    def _work(self) -> None:
        """Take all jobs that wait, do them in one transaction, commit, then tell."""
        while (job := self._jobs.get()) is not None:
            batch = [job]
            while not self._jobs.empty() and len(batch) < 1000:
                more = self._jobs.get()
                if more is None:
                    self._jobs.put(None)
                    break
                batch.append(more)
            self._commit(batch)

    def _commit(self, batch: list[Job]) -> None:
        answers: list[tuple[Job, Any, BaseException | None]] = []
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for job in batch:
                answers.append((job, *attempt(self._db, job[0])))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:  # nothing of this batch is durable: all must know
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            answers = [(job, None, error) for job in batch]
        for (_, loop, done), result, problem in answers:
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, done, result, problem)


def attempt(
    db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]
) -> tuple[T | None, BaseException | None]:
    """Do one job of a batch; if it fails, undo it alone, unless the engine itself is in trouble."""
    db.execute("SAVEPOINT job")
    try:
        result = work(db)
    except sqlite3.OperationalError:
        raise
    except Exception as problem:  # whatever is wrong with this job is its caller's to hear
        db.execute("ROLLBACK TO job")
        db.execute("RELEASE job")
        return None, problem
    db.execute("RELEASE job")
    return result, None


def settle(done: "asyncio.Future[Any]", result: Any, problem: BaseException | None) -> None:
    """Give a waiting task its answer, unless it has gone."""
    if done.done():
        return
    if problem is None:
        done.set_result(result)
    else:
        done.set_exception(problem)


def open_database(file: str) -> sqlite3.Connection:
    """Open the file so that what is committed survives a crash, and make its tables."""
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=30)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA busy_timeout = 30000")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise RuntimeError(f"{file} was written by a newer Tischlein (version {version})")
    if version < VERSION:
        db.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    return db


def write_entries(
    db: sqlite3.Connection, table: str, first: int, entries: Sequence[bytes], now: float, live: bool
) -> None:
    """Write entries and what the store tells of their table."""
    row = db.execute("SELECT entries FROM tables WHERE name = ?", (table,)).fetchone()
    if (row[0] if row else 0) != first - 1:
        raise Taken(f"{table} is not at number {first - 1}")
    numbered = [(table, first + n, entry) for n, entry in enumerate(entries)]
    db.executemany("INSERT INTO entries VALUES (?, ?, ?)", numbered)
    db.execute(
        "INSERT INTO tables VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
        " SET entries = excluded.entries, touched = excluded.touched, live = excluded.live",
        (table, first - 1 + len(entries), now, live),
    )


def forget(db: sqlite3.Connection, untouched_since: float) -> list[str]:
    """Delete old tables with all their entries."""
    query = "SELECT name FROM tables WHERE touched < ? ORDER BY name"
    names = [name for (name,) in db.execute(query, (untouched_since,)).fetchall()]
    for name in names:
        db.execute("DELETE FROM entries WHERE name = ?", (name,))
        db.execute("DELETE FROM tables WHERE name = ?", (name,))
    return names
