"""Three servers, a PostgreSQL and a NATS under load, and everything goes wrong that can.

The long form: `python -m tests.server.faults --minutes 5 [--tables 50] [--keep]`. With `--broken`
the store has lost its unique key, and the same checks must find errors: so they can.
"""

import argparse
import asyncio
import contextlib
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import nats as nats_client
from bench.results import keep
from nats.aio.msg import Msg
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests import engines
from tests.server.client import Seat, get, open_table, post, same_moves
from tests.server.kills import TABLES, Counts, Player
from tests.server.member import Member
from tests.waiting import until
from tischlein import game_named, replay
from tischlein.chance import verify
from tischlein.people.profiles import Profiles
from tischlein.store.postgresql import PostgresqlStore
from tischlein.table import entries as e
from tischlein.table.book import Book

PATIENCE = 3.0
"""How long a player waits for a word before they try another server, in seconds."""
PROFILES = 12
"""So many people have a profile."""
STANDSTILL = 45.0
"""A table that does not move for so long hangs, in seconds."""
SAMPLE = 7
"""Every so many frames are kept, to look for secrets afterwards."""
CUT = (ConnectionClosed, OSError, InvalidHandshake, TimeoutError, httpx.HTTPError, AssertionError)
"""What a player sees of a server that dies, is paused, or has lost its store."""


class Tally(Counts):
    """What the run has seen, and what was wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: Counter[str] = Counter()
        self.checked = self.secrets = self.acknowledged = self.bus_words = 0
        self.slow = self.rated = 0
        self.wrong: list[str] = []

    def rows(self) -> list[str]:
        """Write the counts as a table."""
        found = {f"fault: {what}": n for what, n in sorted(self.faults.items())} | {
            "faults": sum(self.faults.values()),
            "games finished, replayed and verified": self.games,
            "of these slow ones": self.slow,
            "of these rated, once for each of their profiles": self.rated,
            "moves sent by players": self.sent,
            "of these sent again": self.resent,
            "moves acknowledged to their players": self.acknowledged,
            "moves that clients were told of": self.told,
            "connections": self.reconnects,
            "entries read in checks": self.checked,
            "frames searched for secrets": self.secrets,
            "words on the bus, all of them numbers": self.bus_words,
            "moves lost": len(self.lost),
            "moves doubled": len(self.doubled),
            "anything else wrong": len(self.wrong),
        }
        return ["| | |", "|---|--:|", *(f"| {what} | {n:,} |" for what, n in found.items())]

    @property
    def errors(self) -> list[str]:
        """List everything that must not be."""
        return [*self.lost, *self.doubled, *self.wrong]


class Town:
    """Servers, store and bus."""

    def __init__(
        self, postgresql: engines.Postgresql, nats: engines.Nats, folder: Path, servers: int = 3
    ) -> None:
        self.postgresql, self.nats = postgresql, nats
        self.store = postgresql.new_database()
        self.members: list[Member] = []
        try:
            with ThreadPoolExecutor(servers) as at_once:
                list(at_once.map(lambda n: self._add(folder / f"s{n}"), range(servers)))
        except BaseException:
            self.end()
            raise

    def _add(self, folder: Path) -> None:
        self.members.append(Member(folder, self.store, self.nats.address))

    @property
    def url(self) -> str:
        """Give the address of any server."""
        return random.choice(self.members).url

    def end(self) -> None:
        """End all servers."""
        for member in self.members:
            member.end()

    def drop_unique_key(self) -> None:
        """Break the store: what stands in the way of two servers is gone."""
        room = self.store.rpartition("/")[2]
        self.postgresql.ask("ALTER TABLE entries DROP CONSTRAINT entries_pkey", room)
        self.postgresql.ask("CREATE INDEX by_number ON entries (name, number)", room)


class Told(NamedTuple):
    """What a player had been told at one moment."""

    seat: int
    log: list[Any]
    ids: set[str]
    acknowledged: set[str]
    samples: list[tuple[int, bytes, bytes]]


class Guest(Player):
    """A player who uses any server, and turns to another when one is silent."""

    def __init__(self, seat: Seat, tally: Tally, town: Town) -> None:
        super().__init__(seat, tally)
        self.tally, self.town = tally, town
        self.acknowledged: list[str] = []
        self.race: float | None = None
        self.samples: list[tuple[int, bytes, bytes]] = []

    async def sit(self) -> None:
        """Play to the end of the game, whatever happens to the servers."""
        while not self.state.get("over"):
            self.url = self.town.url
            with contextlib.suppress(*CUT):
                async with asyncio.timeout(PATIENCE):
                    await self.connect()
                self.tally.reconnects += 1
                self.check_whole_log()
                if self.pending:
                    self.tally.resent += 1
                    await self.send_pending()
                await self.play_on()
            with contextlib.suppress(*CUT):
                async with asyncio.timeout(0.5):
                    await self.close()
            await asyncio.sleep(0.05)

    def told(self) -> Told:
        """Give what was told so far; frames are given once."""
        samples, self.samples = self.samples, []
        assert self.seat is not None
        return Told(self.seat, [*self.log], {*self.ids}, {*self.acknowledged}, samples)

    async def frame(self) -> dict[str, Any]:
        """Read the next frame; remember some as they came."""
        async with asyncio.timeout(PATIENCE):
            frame = await super().frame()
        self.frames.clear()
        if frame["type"] == "state" and frame["seq"] % SAMPLE == 0:
            whole = msgspec.json.encode(frame)
            self.samples.append((frame["seq"], msgspec.json.encode(frame["view"]), whole))
        return frame

    def take_in(self, moves: list[Any]) -> None:
        """Remember moves; one's own was acknowledged now."""
        waiting = self.pending
        super().take_in(moves)
        if waiting is not None and self.pending is None:
            self.acknowledged.append(waiting[0])

    async def send_pending(self) -> None:
        """Send the move that waits for its answer; a deed is meant for its own race."""
        assert self.pending is not None
        self.ids.add(self.pending[0])
        move_id, move = self.pending
        await self.send({"type": "move", "id": move_id, "move": move, "race": self.race})

    async def play_on(self) -> None:
        """Answer states until the game is over or the line breaks."""
        while not self.state["over"]:
            if self.legal and self.pending is None:
                self.pending = (f"{self.seat}.{len(self.ids)}", self.choose())
                self.race = (self.state["race"] or {}).get("show_at")
                self.tally.sent += 1
                await self.send_pending()
            frame = await self.frame()
            if frame["type"] == "state":
                self.take_in(frame["log"])
            elif frame["code"] == "trouble":
                raise ConnectionError("the table is in trouble: try elsewhere")
            else:
                self.pending = None


