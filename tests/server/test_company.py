"""Several servers in company: one PostgreSQL, one NATS, seats anywhere."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tests.engines import Nats, Postgresql
from tests.sealed import word
from tests.server.client import Seat, get, open_table, play_to_the_end, post, server_here, start
from tests.waiting import until
from tischlein import replay
from tischlein.bus import Bus, LocalBus
from tischlein.bus.nats import NatsBus
from tischlein.chance import verify
from tischlein.house.house import House
from tischlein.house.servers import Together
from tischlein.house.settings import PeerRules, Settings
from tischlein.store import Page, store_at
from tischlein.store.postgresql import PostgresqlStore
from tischlein.table import entries as e
from tischlein.table.settings import RaceRules

LIMIT = 100.0
STEADY = PeerRules(beat=0.2, lease=LIMIT, check=0.4)
QUIET = Settings(bot_pause=0.0, race=RaceRules(lead_ms=30.0, pause_ms=0.0), peers=STEADY)
MORTAL = Settings(bot_pause=0.0, peers=PeerRules(beat=0.2, lease=1.5, check=0.4))
"""A server that falls silent is soon followed by another."""
UNHEARD = Settings(bot_pause=0.0, peers=PeerRules(beat=0.2, lease=LIMIT, check=1e9))
LONG_LEAD = RaceRules(lead_ms=2000.0, pause_ms=60_000)
"""Deeds are sent long before their own time."""
GAMES = ("sushizock", "buffet", "kakerlaken")


@contextlib.asynccontextmanager
async def company(houses: Sequence[House]) -> AsyncIterator[list[str]]:
    """Run several servers in this process."""
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(server_here(house)) for house in houses]


class Deaf(LocalBus):
    """A bus that loses everything."""

    def say(self, table: str, entries: int) -> None:
        """Lose it."""


def houses(address: str, buses: Sequence[Bus], settings: Settings = QUIET) -> list[House]:
    """Make servers around one store."""
    return [House(store_at(address), settings, bus) for bus in buses]


def at(url: str, seat: Seat) -> Seat:
    """Let somebody use another server."""
    return Seat(url, seat.table, seat.seat, seat.token)


async def seated(urls: list[str], game: str, seats: int, people: int, **more: object) -> list[Seat]:
    """Open a table at the first server; its people connect to one server each, in turn."""
    found = await open_table(urls[0], game, seats, people, **more)
    moved = [at(urls[n % len(urls)], seat) for n, seat in enumerate(found)]
    for seat in moved:
        await seat.connect()
    return moved


async def check_record(url: str, table: str) -> None:
    """The record replays, and its dice were fair."""
    record = await get(url, f"/api/tables/{table}/record")
    assert verify(replay(record.text.splitlines())).agreed > 0


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_game_with_seats_on_two_servers(
    game: str, postgresql: Postgresql, nats: Nats
) -> None:
    async with asyncio.timeout(LIMIT):
        found = houses(postgresql.new_database(), [NatsBus(nats.address) for _ in range(2)])
        async with company(found) as urls:
            people = await seated(urls, game, 4, 3)
            await start(at(urls[1], people[0]))
            await play_to_the_end(people)
            told = [frame for seat in people for frame in seat.frames]
            assert not [f for f in told if f.get("code") in ("trouble", "no_seat_held")]
            ends = {str(seat.state["scores"]) for seat in people}
            assert len(ends) == 1
            for url in urls:
                await check_record(url, people[0].table)


async def test_lost_messages_cost_a_moment_and_no_move(postgresql: Postgresql) -> None:
    async with asyncio.timeout(LIMIT):
        often = Settings(bot_pause=0.0, peers=PeerRules(beat=0.05, lease=LIMIT, check=0.05))
        async with company(houses(postgresql.new_database(), [Deaf(), Deaf()], often)) as urls:
            people = await seated(urls, "sushizock", 3, 2)
            await start(people[0])
            await play_to_the_end(people)
            assert people[0].state["scores"] == people[1].state["scores"]
            await check_record(urls[1], people[0].table)


async def test_everybody_is_here_wherever_they_are(postgresql: Postgresql) -> None:
    async with asyncio.timeout(LIMIT):
        room: set[LocalBus] = set()
        found = houses(postgresql.new_database(), [LocalBus(room), LocalBus(room)])
        async with company(found) as urls:
            one, two = await seated(urls, "sushizock", 2, 2)
            watcher = await Seat(urls[1], one.table, None, None).connect()
            await one.until(lambda f: f["table"]["seats"][1]["here"] and f["table"]["watchers"])
            await two.until(lambda f: f["table"]["seats"][0]["here"])
            await two.send({"type": "ping", "t0": 1.0})
            pong = await two.until(lambda f: f["type"] == "pong")
            await asyncio.sleep(0.05)
            await two.send({"type": "ping", "t0": 1.0, "echo": pong["t1"]})
            await one.until(lambda f: (f["table"]["seats"][1]["lag"] or 0) >= 40)
            await two.close()
            await one.until(lambda f: not f["table"]["seats"][1]["here"])
            await watcher.until(lambda f: not f["table"]["seats"][1]["here"])


async def test_who_leaves_at_one_server_loses_the_seat_at_all(postgresql: Postgresql) -> None:
    async with asyncio.timeout(LIMIT):
        room: set[LocalBus] = set()
        found = houses(postgresql.new_database(), [LocalBus(room), LocalBus(room)])
        async with company(found) as urls:
            _, two = await seated(urls, "sushizock", 2, 2)
            left = await post(urls[0], f"/api/tables/{two.table}/leave", seat=two)
            assert left.status_code == 200
            await two.until(lambda frame: frame["seat"] is None)


async def test_relief_is_asked_for_at_a_server_that_has_just_looked_in(
    postgresql: Postgresql,
) -> None:
    """It has heard nothing of who came and went: it looks before it judges."""

    async with asyncio.timeout(LIMIT):
        room: set[LocalBus] = set()
        settings = replace(QUIET, relief_after=0.5)
        address = postgresql.new_database()
        found = houses(address, [LocalBus(room), LocalBus(room)], settings)
        found += houses(address, [Deaf()], replace(settings, peers=UNHEARD.peers))
        for house in found:  # how well clocks agree is another matter
            house.clock, house.now = found[0].clock, found[0].now
        async with company(found) as urls:
            one, two = await seated(urls[:2], "sushizock", 2, 2, options={"starter": 1})
            await one.until(lambda f: f["table"]["seats"][1]["here"])
            await start(one)
            path = f"/api/tables/{one.table}/relief"
            soon = await post(urls[2], path, {"seat": 1}, one)
            assert soon.json()["error"] == "too_soon"
            await two.close()
            await one.until(lambda f: f["table"]["seats"][1]["can_be_relieved"])
            relieved = await post(urls[2], path, {"seat": 1}, one)
            assert relieved.status_code == 200, relieved.text
            await one.until(lambda frame: frame.get("to_move") == [0])
            back = await at(urls[1], two).connect()
            assert back.state["table"]["seats"][1]["relief"] is None


async def test_another_server_goes_on_when_one_is_gone(postgresql: Postgresql, nats: Nats) -> None:
    """The server that conducts the table falls silent in mid-game: bots and clock go on."""

    async with asyncio.timeout(LIMIT):
        address = postgresql.new_database()
        first, second = houses(address, [NatsBus(nats.address) for _ in range(2)], MORTAL)
        async with company([first, second]) as urls:
            people = await seated(urls, "buffet", 4, 2)
            await start(people[0])
            await people[1].until(lambda f: bool(f.get("legal")))
            (name,) = {*first.tables}
            await until(lambda: name in mine(first) | mine(second))
            holder, other = (first, second) if name in mine(first) else (second, first)
            silence(holder, for_good=True)
            rest = at(urls[[first, second].index(other)], people[0])
            await rest.connect()
            left = at(urls[[first, second].index(other)], people[1])
            await left.connect()
            await until(lambda: name in mine(other))
            await play_to_the_end([rest, left])
            await check_record(rest.url, name)


def mine(house: House) -> set[str]:
    """Name the tables that a server conducts."""
    return among(house).mine


def among(house: House) -> Together:
    """Give what a server knows of the others."""
    assert isinstance(house.servers, Together)
    return house.servers


def silence(house: House, for_good: bool = False) -> None:
    """Let a server do nothing more by itself, as if it were paused."""

    def drop(work: Coroutine[Any, Any, object]) -> "asyncio.Task[object]":
        work.close()
        return asyncio.get_running_loop().create_task(asyncio.sleep(0, None))

    if for_good:
        house.spawn = drop  # type: ignore[method-assign, assignment]  # nothing new begins here
    for task in list(house._work):
        task.cancel()
    for table in house.tables.values():
        table.stop()


async def test_a_server_that_wakes_up_late_writes_nothing(postgresql: Postgresql) -> None:
    async with asyncio.timeout(LIMIT):
        address = postgresql.new_database()
        room: set[LocalBus] = set()
        first, second = houses(address, [LocalBus(room), LocalBus(room)], MORTAL)
        async with company([first, second]) as urls:
            (me,) = await seated(urls, "sushizock", 2, 1, options={"starter": 0})
            await first.store.take([me.table], among(first).id)
            await Seat(urls[1], me.table, None, None).connect()
            await start(me)
            await until(lambda: me.table in mine(first))
            first.settings = Settings(peers=PeerRules(lease=1e9, beat=1e9))
            silence(first)
            await until(lambda: me.table in mine(second))
            before = len(await first.store.load(me.table))
            table = first.tables[me.table]
            choice = table.book.choice(0)
            await table._bots.play_for(
                0, table.book.rules.legal(table.book.state, 0)[0], choice, True
            )
            assert len(await first.store.load(me.table)) == before
            assert me.table not in mine(first)


async def look_into_the_store(houses: Sequence[House]) -> None:
    """Let servers find what no bus has told them."""
    for house in houses:
        await among(house)._check()


def revealed(house: House, table: str) -> bool:
    """Say whether a server knows that everybody has played a card."""
    return sum(isinstance(move.by, int) for move in house.tables[table].book.moves) >= 6


async def test_collisions_are_judged_again(postgresql: Postgresql) -> None:
    """Six secret cards at six servers in one instant: each is stored once, in one order."""

    async with asyncio.timeout(LIMIT):
        found = houses(postgresql.new_database(), [Deaf() for _ in range(6)], UNHEARD)
        async with company(found) as urls:
            people = await seated(urls, "buffet", 6, 6)
            await start(people[0])
            await look_into_the_store(found)
            for seat in people:
                await seat.until(lambda frame: bool(frame.get("legal")))
            await asyncio.gather(*(seat.move(seat.legal[-1]) for seat in people))
            await until(lambda: any(revealed(house, people[0].table) for house in found))
            await look_into_the_store(found)
            for seat in people:
                await seat.until(lambda f: f["type"] == "state" and bool(f["view"]["revealed"]))
                assert not [frame for frame in seat.frames if frame["type"] == "refused"]
            lines = await found[0].store.load(people[0].table)
            moves = [entry for entry in map(e.decoder.decode, lines) if isinstance(entry, e.Moved)]
            assert sorted(m.by for m in moves if m.by != "nature")[:6] == [0, 1, 2, 3, 4, 5]
            assert sum(among(house).collisions for house in found) >= 5


async def test_a_store_that_is_away_for_a_moment_is_waited_for(postgresql: Postgresql) -> None:
    async with asyncio.timeout(LIMIT):
        store = PostgresqlStore(postgresql.new_database(), patience=LIMIT)
        async with company([House(store, QUIET, LocalBus())]) as urls:
            (me,) = await seated(urls, "sushizock", 2, 1, options={"starter": 0})
            await start(me)
            await me.until(lambda frame: bool(frame.get("legal")))
            await asyncio.to_thread(postgresql.stop)
            await me.move(me.legal[0])
            await asyncio.to_thread(postgresql.start)
            await me.until(lambda f: any(move["by"] == 0 for move in f.get("log", [])))
            await play_to_the_end([me])


async def test_everything_waits_while_the_store_is_away(postgresql: Postgresql) -> None:
    async with asyncio.timeout(LIMIT):
        store = PostgresqlStore(postgresql.new_database(), patience=LIMIT)
        async with company([House(store, QUIET, LocalBus())]) as urls:
            (me,) = await open_table(urls[0], "sushizock", 2)
            assert (await get(urls[0], f"/api/tables/{me.table}")).status_code == 200
            await asyncio.to_thread(postgresql.stop)
            store._patience = 0.1
            try:
                away = await get(urls[0], f"/api/tables/{me.table}")
                assert (away.status_code, away.json()["error"]) == (503, "trouble")
            finally:
                await asyncio.to_thread(postgresql.start)
            store._patience = LIMIT
            assert (await get(urls[0], f"/api/tables/{me.table}")).status_code == 200


class SlowDisk(PostgresqlStore):
    """A store whose writes take their time: so long, and until something is written elsewhere."""

    seconds = 0.0
    waits_for: Callable[[], bool] = staticmethod(lambda: True)

    async def append(self, page: Page, /) -> None:
        await asyncio.sleep(self.seconds)
        await until(self.waits_for)
        await super().append(page)


async def until_raced(
    people: list[Seat], deeds: list[float], at: Sequence[House] = ()
) -> list[dict[str, object]]:
    """Let everybody slap rightly at their time; give the photo finish. Nobody sees dice early."""
    for seat in people:
        await seat.until(lambda f: bool(f.get("race")) and f["race"]["show_at"] is not None)
        for house in at:
            assert house.now() * 1000 > seat.state["race"]["show_at"] - 100, "not sent ahead"
    for seat, when in zip(people, deeds, strict=True):
        await seat.move({"do": "slap", "tile": seat.state["view"]["roll"], "at": when})
    ends = []
    for seat in people:
        await seat.until(lambda f: f["type"] == "state" and bool(f["view"]["last"]))
        ends.append((seat.state["view"]["last"]["outcome"], seat.state["view"]["last"]["seat"]))
    assert ends == [("tile_won", deeds.index(min(deeds)))] * len(people)
    photo: list[dict[str, object]] = people[0].state["race"]["photo"]
    return photo


async def test_a_race_is_fair_between_servers_whose_clocks_differ(
    postgresql: Postgresql, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrival is measured where the socket is, in the time that all share; what is not known
    of it counts in the uncertainty."""

    async with asyncio.timeout(LIMIT):
        room: set[LocalBus] = set()
        slow = Settings(bot_pause=1.0, race=LONG_LEAD, peers=STEADY)
        found = houses(postgresql.new_database(), [LocalBus(room), LocalBus(room)], slow)
        found[1].clock._offset += 7.0
        monkeypatch.setattr("tischlein.house.servers.Together.slack", 12.5)
        async with company(found) as urls:
            assert abs(found[0].now() - found[1].now()) < 1.0
            people = await seated(urls, "kakerlaken", 2, 2)
            await start(people[0])
            photo = await until_raced(people, [5000.0, 300.0], found)
            assert [(deed["seat"], deed["at"]) for deed in photo] == [(1, 300.0)]
            assert all(float(str(deed["uncertainty"])) >= 12.5 for deed in photo)


