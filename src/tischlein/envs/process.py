"""What every game is for an environment: seats that decide by numbers, and chance."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

from msgspec import Struct

from tischlein.bots import Turn
from tischlein.envs.draws import Chances, evenly, pick
from tischlein.envs.layout import Array, Layout
from tischlein.game import BY_NATURE, NATURE, NOBODY, AnyGame, Rng

WAIT: Final = 0
"""The action of a seat that has nothing to decide, and of a hand that waits in a race."""


Ask = Callable[[Array, Sequence[int]], int]
"""A policy's answer to an observation and the numbers of the legal actions."""


class Position(Struct, frozen=True):
    """A state of the rules, and what is decided or drawn but not yet played."""

    state: Any


class Process(ABC):
    """One game at one number of seats. Positions never change; all methods are pure.

    Seats count from one's own, clockwise, in observations and in actions alike, so that one policy
    fits every seat. With `listed` all chance comes in steps that `chances` lists; without, nature
    draws as at any table, which is quicker.
    """

    name: ClassVar[str]
    long_name: ClassVar[str]
    version: ClassVar[int]
    fewest: ClassVar[int | None] = None
    """How few can play the reduced game, where that is less than the rules say."""
    max_steps: ClassVar[int] = 2_000
    """After so many steps OpenSpiel takes a game for endless."""
    reductions: ClassVar[dict[str, int]] = {}
    """The parameters of the material and their full size."""
    times: ClassVar[dict[str, int]] = {}
    """The parameters of the discrete race and what they are by default."""

    def __init__(
        self, rules: AnyGame, seats: int, options: Mapping[str, Any], *, listed: bool, memory: bool
    ) -> None:
        self.rules, self.seats, self.listed, self.memory = rules, seats, listed, memory
        self.empty = rules.start(seats, options)
        self.labels: tuple[str, ...] = tuple(self.action_labels(seats))
        self.layout = self.make_layout(seats)

    @classmethod
    @abstractmethod
    def material(cls, seats: int, sizes: Mapping[str, int]) -> dict[str, Any]:
        """Give the numbers of the rules that differ in a game so reduced."""

    @classmethod
    @abstractmethod
    def action_labels(cls, seats: int) -> list[str]:
        """Name all actions in the order of their numbers."""

    @classmethod
    @abstractmethod
    def make_layout(cls, seats: int) -> Layout:
        """Say what stands where in an observation."""

    @staticmethod
    @abstractmethod
    def seats_of(view: Any) -> int:
        """Count the seats of a table that is seen."""

    @abstractmethod
    def begin(self) -> Any:
        """Give the position before the deal."""

    @abstractmethod
    def numbers(self, turn: Turn, progress: Any) -> list[int]:
        """List the legal actions of a seat that decides, as numbers, in order."""

    @abstractmethod
    def move(self, turn: Turn, number: int) -> Any:
        """Find the legal move with a number."""

    @abstractmethod
    def features(self, turn: Turn, progress: Any) -> Mapping[str, Sequence[Any]]:
        """Give the blocks of the observation from what a seat may know."""

    @abstractmethod
    def act(self, position: Any, chosen: Mapping[int, int]) -> Any:
        """Let all seats that decide now do what they have chosen."""

    @abstractmethod
    def chances(self, position: Any) -> Chances:
        """List what chance may bring now; empty when it is the seats' turn."""

    @abstractmethod
    def happen(self, position: Any, outcome: int) -> Any:
        """Let one of the chances come true."""

    @abstractmethod
    def chance_label(self, position: Any, outcome: int) -> str:
        """Say in a few words what chance brings."""

    @abstractmethod
    def most_chances(self) -> int:
        """Say how many outcomes a step of chance has at most."""

    @abstractmethod
    def most_steps_of_chance(self) -> int:
        """Say how many steps chance takes at most between two decisions."""

    @abstractmethod
    def most_points(self) -> float:
        """Say how far points can be from their mean."""

    def progress(self, position: Any, seat: int) -> Any:
        """Give what a seat knows of its own decision under way."""
        return None

    def history(self, position: Any, seat: int) -> Sequence[Any]:
        """Give the moves of the game as a seat remembers them."""
        return ()

    def deciders(self, position: Any) -> tuple[int, ...]:
        """Name the seats that decide now, all at once."""
        movers = self.rules.to_move(position.state)
        return tuple(by for by in movers if by != NATURE)

    def nature_moves(self, position: Any) -> bool:
        """Say whether it is chance's turn."""
        return self.rules.to_move(position.state) == BY_NATURE

    def over(self, position: Any) -> bool:
        """Say whether the game is over."""
        return self.rules.to_move(position.state) == NOBODY

    def draw(self, position: Any, rng: Rng) -> Any:
        """Let chance take a step."""
        return self.happen(position, pick(self.chances(position), rng))

    def choose(self, turn: Turn, ask: Ask, rng: Rng) -> Any | None:
        """Let a policy make a whole move at a table."""
        return self.move(turn, ask(self.seen(turn, None), self.numbers(turn, None)))

    def starters(self) -> Chances:
        """List who may start: the seat that the house rule names, or anybody."""
        named = self.empty.options.starter
        return evenly(self.seats) if named is None else [(named, Fraction(1))]

    def turn(self, position: Any, seat: int) -> Turn:
        """Show a seat what it may know and do."""
        view, legal = self.rules.view(position.state, seat), self.rules.legal(position.state, seat)
        return Turn(seat, view, legal, self.history(position, seat))

    def legal(self, position: Any, seat: int) -> list[int]:
        """List the actions of a seat; who has nothing to decide waits."""
        if seat not in self.deciders(position):
            return [WAIT]
        return self.numbers(self.turn(position, seat), self.progress(position, seat))

    def observe(self, position: Any, seat: int) -> Array:
        """Show a seat the table as numbers."""
        return self.seen(self.turn(position, seat), self.progress(position, seat))

    def seen(self, turn: Turn, progress: Any) -> Array:
        """Write what a seat may know as numbers."""
        return self.layout.write(self.features(turn, progress))

    def shares(self, position: Any) -> list[float]:
        """Give each seat's share of the win."""
        winners = self.rules.winners(position.state)
        return [(seat in winners) / max(1, len(winners)) for seat in range(self.seats)]

    def points(self, position: Any) -> list[float]:
        """Give each seat's points."""
        return [float(points) for points in self.rules.scores(position.state)]
