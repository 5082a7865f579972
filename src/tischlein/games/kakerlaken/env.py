"""Kakerlaken Sushi for learners: a race in ticks, where one decides when to act, and what to do."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from tischlein.bots import Turn
from tischlein.envs.draws import Chances, evenly
from tischlein.envs.layout import Block, Layout, flags, from_seat, one_hot
from tischlein.envs.process import WAIT, Ask, Position, Process
from tischlein.game import NATURE, AnyGame, Rng
from tischlein.games.kakerlaken.bots.hands import QUICKEST
from tischlein.games.kakerlaken.rules import (
    COINS_TO_WIN,
    COLOURS,
    NAME,
    PLACE,
    SYMBOLS,
    THIEVES,
    TILES,
    Outcome,
)

FIRST_SLAP: Final = 1
GRAB: Final = FIRST_SLAP + len(TILES)
FIRST_NAME: Final = GRAB + 2
FIRST_GIVE: Final = FIRST_NAME + len(THIEVES)
OUTCOMES: Final[tuple[str, ...]] = get_args(Outcome)
MOST_TICKS: Final = 120_000
"""A race of a minute and a minute for the name, in milliseconds."""


class Hand(Struct, frozen=True):
    """A hand on its way: what it does, and at which tick it arrives."""

    move: Any
    lands: int


class Progress(Struct, frozen=True):
    """What a seat knows of a race: the tick, and whether its own hand is on its way."""

    tick: int = 0
    moving: bool = False


class KakerlakenPosition(Position, frozen=True):
    """A state, the tick of the race, the hands on their way, and those that just began to move."""

    tick: int = 0
    hands: tuple[Hand | None, ...] = ()
    begun: tuple[tuple[int, Any], ...] = ()


class Kakerlaken(Process):
    """Kakerlaken Sushi in ticks of `tick_ms`.

    At each tick every seat whose hands are free decides whether to wait or to act. A deed arrives
    after 0 to `noise` ticks, each equally likely, and carries the time of its arrival. A race is
    over with the right slap, or the name after the first grab: what is later has no effect [K8].
    """

    name: ClassVar[str] = NAME
    long_name: ClassVar[str] = "Kakerlaken Sushi"
    version: ClassVar[int] = 1
    max_steps: ClassVar[int] = 10_000
    reductions: ClassVar[dict[str, int]] = {
        "symbols": len(SYMBOLS), "colours": len(COLOURS), "coins": COINS_TO_WIN,
    }  # fmt: skip
    times: ClassVar[dict[str, int]] = {"tick_ms": 100, "noise": 3}

    def __init__(
        self,
        rules: AnyGame,
        seats: int,
        options: Mapping[str, Any],
        *,
        tick_ms: int = 100,
        noise: int = 3,
        **how: bool,
    ) -> None:
        super().__init__(rules, seats, options, **how)
        if self.empty.options.calm:
            raise ValueError("the environment is the race: it has no house rule `calm`")
        if tick_ms < 1 or noise < 0:
            raise ValueError("a tick lasts at least a millisecond, and noise is not negative")
        self.tick_ms, self.noise = tick_ms, noise
        self.free: tuple[Hand | None, ...] = (None,) * seats

    @classmethod
    def material(cls, seats: int, sizes: Mapping[str, int]) -> dict[str, Any]:
        """Take fewer symbols and colours, so fewer tiles, and let fewer coins win."""
        return {
            "SYMBOLS": SYMBOLS[: sizes["symbols"]],
            "COLOURS": COLOURS[: sizes["colours"]],
            "COINS_TO_WIN": sizes["coins"],
        }

    @classmethod
    def action_labels(cls, seats: int) -> list[str]:
        """Name all actions."""
        tiles = [f"{colour} {symbol}" for symbol, colour in TILES]
        labels = ["wait", *(f"slap {tile}" for tile in tiles)]
        labels += ["grab", "grab and squeak", *(f"name {thief}" for thief in THIEVES)]
        return labels + [f"give {tile}" for tile in tiles]

    @classmethod
    def make_layout(cls, seats: int) -> Layout:
        """Say what stands where."""
        nine = len(TILES)
        in_order = "in the order of the slaps"
        deeds = f"my deed of this race: slaps, grab, grab with squeak, {', '.join(THIEVES)}"
        return Layout(
            (
                Block("owners", (nine, seats + 1), 0, 1,
                      f"where each tile lies, {in_order}: the middle, then the seats"),
                Block("thieves", (nine, 3), 0, 1, f"thieves in sight: {', '.join(THIEVES)}"),
                Block("coins", (seats,), 0, COINS_TO_WIN, "fish coins"),
                Block("roller", (seats,), 0, 1, "who rolls, or rolls next"),
                Block("roll", (nine,), 0, 1, f"the dice, {in_order}; none between races"),
                Block("tick", (1,), 0, MOST_TICKS, "ticks since the dice were seen"),
                Block("acted", (seats,), 0, 1, "who has acted in this race"),
                Block("my_deed", (nine + 5,), 0, 1, deeds),
                Block("moving", (1,), 0, 1, "my hand is on its way"),
                Block("owing", (seats,), 0, 1, "who must give a tile back"),
                Block("last_roll", (nine,), 0, 1, f"the dice of the race before, {in_order}"),
                Block("last_outcome", (len(OUTCOMES),), 0, 1, ", ".join(OUTCOMES)),
                Block("last_seat", (seats,), 0, 1, "who decided the race before"),
            )
        )  # fmt: skip

    @staticmethod
    def seats_of(view: Any) -> int:
        """Count the seats of a table that is seen."""
        return len(view.coins)

    def begin(self) -> KakerlakenPosition:
        """Give the position before the deal."""
        return KakerlakenPosition(self.empty, hands=self.free)

    def deciders(self, position: KakerlakenPosition) -> tuple[int, ...]:
        """Name the seats whose hands are free; when the race is up only those who must name."""
        if position.begun:
            return ()
        seats = super().deciders(position)
        if position.state.roll is None:
            return seats
        up = self.is_up(position.state, position.tick)
        return tuple(
            seat
            for seat in seats
            if position.hands[seat] is None and (position.state.deeds[seat] or not up)
        )

    def is_up(self, state: Any, tick: int) -> bool:
        """Say whether the time for deeds is over [K8]."""
        return bool(tick * self.tick_ms > state.options.race_ms)

    def nature_moves(self, position: KakerlakenPosition) -> bool:
        """Say whether dice are rolled, or a hand's delay is drawn."""
        return bool(position.begun) or super().nature_moves(position)

    def progress(self, position: KakerlakenPosition, seat: int) -> Progress:
        """Tell a seat the tick, and whether its hand is on its way."""
        moving = position.hands[seat] is not None or any(by == seat for by, _ in position.begun)
        return Progress(position.tick, moving)

    def numbers(self, turn: Turn, progress: Any) -> list[int]:
        """List the legal actions as numbers; in a race one may always wait."""
        found = sorted(self.number(move) for move in turn.legal)
        return found if turn.view.roll is None else [WAIT, *found]

    def number(self, move: Any) -> int:
        """Give the number of a move."""
        match type(move).__name__:
            case "Slap":
                return FIRST_SLAP + PLACE[move.tile]
            case "Grab":
                return GRAB + int(move.squeak)
            case "Name":
                return FIRST_NAME + THIEVES.index(move.thief)
            case _:
                return FIRST_GIVE + PLACE[move.tile]

    def move(self, turn: Turn, number: int) -> Any:
        """Find the legal move with a number."""
        return next(move for move in turn.legal if self.number(move) == number)

    def features(self, turn: Turn, progress: Any) -> Mapping[str, Sequence[Any]]:
        """Show tiles, coins, dice, who has acted, and one's own deed."""
        view, seat = turn.view, turn.seat
        shown = {tile.tile: tile for tile in view.circle}
        owners, thieves = [], []
        for tile in TILES:
            lies = shown.get(tile)
            owner = None if lies is None else lies.owner
            place = 0 if owner is None else 1 + (owner - seat) % self.seats
            owners.append(one_hot(place if lies else None, self.seats + 1))
            thief = None if lies is None else lies.thief
            thieves.append([int(thief == name) for name in THIEVES])
        last = view.last
        decided = None if last is None or last.seat is None else (last.seat - seat) % self.seats
        return {
            "owners": owners,
            "thieves": thieves,
            "coins": from_seat(view.coins, seat),
            "roller": flags([view.roller], self.seats, seat),
            "roll": one_hot(None if view.roll is None else PLACE[view.roll], len(TILES)),
            "tick": [progress.tick],
            "acted": flags(view.acted, self.seats, seat),
            "my_deed": deed_flags(view.deeds.get(seat)),
            "moving": [int(progress.moving)],
            "owing": flags(view.owing, self.seats, seat),
            "last_roll": one_hot(None if last is None else PLACE[last.roll], len(TILES)),
            "last_outcome": [int(last is not None and last.outcome == name) for name in OUTCOMES],
            "last_seat": one_hot(decided, self.seats),
        }

    def act(self, position: KakerlakenPosition, chosen: Mapping[int, int]) -> KakerlakenPosition:
        """Let hands begin to move, or tiles be given back."""
        state = position.state
        deeds = tuple(
            (seat, self.move(self.turn(position, seat), chosen[seat]))
            for seat in self.deciders(position)
            if chosen[seat] != WAIT
        )
        if state.roll is None:
            for seat, move in deeds:
                state = self.rules.play(state, seat, move)
            return KakerlakenPosition(state, hands=self.free)
        if deeds and self.noise:
            return replace(position, begun=deeds)
        hands = list(position.hands)
        for seat, move in deeds:
            hands[seat] = Hand(move, position.tick)
        return self.pass_time(position.state, position.tick, hands)

    def pass_time(self, state: Any, tick: int, hands: list[Hand | None]) -> KakerlakenPosition:
        """Let hands arrive and the clock go on until somebody can decide or the race is over."""
        while True:
            state = self.land(state, tick, hands)
            if state.roll is None:
                return KakerlakenPosition(state, hands=self.free)
            tick += 1
            if tick * self.tick_ms > self.closes_at(state):
                rules: Any = self.rules
                closed = rules.play(state, NATURE, rules.TIME)
                return KakerlakenPosition(closed, hands=self.free)
            later = KakerlakenPosition(state, tick, tuple(hands))
            if self.deciders(later):
                return later

    def land(self, state: Any, tick: int, hands: list[Hand | None]) -> Any:
        """Let the hands of this tick arrive; a deed that comes after its time is none."""
        up = self.is_up(state, tick)
        for seat, hand in enumerate(hands):
            if hand is not None and hand.lands == tick:
                hands[seat] = None
                if state.deeds[seat] or not up:
                    moment = replace(hand.move, at=float(tick * self.tick_ms))
                    state = self.rules.play(state, seat, moment)
        return state

    def closes_at(self, state: Any) -> float:
        """Say when the race is up: at its time, or with the deed or the name that decides it."""
        rules: Any = self.rules
        decided = rules.deciding(state)
        if decided is None:
            return float(state.options.race_ms)
        _, deed = decided
        is_done = deed.tile is not None or deed.thief is not None
        return float(deed.at if is_done else deed.at + state.options.naming_ms)

    def choose(self, turn: Turn, ask: Ask, rng: Rng) -> Any | None:
        """Ask a policy tick by tick when it acts; None if it lets the race pass.

        The first tick is when the quickest people can act. It is told what the others have done
        until now, not what they may do while it waits.
        """
        options, deed = turn.view.options, turn.view.deeds.get(turn.seat)
        tick, until = 0, options.race_ms
        if deed is not None:
            tick = 1 + max(0, int((deed.at - QUICKEST) // self.tick_ms))
            until = int(deed.at) + options.naming_ms
        while QUICKEST + tick * self.tick_ms <= until or turn.view.roll is None:
            progress = Progress(tick)
            number = ask(self.seen(turn, progress), self.numbers(turn, progress))
            if number != WAIT:
                move = self.move(turn, number)
                if not hasattr(move, "at"):
                    return move
                at = QUICKEST + (tick + rng.below(self.noise + 1)) * self.tick_ms
                is_late = deed is None and at > options.race_ms  # [K8]
                return None if is_late else replace(move, at=at)
            tick += 1
        return None

    def chances(self, position: KakerlakenPosition) -> Chances:
        """List the delays of a hand, the starters, or the rolls.

        The order of the circle decides nothing, so it is not drawn.
        """
        if position.begun:
            return evenly(self.noise + 1)
        if not self.nature_moves(position):
            return []
        if position.state.circle:
            return evenly(len(self.rules.chances(position.state)))
        return self.starters()

    def happen(self, position: KakerlakenPosition, outcome: int) -> KakerlakenPosition:
        """Let a hand take its time, name the starter, or roll."""
        state, rules = position.state, self.rules
        if position.begun:
            (seat, move), *others = position.begun
            hands = list(position.hands)
            hands[seat] = Hand(move, position.tick + outcome)
            if others:
                return replace(position, hands=tuple(hands), begun=tuple(others))
            return self.pass_time(state, position.tick, hands)
        if state.circle:
            roll = rules.chances(state)[outcome][0]
            return KakerlakenPosition(rules.play(state, NATURE, roll), hands=self.free)
        material: Any = rules
        deal = material.Deal(material.TILES, outcome)
        return KakerlakenPosition(rules.play(state, NATURE, deal), hands=self.free)

    def chance_label(self, position: KakerlakenPosition, outcome: int) -> str:
        """Say how long a hand takes, who starts, or what is rolled."""
        if position.begun:
            return f"the hand of seat {position.begun[0][0]} takes {outcome} ticks"
        if not position.state.circle:
            return f"seat {outcome} starts"
        roll: Any = self.rules.chances(position.state)[outcome][0]
        return f"roll {roll.colour} {roll.symbol}"

    def most_chances(self) -> int:
        """Count the rolls or the delays."""
        return max(len(TILES), self.seats, self.noise + 1)

    def most_steps_of_chance(self) -> int:
        """Count the delays of all hands, the starter and a roll."""
        return self.seats + 2

    def most_points(self) -> float:
        """Bound the points by the coins that win."""
        return float(COINS_TO_WIN)


def deed_flags(deed: Any) -> list[int]:
    """Mark what one has done in this race."""
    marks = [0] * (len(TILES) + 2 + len(THIEVES))
    if deed is not None:
        marks[len(TILES) + deed.squeak if deed.tile is None else PLACE[deed.tile]] = 1
        if deed.thief is not None:
            marks[len(TILES) + 2 + THIEVES.index(deed.thief)] = 1
    return marks


PROCESS: Final = Kakerlaken
