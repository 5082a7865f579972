"""A profile over HTTP: who is let in, what is told to whom, and what is told to nobody."""

import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.authenticator import Authenticator
from tests.engines import Postgresql
from tests.server.client import LIMIT, Seat, post, server_here
from tischlein.bus import LocalBus
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.me import KEYS_PER_MINUTE
from tischlein.store import store_at
from tischlein.store.moving import check

MANY = Settings(sign_ins_at_once=10_000, bot_pause=0.0)


class Person:
    """Somebody at a device: a page of the server, and a passkey."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url.replace("127.0.0.1", "localhost")
        self.name, self.login = name, ""
        self.passkey = Authenticator(self.url)

    async def call(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Ask, or with a body do something."""
        sent = ({"x-login": self.login} if self.login else {}) | headers
        async with httpx.AsyncClient(base_url=self.url, timeout=LIMIT, trust_env=False) as client:
            if body is None:
                return await client.get(path, headers=sent)
            return await client.post(path, json=body, headers=sent)

    async def make(self) -> "Person":
        """Make a profile."""
        asked = await self.call("/api/me/begin", {"name": self.name})
        made = {"name": self.name, "credential": self.passkey.create(asked.json())}
        answer = await self.call("/api/me/finish", made | {"device": "phone"})
        assert answer.status_code == 201, answer.text
        self.login = answer.json()["login"]
        return self

    async def sign_in(self) -> httpx.Response:
        """Sign in with the passkey."""
        asked = await self.call("/api/me/sign-in/begin", {})
        sent = {"credential": self.passkey.get(asked.json()), "device": "laptop"}
        return await self.call("/api/me/sign-in/finish", sent)

    async def table(self, **more: Any) -> dict[str, Any]:
        """Open a table."""
        body = {"game": "sushizock", "seats": 2, "name": self.name, **more}
        found: dict[str, Any] = (await self.call("/api/tables", body)).json()
        return found


@contextlib.asynccontextmanager
async def place(folder: Path, settings: Settings = MANY) -> AsyncIterator[tuple[str, House]]:
    """Run a server with a file of its own."""
    house = House(store_at(str(folder / "tables.sqlite")), settings)
    async with server_here(house) as url:
        yield url, house


async def test_a_profile_from_its_first_passkey_to_its_end(tmp_path: Path) -> None:
    async with place(tmp_path) as (url, _):
        anna = await Person(url, "Anna").make()
        me = (await anna.call("/api/me")).json()
        assert (me["name"], len(me["devices"]), len(me["passkeys"]), me["code"]) == (
            *("Anna", 1, 1, False),
        )
        assert me["devices"][0]["here"]
        signed = (await anna.sign_in()).json()
        assert signed["profile"] == me["profile"]
        second = Person(url, "Anna")
        second.login = signed["login"]
        assert (await second.call("/api/me/name", {"name": "Annika"})).json()["name"] == "Annika"
        bots_name = await second.call("/api/me/name", {"name": "Gouda"})
        assert (bots_name.status_code, bots_name.json()["error"]) == (422, "bots_name")
        others = [
            one for one in (await second.call("/api/me")).json()["devices"] if not one["here"]
        ]
        await second.call("/api/me/sign-out", {"id": others[0]["id"]})
        ended = await anna.call("/api/me")
        assert (ended.status_code, ended.json()["error"]) == (401, "not_known")
        assert (await anna.call("/api/tables", {})).status_code in (401, 422)
        wrong = await second.call("/api/me/delete", {"confirm": "Anna"})
        assert (wrong.status_code, wrong.json()["error"]) == (422, "not_confirmed")
        assert (await second.call("/api/me/delete", {"confirm": "Annika"})).status_code == 200
        assert (await second.call("/api/me")).status_code == 401
        gone = await anna.sign_in()
        assert (gone.status_code, gone.json()["error"]) == (403, "no_passkey")


async def test_settings_follow_and_the_newest_win(tmp_path: Path) -> None:
    async with place(tmp_path) as (url, house):
        anna = await Person(url, "Anna").make()

        async def kept(language: str, at: float) -> str:
            body = {"settings": {"language": language}, "at": at}
            found = (await anna.call("/api/me/settings", body)).json()
            return str(found["settings"]["language"])

        assert [await kept("de", 5.0), await kept("fr", 9.0), await kept("it", 7.0)] == [
            *("de", "fr", "fr"),
        ]
        assert await kept("en", 9e15) == "en"  # a clock far ahead counts as now
        told = (await anna.call("/api/me")).json()
        assert told["settings_at"] <= house.now() * 1000
        large = {"settings": {"x": "x" * 7000}, "at": 9e15}
        answer = await anna.call("/api/me/settings", large)
        assert (answer.status_code, answer.json()["error"]) == (422, "too_large")


