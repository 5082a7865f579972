"""What the house itself does at a table that it has set for a cup: seats, keys, the start."""

import secrets
from collections.abc import Sequence

from tischlein.table import entries as e
from tischlein.table.book import Book, fingerprint
from tischlein.table.needs import Conflict, House, StoreDown
from tischlein.table.presence import Presence
from tischlein.table.queue import Change, Queue
from tischlein.table.timers import Timers

Person = tuple[str, str | None]
"""Somebody's name, and their profile if they have one."""


class Steward:
    """Sees to a table of a cup: nobody there may."""

    def __init__(
        self, book: Book, queue: Queue, presence: Presence, timers: Timers, house: House
    ) -> None:
        self._book, self._queue, self._presence = book, queue, presence
        self._timers, self._house = timers, house

    async def lay(self, people: Sequence[Person | None]) -> None:
        """Give all seats to people, in their order, or to bots; nobody has a token yet."""

        def seat() -> list[Change]:
            now = self._house.now()
            return [
                Change(
                    e.Seated(now, place, self._book.stand_in)
                    if person is None
                    else e.Sat(now, place, person[0], fingerprint(new_token()), person[1])
                )
                for place, person in enumerate(people)
            ]

        await self._queue.put(seat)

    async def key(self, seat: int) -> str:
        """Make one more token for a seat that is somebody's."""
        token = new_token()

        def give() -> list[Change]:
            if self._book.chairs[seat].token is None:
                raise Conflict("seat_lost", "a bot plays in your seat at this table")
            return [Change(e.Keyed(self._house.now(), seat, fingerprint(token)))]

        await self._queue.put(give)
        return token

    async def begin(self) -> None:
        """Start; bots play for those who are not here, until they come."""

        def start() -> list[Change]:
            if self._book.phase != "open" or self._book.words.is_opening:
                return []
            now, chairs = self._house.now(), enumerate(self._book.chairs)
            absent = [
                Change(e.Relieved(now, seat, chair.stand_in))
                for seat, chair in chairs
                if chair.token is not None and not self._presence.is_here(seat)
            ]
            sealed = bool(self._book.words.unopened)
            return [*absent, Change(e.Unsealing(now) if sealed else e.Started(now))]

        await self._queue.put(start)

    async def take_over(self, seat: int) -> None:
        """Let a bot play on for good for somebody who has left the cup."""

        def replace() -> list[Change]:
            chair, now = self._book.chairs[seat], self._house.now()
            if chair.token is None or self._book.phase == "over":
                return []
            if self._book.phase == "open":
                return [Change(e.Seated(now, seat, self._book.stand_in))]
            return [Change(e.Left(now, seat)), Change(e.Relieved(now, seat, chair.stand_in))]

        await self._queue.put(replace)

    def look(self) -> None:
        """See to it that the game begins when all have come."""
        if not self._all_here():
            self._timers.cancel("gather")
        elif "gather" not in self._timers:
            self._timers.set("gather", self._house.settings.gather, self._gathered)

    def _all_here(self) -> bool:
        book = self._book
        if book.cup is None or book.phase != "open" or book.words.is_opening or book.is_closed:
            return False
        chairs = enumerate(self._book.chairs)
        people = [seat for seat, chair in chairs if chair.token is not None]
        return bool(people) and all(map(self._presence.is_here, people))

    async def _gathered(self) -> None:
        if not self._all_here():
            return
        try:
            await self.begin()
        except StoreDown:
            self.look()  # later, then

    @property
    def anybody(self) -> bool:
        """Say whether one of the people who sit here is here."""
        return any(map(self._presence.is_here, range(len(self._book.chairs))))


def new_token() -> str:
    """Make a token that nobody guesses."""
    return secrets.token_urlsafe(32)
