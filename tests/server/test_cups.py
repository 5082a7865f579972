"""Tournaments over real sockets: friends, liars, restarts, and two servers."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from tests.engines import Nats, Postgresql
from tests.server.client import LIMIT, Seat, get, play_to_the_end, server_here
from tischlein.bus.nats import NatsBus
from tischlein.house.house import House
from tischlein.house.settings import PeerRules, Settings
from tischlein.people.cups import Cups
from tischlein.people.profiles import Profiles
from tischlein.store import store_at
from tischlein.table.settings import RaceRules

QUICK = Settings(
    bot_pause=0.0,
    gather=0.0,
    race=RaceRules(lead_ms=20.0, pause_ms=0.0),
    peers=PeerRules(beat=0.2, lease=100.0, check=0.4),
)
GAME = "sushizock"


class Friend:
    """Somebody in a tournament, at one server."""

    def __init__(self, url: str, held: dict[str, Any]) -> None:
        self.url, self.cup, self.name, self.token = url, held["cup"], held["name"], held["token"]

    async def do(self, what: str, status: int = 200, **body: Any) -> Any:
        """Do something in the tournament."""
        found = await call(self.url, f"/{self.cup}/{what}", body, self.token)
        assert found.status_code == status, found.text
        return found.json()

    async def sit(self) -> Seat:
        """Sit down at one's table of this round, and look at it."""
        held = await self.do("seat")
        return await Seat(self.url, held["table"], held["seat"], held["token"]).connect()


