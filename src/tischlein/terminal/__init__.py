"""The table in plain text: a board, moves in words, and what just happened.

Each module is the game of its name; a game without one is shown as its view says it.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import msgspec

from tischlein.rules import AnyGame
from tischlein.words import Say


class Board(Protocol):
    """What the terminal knows of a game."""

    def board(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Draw what a view shows."""

    def move(self, move: Any, view: Any, names: Sequence[str], say: Say) -> str:
        """Say what a legal move would do."""

    def news(
        self, seen: dict[str, Any], before: Any, after: Any, names: Sequence[str], say: Say
    ) -> str:
        """Tell what a move has changed; nothing to tell is an empty text."""

    def end(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Open everything and explain the result; empty leaves it to the bare scores."""


class Plain:
    """A board for any game: the view as JSON."""

    def board(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Draw what a view shows."""
        return msgspec.json.format(msgspec.json.encode(view), indent=2).decode()

    def move(self, move: Any, view: Any, names: Sequence[str], say: Say) -> str:
        """Say what a legal move would do."""
        return msgspec.json.encode(move).decode()

    def news(
        self, seen: dict[str, Any], before: Any, after: Any, names: Sequence[str], say: Say
    ) -> str:
        """Tell what a move has changed."""
        return msgspec.json.encode(seen).decode()

    def end(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Leave it to the bare scores."""
        return ""


def board_of(rules: AnyGame) -> Board:
    """Find the board of a game."""
    name = f"{__name__}.{rules.NAME}"
    board: Board = import_module(name) if find_spec(name) else Plain()
    return board


def printable(text: str) -> str:
    """Keep control characters out of the terminal."""
    return "".join(ch if ch.isprintable() or ch == "\n" else "�" for ch in text)
