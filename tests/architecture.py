"""What holds the house together, as checks: each takes a tree and says what is wrong in it.

A tree is the root of the repository, or of a small one that a test has made up.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

PACKAGE: Final = "tischlein"
SOURCE: Final = PurePosixPath("src") / PACKAGE
LANGUAGES: Final = ("en", "de", "fr", "it")
MOST_LINES: Final = 40
MOST_METHODS: Final = 30

LAYERS: Final = [
    ("game", ["game"]),
    ("rules", ["games/*/rules"]),
    (
        "record",
        ["", "games", "record", "chance", "position", "primer", "figures", "names", "words"],
    ),
    ("bots", ["bots", "games/*/bots"]),
    ("table", ["table"]),
    ("store", ["store", "bus"]),
    ("house", ["house"]),
    ("people", ["people"]),
    ("server", ["server"]),
    ("page", ["page"]),
    (
        "labs",
        [
            *("lab", "batch", "envs", "terminal", "conformance"),
            *(f"games/*/{part}" for part in ("batch", "decode", "env", "drawing", "terminal")),
        ],
    ),
    ("cli", ["cli", "command", "operator", "__main__"]),
]
"""A module imports from its own layer and from earlier ones. The longest fitting path counts:
what lies in a game's folder and is named nowhere here, such as its news, belongs to `games`."""
BESIDE: Final = {"labs": ("table", "store", "house", "people", "server", "page")}
"""Layers that stand beside each other: neither imports from the other."""


def lines_of(path: Path) -> list[str]:
    """Read a file."""
    return path.read_text(encoding="utf-8").splitlines()


def modules(tree: Path) -> dict[str, Path]:
    """Find all modules of the package by their place: `games/buffet/rules`, "" for the root."""
    source = tree / SOURCE
    found = {}
    for path in sorted(source.rglob("*.py")):
        place = path.relative_to(source).with_suffix("")
        found["/".join(place.parent.parts if place.name == "__init__" else place.parts)] = path
    return found


def imports(module: str, path: Path, known: Mapping[str, Path]) -> Iterator[tuple[int, str]]:
    """List what a module imports from the package, wherever in it, with the lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = absolute(module, path, node)
            names = [f"{start}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, _, place = name.replace(".", "/").partition("/")
            if first == PACKAGE:
                yield node.lineno, place if place in known else place.rpartition("/")[0]


def absolute(module: str, path: Path, node: ast.ImportFrom) -> str:
    """Give the full name of what `from … import` names, dots and all."""
    if not node.level:
        return node.module or ""
    parts = [PACKAGE, *module.split("/")]
    above = parts[: len(parts) - node.level + (path.stem == "__init__")]
    return ".".join([*above, *([node.module] if node.module else [])])


def layer_of(module: str) -> str | None:
    """Say to which layer a module belongs."""
    parts = module.split("/")
    fitting = [
        (len(pattern.split("/")) if pattern else 0, layer)
        for layer, patterns in LAYERS
        for pattern in patterns
        if (module == "" if pattern == "" else fits(parts, pattern.split("/")))
    ]
    return max(fitting)[1] if fitting else None


def fits(parts: list[str], pattern: list[str]) -> bool:
    """Say whether a place lies at or under a pattern."""
    pairs = zip(parts, pattern, strict=False)
    return len(parts) >= len(pattern) and all(want in ("*", part) for part, want in pairs)


def may_import(layer: str, other: str) -> bool:
    """Say whether an arrow from one layer to another points the right way."""
    order = [name for name, _ in LAYERS]
    apart = other in BESIDE.get(layer, ()) or layer in BESIDE.get(other, ())
    return order.index(other) <= order.index(layer) and not apart


def wrong_arrows(tree: Path) -> list[str]:
    """Find imports that point the wrong way, from game to game, or from nowhere."""
    found, known = [], modules(tree)
    for module, path in known.items():
        layer = layer_of(module)
        if layer is None:
            found.append(f"{module}: belongs to no layer")
            continue
        for line, other in imports(module, path, known):
            target = layer_of(other)
            if target is not None and not may_import(layer, target):
                found.append(f"{module}:{line} ({layer}) imports {other} ({target})")
            elif game_of(module) and game_of(other) and game_of(module) != game_of(other):
                found.append(f"{module}:{line} imports {other}, another game's")
    return list(dict.fromkeys(found))


def game_of(module: str) -> str | None:
    """Say in which game's folder a module lies."""
    parts = module.split("/")
    return parts[1] if parts[0] == "games" and len(parts) > 2 else None


def game_folders(tree: Path) -> list[Path]:
    """List the folders of the games."""
    return sorted(path.parent for path in (tree / SOURCE / "games").glob("*/__init__.py"))


