"""A talk in the terminal: lines that fit its width, questions, and the rules whenever asked."""

import shutil
import textwrap
import time
from collections.abc import Callable, Mapping
from typing import Any

from tischlein.names import printable, printable_lines
from tischlein.words import in_language
from tischlein.words.rule_pages import rules_for_players

Print = Callable[[str], None]
Read = Callable[[str], str]


class Talk:
    """Speaks with whoever sits at the keyboard, in one language, about one game and its times."""

    def __init__(
        self,
        language: str,
        game: str = "",
        out: Print = print,
        read: Read = input,
        *,
        options: Mapping[str, Any] = {},
    ) -> None:
        self.say = in_language(language, game or None)
        self.language, self._game, self._options = language, game, options
        self._out, self._read = out, read
        self._told: list[str] = []
        self._clock = 0.0

    def about(self, game: str, options: Mapping[str, Any]) -> "Talk":
        """Go on with the talk, now about one game."""
        return Talk(self.language, game, self._out, self._read, options=options)

    def tell(self, text: str) -> None:
        """Print a text, broken at words where the terminal ends."""
        self._told = [text] if text.startswith("\n") else [*self._told, text]
        for line in text.split("\n"):
            self._out(fit(printable(line)))

    def ask(self, question: str) -> str:
        """Ask, and answer `?` with the rules of the game before asking again."""
        question = "\n".join(map(fit, printable_lines(question.rstrip()).split("\n")))
        while (answer := self._read(f"{question} ").strip()) == "?":
            told, self._told = self._told, []
            self.tell(self._rules())
            for text in told:
                self.tell(text)
        self._told = []
        return answer

    def _rules(self) -> str:
        if not self._game:
            return self.say("choose_first")
        found = rules_for_players(self._game, self.language, self._options)
        return found or self.say("no_rules")

    def number(self, question: str, first: int, last: int, usual: int | None = None) -> int:
        """Ask for a whole number; Enter gives the usual one, if there is one."""
        while True:
            answer = self.ask(question)
            if not answer and usual is not None:
                return usual
            if answer.isdecimal() and first <= int(answer) <= last:
                return int(answer)
            self.tell(self.say("not_a_number", first=first, last=last))

    def start_clock(self) -> None:
        """Take the time from now on."""
        self._clock = time.perf_counter()

    def clock(self) -> float:
        """Give the milliseconds since the clock was started."""
        return round((time.perf_counter() - self._clock) * 1000, 1)


def fit(line: str) -> str:
    """Break a line at words where the terminal ends; what goes on in a list is set in."""
    width = max(20, shutil.get_terminal_size().columns)
    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    further = indent + "  " if indent or line.startswith("- ") else ""
    broken = textwrap.wrap(
        line.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(broken)
