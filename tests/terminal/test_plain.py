"""A game without a board of its own, in the terminal: its view line by line, its moves in words."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Struct, UnsetType

from tests.own import on_the_shelf
from tischlein.bots import Turn
from tischlein.game import Move, Timed
from tischlein.terminal.plain import Plain
from tischlein.terminal.talk import Talk
from tischlein.words import in_language

NAMES = ("Ada", "Bo")


class Swap(Move, frozen=True):
    """A move with fields, for which the game has no words."""

    victim: int = msgspec.field(name="from")
    cards: tuple[int, ...] = (3, -1)


class Pass(Move, frozen=True):
    """A move for which the game has words."""


class Slap(Timed, frozen=True):
    """A deed in a race."""

    at: float | UnsetType = UNSET


class View(Struct, frozen=True):
    """What somebody sees."""

    played: dict[int, bool]
    market: dict[str, int]
    options: dict[str, int]

    turn: int | None = 1
    dice: tuple[int, ...] = (5, 2)
    banked: tuple[int, ...] = (12, -3)
    hands: tuple[tuple[int | None, ...], ...] = ((1, 2), (None, None))
    best: int | None = None


VIEW = View({0: True}, {"red_fish": 2}, {"starter": 0})


@pytest.fixture(autouse=True)
def game(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A game from outside with some words."""
    words = {"field.market": "For sale", "deed.pass": "pass on"}
    german = {"field.market": "Zu kaufen"}
    return on_the_shelf(monkeypatch, "fish", WORDS={"en": words, "de": german})


def test_a_view_is_shown_line_by_line(game: Any) -> None:
    shown = Plain(game).board(VIEW, NAMES, in_language("en", "fish"))
    assert shown.split("\n") == [
        "Played",
        "  Ada: ✓",
        "For sale",
        "  Red fish: 2",
        "Bo's turn",
        "Dice: 5 2",
        "Banked",
        "  Ada: 12",
        "  Bo: −3",
        "Hands",
        "  Ada: 1 2",
        "  Bo: ? ?",
        "Best: –",
    ]
    assert "Zu kaufen" in Plain(game).board(VIEW, NAMES, in_language("de", "fish"))


def test_the_game_says_what_a_field_is(game: Any) -> None:
    game.LOOK = {"dice": "players", "banked": "pile"}
    shown = Plain(game).board(VIEW, NAMES, in_language("en", "fish"))
    assert "Dice\n  Ada: 5\n  Bo: 2\nBanked: 12 −3\n" in shown


def test_moves_are_numbered_and_in_words(game: Any) -> None:
    said: list[str] = []
    talk = Talk("en", "fish", said.append, lambda question: "2")
    turn = Turn(0, VIEW, [Pass(), Swap(1), Slap()])
    assert Plain(game).ask(turn, NAMES, talk) == Swap(1)
    assert said[-4:] == [
        "Ada, what will you do?",
        "  1  pass on",
        "  2  swap (from Bo, cards 3 −1)",
        "  3  slap",
    ]


def test_in_a_race_the_clock_runs(game: Any) -> None:
    talk = Talk("en", "fish", lambda text: None, lambda question: "1")
    talk.clock = lambda: 432.1  # type: ignore[method-assign]
    assert Plain(game).ask(Turn(0, VIEW, [Slap()]), NAMES, talk) == Slap(432.1)


def test_the_aim_is_told_where_there_are_words_for_it(game: Any) -> None:
    assert Plain(game).aim(VIEW, in_language("en", "fish")) == ""
    game.WORDS["en"]["aim"] = "Catch the fish."
    assert Plain(game).aim(VIEW, in_language("de", "fish")) == "Catch the fish."
