"""The batch engine plays the same games as the rules: state by state, and on the whole."""

from math import sqrt
from random import Random
from typing import Any

import jax
import pytest
from msgspec.structs import replace

from tests.batch.differential import compare
from tischlein import batch
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games import game_named

TABLES = [(name, seats) for name in batch.games() for seats in batch.game(name).core.SEATS]
RULES_GAMES = {"buffet": 400, "kakerlaken": 150, "sushizock": 1000}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_state_legal_set_and_score(name: str, seats: int) -> None:
    games, decisions = compare(name, seats, seed=seats, games=6, free=seats % 2 == 0)
    assert games >= 6
    assert decisions >= 6 * batch.game(name).core.FEWEST


@pytest.mark.parametrize("name", batch.games())
def test_scores_and_seat_advantage_agree_with_the_rules(name: str) -> None:
    seats, lanes = 4, 1024
    engine = batch.game(name)
    states = engine.init(jax.random.key(5), lanes, seats)
    decisions = {"buffet": 800, "kakerlaken": 4000, "sushizock": 800}[name]
    _, totals = engine.rollout(None, states, decisions)
    points, starts = play_by_rules(name, seats, RULES_GAMES[name])
    for place in range(seats):
        ours = totals.points[place] / totals.games
        spread = totals.points_squared[place] / totals.games - ours**2
        theirs = sum(score[place] for score in points) / len(points)
        assert abs(ours - theirs) < 4 * sqrt(spread / len(points)), place
    share = totals.wins[0] / totals.games / 60
    assert abs(share - sum(starts) / len(starts)) < 4 * sqrt(0.19 / len(starts))


def play_by_rules(name: str, seats: int, games: int) -> tuple[list[list[int]], list[float]]:
    """Play at random by the rules: points by place after the starter, the starter's wins."""
    rules, rng = game_named(name), Random(7)
    points, starts = [], []
    for _ in range(games):
        state, starter = rules.start(seats), None
        while movers := rules.to_move(state):
            by = movers[0]
            if by == NATURE:
                move = rules.draw(state, Quick(rng.random().hex()))
                starter = getattr(move, "starter", starter)
            else:
                move = timed(rng.choice(rules.legal(state, by)), state, by, rng)
            state = rules.play(state, by, move)
        first = starter or 0
        scores, winners = rules.scores(state), rules.winners(state)
        points.append([scores[(first + place) % seats] for place in range(seats)])
        starts.append((first in winners) / len(winners))
    return points, starts


def timed(move: Any, state: Any, seat: Any, rng: Random) -> Any:
    """Give a deed of a race any time, as the batch engine does."""
    if not hasattr(move, "at"):
        return move
    mine = state.deeds[seat]
    return replace(move, at=rng.randrange(8000) if mine is None else mine.at + rng.randrange(6000))
