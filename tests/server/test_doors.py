"""Nobody is shut out at the door: not by watchers, not by the silent, not by dear calls."""

import asyncio
import contextlib
import gc
import itertools
import logging
import re
import socket
import struct
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import msgspec
import pytest
from bench.load import many_files
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.client import (
    LIMIT,
    Seat,
    get,
    open_table,
    play_to_the_end,
    post,
    server_here,
    server_process,
    settle,
    start,
)
from tests.waiting import until
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server import pages, run
from tischlein.server.connections import Connections, Counted
from tischlein.store.sqlite import SqliteStore
from tischlein.table.settings import RaceRules

SHORT = {"bot_pause": 0.0}


@contextlib.asynccontextmanager
async def served(folder: Path, **limits: Any) -> AsyncIterator[str]:
    """Run a server with limits."""
    async with server_here(House(SqliteStore(folder / "t.sqlite"), Settings(**limits))) as url:
        yield url


def stranger(at: Seat, home: str | None = None) -> Seat:
    """Give somebody who would watch, from an address of this machine."""
    found = Seat(at.url, at.table, None, None)
    found.home = home
    return found


async def watchers(at: Seat, homes: Sequence[str], each: int) -> list[Seat]:
    """Let people watch a table, so many from each address; those who are refused are left out."""
    found = []
    for home, _ in itertools.product(homes, range(each)):
        watcher = stranger(at, home)
        with contextlib.suppress(ConnectionClosed):
            found.append(await watcher.connect())
    return found


async def silent(at: Seat, count: int) -> list[ClientConnection]:
    """Open sockets to a table that never say hello."""
    address = f"{at.url.replace('http', 'ws', 1)}/api/tables/{at.table}/live"
    return [await connect(address, proxy=None, ping_interval=None) for _ in range(count)]


def half_sent(url: str, count: int, text: bytes = b"GET / HTT") -> list[socket.socket]:
    """Begin requests that never come to their end."""
    host, port = url.removeprefix("http://").split(":")
    found = [socket.create_connection((host, int(port)), timeout=LIMIT) for _ in range(count)]
    for line in found:
        line.setblocking(False)
        with contextlib.suppress(OSError):
            line.send(text)
    return found


def is_cut(line: socket.socket) -> bool:
    """Say whether the server has closed a connection."""
    try:
        return line.recv(65536) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


async def ping(seat: Seat) -> float:
    """Measure how long a seat waits for the answer to a ping, in seconds."""
    begun = time.perf_counter()
    await seat.send({"type": "ping", "t0": begun})
    await seat.until(lambda frame: frame["type"] == "pong" and frame["t0"] == begun)
    return time.perf_counter() - begun


def hang_up(seat: Seat) -> None:
    """Cut a line without a word."""
    assert seat.socket is not None
    seat.socket.transport.abort()


async def close_reason(seat: Seat) -> tuple[int, str]:
    """Read to the end of a line, and tell how it was closed."""
    with pytest.raises(ConnectionClosed) as closed:
        await seat.until(lambda frame: False)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


# Lines to a table


async def test_a_player_comes_back_to_a_table_full_of_watchers(tmp_path: Path) -> None:
    """Else: her line breaks once, two hundred watch, and a bot plays her game to its end."""
    async with served(tmp_path, watchers_per_table=30, watchers_per_address=5, **SHORT) as url:
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        await start(me)
        crowd = await watchers(me, [f"127.0.0.{n}" for n in range(2, 12)], 5)
        hang_up(me)
        begun = time.perf_counter()
        await me.connect()
        assert time.perf_counter() - begun < 10, "at most a second where nothing else goes on"
        assert me.state["seat"] == 0
        assert me.state["table"]["watchers"] == len(crowd) == 30
        for watcher in crowd:
            hang_up(watcher)
        await play_to_the_end([me])


async def test_one_house_cannot_take_all_places_of_watchers(tmp_path: Path) -> None:
    """Else: one stranger with a loop keeps grandmother from watching."""
    async with served(tmp_path, watchers_per_table=8, watchers_per_address=3) as url:
        (me,) = await open_table(url, "sushizock", 2)
        assert len(await watchers(me, ["127.0.0.2"], 5)) == 3
        late = stranger(me, "127.0.0.2")
        with pytest.raises(ConnectionClosed) as closed:
            await late.connect()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4429
        assert "from here" in closed.value.rcvd.reason
        assert len(await watchers(me, ["127.0.0.3"], 1)) == 1


