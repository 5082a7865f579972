"""What every benchmark of live tables shares: a server from outside, clients' loads, and clocks.

The server is a process of its own, the clients share ours, each on a connection of its own.
"""

import asyncio
import os
import resource
import subprocess
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection

T = TypeVar("T")

HERE: Final = "127.0.0.1"
PACE: Final = 200.0
AT_ONCE: Final = 20
"""How many calls and handshakes the clients make at a time."""
WARM_UP: Final = 1.0
STILL: Final = 1.5
"""Seconds in which what is on its way comes in."""
START_LIMIT: Final = 20.0
LIMIT: Final = 180.0
"""No part of the benchmark takes longer, in seconds."""


class Server(NamedTuple):
    """A server in a process of its own."""

    pid: int
    port: int


class Player(Protocol):
    """Somebody on a connection of their own, who answers what the server tells."""

    socket: ClientConnection

    async def listen(self) -> None:
        """Read frames for as long as the benchmark lets us, and answer them."""

    async def send(self, move: bytes) -> None:
        """Send a move and note when."""


class Load:
    """What all clients share: whether moves flow or wait to be let go, and what was measured."""

    def __init__(self, port: int, group: asyncio.TaskGroup) -> None:
        self.port, self.group = port, group
        self.rng = Random(1)
        self.flows = False
        self.ready: deque[tuple[Player, bytes]] = deque()
        self.waits: list[float] = []
        self.moves = self.told = 0

    async def offer(self, player: Player, move: bytes) -> None:
        """Make a move at once, or keep it until its time."""
        if self.flows:
            await player.send(move)
        else:
            self.ready.append((player, move))

    def clear(self) -> None:
        """Forget what was measured."""
        self.waits, self.moves, self.told = [], 0, 0


class Measured(NamedTuple):
    """What one load did a second, waits in ms, bytes told for each move, cores kept busy."""

    label: str
    moves: float
    stored: float
    p50: float
    p99: float
    told: float
    server: float
    client: float
    others: float

    @property
    def cost(self) -> float:
        """What a move of a player costs the server, in µs."""
        return self.server / self.moves * 1e6


SetUp = Callable[[Load], Awaitable[Sequence[Player]]]
"""Fills one table with players and starts its game."""
Stored = Callable[[int], Awaitable[int]]
"""Asks the server at a port how many moves it has stored so far."""


class House(NamedTuple):
    """A kind of server to measure: how it is run, its tables are filled, its moves counted."""

    serving: Callable[[], AbstractContextManager[Server]]
    set_up: SetUp
    stored: Stored


# The server, from outside


