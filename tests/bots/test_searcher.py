"""The plain searcher plays whatever game: with secrets, all at once, or in a race."""

from typing import Any

import pytest

from tests.tables import ALL_TABLES
from tischlein import game_named
from tischlein.bots import Turn, turn_of
from tischlein.bots.searcher import TRIES, appraise, levels, searcher
from tischlein.chance import Quick
from tischlein.conformance import random_game
from tischlein.game import NATURE, AnyGame, Timed

TABLES = [(name, seats) for name, seats in ALL_TABLES if seats == game_named(name).SEATS[0]]


def some_turns(rules: AnyGame, seats: int) -> list[tuple[Any, Turn]]:
    """Give a few positions of a random game, and the turn of who moved there."""
    moves: list[Any] = []
    found = []
    for number, step in enumerate(random_game(rules, seats, 3)):
        if step.by != NATURE and number % 5 == 0:
            found.append((step.before, turn_of(rules, step.before, moves, step.by)))
        moves.append((step.by, step.move))
    return found[:6]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_it_answers_with_a_legal_move_and_what_each_is_worth(name: str, seats: int) -> None:
    rules = game_named(name)
    for state, turn in some_turns(rules, seats):
        answer = searcher(rules, 30)(turn, Quick(1))
        assert answer == searcher(rules, 30)(turn, Quick(1))
        if answer.move is not None:
            assert rules.play(state, turn.seat, answer.move) != state
        shares = [share for _, share in answer.worth]
        assert shares == sorted(shares, reverse=True)
        assert all(0 <= share <= 1 for share in shares)
        if len(turn.legal) > 1:
            assert answer.worth[0][0] == answer.move


def test_in_a_race_it_says_when() -> None:
    races = [game_named(name) for name, _ in TABLES if "race" in game_named(name).HAS]
    assert races
    for rules in races:
        times = [
            getattr(move, "at", None)
            for _, turn in some_turns(rules, rules.SEATS[0])
            for move, _ in searcher(rules, 30)(turn, Quick(1)).worth
            if isinstance(move, Timed)
        ]
        assert times
        assert all(isinstance(at, float) and at >= 500 for at in times)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_it_appraises_any_position(name: str, seats: int) -> None:
    rules = game_named(name)
    (state, _), *_ = some_turns(rules, seats)
    shares = appraise(rules, state)
    assert len(shares) == seats
    assert sum(shares) == pytest.approx(1)
    assert shares == appraise(rules, state)


def test_stronger_levels_try_more() -> None:
    assert list(levels(game_named(TABLES[0][0]))) == list(TRIES)
    assert sorted(TRIES.values()) == list(TRIES.values())
