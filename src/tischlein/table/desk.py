"""The desk of a table: its book and its one queue. Check, store, then tell."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from tischlein.bots import Answer, Turn
from tischlein.game import NATURE, By, Refusal
from tischlein.store import NotHolder, Store, Taken
from tischlein.table import entries as e
from tischlein.table.book import Book, Played
from tischlein.table.race import Here
from tischlein.table.settings import Settings

log = logging.getLogger("tischlein.table")
T = TypeVar("T")


class Change(NamedTuple):
    """Something judged and about to be stored; of a move also what it is and leads to."""

    entry: e.AnyEntry
    move: Any = None
    state: Any = None


Judge = Callable[[], list[Change]]
"""Looks at the table as it is now: gives what changes, or raises a Refusal."""


class Conflict(Refusal):
    """Something that fits the table at another time, not now."""


class Listener(Protocol):
    """Somebody who looks at the table: a seat's socket, or a watcher's."""

    seat: int | None

    def changed(self) -> None:
        """Hear that there is something new to see."""

    def lose_seat(self) -> None:
        """Hear that the seat is no longer one's own."""


class Home(Protocol):
    """What a table needs of the house it stands in."""

    store: Store
    settings: Settings

    def now(self) -> float:
        """Give the time in seconds."""

    def moved(self, desk: "Desk", moves: int, took: float) -> None:
        """Hear that entries were stored, so many moves among them, and how long it took."""

    @property
    def holder(self) -> str | None:
        """Give this server's name among others that share the store; none if it is alone."""

    @property
    def slack(self) -> float:
        """Say how far the clocks of servers may be apart, in ms."""

    @property
    def hop(self) -> float:
        """Say how long a deed may take from another server to the store, in ms."""

    def conducts(self, desk: "Desk") -> bool:
        """Say whether bots, clocks and races of a table are this server's."""

    def collided(self, desk: "Desk") -> None:
        """Hear that another server was quicker."""

    def lost(self, desk: "Desk") -> None:
        """Hear that another server conducts a table."""

    def let_go(self, desk: "Desk") -> None:
        """Hear that a table needs nobody to conduct it just now."""

    def seen(self, desk: "Desk") -> None:
        """Hear that somebody came to a table, or went."""

    async def look_around(self, desk: "Desk") -> None:
        """Let a table hear who is at it, at all servers."""

    def uncertain(self, milliseconds: float) -> None:
        """Hear how uncertain a race deed was."""

    def think(self, game: str, level: str, turn: Turn) -> Awaitable[Answer]:
        """Let a bot choose."""

    def ask(self, game: str, level: str, turn: Turn) -> Coroutine[Any, Any, Answer | None]:
        """Ask a bot what it would do; None if it has no answer."""

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start work that goes on whatever becomes of the caller."""


class Desk:
    """The only way in to a table's book, and the only way out."""

    def __init__(self, name: str, home: Home) -> None:
        self.book = Book(name)
        self.listeners: set[Listener] = set()
        self.away_since: dict[int, float] = {}
        self.elsewhere: dict[str, Here] = {}
        self.version = 0
        self._home = home
        self._queue = asyncio.Lock()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    async def load(self, found: list[bytes]) -> None:
        """Fold what the store has kept."""
        for line in found:
            entry = e.decoder.decode(line)
            self.book.fold(entry)
            if isinstance(entry, e.Left):
                self._vacate(entry.seat)
            elif isinstance(entry, e.Sat):
                self.away_since[entry.seat] = self._home.now()
        for seat, chair in enumerate(self.book.chairs):
            if chair.token is not None and not self.is_here(seat):
                self.away_since.setdefault(seat, self._home.now())

    async def _in_turn(self, judge: Judge) -> None:
        """Judge, store and tell in this table's one queue, whatever becomes of the caller."""
        await asyncio.shield(self._home.spawn(self._serve(judge)))

    async def _serve(self, judge: Judge, conducting: bool = False) -> bool:
        """Wait for one's turn in the queue; judge, store and tell. False if nothing changed."""
        async with self._queue:
            started = time.monotonic()
            changes = await self._settle(judge, conducting)
            for change in changes:
                self.book.fold(*change)
                self._note(change.entry)
            if changes:
                moves = sum(change.move is not None for change in changes)
                self._home.moved(self, moves, time.monotonic() - started)
                self._tell()
                self._plan()
            return bool(changes)

    async def _settle(self, judge: Judge, conducting: bool) -> list[Change]:
        """Judge and store; if another server was quicker, read on and judge again."""
        while not conducting or self._home.conducts(self):
            try:
                changes = judge()
            except Refusal:  # it may fit a table that has moved on elsewhere
                if self._home.holder is None or not await self._read_on():
                    raise
                continue
            if not changes:
                break
            self._follow(changes)
            try:
                await self._write(changes, self._home.holder if conducting else None)
                return changes
            except Taken:
                self._home.collided(self)
                if not await self._read_on() and self.book.entries:
                    await self._check_kept()
            except NotHolder:
                self._home.lost(self)
        return []

    async def catch_up(self) -> None:
        """Take in what other servers have written."""
        async with self._queue:
            await self._read_on()

    async def _read_on(self) -> bool:
        """Fold what others have written since, and tell it; False if that is nothing."""
        news = await self._home.store.load(self.book.name, self.book.entries)
        if news:
            await self.load(news)
            self._tell()
            self._plan()
        return bool(news)

    async def _check_kept(self) -> None:
        """Refuse what comes to a table that was tidied up meanwhile."""
        if not await self._home.store.glance([self.book.name]):
            raise Conflict("gone", "this table is no longer kept")

    def _vacate(self, seat: int) -> None:
        """Let those who held a seat watch from now on."""
        self.away_since[seat] = 0.0
        for listener in self.listeners:
            if listener.seat == seat:
                listener.lose_seat()

    def _note(self, entry: e.AnyEntry) -> None:
        """Write a log line: who did something, not what they hide."""
        what = type(entry).__name__.lower()
        seat = getattr(entry, "by", getattr(entry, "seat", "-"))
        level = logging.DEBUG if isinstance(entry, e.Moved) else logging.INFO
        if log.isEnabledFor(level):
            where = self.book.name, self.book.entries, len(self.book.moves)
            log.log(level, "table=%s entry=%d move=%d %s seat=%s", *where, what, seat)

    async def _write(self, changes: list[Change], holder: str | None) -> None:
        lines = [e.encoder.encode(change.entry) for change in changes]
        name, first = self.book.name, self.book.entries + 1
        state = changes[-1].state
        ends = state is not None and not self.book.rules.to_move(state)
        live = self.book.phase == "playing" or isinstance(changes[0].entry, e.Started)
        record = (self.book.games, self._record_with(changes)) if ends else None
        now = self._home.now()
        await self._home.store.append(name, first, lines, now, live and not ends, record, holder)

    def _record_with(self, changes: list[Change]) -> str:
        """Write the record of a game that these changes end."""
        found = [(c.entry, c.move) for c in changes if isinstance(c.entry, e.Moved)]
        last = [Played(entry.by, move, entry.t, None) for entry, move in found]
        return self.book.record(last, changes[-1].state)

    def _follow(self, changes: list[Change]) -> None:
        """Add nature's answers to what was judged."""
        book, last = self.book, changes[-1]
        if isinstance(last.entry, e.Started):
            state = book.rules.start(len(book.chairs), book.game_options)
        elif last.move is not None:
            state = last.state
        else:
            return
        number = len(book.moves) + (last.move is not None)
        while book.natures_turn(state):
            number += 1
            move = book.natures_move(state, number)
            state = book.rules.play(state, NATURE, move)
            changes.append(self._moved(NATURE, move, state))

    def _moved(self, by: By, move: Any, state: Any, **more: Any) -> Change:
        now = self._home.now()
        since = round((now - self.book.begun) * 1000) if self.book.moves else 0
        raw = msgspec.Raw(e.encoder.encode(move))
        return Change(e.Moved(now, by, raw, max(0, since), **more), move, state)

    def _tell(self) -> None:
        self.version += 1
        for listener in self.listeners:
            listener.changed()

    def _plan(self) -> None:
        """See to what comes next; the conductor does."""

    def is_here(self, seat: int) -> bool:
        """Say whether a seat has a socket open, at this server or another."""
        return self._is_at_this_server(seat) or any(
            seat in there.seats for there in self.elsewhere.values()
        )

    def _is_at_this_server(self, seat: int) -> bool:
        return any(listener.seat == seat for listener in self.listeners)

    def _set_timer(self, name: str, seconds: float, do: Callable[[], Awaitable[None]]) -> None:
        """Do something later, in place of what was planned under this name."""
        self._cancel(name)

        async def run() -> None:
            await do()

        def ring() -> None:
            self._timers.pop(name, None)
            self._home.spawn(run())

        self._timers[name] = asyncio.get_running_loop().call_later(max(0.0, seconds), ring)

    def _cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
