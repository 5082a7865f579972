"""Games from outside: one file each, or an installed package.

A file is read as the module `tischlein.games.outside.NAME`. Other processes find it there too: the
files that `TISCHLEIN_GAMES` names are read when this module is.
"""

import ast
import os
import sys
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files as files_of
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # who plays over arrays asks which games there are, and has JAX alone
    from tischlein.game import BadStart

VARIABLE: Final = "TISCHLEIN_GAMES"
GROUP: Final = "tischlein.games"

files: dict[Path, ModuleType] = {}
"""The files that are read."""


def read_file(path: Path) -> ModuleType:
    """Read a game's file, once, or say in a sentence what is wrong with it."""
    path = path.resolve()
    if path not in files:
        name = f"{__name__}.{name_in(path)}"
        if name in sys.modules:
            raise bad_file(path, "has the NAME of another file; give it another one")
        files[path] = run(path, name)
    return files[path]


def name_in(path: Path) -> str:
    """Find the name of the game in its file, which is not run yet."""
    for line in syntax(path).body:
        match line:
            case (
                ast.Assign(targets=[ast.Name("NAME")], value=ast.Constant(str(name)))
                | ast.AnnAssign(target=ast.Name("NAME"), value=ast.Constant(str(name)))
            ):
                return name
    raise bad_file(path, 'does not say how the game is called: NAME = "my_game"')


def syntax(path: Path) -> ast.Module:
    """Read a file as Python."""
    try:
        return ast.parse(path.read_bytes(), str(path))
    except OSError as problem:
        raise bad_file(path, f"cannot be read: {problem.strerror}") from None
    except SyntaxError as problem:
        raise bad_file(path, f"is not Python at line {problem.lineno}: {problem.msg}") from None
    except ValueError as problem:
        raise bad_file(path, f"is not Python: {problem}") from None


def run(path: Path, name: str) -> ModuleType:
    """Run a file as a module of this name."""
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise bad_file(path, "is no Python file: its name must end with .py")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as problem:  # whatever a stranger's file does wrong is told in a sentence
        del sys.modules[name]
        raise bad_file(path, f"fails{line_in(path, problem)}: {in_short(problem)}") from problem
    return module


def line_in(path: Path | str, problem: Exception) -> str:
    """Say in which line of a file something went wrong."""
    lines = [at.lineno for at in extract_tb(problem.__traceback__) if at.filename == str(path)]
    return f" at line {lines[-1]}" if lines else ""


def in_short(problem: Exception) -> str:
    """Tell an error of a program in one line."""
    return f"{type(problem).__name__}: {problem}".splitlines()[0]


def bad_file(path: Path, what: str) -> "BadStart":
    """Say of which file it is, and what is wrong with it."""
    from tischlein.game import BadStart

    return BadStart("bad_game", "{path} {what}", path=path, what=what)


def installed() -> dict[str, EntryPoint]:
    """Find the games of installed packages: their entry points, by the names of the games."""
    return {found.name: found for found in entry_points(group=GROUP)}


def read_installed(found: EntryPoint) -> ModuleType:
    """Read the module of an installed game, or say in a sentence what is wrong with it."""
    from tischlein.game import BadStart

    try:
        module: ModuleType = found.load()
    except Exception as problem:  # as in a file
        sentence = "the installed game `{name}` cannot be read from {where}: {problem}"
        fields = {"name": found.name, "where": found.value, "problem": in_short(problem)}
        raise BadStart("bad_game", sentence, **fields) from problem
    if getattr(module, "NAME", None) != found.name:
        sentence = "{where} must have the NAME `{name}`, as its entry point says, not {told!r}"
        told = {"where": found.value, "name": found.name, "told": getattr(module, "NAME", None)}
        raise BadStart("bad_game", sentence, **told)
    return module


def named_files() -> list[Path]:
    """List the files that the environment names."""
    return [Path(path) for path in os.environ.get(VARIABLE, "").split(os.pathsep) if path]


def tell_processes(path: Path) -> None:
    """Let all processes that this one starts know a file, too."""
    paths = dict.fromkeys([*named_files(), path.resolve()])
    os.environ[VARIABLE] = os.pathsep.join(map(str, paths))


def first_game(name: str) -> str:
    """Give the text of a first small game, under a name of its own."""
    text = files_of(__package__).joinpath("first.py").read_text(encoding="utf-8")
    return text.replace('NAME = "first"', f'NAME = "{name}"')


for _path in named_files():
    read_file(_path)  # so that pickled moves and states find their module