async def test_a_race_waits_for_deeds_that_another_server_is_writing(
    postgresql: Postgresql,
) -> None:
    """The quicker hand sits at a server whose disk is slow: it wins all the same."""

    async with asyncio.timeout(LIMIT):
        address = postgresql.new_database()
        room: set[LocalBus] = set()
        slow = Settings(bot_pause=1.0, race=LONG_LEAD, peers=STEADY)
        disk = SlowDisk(address)
        found = [House(store_at(address), slow, LocalBus(room)), House(disk, slow, LocalBus(room))]
        async with company(found) as urls:
            people = await seated(urls, "kakerlaken", 2, 2)
            disk.seconds = 1.0
            begins = f"/api/tables/{people[0].table}/starter"
            assert (await post(urls[1], begins, {"seat": 0}, people[0])).status_code == 200
            await until(lambda: found[0].servers.hop >= 1000)
            await found[0].store.take([people[0].table], among(found[0]).id)
            await start(people[0])
            await until(lambda: people[0].table in mine(found[0]))
            moves = found[0].tables[people[0].table].book.moves
            disk.seconds, disk.waits_for = 0.0, lambda: any(move.by == 0 for move in moves)
            await until_raced(people, [500.0, 400.0])
            assert [move.by for move in moves if move.stamp] == [0, 1], "the quicker deed was last"


