"""Lines: what is measured of them, and what time of a deed they let count."""

import pytest

from tischlein.table.lines import UNKNOWN, Lag, head_start, stamp, window
from tischlein.table.settings import RaceRules

RULES = RaceRules(page_ms=0.0)


def lag(*echoes: float, pings: tuple[float, ...] = ()) -> Lag:
    """Make a line with these measured round trips."""
    found = Lag()
    for trip in echoes:
        found.add(trip)
    for trip in pings:
        found.add(trip, echo=False)
    return found


def test_lag_is_measured() -> None:
    line = lag(50, 60, 40, 55, 200)
    assert (line.median, line.uncertainty, line.worst) == (55, 10, 65), "one long trip is no reason"
    assert (Lag().worst, Lag().median, Lag().uncertainty) == (0, 0, 0)
    many = lag(*[500.0] * 5, *[20.0] * 16)
    assert many.worst == 20, "old measurements are forgotten"


def test_the_shorter_of_echoes_and_control_pings_counts() -> None:
    """Somebody who held the page's echoes back looked far away, and was believed for it."""
    held = lag(*[420.0] * 8, pings=(2.0,) * 8)
    assert held.median == 2
    assert held.held_back == 418
    assert lag(*[2.0] * 8, pings=(420.0,) * 8).median == 2
    assert lag(420, 420).median == 420, "a line without control pings is measured by its echoes"
    assert lag(50, 50, 50, pings=(1.0,)).median == 50, "one ping may be luck"


def test_one_echo_in_twelve_held_back_changes_nothing() -> None:
    """Somebody who held back one echo in twelve won every race, and nobody could see why."""
    often = lag(*[420.0 if n % 12 == 0 else 2.0 for n in range(48)])
    assert often.worst == 2


def test_a_spread_that_only_the_echoes_show_is_none() -> None:
    """A page held five echoes of sixteen: its usual trip was short, its window the whole cap."""
    held = lag(*[28.0] * 11, *[230.0] * 5, pings=(30.0,) * 16)
    assert (held.median, held.worst) == (28, 30)
    assert window(held, RULES) == 30
    restless = lag(*[28.0] * 11, *[60.0] * 5, pings=(30.0,) * 10 + (50.0,) * 6)
    assert restless.worst == 70, "an honest one is seen by both"


@pytest.mark.parametrize(
    ("claimed", "elapsed", "counts", "clamped"),
    [
        (500, 540, 500, False),
        (500, 500, 500, False),
        (440, 540, 440, False),
        (439, 540, 440, True),
        (200, 2000, 1900, True),
        (600, 540, 540, True),
    ],
)
def test_a_time_counts_only_where_it_can_be_true(
    claimed: float, elapsed: float, counts: float, clamped: bool
) -> None:
    """Between what the round trip allows and what has passed; outside it is clamped and marked."""
    found = stamp(claimed, elapsed, lag(*[100.0] * 4), 0.0, RULES)
    assert (found.at, found.clamped, found.claimed) == (counts, clamped, claimed)
    assert (found.lag, found.uncertainty, found.window) == (100, 0, 100)


def test_lag_is_made_up_for_only_up_to_the_cap() -> None:
    far = lag(5000)
    assert window(far, RULES) == RULES.lag_cap_ms
    assert head_start(far, RULES) == RULES.lag_cap_ms / 2
    assert stamp(200, 3000, far, 0.0, RULES).at == 3000 - RULES.lag_cap_ms
    assert window(far, RaceRules(lag_cap_ms=0.0)) == 0, "the host makes up for nothing"


def test_who_was_never_measured_is_near() -> None:
    assert (window(UNKNOWN, RULES), head_start(UNKNOWN, RULES)) == (0, 0)
    assert window(UNKNOWN, RaceRules()) == RaceRules().page_ms


def test_a_handicap_is_taken_off() -> None:
    found = stamp(700, 720, lag(50), 200.0, RULES)
    assert (found.at, found.handicap, found.clamped) == (500, 200, False)
    assert stamp(150, 160, lag(50), 200.0, RULES).at == 0


def test_what_is_odd_is_shown() -> None:
    """A winner whose times are made up looked like anybody else in the photo finish."""
    near = lag(*[10.0] * 4)
    assert stamp(500, 505, near, 0.0, RULES).odd == ()
    assert stamp(490, 505, near, 0.0, RULES).odd == (), "a few ms happen to honest people"
    assert stamp(300, 1200, near, 0.0, RULES).odd == ("clamped",)
    held = lag(*[420.0] * 4, pings=(2.0,) * 4)
    assert stamp(500, 501, held, 0.0, RULES).odd == ("echoes",)
    assert stamp(500, 501, lag(*[420.0] * 4), 0.0, RULES).odd == ("far",)


def test_who_sits_beside_the_table_is_not_far_away() -> None:
    """Where the host makes up for nothing, everybody was marked as very far away at each roll."""
    nothing = RaceRules(lag_cap_ms=0.0)
    assert stamp(500, 501, lag(*[0.7] * 4), 0.0, nothing).odd == ()
    assert stamp(500, 501, lag(*[300.0] * 4), 0.0, nothing).odd == ("far",)
