"""The rules for players, as the terminal shows them."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any


def rules_for_players(game: str, language: str, options: Mapping[str, Any]) -> str:
    """Give the rules of a game as plain text, with its times; empty if nobody has written them."""
    page = files("tischlein.games").joinpath(game, "rulebook", f"{language}.md")
    if not page.is_file():
        return ""
    point = "." if language == "en" else ","
    return plain(timed(page.read_text(encoding="utf-8"), options, point))


def timed(page: str, options: Mapping[str, Any], point: str) -> str:
    """Put the times of the house rules, in seconds, in the place of the usual ones."""

    def in_seconds(usual: re.Match[str]) -> str:
        if usual["name"] not in options:
            return usual[0]
        seconds = f"{options[usual['name']] / 1000:g}"
        return usual["before"] + seconds.replace(".", point)

    return re.sub(r"(?P<before>`(?P<name>\w+_ms)`\W+)\d+", in_seconds, page)


def plain(page: str) -> str:
    """Take the marks of Markdown away."""
    return re.sub(r"^#+ |[*`]", "", page, flags=re.MULTILINE).strip()
