"""Players that are programs: they get a seat's view and answer with a move.

Each module but `bot` holds the bots of the game of its name, in `LEVELS`; `random` plays them all.
"""

from importlib import import_module
from importlib.util import find_spec

from tischlein.bots.bot import Bot, Turn, play_randomly
from tischlein.rules import AnyGame, BadStart

__all__ = ["Bot", "Turn", "bot_named", "levels"]


def levels(rules: AnyGame) -> dict[str, Bot]:
    """List the bots of a game, weakest first."""
    bots: dict[str, Bot] = {"random": play_randomly}
    if find_spec(f"{__name__}.{rules.NAME}"):
        bots |= import_module(f"{__name__}.{rules.NAME}").LEVELS
    return bots


def bot_named(rules: AnyGame, level: str) -> Bot:
    """Find a bot of a game by its level."""
    bots = levels(rules)
    if level not in bots:
        sentence = "there is no bot `{level}` for {game}; there are {known}"
        known = ", ".join(bots)
        raise BadStart("no_bot", sentence, level=level[:40], game=rules.NAME, known=known)
    return bots[level]
