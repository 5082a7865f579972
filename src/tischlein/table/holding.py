"""Waiting for people: who still looks at what happened keeps bots and the next roll from going on.

Nobody else waits: not people's moves, not the clocks, not a race that is open. Alone one may take
one's time; among others each single bot's move, and each roll, is held up only so long.
"""

import asyncio
from collections.abc import Callable
from math import inf

from tischlein.table.book import Book
from tischlein.table.needs import House
from tischlein.table.presence import Presence


class Holding:
    """Says how long what is due still waits."""

    def __init__(self, book: Book, presence: Presence, house: House) -> None:
        self._book, self._presence, self._house = book, presence, house
        self._waiting: dict[asyncio.Future[None], None] = {}
        """The looks that are awaited, in their order: so what waits goes on."""
        self._held, self._freed = False, -inf

    def left(self, due: float, most: float | None = None, beat: float = 0.0) -> float | None:
        """Say for how many seconds what is due at a time still waits; None: until they are ready.

        `most` is the longest that several people are waited for, if it is not the usual; `beat` is
        how much later it comes when the last of them is ready, so that nobody chooses its moment.
        """
        now, people = self._house.now(), self._people()
        holds = any(map(self._presence.holds, people))
        if self._held and not holds:
            self._freed = now
        self._held = holds
        if len(people) == 1 and not self._book.is_slow:  # others come later
            return None if holds else max(0.0, due - now)
        latest = due + (self._house.settings.hold_most if most is None else most)
        if not holds:
            latest = min(latest, max(due, self._freed + beat))
        return max(0.0, latest - now)

    def _people(self) -> list[int]:
        """Name the seats of people who are here."""
        chairs = enumerate(self._book.chairs)
        return [seat for seat, chair in chairs if chair.token and self._presence.is_here(seat)]

    async def until_free(self, is_wanted: Callable[[], bool]) -> None:
        """Wait as long as somebody holds what is due now, and it is still wanted."""
        due = self._house.now()
        while is_wanted() and (left := self.left(due)) != 0.0:
            look = asyncio.get_running_loop().create_future()
            self._waiting[look] = None
            await asyncio.wait({look}, timeout=left)
            self._waiting.pop(look, None)

    def look_again(self) -> None:
        """Let all that waits look whether it still must."""
        for look in self._waiting:
            if not look.done():
                look.set_result(None)
