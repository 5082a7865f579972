"""A plain referee for the three games: a test oracle that shares nothing with the project.

It follows the numbered rules of shared/rules and the contract of shared/design/contract.md,
slowly and literally.
"""

import json
from typing import Any, Protocol

from . import buffet, kakerlaken, sushizock

FORMAT = "tischlein/1"


class Refused(Exception):
    """A record or a move is refused: the number of the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        """Remember the line (the header is line 1) and the reason."""
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Game(Protocol):
    """What the referee asks of each of the three games."""

    over: bool

    def why_not(self, move: dict[str, Any]) -> str:
        """Say why the move is illegal, or "" if it is legal; change nothing."""

    def carry_out(self, move: dict[str, Any]) -> None:
        """Carry out a legal move."""

    def to_move(self) -> list[int | str]:
        """List who may move."""

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """List the legal moves of a seat."""

    def scores(self) -> list[int]:
        """Give the scores as if the game ended now."""

    def winners(self) -> list[int]:
        """List the winners; none until the game is over."""

    def view(self) -> dict[str, Any]:
        """Show everything, as the contract names it."""


class Referee:
    """One game, from its header on, move by move."""

    def __init__(self, header: dict[str, Any]) -> None:
        """Read the header; what is wrong with it is refused as line 1."""
        if header.get("format") != FORMAT:
            raise Refused(1, "unknown format")
        game = header.get("game")
        seats = header.get("seats")
        options = header.get("options", {})
        if game not in ("sushizock", "buffet", "kakerlaken"):
            raise Refused(1, "unknown game")
        if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
            raise Refused(1, "seats is not a list of names")
        if not isinstance(options, dict):
            raise Refused(1, "options is not an object")
        number = len(seats)
        fault = ""
        if game == "sushizock":
            fault = sushizock.header_fault(number, options)
        if game == "buffet":
            fault = buffet.header_fault(number, options)
        if game == "kakerlaken":
            fault = kakerlaken.header_fault(number, options)
        if fault:
            raise Refused(1, fault)
        self.name: str = game
        self.game: Game
        if game == "sushizock":
            self.game = sushizock.Sushizock(number, options)
        elif game == "buffet":
            self.game = buffet.Buffet(number, options)
        else:
            self.game = kakerlaken.Kakerlaken(number, options)

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.game.over

    def apply(self, move: dict[str, Any], line: int) -> None:
        """Make a move; an illegal one is refused and changes nothing."""
        reason = self.game.why_not(move)
        if reason:
            raise Refused(line, reason)
        self.game.carry_out(move)

    def to_move(self) -> list[int | str]:
        """List who may move: seats, "nature", both (an open race) or nobody."""
        return self.game.to_move()

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """List a seat's legal moves, without `by`, race moves without `at`."""
        return self.game.legal(seat)

    def scores(self) -> list[int]:
        """Give the scores of the position as if the game ended now."""
        return self.game.scores()

    def winners(self) -> list[int]:
        """List the winners; none until the game is over."""
        return self.game.winners()

    def view(self) -> dict[str, Any]:
        """Show the referee's view, who sees all."""
        return self.game.view()


def _no_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which Python reads but JSON has not."""
    raise ValueError(f"{name} is not JSON")


def _read(text: str, line: int) -> dict[str, Any]:
    """Read one line of a record: exactly one JSON object."""
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(line, f"broken JSON: {error}") from error
    if not isinstance(found, dict):
        raise Refused(line, "not a JSON object")
    return found


def _are_ints(found: object) -> bool:
    """Tell whether this is a list of whole numbers."""
    return isinstance(found, list) and all(type(one) is int for one in found)


def _check_result(referee: Referee, result: object, line: int) -> None:
    """Compare a record's result with the game's."""
    if not referee.over:
        raise Refused(line, "a result, but the game is not over")
    if not isinstance(result, dict):
        raise Refused(line, "the result is not an object")
    scores, winners = result.get("scores", []), result.get("winners", [])
    if not _are_ints(scores) or scores != referee.scores():
        raise Refused(line, f"the scores are {referee.scores()}")
    if not _are_ints(winners) or sorted(winners) != sorted(referee.winners()):
        raise Refused(line, f"the winners are {referee.winners()}")


def replay(text: str) -> Referee:
    """Play a whole record; it may stop in the middle of the game."""
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise Refused(1, "no header")
    referee = Referee(_read(lines[0], 1))
    finished = False
    for number, one in enumerate(lines[1:], start=2):
        found = _read(one, number)
        if finished:
            raise Refused(number, "a line after the result")
        if "result" in found and "do" not in found:
            _check_result(referee, found["result"], number)
            finished = True
        else:
            referee.apply(found, number)
    return referee
