"""Tables in one SQLite file: a writer thread of its own commits whatever has come together."""

import asyncio
import json
import re
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from functools import cache
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

from tischlein.store import NotHolder, Page, Step, StoreDown, Taken, schema
from tischlein.store.files import keep_private
from tischlein.store.sql import FORGET_SERVERS, FORGET_WITH_SERVERS, OF_A_TABLE, OLD, SqlStore
from tischlein.table.needs import NEVER

Work = Page | Callable[[sqlite3.Connection], Any]
"""A page to be written, or something else to be done."""
Job = tuple[Work, asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
Answer = tuple[Any, Exception | None]
"""What came of some work: a result, or a problem."""
Settled = tuple["asyncio.Future[Any]", Any, Exception | None]
"""Who waits, and the answer: a result or a problem."""

ABOUT: Final = 60.0
"""When a table was touched is kept to so many seconds: it matters after days."""
CHECKPOINT: Final = 8000
"""After so many pages the log of what was written is brought into the file itself."""
AWAY: Final = (
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
)  # fmt: skip
"""What may pass: the file cannot be written just now."""
IN_MEMORY: Final = ":memory:"
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
        self._file = str(file)
        self._db = open_database(self._file)
        self._thread.start()

    async def open(self) -> None:
        """Open already: a file needs no waiting."""

    async def append(self, page: Page, /) -> None:
        """Write a page, all or nothing; when this returns it is durable."""
        await self._do(page)

    async def tidy(
        self, untouched_since: float, unplayed_since: float, seen: Sequence[str] = ()
    ) -> list[str]:
        """Forget tables untouched since, or since the second time where no game was started."""
        values = self.listed(seen), untouched_since, unplayed_since
        found: list[str] = await self._do(lambda db: forget(db, values))
        return found

    async def time(self) -> float:
        """Tell the time that all servers share: that of this machine."""
        return time.time()

    async def close(self) -> None:
        """Finish what is being written and let go of the file."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._db.close()

    async def together(self, *steps: Step) -> list[list[Any]] | None:
        """Take steps all together, or none of them."""
        found: list[list[Any]] | None = await self._do(lambda db: take_steps(db, steps))
        return found

    async def ask(self, words: str, *values: Any) -> list[Any]:
        """Do something that may be done twice, and give the rows."""
        rows: list[Any] = await self._do(lambda db: db.execute(in_sqlite(words), values).fetchall())
        return rows

    def listed(self, names: Sequence[str]) -> Any:
        """Give a list as one argument."""
        return json.dumps(list(names))

    @asynccontextmanager
    async def snapshot(self) -> "AsyncIterator[SqliteStore]":
        """Give the store as it is now, to be read only, whatever is written meanwhile."""
        if self._file == IN_MEMORY:
            yield self
            return
        with closing(sqlite3.connect(self._file, isolation_level=None, timeout=30)) as db:
            db.execute("BEGIN")
            yield Still(db)

    async def size(self) -> int:
        """Say how many bytes the file takes."""
        words = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return int((await self.ask(words))[0][0])

    async def _do(self, work: Work) -> Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
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
        """Do jobs, commit, and let those who wait know."""
        answers = transact(self._db, [work for work, _, _ in batch])
        by_loop: dict[asyncio.AbstractEventLoop, list[Settled]] = {}
        for (_, loop, done), answer in zip(batch, answers, strict=True):
            by_loop.setdefault(loop, []).append((done, *answer))
        for loop, settled in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, settled)


class Still(SqliteStore):
    """The store as it was at one moment: all is read here, in one transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db, self._file = db, IN_MEMORY

    async def _do(self, work: Work) -> Any:
        assert not isinstance(work, Page)  # noqa: S101  # it is for reading
        return work(self._db)


def told_as(problem: Exception) -> Exception:
    """Say that the store is away where the disk is: full, locked or broken, it may be back."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    return StoreDown(str(problem)) if code in AWAY else problem


def transact(db: sqlite3.Connection, works: Sequence[Work]) -> list[Answer]:
    """Do some work in one transaction; where one spoils it, each in one of its own."""
    try:
        db.execute("BEGIN IMMEDIATE")
        answers = do_all(db, works)
        db.execute("COMMIT")
    except Exception as problem:  # nothing of it is durable: whose fault it was must know
        if db.in_transaction:
            db.execute("ROLLBACK")
        if len(works) > 1:
            return [answer for work in works for answer in transact(db, [work])]
        return [(None, told_as(problem))]
    return answers


def do_all(db: sqlite3.Connection, works: Sequence[Work]) -> list[Answer]:
    """Do some work in its order; pages that follow each other are written together."""
    answers: list[Answer] = []
    for kind, group in groupby(works, key=lambda work: isinstance(work, Page)):
        if kind:
            answers += write_pages(db, [work for work in group if isinstance(work, Page)])
        else:
            answers += [(work(db), None) for work in group if not isinstance(work, Page)]
    return answers


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
    if file != IN_MEMORY:
        keep_private(Path(file))
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=30)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA busy_timeout = 30000")
    db.execute("PRAGMA secure_delete = ON")  # who wants to be forgotten is, also in a copied file
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


class Head(NamedTuple):
    """What the store tells of a table; `is_known`: no index need change for it."""

    entries: int = 0
    touched: float = 0.0
    live: bool | None = None
    is_known: bool = False


def write_pages(db: sqlite3.Connection, pages: Sequence[Page]) -> list[Answer]:
    """Write pages with a few words for all of them; who is refused has written nothing."""
    heads = heads_of(db, {page.table for page in pages})
    answers: list[Answer] = []
    written = []
    for page in pages:
        try:
            heads[page.table] = after(db, page, heads.get(page.table, Head()))
        except (Taken, NotHolder) as refused:
            answers.append((None, refused))
        else:
            written.append(page)
            answers.append((None, None))
    if written:
        keep_pages(db, written, heads)
    return answers


def heads_of(db: sqlite3.Connection, names: set[str]) -> dict[str, Head]:
    """Read what the store tells of some tables, in one row: each costs a change of threads."""
    query = (
        "SELECT json_group_array(json_array(name, entries, touched, live)) FROM tables"
        " WHERE name IN (SELECT value FROM json_each(?))"
    )
    (found,) = db.execute(query, (json.dumps(list(names)),)).fetchone()
    return {
        name: Head(n, touched, bool(live), True) for name, n, touched, live in json.loads(found)
    }


def after(db: sqlite3.Connection, page: Page, head: Head) -> Head:
    """Say what is to be told of a table after a page, or refuse the page."""
    if page.holder is not None:
        check_holder(db, page.table, page.holder)
    if head.entries != page.first - 1:
        raise Taken(f"{page.table} is not at number {page.first - 1}")
    last = page.first - 1 + len(page.entries)
    if page.live == head.live and 0 <= page.now - head.touched < ABOUT:
        return head._replace(entries=last)
    return Head(last, page.now, page.live)


def keep_pages(db: sqlite3.Connection, pages: Sequence[Page], heads: dict[str, Head]) -> None:
    """Write what was accepted: entries, heads, and the records of games that ended."""
    rows = [
        (page.table, page.first + n, entry)
        for page in pages
        for n, entry in enumerate(page.entries)
    ]
    db.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
    told = {page.table: heads[page.table] for page in pages}
    known = [(head.entries, name) for name, head in told.items() if head.is_known]
    db.executemany("UPDATE tables SET entries = ? WHERE name = ?", known)
    db.executemany(
        "INSERT INTO tables VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
        " SET entries = excluded.entries, touched = excluded.touched, live = excluded.live",
        [(name, *head[:3]) for name, head in told.items() if not head.is_known],
    )
    for page in pages:
        if page.alarm is not None:
            set_alarm(db, page.table, page.alarm)
        if page.record is not None:
            keep_record(db, page, *page.record)


def set_alarm(db: sqlite3.Connection, table: str, due: float) -> None:
    """Note when a table must be looked at again, or that it need not be."""
    if due == NEVER:
        db.execute("DELETE FROM alarms WHERE name = ?", (table,))
    else:
        db.execute("INSERT OR REPLACE INTO alarms VALUES (?, ?)", (table, due))


def keep_record(db: sqlite3.Connection, page: Page, game: int, record: str) -> None:
    """Keep a game that ended, and who played it."""
    db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (page.table, game, record, page.now))
    rows = [
        (page.table, game, seat, profile, page.now, seat in page.left)
        for seat, profile in page.guests
    ]
    db.executemany("INSERT INTO played VALUES (?, ?, ?, ?, ?, ?)", rows)
    if page.rated:
        db.execute("INSERT INTO unrated VALUES (?, ?, ?)", (page.table, game, page.now))


def forget(db: sqlite3.Connection, values: tuple[str, float, float]) -> list[str]:
    """Delete old tables with all their entries."""
    names = sorted(name for (name,) in db.execute(in_sqlite(OLD), values).fetchall())
    for name in names:
        for table in OF_A_TABLE:
            db.execute(f"DELETE FROM {table} WHERE name = ?", (name,))  # noqa: S608  # our own names
    db.execute(in_sqlite(FORGET_SERVERS))
    for words in FORGET_WITH_SERVERS:
        db.execute(words)
    return names


def take_steps(db: sqlite3.Connection, steps: Sequence[Step]) -> list[list[Any]] | None:
    """Take steps one after the other; where one does not fit, none was taken."""
    db.execute("SAVEPOINT steps")
    found = []
    for step in steps:
        found.append(db.execute(in_sqlite(step.words), step.values).fetchall())
        if step.rows is not None and len(found[-1]) != step.rows:
            db.execute("ROLLBACK TO steps")
            db.execute("RELEASE steps")
            return None
    db.execute("RELEASE steps")
    return found
