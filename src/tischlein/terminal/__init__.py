"""The table in plain text: a board, moves in words, and what just happened.

Each module with the name of a game is its table; a game without one is shown as its view says it.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from tischlein.bots.bot import Turn
from tischlein.game import AnyGame
from tischlein.games import part_of
from tischlein.terminal.talk import Talk
from tischlein.words import Say


class Board(Protocol):
    """What the terminal knows of a game."""

    def aim(self, view: Any, say: Say) -> str:
        """Tell in a few lines what the game is about."""

    def board(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Draw what a view shows."""

    def ask(self, turn: Turn, names: Sequence[str], talk: Talk) -> Any | None:
        """Ask a person for a move until it is legal (or for nothing, in a race)."""

    def news(
        self, seen: dict[str, Any], before: Any, after: Any, names: Sequence[str], say: Say
    ) -> str:
        """Tell what a move has changed; nothing to tell is an empty text."""

    def end(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Open everything and explain the result; empty leaves it to the bare scores."""


class Plain:
    """A board for any game: the view as JSON, and a numbered list of moves."""

    def aim(self, view: Any, say: Say) -> str:
        """Tell nothing: nobody has written it down."""
        return ""

    def board(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Draw what a view shows."""
        return msgspec.json.format(msgspec.json.encode(view), indent=2).decode()

    def ask(self, turn: Turn, names: Sequence[str], talk: Talk) -> Any | None:
        """Ask for the number of a legal move."""
        talk.tell(f"\n{self.board(turn.view, names, talk.say)}")
        talk.tell(talk.say("what_will_you_do", name=names[turn.seat]))
        for number, move in enumerate(turn.legal, start=1):
            talk.tell(f"{number:3}  {msgspec.json.encode(move).decode()}")
        number = talk.number(talk.say("number_please"), 1, len(turn.legal))
        return turn.legal[number - 1]

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
    board: Board = part_of(rules.NAME, "terminal") or Plain()
    return board


def printable(text: str) -> str:
    """Keep control characters out of the terminal."""
    return "".join(ch if ch.isprintable() or ch == "\n" else "�" for ch in text)


def told_apart(names: Sequence[str]) -> list[str]:
    """Make names printable, and number those that are the same."""
    shown = [printable(name) for name in names]
    return [f"{name} {seat}" if shown.count(name) > 1 else name
            for seat, name in enumerate(shown, start=1)]  # fmt: skip
