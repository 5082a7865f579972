"""Nature: seeds, commitments, fair draws, and the check that anyone can make afterwards.

`docs/fair-dice.md` tells the same in words, with a worked example.
"""

import hashlib
import random
import re
import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct

from tischlein.game import NATURE
from tischlein.record import BadRecord, Replay

LONGEST_WORD: Final = 100
HIDDEN_SIGNS: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Kinds of signs that nobody sees, or that break or turn a line; a plain space is none of them."""
DIGEST: Final = re.compile("[0-9a-f]{64}")
SALT: Final = re.compile("[0-9a-f]{32,64}")
SEED: Final = re.compile("[0-9a-fA-F]{64}")


def new_seed() -> str:
    """Make a seed that nobody can guess: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """Give the fingerprint of a seed: it can be shown before the game without telling the seed."""
    return hashlib.sha256(seed.encode()).hexdigest()


def seed_from(text: str) -> str:
    """Give a seed for a text that somebody chose: its fingerprint, unless it is a seed already."""
    return text if SEED.fullmatch(text) else commitment(text)


def is_word(text: str) -> bool:
    """Say whether a text can be a player's word: short, and of signs that everybody can see."""
    seen = (sign == " " or unicodedata.category(sign) not in HIDDEN_SIGNS for sign in text)
    return len(text) <= LONGEST_WORD and all(seen)


def seal_of(word: str, salt: str) -> str:
    """Give the seal of a word: it can be shown before the word without telling it."""
    return hashlib.sha256(f"{salt}\n{word}".encode()).hexdigest()


class Seal(Struct, frozen=True):
    """What a seat has shown before its word, and the salt that opens it."""

    seal: str
    salt: str

    def fits(self, word: str) -> bool:
        """Say whether it is well made, and of this word."""
        well_made = DIGEST.fullmatch(self.seal) and SALT.fullmatch(self.salt)
        return bool(well_made) and seal_of(word, self.salt) == self.seal


class Fair:
    """The dice for one move of nature: numbers that follow from the seed and the words alone."""

    def __init__(self, seed: str, contributions: Sequence[str], game: str, number: int) -> None:
        words = contributions if any(contributions) else ()  # where nobody adds one, none is joined
        start = "\n".join([seed, *words, game, str(number), ""])
        self._next = _endless(hashlib.sha256(start.encode())).__next__

    def below(self, n: int, /) -> int:
        """Give a whole number from 0 to n - 1, each exactly equally likely."""
        while True:
            number, values = self._next(), 256
            while values < n:
                number, values = number * 256 + self._next(), values * 256
            if number < values // n * n:  # the rest would favour small numbers
                return number % n


def _endless(start: "hashlib._Hash") -> Iterator[int]:
    """Give the bytes of SHA-256(start, 0), then of SHA-256(start, 1), and so on."""
    block = 0
    while True:
        page = start.copy()
        page.update(str(block).encode())
        yield from page.digest()
        block += 1


