"""The one queue of a table: check, store, then tell. The only way in to its book."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from tischlein.game import BY_NATURE, NATURE, By, Refusal
from tischlein.table import entries as e
from tischlein.table.book import (
    Book,
    Played,
    change_of,
    guests_of,
    hides_deeds,
    is_rated,
    left_of,
    record_of,
)
from tischlein.table.needs import (
    NEVER,
    Conflict,
    Do,
    House,
    NotHolder,
    Page,
    StoreDown,
    Taken,
)
from tischlein.table.timers import Timers

log = logging.getLogger("tischlein.table")
LATER = 1.0
"""After so many seconds what the store refused is tried again."""
OFTEN: Final = e.Seated | e.Handicapped | e.Appointed | e.Sealed | e.StandIn | e.Keyed | e.Published
"""What people may change again and again beside playing; sitting down has a limit of its own."""
AT_CLOSED: Final = e.Left | e.Hosted | e.Relieved | e.Renamed
"""What may still happen at a table that was closed: people go, and names are taken away."""
MOST_CHANGES: Final = 500
"""So often each of these may be changed at each seat, from the opening or a rematch to the next."""
MOST_ENTRIES: Final = 100_000
"""After so many entries nobody plays once more at a table: its book would take long to read."""


class Change(NamedTuple):
    """Something judged and about to be stored; of a move also what it is and leads to."""

    entry: e.AnyEntry
    move: Any = None
    state: Any = None


Judge = Callable[[], list[Change]]
"""Looks at the table as it is now: gives what changes, or raises a Refusal."""


class Queue:
    """Lets one change after the other into a table's book."""

    def __init__(self, book: Book, house: House, timers: Timers) -> None:
        self._book, self._house, self._timers = book, house, timers
        self._turn = asyncio.Lock()
        self.heard: Callable[[Sequence[e.AnyEntry]], None] = lambda entries: None
        """Is told what was taken in, here or from another server."""
        self.resume: Do = self._nothing
        """What to do when something went wrong, a while later."""
        self.alarm: Callable[[list[Change]], float | None] = lambda changes: None
        """Says when a server must look at the table again after these changes, if one must."""

    @property
    def busy(self) -> bool:
        """Say whether something is being judged or stored."""
        return self._turn.locked()

    async def put(self, judge: Judge) -> None:
        """Judge, store and tell, whatever becomes of the caller."""
        await asyncio.shield(self._house.spawn(self.serve(judge)))

    async def conduct(self, judge: Judge) -> bool:
        """Do what is this server's to do; if the store is in trouble, later. False if it is not."""
        try:
            return await self.serve(judge, conducting=True)
        except Exception as problem:  # a table must not stand still for good
            details = not isinstance(problem, StoreDown)
            log.warning("table=%s stands still: %s", self._book.name, problem, exc_info=details)
            self._timers.set("again", LATER, self.resume)
            return False

    async def _nothing(self) -> None:
        """Do nothing."""

    async def serve(self, judge: Judge, conducting: bool = False) -> bool:
        """Wait for one's turn; judge, store and tell. False if nothing changed."""
        async with self._turn:
            started = time.monotonic()
            changes = await self._settle(judge, conducting)
            if changes:
                self._take_in(changes, time.monotonic() - started)
            return bool(changes)

    def _take_in(self, changes: list[Change], took: float) -> None:
        """Fold what is stored, and tell it."""
        for change in changes:
            self._book.fold(*change)
            self._note(change.entry)
        moves = sum(change.move is not None for change in changes)
        self._house.counts.moved(moves, self._book.name, hides_deeds(self._book))
        self._house.servers.wrote(self._book.name, self._book.entries, took)
        if moves and self._book.phase == "over":
            self._house.game_ended(self._book.name, self._book.games)
        self.heard([change.entry for change in changes])

    async def _settle(self, judge: Judge, conducting: bool) -> list[Change]:
        """Judge and store; if another server was quicker, read on and judge again."""
        servers = self._house.servers
        while not conducting or servers.conducts(self._book.name):
            try:
                changes = [] if conducting and self._book.is_closed else judge()
                check_room(self._book, changes)
            except Refusal:  # it may fit a table that has moved on elsewhere
                if servers.holder is None or not await self._read_on():
                    raise
                continue
            if not changes:
                break
            self._follow(changes)
            try:
                await self._house.journal.append(
                    self._page(changes, servers.holder if conducting else None)
                )
                return changes
            except Taken:
                servers.collided()
                if not await self._read_on() and self._book.entries:
                    await self._check_kept()
            except NotHolder:
                servers.lost(self._book.name)
        return []

    async def catch_up(self) -> None:
        """Take in what other servers have written."""
        async with self._turn:
            await self._read_on()

    async def _read_on(self) -> bool:
        """Fold what others have written since, and tell it; False if that is nothing."""
        news = await self._house.journal.load(self._book.name, self._book.entries)
        if news:
            self.heard(self.load(news))
        return bool(news)

    def load(self, found: Sequence[bytes]) -> list[e.AnyEntry]:
        """Fold what the store has kept."""
        entries = [e.decoder.decode(line) for line in found]
        for entry in entries:
            self._book.fold(entry)
        return entries

    async def _check_kept(self) -> None:
        """Refuse what comes to a table that was tidied up meanwhile."""
        if not await self._house.journal.glance([self._book.name]):
            raise Conflict("gone", "this table is no longer kept")

    def _note(self, entry: e.AnyEntry) -> None:
        """Write a log line: who did something, not what they hide; of a race when it is over."""
        if isinstance(entry, e.Moved) and entry.by != NATURE and hides_deeds(self._book):
            return
        level = logging.DEBUG if isinstance(entry, e.Moved) else logging.INFO
        if log.isEnabledFor(level):
            what = type(entry).__name__.lower()
            seat = getattr(entry, "by", getattr(entry, "seat", "-"))
            where = self._book.name, self._book.entries, len(self._book.moves)
            log.log(level, "table=%s entry=%d move=%d %s seat=%s", *where, what, seat)

    def _page(self, changes: list[Change], holder: str | None) -> Page:
        """Write down what was judged."""
        book, last = self._book, changes[-1]
        lines = [e.encoder.encode(change.entry) for change in changes]
        ends = last.state is not None and not book.rules.to_move(last.state)
        begins = any(isinstance(change.entry, e.Started) for change in changes)
        closes = book.is_closed or any(isinstance(change.entry, e.Closed) for change in changes)
        live = (book.phase == "playing" or begins) and not ends and not closes
        alarm = NEVER if closes else self.alarm(changes)
        page = Page(
            book.name, book.entries + 1, lines, self._house.now(), live, None, holder, alarm
        )
        if not ends:
            return page
        record = book.games, self._record_with(changes)
        guests, rated = guests_of(book), is_rated(book)
        return page._replace(record=record, guests=guests, rated=rated, left=left_of(book))

    def _record_with(self, changes: list[Change]) -> str:
        """Write the record of a game that these changes end."""
        found = [(c.entry, c.move) for c in changes if isinstance(c.entry, e.Moved)]
        last = [Played(entry.by, move, entry.t, None) for entry, move in found]
        return record_of(self._book, last, changes[-1].state)

    def _follow(self, changes: list[Change]) -> None:
        """Add nature's answers to what was judged; a race is rolled when the players are ready."""
        book, last = self._book, changes[-1]
        if isinstance(last.entry, e.Started):
            state = book.rules.start(len(book.chairs), book.game_options)
        elif last.move is not None:
            state = last.state
        else:
            return
        number = len(book.moves) + (last.move is not None)
        while book.rules.to_move(state) == BY_NATURE:
            number += 1
            move = book.natures_move(state, number)
            state = book.rules.play(state, NATURE, move)
            if book.race_in(state) is not None:
                return
            changes.append(self.moved(NATURE, move, state))

    def moved(self, by: By, move: Any, state: Any, **more: Any) -> Change:
        """Make the change that a move is."""
        now = self._house.now()
        since = round((now - self._book.begun) * 1000) if self._book.moves else 0
        raw = msgspec.Raw(e.encoder.encode(move))
        return Change(e.Moved(now, by, raw, max(0, since), **more), move, state)


def check_room(book: Book, changes: Sequence[Change]) -> None:
    """Refuse what would let a book grow without end; starting, playing and getting up go on.

    At a table that was closed they do not.
    """
    for entry, *_ in changes:
        if book.is_closed and not isinstance(entry, AT_CLOSED):
            raise Conflict("closed", "this table was closed")
        if isinstance(entry, OFTEN) and book.changes[change_of(entry)] >= MOST_CHANGES:
            sentence = "this was changed too often; start the game, or set a new table"
            raise Conflict("worn_out", sentence)
        if isinstance(entry, e.Again) and book.entries >= MOST_ENTRIES:
            raise Conflict("worn_out", "so much was played at this table; set a new one")
