"""The rules for players: a page in Markdown, and as plain text."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from tischlein.games import part_of
from tischlein.words.language import words_of


def rulebook(game: str, language: str) -> str:
    """Give the rules of a game for players, as Markdown; empty if nobody has written them.

    They lie beside its rules; a game that is one file has them among its words.
    """
    part = part_of(game, "rulebook")
    if part is None:
        return words_of(game, language).get("rulebook", "")
    pages = [files(part.__name__).joinpath(f"{spoken}.md") for spoken in (language, "en")]
    return next((page.read_text(encoding="utf-8") for page in pages if page.is_file()), "")


def rules_for_players(game: str, language: str, options: Mapping[str, Any]) -> str:
    """Give the rules of a game as plain text, with its times."""
    return plain(timed(rulebook(game, language), options, "." if language == "en" else ","))


def timed(page: str, options: Mapping[str, Any], point: str) -> str:
    """Put the times of the house rules, in seconds, in the place of the usual ones."""

    def in_seconds(usual: re.Match[str]) -> str:
        if usual["name"] not in options:
            return usual[0]
        seconds = f"{options[usual['name']] / 1000:g}"
        return usual["before"] + seconds.replace(".", point)

    return re.sub(r"(?P<before>`(?P<name>\w+_ms)`\W+)\d+", in_seconds, page)


def plain(page: str) -> str:
    """Take the marks of Markdown away, and the names of pictures."""
    words = re.sub(r"^ *<!--.*-->\n", "", page, flags=re.MULTILINE)
    return re.sub(r"^#+ |[*`]", "", words, flags=re.MULTILINE).strip()