class Match:
    """One game at one table, with what its players were told."""

    def __init__(self, guests: list[Guest]) -> None:
        self.guests, self.name = guests, guests[0].table

    def told(self) -> list[Told]:
        """Give what all players were told so far."""
        return [guest.told() for guest in self.guests]

    def check(self, lines: list[bytes], told: list[Told], tally: Tally) -> None:
        """Compare what everybody was told with what is stored: once, in one order, no secret."""
        book = Book(self.name)
        ids: Counter[tuple[Any, Any]] = Counter()
        logs: list[list[Any]] = [[] for _ in told]
        views: list[set[tuple[int, bytes]]] = [set() for _ in told]
        for line in lines:
            entry = e.decoder.decode(line)
            book.fold(entry)
            if isinstance(entry, e.Moved):
                ids[entry.by, entry.id] += isinstance(entry.id, str)
            for n, guest in enumerate(told):
                if isinstance(entry, e.Moved):
                    logs[n] += book.log(guest.seat, len(book.moves) - 1)
                view = msgspec.json.encode(book.rules.view(book.state, guest.seat))
                views[n].add((len(logs[n]), view))
        tally.checked += len(lines)
        for n, guest in enumerate(told):
            self._check_moves(guest, logs[n], ids, f"{book.rules.NAME} {self.name}", tally)
            self._check_views(guest, views[n], book, tally)

    def _check_moves(
        self, guest: Told, log: list[Any], ids: Counter[tuple[Any, Any]], where: str, tally: Tally
    ) -> None:
        who = f"{where} seat {guest.seat}"
        stored = msgspec.json.decode(msgspec.json.encode(log))
        if not same_moves(stored[: len(guest.log)], guest.log):
            tally.lost.append(f"{who} was told another order")
        for known in guest.ids:
            times = ids[guest.seat, known]
            if times > 1:
                tally.doubled.append(f"{who} move {known}: {times} times")
            elif known in guest.acknowledged and not times:
                tally.lost.append(f"{who} move {known}")

    def _check_views(
        self, guest: Told, views: set[tuple[int, bytes]], book: Book, tally: Tally
    ) -> None:
        who = f"{self.name} seat {guest.seat}"
        for seq, view, whole in guest.samples:
            tally.secrets += 1
            if (seq, view) not in views:
                tally.wrong.append(f"{who} saw at {seq} what it may not: {view.decode()[:200]}")
            if book.seed.encode() in whole:
                tally.wrong.append(f"{who} was told the seed")


