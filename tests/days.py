"""A house whose days pass at once: only its clock is moved, and it starts anew in between."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from tests.pushes import Service
from tests.server.client import server_here
from tests.waiting import LIMIT, until
from tischlein.bots import Answer, Turn
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.house.thinking import SOMEBODY, Thinkers
from tischlein.store.sqlite import SqliteStore
from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.table.needs import Asker

HOUR: Final = 3600.0
OLD: Final = Path(__file__).parent / "data/version_0/tables.sqlite"
"""A store of an earlier version: this program brings it forward."""


class Thinking(Thinkers):
    """Bots that think as they always do; it is noted which."""

    def __init__(self, budget: float, thought: list[str]) -> None:
        super().__init__(budget)
        self._thought = thought

    async def choose(self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY) -> Answer:
        """Let a bot choose."""
        self._thought.append(level)
        return await super().choose(game, level, turn, asker)


class Days:
    """A house on one store that is built again and again, each time with a later clock."""

    def __init__(self, file: Path, service: Service, **settings: Any) -> None:
        self._file = file
        self._settings = Settings(
            bot_pause=0.0, push_hosts=service.origin, push_retry=0.01,
            alarms_every=0.2, housekeeping=0.5, slow_unload_after=0.0, **settings,
        )  # fmt: skip
        self._ahead = 0.0
        self.thought: list[str] = []
        """Which bots have thought, whatever house it was."""
        self.house: House

    @contextlib.asynccontextmanager
    async def house_opens(self, **more: Any) -> AsyncIterator[str]:
        """Run a server, until it is stopped."""
        thinkers = Thinking(self._settings.bot_budget, self.thought)
        self.house = House(SqliteStore(self._file), self._settings, thinkers=thinkers)
        self.house.clock._offset += self._ahead
        async with server_here(self.house, **more) as url:
            yield url

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self._ahead += seconds
        self.house.clock._offset += seconds

    async def asleep(self, table: str) -> None:
        """Wait until nobody keeps a table in memory."""
        await until(lambda: table not in self.house.tables)

    async def is_turn_of(self, seat: int, table: str) -> None:
        """Wait until somebody is to move, whoever looks at the table."""
        async with asyncio.timeout(LIMIT):
            while (await self.book(table)).movers() != [seat]:
                await asyncio.sleep(0.02)

    async def book(self, table: str) -> Book:
        """Read how a table stands."""
        book = Book(table)
        for entry in await self.entries(table):
            book.fold(entry)
        return book

    async def entries(self, table: str) -> list[Any]:
        """Read what has happened."""
        return [e.decoder.decode(line) for line in await self.house.store.load(table)]
