"""The rules for players, as the terminal shows them."""

import re
from importlib.resources import files
from pathlib import Path

IN_THE_PACKAGE = "rules_for_players"


def rules_for_players(game: str, language: str) -> str:
    """Give the rules of a game in a language as plain text; empty if nobody has written them."""
    here = Path(str(files("tischlein")))
    folder = here / IN_THE_PACKAGE
    if not folder.is_dir():
        folder = here.parents[1] / "docs" / "rules"  # a checkout: not built into a package yet
    page = folder / language / f"{game}.md"
    return plain(page.read_text(encoding="utf-8")) if page.is_file() else ""


def plain(page: str) -> str:
    """Take the marks of Markdown away."""
    return re.sub(r"^#+ |[*`]", "", page, flags=re.MULTILINE).strip()