class Quick:
    """Quick chance for bots and simulations, from a seed of its own; not for dice at a table."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed).random  # noqa: S311

    def below(self, n: int, /) -> int:
        """Give a whole number from 0 to n - 1."""
        return int(self._random() * n)

    def uniform(self) -> float:
        """Give a number from 0 up to, but not including, 1."""
        return self._random()


Proof = Literal["sealed", "open", "none"]


class Verdict(Struct, frozen=True):
    """What the check of a record found: moves of nature that agree, and whose words were sealed."""

    agreed: int
    words: tuple[str, ...] = ()
    sealed: tuple[bool, ...] = ()

    @property
    def proof(self) -> Proof:
        """Say what speaks against chosen dice: sealed words, words told openly, or none at all."""
        if not any(self.words):
            return "none"
        told = zip(self.words, self.sealed, strict=True)
        return "sealed" if all(sealed for word, sealed in told if word) else "open"


def verify(game: Replay, *, older: bool = False) -> Verdict:
    """Draw every move of nature again from the revealed seed; raise BadRecord at the first lie.

    Only an `older` record, from before one word a seat was kept, may lack words.
    """
    seed = seed_of_record(game)
    words = contributions_of(game)
    if not older:
        check_words(game, words)
    sealed = check_seals(game, words)
    agreed = 0
    for number, (by, move) in enumerate(game.moves, start=1):
        if by == NATURE:
            dice = Fair(seed, words, game.header.game, number)
            if game.rules.draw(game.states[number - 1], dice) != move:
                raise BadRecord(number + 1, "this is not what the seed gives here")
            agreed += 1
    return Verdict(agreed, tuple(words), sealed)


def seed_of_record(game: Replay) -> str:
    """Give the revealed seed, if it is one and the one that was promised."""
    if game.seed is None:
        raise BadRecord(game.lines, "the seed is not revealed, so the dice cannot be checked")
    if game.header.commitment is UNSET:
        raise BadRecord(1, "the commitment is missing: nobody promised this seed before the game")
    if not SEED.fullmatch(game.seed):
        raise BadRecord(game.lines, "a seed has 64 hexadecimal digits; this one can be guessed")
    if game.header.commitment != commitment(game.seed):
        raise BadRecord(game.lines, "the seed is not the one that the commitment promised")
    return game.seed


def contributions_of(game: Replay) -> list[str]:
    """Read what the players added to the seed, in the order of their seats."""
    given = game.header.contributions
    try:
        return [] if given is UNSET else msgspec.convert(given, list[str])
    except msgspec.ValidationError:
        raise BadRecord(1, "the contributions must be a list of texts") from None


def check_words(game: Replay, words: Sequence[str]) -> None:
    """See that each seat has exactly one word, and that each is one."""
    seats = len(game.header.seats)
    if game.header.contributions is UNSET:
        reason = "the contributions are missing: one word a seat, empty for none"
        raise BadRecord(1, f"{reason} (older records, from before they were kept, lack them)")
    if len(words) != seats:
        raise BadRecord(1, f"there are {seats} seats, but {len(words)} contributions")
    for seat, word in enumerate(words):
        if not is_word(word):
            reason = f"a word has at most {LONGEST_WORD} signs, all visible and on one line"
            raise BadRecord(1, f"the contribution of seat {seat} is no word: {reason}")


def check_seals(game: Replay, words: Sequence[str]) -> tuple[bool, ...]:
    """Say which seats have sealed their word; raise BadRecord where a seal does not fit."""
    seals = seals_of(game)
    if seals and len(seals) != len(words):
        raise BadRecord(1, f"there are {len(words)} contributions, but {len(seals)} seals")
    for seat, seal in enumerate(seals):
        if seal is not None and not seal.fits(words[seat]):
            raise BadRecord(1, f"the seal of seat {seat} does not fit its word")
    return tuple(seal is not None for seal in seals) or (False,) * len(words)


def seals_of(game: Replay) -> list[Seal | None]:
    """Read the seals of the players' words, in the order of their seats; none if none are told."""
    given = game.header.seals
    try:
        return [] if given is UNSET else msgspec.convert(given, list[Seal | None])
    except msgspec.ValidationError:
        raise BadRecord(1, "the seals must be a list: a seal and its salt, or null") from None


def check_noted(game: Replay, promised: str | None, noted: Sequence[str]) -> None:
    """Compare a record with what somebody noted before the game: the commitment, words.

    A single word is one's own, and must be among them.
    """
    if promised is not None and promised.strip().lower() != game.header.commitment:
        raise BadRecord(1, "this is not the commitment that was noted before the game")
    words = contributions_of(game)
    if len(noted) == 1 < len(words):
        if noted[0] not in words:
            raise BadRecord(1, "the word that was noted is not among the contributions")
    elif noted and list(noted) != words:
        raise BadRecord(1, "the contributions are not the words that were noted")
