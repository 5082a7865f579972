"""Bots for Sushizock im Gockelwok."""

from typing import Final

from tischlein.bots.bot import Bot
from tischlein.games.sushizock.bots.easy import easy
from tischlein.games.sushizock.bots.machines import appraise, expert, hard
from tischlein.games.sushizock.bots.onepage import onepage
from tischlein.games.sushizock.bots.people import medium

__all__ = ["EXTRAS", "LEVELS", "OPEN", "appraise"]

OPEN: Final = True
"""One who remembers knows all."""
LEVELS: Final[dict[str, Bot]] = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}
EXTRAS: Final[dict[str, Bot]] = {"onepage": onepage}
