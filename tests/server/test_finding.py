"""Finding somebody: tables that are open to everybody, and strangers who are brought together."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.engines import Nats, Postgresql
from tests.sealed import word
from tests.server.client import Seat, get, open_table, post, server_here, start
from tests.server.seekers import Seeker
from tests.waiting import LIMIT, until
from tischlein.bus.nats import NatsBus
from tischlein.house.house import House
from tischlein.house.settings import PeerRules, Settings
from tischlein.people.profiles import Profiles
from tischlein.people.seeks import Seeks
from tischlein.server.finding import MOST_SLOW
from tischlein.store import store_at
from tischlein.store.sqlite import SqliteStore
from tischlein.table.needs import Conflict

MANY = Settings(
    bot_pause=0.0,
    seeks_at_once=10_000,
    waiting_per_address=10_000,
    tables_at_once=10_000,
    shown_slow_at_once=10_000,
    calls_at_once=100_000,
    handshakes_at_once=10_000,
    head_within=LIMIT,
    body_within=LIMIT,
    hello_within=LIMIT,
    slowest_reader=LIMIT,
    seek_bots_after=0.0,
    seek_gone_after=60.0,
    seek_seals_within=20.0,
    peers=PeerRules(beat=0.2, lease=LIMIT, check=0.4),
)
MORTAL = replace(MANY, peers=PeerRules(beat=0.2, lease=1.5, check=0.4), seek_gone_after=0.5)


def house_at(path: Path, settings: Settings = MANY) -> House:
    """Make a server that is alone."""
    return House(SqliteStore(path / "t.sqlite"), settings)


def pass_by(house: House, seconds: float) -> None:
    """Let time go by at a server, however quick this machine is."""
    house.clock._offset += seconds
    for table in house.tables.values():
        table.look()


@contextlib.asynccontextmanager
async def company(
    postgresql: Postgresql, nats: Nats, settings: Settings = MANY
) -> AsyncIterator[tuple[list[House], list[str]]]:
    """Run two servers around one store."""
    address = postgresql.new_database()
    houses = [House(store_at(address), settings, NatsBus(nats.address)) for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(LIMIT):
        yield houses, [await stack.enter_async_context(server_here(house)) for house in houses]


async def listed(url: str) -> list[dict[str, Any]]:
    """Read which tables are open."""
    found: list[dict[str, Any]] = (await get(url, "/api/open")).json()["tables"]
    return found


async def until_listed(url: str, count: int) -> list[dict[str, Any]]:
    """Wait until so many tables are open."""
    async with asyncio.timeout(LIMIT):
        while len(found := await listed(url)) != count:
            await asyncio.sleep(0.05)
    return found


async def publish(host: Seat, on: bool = True) -> int:
    """Open a table to everybody, or no longer."""
    done = await post(host.url, f"/api/tables/{host.table}/public", {"on": on}, host)
    return done.status_code


async def tables_of(seekers: Sequence[Seeker]) -> list[str]:
    """Let people look for somebody at once, and wait until all of them play."""
    await asyncio.gather(*(one.look() for one in seekers))
    await asyncio.gather(*(one.until_playing() for one in seekers))
    return [one.seat.table for one in seekers]


async def close(seekers: Sequence[Seeker]) -> None:
    """Close the pages."""
    for one in seekers:
        await one.close()


# Open tables


async def test_an_open_table_is_listed_while_it_waits(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        host, *_ = await open_table(
            url, "sushizock", 3, bots={"1": "medium"}, public=True, lang="it", speed="quick",
            options={"open_piles": True, "starter": None},
        )  # fmt: skip
        await host.connect()
        (found,) = await listed(url)
        assert found.pop("since") > 0
        assert found == {
            "table": host.table, "game": "sushizock", "seats": 3, "free": 1, "speed": "quick",
            "players": [{"seat": 0, "name": "p0", "bot": None},
                        {"seat": 1, "name": None, "bot": "medium"}],
            "options": {"open_piles": True}, "hints": False, "lang": "it", "seek": False,
        }  # fmt: skip
        taken = await post(url, f"/api/tables/{host.table}/seats", {"name": "Bo"})
        assert await listed(url) == []
        guest = Seat(url, host.table, taken.json()["seat"], taken.json()["token"])
        await post(url, f"/api/tables/{host.table}/leave", seat=guest)
        assert len(await listed(url)) == 1
        await post(url, f"/api/tables/{host.table}/bots", {"seat": 2, "bot": "easy"}, host)
        await start(host)
        assert await listed(url) == []


async def test_the_host_alone_opens_a_table_and_closes_it_again(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        host, guest = await open_table(url, "sushizock", 3, 2, bots={})
        await host.connect()
        assert await listed(url) == []
        assert await publish(guest) == 403
        stranger = Seat(url, host.table, 0, "x" * 43)
        assert await publish(stranger) == 401
        assert await listed(url) == []
        assert await publish(host) == 200
        assert [one["table"] for one in await listed(url)] == [host.table]
        await host.until(lambda frame: frame["table"]["public"])
        assert await publish(host, on=False) == 200
        assert await listed(url) == []


async def test_a_table_that_the_host_has_left_is_not_listed(tmp_path: Path) -> None:
    house = house_at(tmp_path)
    async with server_here(house) as url:
        (host,) = await open_table(url, "buffet", 3, bots={}, public=True)
        await host.connect()
        await until_listed(url, 1)
        await host.close()
        await until(lambda: not house.tables[host.table].presence.is_here(0))
        assert len(await listed(url)) == 1
        pass_by(house, MANY.seek_gone_after)
        await until_listed(url, 0)
        await host.connect()
        await until_listed(url, 1)


async def test_a_slow_table_waits_also_while_nobody_looks(tmp_path: Path) -> None:
    settings = replace(MANY, seek_gone_after=0.2)
    async with server_here(house_at(tmp_path, settings)) as url:
        (host,) = await open_table(url, "sushizock", 2, bots={}, public=True, speed="day")
        await until_listed(url, 1)
    async with server_here(house_at(tmp_path, settings)) as url:
        assert [one["table"] for one in await until_listed(url, 1)] == [host.table]
        host.url = url
        await post(url, f"/api/tables/{host.table}/bots", {"seat": 1, "bot": "easy"}, host)
        await start(host)
        await until_listed(url, 0)
    async with server_here(house_at(tmp_path, settings)) as url:
        assert await listed(url) == []


async def test_the_list_is_bounded_and_one_table_tells_who_looks_for_a_game(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        for _ in range(55):
            await open_table(url, "sushizock", 2, bots={}, public=True)
        many = [Seeker(url, f"p{n}", "buffet") for n in range(6)]
        await asyncio.gather(*(one.look() for one in many))
        found = await listed(url)
        assert len(found) == 50
        assert sum(one["seek"] for one in found) == 1
        since = [one["since"] for one in found]
        assert since == sorted(since, reverse=True)
        await close(many)


async def test_what_happens_at_private_tables_is_told_to_nobody(tmp_path: Path) -> None:
    """The list is the same to the byte, and holds no token and no address."""

    async with server_here(house_at(tmp_path)) as url:
        (host,) = await open_table(url, "sushizock", 4, bots={}, public=True)
        await host.connect()
        seeker = Seeker(url, "Mia")
        await seeker.look()
        before = (await get(url, "/api/open")).content
        private = await open_table(url, "sushizock", 4, 2, bots={}, lang="fr")
        await private[0].connect()
        await post(url, f"/api/tables/{private[0].table}/bots", {"seat": 2, "bot": "easy"})
        await publish(private[0])
        await publish(private[0], on=False)
        await post(url, f"/api/tables/{private[0].table}/leave", seat=private[1])
        assert (await get(url, "/api/open")).content == before
        secrets = [host.token, seeker.seat.token, private[0].table, "127.0.0.1", "network"]
        assert not [one for one in secrets if one is None or one.encode() in before]
        await seeker.close()


async def test_strangers_type_each_other_no_words(tmp_path: Path) -> None:
    """A sealed word is shown when the game starts: where everybody may come it is by chance."""

    async with server_here(house_at(tmp_path)) as url:
        (host,) = await open_table(url, "sushizock", 2)
        path, typed, chance = f"/api/tables/{host.table}", word("call me: 555"), word("0a" * 16)
        await post(url, f"{path}/contribution", {"seal": typed.seal}, host)
        await publish(host)
        assert (await get(url, path)).json()["seats"][0]["sealed"] is None
        await post(url, f"{path}/contribution", {"seal": typed.seal}, host)
        await start(host)
        told = {"text": typed.text, "salt": typed.salt}
        refused = await post(url, f"{path}/contribution", told, host)
        assert (refused.status_code, refused.json()["error"]) == (422, "open_word")
        (other,) = await open_table(url, "sushizock", 2, public=True)
        path = f"/api/tables/{other.table}"
        await post(url, f"{path}/contribution", {"seal": chance.seal}, other)
        await start(other)
        told = {"text": chance.text, "salt": chance.salt}
        opened = await post(url, f"{path}/contribution", told, other)
        assert opened.json()["phase"] == "playing"
        assert opened.json()["seats"][0]["contribution"] == chance.text


# Play with somebody


@pytest.mark.parametrize("game", ["sushizock", "buffet", "kakerlaken"])
async def test_four_strangers_are_brought_together(game: str, tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        people = [Seeker(url, name, game) for name in ("Ada", "Bo", "Cem", "Dee")]
        assert len(set(await tables_of(people))) == 1
        assert sorted(one.seat.seat or 0 for one in people) == [0, 1, 2, 3]
        told = people[0].told
        assert (told["speed"], told["seek"], told["public"]) == ("normal", True, True)
        words = [seat["contribution"] for seat in told["seats"]]
        assert sorted(words) == sorted(one.word.text for one in people)
        assert await listed(url) == []
        await close(people)


async def test_a_table_starts_although_somebody_seals_no_word(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path, replace(MANY, seek_seals_within=0.3))) as url:
        people = [Seeker(url, f"p{n}", seals=n > 0) for n in range(4)]
        assert len(set(await tables_of(people))) == 1
        await close(people)


async def test_who_holds_up_the_start_loses_the_seat(tmp_path: Path) -> None:
    """Nobody is the host among strangers who could send them away."""

    house = house_at(tmp_path, replace(MANY, open_within=600.0))
    async with server_here(house) as url:
        liar = Seeker(url, "Liar")
        await liar.look()
        people = [Seeker(url, f"p{n}") for n in range(3)]
        await asyncio.gather(*(one.look() for one in people))
        playing = asyncio.gather(*(one.until_playing() for one in people))
        words = house.tables[liar.seat.table].book.words
        await until(lambda: words.is_opening and [*words.unopened] == [liar.seat.seat])
        pass_by(house, 600.0)
        await liar.seat.until(lambda f: f["type"] == "refused" and f["code"] == "removed")
        last = Seeker(url, "Last")
        await last.look()
        await asyncio.gather(playing, last.until_playing())
        assert len({one.seat.table for one in [*people, last]}) == 1
        await close([liar, *people, last])


async def test_who_closes_the_page_is_nobodys_ghost(tmp_path: Path) -> None:
    """Neither who goes nor who never came keeps a seat from somebody."""

    async with server_here(house_at(tmp_path, replace(MANY, seek_gone_after=5.0))) as url:
        first, ghost = Seeker(url, "First"), Seeker(url, "Ghost")
        await first.look()
        await ghost.look()
        await post(url, "/api/seek", {"game": "sushizock", "name": "Never here"})
        await ghost.close()
        await first.seat.until(lambda f: f["type"] == "state" and names_at(f) == ["First"])
        people = [first, *(Seeker(url, f"p{n}") for n in range(3))]
        await asyncio.gather(*(one.look() for one in people[1:]))
        await asyncio.gather(*(one.until_playing() for one in people))
        assert len({one.seat.table for one in people}) == 1
        await close(people)


def names_at(frame: dict[str, Any]) -> list[str]:
    """List who sits at a table."""
    return [seat["name"] for seat in frame["table"]["seats"] if seat["name"] is not None]


async def test_a_table_that_all_have_left_is_not_offered(tmp_path: Path) -> None:
    house = house_at(tmp_path)
    async with server_here(house) as url:
        first = Seeker(url, "Ada")
        await first.look()
        assert len(await listed(url)) == 1
        await first.close()
        await until(lambda: not house.tables[first.seat.table].presence.is_here(0))
        pass_by(house, MANY.seek_gone_after)
        await until_listed(url, 0)
        second = Seeker(url, "Bo")
        await second.look()
        assert second.seat.table != first.seat.table
        await second.close()


async def test_bots_sit_down_when_all_who_wait_want_them(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        ada, bo = Seeker(url, "Ada"), Seeker(url, "Bo")
        await ada.look()
        await bo.look()
        assert ada.seat.table == bo.seat.table
        path = f"/api/tables/{ada.seat.table}/fill"
        asked = await post(url, path, seat=ada.seat)
        assert asked.status_code == 200
        told = asked.json()
        assert [seat["takes_bots"] for seat in told["seats"]] == [True, False, False, False]
        await post(url, path, seat=ada.seat)
        assert told["phase"] == "open"
        assert not [seat for seat in told["seats"] if seat["bot"]]
        await post(url, path, seat=bo.seat)
        await asyncio.gather(ada.until_playing(), bo.until_playing())
        assert [seat["bot"] for seat in ada.told["seats"]] == [None, None, "easy", "easy"]
        assert len({ada.seat.table, bo.seat.table}) == 1
        await close([ada, bo])


async def test_bots_are_offered_after_a_while(tmp_path: Path) -> None:
    house = house_at(tmp_path, replace(MANY, seek_bots_after=600.0))
    async with server_here(house) as url:
        ada = Seeker(url, "Ada")
        await ada.look()
        path = f"/api/tables/{ada.seat.table}/fill"
        soon = await post(url, path, seat=ada.seat)
        assert (soon.status_code, soon.json()["error"]) == (409, "too_soon")
        assert ada.told["bots_at"] > ada.seat.state["now"]
        pass_by(house, 600.0)
        assert (await post(url, path, seat=ada.seat)).status_code == 200
        await ada.until_playing()
        assert [seat["bot"] for seat in ada.told["seats"]] == [None, "easy", "easy", "easy"]
        await ada.close()


async def test_nobody_is_the_host_among_strangers(tmp_path: Path) -> None:
    """No liar starts early, fills the seats, sends others away or names who begins."""

    async with server_here(house_at(tmp_path)) as url:
        liar, bo = Seeker(url, "Liar"), Seeker(url, "Bo")
        await liar.look()
        await bo.look()
        path = f"/api/tables/{liar.seat.table}"
        for what, body in [
            ("start", None), ("bots", {"seat": 2, "bot": "easy"}), ("remove", {"seat": 1}),
            ("starter", {"seat": 0}), ("handicap", {"seat": 0, "handicap": 500}),
            ("public", {"on": False}), ("stand-in", {"seat": 1, "bot": "easy"}),
        ]:  # fmt: skip
            for one in (liar, bo):
                refused = await post(url, f"{path}/{what}", body, one.seat)
                mine = what == "stand-in" and one is bo
                assert (refused.status_code == 200) == mine, (what, refused.text)
        (host,) = await open_table(url, "sushizock", 2, bots={})
        refused = await post(url, f"/api/tables/{host.table}/fill", seat=host)
        assert refused.json()["error"] == "not_seeking"
        assert (await get(url, path)).json()["phase"] == "open"
        await close([liar, bo])


async def test_namesakes_are_told_apart(tmp_path: Path) -> None:
    """Many guests are called as chance called them: that keeps nobody from anybody."""

    async with server_here(house_at(tmp_path)) as url:
        people = [Seeker(url, name) for name in ("Nori", "nori", "Nori", "x" * 24)]
        for one in people:
            await one.look()
        assert len({one.seat.table for one in people}) == 1
        assert names_at(people[3].seat.state) == ["Nori", "nori 2", "Nori 3", "x" * 24]
        long = Seeker(url, "x" * 24)
        await people[3].close()
        await long.look()
        await close([*people[:3], long])


async def test_those_who_wait_at_two_tables_are_brought_together(tmp_path: Path) -> None:
    """The younger table gives way to the older, the emptier to the fuller; nobody swaps places."""

    house = house_at(tmp_path)
    async with server_here(house) as url:
        seeks = people_of(house)
        older, younger = [await seeks._set("buffet", None) for _ in range(2)]
        one = await seeks.sit(older, "One", None, "here")
        two = await seeks.sit(younger, "Two", None, "here")
        assert await seeks.look(older, one[0], "here") is None
        moved = await seeks.look(younger, two[0], "here")
        assert moved is not None
        assert (moved.table, older.book.names[:2]) == (older, ["One", "Two"])
        assert younger.book.names == [""] * 4
        for name in ("A", "B", "C"):
            await seeks.sit(younger, name, None, "here")
        gone = await seeks.look(older, one[0], "here")
        assert gone is not None
        assert gone.table is younger
        assert await seeks.look(younger, gone.seat, "here") is None
        assert (await get(url, f"/api/tables/{older.book.name}")).json()["phase"] == "open"


async def test_who_is_about_to_play_is_brought_nowhere(tmp_path: Path) -> None:
    """Between two steps the game begins: then one stays, and has no seat elsewhere."""

    house = house_at(tmp_path)
    async with server_here(house):
        seeks = people_of(house)
        older, younger = [await seeks._set("buffet", None) for _ in range(2)]
        await seeks.sit(older, "One", None, "here")
        seat, _ = await seeks.sit(younger, "Two", None, "here")
        sit = seeks.sit

        async def slowly(*who: Any) -> tuple[int, str]:
            found = await sit(*who)
            younger.book.phase = "playing"
            return found

        seeks.sit = slowly  # type: ignore[method-assign, assignment]
        assert await seeks.look(younger, seat, "here") is None
        assert older.book.names == ["One", "", "", ""]
        assert younger.book.names[seat] == "Two"


def people_of(house: House) -> Seeks:
    """Give a way to bring people together, at a house."""
    return Seeks(house, Profiles(house.store, house.now))


async def test_an_address_holds_only_so_many_seats(tmp_path: Path) -> None:
    settings = replace(MANY, waiting_per_address=3, seeks_at_once=6, seeks_per_minute=0.01)
    async with server_here(house_at(tmp_path, settings)) as url:
        people = [Seeker(url, f"p{n}") for n in range(3)]
        await asyncio.gather(*(one.look() for one in people))
        wish = {"game": "sushizock", "name": "One more"}
        full = await post(url, "/api/seek", wish)
        assert (full.status_code, full.json()["error"]) == (409, "too_many_seats")
        path = f"/api/tables/{people[0].seat.table}/seats"
        assert (await post(url, path, {"name": "x"})).json()["error"] == "too_many_seats"
        await post(url, f"/api/tables/{people[0].seat.table}/leave", seat=people[0].seat)
        assert (await post(url, "/api/seek", wish)).status_code == 201
        assert (await post(url, "/api/seek", wish)).status_code == 409
        often = await post(url, "/api/seek", wish)
        assert (often.status_code, often.json()["error"]) == (429, "too_many_tables")
        await close(people)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"game": "chess", "name": "Bo"}, "no_game"),
        ({"game": "sushizock", "name": "Easy 2"}, "bots_name"),
        ({"game": "sushizock", "name": "Bo", "options": {}}, "bad_request"),
        ({"game": "sushizock", "name": "Bo", "lang": "xx"}, "bad_request"),
    ],
)
async def test_wishes_that_make_no_sense(wish: dict[str, Any], code: str, tmp_path: Path) -> None:
    house = house_at(tmp_path)
    async with server_here(house) as url:
        assert (await post(url, "/api/seek", wish)).json()["error"] == code
        assert not house.tables


async def test_forty_at_once_sit_at_ten_full_tables(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        people = [Seeker(url, f"p{n}") for n in range(40)]
        found = await tables_of(people)
        assert len(set(found)) == 10
        assert len({one.sat[-1] for one in people}) == 40, "also who went on to a fuller table"
        await close(people)


# Several servers


async def test_four_strangers_at_two_servers_meet(postgresql: Postgresql, nats: Nats) -> None:
    async with company(postgresql, nats) as (_, urls):
        people = [Seeker(urls[n % 2], f"p{n}", "buffet") for n in range(4)]
        assert len(set(await tables_of(people))) == 1
        assert sorted(one.seat.seat or 0 for one in people) == [0, 1, 2, 3]
        await close(people)


async def test_forty_at_two_servers_sit_at_full_tables(postgresql: Postgresql, nats: Nats) -> None:
    """Nobody is lost, nobody sits at two tables, and no game has begun without somebody."""

    async with company(postgresql, nats) as (houses, urls):
        people = [Seeker(urls[n % 2], f"p{n}") for n in range(40)]
        found = await tables_of(people)
        assert len(set(found)) == 10
        names = []
        for name in set(found):
            table = await houses[0].find(name)
            assert table is not None
            names += table.book.names
        assert sorted(names) == sorted(one.name for one in people)
        for one in people:
            left = [table for table, _ in one.sat if table != one.seat.table]
            for name in left:
                table = await houses[0].find(name)
                assert table is not None
                assert one.name not in table.book.names
        await close(people)


async def test_an_open_table_is_listed_at_all_servers_and_gone_with_its_own(
    postgresql: Postgresql, nats: Nats
) -> None:
    async with company(postgresql, nats, MORTAL) as (houses, urls):
        (host,) = await open_table(urls[0], "sushizock", 3, bots={}, public=True, lang="de")
        await host.connect()
        (found,) = await until_listed(urls[1], 1)
        assert (found["table"], found["lang"]) == (host.table, "de")
        guest = await post(urls[1], f"/api/tables/{host.table}/seats", {"name": "Bo"})
        async with asyncio.timeout(LIMIT):
            while (await listed(urls[0]))[0]["free"] != 1:
                await asyncio.sleep(0.05)
        seat = Seat(urls[1], host.table, guest.json()["seat"], guest.json()["token"])
        await seat.connect()
        for task in list(houses[0]._work):  # it falls silent, as if it had been killed
            task.cancel()
        await until_listed(urls[1], 1)
        await seat.close()
        await until_listed(urls[1], 0)


async def test_tables_at_which_nobody_need_be_hide_no_others(tmp_path: Path) -> None:
    """Else: fifty slow tables of one stranger are all that anybody is shown for days."""
    async with server_here(house_at(tmp_path)) as url:
        (live,) = await open_table(url, "sushizock", 2, public=True, bots={})
        await live.connect()
        for _ in range(60):
            await open_table(url, "sushizock", 2, public=True, bots={}, speed="week")

        async def listed() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = (await get(url, "/api/open")).json()["tables"]
            return found

        async with asyncio.timeout(LIMIT):
            while live.table not in [one["table"] for one in await listed()]:
                await asyncio.sleep(0.02)
        assert len(await listed()) == 1 + MOST_SLOW
        await live.close()


async def test_one_house_fills_no_list_with_tables_that_stay_for_days(tmp_path: Path) -> None:
    """Else: with twenty calls one hides all others' slow tables, for two weeks."""
    async with server_here(house_at(tmp_path, replace(MANY, shown_slow_at_once=3))) as url:
        body = {"game": "sushizock", "seats": 2, "name": "Mia", "speed": "week"}
        tries = [await post(url, "/api/tables", body | {"public": True}) for _ in range(4)]
        assert [one.status_code for one in tries] == [201, 201, 201, 429]
        (host,) = await open_table(url, "sushizock", 2, bots={}, speed="week")
        refused = await post(url, f"/api/tables/{host.table}/public", {"on": True}, host)
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many_tables")
        (live,) = await open_table(url, "sushizock", 2, bots={}, public=True)
        assert live.table, "and who plays at once may open as many as before"


async def test_nobody_has_two_seats_among_strangers(tmp_path: Path) -> None:
    """Else: who sits down twice lets no game count for the others."""
    house = house_at(tmp_path)
    async with server_here(house):
        profiles = Profiles(house.store, house.now)
        seeks, anna = Seeks(house, profiles), await profiles.make("Anna")
        found = [
            await seeks.seek("sushizock", f"a{n}", None, who, f"10.0.0.{n}")
            for n, who in enumerate((anna.id, anna.id, None, None))
        ]
        assert len({seat.table for seat in found[:2]}) == 2
        assert len({seat.table for seat in found}) == 2
        with pytest.raises(Conflict) as again:
            await seeks.sit(found[0].table, "Bo", anna.id, "")
        assert again.value.code == "sits_here"
