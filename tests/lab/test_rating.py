"""Ratings: the chances are those of all orders, and known strengths are found again."""

from itertools import permutations
from math import exp, log

import pytest

from tischlein.chance import Quick
from tischlein.lab.rating import POINTS, Tiers, chance_and_slope, rate, tiers


def chance_by_orders(kind: Tiers, weights: list[float]) -> float:
    """Sum the chances of all orders of seats that agree with a ranking."""
    seats = [(bot, place) for place, tier in enumerate(kind) for bot in tier]
    total = 0.0
    for order in permutations(seats):
        if [place for _, place in order] != sorted(place for _, place in seats):
            continue
        left, chance = sum(weights[bot] for bot, _ in seats), 1.0
        for bot, _ in order:
            chance *= weights[bot] / left
            left -= weights[bot]
        total += chance
    return total


KINDS: list[Tiers] = [
    ((0,), (1,)),
    ((1,), (0, 2)),
    ((0, 1), (2,)),
    ((0, 0, 1), (1, 2)),
    ((2,), (0, 1), (0, 1)),
    ((0, 1, 2),),
]


@pytest.mark.parametrize("kind", KINDS)
def test_the_chance_of_a_ranking_sums_over_the_orders_of_those_who_are_level(kind: Tiers) -> None:
    weights = [1.0, 2.5, 0.4]
    chance, slope = chance_and_slope(kind, weights)
    assert chance == pytest.approx(chance_by_orders(kind, weights), rel=1e-12)
    for bot in range(3):
        near = [w * exp(1e-6 * (at == bot)) for at, w in enumerate(weights)]
        change = (log(chance_and_slope(kind, near)[0]) - log(chance)) / 1e-6
        assert slope[bot] == pytest.approx(change, abs=1e-5)


def test_winners_come_first_whatever_the_scores() -> None:
    assert tiers([0, 1, 2], [5, 5, 3], [1.0, 0.0, 0.0]) == ((0,), (1,), (2,))
    assert tiers([2, 1, 1], [5, 5, 3], [0.5, 0.5, 0.0]) == ((1, 2), (1,))


def test_known_strengths_are_found_again_within_their_errors() -> None:
    rng, strengths = Quick(7), {0: 1.0, 1: 2.0, 2: 6.0}
    deals = [{ranked(rng, strengths): 1} for _ in range(1500)]
    ratings = rate(["weak", "middling", "strong"], deals)
    for one, other in ((1, 0), (2, 1)):
        true = POINTS * log(strengths[one] / strengths[other])
        found = ratings[one].points - ratings[other].points
        error = ratings[one].error + ratings[other].error
        assert abs(found - true) < 3 * error
        assert error < 40
    assert sum(rating.points for rating in ratings) == pytest.approx(3000)


def ranked(rng: Quick, strengths: dict[int, float]) -> Tiers:
    """Draw a ranking by the model: exponential clocks."""
    clocks = {bot: -log(1 - rng.uniform()) / strength for bot, strength in strengths.items()}
    return tuple((bot,) for bot in sorted(clocks, key=lambda bot: clocks[bot]))


def test_games_that_share_their_luck_count_as_one() -> None:
    """The same deals played four times over tell no more than once."""
    rng = Quick(3)
    deals = [{ranked(rng, {0: 1.0, 1: 1.5}): 1} for _ in range(300)]
    once = rate(["a", "b"], deals)
    often = rate(["a", "b"], [dict.fromkeys(deal, 4) for deal in deals])
    assert often[0].error == pytest.approx(once[0].error, rel=0.02)


def test_one_who_always_loses_has_a_finite_place() -> None:
    ratings = rate(["a", "b"], [{((1,), (0,)): 1}] * 50)
    assert 1000 < ratings[1].points < 3000
