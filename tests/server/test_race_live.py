"""A race over lines with delays: the quicker hand wins, not the shorter line.

All of the server is real but the sockets: time is virtual, so that delays are what they say.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import Seat, open_table, post, server_here
from tests.virtual import VirtualHouse, VirtualStore
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.live import Socket, live
from tischlein.store.sqlite import SqliteStore
from tischlein.table.book import Book
from tischlein.table.settings import RaceRules
from tischlein.table.table import Table

SETTINGS = Settings(bot_pause=0.0, race=RaceRules(lead_ms=300.0, pause_ms=0.0))
ROLL = kakerlaken.Roll("rice", "red")
SLAP = {"do": "slap", "tile": ["rice", "red"]}


def now() -> float:
    """Give this client's own clock, in milliseconds; it has nothing to do with the server's."""
    return asyncio.get_running_loop().time() * 1000 + 123_456.0


class FarSeat(Seat):
    """A seat at the end of a slow line, with a client that keeps time as it should."""

    def __init__(self, house: House, table: Table, token: str, up: float, down: float) -> None:
        super().__init__("", table.book.name, table.book.seat_of(token), token)
        self.house, self.up, self.down = house, up, down
        self.sending: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.coming: asyncio.Queue[tuple[float, dict[str, Any]]] = asyncio.Queue()
        self.heard = 0.0

    async def connect(self, **hello: Any) -> Seat:
        self.sending.put_nowait({"type": "websocket.connect"})
        self.serving = asyncio.create_task(
            live(Socket(self.sending.get, self._take), self.house, self.table)
        )
        await self.send({"type": "hello", "token": self.token, **hello})
        await self.until(lambda frame: frame["type"] == "state")
        return self

    async def _take(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.coming.put_nowait((now() + self.down * 1000, message))

    async def send(self, frame: dict[str, Any]) -> None:
        await asyncio.sleep(self.up)
        text = msgspec.json.encode(frame).decode()
        self.sending.put_nowait({"type": "websocket.receive", "text": text})

    async def frame(self) -> dict[str, Any]:
        due, message = await self.coming.get()
        await asyncio.sleep((due - now()) / 1000)
        frame: dict[str, Any] = msgspec.json.decode(message["text"])
        self.frames.append(frame)
        if frame["type"] == "state":
            self.state = frame
            self.heard = now()
        return frame

    async def keep_time(self, pings: int = 6) -> None:
        """Let the server measure the line."""
        echo = None
        for _ in range(pings):
            await self.send({"type": "ping", "t0": now(), "echo": echo})
            echo = (await self.until(lambda frame: frame["type"] == "pong"))["t1"]

    async def see_dice(self) -> dict[str, Any]:
        """Wait for a roll."""
        return await self.until(lambda f: f["type"] == "state" and f["view"]["roll"] is not None)

    async def react(self, move: dict[str, Any], reaction: float) -> None:
        """See the dice when they come, and act so many milliseconds later."""
        await self.see_dice()
        await asyncio.sleep(reaction / 1000)
        await self.move(move | {"at": now() - self.heard})

    async def close(self) -> None:
        self.sending.put_nowait({"type": "websocket.disconnect"})
        await self.serving


@asynccontextmanager
async def raced(
    tmp_path: Path,
    *lines: tuple[float, float],
    handicap: float = 0.0,
    lag_cap: float | None = None,
) -> AsyncIterator[tuple[Table, list[FarSeat]]]:
    """Set a table for two at the ends of lines that take so long up and down."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SETTINGS)
    table = await house.open("kakerlaken", 2, {}, lag_cap=lag_cap)
    tokens = [(await table.seating.join(name))[1] for name in ("one", "two")]
    await table.seating.give_handicap(0, 1, handicap)
    people = [
        FarSeat(house, table, token, *line) for token, line in zip(tokens, lines, strict=True)
    ]
    await asyncio.gather(*(person.connect() for person in people))
    yield table, people
    for person in people:
        await person.close()
    await house.close()


