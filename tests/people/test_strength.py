"""What a game says of those who played it."""

import pytest

from tests.rated import GAME, NOVEMBER, ended_game
from tischlein.people.strength import (
    MIDDLE,
    SURE,
    UNKNOWN,
    Strength,
    after,
    month_of,
    outcome_of,
    places_of,
)
from tischlein.record import BadRecord


def test_who_wins_rises_and_all_doubt_shrinks() -> None:
    first, second, third = after([Strength()] * 3, [0, 1, 2])
    assert first.mu > MIDDLE
    assert third.mu < second.mu < first.mu
    assert max(first.sigma, second.sigma, third.sigma) < UNKNOWN


def test_equals_who_tie_stay_equal() -> None:
    first, second = after([Strength()] * 2, [0, 0])
    assert first == second
    assert first.mu == pytest.approx(MIDDLE)
    high, low = after([Strength(1200.0, 80.0), Strength(800.0, 80.0)], [0, 0])
    assert high.mu < 1200
    assert low.mu > 800


def test_to_beat_somebody_strong_is_worth_more() -> None:
    me, weak, strong = Strength(), Strength(800.0, 60.0), Strength(1200.0, 60.0)
    assert after([me, strong], [0, 1])[0].mu > after([me, weak], [0, 1])[0].mu + 20


def test_the_order_in_which_players_are_named_does_not_matter() -> None:
    some = [Strength(1100.0, 90.0), Strength(900.0, 150.0), Strength()]
    one = after(some, [2, 0, 1])
    other = after(some[::-1], [1, 0, 2])[::-1]
    assert [(a.mu, a.sigma) for a in one] == [pytest.approx((b.mu, b.sigma)) for b in other]


def test_who_is_well_known_is_no_longer_provisional() -> None:
    found = [Strength()] * 2
    games = 0
    while found[0].is_provisional:
        found = after(found, [games % 2, 1 - games % 2])
        games += 1
    assert 5 < games < 20
    assert found[0].sigma <= SURE
    for _ in range(2000):
        found = after(found, [0, 0])
    assert 20 < found[0].sigma < 60, "people change: some doubt stays"


def test_who_has_left_comes_last_and_bots_do_not_count() -> None:
    order = ((2,), (0, 3), (1,))
    assert places_of(order, [0, 1, 2, 3], ()) == [1, 2, 0, 1]
    assert places_of(order, [0, 1], ()) == [1, 2], "seats 2 and 3 are bots"
    assert places_of(order, [0, 1, 2], {2}) == [1, 2, 3]
    assert places_of(order, [0, 1], {0, 1}) == [3, 3]


def test_the_order_is_read_from_the_record() -> None:
    found = outcome_of(ended_game(3, 0))
    assert found.game == GAME
    assert found.order[0] == (0,)
    assert sorted(seat for level in found.order for seat in level) == [0, 1, 2]
    cut = ended_game(3, 0).splitlines()[:-1]
    for broken in ("", "{}", "\n".join(cut)):
        with pytest.raises(BadRecord):
            outcome_of(broken)


def test_a_month_is_that_of_greenwich() -> None:
    assert month_of(NOVEMBER - 0.001) == "2026-10"
    assert month_of(NOVEMBER) == "2026-11"
