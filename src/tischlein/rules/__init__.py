"""What is legal. Pure: no I/O, no clock, no dice. Each module but `game` is one game."""

from importlib import import_module
from pkgutil import iter_modules

from tischlein.rules.game import (
    NATURE,
    REFEREE,
    AnyGame,
    BadStart,
    By,
    Game,
    IllegalMove,
    Refusal,
    Rng,
    Viewer,
)

__all__ = [
    "NATURE",
    "REFEREE",
    "AnyGame",
    "BadStart",
    "By",
    "Game",
    "IllegalMove",
    "Refusal",
    "Rng",
    "Viewer",
    "game_named",
    "names",
    "register",
]

_games: dict[str, AnyGame] = {}


def register(rules: AnyGame) -> None:
    """Add a game that is not in this folder."""
    _games[rules.NAME] = rules


def names() -> list[str]:
    """List the games."""
    return list(_games)


def game_named(name: str) -> AnyGame:
    """Find a game by its name."""
    if name not in _games:
        sentence = "there is no game `{name}`; there are {known}"
        raise BadStart("no_game", sentence, name=name[:40], known=", ".join(_games))
    return _games[name]


for _module in iter_modules(__path__, f"{__name__}."):
    _found = import_module(_module.name)
    if hasattr(_found, "start"):
        register(_found)
