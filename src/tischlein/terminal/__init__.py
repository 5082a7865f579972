"""The table in plain text: a board, moves in words, and what just happened.

A game's own board is `terminal` in its folder; a game without one has the plain board.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from tischlein.bots.bot import Turn
from tischlein.game import AnyGame
from tischlein.games import part_of
from tischlein.names import printable
from tischlein.terminal.plain import Plain
from tischlein.terminal.talk import Talk
from tischlein.words import Say, Tell, news_of


class Board(Protocol):
    """What the terminal knows of a game; `news` too, where it tells more than others do."""

    def aim(self, view: Any, say: Say) -> str:
        """Tell in a few lines what the game is about."""

    def board(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Draw what a view shows."""

    def ask(self, turn: Turn, names: Sequence[str], talk: Talk) -> Any | None:
        """Ask a person for a move until it is legal (or for nothing, in a race)."""

    def end(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Open everything and explain the result; empty leaves it to the bare scores."""


def board_of(rules: AnyGame) -> Board:
    """Find the board of a game."""
    board: Board = part_of(rules.NAME, "terminal") or Plain(rules)
    return board


def teller_of(rules: AnyGame) -> Tell:
    """Find how the terminal tells the moves of a game."""
    return getattr(board_of(rules), "news", None) or news_of(rules)


def told_apart(names: Sequence[str]) -> list[str]:
    """Make names printable, and number those that are the same."""
    shown = [printable(name) for name in names]
    return [f"{name} {seat}" if shown.count(name) > 1 else name
            for seat, name in enumerate(shown, start=1)]  # fmt: skip
