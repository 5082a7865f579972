"""Bots for Kakerlaken Sushi: human hands, and good sense when not to use them."""

from typing import Final

from tischlein.bots.bot import Bot
from tischlein.games.kakerlaken.bots.chances import appraise
from tischlein.games.kakerlaken.bots.levels import at_random, easy, expert, hard, medium

__all__ = ["LEVELS", "OPEN", "appraise"]

OPEN: Final = True
"""Whatever a quick hand brings it has earned: it is not luck."""

LEVELS: Final[dict[str, Bot]] = {
    "random": at_random,
    "easy": easy,
    "medium": medium,
    "hard": hard,
    "expert": expert,
}
