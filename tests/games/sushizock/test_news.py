"""[S19] in what is told: each tile when it is taken, and no more when it lies covered."""

from typing import Any

import pytest

from tests.games.sushizock.stories import Story, three_rolls
from tests.memory import Moves, twins
from tischlein.game import REFEREE, News, Viewer
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.news import deed
from tischlein.games.sushizock.rules import FORCED, Keep, State, Steal, Take
from tischlein.words import in_language, worded
from tischlein.words.news import story

NAMES = ("Ada", "Bo", "Cleo")


def states_of(moves: Moves, seats: int, **options: Any) -> list[State]:
    states = [sushizock.start(seats, options)]
    for by, move in moves:
        states.append(sushizock.play(states[-1], by, move))
    return states


def told(table: Story, seats: int, viewer: Viewer = None, **options: Any) -> list[str]:
    news = story(sushizock, states_of(table.moves, seats, **options), table.moves, viewer)
    return [worded(one, NAMES, in_language("en", "sushizock")) for one in news]


def test_a_turn_is_told_and_its_dice_fade_with_it() -> None:
    table = Story(2)
    table.nature("roll", dice=["sushi", "red", "red", "bones", "red"])
    table.do(0, "keep", dice=["sushi", "red", "red"]).nature("roll", dice=["sushi", "blue"])
    assert told(table, 2) == [
        "The rows are laid out. Ada starts.",
        "Ada rolls sushi, fishbone, red chopsticks ×3.",
        "Ada keeps sushi, red chopsticks ×2.",
        "Ada rolls sushi, blue chopsticks.",
    ]
    table.do(0, "take", row="sushi")
    assert told(table, 2)[1:] == ["Ada takes a sushi: +2."]


def test_a_tile_is_told_until_it_is_covered_or_stolen() -> None:
    table = Story(2).turn("sblrr", "take", row="sushi").turn("sblrr", "take", row="bones")
    assert told(table, 2)[1:] == ["Ada takes a sushi: +1.", "Bo takes a bone: −1."]
    table.turn("sblrr", "take", row="sushi")
    assert told(table, 2)[1:] == [
        "Ada takes a sushi.",
        "Bo takes a bone: −1.",
        "Ada takes a sushi: +2.",
    ]
    table.turn("lllls", "steal", pile="sushi", frm=0, depth=2)
    assert told(table, 2)[1:] == [
        "Ada takes a sushi.",
        "Bo takes a bone: −1.",
        "Ada takes a sushi.",
        "Bo steals a covered sushi from Ada: +1.",
    ]
    table.turn("lllrs", "steal", pile="sushi", frm=1, depth=1)
    assert told(table, 2)[-2:] == [
        "Bo steals a sushi from Ada.",
        "Ada steals the top sushi from Bo: +1.",
    ]


@pytest.mark.parametrize("viewer", [REFEREE, None, 0])
def test_the_referee_and_open_piles_forget_nothing(viewer: Viewer) -> None:
    options = {} if viewer == REFEREE else {"open_piles": True}
    table = Story(2).turn("sblrr", "take", row="sushi").turn("sblrr", "take", row="sushi")
    table.turn("sblrr", "take", row="sushi")
    heard = told(table, 2, viewer, **options)
    assert len(heard) == 7
    assert "Ada takes a sushi: +1." in heard


def test_who_is_forced_takes_a_bone_or_without_bones_a_sushi() -> None:
    table = Story(2)
    for _ in range(11):
        table.turn("sblrr", "take", row="bones")
    for _ in range(10):
        table.turn("sblrr", "take", row="sushi")
    three_rolls(table).do(1, "forced")
    assert told(table, 2)[-1] == "Nothing fits: Bo must take −1."
    three_rolls(table).do(0, "forced")
    assert told(table, 2)[-1] == "Nothing fits: Ada must take +5."


@pytest.mark.parametrize("seats", [2, 4])
def test_a_story_tells_nothing_of_what_lies_covered(seats: int) -> None:
    """At many moments: swap covered tiles in the deal; the story stays the same to the letter."""
    pairs = [pair for pair in twins(seats, 1) if pair is not None][::7]
    assert len(pairs) > 5
    for pair in pairs:
        here, there = (
            [story(sushizock, states_of(moves, seats), moves, who) for who in (None, 0, REFEREE)]
            for moves in pair.moves
        )
        assert stripped(here[:2]) == stripped(there[:2])
        assert here[2] != there[2]


def stripped(stories: list[list[News]]) -> list[list[tuple[str, Any]]]:
    return [[(news.key, news.fields) for news in one] for one in stories]


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Keep(("red", "sushi", "red")), "keep sushi, red chopsticks ×2 and roll the rest"),
        (Take("bones"), "take the bone from the row"),
        (Steal("sushi", 1, 1), "steal the top sushi from Bo"),
        (Steal("bones", 2, 3), "steal bone number 3 from the top of Cleo's pile"),
        (FORCED, "take the worst portion"),
    ],
)
def test_moves_as_advice(move: Any, text: str) -> None:
    assert worded(deed(move), NAMES, in_language("en", "sushizock")) == text