async def test_a_second_device_plays_on_at_the_same_table(tmp_path: Path) -> None:
    async with place(tmp_path) as (url, _):
        anna, bo = await Person(url, "Anna").make(), await Person(url, "Bo").make()
        held = await anna.table(bots={"1": "easy"})
        code = (await anna.call("/api/me/link", {})).json()["code"]
        tablet = Person(url, "Anna")
        tablet.login = (await tablet.call("/api/me/link/use", {"code": code})).json()["login"]
        (told,) = (await tablet.call("/api/mine", {"seats": []})).json()["tables"]
        assert (told["table"], told["seats"], told["phase"]) == (held["table"], [0], "open")
        assert (await bo.call("/api/mine", {"seats": []})).json()["tables"] == []
        way = f"/api/tables/{held['table']}/key"
        answer = await bo.call(way, {})
        assert (answer.status_code, answer.json()["error"]) == (403, "not_yours")
        assert (await Person(url, "Zoe").call(way, {})).status_code == 401
        keyed = await tablet.call(way, {})
        assert (keyed.status_code, keyed.json()["seat"]) == (201, 0)
        assert keyed.json()["token"] != held["token"]
        seat = Seat(url, held["table"], 0, keyed.json()["token"])
        await seat.connect()
        started = await tablet.call(
            f"/api/tables/{held['table']}/start", {}, authorization=f"Bearer {seat.token}"
        )
        assert started.status_code == 200
        await seat.until(lambda frame: frame["type"] == "state" and bool(seat.legal))
        await seat.move(seat.legal[0])
        await seat.until(lambda frame: frame["type"] == "state" and frame["seq"] > 1)
        await seat.close()
        (told,) = (await tablet.call("/api/mine", {"seats": []})).json()["tables"]
        assert told["phase"] == "playing"
        codes = [(await tablet.call(way, {})).status_code for _ in range(KEYS_PER_MINUTE + 2)]
        assert codes[-1] == 429


async def test_codes_are_not_guessed_over_http(tmp_path: Path) -> None:
    async with place(tmp_path) as (url, house):
        anna = await Person(url, "Anna").make()
        paper = (await anna.call("/api/me/code", {})).json()["code"]
        stranger = Person(url, "Zoe")
        found = [await stranger.call("/api/me/recover", {"code": f"{n:024}"}) for n in range(12)]
        assert found[0].json()["error"] == "wrong_code"
        assert (found[-1].status_code, found[-1].json()["error"]) == (429, "too_many_tries")
        assert (await stranger.call("/api/me/recover", {"code": paper})).status_code == 429
        # the paper is still good when the time is over
        await house.store.ask("DELETE FROM codes WHERE profile = 'tries'")
        back = await stranger.call("/api/me/recover", {"code": paper})
        assert (back.status_code, back.json()["name"]) == (200, "Anna")


async def test_floods_of_profiles_are_limited(tmp_path: Path) -> None:
    async with place(tmp_path, Settings(sign_ins_at_once=5, sign_ins_per_minute=0.01)) as (
        url,
        house,
    ):
        zoe = Person(url, "Zoe")
        codes = [(await zoe.call("/api/me/begin", {"name": "Zoe"})).status_code for _ in range(9)]
        assert codes == [200] * 5 + [429] * 4
        codes = [(await zoe.call("/api/me/sign-in/begin", {})).status_code for _ in range(2)]
        assert codes == [429] * 2
        rows = await house.store.ask("SELECT count(*) FROM codes")
        assert rows[0][0] == 5


async def test_passkeys_are_asked_for_at_names_and_from_own_pages_alone(tmp_path: Path) -> None:
    async with place(tmp_path) as (url, _):
        zoe = Person(url, "Zoe")
        zoe.url = url
        answer = await zoe.call("/api/me/begin", {"name": "Zoe"})
        assert (answer.status_code, answer.json()["error"]) == (422, "no_host_name")
        for headers in ({"origin": "https://evil.example"}, {"host": "evil.example"}):
            answer = await zoe.call("/api/me/sign-in/begin", {}, **headers)
            assert (answer.status_code, answer.json()["error"]) == (403, "stranger")


