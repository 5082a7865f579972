"""Games of one file that the page takes along, to play them without a network, too."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from tischlein.games import outside

LISTED: Final = re.compile(r'({"version":"\w+","files":{[^}]*}})')
"""What the page's worker keeps, as it was built."""


def named(files: list[Path]) -> dict[str, bytes]:
    """Give the files of games by the names that the page knows them by."""
    return {f"games/{number}.py": file.read_bytes() for number, file in enumerate(files)}


def read_now() -> dict[str, bytes]:
    """Give the files of all games that were read here."""
    return named(list(outside.files))


def with_games(page: str, games: Mapping[str, bytes]) -> str:
    """Say in the page which games it brings."""
    told = f'<html data-games="{escape(" ".join(games))}"'
    return page.replace("<html", told, 1) if games else page


def keeping(worker: str, more: Mapping[str, bytes]) -> str:
    """Let the page's worker keep these files, too: with them it is another version."""
    told = LISTED.search(worker)
    if told is None:
        raise ValueError("the browser client was built by another version")
    listed = json.loads(told[1])
    version = sha256(listed["version"].encode())
    for name, data in more.items():
        version.update(data)
        listed["files"][name] = len(data)
    listed["version"] = version.hexdigest()[:16]
    return worker[: told.start(1)] + json.dumps(listed) + worker[told.end(1) :]
