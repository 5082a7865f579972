"""Live tables over real WebSockets on loopback, every move durably stored before it is told.

Run: `.venv/bin/python -m bench.tables [--quick] [--keep]`. The server is a process of its own, the
clients share this one; both share the machine, so its cores are named with the results.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

import msgspec
import uvloop
from msgspec import Raw, Struct
from websockets.asyncio.client import ClientConnection, connect

from bench.results import keep

T = TypeVar("T")

GAME: Final = "sushizock"
HERE: Final = "127.0.0.1"
PACE: Final = 200.0
AT_ONCE: Final = 20
"""How many calls and handshakes the clients make at a time."""
WARM_UP: Final = 1.0
STILL: Final = 1.5
"""Seconds in which what is on its way comes in."""
MID_GAME: Final = 20
"""Moves of players after which a game for two is about half over."""
START_LIMIT: Final = 20.0
LIMIT: Final = 180.0
"""No part of the benchmark takes longer, in seconds."""
NO_LIMITS: Final = (
    "tables_per_minute=1000000", "tables_at_once=1000000", "calls_per_second=1000000",
    "calls_at_once=1000000", "frames_per_second=100000", "frames_at_once=100000",
    "sockets_per_address=10000",
)  # fmt: skip


class Size(NamedTuple):
    """How much is measured."""

    pairs: int = 100
    fours: int = 500
    seconds: float = 10.0
    lobbies: int = 1000
    in_game: int = 200


QUICK: Final = Size(10, 10, 1.0, 20, 10)


class Server(NamedTuple):
    """A server in a process of its own."""

    pid: int
    port: int


class Held(Struct):
    """A seat that the server gave us."""

    seat: int
    token: str
    table: str


class Told(Struct):
    """A move in the log of a frame, as far as we look at it."""

    by: int | str


class TableInfo(Struct, frozen=True):
    """What a frame tells of its table, as far as we look at it."""

    games: int = 0


class Frame(Struct):
    """A frame from the server, as far as we look at it."""

    type: str
    seq: int = 0
    legal: dict[str, list[Raw]] = {}
    log: list[Told] = []
    over: bool = False
    table: TableInfo = TableInfo()
    reason: str = ""


read_frame: Final = msgspec.json.Decoder(Frame)


class Load:
    """What all clients share: whether moves flow or wait to be let go, and what was measured."""

    def __init__(self, port: int, group: asyncio.TaskGroup) -> None:
        self.port, self.group = port, group
        self.rng = Random(1)
        self.flows = False
        self.ready: deque[tuple[Player, bytes]] = deque()
        self.waits: list[float] = []
        self.moves = 0

    async def offer(self, player: "Player", move: bytes) -> None:
        """Make a move at once, or keep it until its time."""
        if self.flows:
            await player.send(move)
        else:
            self.ready.append((player, move))

    def clear(self) -> None:
        """Forget what was measured."""
        self.waits, self.moves = [], 0


class Match:
    """A table: who holds its seats, and when each move of each game was sent."""

    def __init__(self, held: list[Held]) -> None:
        self.held = held
        self.path = f"/api/tables/{held[0].table}"
        self.sent: dict[int, list[float]] = {}

    async def again(self, port: int) -> None:
        """Let the host set the table for the next game, and start it."""
        host = self.held[0].token
        await call(port, f"{self.path}/rematch", {}, host)
        await call(port, f"{self.path}/start", {}, host)


class Player:
    """A seat's socket, and how far its player has looked."""

    def __init__(self, load: Load, match: Match, held: Held, socket: ClientConnection) -> None:
        self.load, self.match, self.seat, self.socket = load, match, held.seat, socket
        self.game = self.seen = 0
        self.done = (0, -1)

    async def listen(self) -> None:
        """Read frames for as long as the benchmark lets us, and answer them."""
        while True:
            frame = read_frame.decode(await self.socket.recv(decode=False))
            if frame.type != "state":
                raise RuntimeError(f"{frame.type}: {frame.reason}")
            self.look(frame, perf_counter())
            if self.done == (self.game, frame.seq):
                continue
            await self.answer(frame)

    def look(self, frame: Frame, now: float) -> None:
        """Time every move that another seat has made since the last frame."""
        if frame.table.games != self.game:
            self.game, self.seen = frame.table.games, 0
            self.match.sent.pop(self.game - 2, None)
        for told in frame.log:
            if isinstance(told.by, str):  # nature
                continue
            if told.by != self.seat:
                self.load.waits.append(now - self.match.sent[self.game][self.seen])
            self.seen += 1
            self.load.moves += self.seat == 0

    async def answer(self, frame: Frame) -> None:
        """Make a random legal move if it is our turn; the host asks for the next game."""
        if frame.over and self.seat == 0:
            self.done = self.game, frame.seq
            self.load.group.create_task(self.match.again(self.load.port))
        elif moves := frame.legal.get(str(self.seat)):
            self.done = self.game, frame.seq
            move = bytes(self.load.rng.choice(moves))
            await self.load.offer(self, b'{"type":"move","id":%d,"move":%b}' % (frame.seq, move))

    async def send(self, move: bytes) -> None:
        """Send a move and note when."""
        self.match.sent.setdefault(self.game, []).append(perf_counter())
        await self.socket.send(move, text=True)


