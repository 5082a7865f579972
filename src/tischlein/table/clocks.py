"""The clocks of people who are to move: whose time is up is played for."""

from collections.abc import Callable, Sequence
from math import inf

from tischlein.table.book import Book, Choice
from tischlein.table.bots import Bots
from tischlein.table.needs import House
from tischlein.table.slow import deadlines_of
from tischlein.table.timers import Timers


class Clocks:
    """Until when each person must have moved."""

    def __init__(self, book: Book, bots: Bots, timers: Timers, house: House) -> None:
        self._book, self._bots, self._timers, self._house = book, bots, timers, house
        self.deadlines: dict[int, float] = {}
        self._timed: dict[int, Choice] = {}
        self._woken = 0.0
        self.done: Callable[[], None] = lambda: None
        """Is told that those who were late have been played for."""

    def wake(self) -> None:
        """Begin to count: nobody loses the time in which the table slept."""
        self._woken = self._house.now()
        self.deadlines.clear()

    def sleep(self) -> None:
        """Count no longer; where people play when they have time it goes on without anybody."""
        self.deadlines.clear()
        if self._book.is_slow and self._book.phase == "playing":
            self.deadlines = deadlines_of(self._book, self._house.settings)

    def plan(self, movers: Sequence[int]) -> None:
        """Let the clock run for people who are to move."""
        if self._book.is_slow:
            self.deadlines = deadlines_of(self._book, self._house.settings)
        else:
            self._count(movers)
        due = [when for seat, when in self.deadlines.items() if not self._bots.thinks_for(seat)]
        if due:
            self._timers.set("clock", min(due) - self._house.now(), self._time_out)
        elif not self.deadlines:
            self._timers.cancel("clock")

    def _count(self, movers: Sequence[int]) -> None:
        """Begin to count for people whose choice has just come up."""
        limit = self._limit
        people = [seat for seat in movers if self._book.chairs[seat].player is None]
        for seat in list(self.deadlines):
            if seat not in people or self._timed.get(seat) != self._book.choice(seat):
                del self.deadlines[seat]
        if limit is None:
            self.deadlines.clear()
            return
        for seat in people:
            self._timed[seat] = self._book.choice(seat)
            self.deadlines.setdefault(seat, max(self._book.touched, self._woken) + limit)

    @property
    def _limit(self) -> float | None:
        """Give the time for a move; among strangers nobody wins by keeping the others waiting."""
        settings = self._house.settings
        found = settings.clocks.get(self._book.speed)
        return settings.strangers_clock if found is None and self._book.began_public else found

    async def _time_out(self) -> None:
        """Let a bot make the move of everybody whose time is up."""
        now = self._house.now()
        late = [seat for seat, due in self.deadlines.items() if due <= now]
        for seat in late:
            if self._bots.thinks_for(seat) or self.deadlines.get(seat, inf) > now:
                continue
            found = await self._bots.think_for(seat)
            if found is not None:
                self.deadlines.pop(seat, None)
                await self._bots.play_for(seat, *found, for_absent=True)
        if "again" not in self._timers:
            self.done()
