"""Live tables over real WebSockets on loopback, every move durably stored before it is told.

Run: `.venv/bin/python -m bench.tables [--quick] [--keep]`. The server is a process of its own, the
clients share this one; both share the machine, so its cores are named with the results. Tables of
two are measured in turn with those of boardgame.io, which the first run installs from npm.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple

import msgspec
import uvloop
from msgspec import Raw, Struct
from websockets.asyncio.client import ClientConnection, connect

from bench.boardgame import peer
from bench.load import (
    AT_ONCE,
    HERE,
    LIMIT,
    STILL,
    WARM_UP,
    House,
    Load,
    Measured,
    Server,
    a_few_at_once,
    call,
    many_files,
    mean,
    measured,
    pairs,
    resident,
    running,
    saturate,
    with_players,
)
from bench.results import keep

GAME: Final = "sushizock"
MID_GAME: Final = 20
"""Moves of players after which a game for two is about half over."""
NO_LIMITS: Final = (
    "tables_per_minute=1000000", "tables_at_once=1000000", "calls_per_second=1000000",
    "calls_at_once=1000000", "frames_per_second=100000", "frames_at_once=100000",
    "connections_per_address=20000", "handshakes_at_once=20000", "dear_at_once=1000000",
)  # fmt: skip


class Size(NamedTuple):
    """How much is measured."""

    pairs: int = 100
    fours: int = 500
    seconds: float = 10.0
    lobbies: int = 1000
    in_game: int = 200
    rounds: int = 2


QUICK: Final = Size(10, 10, 1.0, 20, 10, 1)


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
            sent = await self.socket.recv(decode=False)
            self.load.told += len(sent)
            frame = read_frame.decode(sent)
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


# The server, from outside


@contextmanager
def serving(*settings: str) -> Iterator[Server]:
    """Run a server with its data in a new folder, without limits; kill it in the end."""
    with tempfile.TemporaryDirectory() as data, running(command(data, settings)) as server:
        yield server


def command(data: str, settings: tuple[str, ...]) -> list[str]:
    """Write the command that starts the server."""
    start = [sys.executable, "-m", "tischlein", "serve", "--port", "0", "--no-open"]
    options = ["--data", data, "--bot-pause", "0", "--log-level", "warning"]
    return [
        *start,
        *options,
        *(part for limit in (*NO_LIMITS, *settings) for part in ("--set", limit)),
    ]


async def stored(port: int) -> int:
    """Ask how many moves were stored so far, nature's among them."""
    text = (await call(port, "/metrics", method="GET")).decode()
    (count,) = [line for line in text.splitlines() if line.startswith("tischlein_moves_total ")]
    return int(count.split()[1])


# Tables and players


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


OURS: Final = House(serving, partial(set_up, seats=2), stored)


# The loads


async def side_by_side(size: Size, beside: bool) -> tuple[list[Measured], list[Measured]]:
    """Measure tables of two, ours and the peer's in turn, saturated and paced in each round."""
    ours, theirs = [], []
    for _ in range(size.rounds):
        ours += await pairs(OURS, size.pairs, size.seconds)
        if beside:
            theirs += await pairs(peer.HOUSE, size.pairs, size.seconds)
    return ours, theirs


async def fours(size: Size) -> list[Measured]:
    """Measure tables of four, saturated."""

    async def work(load: Load) -> list[Measured]:
        await saturate(load, WARM_UP)
        label = f"{size.fours} tables of four, saturated"
        return [await measured(label, server, load, saturate(load, size.seconds), stored)]

    with serving() as server:
        return await with_players(server, size.fours, partial(set_up, seats=4), work)


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

    await with_players(server, tables, partial(set_up, seats=2), work)
    await asyncio.sleep(STILL)


# The whole


async def measure(size: Size, beside: bool) -> list[str]:
    """Measure everything and write the tables of results."""
    ours, theirs = await side_by_side(size, beside)
    rows = [
        "| load | moves of players/s | stored with nature's/s | p50 ms | p99 ms | cores: server "
        "| clients | others | server µs/move |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for m in [mean(ours[::2]), mean(ours[1::2]), *await fours(size)]:
        rows.append(f"| {m.label} | {m.moves:,.0f} | {m.stored:,.0f} | {shares(m)} |")
    rows += ["", "| idle tables | kB each |", "|---|--:|"]
    rows += [f"| {label} | {each:.1f} |" for label, each in await memory(size)]
    note = "p50 and p99: from sending a move to the frame that tells another seat of it."
    return [*rows, *(compared(ours, theirs) if theirs else []), "", note]


def shares(m: Measured) -> str:
    """Write how long moves waited, who kept the cores busy, and what a move cost."""
    busy = f"{m.server:.2f} | {m.client:.2f} | {m.others:.2f} | {m.cost:.0f}"
    return f"{m.p50:.1f} | {m.p99:.1f} | {busy}"


def compared(ours: list[Measured], theirs: list[Measured]) -> list[str]:
    """Write every round of ours and the peer's, and what the means of all rounds come to."""
    rows = [
        "",
        "| in the order measured | moves of players/s | p50 ms | p99 ms | cores: server | clients "
        "| others | server µs/move | bytes told/move |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for at in range(0, len(ours), 2):
        named = (("Tischlein", ours[at : at + 2]), (peer.NAME, theirs[at : at + 2]))
        rows += [
            f"| {at // 2 + 1}: {who}, {m.label} | {m.moves:,.0f} | {shares(m)} | {m.told:,.0f} |"
            for who, found in named
            for m in found
        ]
    rows += ["", f"| mean of the rounds | Tischlein | {peer.NAME} | ratio |", "|---|--:|--:|--:|"]
    for start in (0, 1):
        rows += ratios(mean(ours[start::2]), mean(theirs[start::2]))
    return [*rows, "", peer.note()]


def ratios(ours: Measured, theirs: Measured) -> list[str]:
    """Write how ours compares with the peer under one load."""
    figures = (
        ("moves of players/s", ours.moves, theirs.moves),
        ("p50 ms", ours.p50, theirs.p50),
        ("p99 ms", ours.p99, theirs.p99),
        ("server µs/move", ours.cost, theirs.cost),
    )
    return [
        f"| {ours.label}: {what} | {mine:,.1f} | {other:,.1f} | {mine / other:.2f} |"
        for what, mine, other in figures
    ]


def run(size: Size, beside: bool) -> list[str]:
    """Measure in a loop of its own, with as many open files as we may have."""
    many_files()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(measure(size, beside))


def quick() -> list[str]:
    """Measure a little, to see that it works; the peer only where it is installed."""
    return run(QUICK, peer.is_installed())


def whole() -> list[str]:
    """Measure everything, the peer too."""
    peer.install()
    return run(Size(), beside=True)


def main(argv: list[str]) -> None:
    """Measure, print, and with `--keep` keep the results."""
    rows = quick() if "--quick" in argv else whole()
    keep("Tables: WebSockets on loopback, every move durable", rows, "--keep" in argv)


if __name__ == "__main__":
    main(sys.argv[1:])
