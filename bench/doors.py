"""Doors under load: does anybody at a table feel dear calls, watchers or idle connections?

    python -m bench.doors [calls|watchers|idle] [--quick] [--keep]

The server has its usual limits, but for the frames of whoever measures. The unfriendly are in a
process of their own, at many addresses of this machine (127.0.0.0/8, so on Linux), so that neither
they nor the player wait for each other.
"""

import argparse
import asyncio
import contextlib
import multiprocessing
import socket
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bench.load import HERE, LIMIT, Server, call, many_files, percentile, running
from bench.results import keep
from bench.tables import Frame, Held, read_frame

GAME: Final = "sushizock"
LONG: Final = 300
PAUSE: Final = 0.002
"""Seconds between two pings."""


MANY_PINGS: Final = ("--set", "frames_per_second=100000", "--set", "frames_at_once=100000")
"""All other limits are the usual ones."""


class Size(NamedTuple):
    """How much is tried."""

    calls: int = 1000
    homes: int = 20
    watchers: int = 200
    returns: int = 50
    idle: int = 5000
    seconds: float = 20.0


QUICK: Final = Size(30, 3, 15, 3, 200, 0.5)


class Found(NamedTuple):
    """What somebody at a table has felt: how often they were there, waits in ms, and a remark."""

    label: str
    times: int
    p50: float
    p99: float
    worst: float
    note: str


def found(label: str, waits: list[float], note: str) -> Found:
    """Sum up waits in seconds."""
    p50, p99 = (percentile(waits, share) * 1000 for share in (0.5, 0.99))
    return Found(label, len(waits), p50, p99, max(waits) * 1000, note)


def home(number: int) -> str:
    """Give one of this machine's addresses."""
    return f"127.1.{number // 200}.{number % 200 + 1}"


# The unfriendly, in a process of their own

Attack = Callable[..., Coroutine[Any, Any, str]]


def run_attack(attack: Attack, pipe: Any, *args: Any) -> None:
    """Run an attack, and say what came of it."""
    many_files()
    pipe.send(asyncio.run(attack(pipe, *args)))


