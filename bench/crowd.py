"""A crowd of strangers, and somebody who only wants to play: what each load costs them.

Run: `.venv/bin/python -m bench.crowd [SCENARIO …] [--quick] [--keep]`. Every scenario starts a
server of its own with its usual limits. The strangers come from addresses of this machine other
than ours (127.0.0.2 and so on), and in some loads from ours, too.
"""

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.load import HERE, LIMIT, Server, a_few_at_once, call, percentile, running
from bench.results import keep

WITHIN: Final = 2.0
"""So many seconds after a move an easy bot must have answered, whatever goes on elsewhere."""
STRANGERS: Final = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
MOMENT: Final = 0.05
"""So many seconds a player takes for a move; the server refuses more frames than 30 a second."""
BURST: Final = 200
"""So many tables may be opened from one address at once."""


class Size(NamedTuple):
    """How much is measured: tables left alone, tables with players, answers of the easy bot."""

    abandoned: int = 500
    played: int = 20
    answers: int = 100


QUICK: Final = Size(15, 4, 4)


class Found(NamedTuple):
    """What one load did to somebody's game: how long the bot took, in seconds."""

    label: str
    waits: list[float]
    others: int = 0
    """How many moves the experts of the crowd made meanwhile."""

    @property
    def row(self) -> str:
        """Write a line of the table."""
        p50, p99 = (1000 * percentile(self.waits, share) for share in (0.5, 0.99))
        worst, count = 1000 * max(self.waits), len(self.waits)
        return f"| {self.label} | {count} | {p50:.0f} | {p99:.0f} | {worst:.0f} | {self.others:,} |"


# Tables and people


class Host:
    """Somebody who opened a table, and their socket when they look at it."""

    def __init__(self, port: int, address: str, table: str, token: str) -> None:
        self.port, self.address, self.table, self.token = port, address, table, token
        self.bots_moves = 0

    async def post(self, what: str) -> None:
        """Do something at the table."""
        path = f"/api/tables/{self.table}/{what}"
        await call(self.port, path, {}, self.token, address=self.address)

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[ClientConnection]:
        """Look at the table."""
        url = f"ws://{HERE}:{self.port}/api/tables/{self.table}/live"
        local = (self.address, 0)
        async with connect(url, compression=None, proxy=None, local_addr=local) as socket:
            await socket.send(msgspec.json.encode({"type": "hello", "token": self.token}).decode())
            yield socket

    async def play(self, socket: ClientConnection) -> AsyncIterator[tuple[dict[str, Any], float]]:
        """Make the first legal move whenever there is one; give each state, and when we moved."""
        number, moved, is_on_its_way = 0, perf_counter(), False
        while True:
            frame = msgspec.json.decode(await socket.recv())
            if frame["type"] != "state":
                raise RuntimeError(f"{frame}")
            yield frame, moved
            self.bots_moves += sum(move["by"] not in (0, "nature") for move in frame["log"])
            is_on_its_way = is_on_its_way and all(move["by"] != 0 for move in frame["log"])
            if frame["over"]:
                await self.post("rematch")
                await self.post("start")
            elif (legal := frame["legal"].get("0")) and not is_on_its_way:
                await asyncio.sleep(MOMENT)
                number, moved, is_on_its_way = number + 1, perf_counter(), True
                move = {"type": "move", "id": f"{self.bots_moves}-{number}", "move": legal[0]}
                await socket.send(msgspec.json.encode(move).decode())

    async def keep_playing(self) -> None:
        """Play one game after the other for as long as the benchmark lets us."""
        async with self.looking() as socket:
            async for _ in self.play(socket):
                pass


async def open_table(port: int, address: str, game: str, bots: list[str], speed: str) -> Host:
    """Open a table with bots, and start."""
    places = {str(seat): bot for seat, bot in enumerate(bots, start=1)}
    body = {"game": game, "seats": len(bots) + 1, "name": "x", "bots": places, "speed": speed}
    held = msgspec.json.decode(await call(port, "/api/tables", body, address=address))
    host = Host(port, address, held["table"], held["token"])
    await host.post("start")
    return host


