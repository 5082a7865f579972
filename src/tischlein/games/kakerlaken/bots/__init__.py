"""Bots for Kakerlaken Sushi: human hands, and good sense when not to use them."""

from typing import Final

from msgspec.structs import replace

from tischlein.bots.bot import Bot
from tischlein.games.kakerlaken.bots.calm import appraise, unhurried
from tischlein.games.kakerlaken.bots.hands import EASY, EXPERT, HARD, MEDIUM
from tischlein.games.kakerlaken.bots.levels import at_random, easy, expert, hard, medium

__all__ = ["LEVELS", "OPEN", "appraise"]

OPEN: Final = True
"""Whatever a quick hand brings it has earned: it is not luck."""

LEVELS: Final[dict[str, Bot]] = {
    "random": unhurried(at_random),
    "easy": unhurried(easy, EASY),
    "medium": unhurried(medium, MEDIUM),
    "hard": unhurried(hard, HARD),
    "expert": unhurried(expert, replace(EXPERT, slip=0.0)),  # who need not hurry does not slip
}
