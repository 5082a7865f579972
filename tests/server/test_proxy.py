"""Behind a proxy: whose word is taken, and what cannot be right is refused."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.program import run
from tests.server.client import LIMIT, Seat, get, open_table, server_here
from tischlein.game import BadStart
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.proxy import Forwarded, proxies_of
from tischlein.store.sqlite import SqliteStore

PROXY = "127.0.0.77"
TABLE = {"game": "sushizock", "seats": 2, "name": "Mia"}


async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass everything on."""
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@contextlib.asynccontextmanager
async def proxied(url: str) -> AsyncIterator[str]:
    """Run a proxy that notes at the end of X-Forwarded-For where a connection comes from."""
    _, port = url.removeprefix("http://").split(":")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", int(port), local_addr=(PROXY, 0))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()[:-4].split("\r\n")
            known = [line for line in head if line.lower().startswith("x-forwarded-for:")]
            before = "".join(line.partition(":")[2].strip() + ", " for line in known)
            caller = writer.get_extra_info("peername")[0]
            rest = [line for line in head if line not in known]
            noted = [*rest, f"X-Forwarded-For: {before}{caller}", "X-Forwarded-Proto: https"]
            outer.write("\r\n".join([*noted, "", ""]).encode())
            await asyncio.gather(pipe(reader, outer), pipe(inner, writer))
        outer.close()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


@contextlib.asynccontextmanager
async def behind(folder: Path, *trusted: str, **limits: Any) -> AsyncIterator[tuple[str, str]]:
    """Run a server and a proxy before it; give the addresses of both."""
    house = House(SqliteStore(folder / "t.sqlite"), Settings(**limits))
    async with server_here(house, proxies_of(trusted, {})) as url, proxied(url) as proxy:
        yield url, proxy


async def opened(url: str, home: str, **headers: str) -> int:
    """Open a table from an address of this machine; give the status of the answer."""
    way = httpx.AsyncHTTPTransport(local_address=home)
    async with httpx.AsyncClient(
        base_url=url, timeout=LIMIT, trust_env=False, transport=way
    ) as client:
        told = headers | {"Connection": "close"}
        return (await client.post("/api/tables", json=TABLE, headers=told)).status_code


async def test_behind_a_trusted_proxy_everybody_is_themselves(tmp_path: Path) -> None:
    """Else: one loop uses up the tables of all who come through the same proxy."""
    async with behind(tmp_path, PROXY, tables_at_once=1, tables_per_minute=0.01) as (_, proxy):
        assert [await opened(proxy, home) for home in ("127.0.0.2", "127.0.0.2")] == [201, 429]
        assert await opened(proxy, "127.0.0.3") == 201


async def test_nobody_chooses_an_address_by_sending_it(tmp_path: Path) -> None:
    """Else: who writes another address into each request has no limit at all."""
    async with behind(tmp_path, PROXY, tables_at_once=1, tables_per_minute=0.01) as (url, proxy):
        assert await opened(proxy, "127.0.0.2") == 201
        for lie in ("192.0.2.1", "192.0.2.1, 192.0.2.2", PROXY, "nonsense"):
            assert await opened(proxy, "127.0.0.2", **{"X-Forwarded-For": lie}) == 429
        assert await opened(url, "127.0.0.4") == 201
        assert await opened(url, "127.0.0.4", **{"X-Forwarded-For": "192.0.2.3"}) == 429


async def test_what_a_trusted_proxy_cannot_mean_is_refused(tmp_path: Path) -> None:
    """Else: a proxy that is set up wrongly makes everybody one caller, and nobody notices."""
    async with behind(tmp_path, PROXY) as (url, _):
        for name, value in (
            ("X-Forwarded-For", "unknown"),
            ("X-Forwarded-For", "192.0.2.1,"),
            ("X-Forwarded-For", "*"),
        ):
            answer = await get(url, "/api/games", PROXY, **{name: value})
            assert (answer.status_code, answer.json()["error"]) == (400, "bad_forward")
        odd = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "gopher"}
        assert (await get(url, "/api/games", PROXY, **odd)).status_code == 400
        address = f"{url.replace('http', 'ws', 1)}/api/tables/abcdefghjkmn/live"
        with pytest.raises(InvalidStatus) as refused:
            await connect(
                address,
                additional_headers={"X-Forwarded-For": "x"},
                local_addr=(PROXY, 0),
                proxy=None,
            )
        assert refused.value.response.status_code == 400


async def test_lines_through_a_proxy_are_counted_by_their_callers(tmp_path: Path) -> None:
    """Else: twenty people behind one proxy watch, and the twenty-first is nobody's fault."""
    async with behind(tmp_path, PROXY, watchers_per_address=1) as (url, proxy):
        (me,) = await open_table(url, "sushizock", 2)

        def watcher(home: str) -> Seat:
            found = Seat(proxy, me.table, None, None)
            found.home = home
            return found

        await watcher("127.0.0.2").connect()
        with pytest.raises(ConnectionClosed):
            await watcher("127.0.0.2").connect()
        await watcher("127.0.0.3").connect()
        inside = Seat(proxy, me.table, 0, me.token)
        inside.home = "127.0.0.2"
        assert (await inside.connect()).state["seat"] == 0