class Load:
    """Tables full of bots and scripted people, one game after the other."""

    def __init__(self, town: Town, tally: Tally) -> None:
        self.town, self.tally = town, tally
        self.end = asyncio.Event()
        self.matches: dict[str, Match] = {}
        self.logins: list[str] = []
        self.eyes = PostgresqlStore(town.store, patience=60.0, connections=2)

    async def know_people(self) -> None:
        """Let some people have profiles: every game among them is rated."""
        profiles = Profiles(self.eyes, time.time)
        for n in range(PROFILES):
            made = await profiles.make(f"Known {n}")
            self.logins.append(await profiles.let_in(made.id, "phone"))

    async def keep_playing(self, kind: int) -> None:
        """Play one game after the other at new tables, at least one, until it is enough."""
        played = 0
        while not (self.end.is_set() and played):
            match = await self._open(*TABLES[kind % len(TABLES)], slow=bool(played + kind & 1))
            if match is None:
                await asyncio.sleep(0.2)
                continue
            self.matches[match.name] = match
            await asyncio.gather(*(guest.sit() for guest in match.guests))
            await self._finish(match)
            del self.matches[match.name]
            played += 1

    async def _open(self, game: str, seats: int, people: int, slow: bool) -> Match | None:
        """Open and start a table, at several servers; give up if that is just not possible."""
        found: list[Seat] = []
        may_be_slow = "race" not in game_named(game).HAS
        speed = "day" if slow and may_be_slow else "relaxed"
        logins = random.sample(self.logins, people) if self.logins and people > 1 else []
        with contextlib.suppress(*CUT):
            async with asyncio.timeout(PATIENCE * 3):
                found = await open_known(self.town.url, game, seats, people, speed, logins)
        if not found:
            return None
        while True:
            with contextlib.suppress(*CUT):
                async with asyncio.timeout(PATIENCE):
                    path = f"/api/tables/{found[0].table}/start"
                    started = await post(self.town.url, path, seat=found[0])
                if started.status_code in (200, 409):
                    return Match([Guest(seat, self.tally, self.town) for seat in found])
            await asyncio.sleep(0.2)

    async def _finish(self, match: Match) -> None:
        """The record replays, its dice are fair, and it is what everybody was told."""
        while True:
            with contextlib.suppress(*CUT):
                async with asyncio.timeout(PATIENCE):
                    record = await get(self.town.url, f"/api/tables/{match.name}/record")
                if record.status_code == 200:
                    break
            await asyncio.sleep(0.2)
        verify(replay(record.text.split("\n")))
        lines = (await entries_of(self.eyes, [match.name]))[match.name]
        match.check(lines, match.told(), self.tally)
        self.tally.games += 1
        self.tally.slow += b'"speed":"day"' in lines[0]
        self.tally.acknowledged += sum(len(guest.acknowledged) for guest in match.guests)


async def open_known(
    url: str, game: str, seats: int, people: int, speed: str, logins: list[str]
) -> list[Seat]:
    """Open a table at which people with profiles sit, each known by a login."""
    if not logins:
        return await open_table(url, game, seats, people, speed=speed)
    bots = {str(seat): "easy" for seat in range(people, seats)}
    wish = {"game": game, "seats": seats, "speed": speed, "bots": bots, "public": True}
    held: dict[str, Any] = {}
    found: list[Seat] = []
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as line:
        for n, login in enumerate(logins):
            path, body = (
                (f"/api/tables/{held['table']}/seats", {"name": f"p{n}"})
                if held
                else ("/api/tables", wish | {"name": "p0"})
            )
            answer = await line.post(path, json=body, headers={"x-login": login})
            assert answer.status_code == 201, answer.text
            held = answer.json()
            found.append(Seat(url, held["table"], held["seat"], held["token"]))
    return found


async def check_people(load: Load) -> None:
    """Every game that ended is in the history of all its profiles, and was rated once."""
    tally, eyes = load.tally, load.eyes
    end = time.monotonic() + STANDSTILL
    while await eyes.ask("SELECT 1 FROM unrated LIMIT 1"):
        if time.monotonic() > end:
            tally.wrong.append("games are not rated")
            return
        await asyncio.sleep(0.2)
    ((played,),) = await eyes.ask("SELECT count(*) FROM played")
    ((rated,),) = await eyes.ask("SELECT sum(games) FROM ratings WHERE season = 'all'")
    ((people,),) = await eyes.ask(
        "SELECT count(*) FROM records JOIN entries ON entries.name = records.name"
        ' WHERE convert_from(entry, \'UTF8\') LIKE \'{"kind":"sat"%"profile":%\''
    )
    if not played == rated == people:
        tally.wrong.append(f"{people} seats of profiles, {played} in histories, {rated} rated")
    tally.rated = played


