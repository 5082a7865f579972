"""All games: each folder here is one, found by its place; others come from outside.

`rules.py` is what makes a folder a game. All else that is known of it lies beside: words, rulebook,
news, terminal, bots, environment, arrays; where a part is missing a plain one serves. Nothing is
read before it is asked for.
"""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tischlein.game import AnyGame

RULES: Final = "rules"

_known: "dict[str, AnyGame | None]" = {
    found.name: None for found in iter_modules(__path__) if found.ispkg
}


def register(rules: "AnyGame") -> None:
    """Add a game that is not in this folder."""
    _known[rules.NAME] = rules


def game_names() -> list[str]:
    """List the games."""
    return list(_known)


def game_named(name: str) -> "AnyGame":
    """Find a game by its name."""
    if name not in _known:
        from tischlein.game import BadStart

        sentence = "there is no game `{name}`; there are {known}"
        raise BadStart("no_game", sentence, name=name[:40], known=", ".join(_known))
    found = _known[name]
    if found is None:
        found = _known[name] = import_module(f"{__name__}.{name}.{RULES}")
    return found


def has_part(name: str, part: str) -> bool:
    """Say whether more is known of a game, such as its `bots`."""
    return find_spec(f"{__name__}.{name}") is not None and bool(find_spec(where(name, part)))


def part_of(name: str, part: str) -> Any | None:
    """Give what else is known of a game: the module beside its rules; None where there is none."""
    return import_module(where(name, part)) if has_part(name, part) else None


def where(name: str, part: str) -> str:
    """Name the module of a part."""
    return f"{__name__}.{name}.{part}"
