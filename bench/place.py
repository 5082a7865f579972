"""A place to come back to, under load: sleeping tables, profiles, and people who look for somebody.

    python -m bench.place [asleep|seekers] [--quick] [--keep]

The sleeping tables are slow games in their middle: one is played for real, then kept under many
names, each with its alarm. An empty house beside it, in the same run, shows what they cost.
"""

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from time import perf_counter, time
from typing import Any, Final, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from bench.load import HERE, LIMIT, Server, call, many_files, percentile, resident, running
from bench.results import keep
from tischlein.house.house import ALPHABET, NAME_LENGTH, House
from tischlein.house.offers import SHOW, Offer, Player
from tischlein.house.settings import Settings
from tischlein.people.profiles import Profiles
from tischlein.store import Page, Step, Store, open_store

GAME: Final = "sushizock"
AT_ONCE: Final = 500
LOOKS: Final = 20
MINE: Final = 10
DAY: Final = 86_400.0


class Size(NamedTuple):
    """How much is tried."""

    tables: int = 100_000
    profiles: int = 10_000
    waiting: int = 10_000
    """So many tables of the list that anybody may see."""
    seekers: int = 1000


QUICK: Final = Size(300, 30, 30, 12)


class Sleeper(NamedTuple):
    """A slow game in its middle: its entries, and the token of its first seat."""

    entries: list[bytes]
    token: str


# Sleeping tables


async def play_a_while(folder: Path) -> Sleeper:
    """Play a slow game for some moves, for real."""
    house = House(await open_store(str(folder / "one.sqlite")), Settings(bot_pause=0.0))
    table = await house.open(GAME, 2, {"starter": 0}, "week")
    tokens = [(await table.seating.join(name))[1] for name in ("Anna", "Bo")]
    await table.seating.start(0)
    for move in range(12):
        mover = table.book.movers()[0]
        legal = table.book.rules.legal(table.book.state, mover)
        raw = msgspec.Raw(msgspec.json.encode(legal[0]))
        await table.play(mover, tokens[mover], raw, f"{mover}-{move}", house.now())
    entries = await house.store.load(table.book.name)
    await house.close()
    return Sleeper(entries, tokens[0])


def new_name() -> str:
    """Make a name as a table has it."""
    return "".join(secrets.choice(ALPHABET) for _ in range(NAME_LENGTH))


async def fill(store: Store, sleeper: Sleeper, size: Size) -> list[str]:
    """Keep many sleeping tables and many profiles, each of which sits at some of them."""
    now, names = time(), [new_name() for _ in range(size.tables)]
    for first in range(0, len(names), AT_ONCE):
        pages = [
            Page(name, 1, sleeper.entries, now, True, alarm=now + DAY + n)
            for n, name in enumerate(names[first : first + AT_ONCE])
        ]
        await asyncio.gather(*map(store.append, pages))
    profiles = Profiles(store, time)
    for n in range(size.profiles):
        made = await profiles.make(f"Somebody {n}")
        await profiles.let_in(made.id, "phone")
        mine = names[n * MINE % len(names) :][:MINE]
        words = "INSERT INTO sits (profile, name, at) VALUES ($1, $2, $3)"
        await store.together(*(Step(words, (made.id, name, now)) for name in set(mine)))
    for name in names[: size.waiting]:
        waits = Offer(
            name, GAME, 2, (Player(0, "Anna", None),), "week", {}, False, None, now, False
        )
        await store.ask(SHOW, name, "", msgspec.json.encode(waits), now)
    return names


class Full(NamedTuple):
    """What a house with so much in it costs: memory, disk, and how long who comes home waits."""

    label: str
    memory: int
    disk: int
    starts: float
    landing: float
    mine: float
    move_home: float

    @property
    def row(self) -> str:
        """Write a line of the table."""
        waits = " | ".join(f"{1000 * wait:.1f}" for wait in (self.landing, self.mine))
        return (
            f"| {self.label} | {self.memory / 1024:.0f} | {self.disk / 2**20:.0f} |"
            f" {self.starts:.2f} | {waits} | {1000 * self.move_home:.1f} |"
        )


ASLEEP_HEAD: Final = [
    "| house | memory, MiB | disk, MiB | ready after, s | page, games and open tables, ms |"
    " my tables, ms | a sleeping table comes, ms |",
    "|---|---|---|---|---|---|---|",
]


async def timed(work: Coroutine[Any, Any, object]) -> float:
    """Say how many seconds something takes."""
    start = perf_counter()
    await work
    return perf_counter() - start


async def come_home(server: Server, names: list[str], token: str) -> tuple[float, float, float]:
    """Look at the landing page again and again, at one's tables, and at one that sleeps."""
    port = server.port

    async def land() -> None:
        pages = "/", "/api/games", "/api/open"
        await asyncio.gather(*(call(port, page, method="GET") for page in pages))

    async def mine() -> None:
        seats = [[names[secrets.randbelow(len(names))], token] for _ in range(MINE)]
        await call(port, "/api/mine", {"seats": seats})

    async def wake() -> None:
        name = names[secrets.randbelow(len(names))]
        await call(port, f"/api/tables/{name}", method="GET")

    await land()
    landing = median([await timed(land()) for _ in range(LOOKS)])
    if not names:
        return landing, 0.0, 0.0
    found = [median([await timed(work()) for _ in range(LOOKS)]) for work in (mine, wake)]
    return landing, found[0], found[1]


