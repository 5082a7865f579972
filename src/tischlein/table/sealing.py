"""The players' words for the dice: sealed before the start, opened by all, or begun anew."""

import re
from typing import Final

from tischlein.chance import DIGEST, LONGEST_WORD, Seal, is_word
from tischlein.game import Refusal
from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.table.needs import Conflict, House, StoreDown
from tischlein.table.queue import LATER, Change, Queue
from tischlein.table.timers import Timers

BY_CHANCE: Final = re.compile("[0-9a-f]{32,64}")
"""What a word looks like where everybody may come: strangers write each other nothing."""


class Sealing:
    """Takes seals while the table is open, then the words that fit them, for a while."""

    def __init__(self, book: Book, queue: Queue, timers: Timers, house: House) -> None:
        self._book, self._queue, self._timers, self._house = book, queue, timers, house
        self._woken = 0.0

    async def take(self, seat: int, seal: str | None, word: str | None, salt: str | None) -> None:
        """Take a seal, or a word with its salt."""
        if seal is not None and word is None and salt is None:
            await self.seal(seat, seal)
        elif seal is None and word is not None:
            await self.open(seat, word, salt)
        else:
            sentence = "send the `seal` of a word before the start; then its `text` and `salt`"
            raise Refusal("bad_contribution", sentence)

    async def seal(self, seat: int, seal: str) -> None:
        """Let a player show the seal of a word, before anybody's word is opened."""
        if not DIGEST.fullmatch(seal):
            raise Refusal("bad_seal", "a seal is a SHA-256: 64 hexadecimal digits in lower case")

        def take() -> list[Change]:
            check_sealing(self._book)
            return [Change(e.Sealed(self._house.now(), seat, seal))]

        await self._queue.put(take)

    async def open(self, seat: int, word: str, salt: str | None) -> None:
        """Let a player open the word that they had sealed; with the last one the game starts."""

        def take() -> list[Change]:
            check_word(self._book, seat, word, salt)
            if self._book.words.is_open(seat):
                return []
            return [Change(e.Unsealed(self._house.now(), seat, word, salt or ""))]

        await self._queue.put(take)
        await self._queue.put(self._go_on)

    def wake(self) -> None:
        """Begin to count: nobody is late because the table slept."""
        self._woken = self._house.now()
        self.plan()

    def plan(self) -> None:
        """See to it that an opening ends: with a game, or with a new beginning.

        Any server may do so that has the table in memory: the first to write it is right.
        """
        if not self._book.words.is_opening or self._book.is_closed:
            self._timers.cancel("opening")
        elif not self._book.words.unopened:
            self._timers.set("opening", 0.0, self._end)
        else:
            self._timers.set("opening", self._due - self._house.now(), self._end)

    @property
    def _due(self) -> float:
        """Say until when all words must be open."""
        since = max(self._book.words.opening_since or 0.0, self._woken)
        return since + self._house.settings.open_within

    async def _end(self) -> None:
        try:
            await self._queue.serve(self._go_on)
        except StoreDown:
            self._timers.set("opening", LATER, self._end)

    def _go_on(self) -> list[Change]:
        """Start when all words are open; when time is up, begin anew."""
        now, late = self._house.now(), tuple(self._book.words.unopened)
        is_opening = self._book.words.is_opening and not self._book.is_closed
        if not is_opening or (late and now < self._due):
            return []
        if not late:
            return [Change(e.Started(now))]
        return [Change(e.HeldUp(now, late)), *self._send_away(late)]

    def _send_away(self, late: tuple[int, ...]) -> list[Change]:
        """Free the seats of strangers who hold up a start: at their table no host could."""
        now = self._house.now()
        return [Change(e.Removed(now, seat)) for seat in late if self._book.seek]


def check_sealing(book: Book) -> None:
    """Refuse a seal when it is too late: somebody may have seen a word."""
    check_open(book)
    if book.words.is_opening:
        raise Conflict("opening", "the words are being opened: no seal is taken any more")


def check_word(book: Book, seat: int, word: str, salt: str | None) -> None:
    """Let only a word pass that was sealed before, and only when all are opened."""
    check_open(book)
    seal = book.words.seals[seat]
    if seal is None:
        sentence = "seal your word before the start: else the last to speak could choose the dice"
        raise Conflict("not_sealed", sentence)
    if not book.words.is_opening:
        raise Conflict("too_early", "words are opened when the host starts, not before")
    if not is_word(word):
        sentence = "a word has at most {most} signs, all visible and on one line"
        raise Refusal("bad_word", sentence, most=LONGEST_WORD)
    if book.public and not BY_CHANCE.fullmatch(word):
        sentence = "where everybody may come a word is made by chance: 32 to 64 signs of 0-9, a-f"
        raise Refusal("open_word", sentence)
    if salt is None or not Seal(seal, salt).fits(word):
        sentence = "this does not fit your seal: SHA-256 of the salt, a line break and the word"
        raise Refusal("seal_broken", sentence)


def check_open(book: Book) -> None:
    """Refuse what comes after the start."""
    if book.phase != "open":
        raise Conflict("begun", "the game has begun")