async def test_a_deed_for_a_closed_race_never_falls_into_the_next(postgresql: Postgresql) -> None:
    """The server that takes it has not heard that its race is over."""

    async with asyncio.timeout(LIMIT):
        async with company(houses(postgresql.new_database(), [Deaf(), Deaf()], UNHEARD)) as urls:
            one, two = await open_table(urls[0], "kakerlaken", 2, 2, options={"race_ms": 60_000})
            await one.connect()
            await start(one)
            await one.until(lambda f: bool(f.get("race")) and f["race"]["show_at"] is not None)
            late = await at(urls[1], two).connect()
            old = late.state["race"]["show_at"]
            assert old == one.state["race"]["show_at"]
            await one.move({"do": "slap", "tile": one.state["view"]["roll"], "at": 200.0})
            await one.until(lambda f: (f.get("race") or {}).get("show_at") not in (None, old))
            deed = {"do": "slap", "tile": late.state["view"]["roll"], "at": 200.0}
            await late.send({"type": "move", "id": "late", "move": deed, "race": old})
            refused = await late.until(lambda f: f["type"] == "refused")
            assert refused["code"] == "race_closed"


async def test_what_was_left_undone_while_unheard_of_is_done_later(postgresql: Postgresql) -> None:
    """A server is late with its sign of life for a moment, just when a bot is to move."""

    async with asyncio.timeout(LIMIT):
        (house,) = houses(postgresql.new_database(), [LocalBus()])
        async with company([house]) as urls:
            (me,) = await seated(urls, "sushizock", 2, 1, options={"starter": 0})
            await start(me)
            await until(lambda: me.table in mine(house))
            found = among(house)
            found.pulse.heard_of = -1e9
            house.tables[me.table].resume()
            found.pulse.heard_of = time.monotonic()
            await play_to_the_end([me])