@contextmanager
def attacked(attack: Attack, *args: Any) -> Iterator[Any]:
    """Attack meanwhile; gives a pipe on which the attack tells how far it is."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=run_attack, args=(attack, theirs, *args), daemon=True)
    process.start()
    try:
        yield ours
    finally:
        process.kill()
        process.join(LIMIT)


async def ask(port: int, path: str, number: int) -> int:
    """Make a call from one of many addresses; give the status."""
    reader, writer = await asyncio.open_connection(HERE, port, local_addr=(home(number), 0))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HERE}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return int(answer.split()[1])


async def dear_calls(pipe: Any, port: int, table: str, count: int, homes: int) -> str:
    """Ask for dear things, all at once: QR codes none like another, replays and records."""
    paths = [
        f"/api/qr?text={f'http://{HERE}/t/{number}'.ljust(LONG, 'x')}" if number % 4 else
        f"/api/tables/{table}/{('record', 'replay')[number // 4 % 2]}"
        for number in range(count)
    ]  # fmt: skip
    begun = perf_counter()
    asked = [ask(port, path, number % homes) for number, path in enumerate(paths)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    took = perf_counter() - begun
    told = {kind: answers.count(kind) for kind in (200, 429, 503)}
    return f"{told[200]} served, {told[429] + told[503]} refused in {took:.1f} s"


async def watch(port: int, table: str, number: int) -> ClientConnection | None:
    """Watch a table from one of many addresses; None if one is refused."""
    address = f"ws://{HERE}:{port}/api/tables/{table}/live"
    try:
        line = await connect(
            address, compression=None, ping_interval=None, proxy=None, local_addr=(home(number), 0)
        )
        await line.send('{"type":"hello"}')
        told = read_frame.decode(await line.recv(decode=False))
    except (ConnectionClosed, InvalidStatus, OSError):
        return None
    return line if told.type == "state" else None


async def crowd(pipe: Any, port: int, table: str, count: int) -> str:
    """Fill a table with watchers, read all they are told, and go on knocking."""
    lines = [await watch(port, table, number // 10) for number in range(count)]
    inside = [line for line in lines if line is not None]

    async def listen(line: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await line.recv()

    listening = [asyncio.create_task(listen(line)) for line in inside]
    pipe.send(f"{len(inside)} of {count} let in")
    number = 0
    while not all(task.done() for task in listening):
        number += 1
        if late := await watch(port, table, 500 + number % 100):
            late.transport.abort()
        await asyncio.sleep(0.02)
    return "all gone"


class Idler:
    """A connection that begins something and does not end it, and is opened anew when it is cut."""

    BEGUN: Final = (
        b"",
        b"GET /api/games HTTP/1.1\r\nHost: x\r\nX-",
        b"P",
        b"POST /api/tables HTTP/1.1\r\n",
    )

    def __init__(self, port: int, number: int) -> None:
        self._port, self._number = port, number
        self.opened = 0
        self._line = self._open()

    def _open(self) -> socket.socket:
        line = socket.socket()
        line.bind((home(self._number // 20), 0))
        line.connect((HERE, self._port))
        line.setblocking(False)
        line.send(self.BEGUN[self._number % len(self.BEGUN)])
        self.opened += 1
        return line

    def look(self) -> None:
        """Open it anew if it was cut."""
        try:
            if self._line.recv(4096):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._line.close()
        self._line = self._open()


async def idle_connections(pipe: Any, port: int, count: int) -> str:
    """Hold connections open that say next to nothing."""
    idlers = []
    for number in range(count):
        idlers.append(Idler(port, number))
        if number % 50 == 0:
            await asyncio.sleep(0.005)
    pipe.send(f"{count} held")
    while not pipe.poll():
        for idler in idlers:
            idler.look()
        await asyncio.sleep(0.2)
    return f"{count} held, {sum(idler.opened for idler in idlers) - count} opened anew"


# Somebody at a table


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server with its usual limits and its data in a new folder."""
    start = [sys.executable, "-m", "tischlein", "serve", "--port", "0", "--no-open"]
    options = ["--bot-pause", "0", "--log-level", "warning", *MANY_PINGS]
    with (
        tempfile.TemporaryDirectory() as data,
        running([*start, *options, "--data", data]) as server,
    ):
        yield server


class Sitter:
    """Somebody in a seat, beside a bot, who plays and pings."""

    def __init__(self, port: int, held: Held) -> None:
        self.port, self.held = port, held
        self.waits: list[float] = []
        self.moves = self.refused = self.pings = 0
        self.state = Frame("")
        self.line: ClientConnection

    async def sit(self) -> float:
        """Come to the table; give how long it took to see it, in seconds."""
        begun = perf_counter()
        address = f"ws://{HERE}:{self.port}/api/tables/{self.held.table}/live"
        self.line = await connect(address, compression=None, ping_interval=None, proxy=None)
        hello = {"type": "hello", "token": self.held.token}
        await self.line.send(msgspec.json.encode(hello), text=True)
        await self.until("state")
        return perf_counter() - begun

    async def until(self, kind: str) -> None:
        """Read frames until one is of a kind."""
        async with asyncio.timeout(LIMIT):
            while True:
                frame = read_frame.decode(await self.line.recv(decode=False))
                self.refused += frame.type == "refused"
                if frame.type == "state":
                    self.state = frame
                if frame.type == kind:
                    return

    async def ping(self) -> None:
        """Ask for the server's time, and note how long that took."""
        begun = perf_counter()
        await self.line.send('{"type":"ping","t0":1}')
        await self.until("pong")
        self.waits.append(perf_counter() - begun)
        await asyncio.sleep(PAUSE)

    async def move(self) -> None:
        """Make the first legal move, if it is our turn; play again when it is over."""
        path = f"/api/tables/{self.held.table}"
        if self.state.over:
            for what in ("rematch", "start"):
                await call(self.port, f"{path}/{what}", {}, self.held.token)
            await self.until("state")
        elif moves := self.state.legal.get("0"):
            self.moves += 1
            sent = b'{"type":"move","id":"%d","move":%b}' % (self.moves, bytes(moves[0]))
            await self.line.send(sent, text=True)
            await self.until("state")

    async def play_out(self) -> None:
        """Play to the end of the game."""
        while not self.state.over:
            await self.move()
            await self.ping()
        self.waits.clear()


