"""Waiting for people: alone as long as one likes, among others so long, and never in a race."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.table.home import Home, at_home, set_table
from tests.virtual import Guest
from tests.waiting import until
from tischlein.game import Refusal
from tischlein.house.settings import Settings
from tischlein.server import wire
from tischlein.table.lines import Measured
from tischlein.table.needs import Conflict
from tischlein.table.presence import Here
from tischlein.table.settings import RaceRules
from tischlein.table.table import Table

SLOW = Settings(bot_pause=1.0, race=RaceRules(pause_ms=0, lead_ms=0))
AT_ONCE = Settings(bot_pause=0.0, race=RaceRules(pause_ms=0, lead_ms=0))
LONG = 3600.0


def now() -> float:
    """Give the virtual time."""
    return asyncio.get_running_loop().time()


def about(seconds: float) -> Any:
    """Give a time that somebody who looks now and then may measure."""
    return pytest.approx(seconds, abs=0.3)


async def moved(table: Table, more: int = 1) -> float:
    """Wait for so many moves; give how long that took."""
    since, before = now(), len(table.book.moves)
    await until(lambda: len(table.book.moves) >= before + more)
    return now() - since


async def alone(house: Home, game: str = "sushizock") -> tuple[Table, Guest]:
    """Set a table for somebody among bots, who begin."""
    table, _ = await set_table(house, game, 1, ["easy", "easy"], "relaxed", starter=1)
    return table, Guest(0)


def shown(table: Table) -> list[bool]:
    """Say of each seat whether all are told that it is waited for."""
    return [seat.holds for seat in wire.table_info(table).seats]


@pytest.mark.virtual_time
@pytest.mark.parametrize("settings", [SLOW, AT_ONCE])
async def test_alone_bots_wait_as_long_as_one_likes(tmp_path: Path, settings: Settings) -> None:
    async with at_home(tmp_path, settings) as house:
        table, guest = await alone(house)
        await table.arrive(guest, holds=True)
        before = len(table.book.moves)
        await asyncio.sleep(LONG)
        assert len(table.book.moves) == before
        assert shown(table) == [True, False, False]
        table.people.hold(guest, False)
        assert await moved(table) < 0.5, "it had thought long enough"
        assert shown(table) == [False, False, False]


@pytest.mark.virtual_time
async def test_who_never_holds_changes_nothing(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, guest = await alone(house)
        await table.arrive(guest)
        assert await moved(table) == about(1.0)


@pytest.mark.virtual_time
async def test_a_hold_ends_with_the_line_that_made_it(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, guest = await alone(house)
        await table.arrive(Guest())
        await table.arrive(guest, holds=True)
        await asyncio.sleep(LONG)
        table.go_away(guest)
        assert await moved(table) < 0.5
        assert shown(table) == [False, False, False]


@pytest.mark.virtual_time
async def test_watchers_hold_nothing(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, guest = await alone(house)
        await table.arrive(Guest(), holds=True)
        await table.arrive(guest)
        table.people.hold(next(iter(table.presence.listeners.keys() - {guest})), True)
        assert await moved(table) < 1.5


@pytest.mark.virtual_time
async def test_among_others_each_move_is_held_up_so_long(tmp_path: Path) -> None:
    """Somebody who holds, and lets go and holds again, costs the others six seconds a move."""
    async with at_home(tmp_path, SLOW) as house:
        table, _ = await set_table(
            house, "sushizock", 2, ["easy", "easy", "easy"], "relaxed", starter=2
        )
        await table.arrive(first := Guest(0), holds=True)
        await table.arrive(Guest(1))
        assert await moved(table) == about(7.0)
        for _ in range(20):
            table.people.hold(first, False)
            table.people.hold(first, True)
        assert await moved(table) == about(7.0)


@pytest.mark.virtual_time
async def test_a_person_moves_whoever_holds(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, tokens = await set_table(house, "sushizock", 2, [], "relaxed", starter=1)
        await table.arrive(Guest(0), holds=True)
        await table.arrive(Guest(1), holds=True)
        legal = table.book.rules.legal(table.book.state, 1)
        raw = msgspec.Raw(msgspec.json.encode(legal[0]))
        assert await table.play(1, tokens[1], raw, "a", now())


@pytest.mark.virtual_time
async def test_a_seat_is_ready_as_soon_as_one_of_its_lines_is(tmp_path: Path) -> None:
    """Else a forgotten tab would stop the game of whoever plays in another."""
    async with at_home(tmp_path, SLOW) as house:
        table, guest = await alone(house)
        await table.arrive(guest, holds=True)
        await asyncio.sleep(LONG)
        await table.arrive(Guest(0))
        assert await moved(table) < 0.5


@pytest.mark.virtual_time
async def test_the_first_roll_waits_until_all_are_ready(tmp_path: Path) -> None:
    async with at_home(tmp_path, AT_ONCE) as house:
        table = await house.open("kakerlaken", 2, {}, "relaxed", hints=False)
        for number in range(2):
            await table.seating.join(f"p{number}")
        guests = [Guest(0), Guest(1)]
        for guest in guests:
            await table.arrive(guest, holds=True)
        await table.seating.start(0)
        await asyncio.sleep(10.0)
        assert not table.book.is_race
        table.people.hold(guests[0], False)
        await asyncio.sleep(1.0)
        assert not table.book.is_race
        table.people.hold(guests[1], False)
        await asyncio.sleep(0.7)
        assert not table.book.is_race, "who is the last to be ready does not choose the moment"
        await until(lambda: table.book.is_race)


@pytest.mark.virtual_time
async def test_who_is_ready_and_is_not_delays_a_roll_no_longer_than_who_never_is(
    tmp_path: Path,
) -> None:
    async with at_home(tmp_path, AT_ONCE) as house:
        table = await house.open("kakerlaken", 2, {}, "relaxed", hints=False)
        for number in range(2):
            await table.seating.join(f"p{number}")
        liar = Guest(0)
        await table.arrive(liar, holds=True)
        await table.arrive(Guest(1))
        await table.seating.start(0)
        began = asyncio.get_running_loop().time()
        while not table.book.is_race:
            table.people.hold(liar, False)
            await asyncio.sleep(0.4)
            table.people.hold(liar, True)
            await asyncio.sleep(0.4)
        assert asyncio.get_running_loop().time() - began < 21.5


@pytest.mark.virtual_time
async def test_who_never_gets_ready_is_waited_for_twenty_seconds_and_then_six(
    tmp_path: Path,
) -> None:
    async with at_home(tmp_path, AT_ONCE) as house:
        table = await house.open("kakerlaken", 2, {"race_ms": 1000}, "relaxed", hints=False)
        for number in range(2):
            await table.seating.join(f"p{number}")
            await table.arrive(Guest(number), holds=number == 0)
        await table.seating.start(0)
        since = now()
        await until(lambda: table.book.is_race)
        assert now() - since == about(20.0)
        await until(lambda: not table.book.is_race)
        since = now()
        await until(lambda: table.book.is_race)
        assert now() - since == about(6.0)


@pytest.mark.virtual_time
async def test_an_open_race_waits_for_nobody(tmp_path: Path) -> None:
    """Else one could look at the dice as long as one likes while the bots must not act."""
    async with at_home(tmp_path, SLOW) as house:
        table, guest = await alone(house, "kakerlaken")
        await table.arrive(guest)
        await until(lambda: table.book.is_race)
        table.people.hold(guest, True)
        await until(lambda: not table.book.is_race)
        before = len(table.book.moves)
        await asyncio.sleep(LONG)
        assert len(table.book.moves) <= before + 1, "at most a bot had to give a tile back"
        assert not table.book.is_race


@pytest.mark.virtual_time
@pytest.mark.parametrize("does", ["slap", "grab", "pass"])
async def test_a_bot_that_decides_in_secret_is_waited_for_alike_whatever_it_does(
    tmp_path: Path, does: str
) -> None:
    """Else who holds would hear by the clock whether a bot passes [K23] [K24]."""
    async with at_home(tmp_path, SLOW) as house:
        house.thinkers.will = lambda turn: next(
            move for move in turn.legal if msgspec.to_builtins(move)["do"] in (does, "name", "give")
        )
        table, _ = await set_table(house, "kakerlaken", 2, ["easy"], "relaxed", calm=True)
        await table.arrive(Guest(0), holds=True)
        await table.arrive(Guest(1))
        assert await moved(table) == about(7.0)
        assert table.book.rules.view(table.book.state, 0).acted == (2,)


@pytest.mark.virtual_time
async def test_who_holds_at_another_server_is_waited_for(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, _ = await alone(house)
        await table.arrive(Guest())
        line = {0: Measured(1.0, 1.0, 0.0)}
        table.others_are({"far": Here(line, holds=(0,))})
        before = len(table.book.moves)
        await asyncio.sleep(LONG)
        assert len(table.book.moves) == before
        assert shown(table)[0]
        table.others_are({"far": Here(line)})
        assert await moved(table) < 0.5


@pytest.mark.virtual_time
async def test_other_servers_are_shown_who_holds(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, guest = await alone(house)
        await table.arrive(guest, holds=True)
        assert table.races.who_is_here().holds == (0,)
        table.people.hold(guest, False)
        assert table.races.who_is_here().holds == ()


@pytest.mark.virtual_time
async def test_a_silent_line_is_away_and_holds_nothing(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, _ = await set_table(house, "sushizock", 2, ["easy"], "relaxed", starter=2)
        await table.arrive(silent := Guest(0), holds=True)
        await table.arrive(Guest(1))
        table.people.fell_silent(silent)
        assert [seat.here for seat in wire.table_info(table).seats] == [False, True, True]
        assert await moved(table) < 1.5
        await asyncio.sleep(31.0)
        await table.seating.relieve(1, 0)
        assert table.book.chairs[0].relief == "easy"
        table.people.is_heard(silent)
        assert wire.table_info(table).seats[0].here
        await until(lambda: table.book.chairs[0].relief is None)
        table.people.fell_silent(silent)
        await asyncio.sleep(20.0)
        table.go_away(silent)
        assert table.presence.away_for(0) == 20.0, "since nothing came, not since it broke"


@pytest.mark.virtual_time
async def test_all_at_the_table_see_a_mood_but_not_without_end(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, guest = await alone(house)
        watcher = Guest()
        await table.arrive(guest)
        await table.arrive(watcher)
        for _ in range(5):
            table.people.show_mood(0, "laugh")
        with pytest.raises(Refusal, match="slow down"):
            table.people.show_mood(0, "laugh")
        assert watcher.told == ["0 laugh"] * 5 == guest.told
        await asyncio.sleep(2.0)
        table.people.show_mood(0, "heart")
        with pytest.raises(Refusal):
            table.people.show_mood(0, "heart")
        assert watcher.told[5:] == ["0 heart"]


@pytest.mark.virtual_time
async def test_moods_at_other_servers_are_seen_once_and_not_those_of_before(tmp_path: Path) -> None:
    async with at_home(tmp_path, SLOW) as house:
        table, _ = await alone(house)
        await table.arrive(watcher := Guest())
        line = {0: Measured(1.0, 1.0, 0.0)}
        table.others_are({"far": Here(line, moods={0: (3, "cry")})})
        assert watcher.told == []
        table.others_are({"far": Here(line, moods={0: (4, "wow")})})
        table.others_are({"far": Here(line, 1, moods={0: (4, "wow")})})
        table.others_are({"far": Here(line, moods={0: (5, "rude")})})
        assert watcher.told == ["0 wow"]


@pytest.mark.virtual_time
async def test_wishes_for_another_game_end_with_it(tmp_path: Path) -> None:
    async with at_home(tmp_path, AT_ONCE) as house:
        table, _ = await set_table(house, "kakerlaken", 2, ["easy"], "relaxed", race_ms=1000)
        with pytest.raises(Conflict, match="when the game is over"):
            table.people.wish_again(1)
        await table.arrive(guest := Guest(1))
        while table.book.phase != "over":
            await asyncio.sleep(1.0)
        table.people.wish_again(1)
        table.people.wish_again(1)
        assert table.races.who_is_here().wishes == (1, (1,))
        table.others_are({"far": Here({0: Measured(1.0, 1.0, 0.0)}, wishes=(1, (0,)))})
        assert wire.table_info(table).wishes == (0, 1)
        await table.seating.again(table.book.host, "chance")
        assert wire.table_info(table).wishes == ()
        assert table.races.who_is_here().wishes[1] == ()
        assert guest.seat == 1