class Measured(NamedTuple):
    """What one load did: moves of players, all moves stored, waits in ms, cores kept busy."""

    label: str
    moves: float
    stored: float
    p50: float
    p99: float
    server: float
    client: float
    others: float


# The server, from outside


@contextmanager
def serving(*settings: str) -> Iterator[Server]:
    """Run a server with its data in a new folder, without limits; kill it in the end."""
    with tempfile.TemporaryDirectory() as data:
        process = subprocess.Popen(command(data, settings), stdout=subprocess.PIPE, text=True)
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


def command(data: str, settings: tuple[str, ...]) -> list[str]:
    """Write the command that starts the server."""
    start = [sys.executable, "-m", "tischlein", "serve", "--port", "0", "--no-open"]
    options = ["--data", data, "--bot-pause", "0", "--log-level", "warning"]
    return [
        *start,
        *options,
        *(part for limit in (*NO_LIMITS, *settings) for part in ("--set", limit)),
    ]


async def call(
    port: int, path: str, body: object = None, token: str = "", method: str = "POST"
) -> bytes:
    """Make one call over HTTP, on a connection of its own."""
    sent = b"" if body is None else msgspec.json.encode(body)
    head = f"{method} {path} HTTP/1.1\r\nHost: {HERE}\r\nConnection: close\r\n"
    head += f"Authorization: Bearer {token}\r\nContent-Length: {len(sent)}\r\n\r\n"
    reader, writer = await asyncio.open_connection(HERE, port)
    try:
        writer.write(head.encode() + sent)
        answer = await reader.read()
    finally:
        writer.close()
    if not answer.startswith(b"HTTP/1.1 2"):
        raise RuntimeError(f"{path}: {answer.decode()}")
    return answer.partition(b"\r\n\r\n")[2]


async def stored(port: int) -> int:
    """Ask how many moves were stored so far, nature's among them."""
    text = (await call(port, "/metrics", method="GET")).decode()
    (count,) = [line for line in text.splitlines() if line.startswith("tischlein_moves_total ")]
    return int(count.split()[1])


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


# Tables and players


