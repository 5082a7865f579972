"""Words for the dice in tests: sealed as a client seals them, and games that follow from them."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from tischlein import game_named, record
from tischlein.bots import bot_named
from tischlein.chance import Quick, commitment
from tischlein.lab.simulate import ask_bots, play_nature, play_seats
from tischlein.record import Replay, write

SEED = hashlib.sha256(b"a seed for tests").hexdigest()


class Word(NamedTuple):
    """A word and the salt of its seal."""

    text: str
    salt: str

    @property
    def seal(self) -> str:
        """Give what is shown before the word: our own calculation, by the documents."""
        return hashlib.sha256(f"{self.salt}\n{self.text}".encode()).hexdigest()

    @property
    def told(self) -> dict[str, str]:
        """Write it as a record does."""
        return {"seal": self.seal, "salt": self.salt}


def word(text: str) -> Word:
    """Choose a salt for a word."""
    return Word(text, hashlib.sha256(f"salt of {text}".encode()).hexdigest()[:32])


def sealed_record(name: str, words: Sequence[Word | None], seed: str = SEED) -> list[str]:
    """Play a whole game whose dice follow from a seed and sealed words; give its lines."""
    told: dict[str, Any] = {
        "commitment": commitment(seed),
        "contributions": [word.text if word else "" for word in words],
        "seals": [word.told if word else None for word in words],
    }
    return record_with(name, len(words), seed, **told)


def record_with(name: str, seats: int, seed: str = SEED, **told: Any) -> list[str]:
    """Play a whole game whose dice follow from what its header tells, however wrong that is."""
    rules = game_named(name)
    game = Replay(record.header(name, [f"p{seat}" for seat in range(seats)], {}, **told))
    ask, rng = ask_bots([bot_named(rules, "random")] * seats), Quick(f"bots of {seed}")
    passed: set[int] = set()
    while not game.over:
        if not play_seats(game, ask, rng, passed, lambda game: None, None):
            play_nature(game, seed)
            passed.clear()
    game.end(seed)
    return write(game).rstrip("\n").split("\n")
