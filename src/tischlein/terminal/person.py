"""A person at the keyboard: asks, checks, and takes the time in a race."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from tischlein.bots.bot import Chance, Turn
from tischlein.rules import AnyGame
from tischlein.rules.buffet import Exchange
from tischlein.terminal import board_of, printable
from tischlein.words import Say

Print = Callable[[str], None]
Read = Callable[[str], str]


class Person:
    """Answers for one seat by asking whoever sits at the keyboard."""

    def __init__(
        self, rules: AnyGame, names: Sequence[str], say: Say, out: Print, read: Read
    ) -> None:
        self._board = board_of(rules)
        self._names = [printable(name) for name in names]
        self._say, self._out, self._read = say, out, read
        self._dice_shown = 0.0

    def __call__(self, turn: Turn, rng: Chance) -> Any | None:
        """Show the table and ask until the answer is a legal move (or nothing, in a race)."""
        if getattr(turn.legal[0], "at", None) is UNSET:
            return self._race(turn)
        self._out("")
        self._out(self._board.board(turn.view, self._names, self._say))
        if isinstance(turn.legal[0], Exchange):
            return self._exchange(turn)
        self._out(self._say("your_turn", name=self._names[turn.seat]))
        for number, move in enumerate(turn.legal, start=1):
            words = self._board.move(move, turn.view, self._names, self._say)
            self._out(f"{number:3}  {words}")
        return turn.legal[self._number(len(turn.legal)) - 1]

    def _number(self, last: int) -> int:
        """Ask for a number from 1 to the last."""
        while True:
            answer = self._read(self._say("number_please")).strip()
            if answer.isdecimal() and 1 <= int(answer) <= last:
                return int(answer)
            self._out(self._say("not_a_number", first=1, last=last))

    def _exchange(self, turn: Turn) -> Any:
        """Ask which cards to give away: numbers in one line."""
        self._out(self._say("buffet.exchange_help"))
        while True:
            words = self._read("> ").replace("−", "-").replace(",", " ").split()
            if all(word.lstrip("-").isdecimal() for word in words):
                wanted = Exchange(tuple(sorted(int(word) for word in words)))
                if wanted in turn.legal:
                    return wanted
            self._out(self._say("buffet.exchange_again"))

    def _race(self, turn: Turn) -> Any | None:
        """Ask for a deed, and take the time from the showing of the dice to the Enter key."""
        naming = turn.view.acted and turn.seat in turn.view.acted
        if naming:
            answer = self._read(self._say("kakerlaken.which_thief"))
        else:
            self._get_ready(turn)
            answer = self._read("> ")
        at = round((time.perf_counter() - self._dice_shown) * 1000, 1)
        limit = turn.view.options.race_ms
        if not naming and at > limit:
            self._out(self._say("kakerlaken.too_late", seconds=f"{limit / 1000:g}"))
            return None
        move = self._deed(turn, answer.strip().lower())
        return None if move is None else replace(move, at=at)

    def _get_ready(self, turn: Turn) -> None:
        """Show the table without the dice; when the player is ready, show the dice."""
        view = replace(turn.view, roll=None)
        self._out("")
        self._out(self._board.board(view, self._names, self._say))
        self._out(self._say("kakerlaken.choices"))
        self._read(self._say("kakerlaken.ready", name=self._names[view.roller]))
        symbol, colour = turn.view.roll
        words = {
            "symbol": self._say(f"symbol.{symbol}"),
            "colour": self._say(f"colour.{colour}"),
        }
        self._out(self._say("kakerlaken.roll", **words))
        self._dice_shown = time.perf_counter()

    def _deed(self, turn: Turn, answer: str) -> Any | None:
        """Understand the number of a plate, m, mm, or in naming 1, 2, 3; all else is nothing."""
        tiles = {str(n): shown.tile for n, shown in enumerate(turn.view.circle, start=1)}
        for number, move in enumerate(turn.legal, start=1):
            if hasattr(move, "thief") and answer == str(number):
                return move
            if hasattr(move, "tile") and tiles.get(answer) == move.tile:
                return move
            if hasattr(move, "squeak") and answer == ("mm" if move.squeak else "m"):
                return move
        return None
