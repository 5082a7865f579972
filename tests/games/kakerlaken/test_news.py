"""What is told of races: nothing before they are over [K23]; the terminal adds the photo finish."""

from typing import Any

import pytest

from tests.games.kakerlaken.tables import (
    GREEN_RICE,
    RED_CHOPSTICKS,
    RED_RICE,
    grab,
    owned_by,
    roll,
    table,
    win,
)
from tests.tables import Table
from tischlein.game import NATURE, REFEREE, By, Viewer
from tischlein.games.kakerlaken import news, terminal
from tischlein.games.kakerlaken.rules import TIME, Give, Grab, Name, Slap, Tile
from tischlein.words import in_language, worded
from tischlein.words.news import Tell

NAMES = ("Ada", "Bo", "Cleo")
SAY = in_language("en", "kakerlaken")


def told(at: Table, by: By, move: Any, viewer: Viewer = None, tell: Tell = news.news) -> list[str]:
    """Play a move, and word what somebody is told of it."""
    before = at.state
    at.state = at.rules.play(at.state, by, move)
    return [worded(one, NAMES, SAY) for one in tell(before, by, move, at.state, viewer)]


@pytest.mark.parametrize("viewer", [0, None, REFEREE])
def test_an_open_race_tells_nothing(viewer: Viewer) -> None:
    at = roll(table(), RED_RICE)
    assert told(at, 0, Slap(("rice", "red"), 400.0), viewer) == []
    assert told(at, 1, Grab(True, 500.0), viewer, terminal.news) == []
    assert told(at, 1, Name("rat", 700.0), viewer, terminal.news) == []
    assert told(at, NATURE, TIME, viewer) == ["Ada wins the tile."]


def test_the_outcomes() -> None:
    assert told(roll(table(), RED_RICE), NATURE, TIME) == ["Nobody was right."]
    assert told(owned_by(1), NATURE, TIME) == [
        "Nobody grabbed the master, not even Bo: the tile goes back to the middle, no coin."
    ]
    at = grab(owned_by(1), 0, 500, False, "ant")
    assert told(at, NATURE, TIME) == ["Ada takes the tile from Bo."]
    at = grab(owned_by(1), 0, 500, True, "ant")
    assert told(at, NATURE, TIME)[0].startswith("Ada got it wrong: Bo earns a fish coin")


def test_a_tile_given_back_is_told() -> None:
    at = roll(win(table(), 0, RED_CHOPSTICKS), GREEN_RICE)
    grab(at, 0, 500, False).nature("time")
    assert told(at, 0, Give(("chopsticks", "red"))) == [
        "Ada grabbed the master instead of slapping, and gives the tile “red chopsticks” back."
    ]


def test_the_photo_finish_in_the_terminal() -> None:
    at = roll(table(), RED_RICE).do(0, "slap", tile=RED_RICE, at=812.0)
    at.do(2, "slap", tile=GREEN_RICE, at=640.0).do(1, "grab", squeak=True, at=900.0)
    assert told(at, 1, Name("rat", 1500.0), None, terminal.news) == [
        "     640 ms  Cleo slaps number 5",
        "     812 ms  Ada slaps number 4",
        "     900 ms  Bo grabs the master. Squeak!",
        "    1500 ms  Bo says: rat",
        "Right was number 4, without rice and without red.",
        "Ada wins the tile.",
    ]
    at = grab(owned_by(1), 0, 500, False, "ant")
    assert told(at, NATURE, TIME, None, terminal.news)[-2:] == [
        "The tile “red chopsticks” (thief: ant) lay in front of Bo. "
        "Right was the master: with a squeak for Bo, without for the others.",
        "Ada takes the tile from Bo.",
    ]


def test_moves_as_advice() -> None:
    rice: Tile = ("rice", "green")
    moves = (Slap(rice), Grab(False), Grab(True), Name("rat"), Give(rice))
    assert [worded(news.deed(move), NAMES, SAY) for move in moves] == [
        "slap the tile “green rice”",
        "grab the master softly",
        "grab the master with a squeak",
        "say: rat",
        "give the tile “green rice” back",
    ]
