"""Sushizock im Gockelwok, rule by rule."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from tests.tables import Table
from tischlein import game
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.rules import FACES, Keep, Roll

SUSHI = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
BONES = [-1, -2, -1, -2, -1, -3, -1, -2, -4, -1, -2, -3]
LUC, NICK, SOPHIA = 0, 1, 2
S, B, U, R = FACES


def table(seats: int = 3, starter: int = 0, **options: Any) -> Table:
    """Deal the same rows as the worked examples do."""
    laid = Table("sushizock", seats, **options)
    return laid.nature("deal", sushi=SUSHI, bones=BONES, starter=starter)


def roll(at: Table, *dice: str) -> Table:
    """Let nature roll."""
    return at.nature("roll", dice=list(dice))


def take(at: Table, row: str, *dice: str) -> Table:
    """Roll and take at once."""
    roll(at, *dice)
    return at.do(at.to_move()[0], "take", row=row)


def position(**fields: Any) -> sushizock.State:
    """Make a position in the middle of a game."""
    seats = len(fields["piles"])
    return sushizock.State(seats, sushizock.Options(), turn=fields.pop("turn", 0), **fields)


def test_dice_and_their_rolls() -> None:
    """[S1] Two sushi, two bones, one blue, one red: 1,024 ways, 56 different rolls."""
    assert sorted(sushizock.DIE) == sorted([S, S, B, B, U, R])
    rolls = dict(sushizock.chances(table().state))
    assert len(rolls) == 56
    assert sum(rolls.values()) == 1
    assert rolls[Roll((U,) * 5)] == Fraction(1, 6**5)
    assert rolls[Roll((S, S, B, U, R))] == Fraction(60 * 2 * 2 * 2, 6**5)
    assert [len(sushizock.rolls_of(n)) for n in range(1, 6)] == [4, 10, 20, 35, 56]


def test_tiles() -> None:
    """[S2] [S3] Twelve sushi and twelve bones, shuffled apart, face up."""
    assert sorted(sushizock.SUSHI) == SUSHI
    assert sorted(sushizock.BONES) == sorted(BONES)
    view = table().view(LUC)
    assert view["rows"] == {"sushi": SUSHI, "bones": BONES}
    other = Table("sushizock", 2)
    assert other.refusal(NATURE, "deal", sushi=[6] * 12, bones=BONES, starter=0) == "wrong_tiles"
    assert other.refusal(NATURE, "deal", sushi=SUSHI, bones=SUSHI, starter=0) == "wrong_tiles"
    assert other.refusal(NATURE, "roll", dice=[S] * 5) == "deal_first"
    assert table().refusal(NATURE, "deal", sushi=SUSHI, bones=BONES, starter=0) == "dealt_already"


def test_turns_go_clockwise() -> None:
    """[S4] The starter is drawn or named; play goes clockwise."""
    at = table(seats=3, starter=2)
    for seat in (2, 0, 1, 2):
        assert at.view()["turn"] == seat
        take(at, "sushi", S, B, B, U, R)
    roll(at, S, B, B, U, R)
    assert at.refusal(2, "take", row="sushi") == "not_your_turn"
    assert at.refusal(7, "take", row="sushi") == "no_seat"
    drawn = {sushizock.draw(sushizock.start(3), Quick(seed)) for seed in range(50)}
    assert {getattr(deal, "starter", None) for deal in drawn} == {0, 1, 2}


def test_at_most_three_rolls() -> None:
    """[S5] The first rolls all five dice; after the third no dice can be kept."""
    at = table()
    assert at.refusal(NATURE, "roll", dice=[S] * 4) == "wrong_number_of_dice"
    roll(at, S, S, B, U, R).do(LUC, "keep", dice=[U])
    assert at.refusal(NATURE, "roll", dice=[S] * 5) == "wrong_number_of_dice"
    roll(at, S, S, B, R).do(LUC, "keep", dice=[R])
    roll(at, S, S, B)
    assert at.view()["dice"] == {"aside": [U, R], "rolled": [S, S, B], "rolls_left": 0}
    assert at.refusal(LUC, "keep", dice=[S]) == "no_roll_left"
    assert not any(move["do"] == "keep" for move in at.legal(LUC))


def test_a_portion_ends_the_turn() -> None:
    """[S6] After any roll one portion may be taken; that ends the turn."""
    at = take(table(), "sushi", S, S, B, U, R)
    assert at.view()["turn"] == NICK
    assert at.to_move() == [NATURE]
    assert at.view()["dice"] == {"aside": [], "rolled": [], "rolls_left": 3}


def test_keeping_dice() -> None:
    """[S7] At least one of the dice just rolled is set aside; all dice count together."""
    at = roll(table(), S, S, B, U, R)
    assert at.refusal(LUC, "keep", dice=[]) == "keep_one"
    assert at.refusal(LUC, "keep", dice=[S, S, S]) == "keep_not_rolled"
    assert at.refusal(LUC, "keep", dice=[R, U, B, S, S]) == "keep_not_all"
    at.do(LUC, "keep", dice=[S, U])
    assert at.to_move() == [NATURE]
    roll(at, S, B, B)
    assert at.refusal(LUC, "keep", dice=[U]) == "keep_not_rolled"
    assert at.view()["dice"]["aside"] == [S, U]
    at.do(LUC, "take", row="sushi")
    assert at.view()["piles"][LUC]["sushi"] == [1], "two sushi in all: the second of the row"
    assert at.view()["rows"]["sushi"] == [1, *SUSHI[2:]]


def test_all_ways_to_keep_are_listed() -> None:
    """[S7] Ways to keep are choices of faces: of 2, 1, 1, 1 dice 24, less none and all."""
    at = roll(table(), S, S, B, U, R)
    kept = [tuple(move["dice"]) for move in at.legal(LUC) if move["do"] == "keep"]
    assert len(kept) == len(set(kept)) == 3 * 2 * 2 * 2 - 2
    assert Keep((S, B)) in sushizock.legal(at.state, LUC)


def test_a_single_die_ends_the_rolling() -> None:
    """[S8] Who rolls a single die in the second roll has no third one."""
    at = roll(table(), S, S, B, U, R).do(LUC, "keep", dice=[S, S, B, U])
    roll(at, R)
    assert at.view()["dice"]["rolls_left"] == 0
    assert at.refusal(LUC, "keep", dice=[R]) == "no_roll_left"
    assert {move["do"] for move in at.legal(LUC)} == {"take"}


def test_who_can_roll_must_not_stop_without_a_portion() -> None:
    """[S9] With a roll left there is no ending the turn; after the last a portion must be taken."""
    at = roll(table(), R, R, U, U, R)
    assert {move["do"] for move in at.legal(LUC)} == {"keep"}
    assert at.refusal(LUC, "forced") == "not_forced_yet"
    at.do(LUC, "keep", dice=[R])
    roll(at, S, U, U, B).do(LUC, "keep", dice=[U])
    roll(at, S, B, B)
    assert {move["do"] for move in at.legal(LUC)} == {"take"}


def test_sushi_by_number() -> None:
    """[S10] With n sushi dice the n-th sushi, no other; not if the row is shorter."""
    for n in range(1, 6):
        at = take(table(), "sushi", *[S] * n, *[B] * (5 - n))
        assert at.view()["piles"][LUC]["sushi"] == [SUSHI[n - 1]]
    at = roll(table(), B, B, U, U, R)
    assert at.refusal(LUC, "take", row="sushi") == "no_sushi_dice"
    short = position(sushi=(4,), bones=(-1,), piles=(((), ()), ((), ())), rolled=(2, 1, 1, 1))
    with pytest.raises(game.IllegalMove, match=r"ask for sushi number two; .* has one"):
        sushizock.play(short, 0, sushizock.Take("sushi"))


def test_bones_by_number() -> None:
    """[S11] The same with bones."""
    for n in range(1, 6):
        at = take(table(), "bones", *[B] * n, *[S] * (5 - n))
        assert at.view()["piles"][LUC]["bones"] == [BONES[n - 1]]
    at = roll(table(), S, S, U, U, R)
    assert at.refusal(LUC, "take", row="bones") == "no_bones_dice"


def test_gaps_close_up() -> None:
    """[S12] The tiles to the right move left."""
    at = take(table(), "bones", B, B, B, S, U)
    assert at.view()["rows"]["bones"] == BONES[:2] + BONES[3:]


def test_three_chopsticks_steal_the_top() -> None:
    """[S13] Three blue: the top sushi of one opponent; three red: the top bone."""
    at = take(take(table(), "sushi", S, B, U, U, R), "bones", B, S, S, U, R)
    roll(at, U, U, U, S, B)
    assert {"do": "steal", "pile": "sushi", "from": LUC, "depth": 1} in at.legal(SOPHIA)
    assert at.refusal(SOPHIA, "steal", pile="bones", frm=NICK) == "few_red"
    at.do(SOPHIA, "steal", pile="sushi", frm=LUC, depth=1)
    assert at.view()["piles"][SOPHIA] == {"sushi": [1], "bones": []}
    roll(at, R, R, R, S, S)
    assert at.refusal(LUC, "steal", pile="sushi", frm=SOPHIA) == "few_blue"
    at.do(LUC, "steal", pile="bones", frm=NICK, depth=1)
    assert at.view()["piles"][LUC] == {"sushi": [], "bones": [-1]}


def test_the_reason_counts_chopsticks() -> None:
    """[S13] A refusal says what is needed and what is there."""
    at = take(table(), "sushi", S, B, U, U, R)
    roll(at, U, U, S, S, B)
    with pytest.raises(game.IllegalMove) as refused:
        at.do(NICK, "steal", pile="sushi", frm=LUC, depth=1)
    assert str(refused.value) == ("you need three blue chopsticks to steal a sushi; you have two")
    assert (refused.value.code, refused.value.fields) == ("few_blue", {"have": 2})


@pytest.mark.parametrize("extra", [S, U])
def test_four_or_five_steal_any(extra: str) -> None:
    """[S14] Four or five of one colour: any tile of that pile, named by its depth."""
    at = table(seats=2)
    for dice in ((S, B, B, U, R), (S, S, B, U, R), (S, S, S, U, R)):
        take(at, "sushi", *dice)
        take(at, "bones", B, S, S, U, R)
    take(at, "bones", B, S, S, U, R)
    assert at.view()["piles"][LUC]["sushi"] == [1, 2, 3]
    roll(at, U, U, U, U, extra)
    steals = [move for move in at.legal(NICK) if move["do"] == "steal"]
    assert [move["depth"] for move in steals] == [1, 2, 3]
    at.do(NICK, "steal", pile="sushi", frm=LUC, depth=2)
    assert at.view()["piles"][LUC]["sushi"] == [1, 3]
    assert at.view()["piles"][NICK]["sushi"] == [2]


def test_steals_need_a_tile_and_an_opponent() -> None:
    """[S15] The pile must have the tile, and nobody steals from themselves."""
    at = take(take(table(), "sushi", S, B, U, U, R), "sushi", S, B, U, U, R)
    roll(at, U, U, U, U, B)
    assert at.refusal(SOPHIA, "steal", pile="sushi", frm=SOPHIA) == "not_from_yourself"
    assert at.refusal(SOPHIA, "steal", pile="sushi", frm=LUC, depth=2) == "pile_short"
    assert at.refusal(SOPHIA, "steal", pile="sushi", frm=3) == "no_victim"
    assert at.refusal(SOPHIA, "steal", pile="sushi", frm=-1) == "no_victim"
    nobody = roll(table(), U, U, U, B, B)
    assert nobody.refusal(LUC, "steal", pile="sushi", frm=NICK) == "pile_empty"


def test_free_choice_among_claims() -> None:
    """[S16] Three red, a sushi, a bone (Nick's example): two takes or the steal, freely."""
    at = take(table(starter=LUC), "bones", B, S, S, U, R)
    roll(at, R, R, S, U, B).do(NICK, "keep", dice=[R, R])
    roll(at, U, S, R).do(NICK, "keep", dice=[R])
    roll(at, S, B)
    assert at.legal(NICK) == [
        {"do": "take", "row": "sushi"},
        {"do": "take", "row": "bones"},
        {"do": "steal", "pile": "bones", "from": LUC, "depth": 1},
    ]


def test_nick_may_take_or_roll_on() -> None:
    """[S6] [S10] [S11] Nick's first example: second sushi or third bone, or set dice aside."""
    at = roll(table(starter=NICK), S, S, B, B, B)
    assert at.legal(NICK)[:2] == [{"do": "take", "row": "sushi"}, {"do": "take", "row": "bones"}]
    at.do(NICK, "keep", dice=[B])
    assert at.to_move() == [NATURE]


def test_forced_take_of_the_worst_bone() -> None:
    """[S17] Luc's example: two sushi dice, one sushi left: he takes the −3, the −4 is gone."""
    state = position(
        sushi=(5,), bones=(), piles=(((1,), (-4,)), ((2,), (-1,)), ((3,), ())), rolled=(2, 0, 2, 1),
        rolls_left=0,
    )  # fmt: skip
    luc = replace(state, bones=(-2, -3, -1, -3))
    assert sushizock.legal(luc, 0) == (sushizock.FORCED,)
    taken = sushizock.play(luc, 0, sushizock.FORCED)
    assert taken.bones == (-2, -1, -3), "among equals the leftmost"
    assert taken.piles[0] == ((1,), (-4, -3))
    smallest = replace(state, sushi=(4, 2, 2), rolled=(0, 1, 2, 2))
    taken = sushizock.play(smallest, 0, sushizock.FORCED)
    assert taken.sushi == (4, 2)
    assert taken.piles[0] == ((1, 2), (-4,))


def test_forced_only_when_nothing_else() -> None:
    """[S18] No forced take while a claim or a roll is there, a steal included."""
    state = position(
        sushi=(5,), bones=(-1,), piles=(((), ()), ((2,), ())), rolled=(0, 0, 3, 2), rolls_left=0
    )
    assert [type(move).__name__ for move in sushizock.legal(state, 0)] == ["Steal"]
    with pytest.raises(game.IllegalMove, match="allow you to take or steal"):
        sushizock.play(state, 0, sushizock.FORCED)


def test_covered_tiles_are_hidden() -> None:
    """[S19] Only the top of each pile is shown, to its owner too; the house rule opens all."""
    for options, shown in (({}, [None, 2]), ({"open_piles": True}, [1, 2])):
        at = table(seats=2, **options)
        take(at, "sushi", S, B, B, U, R)
        take(at, "bones", B, S, S, U, R)
        take(at, "sushi", S, S, B, U, R)
        assert at.view()["piles"][LUC]["sushi"] == [1, 2]
        for viewer in (LUC, NICK, None):
            assert at.view(viewer)["piles"][LUC]["sushi"] == shown
            standing = sushizock.standing(at.state, viewer)
            assert standing == ((0, -1) if options else None)


def test_the_last_portion_ends_the_game() -> None:
    """[S20] The game ends at once with both rows empty; a steal never ends it."""
    state = position(
        sushi=(5,), bones=(), piles=(((), (-1,)), ((2,), ())), rolled=(1, 0, 3, 1), rolls_left=1
    )
    stolen = sushizock.play(state, 0, sushizock.Steal("sushi", 1))
    assert sushizock.to_move(stolen) == (NATURE,)
    ended = sushizock.play(state, 0, sushizock.Take("sushi"))
    assert sushizock.to_move(ended) == ()
    assert sushizock.winners(ended) == (0,)
    assert sushizock.view(ended, None).piles[0].sushi == (5,)
    with pytest.raises(game.IllegalMove, match="the game is over"):
        sushizock.play(ended, 1, sushizock.FORCED)


def test_the_rulebooks_scoring_example() -> None:
    """[S21] [S22] Luc 4, Nick 2, Sophia 6: surplus sushi drop from the top, bones all count."""
    luc = ((1, 4, 3, 4, 5), (-2, -2, -3, -1))
    nick = ((6, 2), (-1, -2, -3))
    sophia = ((6, 3, 2), (-1, -2))
    state = position(sushi=(), bones=(), piles=(luc, nick, sophia))
    assert sum(luc[0][:4]) == 12
    assert sushizock.scores(state) == (4, 2, 6)
    assert sushizock.winners(state) == (SOPHIA,)


def test_equal_scores_share() -> None:
    """[S22] Equal scores share the win."""
    state = position(sushi=(), bones=(), piles=(((3,), (-1,)), ((4,), (-2,)), ((), (-1,))))
    assert sushizock.scores(state) == (2, 2, -1)
    assert sushizock.winners(state) == (0, 1)


def test_sophias_turn() -> None:
    """[S7] [S14] Sophia's example: keeps blue, four in all, takes Nick's bottom sushi."""
    at = table(starter=NICK)
    take(at, "sushi", S, S, S, S, B)
    take(at, "bones", B, B, S, R, R)
    take(at, "bones", B, S, S, R, R)
    take(at, "sushi", S, S, S, S, S)
    roll(at, S, S, B, U, R)
    claims = [move for move in at.legal(SOPHIA) if move["do"] != "keep"]
    assert claims == [{"do": "take", "row": "sushi"}, {"do": "take", "row": "bones"}]
    at.do(SOPHIA, "keep", dice=[U])
    roll(at, U, U, S, B)
    assert {"do": "steal", "pile": "sushi", "from": NICK, "depth": 1} in at.legal(SOPHIA)
    at.do(SOPHIA, "keep", dice=[U, U])
    roll(at, U, S)
    assert at.legal(SOPHIA) == [
        {"do": "take", "row": "sushi"},
        {"do": "steal", "pile": "sushi", "from": NICK, "depth": 1},
        {"do": "steal", "pile": "sushi", "from": NICK, "depth": 2},
    ]
    at.do(SOPHIA, "steal", pile="sushi", frm=NICK, depth=2)
    assert at.view()["piles"][NICK]["sushi"] == [3]
    assert at.view()["piles"][SOPHIA]["sushi"] == [2]


def test_imagined_piles_are_drawn_fairly() -> None:
    """[S19] Of the tiles out of sight each is as likely under a cover as it is common."""
    piles = (((1, 5), ()), ((2, 6), ()))
    row = (1, 2, 3, 3, 4, 4, 5, 6)
    state = position(sushi=row, bones=sushizock.BONES, piles=piles)
    view = sushizock.view(state, 0)
    bottoms = [sushizock.imagine(view, Quick(seed)).piles[0][0][0] for seed in range(4000)]
    assert {bottom: round(bottoms.count(bottom) / 4000, 1) for bottom in set(bottoms)} == {
        1: 0.5,
        2: 0.5,
    }
