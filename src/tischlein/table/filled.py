"""Where people play when they have time: a host who is away hears that all seats are taken."""

from collections.abc import Callable, Sequence

from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.table.needs import House, StoreDown
from tischlein.table.presence import Presence
from tischlein.table.queue import Change, Queue
from tischlein.table.timers import Timers

TIMER = "filled"
LATER = 5.0
"""After so many seconds it is tried again where the store was in trouble."""


def can_fill(book: Book, changes: Sequence[Change] = ()) -> bool:
    """Say whether all seats may be taken after these changes, and the host does not know it."""
    free = sum(chair.free for chair in book.chairs)
    came = sum(isinstance(entry, e.Sat | e.Seated) for entry, _, _ in changes)
    is_told = book.host in book.waits.nudged
    return bool(book.chairs) and free <= came and not is_told


class Filled:
    """Sees to it that a game can begin though its host has closed the page: told once."""

    def __init__(
        self, book: Book, queue: Queue, presence: Presence, timers: Timers, house: House
    ) -> None:
        self._book, self._queue, self._presence = book, queue, presence
        self._timers, self._house = timers, house
        self.nudge: Callable[[int], None] = lambda seat: None
        """Tells somebody who is away."""

    @property
    def waits(self) -> bool:
        """Say whether the game waits for nothing but its host."""
        book = self._book
        is_open = book.is_slow and book.phase == "open" and not book.is_closed
        return is_open and can_fill(book) and book.chairs[book.host].token is not None

    @property
    def due(self) -> float | None:
        """Say when the host is to be told; None: not, or not while they are here."""
        host = self._book.host
        if not self.waits or self._presence.is_here(host):
            return None
        since = max(self._book.touched, self._presence.left_at(host))
        return since + self._house.settings.nudge_after

    @property
    def is_due(self) -> bool:
        """Say whether the host is to be told now."""
        return self.due is not None and self.due <= self._house.now()

    def plan(self) -> None:
        """Tell the host in time."""
        due = self.due
        if due is None:
            self._timers.cancel(TIMER)
        else:
            self._timers.set(TIMER, max(0.0, due + 0.01 - self._house.now()), self._tell)

    async def _tell(self) -> None:
        """Tell the host; it is written first, so that it is once."""
        host = self._book.host
        try:
            if await self._queue.serve(self._judge):
                self.nudge(host)
        except StoreDown:
            self._timers.set(TIMER, LATER, self._tell)

    def _judge(self) -> list[Change]:
        return [Change(e.Nudged(self._house.now(), self._book.host))] if self.is_due else []
