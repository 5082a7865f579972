"""Servers that share a store: the time they share, who conducts which table, who sits where.

A server may be alone. Together, any server takes any move. Bots, clocks and races of a table are
conducted by the one server that holds it; it holds it for as long as it is heard of, then another
takes it over.
"""

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Protocol

import msgspec

from tischlein.bus import Bus
from tischlein.house.clock import SAMPLES, Clock
from tischlein.house.settings import Settings
from tischlein.store import Glance, Peer, Store, StoreDown
from tischlein.table.presence import Here
from tischlein.table.table import Table

log = logging.getLogger("tischlein.servers")

Figure = tuple[str, str, str, float]
"""A number for the metrics: its name, its kind, what it is, and how much."""

AT_ONCE: Final = 200
"""How many tables are taken over, or looked at, in one go."""
TOGETHER: Final = 0.05
"""What changes within this time is shown to the others at once, in seconds."""

_read_here: Final = msgspec.json.Decoder(Here)
_encode: Final = msgspec.json.Encoder()


class Home(Protocol):
    """What is needed of this server's own house."""

    store: Store
    settings: Settings
    clock: Clock
    tables: dict[str, Table]

    async def find(self, name: str) -> Table | None:
        """Find a table, in memory or in the store."""

    def spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Start work that goes on whatever becomes of the caller."""


class Alone:
    """A server that shares its store with nobody: it conducts all tables, and nobody need know."""

    holder: str | None = None
    slack = hop = 0.0

    def __init__(self, house: Home) -> None:
        self._house = house

    async def begin(self) -> None:
        """Wait for people: a table goes on when somebody looks at it."""

    async def close(self) -> None:
        """Say goodbye to nobody."""

    def conducts(self, name: str) -> bool:
        """Conduct every table."""
        return True

    def wrote(self, name: str, entries: int, took: float) -> None:
        """Nobody else wants to know."""

    def collided(self) -> None:
        """Nobody else writes."""

    def lost(self, name: str) -> None:
        """Nobody else conducts."""

    def let_go(self, name: str) -> None:
        """Keep it."""

    def seen(self, name: str) -> None:
        """Nobody else looks."""

    def came(self, name: str) -> None:
        """Nobody else follows."""

    def went(self, name: str) -> None:
        """Nobody else follows."""

    async def look_at(self, table: Table) -> None:
        """Everybody who is at a table is here."""

    async def catch_up(self, table: Table) -> None:
        """All that was written is known."""

    def figures(self) -> list[Figure]:
        """Give no numbers."""
        return []


class Pulse:
    """One server's heartbeat: that it lives, the time it shares, how long its writes take."""

    def __init__(self, house: Home, name: str) -> None:
        self._house, self._name = house, name
        self.others: list[Peer] = []
        self.heard_of = -1e9
        self._hops: deque[float] = deque(maxlen=SAMPLES)

    async def begin(self) -> None:
        """Set the clock, and be heard of."""
        for _ in range(SAMPLES):
            await self._set_clock()
        await self._say()

    async def beat(self) -> None:
        """Say once more that this server lives, and look at the shared time."""
        await self._say()
        await self._set_clock()

    async def stop(self) -> None:
        """Say goodbye: others take over at once."""
        await self._house.store.beat(Peer(self._name), -1.0)

    def wrote(self, took: float) -> None:
        """Hear how long writing took, in seconds."""
        self._hops.append(took * 1000)

    @property
    def is_heard_of(self) -> bool:
        """Say whether others still must count on this server."""
        return time.monotonic() - self.heard_of < self._house.settings.peers.lease

    @property
    def slack(self) -> float:
        """Say how far apart the clocks of two servers may be, in ms."""
        worst = max((peer.uncertainty for peer in self.others), default=0.0)
        return self._house.clock.uncertainty + worst if self.others else 0.0

    @property
    def own_hop(self) -> float:
        """Say how long the slowest of this server's last writes took, in ms."""
        return max(self._hops, default=0.0)

    @property
    def hop(self) -> float:
        """Say how long a deed may take from another server into the store, in ms."""
        return max((peer.hop for peer in self.others), default=0.0)

    async def _set_clock(self) -> None:
        clock = self._house.clock
        sent = clock.now()
        shared = await self._house.store.time()
        clock.compare(sent, shared, clock.now())

    async def _say(self) -> None:
        started = time.monotonic()
        me = Peer(self._name, round(self._house.clock.uncertainty, 2), round(self.own_hop, 1))
        self.others = await self._house.store.beat(me, self._house.settings.peers.lease)
        self.heard_of = started


