"""Tables in one SQLite file: a writer thread of its own commits whatever has come together."""

import asyncio
import json
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from tischlein.store import NotHolder, Page, Taken, schema
from tischlein.store.sql import FORGET_PRESENCE, FORGET_SERVERS, SqlStore

T = TypeVar("T")
Job = tuple[Callable[[sqlite3.Connection], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
Settled = tuple["asyncio.Future[Any]", Any, Exception | None]
"""Who waits, and the answer: a result or a problem."""

ABOUT: Final = 60.0
"""When a table was touched is kept to so many seconds: it matters after days."""
CHECKPOINT: Final = 8000
"""After so many pages the log of what was written is brought into the file itself."""
NOW: Final = "((julianday('now') - 2440587.5) * 86400.0)"


@cache
def in_sqlite(words: str) -> str:
    """Say in this engine's words what both are asked."""
    said = words.replace("{now}", NOW).replace("{names}", "json_each($1)")
    return re.sub(r"\$(\d)", r"?\1", said)


class SqliteStore(SqlStore):
    """Keeps tables in a file; one thread does all the writing and reading."""

    def __init__(self, file: Path | str) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._db = open_database(str(file))
        self._thread.start()

    async def open(self) -> None:
        """Open already: a file needs no waiting."""

    async def append(self, page: Page, /) -> None:
        """Write a page, all or nothing; when this returns it is durable."""
        await self._do(lambda db: write_page(db, page))

    async def tidy(self, untouched_since: float) -> list[str]:
        """Forget tables that nobody has touched since; give their names."""
        return await self._do(lambda db: forget(db, untouched_since))

    async def time(self) -> float:
        """Tell the time that all servers share: that of this machine."""
        return time.time()

    async def close(self) -> None:
        """Finish what is being written and let go of the file."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._db.close()

    async def _ask(self, words: str, *values: Any) -> list[Any]:
        return await self._do(lambda db: db.execute(in_sqlite(words), values).fetchall())

    def _list(self, names: Sequence[str]) -> Any:
        return json.dumps(list(names))

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
        """Do jobs in one transaction; where one spoils it, each in one of its own."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            answers = [attempt(self._db, work) for work, _, _ in batch]
            self._db.execute("COMMIT")
        except (
            Exception
        ) as problem:  # nothing of this batch is durable: whose fault it was must know
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if len(batch) > 1:
                for job in batch:
                    self._commit([job])
                return
            answers = [(None, problem)]
        by_loop: dict[asyncio.AbstractEventLoop, list[Settled]] = {}
        for (_, loop, done), answer in zip(batch, answers, strict=True):
            by_loop.setdefault(loop, []).append((done, *answer))
        for loop, settled in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, settled)


def attempt(
    db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]
) -> tuple[T | None, Exception | None]:
    """Do one job of a batch; who is refused has written nothing yet."""
    try:
        return work(db), None
    except (Taken, NotHolder) as refused:
        return None, refused


def settle(answers: "list[Settled]") -> None:
    """Give waiting tasks their answers, unless they have gone."""
    for done, result, problem in answers:
        if done.done():
            continue
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
    db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    migrate(db)
    return db


def migrate(db: sqlite3.Connection) -> None:
    """Bring the tables to this program's version."""
    if not schema.missing(*version_of(db)):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(schema.HISTORY)
        for step in schema.missing(*version_of(db)):
            for words in step.sqlite.split(";"):
                db.execute(words)
            db.execute("INSERT INTO schema VALUES (?, ?)", (step.version, step.oldest))
            db.execute(f"PRAGMA user_version = {step.oldest}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def version_of(db: sqlite3.Connection) -> tuple[int, int]:
    """Read the version of the tables, and the oldest of a program that can work with them.

    The first version kept no history; `user_version` still tells old programs what they need.
    """
    (oldest,) = db.execute("PRAGMA user_version").fetchone()
    (kept,) = db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'schema'").fetchone()
    (version,) = db.execute("SELECT max(version) FROM schema").fetchone() if kept else (None,)
    return (oldest if version is None else version), oldest


def check_holder(db: sqlite3.Connection, table: str, holder: str) -> None:
    """Refuse to write for a server that no longer conducts the table."""
    query = "SELECT 1 FROM leases WHERE name = ? AND holder = ?"
    if db.execute(query, (table, holder)).fetchone() is None:
        raise NotHolder(table)


def write_page(db: sqlite3.Connection, page: Page) -> None:
    """Write entries, what the store tells of their table, and the record of a game they end."""
    table, first, entries, now, live, record, holder = page
    if holder is not None:
        check_holder(db, table, holder)
    query = "SELECT entries, touched, live FROM tables WHERE name = ?"
    kept, touched, was_live = db.execute(query, (table,)).fetchone() or (0, 0.0, None)
    if kept != first - 1:
        raise Taken(f"{table} is not at number {first - 1}")
    numbered = [(table, first + n, entry) for n, entry in enumerate(entries)]
    db.executemany("INSERT INTO entries VALUES (?, ?, ?)", numbered)
    last = first - 1 + len(entries)
    if live == was_live and 0 <= now - touched < ABOUT:  # no index need change
        db.execute("UPDATE tables SET entries = ? WHERE name = ?", (last, table))
    else:
        db.execute(
            "INSERT INTO tables VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
            " SET entries = excluded.entries, touched = excluded.touched, live = excluded.live",
            (table, last, now, live),
        )
    if record is not None:
        db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (table, *record, now))


def forget(db: sqlite3.Connection, untouched_since: float) -> list[str]:
    """Delete old tables with all their entries."""
    query = "SELECT name FROM tables WHERE touched < ? ORDER BY name"
    names = [name for (name,) in db.execute(query, (untouched_since,)).fetchall()]
    for name in names:
        db.execute("DELETE FROM entries WHERE name = ?", (name,))
        db.execute("DELETE FROM tables WHERE name = ?", (name,))
        db.execute("DELETE FROM leases WHERE name = ?", (name,))
    db.execute(in_sqlite(FORGET_SERVERS))
    db.execute(FORGET_PRESENCE)
    return names
