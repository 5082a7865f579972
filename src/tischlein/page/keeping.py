"""The store of a browser: SQLite in memory, and what changes in it kept by the page.

A browser keeps named things for a page, not files. So the database is cut into pieces; after each
commit those that have changed are handed over all together, and nobody is told of a move before
they are kept. What cannot be kept just now, on a full disk, goes with the next commit.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from tischlein.store import StoreDown
from tischlein.store.sqlite import (
    IN_MEMORY,
    Answer,
    SqliteStore,
    Work,
    migrate,
    settle,
    transact,
)

PIECE: Final = 4096
"""So many bytes of the database are one piece: a page of SQLite's own."""

Keep = Callable[[Mapping[int, bytes], int], Awaitable[None]]
"""Keeps changed pieces by their number, all or none, and says how many there are now."""


class PageStore(SqliteStore):
    """Keeps tables for the page of a browser, which has one thread for all."""

    def __init__(self, keep: Keep, kept: bytes = b"") -> None:
        """Begin with what was kept; raises ValueError if that is no database of ours."""
        self._file, self._keep, self._kept = IN_MEMORY, keep, b""
        self._db = opened(kept)
        self._waiting: list[tuple[Work, asyncio.Future[Any]]] = []
        self._worker: asyncio.Task[None] | None = None
        self._kept = kept

    async def open(self) -> None:
        """See that everything can be kept before anybody plays."""
        await self._keep_changes()

    async def close(self) -> None:
        """Finish what is being written."""
        if self._worker is not None:
            await self._worker
        self._db.close()

    def copy(self) -> bytes:
        """Give the whole database, to be taken elsewhere."""
        return self._db.serialize()

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
        """Hand over what is different from what was kept last."""
        now = self._db.serialize()
        changes = {
            place // PIECE: now[place : place + PIECE]
            for place in range(0, len(now), PIECE)
            if now[place : place + PIECE] != self._kept[place : place + PIECE]
        }
        if changes or len(now) != len(self._kept):
            await self._keep(changes, len(now) // PIECE)
            self._kept = now


def opened(kept: bytes) -> sqlite3.Connection:
    """Open a database in memory as it was kept, or a new one; its tables are made."""
    db = sqlite3.connect(IN_MEMORY, isolation_level=None)
    try:
        if kept:
            db.deserialize(kept)
            check(db)
        db.execute(f"PRAGMA page_size = {PIECE}")
        db.execute("PRAGMA secure_delete = ON")  # who wants to be forgotten is, also in a copy
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
