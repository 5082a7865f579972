"""A host who has closed the page hears once that all seats are taken, at tables for days alone."""

import asyncio
from pathlib import Path

import pytest

from tests.house.sleepy import HOUR, Town, entries_of
from tests.virtual import Guest, VirtualHouse
from tischlein.table import entries as e
from tischlein.table.table import Table


async def opened(house: VirtualHouse, speed: e.Speed = "day") -> Table:
    """Set a table of two at which the host sits and looks no more."""
    table = await house.open("sushizock", 2, {}, speed)
    await table.seating.join("Ada")
    return table


@pytest.mark.virtual_time
async def test_a_host_who_is_away_is_told_once_that_it_can_begin(tmp_path: Path) -> None:
    """Else: all seats are taken in the evening, everybody may close the page, nobody begins."""
    town = Town(tmp_path)
    house = await town.build()
    name = (await opened(house)).book.name
    await asyncio.sleep(2 * HOUR)
    assert (town.told.calls, house.tables) == ([], {})
    table = await house.find(name)
    assert table is not None
    await table.seating.join("Bo")
    assert town.told.calls == []
    await asyncio.sleep(3 * HOUR)
    assert town.told.calls == [(name, 0)]
    assert house.tables == {}
    house = await town.crash()
    await asyncio.sleep(2 * HOUR)
    assert town.told.calls == [(name, 0)]
    assert sum(isinstance(entry, e.Nudged) for entry in await entries_of(house, name)) == 1
    table = await house.find(name)
    assert table is not None
    await table.seating.start(0)
    await asyncio.sleep(HOUR)
    (seat,) = table.book.movers()
    assert town.told.calls == [(name, 0), (name, seat)], "and in the game everybody is told anew"
    await house.close()


@pytest.mark.virtual_time
async def test_who_looks_is_not_told_before_they_go(tmp_path: Path) -> None:
    town = Town(tmp_path)
    house = await town.build()
    table = await opened(house)
    await table.arrive(guest := Guest(0))
    await table.seating.join("Bo")
    await asyncio.sleep(3 * HOUR)
    assert town.told.calls == []
    table.go_away(guest)
    await asyncio.sleep(30)
    assert town.told.calls == []
    await asyncio.sleep(HOUR)
    assert town.told.calls == [(table.book.name, 0)]
    await house.close()


@pytest.mark.virtual_time
async def test_where_a_seat_is_free_or_people_play_at_once_nobody_is_told(tmp_path: Path) -> None:
    town = Town(tmp_path)
    house = await town.build()
    free, quick = await opened(house), await opened(house, "normal")
    await quick.seating.join("Bo")
    await free.seating.join("Bo")
    await free.seating.leave(1)
    await asyncio.sleep(2 * HOUR)
    assert town.told.calls == []
    await house.close()