async def test_my_data_is_one_file_with_every_game(tmp_path: Path) -> None:
    async with place(tmp_path) as (url, house):
        anna = await Person(url, "Anna").make()
        me = (await anna.call("/api/me")).json()["profile"]
        words = "INSERT INTO played VALUES ($1, 1, 0, $2, $3, 0)"
        for n in range(45):
            await house.store.ask(words, f"table {n:02}", me, float(n // 7))
        await house.store.ask("INSERT INTO records VALUES ('table 03', 1, $1, 1.0)", "{}\n[]\n")
        wish = {"name": "Friday", "game": "sushizock", "seats": 2, "nickname": "Annie"}
        cup = (await anna.call("/api/cups", wish)).json()
        await post(url, "/api/cups", wish)  # somebody else's
        answer = await anna.call("/api/me/data")
        assert "attachment" in answer.headers["content-disposition"]
        assert answer.headers["cache-control"] == "no-store"
        data = answer.json()
        assert [game["table"] for game in data["games"]] == [f"table {n:02}" for n in range(45)]
        assert data["games"][3]["record"] == ["{}", "[]"]
        assert data["tournaments"] == [{"cup": cup["cup"], "title": "Friday", "name": "Annie"}]
        assert (data["profile"]["name"], len(data["passkeys"]), len(data["devices"])) == (
            *("Anna", 1, 1),
        )
        for secret in (
            anna.login,
            cup["token"],
            anna.passkey.create({"user": {"id": ""}, "rp": {"id": "x"}, "challenge": ""})["id"],
        ):
            assert secret not in answer.text


async def test_a_farewell_is_told_at_the_table_and_leaves_no_name(tmp_path: Path) -> None:
    async with place(tmp_path) as (url, house):
        anna = await Person(url, "Anna").make()
        held = await anna.table()
        seat = await Seat(url, held["table"], 0, held["token"]).connect()
        await anna.call("/api/me/delete", {"confirm": "Anna"})
        await seat.until(
            lambda frame: (
                frame["type"] == "state" and frame["table"]["seats"][0]["name"] == "somebody"
            )
        )
        await seat.close()

        async def rows() -> int:
            return len(await house.store.ask("SELECT * FROM sits"))

        found = [await rows()]
        while found[-1]:
            found.append(await rows())
        entries = b"".join(await house.store.load(held["table"]))
        assert b"Anna" not in entries
        await check(house.store)


async def test_nobody_else_and_no_log_is_told_a_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="tischlein")
    async with place(tmp_path) as (url, _):
        anna = await Person(url, "Anna").make()
        first = anna.login
        held = await anna.table()
        code = (await anna.call("/api/me/link", {})).json()["code"]
        paper = (await anna.call("/api/me/code", {})).json()["code"]
        anna.login = (await anna.call("/api/me/link/use", {"code": code})).json()["login"]
        token = (await anna.call(f"/api/tables/{held['table']}/key", {})).json()["token"]
        watcher = await Seat(url, held["table"], None, None).connect()
        bo = await Person(url, "Bo").make()
        await bo.call(f"/api/tables/{held['table']}/seats", {"name": "Bo"})
        await watcher.until(lambda frame: frame["table"]["seats"][1]["name"] == "Bo")
        me = (await anna.call("/api/me")).text
        profile = (await anna.call("/api/me")).json()["profile"]
        passkey = anna.passkey.get({"rpId": "x", "challenge": ""})["id"]
        secrets = [first, anna.login, code, paper, token, passkey]
        assert not [secret for secret in secrets if secret in me]
        others = str(watcher.frames) + (await bo.call(f"/api/tables/{held['table']}")).text
        others += (await bo.call("/api/me")).text + (await bo.call("/api/me/data")).text
        others += str([record.getMessage() for record in caplog.records])
        assert not [secret for secret in (*secrets, profile) if secret in others]
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert not [one for one in (first, anna.login, code, paper, token) if one.encode() in kept]
        await watcher.close()


async def test_two_servers_know_the_same_people(postgresql: Postgresql) -> None:
    address = postgresql.new_database()
    here, there = (House(store_at(address), MANY, LocalBus()) for _ in range(2))
    async with server_here(here) as one, server_here(there) as other:
        anna = Person(one, "Anna")
        host = anna.url.removeprefix("http://")  # both stand behind one name
        asked = await anna.call("/api/me/begin", {"name": "Anna"}, host=host)
        anna.url = other
        made = {"name": "Anna", "credential": anna.passkey.create(asked.json())}
        finished = await anna.call("/api/me/finish", made, host=host)
        assert finished.status_code == 201, finished.text
        again = await Person(one, "Anna").call("/api/me/finish", made, host=host)
        assert (again.status_code, again.json()["error"]) == (409, "too_late")
        anna.login = finished.json()["login"]
        held = await anna.table()
        anna.url = one
        keyed = await anna.call(f"/api/tables/{held['table']}/key", {})
        seat = await Seat(other, held["table"], 0, keyed.json()["token"]).connect()
        assert (await anna.call("/api/me/delete", {"confirm": "Anna"})).status_code == 200
        anna.url = other
        assert (await anna.call("/api/me")).status_code == 401
        await seat.until(lambda frame: frame["table"]["seats"][0]["name"] == "somebody")
        await seat.close()
