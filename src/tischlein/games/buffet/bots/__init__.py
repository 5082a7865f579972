"""Bots for Schlacht am Buffet."""

from typing import Final

from tischlein.bots.bot import Answer, Bot, Chance, Turn
from tischlein.games.buffet.bots.easy import easy
from tischlein.games.buffet.bots.medium import medium
from tischlein.games.buffet.rules import State


def hard(turn: Turn, rng: Chance) -> Answer:
    """Play as the network has learned to, without looking ahead."""
    from tischlein.games.buffet.bots import search  # NumPy takes its time to load

    return search.hard(turn, rng)


def expert(turn: Turn, rng: Chance) -> Answer:
    """Look ahead to the end of the round over many imagined tables."""
    from tischlein.games.buffet.bots import search

    return search.expert(turn, rng)


LEVELS: Final[dict[str, Bot]] = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}


def appraise(state: State) -> tuple[float, ...]:
    """Give the expected share of the win of each seat in a whole state."""
    from tischlein.games.buffet.bots.appraisal import appraise

    return appraise(state)
