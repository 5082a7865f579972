"""One's tables, games and figures over HTTP: for whom, how much, and what a flood does."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.client import (
    LIMIT,
    Seat,
    ServerProcess,
    ask,
    get,
    open_table,
    play_to_the_end,
    post,
    server_here,
    server_process,
    start,
)
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people import People
from tischlein.people.mine import MOST_SEATS
from tischlein.server.mine import MOST_NEW
from tischlein.store import KeptRecord
from tischlein.store.sqlite import SqliteStore

QUIET = Settings(bot_pause=0.0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    quick = ("--set", "coach_effort=0.05", "--set", "looks_at_once=100000")
    with server_process(tmp_path_factory.mktemp("data"), *quick) as running:
        yield running


async def mine(url: str, *seats: Seat, login: str = "") -> dict[str, Any]:
    """Ask how these seats' tables stand."""
    body = {"seats": [[seat.table, seat.token] for seat in seats]}
    headers = {"x-login": login} if login else {}
    async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
        answer = await client.post("/api/mine", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def finished(url: str, game: str = "sushizock", seats: int = 3) -> Seat:
    """Play a game to its end, alone against bots."""
    (me,) = await open_table(url, game, seats)
    await me.connect()
    await start(me)
    await play_to_the_end([me])
    await me.close()
    return me


async def test_tables_are_told_from_the_first_seat_to_the_result(server: ServerProcess) -> None:
    people = await open_table(server.url, "sushizock", 2, people=2)
    host, guest = people
    told = (await mine(server.url, host))["tables"][0]
    assert (told["phase"], told["names"], told["seats"]) == ("open", ["p0", "p1"], [0])
    assert told["host"] == 0
    await asyncio.gather(*(seat.connect() for seat in people))
    await start(host)
    await asyncio.gather(*(seat.until(lambda frame: frame["to_move"] != []) for seat in people))
    told = (await mine(server.url, guest))["tables"][0]
    assert (told["phase"], told["to_move"]) == ("playing", guest.state["to_move"])
    assert (told["scores"], told["winners"], told["ended"]) == ([], [], None)
    await play_to_the_end(people)
    told = (await mine(server.url, guest, host))["tables"][0]
    assert (told["phase"], told["seats"], told["number"]) == ("over", [0, 1], 1)
    assert told["scores"] == host.state["scores"]
    assert told["winners"] == host.state["winners"]
    assert told["ended"] > 1e9


async def test_who_only_knows_the_table_is_told_nothing(server: ServerProcess) -> None:
    host, other = await open_table(server.url, "sushizock", 2, people=2)
    stranger = Seat(server.url, host.table, None, "x" * 43)
    nobody = Seat(server.url, "23456789abcd", None, host.token)
    found = await mine(server.url, stranger, nobody, other)
    assert found["gone"] == [0, 1]
    assert [told["seats"] for told in found["tables"]] == [[1]]
    assert str(host.token) not in str(found)
    assert str(other.token) not in str(found)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"seats": [["a", "b"]] * (MOST_SEATS + 1)}, 422),
        ({"seats": [["a"]]}, 422),
        ({"seats": [["a", "b" * 200]]}, 422),
        ({"seats": [], "more": 1}, 422),
        ({"seats": [["\0", "\ud7ff"]]}, 200),
        ({}, 200),
    ],
)
async def test_odd_questions_are_refused(server: ServerProcess, body: Any, status: int) -> None:
    assert (await post(server.url, "/api/mine", body)).status_code == status


async def test_a_race_tells_nothing_of_itself(server: ServerProcess) -> None:
    """Before, while and after somebody acts in a race the answer is the same, to the byte."""
    long = {"race_ms": 60_000, "naming_ms": 60_000}
    people = await open_table(server.url, "kakerlaken", 3, people=3, options=long)
    await asyncio.gather(*(seat.connect() for seat in people))
    await start(people[0])
    shown = [
        seat.until(lambda frame: bool((frame.get("race") or {}).get("show_at"))) for seat in people
    ]
    before = await mine(server.url, people[0])
    await asyncio.gather(*shown)
    during = await mine(server.url, people[0])
    slap = next(move for move in people[1].legal if move["do"] == "slap")
    await people[1].move(slap | {"at": 300.0})
    await people[1].until(lambda frame: frame.get("seq", 0) > people[0].state["seq"])
    assert before == during == await mine(server.url, people[0])
    for seat in people:
        await seat.close()


