"""Kakerlaken Sushi, rule by rule."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.kakerlaken.tables import (
    GREEN_RICE,
    RED_CHOPSTICKS,
    RED_RICE,
    grab,
    owned_by,
    owners,
    roll,
    table,
    win,
)
from tests.tables import Table, random_move
from tischlein import game
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.kakerlaken.rules import COLOURS, SYMBOLS, THIEF_OF, TILES


def test_dice() -> None:
    """[K1] Three symbols and three colours, two faces each: nine rolls, equally likely."""
    chances = dict(kakerlaken.chances(table().state))
    assert len(chances) == 9
    assert set(chances.values()) == {Fraction(1, 9)}
    rng = Quick(5)
    rolls = Counter(kakerlaken.draw(table().state, rng) for _ in range(9000))
    assert len(rolls) == 9
    assert all(850 < n < 1150 for n in rolls.values())


def test_exactly_one_plate_answers_each_roll() -> None:
    """[K2] Nine tiles; a plate lacks one symbol and one colour and shows all others."""
    assert len(set(TILES)) == 9
    plates = {
        tile: ({s for s in SYMBOLS if s != tile[0]}, {c for c in COLOURS if c != tile[1]})
        for tile in TILES
    }
    for symbol in SYMBOLS:
        for colour in COLOURS:
            lacking = [t for t, (ss, cs) in plates.items() if symbol not in ss and colour not in cs]
            assert lacking == [(symbol, colour)]


def test_thieves_form_a_latin_square() -> None:
    """[K3] Neither symbol nor colour gives the thief away; red chopsticks are the ant's."""
    expected = {
        "chopsticks": ["ant", "cockroach", "rat"],
        "rice": ["cockroach", "rat", "ant"],
        "sushi": ["rat", "ant", "cockroach"],
    }
    assert {s: [THIEF_OF[s, c] for c in COLOURS] for s in SYMBOLS} == expected


def test_sixteen_coins_are_enough() -> None:
    """[K4] [K21] Five players with three coins each and one more: never more than sixteen."""
    assert (kakerlaken.COINS_TO_WIN - 1) * kakerlaken.SEATS[-1] + 1 == 16


def test_set_up() -> None:
    """[K5] Nine tiles in a circle, plate side up; the next player clockwise rolls each time."""
    circle = [list(tile) for tile in reversed(TILES)]
    at = Table("kakerlaken", 3)
    assert at.refusal(NATURE, "deal", circle=circle[:8], starter=0) == "wrong_circle"
    assert at.refusal(NATURE, "deal", circle=[*circle[:8], circle[0]], starter=0) == "wrong_circle"
    assert at.refusal(NATURE, "roll", symbol="rice", colour="red") == "deal_first"
    at.nature("deal", circle=circle, starter=2)
    assert [tile["tile"] for tile in at.view()["circle"]] == circle
    assert {tile["side"] for tile in at.view()["circle"]} == {"plate"}
    for roller in (2, 0, 1, 2):
        assert at.view()["roller"] == roller
        roll(at, RED_RICE).nature("time")
    assert at.refusal(NATURE, "time") == "race_closed"


def test_one_deed_a_roll() -> None:
    """[K6] All play at once, each with one deed; a second is refused."""
    at = roll(table(), RED_RICE)
    assert at.to_move() == [0, 1, 2, NATURE]
    at.do(1, "slap", tile=GREEN_RICE, at=300)
    assert at.refusal(1, "slap", tile=RED_RICE, at=400) == "one_deed"
    assert at.refusal(1, "grab", squeak=True, at=400) == "one_deed"
    assert at.to_move() == [0, 2, NATURE]
    at.do(0, "grab", squeak=False, at=500)
    assert at.refusal(0, "slap", tile=RED_RICE, at=600) == "one_deed"
    assert at.to_move() == [0, 2, NATURE], "a grabber may still name"
    assert at.refusal(NATURE, "roll", symbol="rice", colour="red") == "race_open"
    at.do(0, "name", thief="ant", at=900)
    assert at.refusal(0, "name", thief="rat", at=950) == "named_already"


