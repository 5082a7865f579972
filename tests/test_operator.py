"""`tischlein house …`, as whoever runs a house types it: beside its server, and without one."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.engines import Postgresql
from tests.program import as_json, run
from tests.server.client import Seat, get, open_table, play_to_the_end, post, server_process, start


def house(*args: str, rc: int = 0) -> str:
    """Run a command of the house; give all that it prints."""
    done = run("house", *args)
    assert done.returncode == rc, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


async def house_later(*args: str, rc: int = 0) -> str:
    """Run a command while others go on."""
    return await asyncio.to_thread(house, *args, rc=rc)


async def test_people_see_at_once_what_is_done(tmp_path: Path) -> None:
    """One game is closed in its middle, and a name is taken away where somebody watches."""
    data = tmp_path / "data"
    async with asyncio.timeout(100):
        with server_process(data) as server:
            at = ("--server", server.url, "--data", str(data))
            me, other = await open_table(server.url, "sushizock", 2, people=2)
            await me.connect()
            await other.connect()
            await start(me)
            await me.until(lambda frame: frame["table"]["phase"] == "playing")
            watcher = await Seat(server.url, me.table, None, None).connect()

            told = await house_later("look", *at)
            assert "1 in play, 0 open" in told
            assert "2 in their seats, 1 watching" in told
            assert "No server answers" not in told
            table = await house_later("look", me.table, *at)
            assert "0  p0 (host)" in table

            await house_later("rename", me.table, "1", *at)
            told_name = await watcher.until(lambda frame: frame["type"] == "state")
            assert [seat["name"] for seat in told_name["table"]["seats"]] == ["p0", "somebody"]

            assert "is closed" in await house_later("close", me.table, *at)
            for seat in (me, other, watcher):
                frame = await seat.until(
                    lambda frame: frame["type"] == "state" and frame["table"]["closed"]
                )
                assert (frame["legal"], frame["to_move"]) == ({}, [])
            refused = await post(server.url, f"/api/tables/{me.table}/seats", {"name": "Cy"})
            assert (refused.status_code, refused.json()["error"]) == (409, "closed")
            await me.move({"do": "take", "row": "sushi"})
            answer = await me.until(lambda frame: frame["type"] == "refused")
            assert answer["code"] == "closed"
            log = (data / "server.log").read_text()
            assert "closed" in log
            assert me.token not in log  # type: ignore[operator]


async def test_without_a_server_the_store_itself_is_looked_after(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with asyncio.timeout(100):
        with server_process(data) as server:
            at = ("--server", server.url, "--data", str(data))
            (me,) = await open_table(server.url, "sushizock", 2)
            await me.connect()
            await start(me)
            await play_to_the_end([me])
        told = await house_later("look", *at)
        assert "No server answers" in told
        assert "1 asleep" in told
        assert "is called somebody now" in await house_later("rename", me.table, "0", *at)
        assert "is closed" in await house_later("close", me.table, *at)
        seen = await asyncio.to_thread(read_json, "house", "look", me.table, "--json", *at)
        assert (seen["closed"], seen["seats"][0]["name"]) == (True, "somebody")
        assert (
            "All is well: 1 tables"
            in (await asyncio.to_thread(run, "store", "check", *at[2:])).stdout
        )
        with server_process(data) as server:
            again = await Seat(server.url, me.table, 0, me.token).connect()
            assert again.state["table"]["closed"]
            assert again.state["table"]["seats"][0]["name"] == "somebody"


async def test_names_in_a_tournament_are_taken_away_beside_a_server_and_without(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    async with asyncio.timeout(100):
        with server_process(data) as server:
            at = ("--server", server.url, "--data", str(data))
            wanted = {"name": "Rude!", "game": "sushizock", "seats": 2, "nickname": "Ina"}
            held = (await post(server.url, "/api/cups", wanted)).json()
            cup = held["cup"]
            for name in ("Rude", "Ruder"):
                await post(server.url, f"/api/cups/{cup}/join", {"nickname": name})
            told = await house_later("look", "--cup", cup, *at)
            assert f"Tournament {cup}: Rude!; sushizock, open" in told
            assert "  0  Ina (host)\n  1  Rude\n  2  Ruder" in told
            told = await house_later("rename", "--cup", cup, "1", *at)
            assert "Rude is called somebody now." in told
            assert (await get(server.url, f"/api/cups/{cup}")).json()["members"][1] == {
                "name": "somebody", "left": False
            }  # fmt: skip
        told = await house_later("rename", "--cup", cup, *at)
        assert "Rude! is called Tournament now." in told
        assert "No server answers" in told
        assert "Ruder is called Mia now." in await house_later(
            "rename", "--cup", cup, "2", "Mia", *at
        )
        assert "they are 0 to 2" in await house_later("rename", "--cup", cup, "3", *at, rc=1)
        seen = await asyncio.to_thread(read_json, "house", "look", "--cup", cup, "--json", *at)
        assert [member["name"] for member in seen["members"]] == ["Ina", "somebody", "Mia"]
        assert held["token"] not in json.dumps(seen)


def read_json(*args: str) -> Any:
    """Read what a command prints as JSON; it may say more beside."""
    return json.loads(run(*args).stdout)


async def test_a_back_up_is_taken_while_people_play(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "copy.sqlite"
    async with asyncio.timeout(100):
        with server_process(data) as server:
            (me,) = await open_table(server.url, "sushizock", 2)
            await me.connect()
            await start(me)
            assert "MB" in await house_later("backup", str(file), "--data", str(data))
            lines = str(tmp_path / "copy.jsonl")
            assert "1 tables" in await house_later(
                "backup", lines, "--portable", "--data", str(data)
            )
            await play_to_the_end([me])
        for copy in (str(file), lines):
            assert "opens: 1 tables" in await house_later("check", copy)
            assert Path(copy).stat().st_mode & 0o777 == 0o600
        assert "File exists" in await house_later("backup", lines, "--data", str(data), rc=1)
        new = str(tmp_path / "new")
        assert "Restored: 1 tables" in await house_later("restore", lines, "--data", new)
        assert "move it away" in await house_later("restore", lines, "--data", new, rc=1)
        with server_process(tmp_path / "new") as server:
            await Seat(server.url, me.table, 0, me.token).connect()


async def test_with_postgresql_the_key_is_in_the_store(
    tmp_path: Path, postgresql: Postgresql
) -> None:
    address = postgresql.new_database()
    async with asyncio.timeout(100):
        with server_process(tmp_path, "--store", address) as server:
            at = ("--server", server.url, "--store", address)
            (me,) = await open_table(server.url, "sushizock", 2)
            await me.connect()
            await house_later("close", me.table, *at)
            await me.until(lambda frame: frame["type"] == "state" and frame["table"]["closed"])
            file = str(tmp_path / "copy.jsonl")
            assert "1 tables" in await house_later("backup", file, "--store", address)
            assert "opens" in await house_later("check", file)


def test_a_server_with_another_store_is_not_touched(tmp_path: Path) -> None:
    for name in ("mine", "theirs"):
        (tmp_path / name).mkdir()
    with server_process(tmp_path / "mine"):
        pass
    with server_process(tmp_path / "theirs") as server:
        at = ("--server", server.url, "--data", str(tmp_path / "mine"))
        assert "has another store" in house("look", *at, rc=1)
        assert "has another store" in house("close", "7yks2jye3sn8", *at, rc=1)


def test_what_cannot_be_is_told_in_a_sentence(tmp_path: Path) -> None:
    nowhere = ("--server", "http://127.0.0.1:9", "--data", str(tmp_path / "data"))
    assert "there is no store here" in house("look", *nowhere, rc=1)
    with server_process(tmp_path / "data"):
        pass
    assert "there is no such table" in house("close", "7yks2jye3sn8", *nowhere, rc=1)
    assert "there is no such table" in house("look", "7yks2jye3sn8", *nowhere, rc=1)
    assert "no such profile" in house("rename", "--profile", "Nobody", *nowhere, rc=1)
    assert "name a table and a seat" in house("rename", "7yks2jye3sn8", *nowhere, rc=1)
    assert "name a member" in house("rename", "--cup", "7yks2jye3sn8", "Rude", *nowhere, rc=1)
    assert "no such tournament" in house("rename", "--cup", "7yks2jye3sn8", *nowhere, rc=1)
    assert "no such tournament" in house("look", "--cup", "7yks2jye3sn8", *nowhere, rc=1)
    two = ("--cup", "7yks2jye3sn8", "--profile", "Rude")
    assert "a profile or a tournament" in house("rename", *two, *nowhere, rc=1)
    assert "a table or a tournament" in house("look", "7yks2jye3sn8", *two[:2], *nowhere, rc=1)
    assert "not the address" in house("look", "--server", "127.0.0.1:9", *nowhere[2:], rc=1)
    assert "No such file" in house("check", str(tmp_path / "none"), rc=1)
    (tmp_path / "text").write_text("hello")
    assert "line 1" in house("check", str(tmp_path / "text"), rc=1)


def test_json_holds_no_secret(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        found = as_json("house", "look", "--json", "--server", server.url, "--data", str(tmp_path))
        db = sqlite3.connect(tmp_path / "tables.sqlite")
        ((key,),) = db.execute("SELECT body FROM keys WHERE name = 'operator'").fetchall()
        db.close()
        assert key.decode() not in json.dumps(found)
        assert found["tables"] == []
        assert key.decode() not in (tmp_path / "server.log").read_text()
