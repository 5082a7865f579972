"""Who types needs longer than a hand at a table: the bots wait, and the race lasts longer."""

from typing import Any

import pytest

from tischlein import game_named
from tischlein.bots import Answer, Turn
from tischlein.chance import Quick
from tischlein.game import Move, OpenRace, Timed
from tischlein.terminal.pace import PACES, slowed, with_times


class Slap(Timed, frozen=True):
    """A deed in a race."""

    at: float


class Pass(Move, frozen=True):
    """A deed in no race."""


@pytest.mark.parametrize(
    ("move", "race", "done"),
    [
        (Slap(400.0), OpenRace(8000), Slap(1000.0)),
        (Slap(4000.0), OpenRace(8000), None),
        (Slap(400.0), OpenRace(8000, {2: 300.0}), Slap(400.0)),
        (Pass(), OpenRace(8000), Pass()),
        (Slap(400.0), None, Slap(400.0)),
    ],
)
def test_bots_act_more_slowly_but_their_next_word_comes_as_ever(
    move: Any, race: OpenRace | None, done: Any
) -> None:
    bot = slowed(lambda turn, rng: Answer(move), PACES["medium"], lambda: race)
    assert bot(Turn(2, None, []), Quick(1)).move == done


def test_a_slow_race_lasts_as_long_as_the_house_rules_offer() -> None:
    rules = game_named("kakerlaken")
    assert with_times(rules, {}, PACES["slow"]) == {"race_ms": 20_000, "naming_ms": 8_000}
    assert with_times(rules, {"race_ms": 5000}, PACES["slow"])["race_ms"] == 5000
    assert with_times(rules, {"young": True}, PACES["quick"]) == {"young": True}
    assert with_times(game_named("buffet"), {}, PACES["slow"]) == {}