async def test_the_screen_at_home_comes_back_though_strangers_fill_the_table(
    tmp_path: Path,
) -> None:
    """Else: strangers watch, the television loses its line, and the family sits before nothing."""
    async with served(tmp_path, watchers_per_table=4, watchers_per_address=2) as url:
        (me,) = await open_table(url, "sushizock", 2)
        me.home = "127.0.0.9"
        await me.connect()
        assert len(await watchers(me, ["127.0.0.2", "127.0.0.3", "127.0.0.4"], 2)) == 4
        assert (await stranger(me, "127.0.0.9").connect()).state["table"]["watchers"] == 5
        with pytest.raises(ConnectionClosed):
            await stranger(me, "127.0.0.5").connect()


async def test_the_ninth_line_of_a_seat_ends_the_oldest(tmp_path: Path) -> None:
    """Else: nine forgotten tabs, and the new phone is refused; or one seat holds every file."""
    async with served(tmp_path) as url:
        (me,) = await open_table(url, "sushizock", 2)
        lines = [Seat(url, me.table, 0, me.token) for _ in range(9)]
        for line in lines:
            await line.connect()
        code, reason = await close_reason(lines[0])
        assert (code, "too many places" in reason) == (4429, True)
        for line in lines[1:]:
            await ping(line)
        assert lines[-1].state["seat"] == 0


async def test_a_seat_gets_in_though_its_house_is_full_of_silent_sockets(tmp_path: Path) -> None:
    """Else: a neighbour behind the same address opens sockets and says nothing, and she is out."""
    limits = {"connections_per_address": 40, "handshakes_at_once": 20}
    async with served(tmp_path, **limits, handshakes_per_second=10_000.0) as url:
        (me,) = await open_table(url, "sushizock", 2)
        lines = await silent(me, 60)
        await me.connect()
        await ping(me)
        more = await silent(me, 60)
        await ping(me)
        await me.close()
        await me.connect()
        await ping(me)
        for line in (*lines, *more):
            line.transport.abort()


async def test_a_seat_gets_in_though_its_house_is_full_of_watchers(tmp_path: Path) -> None:
    """Else: a school behind one address watches, and those who play are shut out."""
    async with served(tmp_path, connections_per_address=12, watchers_per_address=100) as url:
        (me,) = await open_table(url, "sushizock", 2)
        crowd = await watchers(me, ["127.0.0.1"], 15)
        await me.connect()
        await ping(me)
        with pytest.raises(ConnectionClosed):
            await crowd[0].until(lambda frame: False)


async def test_handshakes_are_limited_and_the_next_still_gets_in(tmp_path: Path) -> None:
    """Else: somebody shakes hands a thousand times a second, and every table stands still."""
    async with served(tmp_path, handshakes_at_once=30, handshakes_per_second=5.0) as url:
        (me,) = await open_table(url, "sushizock", 2)
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{me.table}/live"
        tries = [connect(address, proxy=None, ping_interval=None) for _ in range(120)]
        found = await asyncio.gather(*tries, return_exceptions=True)
        refused = [one for one in found if isinstance(one, InvalidStatus)]
        assert {one.response.status_code for one in refused} == {429}
        assert len(refused) >= 50
        await me.connect()
        await ping(me)


async def test_who_says_no_hello_is_let_go(tmp_path: Path) -> None:
    """Else: sockets that say nothing pile up for as long as their owners like."""
    async with served(tmp_path, hello_within=0.05) as url:
        (me,) = await open_table(url, "sushizock", 2)
        (line,) = await silent(me, 1)
        await asyncio.wait_for(line.wait_closed(), LIMIT)
        assert line.close_code == 1008