async def call(url: str, path: str, body: Any, token: str | None = None) -> httpx.Response:
    """Call the server as a member."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
        return await client.post(f"/api/cups{path}", json=body, headers=headers)


async def look(url: str, cup: str) -> Any:
    """Look at a tournament."""
    found = await get(url, f"/api/cups/{cup}")
    assert found.status_code == 200, found.text
    return found.json()


async def friends(urls: Sequence[str], names: str, **more: Any) -> list[Friend]:
    """Open a tournament for people of these names, each at the next server."""
    wanted = {"name": "Friday", "game": GAME, "seats": 2, "nickname": names[0], **more}
    made = await call(urls[0], "", wanted)
    assert made.status_code == 201, made.text
    found = [Friend(urls[0], made.json())]
    for number, name in enumerate(names[1:], start=1):
        url = urls[number % len(urls)]
        joined = await call(url, f"/{found[0].cup}/join", {"nickname": name})
        assert joined.status_code == 201, joined.text
        found.append(Friend(url, joined.json()))
    return found


async def play_round(people: Sequence[Friend]) -> None:
    """Let all who have a table in this round play it."""
    info = await look(people[0].url, people[0].cup)
    for table in info["rounds"][info["round"]]:
        if table["phase"] in ("open", "playing"):
            here = [people[person] for person in table["people"] if person < len(people)]
            seats = [await friend.sit() for friend in here]
            await play_to_the_end(seats)
            for seat in seats:
                await seat.close()


@contextlib.asynccontextmanager
async def alone(data: Path, **more: Any) -> AsyncIterator[str]:
    """Run a server with a file of its own."""
    house = House(store_at(str(data / "tables.sqlite")), replace(QUICK, **more))
    async with server_here(house) as url:
        yield url


async def test_a_tournament_of_three_to_its_end(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        people = await friends([url], "ABC")
        before = await look(url, people[0].cup)
        assert (before["phase"], before["planned"], before["rounds"]) == ("open", 3, [])
        assert [member["name"] for member in before["members"]] == ["A", "B", "C"]
        await people[0].do("start")
        for number in range(3):
            assert (await look(url, people[0].cup))["round"] == number
            await people[0].do("next", 409)
            await play_round(people)
        after = await look(url, people[0].cup)
        assert after["phase"] == "over"
        assert [row["played"] for row in after["standings"]] == [2, 2, 2]
        assert sum(row["points"] for row in after["standings"]) == 3
        tables = [table for tables in after["rounds"] for table in tables]
        assert {tuple(sorted(table["people"])) for table in tables} == {(0, 1), (0, 2), (1, 2)}
        assert all(table["phase"] == "over" for table in tables)
        await people[1].do("seat", 409)


async def test_bots_fill_up_and_are_no_opponents(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        people = await friends([url], "AB", seats=3)
        await people[0].do("start")
        info = await look(url, people[0].cup)
        table = await get(url, f"/api/tables/{info['rounds'][0][0]['table']}")
        assert [seat["bot"] is not None for seat in table.json()["seats"]] == [False, False, True]
        await play_round(people)
        after = await look(url, people[0].cup)
        assert after["phase"] == "over"
        assert sum(row["points"] for row in after["standings"]) == 1


async def test_liars_get_nothing(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        people = await friends([url], "ABC")
        host, guest, _ = people
        cup = host.cup
        assert (await call(url, f"/{cup}/join", {"nickname": "а"})).json()["error"] == "name_taken"
        assert (await guest.do("start", 403))["error"] == "not_host"
        assert (await call(url, f"/{cup}/start", {})).status_code == 401
        assert (await call(url, f"/{cup}/start", {}, "nobody's")).status_code == 403
        await host.do("start")
        late = await call(url, f"/{cup}/join", {"nickname": "Dora"})
        assert (late.status_code, late.json()["error"]) == (409, "cup_begun")
        shown = await get(url, f"/api/cups/{cup}")
        for friend in people:
            assert friend.token not in shown.text
        table = next(one for one in shown.json()["rounds"][0] if one["table"])
        first, second = (people[person] for person in table["people"])
        seat = await first.sit()
        held = Seat(url, table["table"], 0, seat.token)
        for what, body in (("start", {}), ("leave", {}), ("remove", {"seat": 1}),
                           ("bots", {"seat": 1, "bot": "easy"}), ("rematch", {})):  # fmt: skip
            async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
                path = f"/api/tables/{table['table']}/{what}"
                refused = await client.post(path, json=body, headers=held.auth)
            assert (refused.status_code, refused.json()["error"]) == (409, "cup_table"), what
        theirs = await second.do("seat")
        assert theirs["seat"] != seat.seat
        outsider = next(friend for friend in people if friend not in (first, second))
        assert (await outsider.do("seat", 409))["error"] == "no_table_now"
        if first is not host:
            assert (await first.do("begin", 403, table=table["table"]))["error"] == "not_host"
        assert (await guest.do("skip", 403, table=table["table"]))["error"] == "not_host"
        assert (await host.do("skip", 409, table=table["table"]))["error"] == "somebody_there"
        assert (await host.do("skip", 409, table="x" * 12))["error"] == "no_table_now"
        assert (await look(url, cup))["rounds"][0] == shown.json()["rounds"][0]


async def test_bad_tournaments_are_refused_with_a_reason(tmp_path: Path) -> None:
    async with alone(tmp_path, cups_at_once=4, cups_per_minute=0.0) as url:
        wanted = {"name": "Friday", "game": GAME, "seats": 2, "nickname": "A"}
        for wrong in ({"seats": 9}, {"name": "\u202e"}, {"nickname": "Easy 2"}):
            made = await call(url, "", wanted | wrong)
            assert made.status_code == 422, made.text
        assert (await call(url, "", wanted)).status_code == 201
        assert (await call(url, "", wanted)).status_code == 429
        assert (await get(url, "/api/cups/nosuchcup222")).status_code == 404
        assert (await call(url, "/x/join", {"nickname": "B"})).status_code == 404


async def test_who_knows_it_already_is_told_so(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        (host,) = await friends([url], "A")
        path = f"/api/cups/{host.cup}"
        tag = {"if-none-match": (await get(url, path)).headers["etag"]}
        assert (await get(url, path, **tag)).status_code == 304
        await call(url, f"/{host.cup}/join", {"nickname": "B"})
        assert (await get(url, path, **tag)).status_code == 200
        assert (await host.do("leave"))["members"] == [{"name": "B", "left": False}]


async def test_a_member_finds_themselves_again(tmp_path: Path) -> None:
    """Numbers change when somebody leaves before the start, and the house may change a name."""
    async with alone(tmp_path) as url:
        people = await friends([url], "ABC")
        assert await people[2].do("me") == {"member": 2, "name": "C"}
        await people[0].do("leave")
        assert await people[2].do("me") == {"member": 1, "name": "C"}
        assert (await people[0].do("me", 403))["error"] == "not_member"
        assert (await call(url, f"/{people[0].cup}/me", {})).status_code == 401
        assert (await call(url, "/nosuchcup222/me", {}, "x")).status_code == 404


async def test_a_bot_plays_on_for_who_leaves(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        people = await friends([url], "ABC")
        await people[0].do("start")
        info = await look(url, people[0].cup)
        (table,) = info["rounds"][0]
        gone, stays = (people[person] for person in table["people"])
        here = await stays.sit()
        await gone.do("leave")
        await play_to_the_end([here])
        await gone.do("seat", 403)
        after = await look(url, people[0].cup)
        assert after["rounds"][0][0]["phase"] == "over"
        assert after["round"] == 1
        assert [member["left"] for member in after["members"]].count(True) == 1


async def test_a_table_without_all_begins_by_the_hosts_word(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        people = await friends([url], "AB")
        await people[0].do("start")
        (table,) = (await look(url, people[0].cup))["rounds"][0]
        assert (await people[0].do("begin", 409, table=table["table"]))["error"] == "nobody_there"
        here = await people[1].sit()
        await people[0].do("begin", table=table["table"])
        await play_to_the_end([here])
        assert (await look(url, people[0].cup))["phase"] == "over"


async def test_who_waits_long_begins_without_the_host(tmp_path: Path) -> None:
    async with alone(tmp_path, cup_patience=0.0) as url:
        people = await friends([url], "AB")
        await people[0].do("start")
        (table,) = (await look(url, people[0].cup))["rounds"][0]
        here = await people[1].sit()
        await people[1].do("begin", table=table["table"])
        await here.until(lambda frame: frame["table"]["phase"] == "playing")
        await here.close()


async def test_a_table_to_which_nobody_comes_is_left_out(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        people = await friends([url], "AB")
        await people[0].do("start")
        (table,) = (await look(url, people[0].cup))["rounds"][0]
        after = await people[0].do("skip", table=table["table"])
        assert (after["phase"], after["rounds"][0][0]["phase"]) == ("over", "left_out")
        assert [row["played"] for row in after["standings"]] == [0, 0]


async def test_a_tournament_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with alone(tmp_path) as url:
        people = await friends([url], "ABC")
        await people[0].do("start")
        await play_round(people)
        before = await look(url, people[0].cup)
        seat = await people[before["rounds"][1][0]["people"][0]].sit()
        await seat.close()
    async with alone(tmp_path) as url:
        for friend in people:
            friend.url = url
        assert await look(url, people[0].cup) == before
        for _ in range(2):
            await play_round(people)
        assert (await look(url, people[0].cup))["phase"] == "over"


async def test_a_crash_while_tables_are_set_opens_them_once(tmp_path: Path) -> None:
    house = House(store_at(str(tmp_path / "tables.sqlite")), QUICK)
    await house.wake()
    try:
        cups = Cups(house, Profiles(house.store, house.now))
        cup, token = await cups.make("Friday", GAME, 2, {}, "at_once", "A")
        await cups.join(cup, "B")

        async def dies(*_: object) -> str:
            raise RuntimeError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cups, "_open", dies)
            with pytest.raises(RuntimeError):
                await cups.start(cup, token)
        seen = await asyncio.gather(*(cups.tend(cup) for _ in range(4)))
        names = {one.cup.boards[0].table for one in seen}
        assert len(names) == 1
        assert (await cups.tend(cup)).cup.boards[0].table in names
        await house.store.ask("DELETE FROM tables WHERE name = $1", names.copy().pop())
        anew = (await cups.tend(cup)).cup.boards[0].table
        assert anew is not None
        assert anew not in names, "a table that was tidied up is set again"
        await house.store.ask("UPDATE cups SET touched = 0 WHERE name = $1", cup)
        await cups.tidy()
        assert await house.store.ask("SELECT name FROM cups") == []
    finally:
        await house.close()


async def test_many_who_look_at_once_set_the_tables_once(tmp_path: Path) -> None:
    """Else: whoever looks at a tournament a hundred times at once opens a thousand tables."""
    house = House(store_at(str(tmp_path / "tables.sqlite")), QUICK)
    async with server_here(house) as url:
        people = await friends([url], "ABCDEFGH")
        looks = [look(url, people[0].cup) for _ in range(30)]
        await asyncio.gather(people[0].do("start"), *looks)
        assert house.counts.tables_opened == 4


async def test_no_game_is_left_out_because_its_people_are_away_for_a_moment(
    tmp_path: Path,
) -> None:
    """Else: a host who loses waits until the other's phone sleeps, and it was not played."""
    house = House(store_at(str(tmp_path / "tables.sqlite")), QUICK)
    async with server_here(house) as url, asyncio.timeout(LIMIT):
        people = await friends([url], "AB")
        await people[0].do("start")
        seats = [await person.sit() for person in people]
        for seat in seats:
            await seat.until(lambda frame: frame["table"]["phase"] == "playing")
            await seat.close()
        name = seats[0].table
        while house.tables[name].presence.anybody:
            await asyncio.sleep(0.02)
        assert (await people[0].do("skip", 409, table=name))["error"] == "somebody_there"
        now = house.now()
        house.now = lambda: now + house.settings.cup_patience + 1
        assert (await people[0].do("skip", table=name))["phase"] == "over"


