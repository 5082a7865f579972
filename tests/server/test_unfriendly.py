"""Unfriendly input: the table and the others notice nothing, and each gets a clear refusal."""

import asyncio
import contextlib
import json
import logging
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.server.client import (
    LIMIT,
    Seat,
    ServerProcess,
    get,
    open_table,
    play_to_the_end,
    post,
    server_here,
    start,
)
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
move_like = st.fixed_dictionaries(
    {"do": st.sampled_from(["keep", "take", "steal", "forced", "deal", "roll", "play", "time"])},
    optional={
        "dice": anything, "row": anything, "pile": anything, "from": anything, "depth": anything,
        "card": anything, "cards": anything, "at": anything, "tile": anything,
    },
)  # fmt: skip
frames = st.one_of(
    anything,
    st.fixed_dictionaries({"type": st.sampled_from(["move", "ping", "hello", "state", "pong"])}),
    st.fixed_dictionaries({"type": st.just("move"), "id": st.text(max_size=9), "move": move_like}),
    st.fixed_dictionaries({"type": st.just("move"), "id": anything, "move": anything}),
    st.fixed_dictionaries({"type": st.just("ping"), "t0": anything, "echo": anything}),
)


async def raw(seat: Seat, text: str | bytes) -> None:
    """Send something that may not even be JSON."""
    assert seat.socket is not None
    await asyncio.wait_for(seat.socket.send(text), LIMIT)


async def answers(seat: Seat) -> dict[str, Any]:
    """Show that the line still works."""
    await seat.send({"type": "ping", "t0": 5.0})
    return await seat.until(lambda frame: frame["type"] == "pong")


async def closing(seat: Seat, frames: list[str]) -> int | None:
    """Send frames until the server has enough; give the code with which it closes."""
    try:
        for frame in frames:
            await raw(seat, frame)
        async with asyncio.timeout(LIMIT):
            while True:
                await seat.frame()
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def test_fuzzed_frames_harm_nobody(server: ServerProcess) -> None:
    """A player sends nonsense; the state that all see stays legal, and the game can be played."""

    async def prepare() -> tuple[Seat, Seat]:
        one, two = await open_table(server.url, "sushizock", 2, people=2, options={"starter": 1})
        await one.connect()
        await two.connect()
        await start(one)
        await two.until(lambda frame: bool(frame.get("legal")))
        return one, two

    with asyncio.Runner() as runner:
        one, two = runner.run(prepare())
        before = two.state["view"]

        @settings(
            max_examples=150, deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture],
        )  # fmt: skip
        @given(frame=frames)
        def fuzz(frame: Any) -> None:
            async def send() -> None:
                await raw(one, json.dumps(frame))
                await answers(one)

            runner.run(send())

        fuzz()

        async def after() -> None:
            assert any(frame["type"] == "refused" for frame in one.frames)
            assert all(f["reason"] for f in one.frames if f["type"] == "refused")
            again = await Seat(server.url, two.table, 1, two.token).connect()
            assert again.state["view"] == before
            await one.close()
            await two.close()
            fresh = Seat(server.url, one.table, 0, one.token)
            await play_to_the_end([await fresh.connect(), again])

        runner.run(after())


@pytest.mark.parametrize(
    "text",
    ["", "{", "nonsense", "[" * 5000, '{"type":"move"}', '{"type":"move","id":"x"}', "\x00",
     "é" * 99,
     '{"type":"move","id":"' + "x" * 65 + '","move":{}}', '{"type":"ping","t0":1e999}',
     '{"type":"move","id":"x","move":' + "[" * 2000 + "]" * 2000 + "}", b"\xff\xfe\xfd"],
)  # fmt: skip
async def test_malformed_frames_are_refused_and_the_line_stays(
    server: ServerProcess, text: str | bytes
) -> None:
    (me,) = await open_table(server.url, "sushizock", 2)
    await me.connect()
    await raw(me, text)
    refused = await me.until(lambda frame: frame["type"] == "refused")
    assert refused["reason"]
    await answers(me)
    await me.close()


async def test_a_frame_that_is_too_large_ends_the_line_only(server: ServerProcess) -> None:
    one, two = await open_table(server.url, "sushizock", 2, people=2)
    await one.connect()
    await two.connect()
    assert await closing(one, ["x" * 1_000_000]) == 1009
    await answers(two)
    assert (await get(server.url, "/healthz")).status_code == 200


@pytest.mark.parametrize("kind", ["move", "ask"])
async def test_nobody_is_sent_back_a_large_move_twice(server: ServerProcess, kind: str) -> None:
    """Who sends much and reads nothing would let the server keep double of it."""
    (me,) = await open_table(server.url, "sushizock", 2)
    await me.connect()
    await start(me)
    await me.send({"type": kind, "id": "large", "move": {"do": "x" * 15_000}})
    no = await me.until(lambda frame: frame.get("id") == "large")
    assert no["code"] == "not_a_move"
    assert len(str(no)) < 1000


async def test_a_flood_of_frames_is_stopped(tmp_path: Path) -> None:
    limits = Settings(bot_pause=0.0, frames_at_once=20, frames_per_second=0.1)
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), limits)) as url:
        one, two = await open_table(url, "sushizock", 2, people=2)
        await one.connect()
        await two.connect()
        assert await closing(one, ['{"type":"ping","t0":1}'] * 400) == 4429
        assert any(frame.get("code") == "too_fast" for frame in one.frames)
        await answers(two)


