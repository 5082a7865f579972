"""A race over real sockets with real delays: the quicker hand wins, not the shorter line."""

import asyncio
import statistics
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import LIMIT, Seat, open_table, post, server_here, start
from tischlein.rules import kakerlaken
from tischlein.store.sqlite import SqliteStore
from tischlein.table.book import Book
from tischlein.table.hall import Hall
from tischlein.table.race import RaceRules
from tischlein.table.settings import Settings

SETTINGS = Settings(bot_pause=0.0, race=RaceRules(lead_ms=300.0, pause_ms=0.0))
ROLL = kakerlaken.Roll("rice", "red")


def now() -> float:
    """Give this client's own clock, in milliseconds; it has nothing to do with the server's."""
    return time.perf_counter() * 1000 + 123_456.0


class FarSeat(Seat):
    """A seat at the end of a slow line, with a client that keeps time as it should."""

    def __init__(self, seat: Seat, up: float, down: float) -> None:
        super().__init__(seat.url, seat.table, seat.seat, seat.token)
        self.up, self.down = up, down
        self.came: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.offsets: list[float] = []
        self.reading: asyncio.Task[None] | None = None

    async def send(self, frame: dict[str, Any]) -> None:
        await asyncio.sleep(self.up)
        await super().send(frame)

    async def frame(self) -> dict[str, Any]:
        if self.reading is None:
            self.reading = asyncio.create_task(self._read())
        frame = await asyncio.wait_for(self.came.get(), LIMIT)
        self.frames.append(frame)
        if frame["type"] == "state":
            self.state = frame
        return frame

    async def _read(self) -> None:
        assert self.socket is not None
        async for text in self.socket:
            frame = msgspec.json.decode(text)
            asyncio.get_running_loop().call_later(self.down, self.came.put_nowait, frame)

    async def keep_time(self, pings: int = 6) -> None:
        """Find the offset of the server's clock, and let the server measure the line."""
        echo = None
        for _ in range(pings):
            t0 = now()
            await self.send({"type": "ping", "t0": t0, "echo": echo})
            pong = await self.until(lambda frame: frame["type"] == "pong")
            echo = pong["t1"]
            self.offsets.append(pong["t1"] - (t0 + now()) / 2)

    async def react(self, move: dict[str, Any], reaction: float) -> None:
        """See the dice at the moment agreed, and act so many milliseconds later."""
        frame = await self.until(lambda f: f["type"] == "state" and f["view"]["roll"] is not None)
        shown = frame["race"]["show_at"] - statistics.median(self.offsets)
        assert now() < shown, "the roll came before it was to be shown"
        await asyncio.sleep((shown + reaction - now()) / 1000)
        await self.move(move | {"at": now() - shown})

    async def close(self) -> None:
        if self.reading is not None:
            self.reading.cancel()
        await super().close()


