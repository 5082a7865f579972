"""What the expert would do: for each seat one thought about the position as it is now."""

import asyncio
from typing import NamedTuple

from tischlein.bots import Answer
from tischlein.table.book import Book, Choice
from tischlein.table.needs import Asker, Conflict, House

Moment = tuple[Choice, int]
"""A seat's choice, and how many moves are told: what others do in secret changes neither."""


class Asked(NamedTuple):
    """What the expert was asked about, and its answer."""

    moment: Moment
    answer: "asyncio.Task[Answer | None]"


class Advice:
    """Asks the expert for people; what it was asked about a position that is gone is dropped."""

    def __init__(self, book: Book, house: House) -> None:
        self._book, self._house = book, house
        self._asked: dict[int, Asked] = {}

    async def ask(self, seat: int, network: str) -> Answer:
        """Say what the expert would do in a seat; asked twice, it thinks once."""
        if seat not in self._asked:
            self._asked[seat] = self._begin(seat, network)
        asked = self._asked[seat]
        await asyncio.wait({asked.answer})
        found = None if asked.answer.cancelled() else asked.answer.result()
        if found is None:
            if self._asked.get(seat) is asked:
                del self._asked[seat]
            raise Conflict("no_answer", "the expert has no answer right now; ask again")
        return found

    def _begin(self, seat: int, network: str) -> Asked:
        book, asker = self._book, Asker(self._book.name, frozenset({self._house.mark(network)}))
        work = self._house.thinkers.ask(book.rules.NAME, "expert", book.advisers_turn(seat), asker)
        return Asked(self._moment(seat), self._house.spawn(work))

    def _moment(self, seat: int) -> Moment:
        """Say where a seat stands."""
        book = self._book
        return book.choice(seat), len(book.moves) - book.rules.in_secret(book.state)

    def drop_stale(self) -> None:
        """Break off thoughts about a position that is gone."""
        for seat, asked in list(self._asked.items()):
            if asked.moment != self._moment(seat):
                self._asked.pop(seat).answer.cancel()

    def rest(self) -> None:
        """Break off all thoughts."""
        for asked in self._asked.values():
            asked.answer.cancel()
        self._asked.clear()

    @property
    def busy(self) -> bool:
        """Say whether somebody waits for the expert."""
        return any(not asked.answer.done() for asked in self._asked.values())
