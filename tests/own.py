"""Games of one file, for tests: put on the shelf, and taken off again."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tischlein import games
from tischlein.games import outside

EXAMPLE = Path(__file__).parents[1] / "examples" / "two_dice.py"
FIRST = Path(games.__file__).with_name("first.py")


@contextmanager
def nothing_stays() -> Iterator[None]:
    """Forget at the end all games from outside that are read here."""
    before = os.environ.get(outside.VARIABLE)
    try:
        yield
    finally:
        for name in list(games._alone):
            games.forget(name)
        for module in outside.files.values():
            del sys.modules[module.__name__]
        outside.files.clear()
        os.environ.pop(outside.VARIABLE, None)
        if before is not None:
            os.environ[outside.VARIABLE] = before


def changed_game(folder: Path, *changes: tuple[str, str], name: str = "changed") -> Path:
    """Write the first small game with some changes."""
    text = outside.first_game(name)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file = folder / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    return file


def on_the_shelf(monkeypatch: pytest.MonkeyPatch, name: str, **parts: Any) -> Any:
    """Put a game on the shelf of which there is no more than what a test asks for."""
    module = ModuleType(name)
    vars(module).update(parts, NAME=name)
    monkeypatch.setitem(games._alone, name, module)
    monkeypatch.setitem(games._read, name, module)
    return module
