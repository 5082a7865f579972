"""A table that was closed stays closed, also for bots and clocks; a name that was taken is gone."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from tests.table.home import at_home, kept, set_table
from tests.virtual import Guest
from tests.waiting import until
from tischlein.game import Refusal
from tischlein.table import entries as e
from tischlein.table.needs import Conflict
from tischlein.table.queue import Change
from tischlein.table.seating import SOMEBODY
from tischlein.table.table import Table

pytestmark = pytest.mark.virtual_time


class Told(Guest):
    """Somebody who counts how often there is something new."""

    news = 0

    def changed(self) -> None:
        self.news += 1


async def test_a_closed_table_is_told_at_once_and_rests(tmp_path: Path) -> None:
    async with at_home(tmp_path) as house:
        table, tokens = await set_table(house, "sushizock", 1, ["easy"])
        me = Told(0)
        await table.arrive(me)
        assert (await kept(house, table)).live
        heard = me.news
        await table.care.close()
        assert table.book.is_closed
        assert me.news > heard
        entries, begun = table.book.entries, len(house.thinkers.begun)
        await asyncio.sleep(3600)
        assert (table.book.entries, len(house.thinkers.begun)) == (entries, begun)
        assert table.clocks.deadlines == {}
        assert not (await kept(house, table)).live
        await table.care.close()
        assert table.book.entries == entries, "once is enough"
        table.go_away(me)
        assert not table.busy
        await refused_here(table, tokens[0])


async def refused_here(table: Table, token: str) -> None:
    """See that nobody plays, sits down, asks for advice or starts."""
    move = msgspec.Raw(b'{"do":"take","row":"sushi"}')
    tries = (
        table.play(0, token, move, "1", 0.0),
        table.seating.join("Tom"),
        table.seating.start(0),
        table.seating.again(0, "chance"),
        table.seating.choose_stand_in(0, None, "hard"),
        table.advise(0, "near"),
    )
    for each in tries:
        with pytest.raises(Refusal) as refused:
            await each
        assert refused.value.code in ("closed", "not_over")
    await table.seating.leave(0)


async def test_a_race_rests_with_its_table(tmp_path: Path) -> None:
    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, "kakerlaken", 1, ["easy"])
        await table.arrive(Guest(0))
        await until(lambda: table.book.is_race)
        await table.care.close()
        entries = table.book.entries
        await asyncio.sleep(3600)
        assert table.book.entries == entries


async def test_no_alarm_wakes_a_closed_table_and_it_is_tidied(tmp_path: Path) -> None:
    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, "sushizock", 2, [])
        name = table.book.name
        await house.store.ask("INSERT INTO alarms (name, due) VALUES ($1, $2)", name, 9e9)
        await table.care.close()
        assert await house.store.ask("SELECT * FROM alarms") == []
        await asyncio.sleep(house.settings.tidy_unplayed_after + 3600)
        await house.tidy()
        assert await house.find(name) is None


async def test_words_that_were_being_opened_rest_too(tmp_path: Path) -> None:
    async with at_home(tmp_path) as house:
        table = await house.open("sushizock", 2, {})
        await table.seating.join("Ina")
        await table.seating.join("Tom")
        await table.sealing.seal(0, "0" * 64)
        await table.seating.start(0)
        assert table.book.words.is_opening
        await table.care.close()
        entries = table.book.entries
        await asyncio.sleep(3600)
        assert table.book.entries == entries


async def test_a_name_is_taken_away_and_what_is_told_later_has_another(tmp_path: Path) -> None:
    async with at_home(tmp_path) as house:
        table, tokens = await set_table(house, "sushizock", 2, ["easy"])
        assert await table.care.rename(1) == ("p1", SOMEBODY)
        assert await table.care.rename(0) == ("p0", f"{SOMEBODY} 1"), "two are told apart"
        assert table.book.names[:2] == [f"{SOMEBODY} 1", SOMEBODY]
        assert table.book.seat_of(tokens[1]) == 1, "they still play"
        assert await table.care.rename(1, "  Mia ") == (SOMEBODY, "Mia")
        entries = table.book.entries
        await table.care.rename(1, "Mia")
        assert table.book.entries == entries
        wrong = ((2, None), (7, None), (-1, None), (0, "\u202eevil"), (0, ""), (0, "M\u0456a"))
        for seat, name in wrong:
            with pytest.raises(Refusal):
                await table.care.rename(seat, name)


async def test_who_was_quicker_is_judged_anew(tmp_path: Path) -> None:
    """A move that waits in the queue while the table is closed comes too late."""
    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, "sushizock", 2, [])
        closing = asyncio.create_task(table.care.close())
        seal = table._queue.put(lambda: [Change(e.StandIn(house.now(), 0, "hard"))])
        await asyncio.sleep(0)
        with pytest.raises(Conflict, match="was closed"):
            await seal
        await closing


async def test_a_name_that_is_taken_away_takes_no_profile(tmp_path: Path) -> None:
    """Else: whose name was changed loses their table on other devices, and their rating."""
    async with at_home(tmp_path) as house:
        table = await house.open("sushizock", 2, {})
        await table.seating.join("Rude", "profile of somebody")
        await table.care.rename(0, SOMEBODY)
        assert (table.book.chairs[0].name, table.book.chairs[0].profile) == (
            SOMEBODY,
            "profile of somebody",
        )
        await table.seating.forget("profile of somebody")
        assert table.book.chairs[0].profile is None
