"""Kill the server at random moments under load, start it again, and look for what was lost.

The long form: `python -m tests.server.kills --kills 100 --keep` prints its counts and keeps them.
"""

import asyncio
import contextlib
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from bench.results import keep
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.client import (
    LIMIT,
    Seat,
    ServerProcess,
    get,
    open_table,
    same_moves,
    server_process,
    start,
)
from tests.waiting import until
from tischlein import replay
from tischlein.chance import verify

TABLES = (("sushizock", 2, 2), ("buffet", 3, 3), ("sushizock", 4, 2), ("buffet", 4, 1),
          ("kakerlaken", 3, 2), ("kakerlaken", 2, 1))  # fmt: skip


class Counts:
    """What the run has seen."""

    def __init__(self) -> None:
        self.kills = self.told = self.sent = self.resent = self.games = self.reconnects = 0
        self.lost: list[str] = []
        self.doubled: list[str] = []

    def rows(self) -> list[str]:
        """Write the counts as a table."""
        found = {
            "kills (SIGKILL)": self.kills,
            "games finished": self.games,
            "moves sent by players": self.sent,
            "of these sent again after a kill": self.resent,
            "moves that clients were told of": self.told,
            "reconnections": self.reconnects,
            "moves lost": len(self.lost),
            "moves doubled": len(self.doubled),
        }
        return ["| | |", "|---|--:|", *(f"| {what} | {n:,} |" for what, n in found.items())]


class Player(Seat):
    """A player who never gives up, and remembers all that they were told."""

    def __init__(self, seat: Seat, counts: Counts) -> None:
        super().__init__(seat.url, seat.table, seat.seat, seat.token)
        self.counts = counts
        self.log: list[Any] = []
        self.pending: tuple[str, dict[str, Any]] | None = None
        self.ids: set[str] = set()

    async def sit(self) -> None:
        """Play to the end of the game, through any number of kills."""
        while not self.state.get("over"):
            with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
                await self.connect()
                self.counts.reconnects += 1
                self.check_whole_log()
                if self.pending:
                    self.counts.resent += 1
                    await self.send_pending()
                await self.play_on()
            await self.close()
            await asyncio.sleep(0.02)

    def check_whole_log(self) -> None:
        """What was told before the kill must be there, in the same order, and no move twice."""
        whole = self.state["log"]
        if not same_moves(whole[: len(self.log)], self.log):
            self.counts.lost.append(f"{self.table} seat {self.seat}")
        self.take_in(whole[len(self.log) :])

    def take_in(self, moves: list[Any]) -> None:
        """Remember moves; one's own end the waiting for them."""
        self.log += moves
        self.counts.told += len(moves)
        if any(move["by"] == self.seat for move in moves):
            self.pending = None
        mine = sum(move["by"] == self.seat for move in self.log)
        if mine > len(self.ids):
            self.counts.doubled.append(f"{self.table} seat {self.seat}")

    async def play_on(self) -> None:
        """Answer states until the game is over or the line breaks."""
        while not self.state["over"]:
            if self.legal and self.pending is None:
                self.pending = (f"m{len(self.ids)}", self.choose())
                self.counts.sent += 1
                await self.send_pending()
            frame = await self.frame()
            if frame["type"] == "state":
                self.take_in(frame["log"])
            elif frame["type"] == "refused":
                self.pending = None

    async def send_pending(self) -> None:
        """Send the move that waits for its answer, always under the same id."""
        assert self.pending is not None
        self.ids.add(self.pending[0])
        await self.move(self.pending[1], self.pending[0])

    def choose(self) -> dict[str, Any]:
        """Choose a legal move, in a race the right one."""
        move = dict(random.choice(self.legal))
        view = self.state["view"]
        if move["do"] == "name":
            return move | {"at": view["deeds"][str(self.seat)]["at"] + 30.0}
        if move["do"] in ("slap", "grab"):
            owner = next(t["owner"] for t in view["circle"] if t["tile"] == view["roll"])
            at = 110.0 + random.random() * 40
            if owner is None:
                return {"do": "slap", "tile": view["roll"], "at": at}
            return {"do": "grab", "squeak": owner == self.seat, "at": at}
        return move


async def keep_playing(
    server: ServerProcess, kind: int, counts: Counts, end: asyncio.Event
) -> None:
    """Play one game after the other at new tables, at least one, until it is enough."""
    game, seats, people = TABLES[kind % len(TABLES)]
    played = 0
    while not (end.is_set() and played):
        try:
            found = await open_table(server.url, game, seats, people)
            await start(found[0])
        except httpx.TransportError:  # the server is down just now
            await asyncio.sleep(0.05)
            continue
        players = [Player(seat, counts) for seat in found]
        await asyncio.gather(*(player.sit() for player in players))
        await check_record(server, players[0], counts)
        played += 1


async def check_record(server: ServerProcess, player: Player, counts: Counts) -> None:
    """The record of a finished game replays, verifies, and holds what its players were told."""
    async with asyncio.timeout(LIMIT * 3):
        while True:
            try:
                record = await get(server.url, f"/api/tables/{player.table}/record")
                break
            except httpx.TransportError:  # the server is down just now; the limit bounds this
                await asyncio.sleep(0.05)
    game = replay(record.text.split("\n"))
    verify(game)
    deals = [json.loads(line) for line in record.text.splitlines()[1:-1]]
    seen = [move for move in deals if player_sees(move, player)]
    if len(seen) != len(player.log):
        counts.lost.append(f"{player.table} record")
    counts.games += 1


def player_sees(move: dict[str, Any], player: Player) -> bool:
    """Say whether a move was told to a player when it was made."""
    return bool(move["do"] != "name" or move["by"] == player.seat)


async def run(kills: int, tables: int, data: Path, seed: int = 1) -> Counts:
    """Load a server with tables, kill it so many times, and let all games end."""
    counts, end, rng = Counts(), asyncio.Event(), random.Random(seed)
    with server_process(data) as server:
        load = [asyncio.create_task(keep_playing(server, n, counts, end)) for n in range(tables)]
        for _ in range(kills):
            enough = counts.told + rng.randrange(10, 200)  # all play, at whatever pace
            await until(lambda enough=enough: counts.told >= enough)  # type: ignore[misc]
            await asyncio.to_thread(server.kill)
            counts.kills += 1
            await asyncio.to_thread(server.start)
        end.set()
        async with asyncio.timeout(180):
            await asyncio.gather(*load)
    return counts


def main() -> None:
    """Run the long form and print what it counted."""
    kills = int(sys.argv[sys.argv.index("--kills") + 1]) if "--kills" in sys.argv else 100
    with tempfile.TemporaryDirectory() as folder:
        counts = asyncio.run(run(kills, 12, Path(folder)))
    keep("Nothing lost: the server killed under load", counts.rows(), "--keep" in sys.argv)
    sys.exit(bool(counts.lost or counts.doubled))


if __name__ == "__main__":
    main()