class Together:
    """What one of several servers knows of the others, and tells them."""

    def __init__(self, house: Home, bus: Bus) -> None:
        self.id = self.holder = secrets.token_hex(6)
        self.pulse = Pulse(house, self.id)
        self.mine: set[str] = set()
        self.taken_over = self.collisions = 0
        self._house, self._bus = house, bus
        self._theirs: set[str] = set()
        self._asking: set[str] = set()
        self._releasing: dict[str, asyncio.Task[None]] = {}
        self._catching: set[str] = set()
        self._showing: set[str] = set()
        self._has_rested = False

    async def begin(self) -> None:
        """Set the clock, be heard of, and from now on keep in touch."""
        await self._bus.start(self._heard)
        await self.pulse.begin()
        peers = self._house.settings.peers
        self._house.spawn(self._again_and_again(self._stay_heard_of, peers.beat))
        self._house.spawn(self._again_and_again(self._sweep, peers.beat))
        self._house.spawn(self._again_and_again(self._check, peers.check))

    async def _again_and_again(self, do: Callable[[], Awaitable[None]], every: float) -> None:
        while True:
            try:
                await do()
            except StoreDown as problem:
                log.warning("store away: %s", problem)
            except Exception:  # whatever it was, a server that stops caring would be worse
                log.exception("servers")
            await asyncio.sleep(every)

    async def _stay_heard_of(self) -> None:
        """Say that this server lives; what it held while it could not is begun anew."""
        await self.pulse.beat()
        if self._has_rested and self.pulse.is_heard_of:
            self._has_rested = False
            await self._check()
            for name in self.mine & self._house.tables.keys():
                self._house.tables[name].resume()

    async def close(self) -> None:
        """Say goodbye: others take over at once."""
        try:
            await self.pulse.stop()
        except StoreDown as problem:
            log.warning("store away: %s", problem)
        await self._bus.close()

    @property
    def slack(self) -> float:
        """Say how far apart the clocks of two servers may be, in ms."""
        return self.pulse.slack

    @property
    def hop(self) -> float:
        """Say how long a deed may take from another server into the store, in ms."""
        return self.pulse.hop

    # Who conducts what

    def conducts(self, name: str) -> bool:
        """Say whether this server conducts a table; if nobody is known to, ask for it."""
        if name in self.mine:
            self._has_rested |= not self.pulse.is_heard_of
            return self.pulse.is_heard_of
        if name not in self._theirs and name not in self._asking:
            self._asking.add(name)
            self._house.spawn(self._ask(name))
        return False

    async def _ask(self, name: str) -> None:
        try:
            if name in self._releasing:
                await self._releasing[name]
            if await self._house.store.take([name], self.id):
                await self._begin_with(name)
            else:
                self._theirs.add(name)
        except StoreDown as problem:  # the next check asks again
            log.warning("store away: %s", problem)
        finally:
            self._asking.discard(name)

    async def _begin_with(self, name: str) -> None:
        """Conduct a table that is ours now, from where it stands; later, if it cannot be read."""
        self._theirs.discard(name)
        self.mine.add(name)
        was_here = name in self._house.tables
        try:
            table = await self._house.find(name)
        except Exception as problem:  # it holds up no other; the next check tries again
            log.warning("table=%s not begun with: %s", name, problem)
            if was_here:
                self.mine.discard(name)
            return
        if table is None:  # tidied up
            self.mine.discard(name)
            await self._release(name)
        elif was_here:
            table.resume()

    async def _sweep(self) -> None:
        """Take over what the dead have left where somebody looks; the rest waits for people."""
        store = self._house.store
        while names := await store.abandoned(AT_ONCE):
            for name in await store.take(names, self.id):
                if is_looked_at(self._house.tables.get(name)):
                    log.info("table=%s taken over", name)
                    self.taken_over += name not in self.mine
                    await self._begin_with(name)
                else:
                    await store.release(name, self.id)
            if len(names) < AT_ONCE:
                break
        for name in self.mine - self._house.tables.keys():
            await self._begin_with(name)

    def lost(self, name: str) -> None:
        """Hear that another server conducts a table now."""
        log.info("table=%s lost to another server", name)
        self._lose(name)

    def _lose(self, name: str) -> None:
        self.mine.discard(name)
        self._theirs.add(name)

    def let_go(self, name: str) -> None:
        """Hear that a table needs nobody to conduct it just now."""
        self._theirs.discard(name)
        if name in self.mine:
            self.mine.discard(name)
            self._releasing[name] = self._house.spawn(self._release(name))

    async def _release(self, name: str) -> None:
        try:
            await self._house.store.release(name, self.id)
        except StoreDown as problem:  # whoever needs it takes it when we are gone
            log.warning("store away: %s", problem)
        finally:
            self._releasing.pop(name, None)

    # What the others do

    def came(self, name: str) -> None:
        """Hear that a table is in memory now."""
        self._bus.follow(name)

    def went(self, name: str) -> None:
        """Hear that a table leaves memory."""
        self._bus.unfollow(name)
        self.let_go(name)
        self._house.spawn(self._show(name, b""))

    def wrote(self, name: str, entries: int, took: float) -> None:
        """Hear that a table has so many entries now, and how long writing took; tell the others."""
        self.pulse.wrote(took)
        self._bus.say(name, entries)

    def collided(self) -> None:
        """Hear that another server was quicker."""
        self.collisions += 1

    def _heard(self, name: str, entries: int) -> None:
        table = self._house.tables.get(name)
        if table is None or name in self._catching or entries < table.book.entries:
            return
        self._catching.add(name)
        news = entries > table.book.entries
        self._house.spawn(self._hear_of(table) if news else self._look(table))

    async def catch_up(self, table: Table) -> None:
        """Take in what others have written: whoever asks may have been told more elsewhere."""
        await table.catch_up()

    async def _hear_of(self, table: Table) -> None:
        self._catching.discard(table.book.name)
        try:
            await table.catch_up()
        except StoreDown as problem:  # the next check finds it
            log.warning("store away: %s", problem)

    async def _look(self, table: Table) -> None:
        name = table.book.name
        self._catching.discard(name)
        try:
            found = await self._house.store.glance([name])
        except StoreDown as problem:
            log.warning("store away: %s", problem)
            return
        if name in found:
            await self._compare(table, found[name])

    async def _check(self) -> None:
        """Compare all tables in memory with the store."""
        names = list(self._house.tables)
        for first in range(0, len(names), AT_ONCE):
            found = await self._house.store.glance(names[first : first + AT_ONCE])
            for name, glance in found.items():
                table = self._house.tables.get(name)
                if table is not None:
                    await self._compare(table, glance)

    async def _compare(self, table: Table, glance: Glance) -> None:
        name = table.book.name
        if glance.holder != self.id and name in self.mine:
            self._lose(name)
            table.resume()
        if glance.holder in (None, self.id):
            self._theirs.discard(name)
        here = {
            server: _read_here.decode(seen)
            for server, seen in glance.here.items()
            if server != self.id
        }
        table.others_are(here)
        if glance.entries > table.book.entries:
            await table.catch_up()
        elif table.goes_on:
            self.conducts(name)

    async def look_at(self, table: Table) -> None:
        """See who is at a table that has just come into memory."""
        await self._look(table)

    def seen(self, name: str) -> None:
        """Hear that somebody came to a table here, or went; show it to the others soon."""
        if name not in self._showing:
            self._showing.add(name)
            self._house.spawn(self._show_soon(name))

    async def _show_soon(self, name: str) -> None:
        await asyncio.sleep(TOGETHER)
        self._showing.discard(name)
        table = self._house.tables.get(name)
        if table is not None:
            await self._show(name, _encode.encode(table.races.who_is_here()))
            self._bus.say(name, table.book.entries)

    async def _show(self, name: str, here: bytes) -> None:
        try:
            await self._house.store.show(name, self.id, here)
        except StoreDown as problem:
            log.warning("store away: %s", problem)

    def figures(self) -> list[Figure]:
        """Give the numbers of this server among the others."""
        late = "Writes that another server was quicker with."
        clock, hop = (
            "How far the clocks of servers may be apart.",
            "The slowest of the last writes.",
        )
        return [
            ("tischlein_servers", "gauge", "Servers that live.", 1 + len(self.pulse.others)),
            ("tischlein_tables_conducted", "gauge", "Tables conducted here.", len(self.mine)),
            ("tischlein_taken_over_total", "counter", "Tables taken over.", self.taken_over),
            ("tischlein_collisions_total", "counter", late, self.collisions),
            ("tischlein_clock_slack_ms", "gauge", clock, round(self.slack, 2)),
            ("tischlein_store_hop_ms", "gauge", hop, round(self.pulse.own_hop, 1)),
        ]


def is_looked_at(table: Table | None) -> bool:
    """Say whether a table is in memory and somebody looks at it, here or elsewhere."""
    return table is not None and table.presence.anybody
