"""Whatever is refused, fails, comes or goes: a table goes on, and nobody is told more."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.client import Seat, open_table, post, server_here, settle, start
from tests.virtual import Guest, ThinkersHere, VirtualHouse, VirtualStore
from tests.waiting import LIMIT, until
from tischlein.bots import Answer, Turn
from tischlein.bus import LocalBus
from tischlein.house.house import House
from tischlein.house.servers import Together
from tischlein.house.settings import PeerRules, Settings
from tischlein.house.thinking import SOMEBODY
from tischlein.store import StoreDown
from tischlein.table.entries import Speed
from tischlein.table.needs import Asker, Conflict
from tischlein.table.settings import RaceRules
from tischlein.table.table import Table


class Frail(VirtualStore):
    """A store that can be away for a while."""

    away = False
    tried = failing_reads = tidied = 0

    async def append(self, *args: Any, **kwargs: Any) -> None:
        self.tried += 1
        if self.away:
            raise StoreDown("away")
        await super().append(*args, **kwargs)

    async def load(self, *args: Any, **kwargs: Any) -> Any:
        if self.failing_reads:
            self.failing_reads -= 1
            raise StoreDown("away for a moment")
        return await super().load(*args, **kwargs)

    async def tidy(self, *args: Any, **kwargs: Any) -> Any:
        self.tidied += 1
        if self.tidied == 1:
            raise StoreDown("away for a moment")
        return await super().tidy(*args, **kwargs)


async def set_table(
    house: House, game: str, seats: int, people: int, speed: Speed = "relaxed", **options: Any
) -> tuple[Table, list[str]]:
    """Set a table with people in the first seats and bots in the others."""
    table = await house.open(game, seats, options, speed)
    tokens = [(await table.seating.join(f"p{number}"))[1] for number in range(people)]
    for seat in range(people, seats):
        await table.seating.seat_bot(0, seat, "easy")
    return table, tokens


def at_home(path: Path, settings: Settings) -> VirtualHouse:
    return VirtualHouse(Frail(path / "t.sqlite"), settings)


@pytest.mark.virtual_time
async def test_a_refused_relief_stops_no_bot(tmp_path: Path) -> None:
    house = at_home(tmp_path, Settings(bot_pause=0.0))
    house.thinkers.moment = 0.4
    await house.wake()
    table, _ = await set_table(house, "sushizock", 2, 1, starter=1)
    await table.arrive(Guest(0))
    await table.seating.start(0)
    await until(lambda: table.book.movers() == [1])
    with pytest.raises(Conflict, match="needs no bot"):
        await table.seating.relieve(0, 1)
    await until(lambda: table.book.movers() == [0])
    await house.close()


@pytest.mark.virtual_time
async def test_a_bot_without_an_answer_is_helped(tmp_path: Path) -> None:
    class Silent(ThinkersHere):
        async def choose(
            self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY
        ) -> Answer:
            return Answer(None)

    house = at_home(tmp_path, Settings(bot_pause=0.0))
    house.thinkers = Silent(0.0, 1)
    await house.wake()
    table, _ = await set_table(house, "sushizock", 2, 1, starter=1)
    await table.arrive(Guest(0))
    await table.seating.start(0)
    await until(lambda: table.book.movers() == [0])
    await house.close()


@pytest.mark.virtual_time
async def test_who_looks_in_does_not_hold_up_the_next_roll(tmp_path: Path) -> None:
    house = at_home(tmp_path, Settings(race=RaceRules(pause_ms=400.0, lead_ms=10.0)))
    await house.wake()
    table, _ = await set_table(house, "kakerlaken", 2, 2, race_ms=1000)
    for seat in (0, 1):
        await table.arrive(Guest(seat))
    await table.seating.start(0)
    async with asyncio.timeout(LIMIT):
        while len(table.book.moves) < 6:  # a deal, and races of a roll and an end
            watcher = Guest()
            await table.arrive(watcher)
            table.go_away(watcher)
            await asyncio.sleep(0.1)
    await house.close()


@pytest.mark.virtual_time
async def test_a_race_that_everybody_left_rests_until_somebody_comes(tmp_path: Path) -> None:
    quick = RaceRules(pause_ms=50.0, lead_ms=10.0)
    house = at_home(tmp_path, Settings(race=quick, unload_after=0.0))
    await house.wake()
    table, _ = await set_table(house, "kakerlaken", 2, 2, race_ms=1000)
    guests = [Guest(0), Guest(1)]
    for guest in guests:
        await table.arrive(guest)
    await table.seating.start(0)
    for guest in guests:
        table.go_away(guest)
    await asyncio.sleep(5.0)
    rested = len(table.book.moves)
    await asyncio.sleep(3600.0)
    assert len(table.book.moves) == rested
    assert not table.busy
    house.unload()
    assert table.book.name not in house.tables
    again = await house.find(table.book.name)
    assert again is not None
    await again.arrive(Guest(0))
    await until(lambda: len(again.book.moves) > rested)
    await house.close()


async def test_who_comes_back_while_the_store_is_away_is_not_here_for_ever(tmp_path: Path) -> None:
    store = Frail(tmp_path / "t.sqlite")
    house = VirtualHouse(store, Settings(bot_pause=0.0, relief_after=0.2))
    house.thinkers.moment = 0.3
    async with server_here(house) as url:
        one, two = await open_table(url, "sushizock", 2, people=2, options={"starter": 0})
        await one.connect()
        await two.connect()
        await start(one)
        await two.close()
        table = house.tables[one.table]
        await until(lambda: table.seating.may_be_relieved(1))
        relief = f"/api/tables/{one.table}/relief"
        assert (await post(url, relief, {"seat": 1}, seat=one)).status_code == 200
        store.away = True
        with pytest.raises(ConnectionClosed):
            await Seat(url, one.table, 1, two.token).connect()
        store.away = False
        await until(lambda: [guest.seat for guest in table.presence.listeners] == [0])
        back = await Seat(url, one.table, 1, two.token).connect()
        await back.close()
        await until(lambda: table.seating.may_be_relieved(1))
        await one.close()


async def test_after_a_restart_one_is_told_who_can_be_relieved(tmp_path: Path) -> None:
    settings = Settings(bot_pause=0.0, relief_after=0.5)

    async with server_here(at_home(tmp_path, settings)) as url:
        one, two = await open_table(url, "sushizock", 2, people=2, options={"starter": 1})
        await one.connect()
        await two.connect()
        await start(one)
    async with server_here(at_home(tmp_path, settings)) as url:
        again = await Seat(url, one.table, 0, one.token).connect()
        if not again.state["table"]["seats"][1]["can_be_relieved"]:
            await again.until(
                lambda f: f["type"] == "state" and f["table"]["seats"][1]["can_be_relieved"]
            )
        await again.close()


@pytest.mark.virtual_time
async def test_every_move_has_the_whole_time(tmp_path: Path) -> None:
    """Who lays the last card of a reveal has the whole time for the next one, too."""

    house = at_home(tmp_path, Settings(bot_pause=0.0, clocks={"quick": 9.0, "normal": 60.0}))
    await house.wake()
    table, tokens = await set_table(house, "buffet", 3, 2, "quick", starter=0)
    for seat in (0, 1):
        await table.arrive(Guest(seat))
    await table.seating.start(0)
    await until(lambda: table.book.movers() == [0, 1])
    begun = dict(table.clocks.deadlines)
    await asyncio.sleep(0.5)
    for seat in (0, 1):
        move = msgspec.Raw(msgspec.json.encode(table.book.rules.legal(table.book.state, seat)[0]))
        await table.play(seat, tokens[seat], move, str(seat), house.now())
    await until(lambda: bool(table.clocks.deadlines) and bool(table.book.movers()))
    for seat, due in table.clocks.deadlines.items():
        assert due == pytest.approx(begun[seat] + 0.5)
    await house.close()


@pytest.mark.virtual_time
async def test_trouble_with_the_store_ends_no_housekeeping_and_makes_no_rush(
    tmp_path: Path,
) -> None:
    store = Frail(tmp_path / "t.sqlite")
    settings = Settings(
        bot_pause=0.0, clocks={"quick": 0.2, "normal": 60.0}, housekeeping=5.0,
    )  # fmt: skip
    house = VirtualHouse(store, settings)
    await house.wake()
    house.spawn(house.keep_house())
    await until(lambda: store.tidied > 2)
    table, _ = await set_table(house, "sushizock", 2, 1, "quick", starter=0)
    await table.arrive(Guest(0))
    await table.seating.start(0)
    store.away, store.tried = True, 0
    await asyncio.sleep(10.0)
    assert 9 <= store.tried <= 11, "once a second"
    store.away = False
    made = len(table.book.moves)
    await until(lambda: len(table.book.moves) > made)
    await house.close()


async def test_a_line_that_changes_tells_nothing_of_a_hidden_name(tmp_path: Path) -> None:
    """[K23]: that somebody has named a thief is not to be seen in an open race."""

    house = at_home(tmp_path, Settings(race=RaceRules(pause_ms=100.0, lead_ms=50.0)))
    async with server_here(house) as url:
        options = {"starter": 1, "race_ms": 60_000, "naming_ms": 60_000}
        spy, two = await open_table(url, "kakerlaken", 2, people=2, options=options)
        await spy.connect()
        await two.connect()
        await start(spy)
        for seat in (spy, two):
            await seat.until(lambda f: bool((f.get("view") or {}).get("roll")))
        await two.move({"do": "grab", "squeak": True, "at": 400.0})
        await spy.until(lambda f: f["type"] == "state" and f["view"]["acted"] == [1])
        await spy.send({"type": "ping", "t0": 1.0})
        pong = await spy.until(lambda f: f["type"] == "pong")
        await asyncio.sleep(0.1)  # late, so that one's own lag changes
        await spy.send({"type": "ping", "t0": 1.0, "echo": pong["t1"]})
        await settle(spy)
        told = len(spy.frames)
        await two.move({"do": "name", "thief": "ant", "at": 1200.0})
        await two.until(lambda f: f["type"] == "state" and "thief" in str(f["log"]))
        await settle(spy)
        assert {frame["type"] for frame in spy.frames[told:]} == {"pong"}
        await spy.close()
        await two.close()


async def test_one_failed_read_leaves_no_table_behind(tmp_path: Path) -> None:
    """A server dies; who takes its tables over cannot read one of them at once."""
    file = tmp_path / "t.sqlite"
    peers = PeerRules(beat=0.1, lease=0.5, check=0.2)
    settings = Settings(bot_pause=1.0, peers=peers)

    room: set[Any] = set()
    first, second = (VirtualHouse(Frail(file), settings, LocalBus(room)) for _ in range(2))
    await first.wake()
    await second.wake()
    tables = []
    for _ in range(3):
        table, _ = await set_table(first, "sushizock", 2, 1, starter=1)
        await table.arrive(Guest(0))
        elsewhere = await second.find(table.book.name)
        assert elsewhere is not None
        await elsewhere.arrive(Guest())
        await first.store.take([table.book.name], first.servers.holder or "")
        await table.seating.start(0)
        tables.append(table)
    servers = first.servers
    assert isinstance(servers, Together)
    await until(lambda: len(servers.mine) == 3)
    for table in tables:  # dies without a word
        table.stop()
    for task in list(first._work):
        task.cancel()
    second.store.failing_reads = 1  # type: ignore[attr-defined]  # a Frail one
    names = {table.book.name for table in tables}
    await until(lambda: all(second.tables[name].book.movers() == [0] for name in names))
    await second.close()


async def test_of_a_dead_servers_tables_those_are_taken_over_at_which_somebody_looks(
    tmp_path: Path,
) -> None:
    """A thousand tables that strangers left would come into the memory of whoever lives on."""
    peers = PeerRules(beat=0.1, lease=0.5, check=0.2)
    room: set[Any] = set()
    first, second = (
        VirtualHouse(Frail(tmp_path / "t.sqlite"), Settings(peers=peers), LocalBus(room))
        for _ in range(2)
    )
    await first.wake()
    await second.wake()
    alone, dead = second.servers, first.servers
    assert isinstance(alone, Together)
    assert isinstance(dead, Together)
    tables = [(await set_table(first, "sushizock", 2, 2))[0] for _ in range(3)]
    for table in tables:
        await table.arrive(Guest(0))
        await table.seating.start(0)
    await until(lambda: len(dead.mine) == 3)
    elsewhere = await second.find(tables[0].book.name)
    assert elsewhere is not None
    await elsewhere.arrive(watcher := Guest())
    for table in tables:  # dies without a word
        table.stop()
    for task in list(first._work):
        task.cancel()
    await until(lambda: alone.mine == {elsewhere.book.name})
    async with asyncio.timeout(LIMIT):
        while await second.store.abandoned(9):
            await asyncio.sleep(0.05)
    assert second.tables.keys() == {elsewhere.book.name}
    elsewhere.go_away(watcher)
    await until(lambda: not alone.mine and not alone._releasing)
    held = await second.store.glance([table.book.name for table in tables])
    assert [glance.holder for glance in held.values()] == [None] * 3
    await second.close()


async def test_a_table_in_memory_that_cannot_be_read_is_asked_for_again(tmp_path: Path) -> None:
    class Once(Frail):
        """Its first read of a table that somebody has just taken fails."""

        is_new = True

        async def take(self, names: Any, holder: str) -> Any:
            taken = await super().take(names, holder)
            self.failing_reads, self.is_new = int(self.is_new), False
            return taken

    peers = PeerRules(beat=0.1, lease=0.5, check=0.2)
    settings = Settings(bot_pause=0.1, peers=peers)
    store = Once(tmp_path / "t.sqlite")
    house = VirtualHouse(store, settings, LocalBus())
    await house.wake()
    table, _ = await set_table(house, "sushizock", 2, 1, starter=1)
    await table.arrive(Guest(0))
    await table.seating.start(0)
    await until(lambda: not store.is_new and table.book.movers() == [0])
    await house.close()


@pytest.mark.virtual_time
async def test_the_hosts_rights_pass_on_after_trouble(tmp_path: Path) -> None:
    store = Frail(tmp_path / "t.sqlite")
    house = VirtualHouse(store, Settings(host_after=0.3))
    await house.wake()
    table, _ = await set_table(house, "sushizock", 2, 2)
    host = Guest(0)
    await table.arrive(host)
    await table.arrive(Guest(1))
    store.away, store.tried = True, 0
    table.go_away(host)
    await until(lambda: store.tried > 0)
    store.away = False
    await until(lambda: table.book.host == 1)
    await house.close()


async def test_an_origin_that_is_none_is_refused(tmp_path: Path) -> None:
    async with server_here(at_home(tmp_path, Settings())) as url:
        async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
            answer = await client.get("/api/games", headers={"Origin": "http://["})
        assert answer.status_code == 403
