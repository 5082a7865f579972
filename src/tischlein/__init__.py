"""Tischlein, the table that sets itself: three food-fight games, exact, fair and open to study."""

from tischlein.record import replay
from tischlein.rules import game_named as game
from tischlein.rules import names as games

__all__ = ["__version__", "game", "games", "replay"]

__version__ = "0.1.0"