async def test_who_gives_up_a_seat_is_a_watcher_and_gives_way(tmp_path: Path) -> None:
    """Else: one sits down, opens lines, gets up, again and again, and holds every place."""
    async with served(tmp_path, watchers_per_address=2) as url:
        one, two = await open_table(url, "sushizock", 2, people=2)
        lines = [Seat(url, two.table, 1, two.token) for _ in range(2)]
        for line in lines:
            await line.connect()
        await post(url, f"/api/tables/{two.table}/leave", seat=two)
        with pytest.raises(ConnectionClosed):
            await stranger(one).connect()


# Connections


async def test_half_sent_requests_at_1024_files_shut_nobody_out(tmp_path: Path) -> None:
    """Else: eleven hundred half-sent requests, and nobody else is served until they end."""
    many_files()
    with server_process(tmp_path, files=1024) as server:
        (me,) = await open_table(server.url, "sushizock", 2)
        await me.connect()
        flood = half_sent(server.url, 1100)
        await start(me)
        await play_to_the_end([me])
        assert (await get(server.url, f"/api/tables/{me.table}/record")).status_code == 200
        (other,) = await open_table(server.url, "sushizock", 2)
        await other.connect()
        for line in flood:
            line.close()
    assert "connections fit" in (tmp_path / "server.log").read_text()


async def test_one_address_cannot_have_every_connection(tmp_path: Path) -> None:
    """Else: one stranger's idle connections use up the server; the oldest of his must give way."""
    async with served(tmp_path, connections_per_address=20, **SHORT) as url:
        (me,) = await open_table(url, "sushizock", 2)
        me.home = "127.0.0.2"
        await me.connect()
        flood = half_sent(url, 50)
        await until(lambda: sum(map(is_cut, flood)) >= 30)
        assert not is_cut(flood[-1]), "the oldest give way"
        await start(me)
        await play_to_the_end([me])


