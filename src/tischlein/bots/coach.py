"""What a finished game teaches: every decision weighed, and how much of the result was luck."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from tischlein.bots import Answer, Turn, appraiser, bot_named, is_open, turn_of
from tischlein.bots.bot import timeless
from tischlein.chance import Quick
from tischlein.game import NATURE, AnyGame, Refusal, ranking
from tischlein.record import Replay, replay, write

TEACHER: Final = "expert"
GRAIN: Final = 60_000_000
"""Shares are counted in parts of this size, so that halves to sixths of a win are whole numbers."""
MISTAKE: Final = 0.03
"""A decision that gives away more than this share of the win is called a mistake."""

AGAIN: Final = 5.0
"""So much longer the expert thinks once more about what may be a mistake and is not sure."""

Shares = tuple[Fraction, ...]


class Weighed(Struct, frozen=True):
    """A decision: what was done, what the expert would have done, and what that cost."""

    number: int
    seat: int
    move: Any
    best: Any | None
    lost: float
    """The share of the win given away, as far as the seat could know."""
    because: str = ""
    fields: dict[str, Any] = {}
    worth: tuple[tuple[Any, float], ...] = ()
    doubt: float = 0.0
    """By how much `lost` may be off, nineteen times of twenty."""

    @property
    def is_mistake(self) -> bool:
        """Say whether it gave away more than a trifle, and surely."""
        return self.lost > max(MISTAKE, self.doubt)


class Account(Struct, frozen=True):
    """Where a seat's share of the win comes from; `start`, `luck`, `own` and `others` sum to it."""

    start: float
    luck: float
    own: float
    others: float
    share: float


class Lesson(Struct, frozen=True):
    """What a game teaches."""

    game: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    curve: tuple[tuple[float, ...], ...]
    """Each seat's chances at the start and after every move."""
    decisions: tuple[Weighed, ...]
    ledger: tuple[Account, ...]
    ranking: tuple[tuple[int, ...], ...] = ()
    """The seats, best first, equal ones together."""


class Ledger:
    """The luck ledger: every change of the chances is put down to chance or to somebody."""

    def __init__(self, start: Shares) -> None:
        seats = range(len(start))
        self.start, self.now = start, start
        self.luck = [Fraction(0) for _ in seats]
        self.own = [Fraction(0) for _ in seats]
        self.others = [Fraction(0) for _ in seats]

    def chance(self, after: Shares) -> None:
        """Dice or cards have changed the chances."""
        for seat, change in enumerate(self._changes(after)):
            self.luck[seat] += change

    def decision(self, by: int, after: Shares) -> None:
        """A decision in the open has changed the chances."""
        for seat, change in enumerate(self._changes(after)):
            (self.own if seat == by else self.others)[seat] += change

    def guess(self, by: int, lost: Fraction, after: Shares) -> None:
        """A decision in the dark: what it gave away is its maker's, what came of it is luck."""
        for seat, change in enumerate(self._changes(after)):
            part = -lost if seat == by else lost / (len(after) - 1)
            (self.own if seat == by else self.others)[seat] += part
            self.luck[seat] += change - part

    def _changes(self, after: Shares) -> list[Fraction]:
        before, self.now = self.now, after
        return [new - old for old, new in zip(before, after, strict=True)]

    def accounts(self) -> tuple[Account, ...]:
        """Close the books."""
        columns = zip(self.start, self.luck, self.own, self.others, self.now, strict=True)
        return tuple(Account(*map(float, column)) for column in columns)


def teach(
    game: Replay, effort: float = 1.0, jobs: int = 1, done: Callable[[int], None] = lambda n: None
) -> Lesson:
    """Weigh every decision of a finished game; `done` hears how many moves are weighed."""
    if not game.over:
        raise Refusal("not_over", "the coach speaks when the game is over")
    weighed: list[tuple[Shares, Weighed | None]] = []
    for step in each_step(game, effort, jobs):
        weighed.append(step)
        done(len(weighed))
    return sum_up(game, weighed)


