"""Bots for Sushizock im Gockelwok."""

from typing import Final

from tischlein.bots.bot import Bot
from tischlein.bots.sushizock.easy import easy
from tischlein.bots.sushizock.machines import appraise, expert, hard
from tischlein.bots.sushizock.onepage import onepage
from tischlein.bots.sushizock.people import medium

__all__ = ["EXTRAS", "LEVELS", "OPEN", "appraise"]

OPEN: Final = True
"""One who remembers knows all."""
LEVELS: Final[dict[str, Bot]] = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}
EXTRAS: Final[dict[str, Bot]] = {"onepage": onepage}
