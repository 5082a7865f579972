"""Who meets whom in a cup, and who is ahead: pure, and the same for the same numbers.

Everybody meets everybody, and everybody plays equally often. At tables of two one person rests in
a round if their number is odd; at larger ones all play, and bots fill up. Bots are no opponents:
of a table counts how many of the people there somebody has left behind.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import ceil
from typing import Final, Literal, NamedTuple

FEWEST, MOST = 2, 24
"""So many people a cup has."""
Mode = Literal["at_once", "one_by_one"]
Group = tuple[int, ...]
"""The people at a table, by their numbers."""
Round = tuple[Group, ...]
TRIES: Final = 4
"""So often a round is begun anew; the best one stays."""
FEWEST_TRIES, MOST_TRIES = 2, 2500
"""So often a whole plan is: more often for few people, where it costs little."""
MET: Final = 4
"""What a second meeting weighs; every further one weighs one more."""
By = Literal["direct", "wins", "share", "level"]
"""What decides between people with as many points, or that nothing does."""
HALF: Final = Fraction(1, 2)


def schedule(people: int, seats: int, mode: Mode = "at_once") -> tuple[Round, ...]:
    """Plan the rounds of a cup; one table after the other makes a round of each."""
    rounds = by_circle(people) if seats == 2 else by_search(people, seats)
    if mode == "at_once":
        return rounds
    return tuple((group,) for found in rounds for group in found)


def by_circle(people: int) -> tuple[Round, ...]:
    """Let everybody meet everybody once at tables of two: one stays, the others walk round."""
    circle: list[int | None] = [*range(people), *([None] if people % 2 else [])]
    half, rounds = len(circle) // 2, []
    for number in range(len(circle) - 1):
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        met = [(a, b) for a, b in pairs if a is not None and b is not None]
        rounds.append(tuple(pair if number % 2 else pair[::-1] for pair in met))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(rounds)


@lru_cache(256)
def by_search(people: int, seats: int) -> tuple[Round, ...]:
    """Look for few rounds at larger tables until all have met; chance is the same each time."""
    plans = []
    for attempt in range(max(FEWEST_TRIES, MOST_TRIES // people**2)):
        rng = random.Random(f"{people} {seats} {attempt}")  # noqa: S311  # nothing secret
        plans.append(searched(people, seats, rng))
        if len(plans[-1]) == fewest_rounds(people, seats):
            break
    return min(plans, key=lambda plan: (len(plan), max(meetings(plan).values())))


def meetings(plan: Iterable[Round]) -> Counter[tuple[int, ...]]:
    """Count how often two people meet."""
    pairs = (pair for groups in plan for group in groups for pair in combinations(group, 2))
    return Counter(tuple(sorted(pair)) for pair in pairs)


def fewest_rounds(people: int, seats: int) -> int:
    """Say how many rounds it takes at least until somebody has met all others."""
    largest = ceil(people / ceil(people / seats))
    return ceil((people - 1) / (largest - 1))


def searched(people: int, seats: int, rng: random.Random) -> tuple[Round, ...]:
    """Put round after round together, each with as many new meetings as may be found."""
    weights = [[0] * people for _ in range(people)]
    unmet = people * (people - 1) // 2
    rounds: list[Round] = []
    while unmet:
        tries = [improved(dealt(people, seats, rng), weights) for _ in range(TRIES)]
        found = min(tries, key=lambda groups: sum(again(group, weights) for group in groups))
        rounds.append(tuple(map(tuple, found)))
        for group in found:
            for one, other in combinations(group, 2):
                unmet -= weights[one][other] == 0
                weight = max(MET, weights[one][other] + 1)
                weights[one][other] = weights[other][one] = weight
    return tuple(rounds)


def dealt(people: int, seats: int, rng: random.Random) -> list[list[int]]:
    """Spread people over as few tables as hold them, as evenly as may be, by chance."""
    order = list(range(people))
    rng.shuffle(order)
    tables = ceil(people / seats)
    return [order[table::tables] for table in range(tables)]


def improved(groups: list[list[int]], weights: Sequence[Sequence[int]]) -> list[list[int]]:
    """Let two people change places as long as fewer meet again for it."""
    goes_on = True
    while goes_on:
        goes_on = False
        for one, other in combinations(groups, 2):
            for a, b in product(range(len(one)), range(len(other))):
                if gain(one, other, a, b, weights) > 0:
                    one[a], other[b] = other[b], one[a]
                    goes_on = True
    return groups


def gain(
    one: Sequence[int], other: Sequence[int], a: int, b: int, weights: Sequence[Sequence[int]]
) -> int:
    """Say how much less is repeated when two people of two tables change places."""
    mine, theirs = weights[one[a]], weights[other[b]]
    change = sum(mine[person] - theirs[person] for person in one)
    change += sum(theirs[person] - mine[person] for person in other)
    return change + 2 * mine[other[b]]  # both would sit with themselves, not with each other


def again(group: Sequence[int], weights: Sequence[Sequence[int]]) -> int:
    """Say how much at a table is a repetition."""
    return sum(weights[one][other] for one, other in combinations(group, 2))


class Outcome(NamedTuple):
    """How a table of a cup ended: the places of its people, and what share of points they made."""

    places: Mapping[int, int]
    """By person: how many of the people there did better. Without anybody it was not played."""
    shares: Mapping[int, Fraction]
    """By person: 0 for the fewest points at this table, 1 for the most."""


class Standing(NamedTuple):
    """How somebody stands in a cup."""

    person: int
    place: int
    """From 1; who is level has the same."""
    points: Fraction
    direct: Fraction
    """What they made against those who have as many points; a half where they did not meet."""
    wins: int
    share: Fraction
    played: int


def outcome(
    ranking: Sequence[Sequence[int]], scores: Sequence[float], people: Mapping[int, int]
) -> Outcome:
    """Read how a table ended for its people; `people` says by seat who sat there."""
    places: dict[int, int] = {}
    for level in ranking:
        ahead = len(places)
        places.update({people[seat]: ahead for seat in level if seat in people})
    low, high = Fraction(min(scores)), Fraction(max(scores))
    shares = {
        person: HALF if high == low else (Fraction(scores[seat]) - low) / (high - low)
        for seat, person in people.items()
    }
    return Outcome(places, shares)


def against(found: Outcome, person: int, other: int) -> Fraction:
    """Say what somebody made against another at a table: 1, 0, or a half where they are level."""
    mine, theirs = found.places[person], found.places[other]
    return HALF if mine == theirs else Fraction(int(mine < theirs))


def points(found: Outcome, person: int) -> Fraction:
    """Give which share of the others at a table somebody has left behind."""
    others = [other for other in found.places if other != person]
    if not others:
        return Fraction(0)
    return sum((against(found, person, other) for other in others), Fraction(0)) / len(others)


def standings(people: int, outcomes: Sequence[Outcome]) -> tuple[Standing, ...]:
    """Put people in order: points, direct comparison, wins, share of points; else they are level.

    Direct comparison is made among all who have the same points, over the tables where they met.
    """
    tables: dict[int, list[Outcome]] = {person: [] for person in range(people)}
    for found in outcomes:
        for person in found.places:
            tables[person].append(found)
    made = {
        person: sum((points(found, person) for found in at), Fraction(0))
        for person, at in tables.items()
    }
    rows = []
    for person, at in tables.items():
        rivals = {other for other in made if other != person and made[other] == made[person]}
        wins = sum(found.places[person] == 0 for found in at)
        share = sum((found.shares[person] for found in at), Fraction(0))
        direct = compared(person, rivals, at)
        rows.append(Standing(person, 0, made[person], direct, wins, share, len(at)))
    return in_places(rows)


def compared(person: int, rivals: Iterable[int], at: Sequence[Outcome]) -> Fraction:
    """Give what somebody made on average against rivals, wherever they met."""
    met = [
        against(found, person, other) for other in rivals for found in at if other in found.places
    ]
    return sum(met, Fraction(0)) / len(met) if met else HALF


def merit(row: Standing) -> tuple[Fraction, Fraction, int, Fraction]:
    """Give what decides who is ahead, the most important first."""
    return row.points, row.direct, row.wins, row.share


def decided_by(rows: Sequence[Standing], number: int) -> By | None:
    """Say what puts somebody ahead of the next one with as many points; None: there is none."""
    mine, level = rows[number], [row for row in rows if row.place == rows[number].place]
    if len(level) > 1:
        return "level"
    if number + 1 == len(rows) or rows[number + 1].points != mine.points:
        return None
    after = rows[number + 1]
    if after.direct != mine.direct:
        return "direct"
    return "wins" if after.wins != mine.wins else "share"


def in_places(rows: Iterable[Standing]) -> tuple[Standing, ...]:
    """Sort by merit and give places; who is level has the same, and the next ones are left out."""
    order = sorted(rows, key=merit, reverse=True)
    ahead = {key: place for place, key in reversed([*enumerate(map(merit, order), start=1)])}
    return tuple(row._replace(place=ahead[merit(row)]) for row in order)
