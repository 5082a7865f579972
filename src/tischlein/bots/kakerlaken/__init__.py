"""Bots for Kakerlaken Sushi: human hands, and good sense when not to use them."""

from typing import Final

from tischlein.bots.bot import Bot
from tischlein.bots.kakerlaken.chances import appraise
from tischlein.bots.kakerlaken.levels import at_random, easy, expert, hard, medium
from tischlein.rules.kakerlaken import State

__all__ = ["LEVELS", "appraise", "decided_by"]

LEVELS: Final[dict[str, Bot]] = {
    "random": at_random,
    "easy": easy,
    "medium": medium,
    "hard": hard,
    "expert": expert,
}


def decided_by(before: State, after: State) -> int | None:
    """Name the seat whose deed has decided the race that ends between two states."""
    ends = before.roll is not None and after.roll is None
    return after.last.seat if ends and after.last is not None else None
