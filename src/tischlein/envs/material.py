"""The same rules with less material: fewer tiles, cards, plates, dice or coins.

Each game's material stands as data at the top of its file. A reduced game is that very file,
compiled with other numbers there; not a line of the rules differs.
"""

import ast
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from tischlein.game import AnyGame
from tischlein.games import game_named


def with_material(name: str, material: dict[str, Any]) -> AnyGame:
    """Give the rules of a game with some of its numbers replaced."""
    return _compiled(name, tuple(sorted(material.items()))) if material else game_named(name)


@cache
def _compiled(name: str, material: tuple[tuple[str, Any], ...]) -> AnyGame:
    """Compile the rules of a game with other values for the names at the top."""
    source = cast(ModuleType, game_named(name)).__file__ or ""
    wanted = dict(material)
    tree = ast.parse(Path(source).read_text(encoding="utf-8"))
    for node in tree.body:
        name_at_top = ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else ""
        if isinstance(node, ast.AnnAssign) and name_at_top in wanted:
            node.value = ast.parse(repr(wanted.pop(name_at_top)), mode="eval").body
    if wanted:
        raise ValueError(f"{name} has no material called {', '.join(wanted)}")
    module = ModuleType(f"{name}_reduced")
    exec(compile(tree, source, "exec"), module.__dict__)  # noqa: S102  # our own file, as it is
    return cast(AnyGame, module)


def some_of(things: tuple[Any, ...], n: int) -> tuple[Any, ...]:
    """Choose some of a sorted pile, spread over its whole range."""
    return tuple(things[at * len(things) // n] for at in range(n))
