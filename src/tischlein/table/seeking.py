"""A table of strangers before its game: who is gone loses the seat; when it is full it starts.

Any server may see to it that has the table in memory: the first to write it is right.
"""

import logging
from typing import Final

from tischlein.bots import usual_level
from tischlein.game import Refusal
from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.table.needs import Conflict, Do, House, StoreDown
from tischlein.table.presence import Presence
from tischlein.table.queue import LATER, Change, Queue
from tischlein.table.timers import Timers

log = logging.getLogger("tischlein.table")
ROUNDED: Final = 0.1
"""Times are told to so many ms."""

SOONEST: Final = 0.02
"""So many seconds pass before it is looked again."""


class Seeking:
    """Keeps a table of strangers free of ghosts, and starts it."""

    def __init__(
        self,
        book: Book,
        queue: Queue,
        presence: Presence,
        timers: Timers,
        house: House,
        look_around: Do,
    ) -> None:
        self._book, self._queue, self._presence = book, queue, presence
        self._timers, self._house, self._look_around = timers, house, look_around
        self._ready_since: float | None = None

    @property
    def is_waiting(self) -> bool:
        """Say whether strangers wait here for each other."""
        book = self._book
        is_open = book.phase == "open" and not book.is_closed and not book.words.is_opening
        return book.seek and is_open

    @property
    def bots_at(self) -> float | None:
        """Say from when on those who wait may take bots, in ms; None where nobody waits so."""
        if not self._book.seek or self._book.phase != "open":
            return None
        return round((self._book.waits_since + self._house.settings.seek_bots_after) * 1000, 1)

    async def take_bots(self, by: int) -> None:
        """Let somebody take bots in the empty seats; they sit down when all who wait do."""

        def take() -> list[Change]:
            if not self._book.seek:
                raise Conflict("not_seeking", "at this table the host sees to the seats")
            if not self.is_waiting:
                raise Conflict("begun", "the game begins")
            now = self._house.now() * 1000 + self._house.servers.slack
            if now + ROUNDED < (self.bots_at or 0.0):
                after = f"{self._house.settings.seek_bots_after:g}"
                sentence = "others may still come; bots sit down after {after} seconds"
                raise Conflict("too_soon", sentence, after=after)
            if self._book.chairs[by].takes_bots:
                return []
            return [Change(e.TakesBots(self._house.now(), by))]

        await self._queue.put(take)

    def plan(self) -> None:
        """See to it that what is due here happens."""
        if not self._book.seek:
            return
        due = self._due() if self.is_waiting else None
        if due is None:
            self._timers.cancel("seek")
        else:
            self._timers.set("seek", max(SOONEST, due - self._house.now()), self._go_on)

    def _due(self) -> float | None:
        """Say when something is to be done here next."""
        now, settings = self._house.now(), self._house.settings
        away = self._presence.away_since
        dues = [away[seat] + settings.seek_gone_after for seat in self._people if seat in away]
        if self._wants_bots:
            dues.append(now)
        if not self._is_ready:
            self._ready_since = None
        else:
            self._ready_since = self._ready_since or now
            waits = 0.0 if self._all_sealed else settings.seek_seals_within
            dues.append(self._ready_since + waits)
        return min(dues, default=None)

    async def _go_on(self) -> None:
        try:
            await self._look_around()  # who seems gone may be at another server
            await self._queue.serve(self._judge)
            self.plan()
        except StoreDown:
            self._timers.set("seek", LATER, self._go_on)
        except Refusal as refusal:
            log.warning("table=%s does not start: %s", self._book.name, refusal)

    def _judge(self) -> list[Change]:
        """Free the seats of who is gone; else let bots sit down; else start."""
        if not self.is_waiting:
            return []
        now, gone = self._house.now(), [seat for seat in self._people if self._is_gone(seat)]
        if gone:
            return self._free(gone)
        if self._wants_bots:
            bot, chairs = usual_level(self._book.rules), enumerate(self._book.chairs)
            return [Change(e.Seated(now, seat, bot)) for seat, chair in chairs if chair.free]
        waits = 0.0 if self._all_sealed else self._house.settings.seek_seals_within
        if not self._is_ready or now < (self._ready_since or now) + waits:
            return []
        return [Change(e.Unsealing(now) if self._book.words.unopened else e.Started(now))]

    def _free(self, gone: list[int]) -> list[Change]:
        """Give seats back; somebody who stays gets what rights a host has after the game."""
        now, stay = self._house.now(), [seat for seat in self._people if seat not in gone]
        passing = stay[:1] if self._book.host in gone else []
        freed = [Change(e.Removed(now, seat)) for seat in gone]
        return [*(Change(e.Hosted(now, seat)) for seat in passing), *freed]

    def _is_gone(self, seat: int) -> bool:
        away = self._presence.away_for(seat)
        return away is not None and away >= self._house.settings.seek_gone_after

    @property
    def _people(self) -> list[int]:
        chairs = enumerate(self._book.chairs)
        return [seat for seat, chair in chairs if chair.token is not None]

    @property
    def _wants_bots(self) -> bool:
        """Say whether seats are free and everybody who waits takes bots in them."""
        chairs, people = self._book.chairs, self._people
        is_free = any(chair.free for chair in chairs)
        return is_free and bool(people) and all(chairs[seat].takes_bots for seat in people)

    @property
    def _is_ready(self) -> bool:
        """Say whether every seat is taken, and everybody is here."""
        is_full = not any(chair.free for chair in self._book.chairs)
        return is_full and bool(self._people) and all(map(self._presence.is_here, self._people))

    @property
    def _all_sealed(self) -> bool:
        return all(self._book.words.seals[seat] is not None for seat in self._people)
