"""A small client over real sockets, and a real server to talk to."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.engines import free_port
from tests.waiting import LIMIT as LIMIT
from tests.waiting import until
from tischlein.house.house import House
from tischlein.server.app import create_app
from tischlein.server.proxy import Network
from tischlein.server.run import configured

QUICK = (
    "--bot-pause", "0", "--set", "race.lead_ms=20", "--set", "race.pause_ms=0",
    "--set", "tables_at_once=100000", "--set", "calls_at_once=1000000",
    "--set", "frames_at_once=100000", "--set", "frames_per_second=100000",
    "--set", "dear_at_once=100000", "--set", "checks_at_once=100000",
    "--set", "handshakes_at_once=100000",
)  # fmt: skip
FEW_FILES = (
    "import os, resource, sys; n = int(sys.argv[1]); "
    "resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)); os.execv(sys.argv[2], sys.argv[2:])"
)
"""Runs a program that may have only so many open files."""


class ServerProcess:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, data: Path, *args: str, files: int | None = None) -> None:
        self.data, self.args, self.port = data, args, free_port()
        self.before = () if files is None else (sys.executable, "-c", FEW_FILES, str(files))
        self.start()

    def start(self) -> None:
        """Start, and wait until it prints its address."""
        command = [*self.before, sys.executable, "-m", "tischlein", "serve", "--no-open", "--port",
                   str(self.port), "--data", str(self.data), *QUICK, *self.args]  # fmt: skip
        with (self.data / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, env=os.environ, text=True
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), (self.data / "server.log").read_text()
        self.url = line

    def kill(self) -> None:
        """End it at once, without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=LIMIT)

    def stop(self) -> None:
        """Ask it to end, and wait."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.communicate(timeout=LIMIT)
            except subprocess.TimeoutExpired:
                self.kill()


@contextlib.contextmanager
def server_process(data: Path, *args: str, files: int | None = None) -> Iterator[ServerProcess]:
    """Run a server for a test; with `files` it may have only so many open."""
    data.mkdir(parents=True, exist_ok=True)
    server = ServerProcess(data, *args, files=files)
    try:
        yield server
    finally:
        server.stop()


@contextlib.asynccontextmanager
async def server_here(
    house: House, proxies: Sequence[Network] = (), **more: Any
) -> AsyncIterator[str]:
    """Run a server in this process, around a house that the test has made."""
    usual: dict[str, Any] = {
        "port": 0, "ws_ping_interval": None, "timeout_graceful_shutdown": 2,
    }  # fmt: skip
    app = create_app(house, proxies=proxies)
    config = configured(app, house.settings, proxies, **(usual | more))
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    await until(lambda: server.started or serving.done())
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await asyncio.wait_for(serving, LIMIT)


class Seat:
    """Somebody at a table: a token, and a socket when connected."""

    def __init__(self, url: str, table: str, seat: int | None, token: str | None) -> None:
        self.url, self.table, self.seat, self.token = url, table, seat, token
        self.frames: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.socket: ClientConnection | None = None
        self.left_open: asyncio.Task[None] | None = None
        self.sent = 0
        self.home: str | None = None
        """The address of this machine from which they call, where it matters."""

    @property
    def auth(self) -> dict[str, str]:
        """Give the header that holds the seat."""
        return {"Authorization": f"Bearer {self.token}"}

    async def connect(self, **hello: Any) -> "Seat":
        """Open the socket and hear the first state."""
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{self.table}/live"
        home: dict[str, Any] = {"local_addr": (self.home, 0)} if self.home else {}
        line = connect(address, compression=None, proxy=None, ping_interval=None, **home)
        self.socket = await asyncio.wait_for(line, LIMIT)
        self.left_open = asyncio.create_task(cut_at_last(self.socket))
        greeting = {"type": "hello", **({"token": self.token} if self.token else {}), **hello}
        await self.send(greeting)
        await self.until(lambda frame: frame["type"] == "state")
        return self

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame."""
        assert self.socket is not None
        await asyncio.wait_for(self.socket.send(msgspec.json.encode(frame).decode()), LIMIT)

    async def move(self, move: dict[str, Any], move_id: str | None = None) -> None:
        """Send a move."""
        self.sent += 1
        chosen = move_id or f"{self.seat}-{self.sent}-{os.urandom(3).hex()}"
        await self.send({"type": "move", "id": chosen, "move": move})

    async def frame(self) -> dict[str, Any]:
        """Read the next frame."""
        assert self.socket is not None
        text = await asyncio.wait_for(self.socket.recv(), LIMIT)
        frame: dict[str, Any] = msgspec.json.decode(text)
        self.frames.append(frame)
        if frame["type"] == "state":
            self.state = frame
        return frame

    async def until(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read frames until one fits."""
        async with asyncio.timeout(LIMIT):
            while True:
                frame = await self.frame()
                if fits(frame):
                    return frame

    @property
    def legal(self) -> list[dict[str, Any]]:
        """List one's legal moves as of the last state."""
        moves: list[dict[str, Any]] = self.state["legal"].get(str(self.seat), [])
        return moves

    async def close(self) -> None:
        """Hang up."""
        if self.socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self.socket.close()
        if self.left_open is not None:
            self.left_open.cancel()


async def cut_at_last(line: ClientConnection) -> None:
    """Cut a line that its test leaves open when the test ends: a later one must not find it."""
    try:
        await line.wait_closed()
    finally:
        line.transport.abort()


async def post(url: str, path: str, body: Any = None, seat: Seat | None = None) -> httpx.Response:
    """Call the server."""
    headers = seat.auth if seat else {}
    async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
        return await client.post(path, json={} if body is None else body, headers=headers)


async def get(url: str, path: str, home: str | None = None, **headers: str) -> httpx.Response:
    """Ask the server, from an address of this machine."""
    way = httpx.AsyncHTTPTransport(local_address=home)
    async with httpx.AsyncClient(
        base_url=url, timeout=LIMIT, trust_env=False, transport=way
    ) as client:
        return await client.get(path, headers=headers)


async def open_table(url: str, game: str, seats: int, people: int = 1, **more: Any) -> list[Seat]:
    """Open a table with people in the first seats and, where asked, bots in the others."""
    bots = {str(seat): "easy" for seat in range(people, seats)}
    body = {"game": game, "seats": seats, "name": "p0", "bots": bots, **more}
    opened = await post(url, "/api/tables", body)
    assert opened.status_code == 201, opened.text
    held = opened.json()
    found = [Seat(url, held["table"], held["seat"], held["token"])]
    for number in range(1, people):
        taken = await post(url, f"/api/tables/{held['table']}/seats", {"name": f"p{number}"})
        assert taken.status_code == 201, taken.text
        found.append(Seat(url, held["table"], taken.json()["seat"], taken.json()["token"]))
    return found


async def settle(*seats: Seat) -> None:
    """Hear all that was on its way: of two pings the second is answered after every frame."""
    for seat in (*seats, *seats):
        await seat.send({"type": "ping", "t0": 0.0})
        await seat.until(lambda frame: frame["type"] == "pong")


async def start(host: Seat) -> None:
    """Let the host start."""
    started = await post(host.url, f"/api/tables/{host.table}/start", seat=host)
    assert started.status_code == 200, started.text


def race_time(seat: Seat) -> float:
    """Choose a plausible time for a deed."""
    mine = seat.state["view"]["deeds"].get(str(seat.seat))
    return 210.0 + 10 * (seat.seat or 0) if mine is None else mine["at"] + 40.0


async def play_to_the_end(seats: list[Seat], most: int = 4000) -> None:
    """Let every seat play its first legal move (in races a right slap) until the game is over."""

    async def sit(seat: Seat) -> None:
        answered = -1
        for _ in range(most):
            if seat.state["over"]:
                return
            if seat.legal and seat.state["seq"] != answered:
                answered = seat.state["seq"]
                await seat.move(choose(seat))
            await seat.frame()
        raise AssertionError("the game does not end")

    async with asyncio.timeout(90):
        await asyncio.gather(*(sit(seat) for seat in seats))


def choose(seat: Seat) -> dict[str, Any]:
    """Choose a move: the dice's tile, the right thief, or whatever is first."""
    view, moves = seat.state["view"], seat.legal
    if "at" in moves[0] or moves[0]["do"] not in ("slap", "grab", "name"):
        return moves[0]
    tile = next(tile for tile in view["circle"] if tile["tile"] == view["roll"])
    if moves[0]["do"] == "name":
        return {"do": "name", "thief": tile["thief"] or "ant", "at": race_time(seat)}
    if tile["owner"] is None:
        return {"do": "slap", "tile": tile["tile"], "at": race_time(seat)}
    return {"do": "grab", "squeak": tile["owner"] == seat.seat, "at": race_time(seat)}


def same_moves(log: list[Any], again: list[Any]) -> bool:
    """Say whether two logs tell the same moves; what one of them hides the other may tell."""
    return len(log) == len(again) and all(map(may_be_same, log, again))


def may_be_same(one: Any, other: Any) -> bool:
    """Say whether two moves, or parts of them, could be one; null is what is hidden."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(may_be_same(one[name], other[name]) for name in one.keys() & other.keys())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(may_be_same, one, other))
    return one is None or other is None or bool(one == other)


async def ask(seat: Seat, what: str, **query: str) -> httpx.Response:
    """Ask the server in a seat's name."""
    path = f"/api/tables/{seat.table}/{what}"
    headers = seat.auth if seat.token else {}
    async with httpx.AsyncClient(base_url=seat.url, timeout=LIMIT, trust_env=False) as client:
        return await client.get(path, params=query, headers=headers)


def frames(seat: Seat) -> list[str]:
    """Write the frames of a seat without names of tables and times, and without our own pings."""
    told = [frame for frame in seat.frames if frame["type"] != "pong"]
    text = [msgspec.json.encode(frame).decode() for frame in told]
    text = [re.sub(r'"(table|commitment)":"\w+"', r'"\1":""', frame) for frame in text]
    return [re.sub(r'"(now|show_at|t1)":[\d.]+', r'"\1":0', frame) for frame in text]
