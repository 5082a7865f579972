"""A tournament: every bot against every other, in all seats, with common random numbers.

For each number of seats N there are as many deals as are asked for. Every deal (one seed for
dice, cards and the bots' own chance) is played by every sitting:

- each pair of bots: one of the two alone among N - 1 of the other, in each of the N seats, and the
  reverse (with two seats these are the same two games);
- each group of N different bots, where there are so many: all N rotations of their order.

A deal is the unit of all errors, since the games of one deal share their luck.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import ceil
from typing import Any, Final, Literal

from msgspec import Struct

from tischlein.lab.places import Place
from tischlein.lab.rating import Rating, Tiers, rate, tiers
from tischlein.lab.tally import Failing, Mean, Outcome, Plan, Row, Task, failing, mean, play_all

Pairs = Literal["all", "next"]

RULE_OF_THREE: Final = 3 / 1.96
"""What never happened in n deals has a chance of at most 3 / n, with 95 % confidence."""


class Setup(Struct, frozen=True):
    """All that decides how a tournament goes."""

    game: str
    bots: tuple[str, ...]
    seats: tuple[int, ...]
    games: int
    """At least so many for each pair and number of seats."""
    seed: str
    options: dict[str, Any] = {}
    pairs: Pairs = "all"
    """Every pair, or only each bot against the next in the list."""
    mixed: bool = True


class Played(Struct, frozen=True):
    """A game of a tournament: its deal, who sat where, how it ended."""

    deal: int
    seating: tuple[str, ...]
    outcome: Outcome


class Duel(Struct, frozen=True):
    """One bot against another: shares of the wins, with errors.

    `both` counts all games of the pair, where both take equally many seats: equal is one half.
    `alone` counts those where the bot sits alone among the others: equal is one seat's share.
    """

    who: str
    against: str
    games: int
    both: Mean
    alone: Mean


class Bin(Struct, frozen=True):
    """How often a number came up, or numbers from `first` to `last`."""

    first: int
    last: int
    times: int


class AtTable(Struct, frozen=True):
    """What the games with one number of seats showed."""

    seats: int
    deals: int
    games: int
    bots: tuple[Row, ...]
    duels: tuple[Duel, ...]
    by_turn: tuple[Row, ...]
    """How the starter did, then the next clockwise, and so on."""
    moves: Mean
    lengths: tuple[Bin, ...]
    scores: dict[str, tuple[Bin, ...]]


class Result(Struct, frozen=True):
    """What a tournament showed."""

    setup: Setup
    games: int
    ratings: tuple[Rating, ...]
    tables: tuple[AtTable, ...]
    failing: tuple[Failing, ...]


def hold(setup: Setup, place: Place, done: Callable[[int], None]) -> Result:
    """Play a whole tournament and sum it up."""
    tasks = list(all_tasks(setup))
    outcomes = play_all(tasks, place, done)
    by_seats: dict[int, list[Played]] = {seats: [] for seats in setup.seats}
    for (plan, deal), outcome in zip(tasks, outcomes, strict=True):
        by_seats[len(plan.bots)].append(Played(deal, plan.bots, outcome))
    return Result(
        setup,
        len(tasks),
        rate(setup.bots, rankings(setup.bots, by_seats.values())),
        tuple(at_table(setup, seats, games) for seats, games in by_seats.items()),
        failing((plan.bots, end) for (plan, _), end in zip(tasks, outcomes, strict=True)),
    )


def all_tasks(setup: Setup) -> Iterator[Task]:
    """List every game: for each number of seats every deal, by every sitting."""
    for seats in setup.seats:
        found = sittings(setup, seats)
        plans = [Plan(setup.game, who, f"{setup.seed}/{seats}", setup.options) for who in found]
        for deal in range(1, deals(setup, seats) + 1):
            yield from ((plan, deal) for plan in plans)


def count_games(setup: Setup) -> int:
    """Say how many games a tournament has."""
    return sum(deals(setup, seats) * len(sittings(setup, seats)) for seats in setup.seats)


def deals(setup: Setup, seats: int) -> int:
    """Say how many deals give each pair as many games as asked for."""
    return ceil(setup.games / len(pair_sittings("a", "b", seats)))


def sittings(setup: Setup, seats: int) -> list[tuple[str, ...]]:
    """List who sits where: for every pair, then for every group that fills the table."""
    found = [who for one, other in pairs(setup) for who in pair_sittings(one, other, seats)]
    if setup.mixed:
        groups = combinations(setup.bots, seats)
        found += [who for group in groups for who in rotations(group)]
    return list(dict.fromkeys(found))


def pairs(setup: Setup) -> list[tuple[str, str]]:
    """List the pairs that meet."""
    found = pairwise(setup.bots) if setup.pairs == "next" else combinations(setup.bots, 2)
    return list(found)


def pair_sittings(one: str, other: str, seats: int) -> list[tuple[str, ...]]:
    """Seat each of two bots alone among the other, in every seat."""
    tables = [(one, *[other] * (seats - 1)), (other, *[one] * (seats - 1))]
    return list(dict.fromkeys(who for table in tables for who in rotations(table)))


def rotations(table: Sequence[str]) -> list[tuple[str, ...]]:
    """Turn a table seat by seat."""
    return [(*table[at:], *table[:at]) for at in range(len(table))]


def rankings(bots: Sequence[str], tables: Iterable[Sequence[Played]]) -> list[Counter[Tiers]]:
    """Count for each deal of each number of seats how its games were ranked."""
    number = {bot: at for at, bot in enumerate(bots)}
    counted: dict[tuple[int, int], Counter[Tiers]] = {}
    for at, games in enumerate(tables):
        for game in games:
            seating = [number[bot] for bot in game.seating]
            ranked = tiers(seating, game.outcome.scores, game.outcome.shares)
            counted.setdefault((at, game.deal), Counter())[ranked] += 1
    return list(counted.values())


def at_table(setup: Setup, seats: int, games: Sequence[Played]) -> AtTable:
    """Sum up the games with one number of seats."""
    lengths = [game.outcome.moves for game in games]
    met = [(one, other) for pair in pairs(setup) for one, other in (pair, pair[::-1])]
    return AtTable(
        seats,
        deals(setup, seats),
        len(games),
        tuple(row_of_bot(bot, games) for bot in setup.bots),
        tuple(duel(games, one, other) for one, other in met),
        tuple(row_of_turn(turn, games) for turn in range(seats)),
        by_deal(games, lambda game: [game.outcome.moves]),
        bins(lengths),
        {bot: bins(scores_of(bot, games)) for bot in setup.bots},
    )


def row_of_bot(bot: str, games: Sequence[Played]) -> Row:
    """Say how a bot did."""
    return row(bot, games, lambda game, seat: game.seating[seat] == bot)


def row_of_turn(turn: int, games: Sequence[Played]) -> Row:
    """Say how those did who sit so many seats clockwise from the starter."""
    return row(str(turn + 1), games, lambda game, seat: turn_of(game, seat) == turn)


def turn_of(game: Played, seat: int) -> int:
    """Say how many seats clockwise from the starter somebody sits."""
    return (seat - game.outcome.starter) % len(game.seating)


def row(who: str, games: Sequence[Played], counts: Callable[[Played, int], bool]) -> Row:
    """Say how the seats that count did: wins and score a seat."""

    def seats_of(game: Played) -> list[int]:
        return [seat for seat in range(len(game.seating)) if counts(game, seat)]

    return Row(
        who,
        sum(1 for game in games if seats_of(game)),
        share(games, lambda game: [game.outcome.shares[seat] for seat in seats_of(game)]),
        by_deal(games, lambda game: [game.outcome.scores[seat] for seat in seats_of(game)]),
    )


def duel(games: Sequence[Played], one: str, other: str) -> Duel:
    """Compare two bots in the games that only these two play."""
    own = [game for game in games if set(game.seating) == {one, other}]
    alone = [game for game in own if game.seating.count(one) == 1]

    def won(game: Played) -> list[float]:
        taken = zip(game.seating, game.outcome.shares, strict=True)
        return [sum(share for bot, share in taken if bot == one)]

    return Duel(one, other, len(own), share(own, won), share(alone, won))


def share(games: Sequence[Played], values: Callable[[Played], Sequence[float]]) -> Mean:
    """Give a share and its error; where all deals agree, three in their number bound the chance."""
    found = by_deal(games, values)
    if found.error > 0:
        return found
    return Mean(found.mean, RULE_OF_THREE / len({game.deal for game in games}))


def by_deal(games: Iterable[Played], values: Callable[[Played], Sequence[float]]) -> Mean:
    """Give the mean over the deals of each deal's own mean, and its error."""
    found: dict[int, list[float]] = {}
    for game in games:
        found.setdefault(game.deal, []).extend(values(game))
    return mean(sum(numbers) / len(numbers) for numbers in found.values() if numbers)


def scores_of(bot: str, games: Sequence[Played]) -> list[int]:
    """List all scores of a bot."""
    return [
        score
        for game in games
        for who, score in zip(game.seating, game.outcome.scores, strict=True)
        if who == bot
    ]


def bins(values: Sequence[int], most: int = 30) -> tuple[Bin, ...]:
    """Count how often each number came up, several together where there are many."""
    if not values:
        return ()
    low, high = min(values), max(values)
    width = ceil((high - low + 1) / most)
    times = Counter((value - low) // width for value in values)
    return tuple(
        Bin(low + at * width, low + (at + 1) * width - 1, times[at])
        for at in range((high - low) // width + 1)
    )
