"""Players that are programs: they get what a seat may know and answer with a move.

A game's own bots are in its folder, in `bots`, as `LEVELS`; a plain searcher plays every game that
has none, and `random` plays them all.
"""

import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy: threads would wait for one another

from msgspec.structs import replace

from tischlein.bots import searcher
from tischlein.bots.bot import Answer, Bot, Chance, Turn, play_randomly, turn_in_sight, turn_of
from tischlein.game import AnyGame, BadStart
from tischlein.games import part_of

__all__ = [
    "Answer",
    "Bot",
    "Chance",
    "Turn",
    "appraiser",
    "bot_named",
    "check_level",
    "is_open",
    "levels",
    "turn_in_sight",
    "turn_of",
    "usual_level",
]


Appraiser = Callable[[Any], Sequence[float]]
"""Says each seat's expected share of the win in a whole state, by the machines' best knowledge."""


def of_game(rules: AnyGame, name: str, otherwise: Any) -> Any:
    """Find what the module of a game's bots holds under a name."""
    return getattr(part_of(rules.NAME, "bots"), name, otherwise)


def levels(rules: AnyGame) -> dict[str, Bot]:
    """List the bots of a game, weakest first."""
    own: dict[str, Bot] = of_game(rules, "LEVELS", {}) or searcher.levels(rules)
    return {"random": play_randomly} | own


def usual_level(rules: AnyGame) -> str:
    """Give the bot that one meets without choosing: an easy one, where there is one."""
    return "easy" if "easy" in levels(rules) else "random"


def appraiser(rules: AnyGame) -> Appraiser:
    """Find who appraises the positions of a game."""
    found: Appraiser | None = of_game(rules, "appraise", None)
    return found or partial(searcher.appraise, rules)


def is_open(rules: AnyGame) -> bool:
    """Say whether one who remembers knows all, so that decisions are not made in the dark."""
    return bool(of_game(rules, "OPEN", not rules.HAS - {"turns"}))


def bot_named(rules: AnyGame, name: str) -> Bot:
    """Find a bot of a game by its level; `expert*10` is an expert who takes ten times as long."""
    extras: dict[str, Bot] = of_game(rules, "EXTRAS", {})
    bots = levels(rules) | extras
    level, _, effort = name.partition("*")
    check_named(rules, level, bots)
    return bots[level] if not effort else patient(bots[level], read_effort(effort))


def check_level(rules: AnyGame, name: str) -> None:
    """Refuse what is not one of a game's levels: at a table nobody chooses how long a bot takes."""
    check_named(rules, name, levels(rules))


def check_named(rules: AnyGame, name: str, bots: Collection[str]) -> None:
    """Refuse a bot that there is not."""
    if name not in bots:
        sentence = "there is no bot `{level}` for {game}; there are {known}"
        known = ", ".join(bots)
        raise BadStart("no_bot", sentence, level=name[:40], game=rules.NAME, known=known)


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
