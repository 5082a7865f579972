"""A slow game over three days at a real server: only its clock is moved.

Nudges come while nobody looks, to a push service on loopback; the server starts anew in between.
"""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.pushes import Device, Service, push_service
from tests.server.client import Seat, open_table, post, server_here, start
from tests.waiting import LIMIT, until
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store import moving
from tischlein.store.sqlite import SqliteStore
from tischlein.table import entries as e
from tischlein.table.book import Book

HOUR = 3600.0
OLD = Path(__file__).parents[1] / "data/version_0/tables.sqlite"
"""A store of an earlier version: this program brings it forward."""


class Days:
    """A house on one store that is built again and again, each time with a later clock."""

    def __init__(self, file: Path, service: Service) -> None:
        self._file, self._service = file, service
        self._ahead = 0.0
        self.house: House

    @contextlib.asynccontextmanager
    async def house_opens(self) -> AsyncIterator[str]:
        """Run a server, until it is stopped."""
        settings = Settings(
            bot_pause=0.0, push_hosts=self._service.origin, push_retry=0.01,
            alarms_every=0.02, housekeeping=0.05, slow_unload_after=0.0,
        )  # fmt: skip
        self.house = House(SqliteStore(self._file), settings)
        self.house.clock._offset += self._ahead
        async with server_here(self.house) as url:
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

        async def is_so() -> bool:
            book = Book(table)
            for entry in await self.entries(table):
                book.fold(entry)
            return book.movers() == [seat]

        async with asyncio.timeout(LIMIT):
            while not await is_so():
                await asyncio.sleep(0.02)

    async def entries(self, table: str) -> list[Any]:
        """Read what has happened."""
        return [e.decoder.decode(line) for line in await self.house.store.load(table)]


async def play_own_turn(seat: Seat) -> None:
    """Come, make one's moves until others are waited for, and go."""
    await seat.connect()
    while seat.legal:
        await seat.move(seat.legal[-1])
        await seat.until(lambda frame: frame["type"] == "state")
    await seat.close()
    seat.socket = None


def at(seat: Seat, url: str) -> Seat:
    """Give somebody's seat at the address that the server has now."""
    return Seat(url, seat.table, seat.seat, seat.token)


async def test_three_days_with_nudges_and_restarts(tmp_path: Path) -> None:
    file, phone = tmp_path / "tables.sqlite", Device()
    shutil.copy(OLD, file)
    with push_service() as service:
        days = Days(file, service)
        async with days.house_opens() as url:  # an upgrade: the store is of an older version
            anna, bo = await open_table(url, "sushizock", 2, 2, speed="day",
                                        options={"starter": 0})  # fmt: skip
            wants = phone.wants(f"{service.origin}/bo", "fr")
            switched = await post(url, f"/api/tables/{bo.table}/push", wants, bo)
            assert switched.json() == {"on": True}
            await start(anna)
            await play_own_turn(anna)
            await days.asleep(anna.table)
            assert service.got == []
            days.pass_by(90.0)
            await until(lambda: len(service.got) == 1)
            told = phone.told(service.got[0])
            assert told["title"] == "À toi de jouer\u00a0!"
            assert anna.table in str(told)
        days.pass_by(20 * HOUR)
        async with days.house_opens() as url:  # nearly a day later: nobody was called again
            await play_own_turn(at(bo, url))
            await days.asleep(bo.table)
            days.pass_by(25 * HOUR)
            await days.is_turn_of(1, anna.table)  # Anna did not come: her bot has played
            days.pass_by(90.0)
            await until(lambda: len(service.got) == 2)
        async with days.house_opens() as url:
            days.pass_by(23 * HOUR)
            await play_own_turn(at(bo, url))
            await days.asleep(bo.table)
            found = await days.entries(bo.table)
            await moving.check(days.house.store)
    nudges = [entry.seat for entry in found if isinstance(entry, e.Nudged)]
    assert nudges.count(1) == len(service.got) == 2
    moves = [entry for entry in found if isinstance(entry, e.Moved)]
    assert {move.by for move in moves if move.for_seat} == {0}, "Bo was in time, each day"
    assert found[-1].when - found[0].when > 2.8 * 24 * HOUR