async def entries_of(eyes: PostgresqlStore, names: list[str]) -> dict[str, list[bytes]]:
    """Read the entries of tables, behind the servers' back."""
    query = "SELECT name, entry FROM entries WHERE name = ANY($1) ORDER BY name, number"
    found: dict[str, list[bytes]] = {name: [] for name in names}
    for name, entry in await eyes.ask(query, names):
        found[name].append(entry)
    return found


async def check_store(load: Load) -> None:
    """Look at everything that is stored: numbers once and without gap, and as it was told."""
    tally = load.tally
    twice = await load.eyes.ask(
        "SELECT name, number, count(*) FROM entries GROUP BY 1, 2 HAVING count(*) > 1"
    )
    gaps = await load.eyes.ask(
        "SELECT name, count(*), max(number) FROM entries GROUP BY 1"
        " HAVING count(DISTINCT number) <> max(number)"
    )
    tally.doubled += [f"{name} has number {number} {n} times" for name, number, n in twice]
    tally.lost += [f"{name} has {n} entries up to {last}" for name, n, last in gaps]
    matches = dict(load.matches)
    told = {name: match.told() for name, match in matches.items()}  # before the store is read
    found = await entries_of(load.eyes, list(matches))
    for name, match in matches.items():
        try:
            match.check(found[name], told[name], tally)
        except Exception as problem:  # entries that no table can be made of
            tally.wrong.append(f"{name} cannot be read: {problem!r}")


async def check_all_move(load: Load) -> None:
    """Every table that is played at moves on, or ends."""
    before = {name: len(lines) for name, lines in (await stored(load)).items()}
    end = time.monotonic() + STANDSTILL
    while before and time.monotonic() < end:
        await asyncio.sleep(0.5)
        now = await stored(load)
        before = {n: count for n, count in before.items() if n in now and len(now[n]) <= count}
    load.tally.wrong += [f"{name} hangs" for name in before]


async def stored(load: Load) -> dict[str, list[bytes]]:
    """Read the entries of all tables that are played at."""
    return await entries_of(load.eyes, list(load.matches))


class Faults:
    """Everything that goes wrong."""

    def __init__(self, town: Town, rng: random.Random, scale: float = 1.0) -> None:
        self.town, self.rng, self.scale = town, rng, scale
        self.kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "server killed (SIGKILL)": self.kill_server,
            "server paused (SIGSTOP) beyond its lease": self.pause_server,
            "PostgreSQL restarted": self.restart_postgresql,
            "PostgreSQL crashed (SIGQUIT) and restarted": self.crash_postgresql,
            "NATS restarted": self.restart_nats,
            "NATS paused (SIGSTOP)": self.pause_nats,
            "slow disk": self.slow_disk,
        }

    async def _wait(self, least: float, most: float) -> None:
        await asyncio.sleep(self.scale * self.rng.uniform(least, most))

    async def kill_server(self) -> None:
        """Kill a server; start it again a little later."""
        member = self.rng.choice(self.town.members)
        await asyncio.to_thread(member.kill)
        await self._wait(0.0, 6.0)
        await asyncio.to_thread(member.start)

    async def pause_server(self) -> None:
        """Pause a server for longer than its lease: it wakes up late."""
        member = self.rng.choice(self.town.members)
        member.pause()
        try:
            await self._wait(3.0, 9.0)
        finally:
            member.wake()

    async def restart_postgresql(self) -> None:
        """Stop PostgreSQL and start it again."""
        await asyncio.to_thread(self.town.postgresql.stop)
        await self._wait(0.0, 3.0)
        await asyncio.to_thread(self.town.postgresql.start)

    async def crash_postgresql(self) -> None:
        """Let PostgreSQL crash: it recovers from its log."""
        await asyncio.to_thread(self.town.postgresql.stop, signal.SIGQUIT)
        await self._wait(0.0, 3.0)
        await asyncio.to_thread(self.town.postgresql.start)

    async def restart_nats(self) -> None:
        """Kill NATS and start it again."""
        await asyncio.to_thread(self.town.nats.stop, signal.SIGKILL)
        await self._wait(0.0, 4.0)
        await asyncio.to_thread(self.town.nats.start)

    async def pause_nats(self) -> None:
        """Pause NATS."""
        self.town.nats.send(signal.SIGSTOP)
        try:
            await self._wait(2.0, 8.0)
        finally:
            self.town.nats.send(signal.SIGCONT)

    async def slow_disk(self) -> None:
        """Let every write of one server, or of all, take much longer."""
        slow = self.rng.sample(self.town.members, self.rng.choice((1, len(self.town.members))))
        for member in slow:
            member.slow_down(self.rng.uniform(0.1, 0.8))
        await self._wait(2.0, 6.0)
        for member in slow:
            member.slow_down(0)