def each_step(game: Replay, effort: float, jobs: int) -> Iterable[tuple[Shares, Weighed | None]]:
    """Weigh the moves one after the other, or on several cores."""
    numbers = range(len(game.moves) + 1)
    if jobs == 1:
        yield from (weigh(game, number, effort) for number in numbers)
        return
    with ProcessPoolExecutor(jobs, initializer=hold, initargs=(write(game), effort)) as pool:
        yield from pool.map(weigh_held, numbers, chunksize=4)


_held: list[tuple[Replay, float]] = []
"""The game that this process helps to weigh."""


def hold(record: str, effort: float) -> None:
    """Remember the game in a process that helps."""
    _held[:] = [(replay(record.split("\n")), effort)]


def weigh_held(number: int) -> tuple[Shares, Weighed | None]:
    """Weigh a move of the game that this process holds."""
    ((game, effort),) = _held
    return weigh(game, number, effort)


def weigh(game: Replay, number: int, effort: float) -> tuple[Shares, Weighed | None]:
    """Give everybody's chances after move `number` (0: at the start), and weigh its decision."""
    chances = shares_of(game.rules, game.states[number])
    if number == 0 or game.moves[number - 1][0] == NATURE:
        return chances, None
    return chances, weigh_decision(game, number, effort)


def weigh_decision(game: Replay, number: int, effort: float) -> Weighed:
    """Ask the expert what it would have done in the seat's place."""
    rules, (by, move) = game.rules, game.moves[number - 1]
    seat = int(by)
    turn = turn_of(rules, game.states[number - 1], game.moves[: number - 1], seat)
    answer = expert_on(rules, turn, number, effort)
    lost, doubt = given_away(answer, move)
    if MISTAKE < lost <= doubt:
        answer = expert_on(rules, turn, number, effort * AGAIN)
        lost, doubt = given_away(answer, move)
    best, because, fields = answer.advised
    return Weighed(number, seat, move, best, lost, because, fields, answer.worth, doubt)


def expert_on(rules: AnyGame, turn: Turn, number: int, effort: float) -> Answer:
    """Ask the expert about a turn."""
    name = TEACHER if effort == 1 else f"{TEACHER}*{effort:g}"
    return bot_named(rules, name)(turn, Quick(f"coach/{number}"))


def given_away(answer: Answer, move: Any) -> tuple[float, float]:
    """Say what a move gives away against the best one, and how far that may be off.

    It is nothing where the move was not weighed; in a race a wrong deed is as good as none.
    """
    places = {timeless(other): place for place, (other, _) in enumerate(answer.worth)}
    place = places.get(timeless(move), places.get(None))
    if place is None:
        return 0.0, 0.0
    return max(0.0, answer.worth[0][1] - answer.worth[place][1]), answer.doubt_at(place)


def shares_of(rules: AnyGame, state: Any) -> Shares:
    """Give everybody's expected share of the win in whole grains that sum to one."""
    if not rules.to_move(state):
        won = rules.winners(state)
        return tuple(Fraction(seat in won, len(won)) for seat in range(len(rules.scores(state))))
    grains = [round(share * GRAIN) for share in appraiser(rules)(state)]
    grains[grains.index(max(grains))] += GRAIN - sum(grains)
    return tuple(Fraction(some, GRAIN) for some in grains)


def sum_up(game: Replay, weighed: Sequence[tuple[Shares, Weighed | None]]) -> Lesson:
    """Write the ledger of a game whose moves are weighed."""
    ledger = write_ledger(game, weighed)
    result = game.outcome()
    return Lesson(
        game.rules.NAME,
        game.header.seats,
        result.scores,
        result.winners,
        tuple(tuple(map(float, chances)) for chances, _ in weighed),
        tuple(decision for _, decision in weighed if decision is not None),
        ledger.accounts(),
        ranking(game.rules, game.states[-1]),
    )


def write_ledger(game: Replay, weighed: Sequence[tuple[Shares, Weighed | None]]) -> Ledger:
    """Put every change of the chances down to chance or to somebody."""
    ledger, open_game = Ledger(weighed[0][0]), is_open(game.rules)
    for chances, decision in weighed[1:]:
        if decision is None:
            ledger.chance(chances)
        elif open_game:
            ledger.decision(decision.seat, chances)
        else:
            ledger.guess(decision.seat, Fraction(round(decision.lost * GRAIN), GRAIN), chances)
    return ledger