@pytest.fixture
def one_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nature lay the circle in order and always roll red rice."""
    deal = kakerlaken.Deal(kakerlaken.TILES, 0)
    monkeypatch.setattr(
        Book, "natures_move", lambda book, state, number: deal if number == 1 else ROLL
    )


@pytest.mark.usefixtures("one_roll")
def test_the_quicker_hand_wins_over_the_longer_line(tmp_path: Path) -> None:
    async def check() -> None:
        hall = Hall(SqliteStore(tmp_path / "t.sqlite"), SETTINGS)
        async with server_here(hall) as url:
            near, far = await open_table(url, "kakerlaken", 2, people=2)
            people = [FarSeat(near, 0.005, 0.005), FarSeat(far, 0.16, 0.14)]
            await asyncio.gather(*(person.connect() for person in people))
            await asyncio.gather(*(person.keep_time() for person in people))
            await start(near)
            slap = {"do": "slap", "tile": ["rice", "red"]}
            await asyncio.gather(people[0].react(slap, 500), people[1].react(slap, 430))
            for person in people:
                await person.until(lambda f: bool(f.get("view", {}).get("last")))
            last = people[0].state["view"]["last"]
            assert last["seat"] == 1, "70 ms quicker, though it arrived 80 ms later"
            photo = {deed["seat"]: deed for deed in people[0].state["race"]["photo"]}
            assert not photo[0]["clamped"]
            assert not photo[1]["clamped"]
            assert photo[1]["at"] == pytest.approx(430, abs=60)
            assert photo[1]["lag"] > 250 > photo[0]["lag"]
            arrivals = [move for move in hall.tables[near.table].book.moves if move.stamp]
            assert [played.by for played in arrivals] == [0, 1], "the far deed came last"
            seats = people[0].state["table"]["seats"]
            assert seats[1]["lag"] > 250, "everybody sees how far away each player is"
            for person in people:
                await person.close()

    asyncio.run(check())


@pytest.mark.usefixtures("one_roll")
def test_false_starts_and_back_dated_deeds(tmp_path: Path) -> None:
    async def check() -> None:
        async with server_here(Hall(SqliteStore(tmp_path / "t.sqlite"), SETTINGS)) as url:
            one, two = await open_table(url, "kakerlaken", 2, people=2)
            honest, cheat = FarSeat(one, 0.0, 0.0), FarSeat(two, 0.0, 0.0)
            for person in (honest, cheat):
                await person.connect()
                await person.keep_time()
            await start(one)
            await cheat.until(lambda f: f["type"] == "state" and f["view"]["roll"] is not None)
            await cheat.move({"do": "slap", "tile": ["rice", "red"], "at": 40})
            refused = await cheat.until(lambda frame: frame["type"] == "refused")
            assert refused["code"] == "false_start"
            await cheat.move({"do": "slap", "tile": ["rice", "red"], "at": 45})
            again = await cheat.until(lambda frame: frame["type"] == "refused")
            assert again["code"] == "false_start", "the hand is held back"
            slap = {"do": "slap", "tile": ["rice", "red"]}
            await honest.react(slap, 900)
            await asyncio.sleep(0.2)
            await cheat.move(slap | {"at": 101})
            await honest.until(lambda f: bool(f.get("view", {}).get("last")))
            assert honest.state["view"]["last"]["seat"] == 0
            for person in (honest, cheat):
                await person.close()

    asyncio.run(check())


@pytest.mark.usefixtures("one_roll")
def test_who_knows_nothing_of_the_moment_can_play_too(tmp_path: Path) -> None:
    """A deed that comes before its own time waits for it, and is not clamped."""

    async def check() -> None:
        async with server_here(Hall(SqliteStore(tmp_path / "t.sqlite"), SETTINGS)) as url:
            one, two = await open_table(url, "kakerlaken", 2, people=2)
            for seat in (one, two):
                await seat.connect()
            await start(one)
            for seat, at in ((one, 350), (two, 300)):
                await seat.until(lambda f: f["type"] == "state" and f["view"]["roll"] is not None)
                await seat.move({"do": "slap", "tile": ["rice", "red"], "at": at}, "deed")
                await seat.move({"do": "slap", "tile": ["rice", "red"], "at": at}, "deed")
            await one.until(lambda f: bool(f.get("view", {}).get("last")))
            assert [f for f in one.frames + two.frames if f["type"] == "refused"] == []
            assert one.state["view"]["last"]["seat"] == 1
            photo = one.state["race"]["photo"]
            assert [(deed["seat"], deed["at"], deed["clamped"]) for deed in photo] == [
                (1, 300, False)
            ], "decided before the slower deed's time came"

    asyncio.run(check())


@pytest.mark.usefixtures("one_roll")
def test_a_childs_handicap_is_shown_and_counts(tmp_path: Path) -> None:
    async def check() -> None:
        async with server_here(Hall(SqliteStore(tmp_path / "t.sqlite"), SETTINGS)) as url:
            (one,) = await open_table(url, "kakerlaken", 2, people=1, bots={})
            path = f"/api/tables/{one.table}/seats"
            taken = (await post(url, path, {"name": "Mia"})).json()
            child = Seat(url, one.table, taken["seat"], taken["token"])
            path = f"/api/tables/{one.table}/handicap"
            body = {"seat": 1, "handicap": 200}
            assert (await post(url, path, body, child)).status_code == 403, "the host's to give"
            assert (await post(url, path, {"seat": 5, "handicap": 9}, one)).status_code == 422
            assert (await post(url, path, body, one)).status_code == 200
            for seat in (one, child):
                await seat.connect()
            assert child.state["table"]["seats"][1]["handicap"] == 200
            await start(one)
            for seat, at in ((one, 350), (child, 450)):
                await seat.until(lambda f: f["type"] == "state" and f["view"]["roll"] is not None)
                await seat.move({"do": "slap", "tile": ["rice", "red"], "at": at})
            await one.until(lambda f: bool(f.get("view", {}).get("last")))
            assert one.state["view"]["last"]["seat"] == 1
            assert one.state["race"]["photo"][1]["at"] == 250

    asyncio.run(check())