def test_legal_moves_come_without_a_time() -> None:
    """[K6] Slaps of all tiles in the middle and two grabs; after a grab three names."""
    at = roll(win(table(), 0, RED_RICE), RED_CHOPSTICKS)
    moves = at.legal(1)
    assert {"do": "grab", "squeak": True} in moves
    assert len([move for move in moves if move["do"] == "slap"]) == 8
    assert not any("at" in move for move in moves)
    at.do(1, "grab", squeak=True, at=1)
    assert [move["thief"] for move in at.legal(1)] == ["ant", "cockroach", "rat"]
    assert at.refusal(2, "slap", tile=RED_RICE, at=5) == "not_in_the_middle"


@pytest.mark.parametrize("wrong", [None, -1, float("inf"), float("nan")])
def test_the_time_must_be_a_time(wrong: float | None) -> None:
    """[K7] `at` is a finite number, not negative, and a name not before its grab."""
    at = roll(table(), RED_RICE)
    when = {} if wrong is None else {"at": wrong}
    assert at.refusal(0, "slap", tile=RED_RICE, **when) == "no_time"
    assert at.refusal(0, "grab", squeak=False, **when) == "no_time"
    at.do(0, "grab", squeak=False, at=100)
    assert at.refusal(0, "name", thief="rat", at=99.9) == "named_before_grab"
    assert at.refusal(1, "name", thief="rat", at=99.9) == "grab_first"


def test_the_quicker_is_who_acted_sooner_not_who_arrived_first() -> None:
    """[K7] Own time decides; equal times: the first clockwise, left of the roller first."""
    at = roll(table(), RED_RICE)
    at.do(0, "slap", tile=RED_RICE, at=700).do(2, "slap", tile=RED_RICE, at=650)
    at.do(1, "slap", tile=RED_RICE, at=800)
    assert owners(at) == {("rice", "red"): 2}
    for roller, winner in ((0, 1), (1, 2), (2, 0)):
        level = roll(table(starter=roller), RED_RICE)
        for seat in (0, 1, 2):
            level.do(seat, "slap", tile=RED_RICE, at=500)
        assert owners(level) == {("rice", "red"): winner}


def test_a_race_closes_when_all_have_acted_or_time_is_up() -> None:
    """[K8] By itself when every seat has acted and every grabber has named, else by time."""
    at = roll(table(seats=2), RED_RICE).do(0, "slap", tile=RED_RICE, at=500)
    at.do(1, "grab", squeak=False, at=400)
    assert at.view()["roll"] == RED_RICE
    at.do(1, "name", thief="ant", at=600)
    assert at.view()["roll"] is None
    early = roll(table(), RED_RICE).nature("time")
    assert early.to_move() == [NATURE]
    assert early.view()["last"]["outcome"] == "nobody_right"


def test_the_quickest_right_slap_gets_the_tile() -> None:
    """[K9] Thief side up, in front of them; a wrong slap costs and gains nothing."""
    at = roll(table(), RED_RICE).do(0, "slap", tile=GREEN_RICE, at=200)
    at.do(1, "slap", tile=RED_RICE, at=600).do(2, "slap", tile=RED_RICE, at=500)
    assert owners(at) == {("rice", "red"): 2}
    tile = next(t for t in at.view(0)["circle"] if t["owner"] == 2)
    assert (tile["side"], tile["thief"]) == ("thief", "cockroach")
    assert at.view()["coins"] == [0, 0, 0]


def test_what_comes_after_the_deciding_deed_has_no_effect() -> None:
    """[K8] However late the race is closed: the right slap, or the first grab, has decided."""
    at = win(table(), 2, RED_CHOPSTICKS)
    roll(at, RED_RICE).do(2, "grab", squeak=True, at=601).do(2, "name", thief="ant", at=700)
    at.do(0, "slap", tile=RED_RICE, at=600).do(1, "slap", tile=RED_RICE, at=7999)
    assert at.to_move() == [NATURE], "the grab came after the right slap and costs nothing"
    assert owners(at) == {("chopsticks", "red"): 2, ("rice", "red"): 0}


def test_a_deed_after_the_time_of_the_roll_is_refused() -> None:
    """[K8] `race_ms` still counts; a name may follow a late grab within the naming time."""
    at = roll(win(table(race_ms=2000), 2, RED_CHOPSTICKS), RED_CHOPSTICKS)
    assert at.refusal(0, "slap", tile=RED_RICE, at=2000.1) == "too_late"
    assert at.refusal(2, "grab", squeak=True, at=2001) == "too_late"
    at.do(0, "slap", tile=RED_RICE, at=2000).do(2, "grab", squeak=True, at=2000)
    assert at.do(2, "name", thief="ant", at=5000).nature("time").view()["coins"] == [0, 0, 1]


