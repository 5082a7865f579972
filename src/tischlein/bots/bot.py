"""What a bot is: a function from what a seat may know to an answer."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol, overload

from msgspec import Struct

from tischlein.game import AnyGame, By, Rng, Seen

TRIFLE: Final = 0.005
"""Half a hundredth of the win: moves nearer than this are about as good, however well known."""


class Chance(Rng, Protocol):
    """The chance that a bot may use: its own, never the table's."""

    def uniform(self) -> float:
        """Give a number from 0 up to, but not including, 1."""


class Turn(Struct, frozen=True):
    """All that a bot is told when it may move."""

    seat: int
    view: Any
    legal: Sequence[Any]
    history: Sequence[Seen] = ()
    """The moves of the game that are no longer secret, as this seat may know them."""
    effort: float = 1.0
    """How much longer than usual a bot that searches may think."""


class Advised(NamedTuple):
    """What somebody who asks is told to do, and the reason for just that."""

    move: Any | None
    because: str
    fields: dict[str, Any]


class Answer(Struct, frozen=True):
    """A legal move, or None to let time pass in a race; and why."""

    move: Any | None
    because: str = ""
    """A code, for which `tischlein.words` has a sentence in every language."""
    fields: dict[str, Any] = {}
    """What the sentence needs."""
    worth: tuple[tuple[Any, float], ...] = ()
    """What each move that was weighed brings, best first: the expected share of the win."""
    doubt: tuple[float, ...] = ()
    """By how much the gap of each of these to the best may be off, nineteen times of twenty."""
    why: tuple[str, dict[str, Any]] | None = None
    """The reason for the best of these, where it may be another than the move that is made."""

    @property
    def advised(self) -> Advised:
        """Give the best move that was weighed: who mixes or slips made perhaps another."""
        if not self.worth:
            return Advised(self.move, self.because, self.fields)
        best = self.worth[0][0]
        if self.why is not None:
            return Advised(best, *self.why)
        made = timeless(best) == timeless(self.move)
        return Advised(best, *((self.because, self.fields) if made else ("", {})))

    def doubt_at(self, place: int) -> float:
        """Say how far the gap between the best and the move at a place may be off."""
        return self.doubt[place] if place < len(self.doubt) else 0.0

    @property
    def equals(self) -> tuple[int, ...]:
        """List the places of moves about as good as the best: none that is surely worse."""
        return tuple(
            place
            for place, (_, share) in enumerate(self.worth)
            if place and self.worth[0][1] - share <= max(TRIFLE, self.doubt_at(place))
        )


Bot = Callable[[Turn, Chance], Answer]


class History(Sequence[Seen]):
    """The moves of a game as a seat may know them, each told when it is asked for."""

    def __init__(self, rules: AnyGame, moves: Sequence[tuple[By, Any]], told: int, seat: int):
        self._rules, self._moves, self._told, self._seat = rules, moves, told, seat

    def __len__(self) -> int:
        return self._told

    @overload
    def __getitem__(self, at: int) -> Seen: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Seen]: ...
    def __getitem__(self, at: int | slice) -> Seen | Sequence[Seen]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(self._told))]
        by, move = self._moves[range(self._told)[at]]
        return self._rules.seen(by, move, self._seat, later=True) or {}

    def __iter__(self) -> Iterator[Seen]:
        return (self[at] for at in range(self._told))


def turn_of(rules: AnyGame, state: Any, moves: Sequence[tuple[By, Any]], seat: int) -> Turn:
    """Show a seat what it may know and do."""
    history = History(rules, moves, len(moves) - rules.in_secret(state), seat)
    return Turn(seat, rules.view(state, seat), rules.legal(state, seat), history)


def turn_in_sight(rules: AnyGame, state: Any, moves: Sequence[tuple[By, Any]], seat: int) -> Turn:
    """Show a seat what it may be told and do now, as to somebody who remembers nothing."""
    told = rules.retold(moves[: len(moves) - rules.in_secret(state)], 0, state, seat, later=True)
    history = tuple(seen or {} for seen in told)
    return Turn(seat, rules.view(state, seat), rules.legal(state, seat), history)


def timeless(move: Any | None) -> Any:
    """Give what a move does, whenever it does it; to do nothing is also something."""
    if move is None:
        return None
    kept = {name: getattr(move, name) for name in move.__struct_fields__ if name != "at"}
    return type(move), tuple(kept.items())


def play_randomly(turn: Turn, rng: Chance) -> Answer:
    """Choose any legal move."""
    return Answer(turn.legal[rng.below(len(turn.legal))])
