"""Games of one file, for tests: put on the shelf, and taken off again."""

import os
import subprocess
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
PYPROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "tischlein-two-dice"
version = "1.0"

[project.entry-points."tischlein.games"]
two_dice = "tischlein_two_dice.rules"
"""


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


def install(folder: Path) -> Path:
    """Build a package of the game, and install it in a folder of its own."""
    package = folder / "tischlein_two_dice"
    package.mkdir()
    package.joinpath("__init__.py").touch()
    package.joinpath("rules.py").write_text(EXAMPLE.read_text("utf-8"), "utf-8")
    folder.joinpath("pyproject.toml").write_text(PYPROJECT)
    command = ["pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--quiet"]
    target = folder / "installed"
    subprocess.run(
        [sys.executable, "-m", *command, "--target", str(target), str(folder)], check=True
    )
    return target
