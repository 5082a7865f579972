"""Players that are programs: they get what a seat may know and answer with a move.

Each module or package but `bot` holds the bots of the game of its name, in `LEVELS`; `random`
plays them all.
"""

from importlib import import_module
from importlib.util import find_spec

from msgspec.structs import replace

from tischlein.bots.bot import Answer, Bot, Chance, Turn, play_randomly, turn_of
from tischlein.rules import AnyGame, BadStart

__all__ = ["Answer", "Bot", "Chance", "Turn", "bot_named", "levels", "turn_of"]


def levels(rules: AnyGame) -> dict[str, Bot]:
    """List the bots of a game, weakest first."""
    bots: dict[str, Bot] = {"random": play_randomly}
    if find_spec(f"{__name__}.{rules.NAME}"):
        bots |= import_module(f"{__name__}.{rules.NAME}").LEVELS
    return bots


def bot_named(rules: AnyGame, name: str) -> Bot:
    """Find a bot of a game by its level; `expert*10` is an expert who takes ten times as long."""
    bots = levels(rules)
    level, _, effort = name.partition("*")
    if level not in bots:
        sentence = "there is no bot `{level}` for {game}; there are {known}"
        known = ", ".join(bots)
        raise BadStart("no_bot", sentence, level=level[:40], game=rules.NAME, known=known)
    return bots[level] if not effort else patient(bots[level], read_effort(effort))


def read_effort(text: str) -> float:
    """Read by how much a bot takes longer than usual."""
    try:
        effort = float(text)
    except ValueError:
        effort = 0.0
    if not 0 < effort <= 1000:
        sentence = "a bot takes 0.01 to 1000 times as long as usual, not `{effort}`"
        raise BadStart("bad_effort", sentence, effort=text[:40])
    return effort


def patient(bot: Bot, effort: float) -> Bot:
    """Make a bot that takes longer, or less long."""
    return lambda turn, rng: bot(replace(turn, effort=effort), rng)