@contextlib.asynccontextmanager
async def tapped(town: Town, tally: Tally) -> AsyncIterator[None]:
    """Listen to the bus: nothing but numbers may be said."""

    async def hear(message: Msg) -> None:
        tally.bus_words += 1
        if not message.data.isdigit():
            tally.wrong.append(f"the bus said {message.data[:80]!r}")

    async def passed_over(problem: Exception) -> None:
        """NATS comes and goes here."""

    client = await nats_client.connect(
        town.nats.address, max_reconnect_attempts=-1, error_cb=passed_over, reconnect_time_wait=0.5
    )
    await client.subscribe("tischlein.>", cb=hear)
    try:
        yield
    finally:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(client.close(), 5)


async def torment(
    town: Town, tally: Tally, tables: int, seconds: float, faults: int | None = None, seed: int = 1
) -> None:
    """Load the town, let things go wrong for a while, and look after each whether all is well."""
    load, rng = Load(town, tally), random.Random(seed)
    wrongs = Faults(town, rng, 1.0 if faults is None else 0.4)
    kinds = list(wrongs.kinds)
    end = time.monotonic() + seconds
    await load.eyes.open()
    await load.know_people()
    async with tapped(town, tally):
        players = [asyncio.create_task(load.keep_playing(n)) for n in range(tables)]
        try:
            await until(lambda: tally.told > 10 * tables)
            while time.monotonic() < end and sum(tally.faults.values()) != faults:
                if not kinds:
                    kinds = list(wrongs.kinds)
                kind = kinds.pop(rng.randrange(len(kinds)))
                await wrongs.kinds[kind]()
                tally.faults[kind] += 1
                await check_all_move(load)
                await check_store(load)
                say(f"{sum(tally.faults.values())} {kind}: {len(tally.errors)} errors")
            load.end.set()
            async with asyncio.timeout(180):
                await asyncio.gather(*players)
            await check_store(load)
            await check_people(load)
        except TimeoutError:
            tally.wrong += [f"{name} does not end" for name in load.matches]
        except Exception as problem:  # a player met with something that nobody expects
            tally.wrong.append(repr(problem))
        finally:
            await leave(load, players)


async def collide(town: Town, tally: Tally, tables: int, seconds: float) -> None:
    """Load the town for a while without faults, and look."""
    load = Load(town, tally)
    await load.eyes.open()
    players = [asyncio.create_task(load.keep_playing(n * 2 + 1)) for n in range(tables)]
    end = time.monotonic() + seconds
    while time.monotonic() < end and not tally.errors:
        await asyncio.sleep(1.0)
        await check_store(load)
    await leave(load, players)


async def leave(load: Load, players: list["asyncio.Task[None]"]) -> None:
    """Let everybody go home."""
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    await load.eyes.close()


def say(what: str) -> None:
    """Tell how it goes."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def town() -> Any:
    """Build a town of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="tischlein-town-", dir="/tmp") as folder,
        engines.postgresql() as postgresql,
        engines.nats() as nats,
    ):
        built = Town(postgresql, nats, Path(folder))
        try:
            yield built
        finally:
            built.end()


def main() -> None:
    """Run the long form and print what it counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--broken", action="store_true", help="drop the unique key first")
    wish = parser.parse_args()
    tally = Tally()
    with town() as built:
        if wish.broken:
            built.drop_unique_key()
            asyncio.run(collide(built, tally, wish.tables, wish.minutes * 60))
        else:
            asyncio.run(torment(built, tally, wish.tables, wish.minutes * 60, seed=wish.seed))
    title = "Many servers: faults under load"
    if wish.broken:
        title += ", the store without its unique key (the checks must find errors)"
    head = f"Three servers, PostgreSQL, NATS, {wish.tables} tables, {wish.minutes:g} minutes."
    keep(title, [*tally.rows(), "", head], wish.keep)
    for error in tally.errors[:20]:
        print(error, file=sys.stderr)
    sys.exit(bool(tally.errors) != wish.broken)


if __name__ == "__main__":
    main()
