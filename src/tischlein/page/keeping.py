"""The store of a browser: SQLite beside the page, and what changes in it kept by the page.

A browser keeps named things for a page, not files. So the database lies as a file in the memory of
the page's worker, and is cut into pieces. What a commit changes SQLite writes into its log; from
there the pieces that have changed are handed over all together, however large all the rest is, and
nobody is told of a move before they are kept. What cannot be kept just now, on a full disk, goes
with the next commit.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from struct import unpack_from
from tempfile import TemporaryDirectory
from typing import Any, Final

from tischlein.store import StoreDown
from tischlein.store.sqlite import IN_MEMORY, Answer, SqliteStore, Work, migrate, settle, transact

PIECE: Final = 4096
"""So many bytes of the database are one piece: a page of SQLite's own."""
LOG_HEAD: Final = 32
FRAME_HEAD: Final = 24
"""So many bytes stand in SQLite's log before its pages, and before each of them."""
WITHOUT_LOG: Final = b"\1\1"
"""How a database says, at its bytes 18 and 19, that it needs no log: what is kept has none."""

Keep = Callable[[Mapping[int, bytes], int], Awaitable[None]]
"""Keeps changed pieces by their number, all or none, and says how many there are now."""


class PageStore(SqliteStore):
    """Keeps tables for the page of a browser, which has one thread for all."""

    def __init__(self, keep: Keep, kept: bytes = b"") -> None:
        """Begin with what was kept; raises ValueError if that is no database of ours."""
        self._keep, self._file = keep, IN_MEMORY  # nobody else opens it
        self._folder = TemporaryDirectory()
        file = Path(self._folder.name) / "tables"
        self._log = file.with_name("tables-wal")
        file.write_bytes(kept)
        try:
            self._db = opened(file, is_new=not kept)
        except ValueError:
            self._folder.cleanup()
            raise
        self._changes: dict[int, bytes] = {}
        self._count = 0
        self._waiting: list[tuple[Work, asyncio.Future[Any]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """See that everything can be kept before anybody plays."""
        await self._keep_changes()

    async def close(self) -> None:
        """Finish what is being written."""
        if self._worker is not None:
            await self._worker
        self._db.close()
        self._folder.cleanup()

    async def _do(self, work: Work) -> Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((work, done))
        if self._worker is None or self._worker.done():
            self._worker = loop.create_task(self._write())
        return await done

    async def _write(self) -> None:
        """Do all that has come together in one transaction, keep it, then tell."""
        while self._waiting:
            batch, self._waiting = self._waiting, []
            before = self._db.total_changes
            answers = transact(self._db, [work for work, _ in batch])
            if self._db.total_changes != before:
                answers = await self._told_when_kept(answers)
            settle([(done, *answer) for (_, done), answer in zip(batch, answers, strict=True)])

    async def _told_when_kept(self, answers: list[Answer]) -> list[Answer]:
        """Keep what has changed; where that fails nobody can count on what was written."""
        try:
            await self._keep_changes()
        except Exception as problem:  # whatever the browser says: it is not kept
            down = StoreDown(f"the browser cannot keep it: {problem}")
            return [(None, down)] * len(answers)
        return answers

    async def _keep_changes(self) -> None:
        """Hand over what has been written since it was kept last."""
        changes, count = changes_in(self._log.read_bytes())
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._changes |= changes
        self._count = count or self._count
        if self._changes:
            await self._keep(self._changes, self._count)
            self._changes = {}


def changes_in(log: bytes) -> tuple[dict[int, bytes], int]:
    """Read all that was committed from SQLite's log, and how many pieces there are then.

    What stands behind the last commit was taken back.
    """
    found: dict[int, bytes] = {}
    written: dict[int, bytes] = {}
    count = 0
    for at in range(LOG_HEAD, len(log), FRAME_HEAD + PIECE):
        number, committed = unpack_from(">II", log, at)
        written[number - 1] = log[at + FRAME_HEAD : at + FRAME_HEAD + PIECE]
        if committed:
            found.update(written)
            written, count = {}, committed
    if 0 in found:
        found[0] = found[0][:18] + WITHOUT_LOG + found[0][20:]
    return found, count


def opened(file: Path, is_new: bool) -> sqlite3.Connection:
    """Open the database as it was kept, or a new one; its tables are made."""
    db = sqlite3.connect(file, isolation_level=None)
    try:
        db.execute(f"PRAGMA page_size = {PIECE}")
        db.execute("PRAGMA locking_mode = EXCLUSIVE")  # a browser's worker shares no memory
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")  # we read it first
        db.execute("PRAGMA synchronous = OFF")  # the browser keeps it, not this file
        db.execute("PRAGMA secure_delete = ON")  # who wants to be forgotten is, also in a copy
        if not is_new:
            check(db)
        migrate(db)
    except (sqlite3.Error, ValueError) as problem:
        db.close()
        raise ValueError(f"what was kept cannot be read: {problem}") from problem
    return db


def check(db: sqlite3.Connection) -> None:
    """See that a database is whole, and one of ours."""
    (told,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        raise ValueError(told)
    (ours,) = db.execute(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('entries', 'tables', 'schema')"
    ).fetchone()
    if ours != 3:
        raise ValueError("it is not Tischlein's")
