"""Bots for Schlacht am Buffet."""

from typing import Final

from tischlein.bots.bot import Answer, Bot, Chance, Turn
from tischlein.bots.buffet.easy import easy
from tischlein.bots.buffet.medium import medium
from tischlein.rules.buffet import State


def hard(turn: Turn, rng: Chance) -> Answer:
    """Play as the network has learned to, without looking ahead."""
    from tischlein.bots.buffet import search  # NumPy takes its time to load

    return search.hard(turn, rng)


def expert(turn: Turn, rng: Chance) -> Answer:
    """Look ahead to the end of the round over many imagined tables."""
    from tischlein.bots.buffet import search

    return search.expert(turn, rng)


LEVELS: Final[dict[str, Bot]] = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}


def appraise(state: State) -> tuple[float, ...]:
    """Give the expected share of the win of each seat in a whole state."""
    from tischlein.bots.buffet import outlook

    return outlook.appraise(state)
