"""Races over real sockets between somebody honest and a liar, at one table of two."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from tests.server.client import LIMIT, Seat, open_table, start

CAP = 400.0
FLOOR = 201.0
HELD = 0.42
PING_EVERY = 0.12
CALM = 40.0
"""Nine of ten pings on loopback are back within so many ms, if the machine keeps up."""
MEASURED = 1.3
"""So long a line is measured before the first race, in seconds."""


class Lie(NamedTuple):
    """How somebody deceives the table."""

    claim: Callable[[float, float], float] = lambda took, since_show: took
    """What they say: from how long it took, and how long it is since the dice were to be shown."""
    held_echoes: float = 0.0
    """The share of echoes that they hold back."""
    holds_pings: bool = False


def back_dated(took: float, since_show: float) -> float:
    """Say as early a time as may be believed."""
    return max(FLOOR, took - CAP)


HONEST = Lie()
LIES = {
    "back-dates": Lie(back_dated),
    "acts on the frame as it comes": Lie(lambda took, since_show: max(FLOOR, since_show)),
    "holds every echo": Lie(back_dated, held_echoes=1.0),
    "holds one echo in twelve": Lie(back_dated, held_echoes=1 / 12),
}
"""What a page can do."""
OWN_CLIENT = Lie(back_dated, held_echoes=1.0, holds_pings=True)
"""What only a client of one's own can do."""


class Deed(NamedTuple):
    """What a player truly did, and what they said."""

    race: float
    took: float
    claimed: float


class Racer(Seat):
    """A player who answers each roll after a reaction given beforehand."""

    lie = HONEST
    reactions: Sequence[float] = ()

    async def sit_down(self, lie: Lie, reactions: Sequence[float]) -> None:
        """Connect, and let the line be measured."""
        self.lie, self.reactions = lie, reactions
        self.offset, self.deeds, self.raced, self.races = 0.0, list[Deed](), -1.0, 0
        self.trips: list[float] = []
        self.acting: set[asyncio.Task[None]] = set()
        await self.connect()
        assert self.socket is not None
        if lie.holds_pings:
            hold_pongs(self.socket)
        self.pinging = asyncio.create_task(self._ping())

    async def _ping(self) -> None:
        while True:
            await self.send({"type": "ping", "t0": now()})
            await asyncio.sleep(PING_EVERY)

    def hear(self, frame: dict[str, Any]) -> None:
        """Echo a pong, answer a roll, name a thief."""
        came = now()
        if frame["type"] == "pong" and frame["t0"] > 0:
            self.offset = frame["t1"] - (frame["t0"] + came) / 2
            self.trips.append(came - frame["t0"])
            held = random.random() < self.lie.held_echoes
            self._later(HELD if held else 0.0, self._echo, frame["t1"])
        if frame["type"] != "state" or not self.legal:
            return
        race = (frame["race"] or {}).get("show_at")
        if race is not None and race != self.raced and self.races < len(self.reactions):
            self.raced = race
            took = self.reactions[self.races]
            self.races += 1
            self._later(took / 1000 - (now() - came) / 1000, self._act, race, came)
        elif race is not None and self.legal[0]["do"] == "name":
            self._later(0.0, self._name)

    def _later(self, wait: float, do: Any, *what: Any) -> None:
        async def work() -> None:
            await asyncio.sleep(wait)
            await do(*what)

        task = asyncio.create_task(work())
        self.acting.add(task)
        task.add_done_callback(self.acting.discard)

    async def _echo(self, t1: float) -> None:
        await self.send({"type": "ping", "t0": -1.0, "echo": t1})

    async def _act(self, race: float, came: float) -> None:
        """Slap the right tile, or grab without a squeak: nobody earns a coin, the game goes on."""
        took = now() - came
        claimed = self.lie.claim(took, now() + self.offset - race)
        self.deeds.append(Deed(race, took, claimed))
        if (self.state["race"] or {}).get("show_at") != race:
            return  # it was over before
        wanted = self.wanted
        deed = {"do": "grab", "squeak": False}
        if wanted["owner"] is None:
            deed = {"do": "slap", "tile": wanted["tile"]}
        await self._deed(deed | {"at": claimed}, race)

    async def _name(self) -> None:
        mine = self.state["view"]["deeds"].get(str(self.seat))
        if mine is not None and mine["thief"] is None:
            thief = self.wanted["thief"] or "ant"
            await self._deed({"do": "name", "thief": thief, "at": mine["at"] + 1.0}, self.raced)

    async def _deed(self, move: dict[str, Any], race: float) -> None:
        self.sent += 1
        move_id = f"{self.seat}-{self.sent}"
        await self.send({"type": "move", "id": move_id, "move": move, "race": race})

    @property
    def wanted(self) -> Any:
        """Give the tile that the dice show."""
        view = self.state["view"]
        return next(tile for tile in view["circle"] if tile["tile"] == view["roll"])

    async def leave(self) -> None:
        """Hang up."""
        for task in (self.pinging, *self.acting):
            task.cancel()
        await self.close()