def test_a_wrong_grab_costs_a_tile() -> None:
    """[K10] The quickest grabber gives one tile of their choice; there is only one master."""
    at = win(table(), 0, RED_CHOPSTICKS, GREEN_RICE)
    win(at, 1, ["sushi", "red"])
    roll(at, RED_RICE)
    at.do(1, "grab", squeak=False, at=401).do(0, "grab", squeak=True, at=400)
    at.do(2, "slap", tile=RED_RICE, at=402).nature("time")
    assert owners(at)["rice", "red"] == 2
    assert at.to_move() == [0]
    assert at.refusal(1, "give", tile=["sushi", "red"]) == "wait_for_give"
    assert at.refusal(0, "give", tile=["sushi", "red"]) == "not_your_tile"
    assert at.refusal(0, "slap", tile=RED_RICE, at=3) == "give_first"
    assert at.legal(0) == [
        {"do": "give", "tile": RED_CHOPSTICKS},
        {"do": "give", "tile": GREEN_RICE},
    ]
    at.do(0, "give", tile=GREEN_RICE)
    assert owners(at) == {("chopsticks", "red"): 0, ("sushi", "red"): 1, ("rice", "red"): 2}
    assert at.to_move() == [NATURE]
    assert roll(at, ["rice", "yellow"]).refusal(0, "give", tile=RED_CHOPSTICKS) == "owes_nothing"


def test_who_has_no_tile_pays_nothing_for_a_wrong_grab() -> None:
    """[K10] And nobody pays in their place: whoever grabs later has grabbed nothing."""
    at = roll(win(table(), 1, RED_CHOPSTICKS), RED_RICE)
    at.do(0, "grab", squeak=False, at=400).do(1, "grab", squeak=False, at=500).nature("time")
    assert at.to_move() == [NATURE]
    assert owners(at) == {("chopsticks", "red"): 1}


@pytest.mark.parametrize(("roller", "next_to_move"), [(0, NATURE), (1, 2), (2, NATURE)])
def test_a_grab_at_the_very_time_of_the_right_slap(roller: int, next_to_move: Any) -> None:
    """[K7] [K10] Of equal times the first clockwise, left of the roller first, is the quicker."""
    at = win(table(starter=(roller - 1) % 3), 2, RED_CHOPSTICKS)
    roll(at, RED_RICE).do(2, "grab", squeak=False, at=500).do(1, "slap", tile=RED_RICE, at=500)
    assert at.nature("time").to_move() == [next_to_move]
    assert owners(at)["rice", "red"] == 1


def test_nobody_right() -> None:
    """[K11] The next player rolls."""
    at = roll(table(), RED_RICE)
    for seat in (0, 1, 2):
        at.do(seat, "slap", tile=GREEN_RICE, at=400)
    assert owners(at) == {}
    assert at.view()["roller"] == 1
    assert at.view()["last"]["outcome"] == "nobody_right"


def test_the_quickest_grabber_decides() -> None:
    """[K12] Later grabs have no effect, however right; slaps gain and cost nothing."""
    at = owned_by(2)
    grab(at, 2, 450, True, "ant")
    grab(at, 0, 449, False, "rat")
    at.do(1, "slap", tile=GREEN_RICE, at=100)
    assert at.view()["coins"] == [0, 0, 1], "seat 0 was first and erred"
    assert at.view()["last"]["seat"] == 0


def test_naming_in_time() -> None:
    """[K13] The name must come within the naming time, to the millisecond."""
    for after, coins in ((3000, [0, 0, 1]), (3000.5, [0, 0, 0])):
        at = owned_by(2)
        at.do(2, "grab", squeak=True, at=450).do(2, "name", thief="ant", at=450 + after)
        assert at.nature("time").view()["coins"] == coins
    slow = roll(win(table(naming_ms=5000), 2, RED_CHOPSTICKS), RED_CHOPSTICKS)
    slow.do(2, "grab", squeak=True, at=450).do(2, "name", thief="ant", at=5000)
    assert slow.nature("time").view()["coins"] == [0, 0, 1]


