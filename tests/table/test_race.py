"""The fair race: what a deed's time is, when a race closes, and who wins over uneven lines."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.table.races import EQUAL, LIARS, RULES, Player, all_lines, open_race, race_all
from tischlein.game import NATURE
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.kakerlaken.rules import TILES, Deal, Grab, Name, Roll, Slap, State
from tischlein.table.lines import Measured
from tischlein.table.race import closes_at, is_false_start, lead

RACES = 10_000


def test_a_roll_is_made_in_time_for_the_farthest() -> None:
    near, far = Measured(60.0, 50.0, 10.0), Measured(5000.0, 5000.0, 0.0)
    assert lead([], RULES) == RULES.lead_ms
    assert lead([near], RULES) == RULES.lead_ms + 25
    assert lead([near, far], RULES) == RULES.lead_ms + RULES.lag_cap_ms / 2


def test_nobody_reads_dice_faster_than_people_can() -> None:
    assert RULES.false_start_ms == 200
    assert is_false_start(199, 500, RULES)
    assert is_false_start(300, 150, RULES), "it came too early, whatever it says"
    assert not is_false_start(200, 250, RULES)


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


@pytest.mark.parametrize("loss", [0.0, 0.02])
def test_equal_players_win_equally_often_however_far_away(loss: float) -> None:
    """10, 50, 150 and 300 ms round trips, jitter, loss, uneven paths: 25 % ± 0.85 points each."""
    fair = race_all(all_lines(loss), RACES, seed=3).shares
    print("by the deed's own time:", fair)
    assert all(abs(share - 25) < 0.85 for share in fair), fair
    by_arrival = race_all(EQUAL, RACES // 10, seed=3, judge_by_arrival=True).shares
    print("by order of arrival:   ", by_arrival)
    assert by_arrival[0] > 30
    assert by_arrival[3] < 18


@pytest.mark.parametrize("lie", [name for name in LIARS if not name.startswith("own client")])
def test_a_liar_in_a_page_wins_hardly_more_than_an_honest_equal(lie: str) -> None:
    """Somebody who lies to the table would have won every race from a child who plays fair."""
    honest = EQUAL[0]
    told = race_all([honest, LIARS[lie](honest)], RACES // 5, seed=5)
    print(f"{lie}: wins {told.shares[1]} %, gains {told.gain:.1f} ms a deed")
    assert told.shares[1] <= 60
    slow = LIARS[lie](honest)._replace(slower=500.0)
    assert race_all([honest, slow], RACES // 5, seed=5).shares[1] <= 6


@pytest.mark.parametrize("line", range(4))
def test_who_holds_some_echoes_on_a_restless_line_wins_hardly_more(line: int) -> None:
    """A page that held a third of its echoes won two of three races from an honest equal."""
    honest = EQUAL[line]
    liar = LIARS["holds some echoes, picks quick ones, and back-dates"](honest)
    told = race_all([honest, liar], RACES // 5, seed=5)
    print(f"at {honest.line.trip} ms: wins {told.shares[1]} %, gains {told.gain:.1f} ms a deed")
    assert told.shares[1] <= 60
    assert race_all([honest, liar._replace(slower=500.0)], RACES // 5, seed=5).shares[1] <= 6


@pytest.mark.parametrize("line", range(4))
def test_a_liar_with_a_client_of_their_own_gains_at_most_the_cap(line: int) -> None:
    """Who looks far away is believed as far as the cap, not farther; all see how far that is."""
    players = [*EQUAL]
    players[line] = LIARS["own client: holds control pings too"](EQUAL[line])
    told = race_all(players, RACES // 10, seed=2)
    print(f"at {EQUAL[line].line.trip} ms: gains {told.gain:.1f} ms a deed, wins {told.shares}")
    assert 0 < told.gain <= RULES.lag_cap_ms


def test_the_simulation_would_show_a_liar_who_wins() -> None:
    """The shares above mean something: somebody who is truly quicker wins more."""
    quick = Player(EQUAL[0].line, slower=-200.0)
    assert race_all([EQUAL[0], quick], 500, seed=1).shares[1] > 75