def named_games(tree: Path) -> list[str]:
    """Find code outside of the games' folders that names a game."""
    names = "|".join(folder.name for folder in game_folders(tree))
    kinds = {SOURCE: ("py",), PurePosixPath("web/src"): ("ts", "svelte", "css")}
    found = []
    for root, endings in kinds.items():
        paths = [path for ending in endings for path in (tree / root).rglob(f"*.{ending}")]
        for path in sorted(paths):
            place = path.relative_to(tree).as_posix()
            if path.relative_to(tree / root).parts[0] == "games":
                continue
            for number, line in enumerate(lines_of(path), start=1):
                found += [f"{place}:{number} {name}" for name in re.findall(f"(?i){names}", line)]
    return found


def stated(path: Path) -> dict[str, ast.stmt]:
    """Find what a module defines, imports or sets at its top, by name."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name: node for alias in names}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = node
            case ast.Assign(targets=targets):
                found |= {target.id: node for target in targets if isinstance(target, ast.Name)}
    return found


def part_files(folder: Path, parts: Iterable[str]) -> dict[str, Path]:
    """Find the parts that a game has."""
    places = {part: (folder / f"{part}.py", folder / part / "__init__.py") for part in parts}
    return {part: path for part, both in places.items() for path in both if path.is_file()}


def incomplete_games(tree: Path, expected: Mapping[str, Iterable[str]]) -> list[str]:
    """Find games without rules, words or rulebook, and parts that lack what is expected of them.

    A part that is not there at all is served by a plain one.
    """
    found = []
    for folder in game_folders(tree):
        there = part_files(folder, expected)
        if "rules" not in there:
            found.append(f"{folder.name}: has no rules")
        elif not is_named(there["rules"], folder.name):
            found.append(f"{folder.name}: its rules have another NAME")
        for part, path in there.items():
            lacks = [name for name in expected[part] if name not in stated(path)]
            found += [f"{folder.name}: its {part} lacks {name}" for name in lacks]
        texts = [f"words/{language}.json" for language in LANGUAGES]
        texts += [f"rulebook/{language}.md" for language in LANGUAGES]
        found += [f"{folder.name}: has no {text}" for text in texts if not (folder / text).exists()]
    return found


def is_named(rules: Path, name: str) -> bool:
    """Say whether the rules bear a name."""
    node = stated(rules).get("NAME")
    value = node.value if isinstance(node, ast.AnnAssign | ast.Assign) else None
    return isinstance(value, ast.Constant) and value.value == name


def stray_tests(tree: Path, whole: Mapping[str, str]) -> list[str]:
    """Find tests that mirror nothing: neither a module or package, nor the `whole` system.

    A package itself is tested in its folder, too: `tests/words/test_words.py`.
    """
    tests, known = tree / "tests", modules(tree)
    found = []
    for path in sorted(tests.rglob("test_*.py")):
        place = path.relative_to(tests)
        name = place.stem.removeprefix("test_")
        mirrored = place.parent if name == place.parent.name else place.parent / name
        above = [parent.as_posix() for parent in place.parents]
        if mirrored.as_posix() not in known and not {place.as_posix(), *above} & set(whole):
            found.append(place.as_posix())
    gone = [place for place in whole if not (tests / place).exists()]
    return found + [f"{place}: is listed and not there" for place in gone]


def tests_from_tests(tree: Path) -> list[str]:
    """Find test modules that import from other test modules: what is shared is a helper's."""
    found = []
    for path in sorted((tree / "tests").rglob("*.py")):
        for number, line in enumerate(lines_of(path), start=1):
            if re.match(r"\s*(from|import) tests\.(\w+\.)*test_", line):
                found.append(f"{path.relative_to(tree).as_posix()}:{number}")
    return found


def too_large(tree: Path, spared: Mapping[str, str]) -> list[str]:
    """Find functions of too many lines and classes of too many methods, but for those spared."""
    sizes = {
        f"{module}:{name}": size
        for module, path in modules(tree).items()
        for name, size in large(path)
    }
    found = [f"{place} has {size}" for place, size in sizes.items() if place not in spared]
    gone = sorted(set(spared) - set(sizes))
    return found + [f"{place} is spared and not too large" for place in gone]


def large(path: Path) -> Iterator[tuple[str, str]]:
    """List the functions and classes of a module that are too large, and how large."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = (node.end_lineno or node.lineno) - node.lineno + 1
            if size > MOST_LINES:
                yield node.name, f"{size} lines"
        elif isinstance(node, ast.ClassDef):
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
            methods = [part for part in node.body if isinstance(part, kinds)]
            if len(methods) > MOST_METHODS:
                yield node.name, f"{len(methods)} methods"
