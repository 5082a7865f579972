"""Writes the static site: the page and Python for it, to be put on any host of files."""

import json
import re
import shutil
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

import msgspec

from tischlein.game import Refusal
from tischlein.games import game_names, load_file
from tischlein.server.app import describe_game
from tischlein.server.pages import PARTS, STATIC
from tischlein.words import LANGUAGES, words_of

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What the page may load; a host of files sends no header that says so."""


SIGN: Final = '<html lang="en" data-site'
"""What our pages begin with where there is no server."""

LISTED: Final = re.compile(r'({"version":"\w+","files":\[[^\]]*\]})')
"""What the page's worker keeps, as it was built."""


class NoSite(Refusal):
    """A site that cannot be written, and why."""


def write_site(folder: Path, games: Sequence[Path] = ()) -> int:
    """Write the site into a folder, and say how many bytes it takes.

    What else lies there stays; files of an older version are replaced, but no one else's.
    """
    if not (STATIC / "index.html").exists() or not (STATIC / "python" / PARTS).exists():
        sentence = "the browser client was not built: `python hatch_build.py` builds it"
        raise NoSite("not_built", sentence)
    brought = [load_file(game) for game in games]
    try:
        if not is_free(folder):
            sentence = "{folder} holds other files of the same names: name an empty folder"
            raise NoSite("not_ours", sentence, folder=str(folder))
        folder.mkdir(parents=True, exist_ok=True)
        for old in ("assets", "python"):
            shutil.rmtree(folder / old, ignore_errors=True)
        shutil.copytree(STATIC, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
        named = [f"games/{number}.py" for number in range(len(games))]
        for name, game in zip(named, games, strict=True):
            (folder / "games").mkdir(exist_ok=True)
            shutil.copyfile(game, folder / name)
        index = (STATIC / "index.html").read_text(encoding="utf-8")
        (folder / "index.html").write_text(page(index, named), encoding="utf-8")
        described = msgspec.json.encode([describe_game(name) for name in game_names()])
        (folder / "games.json").write_bytes(described)
        (folder / ".nojekyll").touch()
        more = [*named, *write_words(folder, [game.NAME for game in brought])]
        keep_more(folder / "sw.js", [folder / name for name in ("games.json", *more)])
    except OSError as problem:
        sentence = "the site cannot be written to {folder}: {problem}"
        told = problem.strerror or str(problem)
        raise NoSite("no_folder", sentence, folder=str(folder), problem=told) from problem
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def is_free(folder: Path) -> bool:
    """Whether nothing of somebody else's would be replaced if the site were written there."""
    names = {"games", "games.json", *(file.name for file in STATIC.iterdir())}
    index = folder / "index.html"
    if index.is_file() and SIGN in index.read_text(encoding="utf-8", errors="replace"):
        return True
    return not any((folder / name).exists() for name in names)


def write_words(folder: Path, games: Sequence[str]) -> list[str]:
    """Write down the words of games that the page was not built with: it has them before Python."""
    words = {
        f"games/{game}.{language}.json": words_of(game, language)
        for game in games
        for language in LANGUAGES
    }
    for name, texts in words.items():
        (folder / name).write_bytes(msgspec.json.encode(texts))
    return list(words)


def page(index: str, games: Sequence[str] = ()) -> str:
    """Say in the page that it has no server, what it may load, and which games it brings."""
    policy = f'<meta http-equiv="content-security-policy" content="{escape(POLICY)}" />'
    told = f' data-games="{escape(" ".join(games))}"' if games else ""
    marked = index.replace('<html lang="en"', f"{SIGN}{told}", 1)
    return marked.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {policy}', 1)


def keep_more(worker: Path, files: Sequence[Path]) -> None:
    """Let the page's worker keep what this site has beside the page, as a version of its own."""
    text = worker.read_text(encoding="utf-8")
    told = LISTED.search(text)
    if told is None:
        raise NoSite("not_built", "the browser client was built by another version")
    listed = json.loads(told[1])
    version = sha256(listed["version"].encode())
    for file in files:
        version.update(file.read_bytes())
        listed["files"].append(file.relative_to(worker.parent).as_posix())
    listed["version"] = version.hexdigest()[:16]
    changed = text[: told.start(1)] + json.dumps(listed) + text[told.end(1) :]
    worker.write_text(changed, encoding="utf-8")
