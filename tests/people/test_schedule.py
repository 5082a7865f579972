"""Everybody meets everybody, and who is ahead follows from a rule."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tischlein.game import in_order
from tischlein.people.schedule import (
    FEWEST,
    MOST,
    Mode,
    Outcome,
    decided_by,
    fewest_rounds,
    meetings,
    outcome,
    points,
    schedule,
    standings,
)

people = st.integers(FEWEST, MOST)
seats = st.integers(2, 6)
modes = st.sampled_from(["at_once", "one_by_one"])


@settings(max_examples=60)
@given(people, seats, modes)
def test_everybody_meets_everybody_and_plays_as_often(people: int, seats: int, mode: Mode) -> None:
    plan = schedule(people, seats, mode)
    assert set(meetings(plan)) == set(combinations(range(people), 2))
    played = Counter(person for groups in plan for group in groups for person in group)
    assert set(played) == set(range(people))
    assert len(set(played.values())) == 1
    for groups in plan:
        assert all(2 <= len(group) <= seats for group in groups)
        busy = [person for group in groups for person in group]
        assert len(busy) == len(set(busy))
        if mode == "one_by_one":
            assert len(groups) == 1


@pytest.mark.parametrize("people", range(FEWEST, MOST + 1))
def test_two_at_a_table_meet_once(people: int) -> None:
    plan = schedule(people, 2)
    assert len(plan) == people - 1 + people % 2
    assert set(meetings(plan).values()) == {1}


@pytest.mark.parametrize("seats", range(3, 7))
def test_rounds_are_few_and_nobody_rests_at_larger_tables(seats: int) -> None:
    for people in range(FEWEST, MOST + 1):
        plan, least = schedule(people, seats), fewest_rounds(people, seats)
        assert least <= len(plan) <= least + 3
        assert all(sum(map(len, groups)) == people for groups in plan)


def test_the_same_numbers_give_the_same_plan() -> None:
    schedule.__globals__["by_search"].cache_clear()
    one = schedule(13, 4)
    schedule.__globals__["by_search"].cache_clear()
    assert schedule(13, 4) == one


@st.composite
def ended(draw: st.DrawFn) -> tuple[int, list[Outcome]]:
    """A cup in which tables have ended somehow."""
    people = draw(st.integers(2, 8))
    seats = draw(st.integers(2, 5))
    found = []
    for groups in schedule(people, seats):
        for group in groups:
            scores = draw(st.lists(st.integers(-5, 5), min_size=seats, max_size=seats))
            found.append(outcome(in_order(scores), scores, dict(enumerate(group))))
    return people, found


@settings(max_examples=60)
@given(ended())
def test_points_of_a_table_and_the_order_add_up(cup: tuple[int, list[Outcome]]) -> None:
    people, found = cup
    for table in found:
        assert sum(points(table, person) for person in table.places) == Fraction(
            len(table.places), 2
        )
    rows = standings(people, found)
    assert sorted(row.person for row in rows) == list(range(people))
    assert rows[0].place == 1
    for number, (row, after) in enumerate(pairwise(rows)):
        assert row.points >= after.points
        assert after.place in (row.place, number + 2)
        by = decided_by(rows, number)
        assert (by == "level") == (sum(other.place == row.place for other in rows) > 1)
        if by is None:
            assert row.points > after.points
    assert standings(people, found[::-1]) == rows, "the order of tables does not matter"


def places(**order: int) -> Outcome:
    """A table at which people (a=0, b=1, …) came out so."""
    found = {ord(name) - ord("a"): place for name, place in order.items()}
    return Outcome(found, dict.fromkeys(found, Fraction(0)))


def test_bots_are_no_opponents() -> None:
    table = outcome([[2], [0], [1]], [4, 3, 9], {0: 5, 1: 6})
    assert table.places == {5: 0, 6: 1}
    assert [points(table, 5), points(table, 6)] == [1, 0]
    assert table.shares == {5: Fraction(1, 6), 6: 0}


def test_tables_of_different_size_count_the_same() -> None:
    large, small = places(a=0, b=1, c=2), places(a=0, b=1)
    assert points(large, 0) == points(small, 0) == 1
    assert points(large, 1) == Fraction(1, 2)
    assert points(places(a=0, b=0, c=2), 0) == Fraction(3, 4)


def order(people: int, *tables: Outcome) -> list[tuple[str, int, str | None]]:
    """Who is where, and by what."""
    rows = standings(people, tables)
    return [("abcdef"[row.person], row.place, decided_by(rows, n)) for n, row in enumerate(rows)]


def test_ties_are_resolved_by_rule() -> None:
    direct = (places(b=0, a=1), places(a=0, c=1), places(c=0, d=1), places(d=0, c=1))
    assert order(4, *direct, places(a=0, d=1), places(b=0, c=1))[:2] == [
        ("b", 1, "direct"),
        ("a", 2, None),
    ]
    one = Outcome({0: 0, 1: 0}, {0: Fraction(1), 1: Fraction(1, 2)})
    assert order(2, one) == [("a", 1, "share"), ("b", 2, None)]
    assert order(2, places(a=0, b=0)) == [("a", 1, "level"), ("b", 1, "level")]
    assert order(3) == [("a", 1, "level"), ("b", 1, "level"), ("c", 1, "level")]
    wins = (places(a=0, c=1, d=2), places(c=0, d=1, a=2), *[places(e=0, b=1, f=2)] * 2)
    assert order(6, *wins)[2:4] == [("a", 3, "wins"), ("b", 4, None)]
