"""Every address is behind a limit, and refuses what is too large, broken or unknown."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from tests.server.client import LIMIT, Seat, open_table, server_here
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people.operator import operators_key
from tischlein.people.profiles import Profiles
from tischlein.server.addresses import ADDRESSES, HEALTH, Address
from tischlein.server.requests import LOGIN
from tischlein.store.sqlite import SqliteStore

EVERY = [*ADDRESSES, HEALTH]
BURST = 5
MANY = Settings(
    **{name: 100_000 for name in Settings.__struct_fields__ if name.endswith("_at_once")}  # type: ignore[arg-type]
)
Ask = Callable[..., Awaitable[httpx.Response]]
FEW = Settings(calls_at_once=BURST, calls_per_second=0.001, checks_at_once=BURST,
               checks_per_second=0.001)  # fmt: skip


def named(address: Address) -> str:
    """Name an address for who reads what failed."""
    return f"{address.method} {address.path}"


def path_of(address: Address, seat: Seat) -> str:
    """Fill in a path: a table and a game that there are, for the rest something."""
    known = {"table": seat.table, "game": "sushizock"}
    return re.sub(r"{(\w+)}", lambda part: known.get(part[1], "7yks2jye3sn8"), address.path)


def is_of_something_else(address: Address) -> bool:
    """Say whether a path names something that the test has not made: it may be missed first."""
    return bool(set(re.findall(r"{(\w+)}", address.path)) - {"table", "game"})


class Caller:
    """Somebody who may do everything: a host with a profile who also runs the house."""

    def __init__(self, url: str, seat: Seat, key: str, login: str) -> None:
        self._url, self._seat, self._key, self._login = url, seat, key, login

    @asynccontextmanager
    async def at(self, home: str = "127.0.0.1") -> AsyncIterator[Ask]:
        """Ask from one address of this machine."""
        way = httpx.AsyncHTTPTransport(local_address=home)
        async with httpx.AsyncClient(base_url=self._url, transport=way, timeout=LIMIT) as client:

            async def ask(address: Address, body: bytes | None = None) -> httpx.Response:
                is_house = address.path.startswith("/api/house/")
                token = self._key if is_house else self._seat.token
                headers = {"authorization": f"Bearer {token}", LOGIN: self._login}
                path = path_of(address, self._seat)
                return await client.request(address.method, path, content=body, headers=headers)

            yield ask


@asynccontextmanager
async def calling(settings: Settings) -> AsyncIterator[Caller]:
    """Give a server of its own, and somebody who asks it."""
    house = House(SqliteStore(":memory:"), settings)
    async with server_here(house) as url:
        (me,) = await open_table(url, "sushizock", 2)
        profiles = Profiles(house.store, house.now)
        login = await profiles.let_in((await profiles.make("Anna")).id, "phone")
        yield Caller(url, me, await operators_key(house.store), login)


def is_ours(answer: httpx.Response) -> bool:
    """Say whether an error is told in our form."""
    found: Any = answer.json()
    return set(found) == {"error", "reason"} and all(isinstance(v, str) for v in found.values())


async def test_a_flood_is_refused_at_every_address() -> None:
    async with asyncio.timeout(LIMIT), calling(FEW) as caller:
        for number, address in enumerate(EVERY):
            async with caller.at(f"127.0.1.{number + 1}") as ask:
                answers = [await ask(address) for _ in range(BURST + 1)]
                assert answers[0].status_code != 429, named(address)
                assert answers[-1].status_code == 429, named(address)
                assert is_ours(answers[-1])


async def test_what_is_no_request_is_refused_at_every_address() -> None:
    wrong = (
        (b"x" * (MANY.largest_carried + 1), {413}),
        (b"{", {400}),
        (b"\xff\xfe", {400}),
        (b"[" * 10_000, {400, 422}),
        (b"[]", {422}),
        (b'"text"', {422}),
        (b'{"surely_unknown": 1}', {422}),
    )
    async with asyncio.timeout(LIMIT), calling(MANY) as caller, caller.at() as ask:
        for address in ADDRESSES:
            for body, statuses in wrong if address.request is not None else ():
                answer = await ask(address, body)
                may = statuses | ({404} if is_of_something_else(address) else set())
                assert answer.status_code in may, (named(address), body[:40], answer.text)
                assert is_ours(answer)


async def test_a_body_that_nobody_asked_for_does_no_harm() -> None:
    async with asyncio.timeout(LIMIT), calling(MANY) as caller, caller.at() as ask:
        for address in ADDRESSES:
            if address.request is None:
                answer = await ask(address, b"x" * 1_000_000)
                assert answer.status_code < 500, (named(address), answer.text)
                assert answer.is_success or is_ours(answer), named(address)
        assert (await ask(HEALTH)).status_code == 200
