"""Tables where people play when they have time: they go on while nobody looks."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.house.sleepy import (
    DAY,
    HOUR,
    LAZY,
    Town,
    alarm_of,
    die,
    entries_of,
    most_nudges,
    set_table,
    visit,
)
from tests.virtual import Guest, VirtualHouse, VirtualStore
from tests.waiting import LIMIT, until
from tischlein.bus import LocalBus
from tischlein.game import BadStart
from tischlein.house.settings import PeerRules, Settings
from tischlein.store import Page, moving
from tischlein.table import entries as e
from tischlein.table.needs import Conflict


@pytest.mark.virtual_time
async def test_a_game_over_days_with_people_who_come_and_go(tmp_path: Path) -> None:
    """Crashes in between cost no time, no move and no nudge; who is late is played for."""
    town = Town(tmp_path)
    house = await town.build()
    begun = house.now()
    name, tokens = await set_table(house, 2, 1)
    seen = 0
    for hour in range(24 * 30):
        await asyncio.sleep(HOUR)
        if hour % 3 == 0:
            await visit(house, name, 0, tokens[0])
        if hour % 4 == 0 and not 10 < hour < 45:  # away over a whole day
            await visit(house, name, 1, tokens[1])
        if hour % 7 == 0:
            before = (await find(house, name)).clocks.deadlines
            house = await town.crash()
            assert (await find(house, name)).clocks.deadlines == before
            seen += bool(before)
        if (await find(house, name)).book.phase == "over":
            break
    entries = await entries_of(house, name)
    moves = [entry for entry in entries if isinstance(entry, e.Moved)]
    nudges = [entry.seat for entry in entries if isinstance(entry, e.Nudged)]
    assert (await find(house, name)).book.phase == "over"
    assert house.now() - begun > 2 * DAY
    assert seen > 3
    assert {move.by for move in moves if move.for_seat} == {1}
    assert 2 in {move.by for move in moves}
    assert [seat for _, seat in town.told.calls] == nudges
    assert set(nudges) == {0, 1}
    assert most_nudges(entries) == 1
    assert await alarm_of(house, name) is None
    await moving.check(house.store)
    await house.close()


async def find(house: VirtualHouse, name: str) -> Any:
    """Find a table, which must be there, as somebody who only glances at it does."""
    table = await house.find(name)
    assert table is not None
    table.look()
    return table


@pytest.mark.virtual_time
async def test_nobody_looks_and_it_costs_no_memory(tmp_path: Path) -> None:
    town = Town(tmp_path, Settings(bot_pause=0.0))
    house = await town.build()
    name, tokens = await set_table(house, 2, 1, starter=0)
    await asyncio.sleep(150)
    assert house.tables == {}
    await visit(house, name, 0, tokens[0])
    await asyncio.sleep(150)
    assert house.tables == {}
    entries = await entries_of(house, name)
    last = next(entry for entry in reversed(entries) if isinstance(entry, e.Moved))
    assert await alarm_of(house, name) == pytest.approx(last.when + DAY, abs=0.1)
    assert town.told.calls == [(name, 0), (name, 1)]
    await house.close()


@pytest.mark.virtual_time
async def test_who_is_late_is_played_for_to_the_end_of_the_turn(tmp_path: Path) -> None:
    town = Town(tmp_path)
    house = await town.build()
    name, _ = await set_table(house, 2, 0, starter=0)
    await asyncio.sleep(DAY - 60)
    assert not [m for m in await entries_of(house, name) if isinstance(m, e.Moved) and m.for_seat]
    await asyncio.sleep(180)
    table = await find(house, name)
    assert table.book.movers() == [1]
    by_bot = [m for m in await entries_of(house, name) if isinstance(m, e.Moved) and m.for_seat]
    assert {move.by for move in by_bot} == {0}
    assert table.clocks.deadlines[1] == pytest.approx(by_bot[-1].when + DAY)
    await house.close()


@pytest.mark.virtual_time
async def test_who_looks_is_left_in_peace_and_who_goes_is_told(tmp_path: Path) -> None:
    town = Town(tmp_path)
    house = await town.build()
    name, _ = await set_table(house, 2, 0, starter=0)
    table = await find(house, name)
    await table.arrive(guest := Guest(0))
    await asyncio.sleep(HOUR)
    assert town.told.calls == []
    assert (await alarm_of(house, name) or 0) < house.now() + HOUR
    table.go_away(guest)
    await asyncio.sleep(3 * HOUR)
    assert town.told.calls == [(name, 0)]
    assert house.tables == {}
    await house.close()


@pytest.mark.virtual_time
async def test_who_got_up_is_played_for_at_once_and_never_told(tmp_path: Path) -> None:
    town = Town(tmp_path)
    house = await town.build()
    name, _ = await set_table(house, 2, 0, starter=0)
    await (await find(house, name)).seating.leave(0)
    await until(lambda: house.tables[name].book.movers() == [1])
    await asyncio.sleep(HOUR)
    assert town.told.calls == [(name, 1)]
    await house.close()


@pytest.mark.virtual_time
async def test_a_crash_in_a_bots_turn_is_noticed(tmp_path: Path) -> None:
    town = Town(tmp_path)
    house = await town.build()
    house.thinkers.moment = HOUR
    name, _ = await set_table(house, 1, 1, starter=1)
    house = await town.crash()
    assert house.tables == {}
    await asyncio.sleep(300)
    assert (await find(house, name)).book.movers() == [0]
    await house.close()


@pytest.mark.virtual_time
async def test_what_all_people_have_left_rests_until_somebody_looks(tmp_path: Path) -> None:
    """Else one call lets experts think to the end of a game that nobody waits for."""
    town = Town(tmp_path)
    house = await town.build()
    name, _ = await set_table(house, 1, 3, starter=0)
    table = await find(house, name)
    await table.seating.leave(0)
    before = table.book.entries
    for _ in range(2):
        await asyncio.sleep(HOUR)
        assert len(await entries_of(house, name)) == before
        assert await alarm_of(house, name) is None
        assert house.tables == {}
        house = await town.crash()
    table = await find(house, name)
    await table.arrive(guest := Guest())
    await until(lambda: table.book.phase == "over")
    table.go_away(guest)
    await house.close()


@pytest.mark.virtual_time
async def test_tidying_leaves_what_will_be_looked_at(tmp_path: Path) -> None:
    tidy = replace(
        LAZY, alarms_every=HOUR, housekeeping=DAY / 2, tidy_after=5 * DAY, tidy_unplayed_after=DAY
    )
    town = Town(tmp_path, tidy)
    house = await town.build()
    playing, _ = await set_table(house, 2, 0, "week")
    waiting = (await house.open("sushizock", 2, {}, "day")).book.name
    quick = (await house.open("sushizock", 2, {}, "relaxed")).book.name
    await asyncio.sleep(6.9 * DAY)
    kept = {table.name for table in await house.store.tables("", 9)}
    assert kept == {playing, waiting}
    assert quick not in kept
    await asyncio.sleep(8 * DAY)
    assert {table.name for table in await house.store.tables("", 9)} == {playing}
    await house.close()


@pytest.mark.virtual_time
async def test_an_alarm_without_a_table_rings_once(tmp_path: Path) -> None:
    """One that cannot be read is tried again much later; the others are woken all the same."""
    town = Town(tmp_path)
    house = await town.build()
    name, _ = await set_table(house, 2, 0, starter=0)
    words = "INSERT INTO alarms VALUES ($1, $2)"
    await house.store.append(Page("2" * 12, 1, [b"nonsense"], house.now(), True, alarm=1.0))
    await house.store.ask(words, "3" * 12, 2.0)
    await asyncio.sleep(200)
    assert await alarm_of(house, "3" * 12) is None
    assert (await alarm_of(house, "2" * 12) or 0) > house.now() + 3000
    assert town.told.calls == [(name, 0)]
    await house.close()


@pytest.mark.virtual_time
async def test_what_a_moved_house_brings_is_looked_after(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    old, new = Town(tmp_path), Town(tmp_path / "new")
    house = await old.build()
    name, _ = await set_table(house, 2, 0, starter=0)
    lines: list[bytes] = []
    await moving.export(house.store, lines.append)
    await house.close()
    house = await new.build()
    await moving.bring_in(house.store, lines)
    await asyncio.sleep(200)
    assert new.told.calls == [(name, 0)]
    await house.close()


@pytest.mark.virtual_time
async def test_races_need_everybody_at_once(tmp_path: Path) -> None:
    town = Town(tmp_path, replace(LAZY, alarms_every=HOUR))
    house = await town.build()
    with pytest.raises(BadStart, match="everybody at once"):
        await house.open("kakerlaken", 2, {}, "day")
    await house.open("kakerlaken", 2, {}, "quick")
    name, tokens = await set_table(house, 2, 1, game="kakerlaken", calm=True)
    await visit(house, name, 0, tokens[0], 1)
    await asyncio.sleep(HOUR)
    await visit(house, name, 1, tokens[1], 1)
    await asyncio.sleep(2 * DAY)
    assert (await find(house, name)).book.moves
    await house.close()


@pytest.mark.virtual_time
async def test_being_away_is_as_usual(tmp_path: Path) -> None:
    """No bot is let in for who is away, and the host stays host."""
    town = Town(tmp_path)
    house = await town.build()
    name, _ = await set_table(house, 3, 0, starter=0)
    table = await find(house, name)
    await table.arrive(Guest(1))
    await asyncio.sleep(HOUR)
    assert table.book.host == 0
    assert not table.seating.may_be_relieved(0)
    with pytest.raises(Conflict, match="has time"):
        await table.seating.relieve(1, 0)
    await house.close()


MORTAL = Settings(
    bot_pause=0.0, clocks={"day": 1.0}, nudge_after=0.2, slow_again=0.5, alarms_every=0.05,
    slow_unload_after=0.2, housekeeping=0.1, peers=PeerRules(beat=0.1, lease=1.0, check=0.2),
)  # fmt: skip
"""A day is a second, and a server that falls silent is soon followed by another."""


async def test_one_of_two_servers_sees_to_a_table_and_another_follows(tmp_path: Path) -> None:
    """Nothing is done twice, whoever hears an alarm; and nobody is told twice of a turn."""
    room: set[Any] = set()
    one, two = town = [Town(tmp_path, MORTAL) for _ in range(2)]
    for each in town:
        await join(each, room)
    found = [(await set_table(one.house, 2, 1))[0] for _ in range(3)]
    for name in found:
        await grown(two.house, name, 1)
    await die(one.house)
    for name in found:
        before = len(await entries_of(two.house, name))
        await grown(two.house, name, 1, before)
        entries = await entries_of(two.house, name)
        told = sum(calls.count((name, seat)) for seat in (0, 1) for calls in calls_of(town))
        written = [entry for entry in entries if isinstance(entry, e.Nudged)]
        assert len(written) > 0
        assert len(written) - 1 <= told <= len(written) + 1  # one may be on its way, or died
        assert most_nudges(entries) == 1
    await moving.check(two.house.store)
    await two.house.close()


def calls_of(town: list[Town]) -> list[list[tuple[str, int]]]:
    """List who was told, by each server."""
    return [each.told.calls for each in town]


async def join(town: Town, room: set[Any]) -> None:
    """Open a house beside others."""
    house = town.house = VirtualHouse(VirtualStore(town.file), town.settings, LocalBus(room))
    house.nudges = town.told
    await house.wake()
    house.spawn(house.keep_house())
    house.spawn(house.alarms.keep_looking())


async def grown(house: VirtualHouse, name: str, turns: int, after: int = 0) -> None:
    """Wait until bots have played for so many late people."""
    async with asyncio.timeout(LIMIT):
        while True:
            entries = (await entries_of(house, name))[after:]
            late = [x.by for x in entries if isinstance(x, e.Moved) and x.for_seat]
            if sum(late[n] != late[n - 1] for n in range(1, len(late))) >= turns:
                return
            await asyncio.sleep(0.05)


def test_the_settings_are_as_they_are_told() -> None:
    assert (LAZY.nudge_after, LAZY.slow_unload_after) == (60.0, 30.0)
