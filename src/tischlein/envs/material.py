"""The same rules with less material: fewer tiles, cards, plates, dice or coins.

A game states its material as data at the top of its rules, such as `DICE: Final = 5`, and much is
worked out from it when the file is read: lists of moves, tables, probabilities. A reduced game is
that very file read once more with other numbers there. So not a line of the rules differs, the
whole game pays nothing for it, and a rule needs not ask how large the game is.
"""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from tischlein.game import AnyGame
from tischlein.games import game_named


def with_material(name: str, material: Mapping[str, Any]) -> AnyGame:
    """Give the rules of a game with some of its numbers replaced."""
    return _read_again(name, tuple(sorted(material.items()))) if material else game_named(name)


@cache
def _read_again(name: str, material: tuple[tuple[str, Any], ...]) -> AnyGame:
    """Read the rules of a game once more, with other values for the names at the top."""
    source = Path(cast(ModuleType, game_named(name)).__file__ or "")
    tree = ast.parse(source.read_text(encoding="utf-8"))
    stated = _stated(tree)
    missing = [wanted for wanted, _ in material if wanted not in stated]
    if missing:
        raise ValueError(f"{name} has no material called {', '.join(missing)}")
    for wanted, value in material:
        stated[wanted].value = _written(value)
    reduced = ModuleType(f"{name}_reduced")
    exec(compile(tree, source, "exec"), reduced.__dict__)  # noqa: S102  # our own file, as it is
    return cast(AnyGame, reduced)


def _stated(tree: ast.Module) -> dict[str, ast.AnnAssign]:
    """Find what a file states at its top, `DICE: Final = 5`, by name."""
    lines = [line for line in tree.body if isinstance(line, ast.AnnAssign)]
    return {ast.unparse(line.target): line for line in lines}


def _written(value: Any) -> ast.expr:
    """Write a value as it stands in a file."""
    return ast.parse(repr(value), mode="eval").body


def some_of(things: tuple[Any, ...], n: int) -> tuple[Any, ...]:
    """Choose some of a sorted pile, spread over its whole range."""
    return tuple(things[at * len(things) // n] for at in range(n))
