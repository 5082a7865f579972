"""What many games show: wins and scores by seat and by bot, with their errors."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from tischlein import record
from tischlein.bots import bot_named
from tischlein.games import game_named
from tischlein.lab.places import CHUNKS_EACH, Place
from tischlein.lab.simulate import Fault, ask_bots, play_game, seed_of

FEWEST_A_PROCESS: Final = 20
"""So few games are not worth a process of their own."""
MOST_A_CHUNK: Final = 200


class Plan(Struct, frozen=True):
    """A run of games between bots: all that decides how they go."""

    game: str
    bots: tuple[str, ...]
    seed: str
    options: dict[str, Any] = {}
    records: str | None = None


class Outcome(Struct, frozen=True):
    """How one game ended, who began it, and where bots had to be replaced."""

    scores: tuple[int, ...]
    shares: tuple[float, ...]
    moves: int
    starter: int
    faults: tuple[Fault, ...] = ()


class Mean(Struct, frozen=True):
    """A mean and its standard error."""

    mean: float
    error: float


class Row(Struct, frozen=True):
    """How a seat or a bot did: its games, its share of the wins, its score."""

    who: str
    games: int
    wins: Mean
    score: Mean


class Failing(Struct, frozen=True):
    """A bot that failed: how often a legal move took the place of its own, and how first."""

    who: str
    times: int
    first: str


class Tally(Struct, frozen=True):
    """What a run of games showed."""

    game: str
    games: int
    bots: tuple[str, ...]
    seed: str
    by_seat: tuple[Row, ...]
    by_bot: tuple[Row, ...]
    moves: Mean
    shortest: int
    longest: int
    failing: tuple[Failing, ...] = ()


Task = tuple[Plan, int]
"""A game to play: the plan and the number of the game in it."""


def run(plan: Plan, games: int, place: Place, done: Callable[[int], None]) -> Tally:
    """Play all games of a plan and count."""
    tasks = [(plan, number) for number in range(1, games + 1)]
    return count(plan, play_all(tasks, place, done))


def play_all(tasks: Sequence[Task], place: Place, done: Callable[[int], None]) -> list[Outcome]:
    """Play many games; the outcomes are in the order of the tasks, wherever they were played."""
    hands = min(place.hands, max(1, len(tasks) // FEWEST_A_PROCESS))
    size = max(1, min(MOST_A_CHUNK, len(tasks) // (CHUNKS_EACH * hands)))
    chunks = [tasks[first : first + size] for first in range(0, len(tasks), size)]
    outcomes: list[Outcome] = []
    for chunk, found in zip(chunks, place.play(play_some, chunks), strict=True):
        for (plan, number), (outcome, text) in zip(chunk, found, strict=True):
            if plan.records is not None:
                Path(plan.records, f"{number}.jsonl").write_text(text, encoding="utf-8")
            outcomes.append(outcome)
        done(len(outcomes))
    return outcomes


def play_some(tasks: Sequence[Task]) -> list[tuple[Outcome, str]]:
    """Play some games, one after the other."""
    return [play_one(plan, number) for plan, number in tasks]


def play_one(plan: Plan, number: int) -> tuple[Outcome, str]:
    """Play one game of a plan; give its record, too, where it is to be kept."""
    rules = game_named(plan.game)
    bots = [bot_named(rules, name) for name in plan.bots]
    seed = seed_of(plan.seed, number)
    faults: list[Fault] = []
    game = play_game(rules, ask_bots(bots), plan.bots, plan.options, seed, faults=faults)
    text = "" if plan.records is None else record.write(game)
    result = game.outcome()
    share = 1 / len(result.winners)
    shares = tuple(share if seat in result.winners else 0.0 for seat in range(len(bots)))
    starter = getattr(game.moves[0][1], "starter", 0)
    return Outcome(result.scores, shares, len(game.moves), starter, tuple(faults)), text


def count(plan: Plan, outcomes: Sequence[Outcome]) -> Tally:
    """Sum a run of games up."""
    seats = range(len(plan.bots))
    lengths = [outcome.moves for outcome in outcomes]
    return Tally(
        plan.game,
        len(outcomes),
        plan.bots,
        plan.seed,
        tuple(row(f"seat {seat}", outcomes, [seat]) for seat in seats),
        tuple(
            row(bot, outcomes, [seat for seat in seats if plan.bots[seat] == bot])
            for bot in dict.fromkeys(plan.bots)
        ),
        mean(lengths),
        min(lengths),
        max(lengths),
        failing((plan.bots, outcome) for outcome in outcomes),
    )


def failing(games: Iterable[tuple[Sequence[str], Outcome]]) -> tuple[Failing, ...]:
    """List the bots that failed, from who sat where in each game."""
    faults: dict[str, list[str]] = {}
    for seating, outcome in games:
        for fault in outcome.faults:
            faults.setdefault(seating[fault.seat], []).append(fault.what)
    return tuple(Failing(who, len(what), what[0]) for who, what in sorted(faults.items()))


def row(who: str, outcomes: Sequence[Outcome], seats: Sequence[int]) -> Row:
    """Count for some seats; the seats of one game go together, since they are not independent."""
    wins = mean([sum(outcome.shares[seat] for seat in seats) for outcome in outcomes])
    score = mean([sum(outcome.scores[s] for s in seats) / len(seats) for outcome in outcomes])
    return Row(who, len(outcomes), wins, score)


def mean(values: Iterable[float]) -> Mean:
    """Give the mean of some numbers and its standard error."""
    numbers = list(values)
    middle = sum(numbers) / len(numbers)
    squares = sum((number - middle) ** 2 for number in numbers)
    return Mean(middle, sqrt(squares / max(1, len(numbers) - 1) / len(numbers)))
