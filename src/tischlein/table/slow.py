"""A table where people play when they have time: its times are durable, and nobody need look.

The store keeps for each such table when a server must look at it again: its alarm.
"""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Final

from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.table.filled import Filled, can_fill
from tischlein.table.needs import NEVER, House
from tischlein.table.presence import Presence
from tischlein.table.queue import Change, Queue
from tischlein.table.settings import CLOCKS, TableSettings
from tischlein.table.timers import Timers
from tischlein.table.waits import Waits

HERE: Final = 300.0
"""So often it is looked whether somebody who is to move is still here, beside all timers."""


def deadlines_of(book: Book, settings: TableSettings) -> dict[int, float]:
    """Say until when each person must have moved; who got up is not waited for."""
    return due_for(book, book.waits, settings, left_in(book))


def due_for(book: Book, waits: Waits, settings: TableSettings, left: set[int]) -> dict[int, float]:
    """Say until when each person must have moved, given who is waited for and who got up."""
    limit = settings.clocks.get(book.speed, CLOCKS[book.speed])
    people = [seat for seat in waits.since if book.chairs[seat].player is None]
    return {seat: waits.since[seat] + (0.0 if seat in left else limit) for seat in people}


def left_in(book: Book) -> set[int]:
    """Name the seats whose people got up in the middle of the game."""
    return {seat for seat, chair in enumerate(book.chairs) if chair.has_left}


def is_abandoned(book: Book, left: set[int]) -> bool:
    """Say whether all people got up: nobody waits for what bots would think there for hours."""
    return all(seat in left for seat, chair in enumerate(book.chairs) if chair.bot is None)


def alarm_after(
    book: Book, changes: Sequence[Change], settings: TableSettings, now: float
) -> float | None:
    """Say when a table must be looked at again after these changes; None where nobody must."""
    first = changes[0].entry
    if not (book.is_slow or (isinstance(first, e.Opened) and first.speed in e.SLOW)):
        return None
    waits, phase, left = book.waits, book.phase, left_in(book)
    for entry, _, state in changes:
        match entry:
            case e.Closed():
                return NEVER
            case e.Again():
                phase = "open"
            case e.Left():
                left.add(entry.seat)
            case e.Started():
                phase = "playing"
                state = book.rules.start(len(book.chairs), book.game_options)
        movers = () if state is None else book.rules.to_move(state)
        if state is not None and not movers:
            return NEVER
        waits = waits.after(entry, movers)
    return alarm_in(book, phase, waits, settings, now, left, can_fill(book, changes))


def alarm_in(
    book: Book,
    phase: str,
    waits: Waits,
    settings: TableSettings,
    now: float,
    left: set[int],
    fills: bool,
) -> float:
    """Say when a table must be looked at again, wherever its people are."""
    if phase == "open":
        return now + (settings.nudge_after if fills else settings.slow_open_for)
    if phase == "over" or book.is_closed or is_abandoned(book, left):
        return NEVER
    due = due_for(book, waits, settings, left)
    if len(due) < len(waits.since) or left & due.keys():  # a bot moves now
        return now + settings.slow_again
    untold = [since for seat, since in waits.since.items() if seat not in waits.nudged]
    nudges = [nudge_time(since, now, settings.nudge_after) for since in untold]
    return min([*due.values(), *nudges], default=now + settings.slow_again)


def nudge_time(since: float, now: float, after: float) -> float:
    """Say when somebody may have to be told; who was not in time is here, or is told just now."""
    return since + after if since + after > now else now + after


class Slow:
    """Says what is to be done now, also while nobody looks, and tells people that are away."""

    def __init__(
        self,
        book: Book,
        queue: Queue,
        presence: Presence,
        timers: Timers,
        house: House,
        filled: Filled,
    ) -> None:
        self._book, self._queue, self._presence, self._filled = book, queue, presence, filled
        self._timers, self._house = timers, house
        self.nudge: Callable[[int], None] = lambda seat: None
        """Tells somebody who is away that it is their turn."""

    def alarm_after(self, changes: list[Change]) -> float | None:
        """Say when a server must look at the table again after these changes."""
        return alarm_after(self._book, changes, self._house.settings, self._house.now())

    @property
    def is_due(self) -> bool:
        """Say whether something is to be done now: bots, who is late, who must be told."""
        book, now = self._book, self._house.now()
        if book.phase == "open":
            return self._filled.is_due
        if not book.is_slow or book.phase != "playing" or book.is_closed:
            return False
        if is_abandoned(book, left_in(book)):
            return False
        due = deadlines_of(book, self._house.settings)
        if len(due) < len(book.waits.since):
            return True
        return any(when <= now for when in (*due.values(), *self._nudges().values()))

    def _nudges(self) -> dict[int, float]:
        """Say when each person who is away will be told that it is their turn."""
        after = self._house.settings.nudge_after
        return {seat: self._away_since(seat) + after for seat in self._untold() if self._away(seat)}

    def _untold(self) -> Iterable[int]:
        """Name the people who are to move and were not told so."""
        book = self._book
        chairs = ((seat, book.chairs[seat]) for seat in book.waits.since)
        return [
            seat
            for seat, chair in chairs
            if chair.token and chair.player is None and seat not in book.waits.nudged
        ]

    def _away(self, seat: int) -> bool:
        return not self._presence.is_here(seat)

    def _away_since(self, seat: int) -> float:
        """Say since when somebody is to move and is away."""
        return max(self._book.waits.since[seat], self._presence.left_at(seat))

    def plan_start(self) -> None:
        """Tell a host who is away that the game can begin."""
        self._filled.plan()

    def plan(self) -> None:
        """Tell those who are away in time."""
        times = self._nudges().values()
        if times:
            self._timers.set("nudge", min(times) + 0.01 - self._house.now(), self._nudge)
        else:
            self._timers.cancel("nudge")

    async def _nudge(self) -> None:
        """Tell everybody whose time for it has come: it is written first, so that it is once."""
        for seat in [seat for seat, when in self._nudges().items() if self._is_now(when)]:

            def note(seat: int = seat) -> list[Change]:
                when = self._nudges().get(seat, inf)
                return [Change(e.Nudged(self._house.now(), seat))] if self._is_now(when) else []

            if await self._queue.conduct(note):
                self.nudge(seat)

    def _is_now(self, when: float) -> bool:
        return when <= self._house.now()

    @property
    def alarm(self) -> float:
        """Say when a server must look at the table again, if nothing is to be done now."""
        book, now, settings = self._book, self._house.now(), self._house.settings
        if not book.is_slow or book.phase == "over" or book.is_closed:
            return NEVER
        if book.phase == "open":
            until = book.touched + settings.slow_open_for
            again = self._filled.due or (now + HERE if self._filled.waits else until)
            return max(now + 1.0, min(again, until)) if until > now else NEVER
        if is_abandoned(book, left_in(book)):
            return NEVER
        here = [now + HERE for seat in self._untold() if not self._away(seat)]
        nudges, due = self._nudges().values(), deadlines_of(book, settings).values()
        return max(now + 1.0, min((*due, *nudges, *here), default=now + settings.slow_again))