@contextmanager
def running(command: Sequence[str], env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run a server that first prints its address; kill it in the end."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    watch = threading.Timer(START_LIMIT, process.kill)
    watch.start()
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        watch.cancel()
        if not address.startswith("http://"):
            raise RuntimeError("the server did not start")
        yield Server(process.pid, int(address.rsplit(":", 1)[1]))
    finally:
        watch.cancel()
        process.kill()
        process.communicate(timeout=START_LIMIT)


async def call(
    port: int,
    path: str,
    body: object = None,
    token: str = "",
    method: str = "POST",
    address: str = HERE,
) -> bytes:
    """Make one call over HTTP, on a connection of its own, from an address of this machine."""
    sent = b"" if body is None else msgspec.json.encode(body)
    head = f"{method} {path} HTTP/1.1\r\nHost: {HERE}\r\nConnection: close\r\n"
    head += "Content-Type: application/json\r\n"
    head += f"Authorization: Bearer {token}\r\nContent-Length: {len(sent)}\r\n\r\n"
    reader, writer = await asyncio.open_connection(HERE, port, local_addr=(address, 0))
    try:
        writer.write(head.encode() + sent)
        answer = await reader.read()
    finally:
        writer.close()
    if not answer.startswith(b"HTTP/1.1 2"):
        raise RuntimeError(f"{path}: {answer.decode()}")
    return answer.partition(b"\r\n\r\n")[2]


def resident(pid: int) -> int:
    """Read the memory that a process holds, in kB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def worked(pid: int) -> float:
    """Read for how many seconds a process has kept a core busy."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine_worked() -> float:
    """Read for how many seconds all cores together were busy, whoever kept them so."""
    user, nice, system, _, _, *more = Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    return sum(map(int, (user, nice, system, *more))) / os.sysconf("SC_CLK_TCK")


def many_files() -> None:
    """Let us have as many open files as we may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# Players


async def a_few_at_once(work: Iterable[Callable[[], Awaitable[T]]]) -> list[T]:
    """Do many things, a few at a time."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(do: Callable[[], Awaitable[T]]) -> T:
        async with free:
            return await do()

    return list(await asyncio.gather(*(one(do) for do in work)))


async def with_players(
    server: Server, tables: int, set_up: SetUp, work: Callable[[Load], Awaitable[T]]
) -> T:
    """Do something with tables full of players, who go away after it."""
    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        load = Load(server.port, group)
        groups = await a_few_at_once([lambda: set_up(load)] * tables)
        players = [player for each in groups for player in each]
        listening = [group.create_task(player.listen()) for player in players]
        try:
            return await work(load)
        finally:
            for task in listening:
                task.cancel()
            await a_few_at_once([player.socket.close for player in players])


# The loads


async def saturate(load: Load, seconds: float) -> None:
    """Let everybody move as soon as they may."""
    load.flows = True
    while load.ready:
        player, move = load.ready.popleft()
        await player.send(move)
    await asyncio.sleep(seconds)
    load.flows = False


async def pace(load: Load, seconds: float) -> None:
    """Let one move go at every tick, from the table that has waited longest."""
    start = perf_counter()
    for tick in range(int(seconds * PACE)):
        await asyncio.sleep(max(0.0, start + tick / PACE - perf_counter()))
        if load.ready:
            player, move = load.ready.popleft()
            await player.send(move)


async def measured(
    label: str, server: Server, load: Load, work: Awaitable[None], stored: Stored
) -> Measured:
    """Measure what happens while work goes on; what is then still on its way counts as a wait."""
    load.clear()
    before, busy, start = await stored(server.port), cores(server), perf_counter()
    await work
    moves, told, took = load.moves, load.told, perf_counter() - start
    shares = [(now - then) / took for now, then in zip(cores(server), busy, strict=True)]
    kept = await stored(server.port) - before
    await asyncio.sleep(STILL)
    p50, p99 = (percentile(load.waits, share) * 1000 for share in (0.5, 0.99))
    return Measured(label, moves / took, kept / took, p50, p99, told / moves, *shares)


def cores(server: Server) -> tuple[float, float, float]:
    """Read for how many seconds the server, the clients and all others have kept a core busy."""
    ours, theirs = worked(os.getpid()), worked(server.pid)
    return theirs, ours, machine_worked() - ours - theirs


def percentile(values: list[float], share: float) -> float:
    """Give the value that this share of all does not exceed."""
    return sorted(values)[int(share * (len(values) - 1))]


async def pairs(house: House, tables: int, seconds: float) -> list[Measured]:
    """Measure tables of two, saturated and then paced; none of them may have stopped."""

    async def work(load: Load) -> list[Measured]:
        await saturate(load, WARM_UP)
        found = []
        for label, flow in (("saturated", saturate), (f"{PACE:.0f} moves/s", pace)):
            label = f"{tables} tables of two, {label}"
            found += [await measured(label, server, load, flow(load, seconds), house.stored)]
            if len(load.ready) != tables:
                raise RuntimeError(f"of {tables} tables {len(load.ready)} wait for a move")
        return found

    with house.serving() as server:
        return await with_players(server, tables, house.set_up, work)


def mean(found: Sequence[Measured]) -> Measured:
    """Put what several rounds of one load did together."""
    figures = zip(*(one[1:] for one in found), strict=True)
    return Measured(found[0].label, *map(fmean, figures))
