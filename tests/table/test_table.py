"""What comes next at a table: only where somebody looks, and only for the choice as it is now."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.table.home import QUICK, at_home, kept, set_table
from tests.virtual import Guest
from tests.waiting import until
from tischlein.house.settings import Settings
from tischlein.table.needs import Asker, Conflict

DAY = 86_400.0
SELDOM = replace(QUICK, offers_every=3600.0, alarms_every=3600.0)
"""Looks seldom, so that days pass at once."""


@pytest.mark.virtual_time
@pytest.mark.parametrize(
    ("game", "people", "bots"),
    [("sushizock", 1, ["expert"]), ("buffet", 1, ["hard", "expert"]), ("kakerlaken", 1, ["easy"]),
     ("kakerlaken", 2, [])],
)  # fmt: skip
async def test_a_table_that_nobody_looks_at_rests(
    tmp_path: Path, game: str, people: int, bots: list[str]
) -> None:
    """Started and left alone, a stranger's tables rolled, thought and filled the disk for ever."""
    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, game, people, bots)
        await asyncio.sleep(5.0)
        entries = (await kept(house, table)).entries
        await asyncio.sleep(DAY)
        assert (await kept(house, table)).entries == entries
        assert house.thinkers.begun == []
        assert not table.busy
        house.unload()
        assert house.tables == {}


@pytest.mark.virtual_time
async def test_a_table_goes_on_when_somebody_comes_and_rests_when_they_go(tmp_path: Path) -> None:
    """A game that rested would stand still for its players, too."""
    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, "sushizock", 1, ["easy", "easy"], starter=1)
        guest = Guest()
        await table.arrive(guest)
        await until(lambda: table.book.movers() == [0])
        table.go_away(guest)
        assert table.clocks.deadlines == {}
        made, thought = len(table.book.moves), len(house.thinkers.begun)
        await asyncio.sleep(DAY)
        assert (len(table.book.moves), len(house.thinkers.begun)) == (made, thought)
        await table.arrive(guest)
        now = house.now()
        assert table.clocks.deadlines == {0: now + 9.0}, "nobody loses the time of the rest"
        await until(lambda: len(table.book.moves) > made)
        assert house.now() >= now + 9.0


@pytest.mark.virtual_time
@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("bots", [[], ["easy"]])
async def test_an_open_race_that_everybody_left_is_closed_when_somebody_comes(
    tmp_path: Path, bots: list[str], restart: bool
) -> None:
    """Who comes back would look at dice that nobody can slap, for ever."""
    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, "kakerlaken", 2 - len(bots), bots, race_ms=60_000)
        guest = Guest(0)
        await table.arrive(guest)
        await until(lambda: table.book.is_race)
        table.go_away(guest)
        name, race = table.book.name, table.book.race_from
        await asyncio.sleep(3600.0)
        assert table.book.is_race
        assert table.book.race_from == race
        if not restart:
            await table.arrive(guest)
            await until(lambda: table.book.race_from > race)
            return
    async with at_home(tmp_path) as later:
        again = await later.find(name)
        assert again is not None
        await asyncio.sleep(3600.0)
        assert again.book.is_race
        await again.arrive(Guest(0))
        await until(lambda: again.book.race_from > race)


@pytest.mark.virtual_time
async def test_after_a_restart_no_table_is_loaded_until_somebody_looks(tmp_path: Path) -> None:
    """A server with a thousand abandoned games would be busy with them before it greets anybody."""
    async with at_home(tmp_path) as house:
        tables = [(await set_table(house, "sushizock", 1, ["expert"]))[0] for _ in range(5)]
    async with at_home(tmp_path) as again:
        await asyncio.sleep(3600.0)
        assert again.tables == {}
        assert again.thinkers.begun == []
        found = await again.find(tables[0].book.name)
        assert found is not None
        assert again.tables == {found.book.name: found}


@pytest.mark.virtual_time
async def test_a_thought_about_a_choice_that_is_gone_is_given_up(tmp_path: Path) -> None:
    """Bots went on thinking for who came back, before the bots of those who waited."""
    async with at_home(tmp_path, Settings(bot_pause=0.0, relief_after=1.0)) as house:
        house.thinkers.moment = 100.0
        table, _ = await set_table(house, "sushizock", 2, [], starter=1)
        here = Guest(0)
        await table.arrive(here)
        await asyncio.sleep(2.0)
        await table.seating.relieve(0, 1)
        await asyncio.sleep(1.0)
        assert house.thinkers.begun == [("easy", 1)]
        back = Guest(1)
        await table.arrive(back)
        await asyncio.sleep(0.1)
        assert house.thinkers.given_up == 1
        table.go_away(back)
        await asyncio.sleep(2.0)
        await table.seating.relieve(0, 1)
        await asyncio.sleep(1.0)
        table.go_away(here)
        await asyncio.sleep(0.1)
        assert house.thinkers.given_up == 2, "nobody looks any more"