async def test_words_are_sealed_and_opened_at_two_servers(postgresql: Postgresql) -> None:
    """Of two servers that wait for a word one begins anew, once; then all words are heard."""
    async with asyncio.timeout(LIMIT):
        room: set[LocalBus] = set()
        found = houses(postgresql.new_database(), [LocalBus(room), LocalBus(room)])
        async with company(found) as urls:
            people = await seated(urls, "sushizock", 2, 2)
            words = f"/api/tables/{people[0].table}/contribution"
            for patience in (0.3, LIMIT):
                for house in found:
                    house.settings = replace(QUIET, open_within=patience)
                for seat in people:
                    sent = {"seal": word(f"word {seat.seat}").seal}
                    assert (await post(seat.url, words, sent, seat)).status_code == 200
                await start(people[0])
                if patience < LIMIT:
                    for seat in people:
                        await seat.until(lambda f: f["type"] == "state" and f["table"]["held_up"])
            for seat in people:
                text, salt = word(f"word {seat.seat}")
                told = await post(seat.url, words, {"text": text, "salt": salt}, seat)
                assert told.status_code == 200, told.text
            assert told.json()["phase"] == "playing"
            lines = await found[0].store.load(people[0].table)
            entries = [e.decoder.decode(line) for line in lines]
            assert sum(isinstance(entry, e.HeldUp) for entry in entries) == 1
            assert sum(isinstance(entry, e.Started) for entry in entries) == 1


async def test_who_laughs_holds_or_wants_more_is_seen_at_all_servers(
    postgresql: Postgresql,
) -> None:
    async with asyncio.timeout(LIMIT):
        room: set[LocalBus] = set()
        held = replace(QUIET, hold_most=LIMIT, ready_within=LIMIT)
        found = houses(postgresql.new_database(), [LocalBus(room), LocalBus(room)], held)
        async with company(found) as urls:
            here, there = await open_table(urls[0], "kakerlaken", 2, 2)
            there = at(urls[1], there)
            await here.connect(reactions=True)
            await there.connect(hold=True)
            await here.until(
                lambda frame: frame["type"] == "state" and frame["table"]["seats"][1]["holds"]
            )
            await start(here)
            await there.send({"type": "react", "with": "wow"})
            seen = await here.until(lambda frame: frame["type"] == "reaction")
            assert (seen["seat"], seen["with"]) == (1, "wow")
            assert here.state["race"] is None, "whichever server conducts, it waits for them"
            await there.send({"type": "hold", "on": False})
            await play_to_the_end([here, there])
            await there.send({"type": "react", "with": "again"})
            await here.until(
                lambda frame: frame["type"] == "state" and frame["table"]["wishes"] == [1]
            )