def test_the_owner_squeaks_and_names() -> None:
    """[K14] One fish coin, and the tile goes back to the middle, plate side up."""
    at = grab(owned_by(2), 2, 450, True, "ant").nature("time")
    assert at.view()["coins"] == [0, 0, 1]
    assert owners(at) == {}
    assert at.view()["last"]["outcome"] == "coin_for_owner"


@pytest.mark.parametrize(("squeak", "thief"), [(False, "ant"), (True, None), (True, "rat")])
def test_the_owner_errs(squeak: bool, thief: str | None) -> None:
    """[K15] No squeak, no name or a wrong thief: the tile goes back, no coin."""
    at = grab(owned_by(2), 2, 450, squeak, thief).nature("time")
    assert at.view()["coins"] == [0, 0, 0]
    assert owners(at) == {}
    assert at.view()["last"]["outcome"] == "owner_erred"


def test_another_takes_the_tile_silently() -> None:
    """[K16] Not squeaking and naming rightly: the tile moves to them."""
    at = grab(owned_by(2), 0, 450, False, "ant").nature("time")
    assert owners(at) == {("chopsticks", "red"): 0}
    assert at.view()["coins"] == [0, 0, 0]


@pytest.mark.parametrize(("squeak", "thief"), [(True, "ant"), (False, None), (False, "rat")])
def test_another_errs(squeak: bool, thief: str | None) -> None:
    """[K17] A squeak, no name or a wrong thief: a coin for the owner, the tile goes back."""
    at = grab(owned_by(2), 0, 450, squeak, thief).nature("time")
    assert at.view()["coins"] == [0, 0, 1]
    assert owners(at) == {}
    late = owned_by(2).do(0, "grab", squeak=False, at=450).do(0, "name", thief="ant", at=3451)
    assert late.nature("time").view()["coins"] == [0, 0, 1]


@pytest.mark.parametrize("slapping", [(), (0,), (0, 1, 2)])
def test_nobody_grabs(slapping: tuple[int, ...]) -> None:
    """[K18] The owner forgot to squeak, or slapped: the tile goes back, no coin."""
    at = owned_by(2)
    for seat in slapping:
        at.do(seat, "slap", tile=GREEN_RICE, at=100)
    if len(slapping) < 3:
        at.nature("time")
    assert owners(at) == {}
    assert at.view()["coins"] == [0, 0, 0]
    assert at.view()["last"]["outcome"] == "nobody_grabbed"
    assert at.view()["last"]["owner"] == 2
    assert at.view()["roller"] == 2


def test_a_sixth_tile_goes_back() -> None:
    """[K19] From the middle or from another player, at once, plate side up."""
    at = win(table(), 0, *TILES[:6])
    assert sorted(owners(at)) == sorted(TILES[:5])
    assert at.view()["last"]["outcome"] == "sixth_tile"
    win(at, 1, TILES[5])
    roll(at, list(TILES[5]))
    grab(at, 0, 300, False, THIEF_OF[TILES[5]]).nature("time")
    assert sorted(owners(at)) == sorted(TILES[:5])
    assert at.view()["coins"] == [0, 0, 0]


def test_a_returned_tile_takes_its_old_place() -> None:
    """[K20] The order of the circle never changes."""
    at = table()
    order = [tile["tile"] for tile in at.view()["circle"]]
    win(at, 2, RED_CHOPSTICKS)
    grab(roll(at, RED_CHOPSTICKS), 2, 450, True, "ant").nature("time")
    assert [tile["tile"] for tile in at.view()["circle"]] == order


def test_four_coins_win_at_once() -> None:
    """[K21] The fourth coin ends the game."""
    at = table(seats=2)
    for coins in range(1, 5):
        win(at, 1, RED_CHOPSTICKS)
        grab(roll(at, RED_CHOPSTICKS), 1, 450, True, "ant").nature("time")
        assert at.view()["coins"] == [0, coins]
        assert at.to_move() == ([] if coins == 4 else [NATURE])
    assert kakerlaken.winners(at.state) == (1,)
    assert at.refusal(NATURE, "roll", symbol="rice", colour="red") == "over"