def size_of(folder: Path) -> int:
    """Say how many bytes the files of a folder have."""
    return sum(file.stat().st_size for file in folder.iterdir())


def command(data: Path, *more: str) -> list[str]:
    """Say how the server is run."""
    run = [sys.executable, "-m", "tischlein", "serve", "--no-open", "--port", "0"]
    return [*run, "--data", str(data), "--log-level", "warning", *more]


async def measure(label: str, data: Path, names: list[str], token: str) -> Full:
    """Run a server on what is kept, and see what it costs."""
    start = perf_counter()
    with running(command(data)) as server:
        starts = perf_counter() - start
        waits = await come_home(server, names, token)
        await asyncio.sleep(2.0)  # some rounds of the loops that look for what is due
        return Full(label, resident(server.pid), size_of(data), starts, *waits)


async def asleep(size: Size) -> list[str]:
    """Measure a house full of sleeping tables beside an empty one."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for name in ("one", "empty", "full"):
            (here / name).mkdir()
        sleeper = await play_a_while(here / "one")
        store = await open_store(str(here / "full" / "tables.sqlite"))
        took = perf_counter()
        names = await fill(store, sleeper, size)
        took = perf_counter() - took
        await store.close()
        full = (
            f"{size.tables:,} slow tables asleep, {size.waiting:,} on the list of open ones,"
            f" {size.profiles:,} profiles"
        )
        found = [
            await measure("empty", here / "empty", [], ""),
            await measure(full, here / "full", names, sleeper.token),
        ]
    note = f"Each table has {len(sleeper.entries)} entries; all were written in {took:.0f} s."
    return [*ASLEEP_HEAD, *(one.row for one in found), "", note]


# People who look for somebody


class Seeker(NamedTuple):
    """Somebody who looked for others: how long until they sat, and until their game began."""

    seated: float
    begun: float
    table: str


def address_of(n: int) -> str:
    """Give somebody an address of their own on this machine."""
    return f"127.0.{n // 250 + 1}.{n % 250 + 1}"


async def playing(line: ClientConnection) -> None:
    """Read frames until the game has begun."""
    async for text in line:
        frame = msgspec.json.decode(text)
        if frame["type"] == "state" and frame["table"]["phase"] == "playing":
            return


async def seek(server: Server, n: int, lines: AsyncExitStack) -> Seeker:
    """Look for somebody, sit down, and wait for the game; follow where others wait."""
    start, address = perf_counter(), address_of(n)
    wish = {"game": GAME, "name": f"Seeker {n}", "lang": "en"}
    held = msgspec.json.decode(await call(server.port, "/api/seek", wish, address=address))
    seated = perf_counter() - start
    while True:
        url = f"ws://{HERE}:{server.port}/api/tables/{held['table']}/live"
        line = await lines.enter_async_context(
            connect(url, compression=None, proxy=None, local_addr=(address, 0), open_timeout=None)
        )
        await line.send(msgspec.json.encode({"type": "hello", "token": held["token"]}).decode())
        begins = asyncio.ensure_future(playing(line))
        while not (await asyncio.wait({begins}, timeout=2.0))[0]:
            path = f"/api/tables/{held['table']}/look"
            found = await call(server.port, path, {}, held["token"], address=address)
            better = msgspec.json.decode(found)["held"]
            if better is not None:
                held = better
                begins.cancel()
                break
        else:
            return Seeker(seated, perf_counter() - start, held["table"])


async def seekers(size: Size) -> list[str]:
    """Let many look for somebody at once, and see when each of them plays."""
    many_files()
    with tempfile.TemporaryDirectory() as folder, running(command(Path(folder))) as server:
        async with asyncio.timeout(LIMIT), AsyncExitStack() as lines:
            people = (seek(server, n, lines) for n in range(size.seekers))
            found = await asyncio.gather(*people)
            memory = resident(server.pid)
    tables = {one.table for one in found}
    head = ["| | p50, s | p99, s | longest, s |", "|---|---|---|---|"]
    rows = [row("a seat", [one.seated for one in found])]
    rows.append(row("the game has begun", [one.begun for one in found]))
    note = f"{size.seekers:,} people at once came to {len(tables)} tables; the server held "
    return [*head, *rows, "", f"{note}{memory / 1024:.0f} MiB ({os.cpu_count()} cores for all)."]


def row(label: str, waits: list[float]) -> str:
    """Write how long people waited."""
    shown = (percentile(waits, 0.5), percentile(waits, 0.99), max(waits))
    return f"| {label} | " + " | ".join(f"{wait:.2f}" for wait in shown) + " |"


SCENARIOS: Final[dict[str, Callable[[Size], Coroutine[Any, Any, list[str]]]]] = {
    "asleep": asleep,
    "seekers": seekers,
}


def main() -> None:
    """Run what is named, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", choices=[*SCENARIOS, []], default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    for name in given.scenarios or SCENARIOS:
        found = asyncio.run(SCENARIOS[name](QUICK if given.quick else Size()))
        keep(f"A place to come back to: {name}", found, given.keep)


if __name__ == "__main__":
    main()