async def experts(port: int, count: int, addresses: tuple[str, ...]) -> list[Host]:
    """Open and start tables of the bots that think longest, from several addresses in turn."""

    def one(number: int) -> Callable[[], Awaitable[Host]]:
        address = addresses[number % len(addresses)]
        return lambda: open_table(port, address, "buffet", ["expert"] * 5, "quick")

    return await a_few_at_once([one(number) for number in range(count)])


async def answers(port: int, count: int) -> list[float]:
    """Play against an easy bot; give how long each of its first answers to a move took."""
    me = await open_table(port, HERE, "sushizock", ["easy"], "relaxed")
    waits: list[float] = []
    answered = None
    async with me.looking() as socket:
        async for frame, moved in me.play(socket):
            is_new = answered is not None and moved != answered
            if answered is None or any(move["by"] == 1 for move in frame["log"]):
                answered = moved
                waits += [perf_counter() - moved] * is_new
            if len(waits) >= count:
                break
    return waits


@contextmanager
def serving(*settings: str) -> Iterator[Server]:
    """Run a server with its usual limits, whose bots do not pretend to think."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "tischlein", "serve", "--port", "0", "--no-open"]
        command += ["--data", data, "--bot-pause", "0", "--log-level", "warning"]
        command += [part for setting in settings for part in ("--set", setting)]
        with running(command) as server:
            yield server


# Scenarios


async def thinking(size: Size) -> list[Found]:
    """Measure how long an easy bot takes to answer, beside many tables of experts."""
    with serving() as server:
        async with asyncio.timeout(LIMIT):
            return await beside_experts(server.port, size)


async def beside_experts(port: int, size: Size) -> list[Found]:
    """Measure alone, beside tables that were left, and beside tables that are played."""
    found = [Found("nobody else", await answers(port, size.answers))]
    here = min(BURST // 2, size.abandoned // 5)
    await experts(port, here, (HERE,))
    await experts(port, size.abandoned - here, STRANGERS)
    label = f"{size.abandoned} tables of experts, left alone, {here} of them from our own address"
    found.append(Found(label, await answers(port, size.answers)))
    for whose, address in (("another", "127.0.0.5"), ("our own", HERE)):
        played = await experts(port, size.played, (address,))
        playing = [asyncio.create_task(host.keep_playing()) for host in played]
        before = await in_full_swing(played)
        waits = await answers(port, size.answers)
        label = f"and {size.played} tables of experts that are played from {whose} address"
        found.append(Found(label, waits, sum(host.bots_moves for host in played) - before))
        await ended(playing)
    return found


async def in_full_swing(crowd: list[Host]) -> int:
    """Wait until bots have moved at every table; give how often they did."""
    while not all(host.bots_moves for host in crowd):
        await asyncio.sleep(0.01)
    return sum(host.bots_moves for host in crowd)


async def ended(tasks: "list[asyncio.Task[None]]") -> None:
    """Let the crowd go."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
            await task


SCENARIOS: Final = {"thinking": (thinking, "An easy bot beside tables of experts")}
HEAD: Final = [
    "| what goes on | answers | p50 ms | p99 ms | longest ms | experts' moves meanwhile |",
    "|---|--:|--:|--:|--:|--:|",
]


def main(argv: list[str]) -> int:
    """Run scenarios, print, and with `--keep` keep the results; fail where somebody waits long."""
    size = QUICK if "--quick" in argv else Size()
    worst = 0.0
    for name in [name for name in argv if not name.startswith("-")] or SCENARIOS:
        scenario, title = SCENARIOS[name]
        found = asyncio.run(scenario(size))
        keep(title, [*HEAD, *(one.row for one in found)], "--keep" in argv)
        worst = max(worst, *(wait for one in found for wait in one.waits))
    return int(worst > WITHIN)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
