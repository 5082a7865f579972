"""What is told at the buffet: cards when all are shown, new ones to who holds them [B23]."""

from typing import Any

from tests.games.buffet.tables import FOUR, table
from tests.tables import Table
from tischlein.game import REFEREE, By, Viewer
from tischlein.games.buffet.news import deed, news
from tischlein.games.buffet.rules import Exchange, Play
from tischlein.words import in_language, worded

NAMES = ("Ada", "Bo", "Cleo", "Dan")
SAY = in_language("en", "buffet")


def told(at: Table, by: By, what: str, viewer: Viewer = None, **fields: Any) -> list[str]:
    """Play a move, and word what somebody is told of it."""
    before, make = at.state, {"play": Play, "exchange": Exchange}[what]
    at.do(by, what, **fields)
    return [worded(one, NAMES, SAY) for one in news(before, by, make(**fields), at.state, viewer)]


def test_nothing_is_told_before_all_have_laid_a_card() -> None:
    at = table(*FOUR)
    for seat in (3, 1, 0):
        assert told(at, seat, "play", REFEREE, card=5) == []
    assert told(at, 2, "play", card=4) == [
        "Ada plays 5 → 5, Bo plays 5 → 5, Cleo plays 4 → 4, Dan plays 5 → 5.",
        "Cleo is last and takes pizza 1.",
    ]


def test_level_mice_stay_and_the_same_reveal_is_told_again() -> None:
    at = table(*[[1, 1, 2, 2, 3, 3, 4, 4, 5]] * 3)
    for space in (1, 2):
        at.do(0, "play", card=1).do(1, "play", card=1)
        assert told(at, 2, "play", card=1) == [
            f"Ada plays 1 → {space}, Bo plays 1 → {space}, Cleo plays 1 → {space}.",
            f"Level at the back on {space}: Ada, Bo, Cleo. Nobody leaves.",
        ]


def test_new_cards_are_told_to_who_holds_them() -> None:
    at = table(*FOUR, stock=(9, 8))
    for seat, card in ((0, 5), (1, 5), (3, 5), (2, 4)):
        at.do(seat, "play", card=card)
    swap = {"cards": (0, -1)}
    for viewer, heard in ((None, []), (1, []), (2, ["Cleo draws: 8 9."])):
        copy = table(*FOUR, stock=(9, 8))
        copy.state = at.state
        assert told(copy, 2, "exchange", viewer, **swap) == [
            "Cleo leaves first and swaps cards (2).",
            *heard,
        ]
    assert told(at, 2, "exchange", REFEREE, cards=()) == ["Cleo leaves first and swaps no cards."]


def test_the_last_two_settle_the_round() -> None:
    at = table(*FOUR)
    play_all(at, 9, 8, 6, 5)
    at.do(3, "exchange", cards=[])
    play_all(at, 5, 5, 5)
    heard = told(play_all(at, 1), 1, "play", 0, card=1)
    assert heard[:-1] == [
        "Ada plays 1 → 15, Bo plays 1 → 14.",
        "Bo is last and gets nothing.",
        "Ada is ahead and takes cheese 5.",
        "Round 1 is over.",
    ]
    assert heard[-1].startswith("Ada draws: ")


def test_three_run_on_in_the_second_part() -> None:
    """[B21]"""
    at = table(*FOUR[:3])
    play_all(at, 9, 8, 6)
    at.do(2, "exchange", cards=[]).do(0, "play", card=5)
    assert told(at, 1, "play", card=5)[1:] == [
        "Bo is last and takes cheese −1.",
        "Ada is ahead and takes pizza 1.",
        "Part 2: all three run on from where they stand, for the two best plates.",
    ]


def play_all(at: Table, *cards: int) -> Table:
    for seat, card in enumerate(cards):
        at.do(seat, "play", card=card)
    return at


def test_moves_as_advice() -> None:
    texts = [worded(deed(move), NAMES, SAY) for move in (Play(-1), Exchange((-1, 3)), Exchange(()))]
    assert texts == ["lay the −1", "swap −1 3", "swap no cards"]
