"""The house: all tables of one server, those in memory and those asleep in the store."""

import asyncio
import gc
import logging
import re
import secrets
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tischlein.bus import Bus
from tischlein.house.alarms import Alarms
from tischlein.house.clock import Clock
from tischlein.house.offers import Offers
from tischlein.house.servers import Alone, Together
from tischlein.house.settings import Settings
from tischlein.house.thinking import Thinkers, Worker
from tischlein.store import Store
from tischlein.store.keys import NETWORKS, key_of
from tischlein.table import entries as e
from tischlein.table.needs import Nudges
from tischlein.table.presence import mark_of
from tischlein.table.table import Table

log = logging.getLogger("tischlein.house")
T = TypeVar("T")

ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
NAME_LENGTH = 12
"""Twelve of 32 signs: 60 bits, which nobody guesses."""
NAME = re.compile(f"0?[{ALPHABET}]{{{NAME_LENGTH}}}")
"""What a table's name looks like: for anything else the store need not be asked. One that begins
with 0 was opened on a device, without a server."""
OF_A_DEVICE = "0"


def is_of_a_device(name: str) -> bool:
    """Say whether a table of this name was opened on a device, without a server."""
    return NAME.fullmatch(name) is not None and name.startswith(OF_A_DEVICE)


class Tally:
    """Moves, refusals and times of deeds, counted."""

    def __init__(self) -> None:
        self.moves = 0
        self.refusals: dict[str, int] = {}
        self.uncertainty_sum = 0.0
        self.uncertainty_count = 0

    def refuse(self, code: str, times: int = 1) -> None:
        """Count a refusal."""
        self.refusals[code] = self.refusals.get(code, 0) + times

    def add(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        self.moves += other.moves
        self.uncertainty_sum += other.uncertainty_sum
        self.uncertainty_count += other.uncertainty_count
        for code, times in other.refusals.items():
            self.refuse(code, times)


class Counts(Tally):
    """What the house has seen since it opened, for its metrics.

    What happens in a race stays apart until the race is over: who counts could tell deeds by it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tables_opened = 0
        self._in_races: dict[str, Tally] = {}

    def moved(self, moves: int, table: str, in_race: bool) -> None:
        """Count moves that were stored; those of a race are told when it is over."""
        self._of(table).moves += moves
        if not in_race:
            self.add(self._in_races.pop(table))

    def timed(self, uncertainty: float, table: str) -> None:
        """Count how uncertain the time of a race deed was, in ms; told when the race is over."""
        found = self._of(table)
        found.uncertainty_sum += uncertainty
        found.uncertainty_count += 1

    def refused(self, code: str, table: str, in_race: bool) -> None:
        """Count a refusal."""
        (self._of(table) if in_race else self).refuse(code)

    def forget(self, table: str) -> None:
        """Forget what an open race at a table has counted."""
        self._in_races.pop(table, None)

    def _of(self, table: str) -> Tally:
        return self._in_races.setdefault(table, Tally())


class Quiet:
    """Tells nobody anything."""

    def nudge(self, table: Table, seat: int) -> None:
        """Leave a player in peace."""


class House:
    """Opens tables, finds them again, wakes them after a crash, and tidies up."""

    def __init__(
        self,
        store: Store,
        settings: Settings | None = None,
        bus: Bus | None = None,
        thinkers: Thinkers | None = None,
        coach: Worker | None = None,
        sign: str = "",
        clock: Clock | None = None,
    ) -> None:
        """Stand around a store; with a bus together with other servers that share it.

        Bots and the coach think in processes, unless somebody else does it for them. The names of
        the tables begin with a sign, if they are to be told from those of other houses. The clock
        is this machine's own, unless another one is given.
        """
        self.store = self.journal = store
        self.settings = settings or Settings()
        self.tables: dict[str, Table] = {}
        self.counts = Counts()
        self.nudges: Nudges = Quiet()
        self.thinkers = thinkers or Thinkers(self.settings.bot_budget)
        self.coach: Worker = coach or usual_coach()
        """Weighs finished games."""
        self._sign = sign
        self._key = secrets.token_bytes(32)
        self._loading: dict[str, asyncio.Future[Table | None]] = {}
        self._work: set[asyncio.Task[Any]] = set()
        self.when_ended: list[Callable[[str, int], None]] = []
        """Are told of every game that ends at this server."""
        self.clock = clock or Clock()
        self.now = self.clock.now
        self.servers = Alone(self) if bus is None else Together(self, bus)
        self.alarms = Alarms(self)
        self.offers = Offers(self)

    def mark(self, network: str) -> str:
        """Give what tells a network from others, and its address to nobody."""
        return mark_of(network, self._key)

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start work that goes on whatever becomes of the caller."""
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    def game_ended(self, table: str, game: int) -> None:
        """Hear that a game has ended and is written down."""
        for hear in self.when_ended:
            hear(table, game)

    async def open(
        self,
        game: str,
        seats: int,
        options: dict[str, Any],
        speed: e.Speed = "relaxed",
        hints: bool = False,
        lag_cap: float | None = None,
        stand_in: str | None = None,
        public: bool = False,
        seek: bool = False,
        cup: str | None = None,
        lang: str | None = None,
    ) -> Table:
        """Set a new table."""
        name = self._sign + "".join(secrets.choice(ALPHABET) for _ in range(NAME_LENGTH))
        table = Table(name, self)
        await table.seating.open(
            game, seats, options, speed, hints, lag_cap, stand_in, public, seek, cup, lang
        )
        self._put(table)
        self.counts.tables_opened += 1
        log.info("table=%s opened game=%s seats=%d", name, game, seats)
        return table

    async def find(self, name: str) -> Table | None:
        """Find a table, in memory or in the store."""
        while (table := self.tables.get(name)) is not None:
            await self.servers.catch_up(table)
            if self.tables.get(name) is table:  # else it was let go from memory meanwhile
                return table
        if not NAME.fullmatch(name):
            return None
        if name not in self._loading:
            self._loading[name] = self.spawn(self._load(name))
        return await asyncio.shield(self._loading[name])

    async def _load(self, name: str) -> Table | None:
        try:
            found = await self.store.load(name)
            if not found:
                return None
            table = Table(name, self)
            table.load(found)
            self._put(table)
            await self.servers.look_at(table)
            self.offers.changed(table)
            return table
        finally:
            del self._loading[name]

    def _put(self, table: Table) -> None:
        self.tables[table.book.name] = table
        self.servers.came(table.book.name)

    def _drop(self, table: Table) -> None:
        table.stop()
        self.counts.forget(table.book.name)
        del self.tables[table.book.name]
        self.servers.went(table.book.name)
        self.offers.forget(table)

    async def wake(self) -> None:
        """Open the doors; a table goes on when somebody looks at it again."""
        await self.store.open()
        self._key = await key_of(self.store, NETWORKS, self._key)
        await self.servers.begin()
        self.spawn(self.offers.keep())

    async def keep_house(self) -> None:
        """Now and then: let sleeping tables go from memory and old ones from the store."""
        while True:
            await asyncio.sleep(self.settings.housekeeping)
            self.unload()
            try:
                await self.tidy()
            except Exception:  # the store may be in trouble: next time, then
                log.exception("tidying up")
            gc.collect()  # closed sockets leave circles behind

    def unload(self) -> None:
        """Let tables go from memory that nobody looks at."""
        now, settings = self.now(), self.settings
        for table in list(self.tables.values()):
            slow = table.book.is_slow
            since = now - (settings.slow_unload_after if slow else settings.unload_after)
            if not table.busy and max(table.presence.looked_at, table.book.touched) < since:
                self._drop(table)

    def let_go(self, name: str) -> None:
        """Let a table go from memory that was only looked up, unless something goes on at it."""
        table = self.tables.get(name)
        if table is not None and not table.busy:
            self._drop(table)

    async def tidy(self) -> None:
        """Forget tables that nobody has touched for long, sooner those at which nobody played.

        Their records stay, and so does a table at which somebody looks.
        """
        now, settings = self.now(), self.settings
        seen = [name for name, table in self.tables.items() if table.presence.anybody]
        since, unplayed = now - settings.tidy_after, now - settings.tidy_unplayed_after
        for name in await self.store.tidy(since, unplayed, seen):
            if name in self.tables:
                self._drop(self.tables[name])
            log.info("table=%s tidied up", name)

    async def close(self) -> None:
        """Finish what is going on and let go of everything."""
        for table in self.tables.values():
            table.stop()
        self.thinkers.close()
        while self._work:
            for task in self._work:
                task.cancel()
            await asyncio.wait(self._work, timeout=5)
        await self.servers.close()
        await self.store.close()


def usual_coach() -> Worker:
    """Let the coach work in a process of its own."""
    from tischlein.house.processes import Process  # read only where there can be such

    return Process()
