"""How far a connection has come, as those who serve it tell those who count it."""

from enum import IntEnum
from math import inf
from typing import Protocol


class Stage(IntEnum):
    """How far a connection has come; who has come least far gives way first."""

    WAITING = 0
    """No whole request yet, or none any more, or no hello."""
    WATCHING = 1
    ANSWERED = 2
    """A request is being answered."""
    SEATED = 3
    """The line of a seat: it gives way to nobody."""


class Sitting(Protocol):
    """A line that may lose its seat."""

    seat: int | None


class Staged(Protocol):
    """A connection that hears how far it has come."""

    line: Sitting | None

    def comes_to(self, stage: Stage, within: float = inf) -> None:
        """Hear how far it has come, and how soon it must come farther."""
