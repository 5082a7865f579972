"""What a bot is: a function from what a seat may see to a move."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tischlein.rules import Rng


class Chance(Rng, Protocol):
    """The chance that a bot may use: its own, never the table's."""

    def uniform(self) -> float:
        """Give a number from 0 up to, but not including, 1."""


class Turn(Struct, frozen=True):
    """All that a bot is told when it may move."""

    seat: int
    view: Any
    legal: Sequence[Any]


Bot = Callable[[Turn, Chance], Any | None]
"""A bot answers with a legal move, or with None to let time pass in a race."""


def play_randomly(turn: Turn, rng: Chance) -> Any:
    """Choose any legal move."""
    return turn.legal[rng.below(len(turn.legal))]
