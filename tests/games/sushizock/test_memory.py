"""[S19] over time: what is told of a running game tells no tile that lies covered now."""

from typing import Any

import pytest

from tests.games.sushizock.stories import ROWS, Story, three_rolls, told
from tests.memory import KINDS, Moves, Places, twins
from tests.tables import random_game
from tischlein.game import REFEREE
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.rules import Kind, State

NO_ROWS = {"sushi": [None] * 12, "bones": [None] * 12}
HIDDEN_DEAL = {"by": "nature", "do": "deal", **NO_ROWS, "starter": 0}


@pytest.mark.parametrize("seats", sushizock.SEATS)
def test_who_comes_later_hears_nothing_of_what_lies_covered(seats: int) -> None:
    """At every moment: swap covered tiles in the deal; what is told stays the same to the byte."""
    found = [pair for seed in range(3) for pair in twins(seats, seed)]
    pairs = [pair for pair in found if pair is not None]
    assert len(pairs) > len(found) / 2 > 30  # in the others a forced take went another way
    for pair in pairs:
        moves = len(pair.moves[0])
        for since in (0, moves // 2, moves - 1):
            for viewer in (None, *range(seats)):
                here, there = (
                    told(moves, since, state, viewer)
                    for moves, state in zip(pair.moves, pair.states, strict=True)
                )
                assert here == there


@pytest.mark.parametrize("seats", sushizock.SEATS)
def test_what_can_be_seen_is_told(seats: int) -> None:
    """Each tile on top is told with all that brought it there, and no other claim is."""
    for seed in range(4):
        moves: Moves = []
        places = Places(seats)
        journeys: dict[tuple[str, int], set[int]] = {}
        for before, by, move, after in random_game("sushizock", seats, seed):
            places.follow(before, by, move)
            moves.append((by, move))
            if after.turn != before.turn and before.turn is not None:
                mine = places.piles[int(by)]
                kind = next(k for k in KINDS if len(mine[k]) > len(pile_of(before, int(by), k)))
                journeys.setdefault((kind, mine[kind][-1]), set()).add(len(moves) - 1)
            if not sushizock.to_move(after):
                break
            tops = [(k, pile[k][-1]) for pile in places.piles for k in KINDS if pile[k]]
            seen = sushizock.retold(moves, 0, after, None)
            heard = {at for at, one in enumerate(seen) if one and one["do"] in ("take", "steal")}
            heard |= {at for at, one in enumerate(seen) if one and one["do"] == "forced"}
            assert heard == set().union(*(journeys[top] for top in tops))


def pile_of(state: State, seat: int, kind: Kind) -> tuple[int, ...]:
    return state.piles[seat][KINDS.index(kind)]


def test_the_first_turn_is_told_whole() -> None:
    story = Story()
    story.nature("roll", dice=["sushi", "bones", "blue", "red", "red"])
    assert story.told() == [
        {"by": "nature", "do": "deal", **ROWS},
        {"by": "nature", "do": "roll", "dice": ["sushi", "bones", "blue", "red", "red"]},
    ]


def test_dice_and_deal_fade_with_the_turn_and_the_claim_when_it_is_covered() -> None:
    story = Story(2).turn("sblrr", "take", row="sushi")
    assert story.told() == [
        HIDDEN_DEAL,
        {"by": "nature", "do": "roll", "dice": [None] * 5},
        {"by": 0, "do": "take", "row": "sushi"},
    ]
    story.turn("sblrr", "take", row="bones").nature("roll", dice=["sushi"] + ["red"] * 4)
    story.do(0, "keep", dice=["sushi", "red"]).nature("roll", dice=["bones", "blue", "blue"])
    assert story.claims() == ["take", "take"]
    assert story.told()[-3:] == [
        {"by": "nature", "do": "roll", "dice": ["sushi", "red", "red", "red", "red"]},
        {"by": 0, "do": "keep", "dice": ["sushi", "red"]},
        {"by": "nature", "do": "roll", "dice": ["bones", "blue", "blue"]},
    ]
    story.do(0, "take", row="sushi")
    assert story.claims() == [None, "take", "take"]
    assert {"by": 0, "do": "keep", "dice": [None, None]} in story.told()
    assert story.told()[2] == {"by": 0, "do": None}


def test_a_steal_uncovers_moves_and_covers_again() -> None:
    """Two equal tiles are two tiles: their way is followed by place, not by value."""
    story = Story(2).turn("sblrr", "take", row="sushi").turn("sblrr", "take", row="bones")
    story.turn("sssss", "take", row="sushi").turn("sblrr", "take", row="sushi")
    assert story.claims() == [None, "take", "take", "take"]
    story.turn("sblrr", "take", row="bones")
    story.turn("lllrr", "steal", pile="sushi", frm=0, depth=1)
    assert story.claims() == ["take", "take", "take", None, "take", "steal"]
    assert story.told()[-1] == {"by": 1, "do": "steal", "pile": "sushi", "from": 0, "depth": 1}
    story.turn("lllls", "steal", pile="sushi", frm=1, depth=2)
    assert story.claims() == [None, "take", "take", "take", "take", "steal", "steal"]


def test_a_forced_take_is_told_while_its_tile_is_in_sight() -> None:
    story = Story(2)
    for _ in range(11):
        story.turn("sblrr", "take", row="bones")
    for _ in range(10):
        story.turn("sblrr", "take", row="sushi")
    three_rolls(story).do(1, "forced")
    assert story.told()[-1] == {"by": 1, "do": "forced"}
    assert pile_of(story.state, 1, "bones")[-1] == -1
    three_rolls(story).do(0, "forced")
    assert len(story.state.sushi) == 1
    assert story.claims()[-2:] == ["forced", "forced"]
    story.turn("rrrbb", "steal", pile="bones", frm=0, depth=1)
    assert story.claims()[-3:] == [None, "forced", "steal"]


def test_only_the_latest_moves_are_told_as_of_now_too() -> None:
    """Who was away for a while, or reads slowly, hears only what still can be seen."""
    story = Story(2).turn("sblrr", "take", row="sushi").turn("sblrr", "take", row="sushi")
    story.turn("sblrr", "take", row="sushi")
    assert story.told(since=3) == [
        {"by": "nature", "do": "roll", "dice": [None] * 5},
        {"by": 1, "do": "take", "row": "sushi"},
        {"by": "nature", "do": "roll", "dice": [None] * 5},
        {"by": 0, "do": "take", "row": "sushi"},
    ]
    assert story.told(since=2)[0] == {"by": 0, "do": None}
    assert story.told(since=7) == []


@pytest.mark.parametrize("viewer", [REFEREE, None, 0])
def test_open_piles_the_referee_and_the_end_tell_all(viewer: Any) -> None:
    moves: Moves = []
    for _, by, move, state in random_game("sushizock", 3, 5, open_piles=viewer != REFEREE):
        moves.append((by, move))
        assert sushizock.retold(moves, 0, state, viewer) == [
            sushizock.seen(by, move, viewer) for by, move in moves
        ]


def test_after_the_end_the_whole_story_is_told() -> None:
    played = list(random_game("sushizock", 3, 5))
    moves = [(by, move) for _, by, move, _ in played]
    state = played[-1][-1]
    assert sushizock.retold(moves, 0, state, None) == [
        sushizock.seen(by, move, None) for by, move in moves
    ]
    assert None in [
        one["do"] for one in sushizock.retold(moves[:-1], 0, played[-1][0], None) if one
    ]
