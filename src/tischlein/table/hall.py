"""The hall: all tables of one server, those in memory and those asleep in the store."""

import asyncio
import gc
import logging
import secrets
from collections.abc import Coroutine
from typing import Any, TypeVar

from tischlein.bots import Answer, Turn
from tischlein.bus import Bus
from tischlein.store import Store
from tischlein.table import entries as e
from tischlein.table.clock import Clock
from tischlein.table.company import Company
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

    def __init__(
        self, store: Store, settings: Settings | None = None, bus: Bus | None = None
    ) -> None:
        """Stand around a store; with a bus in company of other servers that share it."""
        self.store = store
        self.settings = settings or Settings()
        self.tables: dict[str, Table] = {}
        self.counts = Counts()
        self._thinkers = Thinkers(self.settings.bot_budget)
        self._loading: dict[str, asyncio.Future[Table | None]] = {}
        self._work: set[asyncio.Task[Any]] = set()
        self.clock = Clock()
        self.now = self.clock.now
        self.company = None if bus is None else Company(self, bus)

    def moved(self, desk: Desk, moves: int, took: float) -> None:
        """Hear that entries were stored, so many moves among them, and how long it took."""
        self.counts.moves += moves
        if self.company is not None:
            self.company.wrote(desk.book, took)

    @property
    def holder(self) -> str | None:
        """Give this server's name among others that share the store; none if it is alone."""
        return None if self.company is None else self.company.id

    @property
    def slack(self) -> float:
        """Say how far the clocks of servers may be apart, in ms."""
        return 0.0 if self.company is None else self.company.slack

    @property
    def hop(self) -> float:
        """Say how long a deed may take from another server to the store, in ms."""
        return 0.0 if self.company is None else self.company.hop

    def conducts(self, desk: Desk) -> bool:
        """Say whether bots, clocks and races of a table are this server's."""
        return self.company is None or self.company.conducts(desk.book.name)

    def collided(self, desk: Desk) -> None:
        """Hear that another server was quicker."""
        if self.company is not None:
            self.company.collisions += 1

    def lost(self, desk: Desk) -> None:
        """Hear that another server conducts a table."""
        if self.company is not None:
            self.company.lost(desk.book.name)

    def let_go(self, desk: Desk) -> None:
        """Hear that a table needs nobody to conduct it just now."""
        if self.company is not None:
            self.company.let_go(desk.book.name)

    def seen(self, desk: Desk) -> None:
        """Hear that somebody came to a table, or went."""
        if self.company is not None:
            self.company.seen(desk.book.name)

    async def look_around(self, desk: Desk) -> None:
        """Let a table hear who is at it, at all servers."""
        if self.company is not None:
            await self.company.look_at(self.tables[desk.book.name])

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
        self._put(table)
        self.counts.tables_opened += 1
        log.info("table=%s opened game=%s seats=%d", name, game, seats)
        return table

    async def find(self, name: str) -> Table | None:
        """Find a table, in memory or in the store."""
        if name in self.tables:
            table = self.tables[name]
            if self.company is not None:  # whoever asks may have been told more elsewhere
                await table.catch_up()
            return table
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
            self._put(table)
            if self.company is not None:
                await self.company.look_at(table)
            table.wake()
            return table
        finally:
            del self._loading[name]

    def _put(self, table: Table) -> None:
        self.tables[table.book.name] = table
        if self.company is not None:
            self.company.came(table.book.name)

    def _drop(self, table: Table) -> None:
        table.stop()
        del self.tables[table.book.name]
        if self.company is not None:
            self.company.went(table.book.name)

    async def wake(self) -> None:
        """Go on with every game that was going on when the server stopped."""
        await self.store.open()
        if self.company is not None:
            await self.company.begin()
            return
        for name in await self.store.live():
            await self.find(name)

    async def keep_house(self) -> None:
        """Now and then: let sleeping tables go from memory and old ones from the store."""
        while True:
            await asyncio.sleep(self.settings.housekeeping)
            self.unload()
            try:
                await self.tidy()
            except Exception:  # the store may be in trouble: next time, then
                log.exception("tidying up")
            gc.collect()  # closed sockets leave circles behind

    def unload(self) -> None:
        """Let tables go from memory that nobody looks at."""
        since = self.now() - self.settings.unload_after
        for table in list(self.tables.values()):
            if not table.busy and max(table.looked_at, table.book.touched) < since:
                self._drop(table)

    async def tidy(self) -> None:
        """Forget tables that nobody has touched for long; their records stay."""
        since = self.now() - self.settings.tidy_after
        for name in await self.store.tidy(since):
            if name in self.tables:
                self._drop(self.tables[name])
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
        if self.company is not None:
            await self.company.close()
        await self.store.close()