def now() -> float:
    """Give this client's own clock, in milliseconds."""
    return time.perf_counter() * 1000


def hold_pongs(line: ClientConnection) -> None:
    """Answer control pings late, as no browser does."""
    send_frame, loop = line.protocol.send_frame, asyncio.get_running_loop()

    def late(frame: Frame) -> None:
        if line.state is State.OPEN:
            send_frame(frame)
            line.send_data()

    def send(frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            loop.call_later(HELD, late, frame)
        else:
            send_frame(frame)

    line.protocol.send_frame = send  # type: ignore[method-assign]


class Shown(NamedTuple):
    """What a table's races showed: each photo, and the true deeds of both."""

    photos: dict[float, list[dict[str, Any]]]
    deeds: list[Deed]
    others: list[Deed]
    trips: list[float]
    """How long each of their pings was under way, in ms: what the machine itself took."""

    @property
    def share(self) -> float:
        """Give the liar's share of the wins."""
        quickest = [min(photo, key=lambda deed: deed["at"]) for photo in self.photos.values()]
        return sum(int(deed["seat"]) for deed in quickest) / len(quickest)

    @property
    def is_calm(self) -> bool:
        """Say whether the machine kept up: who is played late is no liar's merit."""
        trips = sorted(self.trips)
        return trips[len(trips) * 9 // 10] < CALM

    @property
    def stolen(self) -> float:
        """Give the share of the races that the liar won though the other was truly quicker."""
        liar, other = (
            {deed.race: deed.took for deed in deeds} for deeds in (self.deeds, self.others)
        )
        won = [race for race, photo in self.photos.items()
               if min(photo, key=lambda deed: deed["at"])["seat"] == 1]  # fmt: skip
        return sum(other.get(race, 0.0) < liar.get(race, inf) for race in won) / len(self.photos)

    @property
    def liars(self) -> dict[float, dict[str, Any]]:
        """Give the liar's deeds as the photos show them, by race."""
        return {
            race: deed for race, photo in self.photos.items() for deed in photo if deed["seat"] == 1
        }

    @property
    def gains(self) -> list[float]:
        """Say what the liar gained with each deed that was in time, in ms."""
        at = {race: deed["at"] for race, deed in self.liars.items()}
        return [deed.took - at[deed.race] for deed in self.deeds if deed.race in at]


async def race(url: str, lie: Lie, honest: Sequence[float], liars: Sequence[float]) -> Shown:
    """Let somebody honest in seat 0 race against a liar in seat 1, with these true reactions."""
    seats = await open_table(url, "kakerlaken", 2, people=2)
    people = [Racer(url, seat.table, seat.seat, seat.token) for seat in seats]
    await people[0].sit_down(HONEST, honest)
    await people[1].sit_down(lie, liars)
    shown = Shown({}, people[1].deeds, people[0].deeds, people[1].trips)

    async def listen(racer: Racer) -> None:
        while len(shown.photos) < len(honest):
            racer.hear(await racer.frame())
            if racer.seat == 0:
                look(racer, shown)

    listening = [asyncio.create_task(listen(racer)) for racer in people]
    await asyncio.sleep(MEASURED)
    await start(people[0])
    try:
        async with asyncio.timeout(LIMIT + 3 * len(honest)):
            await listening[0]
    finally:
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        await asyncio.gather(*(racer.leave() for racer in people))
    return shown


def look(racer: Racer, shown: Shown) -> None:
    """Note the photo finish of a race; a name is part of its grab."""
    photo = (racer.state.get("race") or {}).get("photo")
    if photo and racer.raced not in shown.photos:
        shown.photos[racer.raced] = [deed for deed in photo if deed["do"] != "name"]


def around(mean: float, spread: float, pairs: int, seed: int) -> tuple[list[float], list[float]]:
    """Draw reactions for two: what one has in a race the other has in another, so luck is even."""
    rng = random.Random(seed)
    drawn = [(rng.gauss(mean, spread), rng.gauss(mean, spread)) for _ in range(pairs)]
    both = drawn + [(b, a) for a, b in drawn]
    rng.shuffle(both)
    return [max(FLOOR + 20, a) for a, _ in both], [max(FLOOR + 20, b) for _, b in both]