@pytest.mark.virtual_time
async def test_the_thought_for_who_is_late_is_given_up_when_they_move(tmp_path: Path) -> None:
    """Comers and goers would have set off a thought each for who is late, all at once."""
    async with at_home(tmp_path) as house:
        house.thinkers.moment = 100.0
        table, tokens = await set_table(house, "sushizock", 2, [], starter=0)
        for seat in (0, 1):
            await table.arrive(Guest(seat))
        await asyncio.sleep(10.0)
        for _ in range(20):
            watcher = Guest()
            await table.arrive(watcher)
            table.go_away(watcher)
        await asyncio.sleep(1.0)
        assert house.thinkers.begun == [("easy", 0)]
        move = msgspec.json.encode(table.book.rules.legal(table.book.state, 0)[-1])
        await table.play(0, tokens[0], msgspec.Raw(move), "a", house.now())
        await asyncio.sleep(0.1)
        assert house.thinkers.given_up == 1


@pytest.mark.virtual_time
async def test_a_seat_has_one_hint_at_a_time_and_none_of_a_position_that_is_gone(
    tmp_path: Path,
) -> None:
    """Who asks for hints again and again would have filled the line of thoughts."""
    async with at_home(tmp_path) as house:
        house.thinkers.moment = 5.0
        table, tokens = await set_table(house, "sushizock", 2, [], "relaxed", starter=0)
        await table.arrive(Guest(0))
        asked = [asyncio.create_task(table.advise(0, "far")) for _ in range(9)]
        await asyncio.gather(*asked)
        assert house.thinkers.askers == [Asker(table.book.name, frozenset({house.mark("far")}))]
        move = msgspec.json.encode(table.book.rules.legal(table.book.state, 0)[-1])
        await table.play(0, tokens[0], msgspec.Raw(move), "a", house.now())
        again = asyncio.create_task(table.advise(0, "far"))
        await asyncio.sleep(0.1)
        move = msgspec.json.encode(table.book.rules.legal(table.book.state, 0)[-1])
        await table.play(0, tokens[0], msgspec.Raw(move), "b", house.now())
        with pytest.raises(Conflict, match="no answer"):
            await again
        assert house.thinkers.given_up == 1


@pytest.mark.virtual_time
async def test_a_table_thinks_in_the_turn_of_those_who_sit_at_it(tmp_path: Path) -> None:
    """A stranger who watches would have made my table wait in the stranger's line alone."""
    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, "sushizock", 1, ["easy"], starter=1)
        table.presence.listeners[watcher := Guest()] = None
        watcher.network = "far"
        await table.arrive(Guest(0))
        await until(lambda: bool(house.thinkers.askers))
        assert house.thinkers.askers[0].networks == {house.mark("near")}


@pytest.mark.virtual_time
async def test_a_table_is_not_tidied_under_those_who_look_at_it(tmp_path: Path) -> None:
    """Friends who wait for one another in a lobby for a day would have lost their table."""
    async with at_home(tmp_path, SELDOM) as house:
        table = await house.open("sushizock", 2, {})
        await table.seating.join("p0")
        left = await house.open("sushizock", 2, {})
        played, _ = await set_table(house, "sushizock", 1, ["easy"])
        await table.arrive(guest := Guest(0))
        await asyncio.sleep(DAY + 1.0)
        await house.tidy()
        assert house.tables.keys() == {table.book.name, played.book.name}
        assert await house.find(left.book.name) is None
        table.go_away(guest)
        await house.tidy()
        assert await house.find(table.book.name) is None
        await asyncio.sleep(30 * DAY)
        await house.tidy()
        assert await house.find(played.book.name) is None


@pytest.mark.virtual_time
async def test_lines_are_told_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    """In a set they lay as memory had them: the same game was told in another order each time."""
    told: list[int] = []

    class Numbered(Guest):
        number = 0

        def changed(self) -> None:
            told.append(self.number)

    async with at_home(tmp_path) as house:
        table, _ = await set_table(house, "sushizock", 2, [], starter=0)
        guests = [Numbered() for _ in range(12)]
        for number, guest in enumerate(guests):
            guest.number = number
            await table.arrive(guest)
        told.clear()
        table.go_away(guests.pop(3))
        assert told[-11:] == [0, 1, 2, *range(4, 12)]
