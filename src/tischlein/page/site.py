"""Writes the static site: the page and Python for it, to be put on any host of files."""

import shutil
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

import msgspec

from tischlein.game import Refusal
from tischlein.games import game_names, load_file
from tischlein.server.app import describe_game
from tischlein.server.brought import keeping, named, with_games
from tischlein.server.pages import PARTS, STATIC
from tischlein.words import LANGUAGES, words_of

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What the page may load; a host of files sends no header that says so."""

SIGN: Final = "<html data-site"
"""What our pages begin with where there is no server."""


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
        sources = named(list(games))
        index = page((STATIC / "index.html").read_text("utf-8"), sources)
        # What is ours is known by it: on a full disk one frees some room, and writes again.
        (folder / "index.html").write_text(index, encoding="utf-8")
        for old in ("assets", "games", "python"):
            shutil.rmtree(folder / old, ignore_errors=True)
        others = shutil.ignore_patterns(".*", "index.html")
        shutil.copytree(STATIC, folder, dirs_exist_ok=True, ignore=others)
        described = msgspec.json.encode([describe_game(name) for name in game_names()])
        more = {"games.json": described} | sources | words([game.NAME for game in brought])
        for name, data in more.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(data)
        worker = folder / "sw.js"
        worker.write_text(keeping(worker.read_text("utf-8"), more), encoding="utf-8")
        (folder / ".nojekyll").touch()
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


def words(games: Sequence[str]) -> dict[str, bytes]:
    """Write down the words of games that the page was not built with: it has them before Python."""
    return {
        f"games/{game}.{language}.json": msgspec.json.encode(words_of(game, language))
        for game in games
        for language in LANGUAGES
    }


def page(index: str, games: Mapping[str, bytes]) -> str:
    """Say in the page that it has no server, what it may load, and which games it brings."""
    policy = f'<meta http-equiv="content-security-policy" content="{escape(POLICY)}" />'
    marked = with_games(index, games).replace("<html", SIGN, 1)
    return marked.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {policy}', 1)
