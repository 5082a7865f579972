"""All games: each folder here is one, found by its place; others come from outside.

`rules.py` is what makes a folder a game. All else that is known of it lies beside: words, rulebook,
news, primer, terminal, bots, environment, arrays; where one is missing a plain one serves. A game
from outside is one file (`load_file`, or `TISCHLEIN_GAMES` in the environment), or an installed
package with the entry point `tischlein.games`. Nothing is read before it is asked for.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tischlein.game import AnyGame

RULES: Final = "rules"
MARKS: Final = {
    "bots": ("LEVELS", "EXTRAS", "OPEN", "appraise"),
    "figures": ("figures",),
    "news": ("news",),
    "primer": ("PRIMER",),
    "terminal": ("board",),
    "words": ("WORDS",),
}
"""What a game of one file has if it has this part."""

_folders: Final = tuple(found.name for found in iter_modules(__path__) if found.ispkg)
_read: "dict[str, AnyGame]" = {}
_alone: dict[str, Any] = {}
"""The modules of games that are one file."""


def register(module: Any) -> "AnyGame":
    """Add a game that is one module; what it leaves out is filled in."""
    from tischlein.game import BadStart
    from tischlein.games.small import completed

    rules = completed(module)
    if rules.NAME in (*_folders, *_installed(), *_alone):
        sentence = "there is a game `{name}` already; give {where} another NAME"
        where = getattr(module, "__file__", "this one")
        raise BadStart("taken", sentence, name=rules.NAME, where=where)
    _read[rules.NAME], _alone[rules.NAME] = rules, module
    return rules


def forget(name: str) -> None:
    """Take a game that is one module off the shelf again."""
    del _read[name], _alone[name]


def load_file(path: Path) -> "AnyGame":
    """Read the game that a file holds, or say in a sentence what is wrong with it."""
    from tischlein.games import outside

    module = outside.read_file(path)
    known = module in _alone.values()
    return _read[module.NAME] if known else register(module)


@cache
def _look_around() -> None:
    """Read the files that the environment names."""
    from tischlein.games import outside

    for path in outside.named_files():
        load_file(path)


@cache
def _installed() -> dict[str, EntryPoint]:
    """Find the games of installed packages."""
    from tischlein.games import outside

    return {name: it for name, it in outside.installed().items() if name not in _folders}


def game_names() -> list[str]:
    """List the games."""
    _look_around()
    return [*_folders, *_installed(), *_alone]


def game_named(name: str) -> "AnyGame":
    """Find a game by its name."""
    if name not in _read:
        _read[name] = _find(name)
    return _read[name]


def _find(name: str) -> "AnyGame":
    """Read a game that is not read yet."""
    if name in _folders:
        return import_module(f"{__name__}.{name}.{RULES}")
    known = game_names()
    if name in _alone:
        return _read[name]
    from tischlein.game import BadStart
    from tischlein.games import outside, small

    if name in _installed():
        return small.completed(outside.read_installed(_installed()[name]))
    sentence = "there is no game `{name}`; there are {known}"
    raise BadStart("no_game", sentence, name=name[:40], known=", ".join(known))


def has_part(name: str, part: str) -> bool:
    """Say whether more is known of a game, such as its `bots`."""
    return _where(name, part) is not None


def part_of(name: str, part: str) -> Any | None:
    """Give what else is known of a game; None where there is nothing.

    That is the module beside its rules; of a game that is one file it is the file itself.
    """
    found = _where(name, part)
    return import_module(found) if isinstance(found, str) else found


def _where(name: str, part: str) -> Any | None:
    """Find a part: the name of its module, or the one module of the game if that has it."""
    package, rules = _place(name)
    if rules == RULES:
        beside = f"{package}.{part}"
        return beside if find_spec(beside) is not None else None
    module = _alone.get(name) or import_module(f"{package}.{rules}" if package else rules)
    return module if any(hasattr(module, mark) for mark in MARKS.get(part, ())) else None


def _place(name: str) -> tuple[str, str]:
    """Say in which package the rules of a game are, and how their module is called."""
    if name in _folders:
        return f"{__name__}.{name}", RULES
    game_named(name)
    module = _alone[name].__name__ if name in _alone else _installed()[name].module
    package, _, rules = module.rpartition(".")
    return package, rules