async def test_a_flood_of_tables_is_limited(tmp_path: Path) -> None:
    limits = Settings(bot_pause=0.0, tables_at_once=5, tables_per_minute=0.01)
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), limits)) as url:
        body = {"game": "sushizock", "seats": 2, "name": "x"}
        found = [(await post(url, "/api/tables", body)) for _ in range(9)]
        assert [answer.status_code for answer in found] == [201] * 5 + [429] * 4
        assert found[-1].json()["error"] == "too_many_tables"
        assert (await get(url, "/api/games")).status_code == 200


async def test_a_flood_of_guests_is_limited(tmp_path: Path) -> None:
    """Who sat down and got up all night let a table's book grow until it took long to read."""
    limits = Settings(bot_pause=0.0, tables_at_once=5, tables_per_minute=0.01)
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), limits)) as url:
        host, _ = await open_table(url, "sushizock", 3, people=2, bots={})
        path = f"/api/tables/{host.table}"
        found = []
        for _ in range(6):
            sat = await post(url, f"{path}/seats", {"name": "again"})
            found.append(sat.status_code)
            if sat.status_code == 201:
                guest = Seat(url, host.table, sat.json()["seat"], sat.json()["token"])
                assert (await post(url, f"{path}/leave", seat=guest)).status_code == 200
        assert found == [201] * 3 + [429] * 3


async def test_too_many_calls_and_sockets_are_limited(tmp_path: Path) -> None:
    limits = Settings(calls_at_once=10, calls_per_second=0.001, watchers_per_table=3)
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), limits)) as url:
        (me,) = await open_table(url, "sushizock", 2)
        watchers = [Seat(url, me.table, None, None) for _ in range(4)]
        for watcher in watchers[:3]:
            await watcher.connect()
        with pytest.raises(ConnectionClosed):
            await watchers[3].connect()
        statuses = [(await get(url, "/api/games")).status_code for _ in range(20)]
        assert statuses.count(429) >= 10
        assert (await get(url, "/healthz")).status_code == 200


async def test_a_slow_reader_gets_fewer_frames_and_stops_nobody(tmp_path: Path) -> None:
    limits = Settings(bot_pause=0.0, slowest_reader=1.0)
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), limits)) as url:
        (me,) = await open_table(url, "buffet", 4)
        await me.connect()
        sleeper = Seat(url, me.table, None, None)
        await sleeper.connect()
        assert sleeper.socket is not None
        sleeper.socket.transport.pause_reading()
        await start(me)
        await play_to_the_end([me])
        assert me.state["over"] is True
        sleeper.socket.transport.resume_reading()
        await sleeper.until(lambda frame: bool(frame.get("over")))
        told = [move for frame in sleeper.frames for move in frame.get("log", [])]
        assert len(told) == sleeper.state["seq"], "fewer frames, but every move"


async def test_half_open_and_silent_sockets_hold_nothing_up(server: ServerProcess) -> None:
    (me,) = await open_table(server.url, "sushizock", 2)
    silent = []
    endless = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n{"
    for text in (b"", b"GET /api/tables/x/live HTTP/1.1\r\n", b"\x00\xff\x00", endless):
        line = socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT)
        line.sendall(text)
        silent.append(line)
    await me.connect()
    await start(me)
    await play_to_the_end([me])
    for line in silent:
        with contextlib.suppress(OSError):
            line.close()


async def test_who_hangs_up_in_the_middle_of_a_request_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), Settings())) as url:
            host, port = url.removeprefix("http://").split(":")
            half = (b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n"
                    b"Expect: 100-continue\r\n\r\n")  # fmt: skip
            for _ in range(3):
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(half)
                assert b"100 Continue" in await reader.readline(), "it waits for the rest"
                writer.write(b'{"g')
                writer.transport.abort()
            assert (await get(url, "/healthz")).status_code == 200
    assert not [record.message for record in caplog.records]


async def test_guessed_tokens_hold_no_seat(server: ServerProcess) -> None:
    (me,) = await open_table(server.url, "sushizock", 2)
    path = f"/api/tables/{me.table}/start"
    token = me.token or ""
    for guess in ("x", token[:-1], token + "x", token.swapcase(), "null", "0" * 43):
        stranger = Seat(server.url, me.table, 0, guess)
        async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
            answer = await client.post(path, json={}, headers=stranger.auth, timeout=LIMIT)
        assert answer.status_code == 401


def test_the_server_keeps_its_own_description(server: ServerProcess) -> None:
    """What the OpenAPI document promises holds for generated requests, good and bad."""
    document = asyncio.run(get(server.url, "/api/openapi.json")).json()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=server.url)
    tried = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]  # an error here fails the test

        @settings(
            max_examples=12, derandomize=True,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def call(case: Any) -> None:
            answer = case.call(timeout=LIMIT)
            assert answer.status_code < 500, (case.method, case.path, answer.text)
            assert str(answer.status_code) in case.operation.definition.raw["responses"]
            case.validate_response(
                answer, excluded_checks=[schemathesis.checks.positive_data_acceptance]
            )

        call()
        tried += 1
    assert tried == sum(len(calls) for calls in document["paths"].values())
