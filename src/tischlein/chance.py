"""Nature: seeds, commitments, fair draws, and the check that anyone can make afterwards.

`docs/fair-dice.md` tells the same in words, with a worked example.
"""

import hashlib
import random
import secrets
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET, Struct

from tischlein.game import NATURE
from tischlein.record import BadRecord, Replay


def new_seed() -> str:
    """Make a seed that nobody can guess: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """Give the fingerprint of a seed: it can be shown before the game without telling the seed."""
    return hashlib.sha256(seed.encode()).hexdigest()


class Fair:
    """The dice for one move of nature: numbers that follow from the seed alone."""

    def __init__(self, seed: str, contributions: Sequence[str], game: str, number: int) -> None:
        start = "\n".join([seed, *contributions, game, str(number), ""])
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


class Verdict(Struct, frozen=True):
    """What the check of a record found: how many moves of nature agree with the seed."""

    agreed: int


def verify(game: Replay) -> Verdict:
    """Draw every move of nature again from the revealed seed; raise BadRecord at the first lie."""
    if game.seed is None:
        raise BadRecord(game.lines, "the seed is not revealed, so the dice cannot be checked")
    if game.header.commitment not in (UNSET, commitment(game.seed)):
        raise BadRecord(game.lines, "the seed is not the one that the commitment promised")
    contributions = contributions_of(game)
    agreed = 0
    for number, (by, move) in enumerate(game.moves, start=1):
        if by == NATURE:
            dice = Fair(game.seed, contributions, game.header.game, number)
            if game.rules.draw(game.states[number - 1], dice) != move:
                raise BadRecord(number + 1, "this is not what the seed gives here")
            agreed += 1
    return Verdict(agreed)


def contributions_of(game: Replay) -> list[str]:
    """Read what the players added to the seed, in the order of their seats."""
    given = game.header.contributions
    try:
        return [] if given is UNSET else msgspec.convert(given, list[str])
    except msgspec.ValidationError:
        raise BadRecord(1, "the contributions must be a list of texts") from None