async def a_few_at_once(work: Iterable[Callable[[], Awaitable[T]]]) -> list[T]:
    """Do many things, a few at a time."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(do: Callable[[], Awaitable[T]]) -> T:
        async with free:
            return await do()

    return list(await asyncio.gather(*(one(do) for do in work)))


async def open_table(port: int, seats: int) -> Held:
    """Open a table and sit down in its first seat."""
    wanted = {"game": GAME, "seats": seats, "name": "Player 1"}
    return msgspec.json.decode(await call(port, "/api/tables", wanted), type=Held)


async def set_up(load: Load, seats: int) -> list[Player]:
    """Fill a table with players, connect them, and start the game."""
    held = [await open_table(load.port, seats)]
    path = f"/api/tables/{held[0].table}"
    for seat in range(1, seats):
        given = await call(load.port, f"{path}/seats", {"name": f"Player {seat + 1}"})
        held.append(msgspec.json.decode(given, type=Held))
    match = Match(held)
    players = [await sit_down(load, match, one) for one in held]
    await call(load.port, f"{path}/start", {}, held[0].token)
    return players


async def sit_down(load: Load, match: Match, held: Held) -> Player:
    """Connect a player and say hello."""
    address = f"ws://{HERE}:{load.port}{match.path}/live"
    socket = await connect(address, compression=None, ping_interval=None, proxy=None)
    await socket.send(msgspec.json.encode({"type": "hello", "token": held.token}), text=True)
    return Player(load, match, held, socket)


async def with_players(
    server: Server, tables: int, seats: int, work: Callable[[Load], Awaitable[T]]
) -> T:
    """Do something with tables full of players, who go away after it."""
    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        load = Load(server.port, group)
        groups = await a_few_at_once([lambda: set_up(load, seats)] * tables)
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


async def measured(label: str, server: Server, load: Load, work: Awaitable[None]) -> Measured:
    """Measure what happens while work goes on; what is then still on its way counts as a wait."""
    load.clear()
    before, busy, start = await stored(server.port), cores(server), perf_counter()
    await work
    moves, took = load.moves, perf_counter() - start
    shares = [(now - then) / took for now, then in zip(cores(server), busy, strict=True)]
    kept = await stored(server.port) - before
    await asyncio.sleep(STILL)
    p50, p99 = (percentile(load.waits, share) * 1000 for share in (0.5, 0.99))
    return Measured(label, moves / took, kept / took, p50, p99, *shares)


def cores(server: Server) -> tuple[float, float, float]:
    """Read for how many seconds the server, the clients and all others have kept a core busy."""
    ours, theirs = worked(os.getpid()), worked(server.pid)
    return theirs, ours, machine_worked() - ours - theirs


def percentile(values: list[float], share: float) -> float:
    """Give the value that this share of all does not exceed."""
    return sorted(values)[int(share * (len(values) - 1))]


async def pairs(size: Size) -> list[Measured]:
    """Measure tables of two, saturated and then paced."""

    async def work(load: Load) -> list[Measured]:
        await saturate(load, WARM_UP)
        label = f"{size.pairs} tables of two"
        full = saturate(load, size.seconds)
        found = [await measured(f"{label}, saturated", server, load, full)]
        paced = pace(load, size.seconds)
        return [*found, await measured(f"{label}, {PACE:.0f} moves/s", server, load, paced)]

    with serving() as server:
        return await with_players(server, size.pairs, 2, work)


async def fours(size: Size) -> list[Measured]:
    """Measure tables of four, saturated."""

    async def work(load: Load) -> list[Measured]:
        await saturate(load, WARM_UP)
        label = f"{size.fours} tables of four, saturated"
        return [await measured(label, server, load, saturate(load, size.seconds))]

    with serving() as server:
        return await with_players(server, size.fours, 4, work)


# Memory


async def memory(size: Size) -> list[tuple[str, float]]:
    """Measure the memory of tables that nobody looks at, in kB for each."""
    with serving("housekeeping=0.5") as server:
        await play_half(server, AT_ONCE)  # what a server needs once
        first = resident(server.pid)
        async with asyncio.timeout(LIMIT):
            await a_few_at_once([lambda: open_table(server.port, 4)] * size.lobbies)
        second = resident(server.pid)
        for done in range(0, size.in_game, AT_ONCE):
            await play_half(server, min(AT_ONCE, size.in_game - done))
        third = resident(server.pid)
    lobby, in_game = (second - first) / size.lobbies, (third - second) / size.in_game
    return [
        (f"{size.lobbies} tables of four, one seat taken", lobby),
        (f"{size.in_game} tables of two in mid-game, everybody away", in_game),
    ]


async def play_half(server: Server, tables: int) -> None:
    """Play about half a game at each table, then go away."""

    async def work(load: Load) -> None:
        while load.moves < MID_GAME * tables:
            await saturate(load, 0.02)
        await asyncio.sleep(STILL)

    await with_players(server, tables, 2, work)
    await asyncio.sleep(STILL)


# The whole


async def measure(size: Size) -> list[str]:
    """Measure everything and write the tables of results."""
    rows = [
        "| load | moves of players/s | stored with nature's/s | p50 ms | p99 ms | cores: server "
        "| clients | others | server µs/move |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for m in [*await pairs(size), *await fours(size)]:
        waits = f"{m.p50:.1f} | {m.p99:.1f}"
        busy = f"{m.server:.2f} | {m.client:.2f} | {m.others:.2f} | {m.server / m.moves * 1e6:.0f}"
        rows.append(f"| {m.label} | {m.moves:,.0f} | {m.stored:,.0f} | {waits} | {busy} |")
    rows += ["", "| idle tables | kB each |", "|---|--:|"]
    rows += [f"| {label} | {each:.1f} |" for label, each in await memory(size)]
    note = "p50 and p99: from sending a move to the frame that tells another seat of it."
    return [*rows, "", note]


def run(size: Size) -> list[str]:
    """Measure in a loop of its own, with as many open files as we may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(measure(size))


def quick() -> list[str]:
    """Measure a little, to see that it works."""
    return run(QUICK)


def main(argv: list[str]) -> None:
    """Measure, print, and with `--keep` keep the results."""
    rows = quick() if "--quick" in argv else run(Size())
    keep("Tables: WebSockets on loopback, every move durable", rows, "--keep" in argv)


if __name__ == "__main__":
    main(sys.argv[1:])
