"""Bots for Sushizock im Gockelwok."""

from typing import Final

from tischlein.bots.bot import Bot
from tischlein.bots.sushizock.easy import easy

LEVELS: Final[dict[str, Bot]] = {"easy": easy}