async def test_a_proxy_has_more_connections_than_a_household(tmp_path: Path) -> None:
    """Else: behind a proxy the thousandth player cuts the first one's line."""
    async with behind(tmp_path, PROXY, connections_per_address=4) as (url, proxy):
        (me,) = await open_table(url, "sushizock", 2)
        watchers = []
        for number in range(12):
            found = Seat(proxy, me.table, None, None)
            found.home = f"127.0.0.{number // 3 + 2}"
            watchers.append(await found.connect())
        for found in watchers:
            await found.send({"type": "ping", "t0": 1.0})
            await found.until(lambda frame: frame["type"] == "pong")


async def test_a_proxy_near_by_that_is_not_trusted_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Else: all players share one caller's limits, and whoever runs the server never learns why."""
    with caplog.at_level(logging.WARNING, "tischlein.proxy"):
        async with behind(tmp_path) as (_, proxy):
            for _ in range(3):
                assert (await get(proxy, "/api/games", Connection="close")).status_code == 200
    (told,) = [line for line in caplog.messages if "--trusted-proxy" in line]
    assert PROXY in told


async def test_metrics_through_a_proxy_are_for_nobody(tmp_path: Path) -> None:
    """Else: the proxy is on this machine, so every stranger counts as this machine."""
    async with behind(tmp_path, PROXY) as (url, proxy):
        assert (await get(proxy, "/metrics", Connection="close")).status_code == 403
        assert (await get(url, "/metrics")).status_code == 200


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("*", "not `*`"),
        ("0.0.0.0/0", "nearly everybody"),
        ("::/0", "nearly everybody"),
        ("2000::/3", "nearly everybody"),
        ("proxy.example", "not `proxy.example`"),
        ("10.0.0.1/8", "not `10.0.0.1/8`"),
        ("127.0.0.1 *", "not `*`"),
    ],
)
def test_whom_nobody_can_trust_is_refused_at_the_start(given: str, told: str) -> None:
    """Else: one sign in a file, and every client chooses its own address."""
    with pytest.raises(BadStart, match=r"proxy|everybody") as refused:
        proxies_of([given], {})
    assert told in str(refused.value)


def test_proxies_are_read_with_spaces_and_commas() -> None:
    found = proxies_of(["127.0.0.1,::1", "10.1.0.0/16"], {})
    assert [str(each) for each in found] == ["127.0.0.1/32", "::1/128", "10.1.0.0/16"]


def test_the_program_says_what_takes_the_place_of_uvicorns_variable() -> None:
    """Else: who has trusted everybody so far goes on doing so, or wonders why nothing works."""
    done = run("serve", "--port", "0", "--no-open", FORWARDED_ALLOW_IPS="*")
    assert done.returncode == 1
    assert "TISCHLEIN_TRUSTED_PROXIES" in done.stderr
    done = run("serve", "--port", "0", "--no-open", TISCHLEIN_TRUSTED_PROXIES="*")
    assert done.returncode == 1
    assert "not `*`" in done.stderr


def test_another_address_in_uvicorns_variable_is_only_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert proxies_of([], {"FORWARDED_ALLOW_IPS": "10.0.0.1"}) == ()
    assert "TISCHLEIN_TRUSTED_PROXIES" in caplog.text


@pytest.mark.parametrize(
    ("chain", "schemes", "caller", "scheme"),
    [
        (["192.0.2.1"], ["https"], "192.0.2.1", "https"),
        (["192.0.2.1, 10.0.0.2"], ["https, http"], "192.0.2.1", "https"),
        (["6.6.6.6", "192.0.2.1"], ["gopher, https"], "192.0.2.1", "https"),
        (["192.0.2.1:4711"], [], "192.0.2.1", "http"),
        (["[2001:db8::1]:4711"], ["http"], "2001:db8::1", "http"),
        (["::ffff:192.0.2.1"], ["WSS"], "192.0.2.1", "https"),
        (["10.0.0.3, 10.0.0.2"], [], "10.0.0.3", "http"),
    ],
)
async def test_the_chain_is_read_from_the_right(
    chain: list[str], schemes: list[str], caller: str, scheme: str
) -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    headers = [(b"x-forwarded-for", each.encode()) for each in chain]
    headers += [(b"x-forwarded-proto", each.encode()) for each in schemes]
    scope = {"type": "http", "scheme": "http", "client": ("10.0.0.9", 5), "headers": headers}
    await Forwarded(app, proxies_of(["10.0.0.0/8"], {}))(scope, None, None)  # type: ignore[arg-type]
    assert (seen[0]["client"][0], seen[0]["scheme"]) == (caller, scheme)
