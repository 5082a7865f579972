"""A rated game over real sockets, and the boards that tell of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.rated import GAME, people, wins
from tests.server.client import LIMIT, Seat, get, play_to_the_end, server_here, start
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people.profiles import Profile, Profiles
from tischlein.people.ratings import Ratings
from tischlein.server import boards
from tischlein.server.boards import seasons_at
from tischlein.store.sqlite import SqliteStore


class Home:
    """A server in this process, and the house around which it stands."""

    def __init__(self, house: House, url: str) -> None:
        self.house, self.url = house, url
        self.profiles = Profiles(house.store, house.now)

    async def guest(self, name: str) -> tuple[Profile, str]:
        """Make somebody with a profile; give the login of their device, too."""
        profile = await self.profiles.make(name)
        return profile, await self.profiles.let_in(profile.id, "phone")

    async def sit(self, path: str, body: dict[str, Any], login: str | None) -> Seat:
        """Open a table, or sit down, for somebody who may have a profile."""
        headers = {} if login is None else {"x-login": login}
        async with httpx.AsyncClient(base_url=self.url, timeout=LIMIT, trust_env=False) as client:
            held = (await client.post(path, json=body, headers=headers)).raise_for_status().json()
        return Seat(self.url, held["table"], held["seat"], held["token"])

    async def play(self, *logins: str | None, public: bool = True) -> Seat:
        """Let people play a whole game; give the host's seat."""
        seats = len(logins)
        body = {"game": GAME, "seats": seats, "name": "p0", "public": public}
        table = [await self.sit("/api/tables", body, logins[0])]
        path = f"/api/tables/{table[0].table}/seats"
        table += [await self.sit(path, {"name": f"p{n}"}, logins[n]) for n in range(1, seats)]
        for seat in table:
            await seat.connect()
        await start(table[0])
        await play_to_the_end(table)
        for seat in table:
            await seat.close()
        return table[0]

    async def unrated(self) -> int:
        """Count the games that wait."""
        return len(await self.house.store.ask("SELECT 1 FROM unrated"))


@asynccontextmanager
async def at_home(tmp_path: Path) -> AsyncIterator[Home]:
    """Run a server."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0))
    async with server_here(house) as url:
        yield Home(house, url)


async def rated(home: Home, login: str, games: int) -> dict[str, Any]:
    """Wait until somebody has so many rated games; give their rating."""
    async with asyncio.timeout(LIMIT):
        while True:
            found = (await get(home.url, "/api/me/ratings", **{"x-login": login})).json()
            if found["ratings"] and found["ratings"][0]["games"] == games:
                mine: dict[str, Any] = found["ratings"][0]
                return mine
            await asyncio.sleep(0.02)


async def test_a_game_of_profiles_at_an_open_table_is_rated_at_once(tmp_path: Path) -> None:
    async with at_home(tmp_path) as home:
        (anna, hers), (_, his) = await home.guest("Anna"), await home.guest("Bo")
        seat = await home.play(hers, his, None)
        mine, other = await rated(home, hers, 1), await rated(home, his, 1)
        assert mine["game"] == GAME
        assert mine["last"] == f"{seat.table}/1"
        assert mine["provisional"]
        assert (mine["rating"] - 1000, other["rating"] - 1000) == (mine["gained"], other["gained"])
        told = await get(home.url, f"/api/boards/{GAME}", **{"x-login": hers})
        board = told.json()
        assert {row["name"] for row in board["rows"]} == {"Anna", "Bo"}
        assert [row["name"] for row in board["rows"] if row["me"]] == ["Anna"]
        assert board["mine"] == next(row for row in board["rows"] if row["me"])
        assert board["mine"]["place"] is None, "one game tells too little"
        assert anna.id not in told.text
        month = board["seasons"][1]
        late = await get(home.url, f"/api/boards/{GAME}?season={month}")
        assert len(late.json()["rows"]) == 2
        assert late.json()["mine"] is None


async def test_only_games_among_different_profiles_at_open_tables_count(tmp_path: Path) -> None:
    async with at_home(tmp_path) as home:
        (_, hers), (_, his) = await home.guest("Anna"), await home.guest("Bo")
        await home.play(hers, his, public=False)
        await home.play(hers, None)
        await home.play(hers, hers, his)
        assert await home.unrated() == 0
        assert await home.house.store.ask("SELECT 1 FROM ratings") == []
        await home.play(hers, his)
        assert (await rated(home, hers, 1))["games"] == 1


async def test_what_is_asked_wrongly_is_refused(tmp_path: Path) -> None:
    async with at_home(tmp_path) as home:
        path = f"/api/boards/{GAME}"
        assert (await get(home.url, "/api/boards/chess")).json()["error"] == "no_game"
        for season in ("", "2026", "2026-13", "all'--", "0001-01", "2026-1"):
            told = await get(home.url, f"{path}?season={season}")
            assert (told.status_code, told.json()["error"]) == (422, "bad_season"), season
        told = await get(home.url, path, **{"x-login": "nobody"})
        assert (told.status_code, told.json()["mine"]) == (200, None), "a board is for everybody"
        assert (await get(home.url, "/api/me/ratings")).status_code == 401
        assert (await get(home.url, path)).json()["rows"] == []


async def test_a_board_is_kept_for_a_moment(tmp_path: Path) -> None:
    async with at_home(tmp_path) as home:
        now = [home.house.now()]
        home.house.now = lambda: now[0]

        async def names(season: str = "all") -> list[str]:
            found = (await get(home.url, f"/api/boards/{GAME}?season={season}")).json()
            return [row["name"] for row in found["rows"]]

        assert await names() == []
        anna, bo = await people(home.house.store, "Anna", "Bo")
        await wins(home.house.store, anna, bo, table="a")
        await Ratings(home.house.store).rate_some()
        assert await names() == []
        for year in range(2000, 2000 + boards.MOST_KEPT):
            await names(f"{year}-01")
        assert await names() == ["Anna", "Bo"], "only so many are kept"
        await home.house.store.ask("DELETE FROM profiles WHERE id = $1", bo.id)
        assert await names() == ["Anna", "Bo"]
        now[0] += boards.FRESH + 0.1
        assert await names() == ["Anna"]


def test_the_last_two_months_are_offered() -> None:
    assert seasons_at(1_793_491_200.0) == ("all", "2026-11", "2026-10")
    assert seasons_at(1_767_225_600.0) == ("all", "2026-01", "2025-12")