async def test_a_flood_is_slowed_and_sleeping_tables_sleep_on(tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite"
    async with server_here(House(SqliteStore(file), QUIET)) as url:
        seats = [(await open_table(url, "sushizock", 2))[0] for _ in range(MOST_SEATS)]
    limits = Settings(bot_pause=0.0, looks_at_once=5, looks_per_second=0.001)
    house = House(SqliteStore(file), limits)
    async with server_here(house) as url:
        body = {"seats": [[seat.table, seat.token] for seat in seats]}
        answers = await asyncio.gather(*(post(url, "/api/mine", body) for _ in range(20)))
        assert sorted(answer.status_code for answer in answers) == [200] * 5 + [429] * 15
        told = [answer.json() for answer in answers if answer.status_code == 200]
        assert all(len(one["tables"]) == MOST_SEATS for one in told)
        assert house.tables == {}


async def test_a_profile_finds_tables_games_and_figures(tmp_path: Path) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    async with server_here(house) as url:
        people = People(house)
        anna = await people.profiles.make("Anna")
        login = await people.profiles.let_in(anna.id, "phone")
        headers = {"x-login": login}
        async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
            wanted = {"game": "sushizock", "seats": 2, "name": "Anna", "bots": {"1": "easy"}}
            held = (await client.post("/api/tables", json=wanted, headers=headers)).json()
        me = Seat(url, held["table"], held["seat"], held["token"])
        (told,) = (await mine(url, login=login))["tables"]
        assert (told["table"], told["held"]) == (me.table, False)
        (told,) = (await mine(url, me, login=login))["tables"]
        assert told["held"] is True
        assert (await mine(url, me, login="ended"))["tables"][0]["held"] is True
        await me.connect()
        await start(me)
        await play_to_the_end([me])
        await me.close()
        games = (await get(url, "/api/me/games", **headers)).json()
        (game,) = games["games"]
        assert (game["table"], game["number"], game["seat"]) == (me.table, 1, 0)
        assert (game["names"], game["bots"]) == (["Anna", "Easy 2"], [None, "easy"])
        assert games["next"] is None
        figures = (await get(url, "/api/me/figures", **headers)).json()
        assert [one["seats"] for one in figures["games"]] == [2]
        for path in ("/api/me/games", "/api/me/figures"):
            assert (await get(url, path)).status_code == 401
            assert (await get(url, path, **{"x-login": "guess"})).status_code == 401
        assert (await get(url, "/api/me/games?before=x", **headers)).status_code == 422


async def test_figures_are_counted_once_and_luck_comes_with_the_coach(
    server: ServerProcess,
) -> None:
    me = await finished(server.url)
    body = {"games": [[me.table, 1, 0], [me.table, 2, 0], [me.table, 1, 9], ["23456789abcd", 1, 0]]}
    told = (await post(server.url, "/api/figures", body)).json()
    (game,) = told["games"]
    assert (game["game"], game["seats"], game["luck"], told["waits"]) == ("sushizock", 3, None, 0)
    won = me.state["winners"]
    assert game["won"] == (1 / len(won) if 0 in won else 0)
    steals = [move for move in me.state["log"] if move.get("do") == "steal"]
    assert all(found["people"] for found in told["figures"])
    assert not steals or told["figures"]
    async with asyncio.timeout(LIMIT):
        while (await ask(me, "coach", game="1")).status_code == 202:
            await asyncio.sleep(0.05)
    lesson = (await ask(me, "coach", game="1")).json()
    (game,) = (await post(server.url, "/api/figures", body)).json()["games"]
    assert game["luck"] == pytest.approx(lesson["ledger"][0]["luck"], abs=0.0001)


@pytest.mark.parametrize(
    "games",
    [[["a", 1, 0]] * 201, [["a", 0, 0]], [["a", 1, -1]], [["a", 1]], None, [["a" * 200, 1, 0]]],
)
async def test_odd_games_are_refused(server: ServerProcess, games: Any) -> None:
    assert (await post(server.url, "/api/figures", {"games": games})).status_code == 422


async def test_many_games_are_counted_some_at_a_time(tmp_path: Path) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    async with server_here(house) as url:
        me = await finished(url)
        record = await house.store.record(me.table, 1)
        assert record is not None
        many = MOST_NEW + 5
        for number in range(2, many + 1):
            await house.store.keep(KeptRecord(me.table, number, record, 1.0))
        body = {"games": [[me.table, number, 0] for number in range(1, many + 40)]}
        first = (await post(url, "/api/figures", body)).json()
        second = (await post(url, "/api/figures", body)).json()
        assert (len(first["games"]), first["waits"]) == (MOST_NEW, 5)
        assert (len(second["games"]), second["waits"]) == (many, 0)


async def test_a_game_is_shown_when_its_table_is_long_gone(tmp_path: Path) -> None:
    """Records stay: who has the link sees the game, and the coach, and the figures."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0, coach_effort=0.01))
    async with server_here(house) as url:
        me = await finished(url)
        house._drop(house.tables[me.table])
        assert await house.store.tidy(9e15, 9e15) == [me.table]
        assert (await mine(url, me)) == {"tables": [], "gone": [0]}
        replayed = await ask(me, "replay", game="1")
        assert replayed.json()["seats"] == ["p0", "Easy 2", "Easy 3"]
        assert (await ask(me, "coach", game="1")).status_code in (200, 202)
        body = {"games": [[me.table, 1, 0]]}
        assert len((await post(url, "/api/figures", body)).json()["games"]) == 1