@pytest.fixture
def one_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nature lay the circle in order and always roll red rice."""
    deal = kakerlaken.Deal(kakerlaken.TILES, 0)
    monkeypatch.setattr(
        Book, "natures_move", lambda book, state, number: deal if number == 1 else ROLL
    )


async def until_virtual(holds: Callable[[], bool]) -> None:
    """Wait until something holds, millisecond by millisecond of virtual time."""
    for _ in range(10_000):
        if holds():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never came to pass")


async def until_won(person: FarSeat) -> Any:
    """Wait for the end of the race; tell who won."""
    await person.until(lambda f: bool(f.get("view", {}).get("last")))
    return person.state["view"]["last"]["seat"]


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_the_quicker_hand_wins_over_the_longer_line(tmp_path: Path) -> None:
    async with raced(tmp_path, (0.005, 0.005), (0.16, 0.14)) as (table, people):
        await asyncio.gather(*(person.keep_time() for person in people))
        await table.seating.start(0)
        await asyncio.gather(people[0].react(SLAP, 500), people[1].react(SLAP, 430))
        for person in people:
            assert await until_won(person) == 1, "70 ms quicker, though it came 80 ms later"
        photo = {deed["seat"]: deed for deed in people[0].state["race"]["photo"]}
        assert not photo[0]["clamped"]
        assert not photo[1]["clamped"]
        assert photo[1]["at"] == pytest.approx(430)
        assert (photo[0]["lag"], photo[1]["lag"]) == pytest.approx((10, 300))
        assert [photo[seat]["window"] for seat in (0, 1)] == pytest.approx([14, 304])
        assert [photo[seat]["odd"] for seat in (0, 1)] == [[], []]
        arrivals = [move for move in table.book.moves if move.stamp]
        assert [played.by for played in arrivals] == [0, 1], "the far deed came last"
        seats = people[0].state["table"]["seats"]
        assert seats[1]["lag"] == 300, "everybody sees how far away each player is"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_nobody_gets_a_roll_early(tmp_path: Path) -> None:
    """Who read the roll in a frame sent ahead won every race, and nothing odd was to be seen."""
    async with raced(tmp_path, (0.005, 0.005), (0.15, 0.15)) as (table, people):
        near, far = people
        watcher = FarSeat(near.house, table, near.token or "", 0.0, 0.0)
        watcher.token = None
        await watcher.connect()
        await asyncio.gather(*(person.keep_time() for person in people))
        await table.seating.start(0)
        everybody = (near, far, watcher)
        await asyncio.gather(*(person.see_dice() for person in everybody))
        assert near.heard == pytest.approx(far.heard, abs=1.0), "all see it at one moment"
        assert watcher.heard == pytest.approx(near.heard, abs=1.0)
        shown = table.book.show_at
        late = FarSeat(near.house, table, near.token or "", 0.0, 0.0)
        await late.connect()
        assert near.house.now() >= shown, "a line that comes later hears no sooner"
        await asyncio.gather(*(person.close() for person in (watcher, late)))


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_who_comes_amid_a_roll_that_is_kept_waits_for_it_too(tmp_path: Path) -> None:
    """A second line, opened at the right moment, would have shown the roll before the others."""
    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, (near, far)):
        await table.seating.start(0)
        await until_virtual(lambda: table.book.is_race)
        assert table.book.show_at > near.house.now(), "the roll is made, and kept"
        peeping = FarSeat(near.house, table, near.token or "", 0.0, 0.0)
        await peeping.connect()
        assert peeping.state["view"]["roll"] is not None
        assert near.house.now() >= table.book.show_at
        await peeping.close()
        assert far.state == {} or far.state["view"]["roll"] is None


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_who_asks_does_not_hear_that_a_roll_is_made_and_kept(tmp_path: Path) -> None:
    """A rival who asked again and again knew the moment of every roll before it was shown."""
    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, (asking, _)):
        await table.seating.start(0)
        await until_virtual(lambda: table.book.is_race)
        told = []
        for seen in (False, True):
            if seen:
                await asking.see_dice()
            await asking.send({"type": "ask", "id": 1, "move": SLAP})
            told.append(await asking.until(lambda frame: frame["type"] == "told"))
        assert [frame["legal"] for frame in told] == [False, True]
        assert told[0]["code"] == "wait_for_nature", "as before the roll"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
@pytest.mark.parametrize(
    "move", [{"do": "pass"}, {"do": "give", "tile": ["rice", "red"]}, {"do": "time"}, SLAP],
    ids=["pass", "give", "time", "slap without a time"],
)  # fmt: skip
async def test_what_is_never_a_deed_does_not_tell_that_a_roll_is_kept_either(
    tmp_path: Path, move: dict[str, Any]
) -> None:
    """Unlike a false start it held no hand: a rival could try it all the time, and be warned."""
    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, (trying, _)):
        await table.seating.start(0)
        await until_virtual(lambda: table.book.is_race)
        await trying.move(move)
        no = await trying.until(lambda frame: frame["type"] == "refused")
        assert table.races.until_shown(0) > 0, "the roll is made, and kept"
        assert no["code"] == "wait_for_nature", "as before the roll"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_two_who_play_together_gain_no_more_than_the_cap(tmp_path: Path) -> None:
    """One looked far and had the roll 200 ms early, the other looked restless: 600 ms in all."""
    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, (spy, liar)):
        for _ in range(16):
            table.measured(0, 420.0, echo=True)
        for late in (0.0, 0.0, 210.0, 0.0, 210.0) * 3:
            table.measured(1, late, echo=True)
        await table.seating.start(0)
        await spy.see_dice()
        await asyncio.sleep(0.8)
        await liar.move(SLAP | {"at": 201})
        assert await until_won(liar) == 1
        (deed,) = liar.state["race"]["photo"]
        assert 800 - deed["at"] <= SETTINGS.race.lag_cap_ms + 1
        assert deed["lag"] == 0
        assert deed["window"] == pytest.approx(200), "as it counted, for all to see"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_a_guess_before_the_roll_is_shown_is_a_false_start(tmp_path: Path) -> None:
    """Who slapped before the dice fell and said 250 ms would have won one race in nine for free."""
    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, (liar, _)):
        await table.seating.start(0)
        await until_virtual(lambda: table.book.is_race)
        await liar.move(SLAP | {"at": 250})
        refused = await liar.until(lambda frame: frame["type"] == "refused")
        assert refused["code"] == "false_start"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_a_false_start_holds_the_hand_for_a_fixed_moment(tmp_path: Path) -> None:
    """A child that tapped once too early and went on tapping was held for the whole race."""
    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, (honest, child)):
        await table.seating.start(0)
        await child.see_dice()
        await asyncio.sleep(0.05)
        held = []
        for _ in range(6):
            await child.move(SLAP | {"at": now() - child.heard})
            refused = await child.until(lambda frame: frame["type"] == "refused")
            assert refused["code"] == "false_start"
            held.append(refused["fields"]["hold_ms"])
            await asyncio.sleep(0.1)
        assert held == pytest.approx([600, 500, 400, 300, 200, 100], abs=1)
        await child.move(SLAP | {"at": now() - child.heard})
        assert await until_won(honest) == 1, "then the same race is still open"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_a_back_dated_deed_is_not_believed(tmp_path: Path) -> None:
    """Somebody who needs 1,200 ms and says 210 would have won against 900."""
    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, (honest, cheat)):
        for person in (honest, cheat):
            await person.keep_time()
        await table.seating.start(0)

        async def lie() -> None:
            await cheat.see_dice()
            await asyncio.sleep(0.88)
            await cheat.move(SLAP | {"at": 210})

        wrong = {"do": "slap", "tile": ["sushi", "green"]}
        await asyncio.gather(honest.react(wrong, 870), lie())
        assert await until_won(honest) == 1
        photo = {deed["seat"]: deed for deed in honest.state["race"]["photo"]}
        assert photo[1]["at"] == pytest.approx(880 - 4)
        assert (photo[1]["claimed"], photo[1]["odd"]) == (210, ["clamped"]), "all see it"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_the_host_may_make_up_for_less(tmp_path: Path) -> None:
    lines = (0.005, 0.005), (0.15, 0.15)
    async with raced(tmp_path, *lines, lag_cap=100.0) as (table, people):
        await asyncio.gather(*(person.keep_time() for person in people))
        await table.seating.start(0)
        await asyncio.gather(people[0].react(SLAP, 640), people[1].react(SLAP, 430))
        assert await until_won(people[0]) == 1
        photo = {deed["seat"]: deed for deed in people[0].state["race"]["photo"]}
        assert photo[1]["at"] == pytest.approx(630), "200 ms of the line count as the player's"
        assert photo[1]["window"] == 100
        assert photo[1]["odd"] == ["clamped", "far"]
        assert people[0].state["table"]["lag_cap"] == 100


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_who_knows_nothing_of_the_moment_can_play_too(tmp_path: Path) -> None:
    """A deed that comes before its own time waits for it, and is not clamped."""

    async with raced(tmp_path, (0.0, 0.0), (0.0, 0.0)) as (table, people):
        await table.seating.start(0)
        for person, at in zip(people, (350, 300), strict=True):
            await person.see_dice()
            await person.move(SLAP | {"at": at}, "deed")
            await person.move(SLAP | {"at": at}, "deed")
        assert await until_won(people[0]) == 1
        told = [frame for person in people for frame in person.frames]
        assert [frame for frame in told if frame["type"] == "refused"] == []
        photo = people[0].state["race"]["photo"]
        assert [(deed["seat"], deed["at"], deed["clamped"]) for deed in photo] == [
            (1, 300, False)
        ], "decided before the slower deed's time came"


@pytest.mark.virtual_time
@pytest.mark.usefixtures("one_roll")
async def test_a_childs_handicap_is_shown_and_counts(tmp_path: Path) -> None:
    lines = ((0.0, 0.0), (0.0, 0.0))
    async with raced(tmp_path, *lines, handicap=200.0) as (table, people):
        assert people[1].state["table"]["seats"][1]["handicap"] == 200
        await table.seating.start(0)
        for person, at in zip(people, (350, 450), strict=True):
            await person.see_dice()
            await person.move(SLAP | {"at": at})
        assert await until_won(people[0]) == 1
        assert people[0].state["race"]["photo"][1]["at"] == 250


async def test_a_handicap_is_the_hosts_to_give(tmp_path: Path) -> None:
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), SETTINGS)) as url:
        host, child = await open_table(url, "kakerlaken", 2, people=2)
        path, body = f"/api/tables/{host.table}/handicap", {"seat": 1, "handicap": 200}
        assert (await post(url, path, body, child)).status_code == 403
        assert (await post(url, path, {"seat": 5, "handicap": 9}, host)).status_code == 422
        assert (await post(url, path, body, host)).status_code == 200
        await child.connect()
        assert child.state["table"]["seats"][1]["handicap"] == 200
