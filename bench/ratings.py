"""Whether ratings find the true order, and whether their doubt is honest.

Run: `.venv/bin/python -m bench.ratings [--keep]`. Populations of known strength play as Plackett
and Luce say (400 points more are ten times the chance to finish first), by the same sums that rate
people; then the real bots of our games play as if they were people.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from typing import Final

from msgspec import Struct

from bench.results import keep
from tischlein import game_named, game_names
from tischlein.bots import levels
from tischlein.lab.simulate import ask_bots, play_game, seed_of
from tischlein.people.strength import MIDDLE, Strength, after, outcome_of, places_of
from tischlein.record import write

UNIT: Final = 400 / log(10)
MARKS: Final = (5, 20, 50, 200)
"""After so many games a person, on average, we look."""
BOT_GAMES: Final = 300


class World(Struct, frozen=True):
    """People of known strength, and how they meet."""

    name: str
    people: int = 300
    spread: float = 150.0
    """The standard deviation of true strengths, in points."""
    sizes: tuple[int, ...] = (2, 3, 4, 5, 6)
    activity: float = 0.8
    """How unevenly people play: the deviation of the logarithm."""
    matched: bool = False
    """Whether people of about the same rating meet."""
    leavers: float = 0.0
    """The share of people who leave every third game."""


class Seen(Struct, frozen=True):
    """How the ratings look after so many games a person."""

    games: int
    order: float
    """Spearman's correlation with the true strengths."""
    within: float
    """The share whose true strength is within the doubt."""
    error: float
    """How far ratings are from the truth, root of the mean square."""
    doubt: float
    """The median of the doubt."""
    known: float
    """The share that is no longer provisional."""
    known_order: float
    """Spearman's correlation among these."""


WORLDS: Final = (
    World("2 to 6 at a table, all meet all"),
    World("2 at a table", sizes=(2,)),
    World("6 at a table", sizes=(6,)),
    World("much luck: strengths half as far apart", spread=75.0),
    World("little luck: strengths twice as far apart", spread=300.0),
    World("some play all day, most hardly ever", activity=1.5),
    World("people of about the same rating meet", matched=True),
    World("one in ten leaves every third game", leavers=0.1),
)


