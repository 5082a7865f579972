"""The fair race: what a deed's time is, when a race closes, and who wins over uneven lines."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from tests.table.races import EQUAL, Line, Player, open_race, shares
from tischlein.game import NATURE
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.kakerlaken.rules import TILES, Deal, Grab, Name, Roll, Slap, State
from tischlein.table.race import (
    Lag,
    closes_at,
    is_false_start,
    lead,
    stamp,
    window,
)
from tischlein.table.settings import RaceRules

RULES = RaceRules()
RACES = 10_000


def lag(*trips: float) -> Lag:
    """Make a line with these measured round trips."""
    found = Lag()
    for trip in trips:
        found.add(trip)
    return found


def test_lag_is_measured() -> None:
    line = lag(50, 60, 40, 55, 200)
    assert (line.worst, line.median, line.uncertainty) == (200, 55, 80)
    assert (Lag().worst, Lag().median, Lag().uncertainty) == (0, 0, 0)
    many = lag(*[500.0] * 5, *[20.0] * 16)
    assert many.worst == 20, "old measurements are forgotten"


@pytest.mark.parametrize(
    ("claimed", "arrival", "counts", "clamped"),
    [
        (500, 540, 500, False),
        (500, 500, 500, False),
        (440, 540, 440, False),
        (439, 540, 440, True),
        (100, 2000, 1900, True),
        (600, 540, 540, True),
    ],
)
def test_a_time_counts_only_where_it_can_be_true(
    claimed: float, arrival: float, counts: float, clamped: bool
) -> None:
    """Between arrival less the worst round trip, and arrival; outside it is clamped and marked."""
    found = stamp(claimed, arrival, lag(80, 100), 0.0, RULES)
    assert (found.at, found.clamped, found.claimed) == (counts, clamped, claimed)
    assert (found.lag, found.uncertainty) == (100, 10)


def test_lag_is_made_up_for_only_up_to_the_cap() -> None:
    far = lag(5000)
    assert window(far, RULES) == RULES.lag_cap_ms
    assert stamp(200, 3000, far, 0.0, RULES).at == 3000 - RULES.lag_cap_ms
    assert lead([lag(50), far], RULES) == RULES.lead_ms + RULES.lag_cap_ms


def test_a_handicap_is_taken_off() -> None:
    found = stamp(700, 720, lag(50), 200.0, RULES)
    assert (found.at, found.handicap, found.clamped) == (500, 200, False)
    assert stamp(150, 160, lag(50), 200.0, RULES).at == 0


def test_false_starts() -> None:
    assert is_false_start(99.9, 150, RULES)
    assert is_false_start(300, 50, RULES)
    assert not is_false_start(100, 150, RULES)


def race(owner: int | None = None, **options: Any) -> State:
    """Open a race for the first tile, in the middle or in front of somebody."""
    state = kakerlaken.start(3, options)
    state = kakerlaken.play(state, NATURE, Deal(TILES, 0))
    state = replace(state, owners=(owner, *state.owners[1:]))
    return kakerlaken.play(state, NATURE, Roll(*TILES[0]))


def test_a_race_waits_for_everybody_who_may_act() -> None:
    assert closes_at(open_race(race()), {0: 100, 1: 300, 2: 0}, {}) == 8000 + 300
    assert closes_at(open_race(race(race_ms=2000)), {2: 50}, {}) == 2050


def test_a_race_closes_early_when_nothing_on_its_way_can_change_it() -> None:
    state = kakerlaken.play(race(), 0, Slap(TILES[0], 600.0))
    assert closes_at(open_race(state), {1: 40, 2: 300}, {}) == 600 + 300 + 1
    assert closes_at(open_race(state), {}, {}) == 0, "nobody is left to act"
    wrong = kakerlaken.play(race(), 0, Slap(TILES[5], 300.0))
    assert closes_at(open_race(wrong), {1: 40, 2: 300}, {}) == 8300, "a wrong slap decides nothing"


def test_a_grab_waits_for_its_name() -> None:
    state = kakerlaken.play(race(owner=2), 0, Grab(False, 600.0))
    assert closes_at(open_race(state), {1: 40}, {0: 100}) == 600 + 3000 + 100 + 1
    named = kakerlaken.play(state, 0, Name("ant", 900.0))
    assert closes_at(open_race(named), {1: 40, 2: 20}, {}) == 600 + 40 + 1
    assert closes_at(open_race(named), {}, {}) == 0
    vain = kakerlaken.play(race(), 0, Grab(False, 600.0))
    assert closes_at(open_race(vain), {}, {0: 100}) == 0, "a slap was asked for: no name matters"


def test_equal_players_win_equally_often_however_far_away() -> None:
    """10, 50, 150 and 300 ms round trips, jitter, uneven paths: 25 % ± 0.85 points each."""
    fair = shares(EQUAL, RACES, seed=1)
    print("by the deed's own time:", fair)
    assert all(abs(share - 25) < 0.85 for share in fair), fair
    by_arrival = shares(EQUAL, RACES, seed=1, judge_by_arrival=True)
    print("by order of arrival:   ", by_arrival)
    assert by_arrival[0] > 30
    assert by_arrival[3] < 18


def cheat(change: Callable[[Player], Player]) -> tuple[float, float]:
    """Let the second player cheat; give their share, and how many milliseconds they gain."""
    players = [EQUAL[0], change(EQUAL[1]), *EQUAL[2:]]
    gains: list[float] = []
    won = shares(players, RACES, seed=2, gains=gains)
    return won[1], sum(gains) / len(gains)


def test_a_cheat_who_back_dates_gains_no_more_than_the_uncertainty_allows() -> None:
    share, gain = cheat(lambda player: player._replace(backdates=True))
    print(f"back-dating at 50 ms: wins {share:.1f} %, gains {gain:.1f} ms a deed")
    worst = EQUAL[1].line.trip + 2 * EQUAL[1].line.jitter
    assert 0 < gain <= worst


def test_a_cheat_who_looks_far_away_gains_at_most_the_cap() -> None:
    share, gain = cheat(lambda player: player._replace(backdates=True, delays_pings=2000.0))
    print(f"and delaying pings: wins {share:.1f} %, gains {gain:.1f} ms a deed")
    assert gain <= RULES.lag_cap_ms
    assert Line(50, 0, 0.5).trip == 50