def test_young_players_see_the_thieves() -> None:
    """[K22] The tiles lie thief side up from the start and after their return."""
    at = table(young=True)
    assert {tile["side"] for tile in at.view(0)["circle"]} == {"thief"}
    assert at.view(0)["circle"][0]["thief"] == "ant"
    win(at, 2, RED_CHOPSTICKS)
    assert owners(at) == {("chopsticks", "red"): 2}
    grab(roll(at, RED_CHOPSTICKS), 2, 450, False, "ant").nature("time")
    assert {tile["side"] for tile in at.view(0)["circle"]} == {"thief"}


def test_what_is_secret() -> None:
    """[K23] Thieves under plates, and what others do in an open race but that they have acted."""
    at = table()
    assert {tile["thief"] for tile in at.view(0)["circle"]} == {None}
    assert at.view()["circle"][0]["thief"] == "ant"
    roll(at, RED_RICE).do(0, "grab", squeak=True, at=300).do(1, "slap", tile=RED_RICE, at=400)
    assert at.view(2)["acted"] == [0, 1]
    assert at.view(2)["deeds"] == {"0": None, "1": None}
    assert at.view(0)["deeds"]["0"]["squeak"] is True
    assert kakerlaken.waits_for(at.state, 2) == (2, NATURE), "that 0 may name would tell the grab"
    assert kakerlaken.waits_for(at.state, 0) == (0, 2, NATURE)
    assert kakerlaken.seen(0, kakerlaken.Grab(True, 300.0), 2) == {"by": 0, "do": None}
    assert kakerlaken.seen(0, kakerlaken.Name("rat", 300.0), 2) is None
    at.nature("time")
    last = at.view(2)["last"]
    assert last["deeds"][0]["squeak"] is True, "when the race is over all is shown"
    assert last["seat"] == 1


@pytest.mark.parametrize("wrong", [0, 0.5, 999, 60_001, "8000", None, True])
@pytest.mark.parametrize("name", ["race_ms", "naming_ms"])
def test_times_out_of_bounds_are_refused(name: str, wrong: Any) -> None:
    """[K8] From one second to a minute."""
    with pytest.raises(game.BadStart, match=rf"the house rule `{name}` must be a number of milli"):
        kakerlaken.start(3, {name: wrong})
    assert getattr(kakerlaken.start(3, {name: 1000}).options, name) == 1000
    assert getattr(kakerlaken.start(3, {name: 60_000}).options, name) == 60_000


@pytest.mark.parametrize("wrong", [{"young": 1}, {"starter": 3}])
def test_wrong_house_rules_are_refused(wrong: dict[str, Any]) -> None:
    """[K5] [K22] A wrong house rule is refused with a sentence."""
    with pytest.raises(game.BadStart, match=r"the house rule `\w+` must be"):
        kakerlaken.start(3, wrong)


def whys(at: Table) -> list[str | None]:
    """Say why every deed of the last race was worth what it was."""
    return [told and told["why"] for told in at.view()["last"]["verdicts"]]


def test_slaps_are_judged() -> None:
    """[K9] [K8] One right slap is first, another later, a wrong one is wrong however quick."""
    at = roll(table(4), RED_RICE).do(0, "slap", tile=GREEN_RICE, at=300)
    at.do(1, "slap", tile=RED_RICE, at=500).do(2, "slap", tile=RED_RICE, at=400).nature("time")
    assert whys(at) == ["wrong_tile", "right_later", "right_first", None]
    assert [told and told["good"] for told in at.view(3)["last"]["verdicts"]] == [
        *(False, False, True, None)
    ]
    assert roll(at, GREEN_RICE).view()["last"]["verdicts"] is None, "told until the next roll"


def test_grabs_instead_of_slaps_are_judged() -> None:
    """[K10] [K8] The quickest costs a tile if there is one; later ones have grabbed nothing."""
    at = roll(win(table(4), 0, RED_CHOPSTICKS), RED_RICE)
    for seat, ms in ((0, 300), (1, 350), (2, 600)):
        at.do(seat, "grab", squeak=False, at=ms)
    at.do(3, "slap", tile=RED_RICE, at=500).nature("time")
    assert whys(at) == ["grab_cost_a_tile", "grab_later", "after_the_decision", "right_first"]
    at.do(0, "give", tile=RED_CHOPSTICKS)
    assert whys(at)[0] == "grab_cost_a_tile", "so it stays when the tile is given"
    grab(roll(at, GREEN_RICE), 1, 300, True).nature("time")
    assert whys(at) == [None, "grab_instead_of_slap", None, None]


