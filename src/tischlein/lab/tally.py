"""What many games show: wins and scores by seat and by bot, with their errors."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from typing import Any

from msgspec import Struct

from tischlein import record
from tischlein.bots import bot_named
from tischlein.lab.simulate import ask_bots, play_game, seed_of
from tischlein.rules import game_named


class Plan(Struct, frozen=True):
    """A run of games between bots: all that decides how they go."""

    game: str
    bots: tuple[str, ...]
    seed: str
    options: dict[str, Any] = {}
    records: str | None = None


class Outcome(Struct, frozen=True):
    """How one game ended."""

    scores: tuple[int, ...]
    shares: tuple[float, ...]
    moves: int


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


def run(plan: Plan, games: int, jobs: int, done: Callable[[int], None]) -> Tally:
    """Play all games of a plan, on several cores if asked, and count."""
    chunk = max(1, min(200, games // (4 * jobs)))
    chunks = [range(first, min(first + chunk, games + 1)) for first in range(1, games + 1, chunk)]
    outcomes: list[Outcome] = []
    if jobs == 1:
        for numbers in chunks:
            outcomes += play_some(plan, numbers)
            done(len(outcomes))
        return count(plan, outcomes)
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(play_some, [plan] * len(chunks), chunks):
            outcomes += found
            done(len(outcomes))
    return count(plan, outcomes)


def play_some(plan: Plan, numbers: Sequence[int]) -> list[Outcome]:
    """Play the games of these numbers."""
    return [play_one(plan, number) for number in numbers]


def play_one(plan: Plan, number: int) -> Outcome:
    """Play one game of a plan, and keep its record where asked."""
    rules = game_named(plan.game)
    bots = [bot_named(rules, name) for name in plan.bots]
    seed = seed_of(plan.seed, number)
    game = play_game(rules, ask_bots(bots), plan.bots, plan.options, seed)
    if plan.records is not None:
        text = record.write(game)
        Path(plan.records, f"{number}.jsonl").write_text(text, encoding="utf-8")
    result = game.outcome()
    share = 1 / len(result.winners)
    shares = tuple(share if seat in result.winners else 0.0 for seat in range(len(bots)))
    return Outcome(result.scores, shares, len(game.moves))


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
    )


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
