"""`docs/operate.md` tells what is so: its tables are the program's, its commands were run."""

import asyncio
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import typer

from tests import engines
from tests.engines import Postgresql, postgresql_programs
from tests.operate import PAGE, renewed
from tests.server.client import LIMIT, Seat, get, open_table, same_moves, server_process, start
from tischlein import replay
from tischlein.chance import verify
from tischlein.cli import app
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.metrics import exposition
from tischlein.store.postgresql import PostgresqlStore
from tischlein.store.sqlite import SqliteStore
from tischlein.words import house_words

TEXT = PAGE.read_text(encoding="utf-8")
ROOT = PAGE.parent.parent


def command(name: str) -> str:
    """Give a command as the page tells it."""
    (found,) = re.findall(rf"^```{name}\n(.*?)\n```$", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def shell(name: str, **environment: str) -> None:
    """Run a command of the page."""
    programs = f"{postgresql_programs()}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = os.environ | {"PATH": programs} | environment
    done = subprocess.run(
        ["bash", "-ec", command(name)], env=env, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_tables_are_the_program_s() -> None:
    assert renewed(TEXT) == TEXT, "run: python -m tests.operate"


def test_every_metric_option_and_command_that_is_named_exists() -> None:
    alone = exposition(House(SqliteStore(":memory:"), Settings()))
    table = TEXT.partition("<!-- metrics -->")[2].partition("<!-- end of metrics -->")[0]
    known = set(re.findall(r"tischlein_\w+", table))
    assert set(re.findall(r"tischlein_\w+", TEXT)) <= known
    assert known - set(re.findall(r"# TYPE (\S+)", alone)) == set(
        re.findall(r"tischlein_\w+", "\n".join(table.strip().splitlines()[-6:]))
    ), "the last six are there only with several servers"
    group: Any = typer.main.get_command(app)
    for line in re.findall(r"(?:`|^)tischlein ([^`\n]+)", TEXT, re.MULTILINE):
        words, found = line.split(), group
        while words and hasattr(found, "commands"):
            found = found.commands[words.pop(0)]
        options = {flag for param in found.params for flag in param.opts}
        assert {word for word in words if word.startswith("--")} <= options, line


def test_the_times_for_which_things_are_kept_are_the_program_s() -> None:
    table = TEXT.partition("<!-- retention -->")[2].partition("<!-- end of retention -->")[0]
    told = re.findall(r"\| (\d+) (days?|minutes)[^|]*\| `(\w+)` = (\d+) \|", table)
    seconds = {"days": 86_400, "day": 86_400, "minutes": 60}
    assert {name for *_, name, _ in told} == {
        "tidy_after", "tidy_unplayed_after", "slow_open_for", "tidy_cups_after", "unload_after",
    }  # fmt: skip
    for number, unit, name, value in told:
        assert getattr(Settings(), name) == int(value) == int(number) * seconds[unit]


def test_players_are_told_what_the_page_says() -> None:
    words = house_words("en").values()
    failures = TEXT.partition("## What players see")[2]
    told = set(re.findall(r'"([^"]+)"', failures))
    assert len(told) == 3
    for sentence in told:
        assert sentence in words, sentence


async def play_moves(people: list[Seat], moves: int) -> None:
    """Let people who sit in the first seats play so many moves, or to the end of the game."""
    while moves and not people[0].state["over"]:
        for seat in people:
            if seat.legal and not seat.state["over"]:
                before = seat.state["seq"]
                await seat.move(random.choice(seat.legal))
                await seat.until(lambda f, n=before: f["type"] == "state" and f["seq"] > n)  # type: ignore[misc]
                moves -= 1
        if not any(seat.legal for seat in people) and not people[0].state["over"]:
            await people[0].frame()


async def begin(url: str) -> Seat:
    """Start a game of one person against a bot, and play some of it."""
    (me,) = await open_table(url, "sushizock", 2)
    await me.connect()
    await start(me)
    await me.until(lambda frame: bool(frame["legal"].get("0")))
    await play_moves([me], 3)
    return me


async def go_on(url: str, me: Seat, log: list[Any]) -> None:
    """Sit down again with the same token, find the game as it was, and play it to its end."""
    again = await Seat(url, me.table, me.seat, me.token).connect()
    assert same_moves(again.state["log"][: len(log)], log)
    await play_moves([again], 1000)
    record = await get(url, f"/api/tables/{me.table}/record")
    assert verify(replay(record.text.splitlines())).agreed > 0
    await again.close()


async def whole_log(url: str, me: Seat) -> list[Any]:
    """Ask anew for all moves so far."""
    watcher = await Seat(url, me.table, me.seat, me.token).connect()
    await watcher.close()
    log: list[Any] = watcher.state["log"]
    return log


async def test_sqlite_is_backed_up_in_mid_game_and_restored(tmp_path: Path) -> None:
    data, backup = tmp_path / "data", tmp_path / "copy.sqlite"
    names = {"DATA": str(data), "BACKUP": str(backup)}

    async with asyncio.timeout(100):
        with server_process(data) as server:
            me = await begin(server.url)
            log = await whole_log(server.url, me)
            assert len(log) > 3
            await asyncio.to_thread(shell, "backup-sqlite", **names)
            await play_moves([me], 2)
            assert len(await whole_log(server.url, me)) > len(log)
            server.kill()
        (data / "tables.sqlite").write_bytes(b"lost")
        await asyncio.to_thread(shell, "restore-sqlite", **names)
        with server_process(data) as server:
            await go_on(server.url, me, log)


async def test_postgresql_is_backed_up_in_mid_game_and_restored(
    tmp_path: Path, postgresql: Postgresql
) -> None:
    backup = str(tmp_path / "copy.dump")

    def database() -> str:
        name = f"d{os.urandom(6).hex()}"
        postgresql.ask(f"CREATE DATABASE {name}")
        return postgresql.address(name)

    async with asyncio.timeout(100):
        first, second = database(), database()
        with server_process(tmp_path, "--store", first) as server:
            me = await begin(server.url)
            log = await whole_log(server.url, me)
            await asyncio.to_thread(
                shell, "backup-postgresql", TISCHLEIN_STORE=first, BACKUP=backup
            )
            await play_moves([me], 2)
        await asyncio.to_thread(shell, "restore-postgresql", TISCHLEIN_STORE=second, BACKUP=backup)
        with server_process(tmp_path, "--store", second) as server:
            await go_on(server.url, me, log)


ONE_TABLE = ("--set", "tables_at_once=1", "--set", "tables_per_minute=0.01")


def test_limits_count_players_not_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx

    monkeypatch.setenv("TISCHLEIN_TRUSTED_PROXIES", "127.0.0.1")
    monkeypatch.setenv("TISCHLEIN_NAMES", "server1 a.example")
    with (
        server_process(tmp_path, *ONE_TABLE) as server,
        httpx.Client(base_url=server.url, timeout=LIMIT, trust_env=False) as client,
    ):

        def opened(player: str, host: str = "a.example") -> int:
            headers = {"X-Forwarded-For": player, "X-Forwarded-Proto": "https", "Host": host}
            body = {"game": "sushizock", "seats": 2, "name": "Mia"}
            return client.post("/api/tables", json=body, headers=headers).status_code

        assert [opened("192.0.2.1"), opened("192.0.2.2"), opened("192.0.2.1")] == [201, 201, 429]
        assert opened("192.0.2.3", "b.example") == 403
        assert opened("192.0.2.3", "server1:8080") == 201


async def test_the_password_of_postgresql_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def reach(address: str) -> None:
        store = PostgresqlStore(address, patience=LIMIT)
        try:
            await store.open()
            assert await store.tables("", 1) == []
        finally:
            await store.close()

    with engines.postgresql() as engine:
        engine.ask("ALTER ROLE postgres PASSWORD 'open sesame'")
        rules = engine.data / "pg_hba.conf"
        rules.write_text("host all all 127.0.0.1/32 scram-sha-256\n")
        engine.stop()
        engine.start()
        monkeypatch.setenv("PGPASSWORD", "open sesame")
        await asyncio.wait_for(reach(engine.address()), 100)
        monkeypatch.setenv("PGPASSWORD", "open barley")
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncio.wait_for(reach(engine.address()), 100)