@pytest.mark.parametrize(
    ("starter", "whys_of"),
    [
        (0, ["after_the_decision", "right_first"]),
        (1, ["grab_instead_of_slap", "right_first"]),
    ],
)
def test_equal_times_are_judged(starter: int, whys_of: list[str]) -> None:
    """[K7] [K8] Who was first at equal times follows from who rolled for that race."""
    at = roll(table(3, starter), RED_RICE).do(0, "grab", squeak=False, at=400)
    at.do(1, "slap", tile=RED_RICE, at=400).nature("time")
    assert whys(at) == [*whys_of, None]


@pytest.mark.parametrize(
    ("seat", "squeak", "thief", "good", "why"),
    [
        (2, True, "ant", True, "earned_coin"),  # [K14]
        (2, False, "ant", False, "no_squeak"),  # [K15]
        (2, True, "rat", False, "wrong_thief"),  # [K15]
        (2, True, None, False, "not_named"),  # [K15]
        (0, False, "ant", True, "took_it"),  # [K16]
        (0, True, "ant", False, "squeaked"),  # [K17]
        (0, False, "rat", False, "wrong_thief"),  # [K17]
        (0, False, None, False, "not_named"),  # [K17]
    ],
)
def test_the_deciding_grab_is_judged(
    seat: int, squeak: bool, thief: str | None, good: bool, why: str
) -> None:
    """[K12] [K14] [K15] [K16] [K17] What was right or wrong in it; a later grab is only late."""
    at = grab(owned_by(2), seat, 450, squeak, thief)
    grab(at, 1, 451, False, "ant").nature("time")
    told = at.view()["last"]["verdicts"]
    assert told[seat] == {"good": good, "why": why}
    assert told[1] == {"good": False, "why": "grab_later"}
    assert told[2 - seat] is None


def test_a_late_name_and_a_slap_are_judged() -> None:
    """[K13] [K12] The right thief, but too late; a slap where a grab was asked for."""
    at = owned_by(2).do(2, "grab", squeak=True, at=450).do(2, "name", thief="ant", at=3451)
    at.do(0, "slap", tile=GREEN_RICE, at=300).nature("time")
    assert whys(at) == ["slap_instead_of_grab", None, "named_late"]
    at = owned_by(2).do(1, "slap", tile=GREEN_RICE, at=300).nature("time")
    assert whys(at) == [None, "slap_instead_of_grab", None]


def test_a_sixth_tile_is_judged() -> None:
    """[K19] It was right, and still goes back: from the middle, or from another player."""
    at = win(table(), 0, *TILES[:6])
    assert at.view()["last"]["verdicts"][0] == {"good": True, "why": "sixth_tile"}
    roll(win(at, 1, TILES[5]), list(TILES[5]))
    grab(at, 0, 300, False, THIEF_OF[TILES[5]]).nature("time")
    assert at.view()["last"]["verdicts"][0] == {"good": True, "why": "sixth_tile"}


WHYS_OF = {
    "nobody_right": set(),
    "tile_won": {"right_first", "took_it"},
    "sixth_tile": {"sixth_tile"},
    "coin_for_owner": {"earned_coin"},
    "owner_erred": {"no_squeak", "not_named", "named_late", "wrong_thief"},
    "other_erred": {"squeaked", "not_named", "named_late", "wrong_thief"},
    "nobody_grabbed": set(),
}
"""What may be said of the deed that decided a race."""


