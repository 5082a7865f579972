"""Houses whose people come and go over days, on one store and by one clock."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from tests.virtual import Guest, VirtualHouse, VirtualStore
from tischlein.house.clock import Clock
from tischlein.house.settings import Settings
from tischlein.table import entries as e
from tischlein.table.table import Table

HOUR = 3600.0
DAY = 24 * HOUR
LAZY = Settings(bot_pause=0.0, alarms_every=60.0, offers_every=3600.0, housekeeping=3600.0)
"""Looks seldom, so that days pass at once."""


class Told:
    """Hears who is told that it is their turn."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []

    def nudge(self, table: Table, seat: int) -> None:
        """Note it."""
        self.calls.append((table.book.name, seat))


class Town:
    """One store and one clock, and the house around them, which may fall and be built anew."""

    def __init__(self, path: Path, settings: Settings = LAZY) -> None:
        self.file, self.settings, self.told = path / "t.sqlite", settings, Told()
        self.clock = Clock(asyncio.get_running_loop().time)
        self.house: VirtualHouse

    async def build(self) -> VirtualHouse:
        """Open the house, with all that goes on by itself."""
        self.house = VirtualHouse(VirtualStore(self.file), self.settings)
        self.house.clock, self.house.now = self.clock, self.clock.now
        self.house.nudges = self.told
        await self.house.wake()
        self.house.spawn(self.house.keep_house())
        self.house.spawn(self.house.alarms.keep_looking())
        return self.house

    async def crash(self) -> VirtualHouse:
        """Let the house fall without a word, and build it anew."""
        await die(self.house)
        return await self.build()


async def die(house: VirtualHouse) -> None:
    """Stop a house in the middle of whatever it does."""
    for table in house.tables.values():
        table.stop()
    for task in list(house._work):
        task.cancel()
    await house.store.close()


async def set_table(
    house: VirtualHouse,
    people: int,
    bots: int,
    speed: e.Speed = "day",
    game: str = "sushizock",
    **options: Any,
) -> tuple[str, list[str]]:
    """Set a slow table; the host starts and everybody goes."""
    table = await house.open(game, people + bots, options, speed)
    tokens = [(await table.seating.join(f"p{number}"))[1] for number in range(people)]
    for seat in range(people, people + bots):
        await table.seating.seat_bot(0, seat, "easy")
    await table.seating.start(0)
    return table.book.name, tokens


async def visit(house: VirtualHouse, name: str, seat: int, token: str, most: int = 99) -> Table:
    """Let a player look in, make the moves that are theirs, and go."""
    table = await house.find(name)
    assert table is not None
    await table.arrive(guest := Guest(seat))
    for _ in range(most):
        if seat not in table.book.movers():
            break
        move = table.book.rules.legal(table.book.state, seat)[0]
        raw = msgspec.Raw(msgspec.json.encode(move))
        await table.play(seat, token, raw, None, house.now())
    table.go_away(guest)
    return table


async def entries_of(house: VirtualHouse, name: str) -> list[e.AnyEntry]:
    """Read what the store has kept of a table."""
    return [e.decoder.decode(line) for line in await house.store.load(name)]


async def alarm_of(house: VirtualHouse, name: str) -> float | None:
    """Say when a table will be looked at again."""
    rows = await house.store.ask("SELECT due FROM alarms WHERE name = $1", name)
    return rows[0][0] if rows else None


def most_nudges(entries: list[e.AnyEntry]) -> int:
    """Say how often somebody was told of one turn, at most: until another seat moved."""
    told: dict[int, int] = {}
    most = 0
    for entry in entries:
        if isinstance(entry, e.Nudged):
            told[entry.seat] = told.get(entry.seat, 0) + 1
            most = max(most, told[entry.seat])
        elif isinstance(entry, e.Moved) and entry.by != "nature":
            told = {seat: count for seat, count in told.items() if seat == entry.by}
    return most
