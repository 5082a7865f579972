"""The hall: all tables of one server, those in memory and those asleep in the store."""

import asyncio
import gc
import logging
import secrets
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from tischlein.bots import Answer, Turn
from tischlein.store import Store
from tischlein.table import entries as e
from tischlein.table.desk import Desk
from tischlein.table.settings import Settings
from tischlein.table.table import Table
from tischlein.table.thinking import Thinkers

log = logging.getLogger("tischlein.hall")
T = TypeVar("T")

ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
NAME_LENGTH = 12
"""Twelve of 32 signs: 60 bits, which nobody guesses."""


class Counts:
    """What the house has seen since it opened, for its metrics."""

    def __init__(self) -> None:
        self.moves = 0
        self.tables_opened = 0
        self.refusals: dict[str, int] = {}
        self.uncertainty_sum = 0.0
        self.uncertainty_count = 0


class Hall:
    """Opens tables, finds them again, wakes them after a crash, and tidies up."""

    def __init__(self, store: Store, settings: Settings | None = None) -> None:
        self.store = store
        self.settings = settings or Settings()
        self.tables: dict[str, Table] = {}
        self.counts = Counts()
        self._thinkers = Thinkers(self.settings.bot_budget)
        self._loading: dict[str, asyncio.Future[Table | None]] = {}
        self._work: set[asyncio.Task[Any]] = set()
        self._epoch = time.time() - time.monotonic()

    def now(self) -> float:
        """Give the time in seconds; it never jumps."""
        return self._epoch + time.monotonic()

    def moved(self, desk: Desk, moves: int) -> None:
        """Hear that moves were made."""
        self.counts.moves += moves

    def uncertain(self, milliseconds: float) -> None:
        """Hear how uncertain a race deed was."""
        self.counts.uncertainty_sum += milliseconds
        self.counts.uncertainty_count += 1

    async def think(self, game: str, level: str, turn: Turn) -> Answer:
        """Let a bot choose, in another process."""
        return await self._thinkers.choose(game, level, turn, secrets.token_hex(8))

    async def ask(self, game: str, level: str, turn: Turn) -> Answer | None:
        """Ask a bot what it would do; None if it has no answer."""
        return await self._thinkers.ask(game, level, turn, secrets.token_hex(8))

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start work that goes on whatever becomes of the caller."""
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def open(
        self,
        game: str,
        seats: int,
        options: dict[str, Any],
        speed: e.Speed = "relaxed",
        hints: bool = False,
    ) -> Table:
        """Set a new table."""
        name = "".join(secrets.choice(ALPHABET) for _ in range(NAME_LENGTH))
        table = Table(name, self)
        await table.open(game, seats, options, speed, hints)
        self.tables[name] = table
        self.counts.tables_opened += 1
        log.info("table=%s opened game=%s seats=%d", name, game, seats)
        return table

    async def find(self, name: str) -> Table | None:
        """Find a table, in memory or in the store."""
        if name in self.tables:
            return self.tables[name]
        if name not in self._loading:
            self._loading[name] = self.spawn(self._load(name))
        return await asyncio.shield(self._loading[name])

    async def _load(self, name: str) -> Table | None:
        try:
            found = await self.store.load(name)
            if not found:
                return None
            table = Table(name, self)
            await table.load(found)
            self.tables[name] = table
            table.wake()
            return table
        finally:
            del self._loading[name]

    async def wake(self) -> None:
        """Go on with every game that was going on when the server stopped."""
        for name in await self.store.live():
            await self.find(name)

    async def keep_house(self) -> None:
        """Now and then: let sleeping tables go from memory and old ones from the store."""
        while True:
            await asyncio.sleep(self.settings.housekeeping)
            self.unload()
            await self.tidy()
            gc.collect()  # closed sockets leave circles behind

    def unload(self) -> None:
        """Let tables go from memory that nobody looks at."""
        since = self.now() - self.settings.unload_after
        for name, table in list(self.tables.items()):
            if not table.busy and max(table.looked_at, table.book.touched) < since:
                table.stop()
                del self.tables[name]

    async def tidy(self) -> None:
        """Forget tables that nobody has touched for long; their records stay."""
        since = self.now() - self.settings.tidy_after
        for name in await self.store.tidy(since):
            table = self.tables.pop(name, None)
            if table is not None:
                table.stop()
            log.info("table=%s tidied up", name)

    async def close(self) -> None:
        """Finish what is going on and let go of everything."""
        for table in self.tables.values():
            table.stop()
        self._thinkers.close()
        while self._work:
            for task in self._work:
                task.cancel()
            await asyncio.wait(self._work, timeout=5)
        await self.store.close()