@settings(max_examples=60)
@given(seats=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_verdicts_agree_with_the_outcome(seats: int, seed: int) -> None:
    """[K8] [K9] [K12] Only the deciding deed can be good, and it is as the outcome says."""
    rng, at = Quick(seed), table(seats, naming_ms=2000)
    for _ in range(150):
        if not at.to_move():
            break
        at.state = kakerlaken.play(at.state, *random_move(at.rules, at.state, rng))
        last = kakerlaken.view(at.state, None).last
        if last is None or at.state.roll is not None:
            continue
        assert last.verdicts is not None
        for seat, (deed, told) in enumerate(zip(last.deeds, last.verdicts, strict=True)):
            assert (deed is None) == (told is None)
            if told is None:
                continue
            assert told.good == (seat == last.seat and last.outcome in kakerlaken.WINNING)
            assert (told.why in WHYS_OF[last.outcome]) == (seat == last.seat)
            assert (told.why == "grab_cost_a_tile") == (seat in last.owing)


def test_without_a_clock_all_decide_and_the_first_clockwise_counts() -> None:
    """[K24] [K7] [K9] No times; who is left of the roller comes first; nothing is open before."""
    at = roll(table(3, 1, calm=True), RED_RICE)
    assert at.to_move() == [0, 1, 2], "no clock is to move"
    assert kakerlaken.race(at.state) is None
    assert at.refusal(NATURE, "time") == "seats_first"
    assert at.legal(0)[-3:] == [
        *({"do": "grab", "squeak": s} for s in (False, True)),
        {"do": "pass"},
    ]
    at.do(1, "slap", tile=RED_RICE, at=1).do(0, "slap", tile=RED_RICE).do(2, "pass")
    assert owners(at) == {("rice", "red"): 0}, "2 is left of the roller, then comes 0"
    assert [deed and deed["at"] for deed in at.view()["last"]["deeds"]] == [0, 0, None]
    assert whys(at) == ["right_first", "right_later", None]
    assert whys(roll(at, GREEN_RICE)) == ["right_first", "right_later", None], "still to be read"


def test_without_a_clock_a_grab_waits_for_its_name() -> None:
    """[K24] [K13] [K16] However long it takes; then the first clockwise has decided."""
    at = roll(table(3, 0, calm=True), RED_CHOPSTICKS)
    for seat in (0, 1, 2):
        at.do(seat, "slap", tile=RED_CHOPSTICKS)
    roll(at, RED_CHOPSTICKS).do(0, "grab", squeak=False).do(1, "pass")
    at.do(2, "grab", squeak=False, at=70_000)
    assert at.to_move() == [0, 2]
    assert at.refusal(1, "pass") == "one_deed"
    assert at.refusal(0, "pass") == "one_deed"
    assert at.do(0, "name", thief="ant", at=-5).refusal(0, "name", thief="rat") == "named_already"
    at.do(2, "name", thief="ant")
    assert owners(at) == {("chopsticks", "red"): 2}
    assert at.view()["last"]["owner"] == 1


def test_all_tiles_can_lie_before_players_so_one_may_pass() -> None:
    """[K24] [K18] With no tile to slap a pass is the only deed that risks nothing."""
    at = table(2, 0, calm=True)
    for number, tile in enumerate(TILES):
        winner = number % 2
        roll(at, list(tile)).do(winner, "slap", tile=list(tile)).do(1 - winner, "pass")
    assert len(owners(at)) == 9
    roll(at, RED_RICE)
    assert [move["do"] for move in at.legal(0)] == ["grab", "grab", "pass"]
    assert at.do(0, "pass").do(1, "pass").view()["last"]["outcome"] == "nobody_grabbed"
    assert at.refusal(0, "pass") == "wait_for_nature"


def test_without_a_clock_a_wrong_grab_costs_only_the_first_clockwise() -> None:
    """[K24] [K10] [K8] Of all who grab, and unless a right slap comes before it."""
    at = table(3, 0, calm=True)
    for number, tile in enumerate(TILES[:3]):
        roll(at, list(tile)).do(number, "slap", tile=list(tile))
        for other in {0, 1, 2} - {number}:
            at.do(other, "pass")
    roll(at, RED_RICE)  # by 0
    for seat in (0, 2):
        at.do(seat, "grab", squeak=False).do(seat, "name", thief="ant")
    at.do(1, "pass")
    assert at.to_move() == [2]
    assert at.refusal(2, "pass") == "give_first"
    at.do(2, "give", tile=list(TILES[2]))
    roll(at, RED_RICE).do(0, "grab", squeak=True).do(0, "name", thief="ant")  # by 1
    at.do(1, "pass").do(2, "slap", tile=RED_RICE)
    assert at.to_move() == [NATURE]
    assert whys(at) == ["after_the_decision", None, "right_first"]


def test_with_a_clock_nobody_passes() -> None:
    """[K24] [K8] To do nothing is to let the time pass."""
    assert roll(table(), RED_RICE).refusal(0, "pass") == "clock_runs"
    with pytest.raises(game.BadStart, match="the house rule `calm` must be true or false"):
        kakerlaken.start(3, {"calm": 1})
