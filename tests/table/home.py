"""A house with thinkers who count, and tables in it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.virtual import ThinkersHere, VirtualHouse, VirtualStore
from tischlein.bots import Answer, Turn
from tischlein.house.settings import Settings
from tischlein.house.thinking import SOMEBODY
from tischlein.store import KeptTable
from tischlein.table.entries import Speed
from tischlein.table.needs import Asker
from tischlein.table.settings import RaceRules
from tischlein.table.table import Table

QUICK = Settings(
    bot_pause=0.0, clocks={"quick": 9.0}, unload_after=60.0, race=RaceRules(pause_ms=0, lead_ms=0)
)


class Counting(ThinkersHere):
    """Thinkers who count what they began and what was given up, and may never answer."""

    def __init__(self) -> None:
        super().__init__(0.0, 1)
        self.moment = 0.1
        self.begun: list[tuple[str, int]] = []
        self.askers: list[Asker] = []
        self.given_up = 0
        self.will: Callable[[Turn], Any] | None = None
        """Says what a bot does, where the test decides that."""

    async def choose(self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY) -> Answer:
        self.begun.append((level, turn.seat))
        self.askers.append(asker)
        if self.will is not None:
            return Answer(self.will(turn))
        try:
            return await super().choose(game, level, turn, asker)
        except asyncio.CancelledError:
            self.given_up += 1
            raise

    async def ask(
        self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY
    ) -> Answer | None:
        return await self.choose(game, level, turn, asker)


class Home(VirtualHouse):
    """A house with thinkers who count."""

    def __init__(self, path: Path, settings: Settings = QUICK) -> None:
        super().__init__(VirtualStore(path / "t.sqlite"), settings)
        self.thinkers: Counting = Counting()


@asynccontextmanager
async def at_home(path: Path, settings: Settings = QUICK) -> AsyncIterator[Home]:
    """Open a house for a test."""
    house = Home(path, settings)
    await house.wake()
    try:
        yield house
    finally:
        await house.close()


async def set_table(
    house: Home, game: str, people: int, bots: Sequence[str], speed: Speed = "quick", **rules: Any
) -> tuple[Table, list[str]]:
    """Set a table with people in the first seats and bots in the others; the host starts."""
    table = await house.open(game, people + len(bots), rules, speed, hints=True)
    tokens = [(await table.seating.join(f"p{number}"))[1] for number in range(people)]
    for seat, bot in enumerate(bots, start=people):
        await table.seating.seat_bot(0, seat, bot)
    await table.seating.start(0)
    return table, tokens


async def kept(house: Home, table: Table) -> KeptTable:
    """Read what the store tells of a table."""
    (found,) = [one for one in await house.store.tables("", 99) if one.name == table.book.name]
    return found