async def test_a_closed_table_is_left_out_though_somebody_looks(tmp_path: Path) -> None:
    """Else: one who will not go stops the whole tournament."""
    house = House(store_at(str(tmp_path / "tables.sqlite")), replace(QUICK, gather=100.0))
    async with server_here(house) as url:
        people = await friends([url], "ABC")
        await people[0].do("start")
        (table,) = (await look(url, people[0].cup))["rounds"][0]
        seat = await people[table["people"][0]].sit()
        await people[0].do("skip", 409, table=table["table"])
        await house.tables[table["table"]].care.close()
        assert (await people[0].do("skip", table=table["table"]))["round"] == 1
        await seat.close()


async def test_who_leaves_before_the_start_no_longer_sees_with_that_seat(tmp_path: Path) -> None:
    """Else: they look into the cards of the bot that plays for them."""
    async with alone(tmp_path, gather=100.0) as url:
        people = await friends([url], "ABC")
        await people[0].do("start")
        (table,) = (await look(url, people[0].cup))["rounds"][0]
        member = people[table["people"][1]]
        seat = await member.sit()
        await member.do("leave")
        await seat.until(lambda frame: frame["type"] == "state" and frame["seat"] is None)
        await seat.close()


async def test_two_servers_have_one_tournament(postgresql: Postgresql, nats: Nats) -> None:
    address = postgresql.new_database()
    houses = [House(store_at(address), QUICK, NatsBus(nats.address)) for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(server_here(house)) for house in houses]
        people = await friends(urls, "A")
        joins = [call(urls[n % 2], f"/{people[0].cup}/join", {"nickname": name})
                 for n, name in enumerate("BCD")]  # fmt: skip
        joined = await asyncio.gather(*joins)
        held = sorted((found.json() for found in joined), key=lambda one: int(one["member"]))
        people += [Friend(urls[n % 2], one) for n, one in enumerate(held)]
        assert [one["member"] for one in held] == [1, 2, 3]
        again = Friend(urls[1], {"cup": people[0].cup, "name": "A", "token": people[0].token})
        started = await asyncio.gather(people[0].do("start"), again.do("start"))
        assert started[0]["rounds"][0] == (await look(urls[1], people[0].cup))["rounds"][0]
        for number in range(3):
            await play_round(people)
            told = await asyncio.gather(*(look(url, people[0].cup) for url in urls * 2))
            assert all(one == told[0] for one in told)
            assert told[0]["round"] == number + 1
        assert told[0]["phase"] == "over"
        assert [row["played"] for row in told[0]["standings"]] == [3] * 4
