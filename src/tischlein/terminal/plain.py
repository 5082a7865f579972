"""A board for any game: what a view holds, line by line, and a numbered list of moves."""

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from tischlein.bots.bot import Turn
from tischlein.game import AnyGame, Timed
from tischlein.terminal.talk import Talk
from tischlein.words import Say, deed, readable, words_of

DICE: Final = re.compile("(^|_)(dice|die|rolls?|rolled)($|_)")
"""What a field of dice is called: if there are as many as players, they are not theirs."""


class Plain:
    """Shows a game that has no board of its own."""

    def __init__(self, rules: AnyGame) -> None:
        self._game = rules.NAME
        self._look: dict[str, str] = getattr(rules, "LOOK", {})

    def aim(self, view: Any, say: Say) -> str:
        """Tell what the game is about, where its words do."""
        return say("aim") if self._has_word("aim") else ""

    def board(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Draw what a view shows: each field with its label, what belongs to players by name."""
        fields = msgspec.json.decode(msgspec.json.encode(view))
        lines = [
            line
            for name, held in fields.items()
            if name != "options"
            for line in self._lines(name, held, names, say)
        ]
        return "\n".join(lines)

    def ask(self, turn: Turn, names: Sequence[str], talk: Talk) -> Any | None:
        """Ask for the number of a legal move; in a race the clock runs."""
        talk.tell(f"\n{self.board(turn.view, names, talk.say)}")
        talk.tell(talk.say("what_will_you_do", name=names[turn.seat]))
        for number, move in enumerate(turn.legal, start=1):
            talk.tell(f"{number:3}  {deed(self._game, move, names, talk.say)}")
        talk.start_clock()
        number = talk.number(talk.say("number_please"), 1, len(turn.legal))
        move = turn.legal[number - 1]
        return msgspec.structs.replace(move, at=talk.clock()) if isinstance(move, Timed) else move

    def end(self, view: Any, names: Sequence[str], say: Say) -> str:
        """Leave it to the bare scores."""
        return ""

    def _lines(self, name: str, held: Any, names: Sequence[str], say: Say) -> list[str]:
        label = self._label(name, say)
        if self._is_by_seat(name, held, names):
            by_seat = held.items() if isinstance(held, dict) else enumerate(held)
            return [label, *(f"  {names[int(at)]}: {readable(part)}" for at, part in by_seat)]
        if name == "turn" and type(held) is int and 0 <= held < len(names):
            return [say("turnOf", name=names[held])]
        if isinstance(held, dict):
            parts = [f"  {self._label(key, say)}: {readable(part)}" for key, part in held.items()]
            return [label, *parts]
        return [f"{label}: {'–' if held is None else readable(held)}"]

    def _is_by_seat(self, name: str, held: Any, names: Sequence[str]) -> bool:
        """Say whether each player has a part of it: the game says so, or it looks like that."""
        if isinstance(held, dict):
            return bool(held) and held.keys() <= {str(seat) for seat in range(len(names))}
        if not isinstance(held, list | tuple) or len(held) != len(names):
            return False
        look = self._look.get(name, "numbers" if not DICE.search(name) else "dice")
        nested = all(type(part) in (list, tuple, dict) for part in held)
        return nested or look in ("players", "numbers")

    def _label(self, name: str, say: Say) -> str:
        key = f"field.{name}"
        return say(key) if self._has_word(key) else name.replace("_", " ").capitalize()

    def _has_word(self, key: str) -> bool:
        return key in words_of(self._game, "en")