@pytest.mark.parametrize("text", [b"", b"GET /", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-"])
async def test_a_head_that_does_not_end_is_not_waited_for(tmp_path: Path, text: bytes) -> None:
    """Else: whoever sends a sign a minute keeps a connection for ever."""
    async with served(tmp_path, head_within=0.2) as url:
        (line,) = half_sent(url, 1, text)

        def feed() -> bool:
            with contextlib.suppress(OSError):
                line.send(b"x" if text else b"")
            return is_cut(line)

        await until(feed)


async def test_blank_lines_between_requests_keep_no_connection(tmp_path: Path) -> None:
    """Else: an empty line after each answer, and the connection is never idle for long enough."""
    async with served(tmp_path, head_within=0.2) as url:
        (line,) = half_sent(url, 1, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answered = bytearray()

        def read() -> bool:
            with contextlib.suppress(OSError):
                answered.extend(line.recv(65536))
            return answered.endswith(b"}")

        await until(read)

        def feed() -> bool:
            with contextlib.suppress(OSError):
                line.send(b"\r\n")
            return is_cut(line)

        await until(feed)


async def test_an_endless_head_is_refused(tmp_path: Path) -> None:
    """Else: one header of gigabytes, and the memory of everybody's tables is gone."""
    async with served(tmp_path) as url:
        reader, writer = await asyncio.open_connection(*url.removeprefix("http://").split(":"))
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        with contextlib.suppress(ConnectionError):
            for _ in range(400):
                writer.write(b"x" * 10_000)
                await asyncio.wait_for(writer.drain(), LIMIT)
        assert writer.transport.is_closing() or not await asyncio.wait_for(cut(reader), LIMIT)


UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"


async def to_the_end(url: str, text: bytes) -> bytes:
    """Send something, and read until the server closes the connection."""
    reader, writer = await asyncio.open_connection(*url.removeprefix("http://").split(":"))
    writer.write(text)
    try:
        return await asyncio.wait_for(reader.read(), LIMIT)
    finally:
        writer.transport.abort()


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a:b\r\n" * 2000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a:b\r\n" * 200 + UPGRADE + b"\r\n",
    ],
)
async def test_a_head_that_nobody_needs_is_refused_at_once(tmp_path: Path, head: bytes) -> None:
    """Else: thousands of tiny headers take up half a megabyte a connection, and all fall over.

    As handshakes they were never answered, and kept their connections for good.
    """
    async with served(tmp_path) as url:
        assert (await to_the_end(url, head)).startswith(b"HTTP/1.1 400 ")


async def test_a_handshake_that_comes_to_nothing_keeps_no_connection(tmp_path: Path) -> None:
    """Else: a thousand handshakes that are none stay for ever, each with an open file."""
    async with served(tmp_path, head_within=0.2, hello_within=0.2) as url:
        path = b"POST /api/tables/aaaaaaaaaaaa/live HTTP/1.1\r\nHost: localhost\r\n"
        key = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: 5\r\n\r\nhello"
        with contextlib.suppress(ConnectionError):
            assert await to_the_end(url, path + UPGRADE + key) == b""


async def test_what_was_cut_off_is_forgotten_at_once(tmp_path: Path) -> None:
    """Else: who hangs up on every answer fills two gigabytes in nine seconds, and all are gone."""

    def kept() -> int:
        gc.collect()
        return sum(isinstance(found, Counted) for found in gc.get_objects())

    house = House(SqliteStore(tmp_path / "t.sqlite"))
    async with server_here(house, timeout_keep_alive=10_000) as url:
        before = kept()
        for _ in range(20):
            reader, writer = await asyncio.open_connection(*url.removeprefix("http://").split(":"))
            writer.write(b"GET /" + b"a" * 7000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await asyncio.wait_for(reader.read(1), LIMIT)
            line = writer.transport.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        del reader, writer, line
        await until(lambda: kept() <= before)


async def test_a_wrong_address_is_not_told_again_at_length(tmp_path: Path) -> None:
    """Else: each request for nothing is answered with as much as was sent."""
    async with served(tmp_path) as url:
        answer = await get(url, "/" + "a" * 7000)
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
        assert len(answer.content) < 300


async def cut(reader: asyncio.StreamReader) -> bytes:
    """Read to the end; what comes after a refusal."""
    with contextlib.suppress(ConnectionError):
        return (await reader.read()).partition(b"too long.")[2]
    return b""


async def test_thousands_of_requests_in_one_breath_are_refused(tmp_path: Path) -> None:
    """Else: one packet of six thousand tiny requests, and every table waits for all of them."""
    async with served(tmp_path) as url:
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        reader, writer = await asyncio.open_connection(*url.removeprefix("http://").split(":"))
        writer.write(b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n" * 6000)
        answered = bytearray()
        with contextlib.suppress(ConnectionError):
            while more := await asyncio.wait_for(reader.read(65536), LIMIT):
                answered += more
        assert answered.count(b"HTTP/1.1 ") < 1000
        await ping(me)


async def test_a_body_that_does_not_come_is_answered_in_time(tmp_path: Path) -> None:
    """Else: requests that promise a body and never send it stay open for ever."""
    async with served(tmp_path, body_within=0.2) as url:
        reader, writer = await asyncio.open_connection(*url.removeprefix("http://").split(":"))
        writer.write(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
        answer = await asyncio.wait_for(reader.read(), LIMIT)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"too_slow" in answer


async def test_who_does_not_read_the_answers_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else: who asks and never reads holds a connection, and what was made for it, for ever."""
    found: list[Connections] = []

    def noted(*args: Any) -> Connections:
        found.append(Connections(*args))
        return found[0]

    monkeypatch.setattr(run, "Connections", noted)
    (tmp_path / "assets").mkdir()
    with (tmp_path / "assets" / "large.bin").open("wb") as large:
        large.truncate(50_000_000)
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    async with served(tmp_path, slowest_reader=0.2) as url:
        ask = b"GET /assets/large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n"
        host, port = url.removeprefix("http://").split(":")
        with socket.socket() as line:
            line.connect((host, int(port)))
            line.sendall(ask)
            await until(lambda: found[0].count == 1)
            await until(lambda: found[0].count == 0)


# Dear calls


async def status(url: str, path: str, home: str) -> int:
    """Ask the server from an address of this machine, and give the status of its answer."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(home, 0))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), LIMIT)
    writer.close()
    return int(answer.split()[1])


async def qr_codes(url: str, count: int, homes: Sequence[str]) -> list[int]:
    """Ask for QR codes of long links, none like another, all at once."""

    async def ask(number: int) -> int:
        text = f"{url}/t/{number:04}".ljust(300, "x")
        return await status(url, f"/api/qr?text={text}", homes[number % len(homes)])

    return await asyncio.gather(*(ask(number) for number in range(count)))


async def test_pings_are_answered_during_a_burst_of_qr_codes(tmp_path: Path) -> None:
    """Else: somebody asks for 400 QR codes, and every hand at every table waits for 8 seconds."""
    with server_process(tmp_path, "--set", "dear_at_once=60") as server:
        (me,) = await open_table(server.url, "sushizock", 2)
        await me.connect()
        asked = asyncio.create_task(
            qr_codes(server.url, 60, [f"127.0.0.{n + 1}" for n in range(5)])
        )
        waits = [await ping(me)]
        while not asked.done():
            waits.append(await ping(me))
        assert {200} <= set(await asked) <= {200, 429}
        assert len(waits) > 10, "while codes are drawn, hands are served"
        assert max(waits) < 10, "100 ms where nothing else goes on"


async def test_dear_calls_of_one_house_are_limited_and_others_not(tmp_path: Path) -> None:
    """Else: one loop keeps the server drawing, and no phone gets the code to join."""
    async with served(tmp_path, dear_at_once=5, dear_per_second=0.001) as url:
        found = await qr_codes(url, 9, ["127.0.0.1"])
        assert sorted(found) == [200] * 5 + [429] * 4
        assert await qr_codes(url, 1, ["127.0.0.2"]) == [200]
        assert (await get(url, "/api/games")).status_code == 200, "what is cheap goes on"
        for what in ("record", "replay", "coach", "hint"):
            assert (await get(url, f"/api/tables/x/{what}")).status_code == 429


async def test_a_family_with_five_phones_never_feels_the_limit(tmp_path: Path) -> None:
    """Else: the limit that keeps strangers out keeps a family from its own game."""
    async with served(tmp_path, **SHORT) as url:
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        await start(me)
        await play_to_the_end([me])
        table = f"/api/tables/{me.table}"
        wanted = [f"/api/qr?text={url}/t/{me.table}", f"{table}/replay", f"{table}/record"]
        wanted += [f"{table}/coach"] * 5
        async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as phones:
            for path in wanted * 5:
                assert (await phones.get(path)).status_code in (200, 202), path


async def test_a_replay_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else: everybody who looks at the game again makes all tables wait."""
    from tischlein.server import app

    make = Mock(side_effect=app.all_positions)
    monkeypatch.setattr(app, "all_positions", make)
    async with served(tmp_path, **SHORT) as url:
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        await start(me)
        await play_to_the_end([me])
        path = f"/api/tables/{me.table}/replay"
        found = await asyncio.gather(*(get(url, path) for _ in range(8)))
        assert len({answer.text for answer in found}) == 1
        assert len(found[0].json()["positions"]) > 10
        assert make.call_count == 1


async def test_a_file_of_the_page_is_packed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else: a thousand requests for the page's program freeze every table while it is packed."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "program.js").write_text("let a = 1;\n" * 1000)
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    pack = Mock(side_effect=pages.pack)
    monkeypatch.setattr(pages, "pack", pack)
    async with served(tmp_path) as url:
        found = [await get(url, "/assets/program.js", Accept_Encoding="gzip") for _ in range(3)]
        plain = await get(url, "/assets/program.js", **{"Accept-Encoding": "identity"})
    for answer in found:
        assert answer.headers.get("content-encoding") in ("gzip", None)
        assert answer.text == plain.text
    assert found[0].headers["content-encoding"] == "gzip"
    assert pack.call_count == 1


async def test_health_asks_the_store_once_a_second_and_is_limited(tmp_path: Path) -> None:
    """Else: a loop on /healthz keeps the store busy, and every move waits for it."""
    house = House(
        SqliteStore(tmp_path / "t.sqlite"), Settings(checks_per_second=0.001, checks_at_once=20)
    )
    asked = 0
    tables = house.store.tables

    async def counted(*args: Any) -> Any:
        nonlocal asked
        asked += 1
        return await tables(*args)

    house.store.tables = counted  # type: ignore[method-assign,assignment]
    async with server_here(house) as url:
        before = asked
        begun = time.monotonic()
        found = [(await get(url, "/healthz")).status_code for _ in range(25)]
        assert asked - before <= 2 + (time.monotonic() - begun)
        assert found == [200] * 20 + [429] * 5
        assert (await get(url, "/metrics")).status_code == 429
        assert (await get(url, "/healthz", "127.0.0.2")).status_code == 200


async def test_names_that_no_table_has_never_reach_the_store(tmp_path: Path) -> None:
    """Else: a flood of nonsense names is a flood of questions to the store."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    asked: list[str] = []
    load = house.store.load

    async def noted(table: str, after: int = 0) -> Any:
        asked.append(table)
        return await load(table, after)

    house.store.load = noted  # type: ignore[method-assign]
    async with server_here(house) as url:
        for name in ("x", "abcdefghjkm", "ABCDEFGHJKMN", "%2e%2e", "a" * 500, "abcdefghjkmn1"):
            assert (await get(url, f"/api/tables/{name}")).status_code == 404
        assert asked == []
        assert (await get(url, "/api/tables/abcdefghjkmn")).status_code == 404
        assert asked == ["abcdefghjkmn"]


# What nobody is told


def number(metrics: str, name: str) -> float:
    """Read a number."""
    (found,) = re.findall(rf"^tischlein_{name} (\S+)$", metrics, re.MULTILINE)
    return float(found)


async def test_metrics_do_not_tell_what_somebody_did_in_an_open_race(tmp_path: Path) -> None:
    """Else: a rival reads whether she grabbed and named or slapped, while he may still act."""
    rules = RaceRules(lead_ms=10.0, pause_ms=0.0)
    told = []
    for deeds in (["slap"], ["grab", "name"]):
        folder = tmp_path / deeds[0]
        folder.mkdir()
        async with served(folder, bot_pause=0.0, race=rules) as url:
            people = await open_table(url, "kakerlaken", 3, people=3, options={"race_ms": 30_000})
            for seat in people:
                await seat.connect()
            await start(people[0])
            me = people[1]
            await me.until(lambda frame: bool(frame.get("legal")))
            before = (await get(url, "/metrics")).text
            for at, what in enumerate(deeds, start=4):
                grab = next((move for move in me.legal if move["do"] == what), {})
                move = wrong_slap(me) if what == "slap" else grab
                await me.move({**move, "at": 100.0 * at})
                await me.until(lambda frame, n=what: deed_is_told(frame, n))  # type: ignore[misc]
            await me.move({"do": "slap", "tile": ["rice", "red"], "at": 900.0})
            await me.until(lambda frame: frame["type"] == "refused")
            await settle(*people)
            after = (await get(url, "/metrics")).text
            told.append([line for line in after.splitlines() if line not in before.splitlines()])
    assert told[0] == told[1] == []


def wrong_slap(seat: Seat) -> dict[str, Any]:
    """Find a slap that ends no race: a right one would, for all to see."""
    roll = seat.state["view"]["roll"]
    return next(move for move in seat.legal if move["do"] == "slap" and move["tile"] != roll)


def deed_is_told(frame: dict[str, Any], what: str) -> bool:
    """Say whether a frame tells of a deed of one's own."""
    return any(move.get("do") == what for move in frame.get("log", []))


async def test_deeds_are_counted_when_the_race_is_over(tmp_path: Path) -> None:
    rules = RaceRules(lead_ms=10.0, pause_ms=0.0)
    async with served(tmp_path, bot_pause=0.0, race=rules) as url:
        people = await open_table(url, "kakerlaken", 2, people=2)
        for seat in people:
            await seat.connect()
        await start(people[0])
        await play_to_the_end(people)
        record = (await get(url, f"/api/tables/{people[0].table}/record")).text
        moves = sum("by" in msgspec.json.decode(line) for line in record.splitlines())
        metrics = (await get(url, "/metrics")).text
        assert number(metrics, "moves_total") == moves
        assert number(metrics, "race_uncertainty_ms_count") > 0


async def test_the_log_does_not_tell_either(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Else: who looks at the server's log while playing knows who has grabbed."""
    rules = RaceRules(lead_ms=10.0, pause_ms=0.0)
    with caplog.at_level(logging.DEBUG, "tischlein.table"):
        async with served(tmp_path, bot_pause=0.0, race=rules) as url:
            people = await open_table(url, "kakerlaken", 3, people=3, options={"race_ms": 30_000})
            for seat in people:
                await seat.connect()
            await start(people[0])
            me = people[1]
            await me.until(lambda frame: bool(frame.get("legal")))
            caplog.clear()
            await me.move({**wrong_slap(me), "at": 400.0})
            await me.until(lambda frame: deed_is_told(frame, "slap"))
            assert not [line for line in caplog.messages if "moved" in line]


async def test_metrics_are_for_this_machine_or_for_who_has_the_token(tmp_path: Path) -> None:
    """Else: every stranger reads how many play here, and when."""
    async with served(tmp_path, metrics_token="open sesame") as url:
        assert (await get(url, "/metrics")).status_code == 200
        for header in ("X-Forwarded-For", "Forwarded"):
            refused = await get(url, "/metrics", **{header: "127.0.0.1"})
            assert refused.status_code == 403
            assert refused.json()["error"] == "no_metrics"
            with_token = {header: "192.0.2.1", "Authorization": "Bearer open sesame"}
            assert (await get(url, "/metrics", **with_token)).status_code == 200
            wrong = {header: "192.0.2.1", "Authorization": "Bearer open"}
            assert (await get(url, "/metrics", **wrong)).status_code == 403


async def test_every_answer_keeps_browsers_from_guessing(tmp_path: Path) -> None:
    """Else: a browser takes a name somebody chose for a program, or keeps a table for the next."""
    async with served(tmp_path) as url:
        (me,) = await open_table(url, "sushizock", 2)
        table = f"/api/tables/{me.table}"
        asked = [
            await get(url, path)
            for path in ("/", "/api/games", table, f"{table}/record", "/api/nothing", "/healthz",
                         "/metrics", "/api/qr", "/nothing", "/icon.svg", "/assets/none.js",
                         "/api/openapi.json", f"/api/qr?text={url}")
        ]  # fmt: skip
        asked.append(await post(url, "/api/games"))
        asked.append(await post(url, f"{table}/start"))
        asked.append(await get(url, table, Origin="https://evil.example"))
        asked.append(await get(url, table, Host="evil.example"))
        for answer in asked:
            assert answer.headers["x-content-type-options"] == "nosniff", answer.url
            assert "content-security-policy" in answer.headers
            if table in str(answer.url):
                assert answer.headers["cache-control"] == "no-store"


async def test_a_client_that_asks_once_a_second_is_never_refused(tmp_path: Path) -> None:
    """The limits of handshakes and calls are far from what people do."""
    async with served(tmp_path) as url:
        (me,) = await open_table(url, "sushizock", 2)
        async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
            for _ in range(60):
                assert (await client.get(f"/api/tables/{me.table}")).status_code == 200
        for _ in range(40):
            await me.connect()
            await me.close()


@pytest.mark.parametrize("frame", [b"\x89\x80", b"\x8a\x80", b"\x81\x80"])
async def test_a_flood_of_tiny_frames_ends_its_own_line_alone(tmp_path: Path, frame: bytes) -> None:
    """Else: five lines send frames that nobody counts, and all tables stand for seconds."""
    async with served(tmp_path) as url:
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        watcher = await stranger(me).connect()
        assert watcher.socket is not None
        watcher.socket.transport.write((frame + bytes(4)) * 50_000)
        code, reason = await close_reason(watcher)
        assert code == 4429, reason
        await ping(me)


async def test_what_comes_in_many_pieces_is_read_in_order(tmp_path: Path) -> None:
    """Else: a long frame beside short ones is taken for something else."""
    async with served(tmp_path, frames_at_once=2000) as url:
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        for number in range(100):
            long = {"type": "ping", "t0": number, "echo": None, "more": "x" * (number % 7 * 2000)}
            await me.send(long)
        answered = [(await me.until(lambda f: f["type"] == "pong"))["t0"] for _ in range(100)]
        assert answered == list(range(100))
