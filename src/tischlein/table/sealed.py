"""The players' words for the dice, as the entries of a table tell them. Pure: no clock, no I/O."""

from collections.abc import Sequence

from msgspec import Struct

from tischlein.chance import Seal
from tischlein.table import entries as e

WordEntry = e.Salted | e.Sealed | e.Unsealing | e.Unsealed | e.HeldUp


class Hindrance(Struct, frozen=True):
    """Somebody whose word did not come, so that a start began anew."""

    seat: int
    name: str


class SealedWords:
    """One word a seat, empty for none: first its seal, then the word; shown when all are open."""

    def __init__(self, seats: int = 0) -> None:
        self.opening_since: float | None = None
        self.held_up: tuple[Hindrance, ...] = ()
        self.are_shown = False
        self.drop_all(seats)

    def drop_all(self, seats: int) -> None:
        """Forget all words, and all seals."""
        self.opening_since = None
        self.texts = [""] * seats
        self.seals: list[str | None] = [None] * seats
        self._salts = [""] * seats

    def drop(self, seat: int) -> None:
        """Forget the word of a seat, and its seal."""
        self.texts[seat], self.seals[seat], self._salts[seat] = "", None, ""

    def fold(self, entry: WordEntry, names: Sequence[str]) -> None:
        """Take in what happened."""
        match entry:
            case e.Salted():
                self.texts[entry.seat] = entry.text
            case e.Sealed():
                self.drop(entry.seat)
                self.seals[entry.seat] = entry.seal
            case e.Unsealing():
                self.opening_since, self.held_up = entry.when, ()
            case e.Unsealed():
                self.texts[entry.seat], self._salts[entry.seat] = entry.word, entry.salt
            case e.HeldUp():
                self.begin_anew(entry.seats, names)

    def begin_anew(self, late: Sequence[int], names: Sequence[str]) -> None:
        """Drop all: who has heard some of the words must not choose among the others."""
        self.held_up = tuple(Hindrance(seat, names[seat]) for seat in late)
        self.drop_all(len(names))

    def got_up(self, seat: int, names: Sequence[str]) -> None:
        """Hear that somebody left before the game: amid the opening all begin anew."""
        if self.is_opening:
            self.begin_anew([seat], names)
        self.drop(seat)

    def start(self) -> None:
        """Show all words: the game starts."""
        self.opening_since, self.held_up, self.are_shown = None, (), True

    @property
    def is_opening(self) -> bool:
        """Say whether the sealed words are being opened."""
        return self.opening_since is not None

    @property
    def unopened(self) -> list[int]:
        """List the seats that have sealed a word and not opened it."""
        seals = enumerate(self.seals)
        return [seat for seat, seal in seals if seal is not None and not self.is_open(seat)]

    def is_open(self, seat: int) -> bool:
        """Say whether a seat has opened the word that it had sealed."""
        return bool(self._salts[seat])

    def shown(self, seat: int) -> str | None:
        """Give a seat's word if everybody may know it: when all are open, never before."""
        return (self.texts[seat] or None) if self.are_shown else None

    def told(self) -> list[Seal | None]:
        """Tell the seals with what opens them, as a record does."""
        found = zip(self.seals, self._salts, strict=True)
        return [None if seal is None else Seal(seal, salt) for seal, salt in found]