async def sitter(port: int) -> Sitter:
    """Open a table with a bot, sit down, and start."""
    wanted = {"game": GAME, "seats": 2, "name": "Player", "bots": {"1": "easy"}}
    held = msgspec.json.decode(await call(port, "/api/tables", wanted), type=Held)
    found = Sitter(port, held)
    await found.sit()
    await call(port, f"/api/tables/{held.table}/start", {}, held.token)
    await found.until("state")
    return found


# What is measured


async def calls(size: Size) -> list[Found]:
    """Ping during a burst of dear calls: from one address, then from many."""
    rows = []
    for homes in (1, size.homes):
        with serving() as server:
            me = await sitter(server.port)
            await me.play_out()
            for _ in range(200):
                await me.ping()
            before, me.waits = found("nothing else", me.waits, ""), []
            args = server.port, me.held.table, size.calls, homes
            with attacked(dear_calls, *args) as pipe:
                while not pipe.poll():
                    await me.ping()
                note = pipe.recv()
            rows += [before] if homes == 1 else []
            rows += [found(f"{size.calls} dear calls, addresses: {homes}", me.waits, note)]
    return rows


async def watchers(size: Size) -> list[Found]:
    """Come back to a table that is full of watchers, again and again."""
    with serving() as server:
        me = await sitter(server.port)
        with attacked(crowd, server.port, me.held.table, size.watchers) as pipe:
            while not pipe.poll():
                await me.ping()
            note = pipe.recv()
            waits = []
            for _ in range(size.returns):
                me.line.transport.abort()
                waits.append(await me.sit())
                await me.ping()
    return [found("coming back to a table full of watchers", waits, note)]


async def idle(size: Size) -> list[Found]:
    """Play on while others hold connections that say next to nothing."""
    with serving() as server:
        me = await sitter(server.port)
        with attacked(idle_connections, server.port, size.idle) as pipe:
            while not pipe.poll():
                await me.ping()
            pipe.recv()
            end = perf_counter() + size.seconds
            while perf_counter() < end:
                await me.move()
                await me.ping()
            back = await again(me)
            pipe.send("enough")
            note = pipe.recv()
    told = f"{note}; {me.moves} moves made, {me.refused} refused; back in {back * 1000:.0f} ms"
    return [found(f"{size.idle} idle connections", me.waits, told)]


async def again(me: Sitter) -> float:
    """Lose the line once, and come back."""
    me.line.transport.abort()
    return await me.sit()


SCENARIOS: Final = {"calls": calls, "watchers": watchers, "idle": idle}


def rows(results: list[Found]) -> list[str]:
    """Write a table of results."""
    head = ["| what goes on | times | p50 ms | p99 ms | worst ms | |", "|---|--:|--:|--:|--:|---|"]
    return head + [
        f"| {one.label} | {one.times:,} | {one.p50:.1f} | {one.p99:.1f} | {one.worst:.1f} "
        f"| {one.note} |"
        for one in results
    ]


def main() -> None:
    """Measure what is asked for."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("scenario", nargs="*", choices=[[], *SCENARIOS], help="all if not given")
    options.add_argument("--quick", action="store_true", help="a short form")
    options.add_argument("--keep", action="store_true", help="keep the result in results.md")
    chosen = options.parse_args()
    many_files()
    results = [
        one
        for name in chosen.scenario or SCENARIOS
        for one in asyncio.run(SCENARIOS[name](QUICK if chosen.quick else Size()))
    ]
    keep("Doors: what somebody at a table feels of the unfriendly", rows(results), chosen.keep)


if __name__ == "__main__":
    main()
