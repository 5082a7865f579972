"""All games: each folder here is one, found by its place; others come from outside.

`rules.py` is what makes a folder a game. All else that is known of it lies beside: words, rulebook,
news, terminal, bots, environment, arrays; where a part is missing a plain one serves.
"""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from tischlein.game import AnyGame, BadStart

RULES = "rules"

_here: dict[str, AnyGame | None] = {
    found.name: None for found in iter_modules(__path__) if found.ispkg
}


def register(rules: AnyGame) -> None:
    """Add a game that is not in this folder."""
    _here[rules.NAME] = rules


def game_names() -> list[str]:
    """List the games."""
    return list(_here)


def game_named(name: str) -> AnyGame:
    """Find a game by its name; its rules are read when they are first asked for."""
    if name not in _here:
        sentence = "there is no game `{name}`; there are {known}"
        raise BadStart("no_game", sentence, name=name[:40], known=", ".join(_here))
    found = _here[name]
    if found is None:
        found = _here[name] = import_module(f"{__name__}.{name}.{RULES}")
    return found


def has_part(name: str, part: str) -> bool:
    """Say whether a folder of this place holds a part, without reading it."""
    return find_spec(f"{__name__}.{name}.{part}") is not None


def part_of(rules: AnyGame, part: str) -> Any | None:
    """Find what else is known of a game: the module beside its rules; None where there is none."""
    package, _, module = str(getattr(rules, "__name__", "")).rpartition(".")
    if module != RULES or not find_spec(f"{package}.{part}"):
        return None
    return import_module(f"{package}.{part}")