class Population:
    """People who play, and what their ratings say."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.rng = world, random.Random(seed)  # a simulation
        drawn = [self.rng.gauss(0.0, world.spread) for _ in range(world.people)]
        middle = sum(drawn) / world.people
        self.truth = [MIDDLE + one - middle for one in drawn]
        self.activity = [exp(self.rng.gauss(0.0, world.activity)) for _ in drawn]
        self.leaves = [self.rng.random() < world.leavers for _ in drawn]
        self.ratings = [Strength() for _ in drawn]
        self.played = 0

    def play(self) -> None:
        """Let some people play a game, and rate it."""
        table = self._gather(self.rng.choice(self.world.sizes))
        shown = [self.truth[one] / UNIT - log(-log(self.rng.random())) for one in table]
        order = [[seat] for seat in sorted(range(len(table)), key=lambda seat: -shown[seat])]
        left = [seat for seat, one in enumerate(table)
                if self.leaves[one] and self.rng.random() < 1 / 3]  # fmt: skip
        places = places_of(order, range(len(table)), left)
        found = after([self.ratings[one] for one in table], places)
        for one, rating in zip(table, found, strict=True):
            self.ratings[one] = rating
        self.played += len(table)

    def _gather(self, size: int) -> list[int]:
        """Bring so many people together."""
        everybody, rng = range(self.world.people), self.rng
        first = rng.choices(everybody, self.activity)[0]
        table = {first}
        while len(table) < size:
            many = 8 if self.world.matched else 1
            found = [one for one in rng.choices(everybody, self.activity, k=many)
                     if one not in table]  # fmt: skip
            near = self.ratings[first].mu
            table.update(sorted(found, key=lambda one: abs(self.ratings[one].mu - near))[:1])
        return rng.sample(sorted(table), size)

    def look(self, games: int) -> Seen:
        """Compare the ratings with the truth, for all who play their games to the end."""
        honest = [one for one in range(self.world.people) if not self.leaves[one]]
        truth = [self.truth[one] for one in honest]
        ratings = [self.ratings[one] for one in honest]
        off = [rating.mu - true for rating, true in zip(ratings, truth, strict=True)]
        inside = [abs(by) <= rating.doubt for by, rating in zip(off, ratings, strict=True)]
        known = [(true, rating.mu) for true, rating in zip(truth, ratings, strict=True)
                 if not rating.is_provisional]  # fmt: skip
        return Seen(
            games,
            spearman(truth, [rating.mu for rating in ratings]),
            sum(inside) / len(inside),
            sqrt(sum(by * by for by in off) / len(off)),
            sorted(rating.doubt for rating in ratings)[len(ratings) // 2],
            len(known) / len(ratings),
            spearman([true for true, _ in known], [mu for _, mu in known]),
        )


def spearman(ones: Sequence[float], others: Sequence[float]) -> float:
    """Say how alike two orders are: 1 if they are the same, 0 if they have nothing in common."""
    n = len(ones)
    if n < 2:
        return 0.0
    apart = [a - b for a, b in zip(ranks(ones), ranks(others), strict=True)]
    return 1 - 6 * sum(gap * gap for gap in apart) / (n * (n * n - 1))


def ranks(values: Sequence[float]) -> list[int]:
    """Give the rank of each value."""
    found = [0] * len(values)
    for rank, at in enumerate(sorted(range(len(values)), key=lambda at: values[at])):
        found[at] = rank
    return found


def watch(world: World, marks: Sequence[int] = MARKS, seed: int = 1) -> Iterator[Seen]:
    """Let a population play, and look now and then."""
    people = Population(world, seed)
    for mark in marks:
        while people.played < mark * world.people:
            people.play()
        yield people.look(mark)


def rate_bots(game: str, games: int, seed: str, most_seats: int = 4) -> dict[str, Strength]:
    """Let the bots of a game play by chance at tables of all sizes, rated as people are."""
    rules, bots, rng = game_named(game), levels(game_named(game)), random.Random(seed)
    ratings = {level: Strength() for level in bots}
    sizes = [size for size in rules.SEATS if size <= min(most_seats, len(bots))]
    for number in range(games):
        table = rng.sample(list(bots), rng.choice(sizes))
        asked = ask_bots([bots[level] for level in table])
        played = play_game(rules, asked, table, {}, seed_of(seed, number))
        places = places_of(outcome_of(write(played)).order, range(len(table)), ())
        found = after([ratings[level] for level in table], places)
        ratings |= dict(zip(table, found, strict=True))
    return ratings


def rows(worlds: Sequence[World], marks: Sequence[int]) -> Iterator[str]:
    """Write what all worlds showed."""
    yield ("| who meets whom | games each | order | truth within the doubt | off by | doubt |"
           " no longer provisional | order of these |")  # fmt: skip
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for world in worlds:
        for seen in watch(world, marks):
            told = f"{seen.order:.3f} | {seen.within:.0%} | {seen.error:.0f} | ± {seen.doubt:.0f}"
            order = f"{seen.known_order:.3f}" if seen.known > 0.02 else "–"
            yield f"| {world.name} | {seen.games} | {told} | {seen.known:.0%} | {order} |"


def bot_rows(games: int) -> Iterator[str]:
    """Write what the bots' ratings showed."""
    yield f"| bots after {games} games, 2 to 4 at a table | weakest first, as their levels say |"
    yield "|---|---|"
    for game in game_names():
        found = rate_bots(game, games, "ratings")
        told = [f"{level} {one.mu:.0f} ± {one.doubt:.0f}" for level, one in found.items()]
        yield f"| {game} | {' · '.join(told)} |"


def main() -> None:
    """Print the tables; with `--keep` keep them."""
    head = [f"{WORLDS[0].people} people of known strength, σ {WORLDS[0].spread:.0f} points. Order:",
            "Spearman's correlation with the truth; off by: root mean square, in points. Leavers",
            "themselves are not counted: they are placed last, and sink. Where people of about",
            "the same rating meet, the order is right, but ratings lie too far apart: there the",
            "doubt is told too small.", ""]  # fmt: skip
    tables = [*head, *rows(WORLDS, MARKS), "", *bot_rows(BOT_GAMES)]
    keep("Ratings: is the true order found?", tables, "--keep" in sys.argv)


if __name__ == "__main__":
    main()
