"""What whoever runs the server may do at a table: close it, and take a name away."""

from collections.abc import Iterable
from itertools import chain, count

from tischlein.game import Refusal
from tischlein.names import are_alike
from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.table.needs import Conflict, House
from tischlein.table.queue import Change, Queue
from tischlein.table.seating import SOMEBODY, persons_name


class Care:
    """Looks after a table for everybody's good."""

    def __init__(self, book: Book, queue: Queue, house: House) -> None:
        self._book, self._queue, self._house = book, queue, house

    async def close(self) -> None:
        """Close the table: who is there hears it at once, and nobody plays here any more."""

        def shut() -> list[Change]:
            return [] if self._book.is_closed else [Change(e.Closed(self._house.now()))]

        await self._queue.put(shut)

    async def rename(self, seat: int, name: str | None = None) -> tuple[str, str]:
        """Take a player's name away and give another in its place; say what it was and is."""
        wanted = None if name is None else persons_name(name)
        names: list[str] = []

        def call() -> list[Change]:
            names[:] = [
                self._check(seat, wanted),
                wanted or neutral_name(others(self._book, seat), seat),
            ]
            if names[0] == names[1]:
                return []
            return [Change(e.Renamed(self._house.now(), seat, names[1]))]

        await self._queue.put(call)
        before, after = names
        return before, after

    def _check(self, seat: int, wanted: str | None) -> str:
        """Give the name of a person in a seat, or refuse: bots have names of the house's own."""
        chairs = self._book.chairs
        chair = chairs[seat] if 0 <= seat < len(chairs) else None
        if chair is None or chair.name is None or chair.bot is not None:
            raise Refusal("no_seat", "nobody sits in seat {seat}", seat=str(seat))
        if wanted is not None and any(are_alike(wanted, name) for name in others(self._book, seat)):
            raise Conflict("name_taken", "somebody here is called that already")
        return chair.name


def others(book: Book, seat: int) -> list[str]:
    """List the names of all others at the table."""
    return [name for n, name in enumerate(book.names) if n != seat and name]


def neutral_name(others: Iterable[str], number: int) -> str:
    """Give a name that says nothing, and that none of the others has."""
    taken = tuple(others)
    tried = chain([SOMEBODY], (f"{SOMEBODY} {n}" for n in count(number + 1)))
    return next(one for one in tried if not any(are_alike(one, name) for name in taken))
