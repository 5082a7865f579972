"""Games from outside: how they are read, what is filled in, and what is said of faults."""

import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.own import EXAMPLE, FIRST, changed_game, nothing_stays
from tischlein import game_named, game_names
from tischlein.cli import app
from tischlein.conformance import findings
from tischlein.game import NATURE, REFEREE, By, IllegalMove, Refusal
from tischlein.games import has_part, load_file, outside, part_of
from tischlein.games.small import one_of


@pytest.fixture(autouse=True)
def shelf() -> Iterator[None]:
    with nothing_stays():
        yield


def test_a_file_is_a_game() -> None:
    rules = load_file(EXAMPLE)
    assert rules is load_file(EXAMPLE) is game_named("two_dice")
    assert game_names()[-1] == "two_dice"
    assert list(findings(rules)) == []


def test_the_first_game_is_a_game(tmp_path: Path) -> None:
    rules = load_file(changed_game(tmp_path, name="mine"))
    assert rules.NAME == "mine"
    assert list(findings(rules)) == []


def test_its_parts_are_in_the_file_itself() -> None:
    load_file(EXAMPLE)
    words = part_of("two_dice", "words")
    assert words is not None
    assert words.WORDS["de"]["title"] == "Zwei Würfel"
    assert not has_part("two_dice", "batch")
    assert part_of("two_dice", "terminal") is None


def test_the_house_refuses_what_is_not_listed(tmp_path: Path) -> None:
    rules = load_file(changed_game(tmp_path))
    file = part_of("changed", "words")
    assert file is not None
    dealt = rules.play(rules.start(2), NATURE, file.Deal(1))
    rolled = rules.play(dealt, NATURE, file.Roll(6))
    full = rules.play(rolled, 1, file.Eat())
    full = rules.play(rules.play(rules.play(full, NATURE, file.Roll(1)), 0, file.Leave()), NATURE,
                      file.Roll(5))  # fmt: skip
    tries: list[tuple[By, Any, str]] = [
        (0, file.Eat(), "not_your_turn"),
        (1, file.Eat(), "not_now"),
        (1, file.Roll(3), "not_now"),
        (NATURE, file.Roll(3), "seats_first"),
        (5, file.Leave(), "no_seat"),
    ]
    for by, move, code in tries:
        with pytest.raises(IllegalMove) as refused:
            rules.play(full, by, move)
        assert refused.value.code == code
    for move in (file.Roll(7), file.Deal(0)):
        with pytest.raises(IllegalMove) as refused:
            rules.play(dealt, NATURE, move)
        assert refused.value.code == "not_by_chance"


def test_what_is_left_out_is_filled_in(tmp_path: Path) -> None:
    rules = load_file(changed_game(tmp_path))
    state = rules.start(2, {"starter": 1})
    assert sorted(rules.HAS) == ["turns"]
    assert rules.view(state, 0) is state
    assert rules.imagine(state, None) is state  # type: ignore[arg-type]
    assert rules.draw(state, Always(0)).starter == 1
    assert rules.legal(state, 1) == ()
    assert rules.winners(state) == ()
    assert rules.standing(state, None) == (0, 0)
    assert rules.waits_for(state, 0) == (NATURE,)
    assert rules.in_secret(state) == 0


def test_scores_wait_for_the_end_where_something_is_hidden(tmp_path: Path) -> None:
    hidden = "def view(state: State, viewer: object) -> State:\n    return state\n\n\n"
    hidden += "def imagine(view: State, rng: object) -> State:\n    return view\n\n\ndef scores("
    rules = load_file(changed_game(tmp_path, ("def scores(", hidden)))
    assert sorted(rules.HAS) == ["secrets", "turns"]
    assert rules.standing(rules.start(2), 0) is None
    assert rules.standing(rules.start(2), REFEREE) == (0, 0)


class Always:
    """Chance that is no chance."""

    def __init__(self, number: int) -> None:
        self.number = number

    def below(self, n: int, /) -> int:
        """Give the number."""
        assert self.number < n
        return self.number


def test_nature_draws_exactly_as_the_chances_say() -> None:
    listed = [("a", Fraction(1, 2)), ("b", Fraction(1, 3)), ("c", Fraction(1, 6))]
    drawn = Counter(one_of(listed, Always(number)) for number in range(6))
    assert drawn == {"a": 3, "b": 2, "c": 1}


MORE_FAULTS = {
    "syntax": (("def scores(", "def scores(("), "is not Python at line"),
    "no_name": (('NAME = "changed"', ""), "does not say how the game is called"),
    "bad_name": (('NAME = "changed"', 'NAME = "My Game"'), "must be a plain word"),
    "taken": (('NAME = "changed"', 'NAME = "buffet"'), "there is a game `buffet` already"),
    "crash": (("FULL = 10", "FULL = 1 / 0"), "fails at line 15: ZeroDivisionError"),
    "missing": (("def legal(", "def lawful("), "needs `legal`: legal(state, seat)"),
    "seats": (("range(2, 5)", "3"), "SEATS = 3: it must be a range"),
    "moves": (("class Eat(game.Move", "class Eat(Struct"), "is no tischlein.game.Move: Eat"),
    "state": (("class State(Struct, frozen=True)", "class State"), "a frozen msgspec.Struct"),
    "no_imagine": (("def scores(", "def view(s, v): ...\ndef scores("), "it also needs imagine"),
    "trait": (("FULL = 10", 'FULL = 10\nHAS = {"rain"}'), "there are turns, secrets, race"),
    "race": (("FULL = 10", 'FULL = 10\nHAS = {"race"}'), "it also needs race(state)"),
}


@pytest.mark.parametrize("fault", MORE_FAULTS)
def test_a_file_with_faults_gets_a_sentence(fault: str, tmp_path: Path) -> None:
    change, sentence = MORE_FAULTS[fault]
    file = changed_game(tmp_path, change)
    done = CliRunner().invoke(app, ["check", str(file)])
    assert done.exit_code == 1
    assert sentence in done.stderr
    assert str(file) in done.stderr
    assert "Traceback" not in done.output


MORE_FINDINGS = {
    "endless": (("if FULL in state.eaten", "if False"), "not over after 20,000 moves"),
    "no move": (("[Eat(), Leave()] if fits else [Leave()]", "[]"), "no legal move"),
    "twice": (("[Eat(), Leave()] if", "[Leave(), Leave()] if"), "lists a move of seat"),
    "chances": (("Roll(olives) for olives in range(1, 7)])", "Roll(1)]) * 2"), "sum to 2, not to"),
    "draw": (
        ("def play(", "def draw(state, rng):\n    return chances(state)[0][0]\n\n\ndef play("),
        "though its chance is 0.5",
    ),
    "starter": (("turn=starter", "turn=0"), "says that seat 1 starts, but it never does"),
    "changes": (("frozen=True):\n    \"\"\"The whole", "):\n    \"\"\"The whole"), "is not frozen"),
    "scores": (("return state.eaten", "return state.eaten[:1]"), "whole number for each of"),
    "winners": (("def scores(", "def winners(s): return (0,)\n\n\ndef scores("), "is not over"),
    "words": (('        "deed.eat": "eat the olives",\n', ""), "lacks `deed.eat`"),
    "crash": (("return pass_on(state, 0)", "return {}[0]"), "fails at line"),
    "tuple": (("return game.NOBODY", "return []"), "it must be a tuple"),
    "together": (("return (state.turn,) if", "return (0, 1) if"), "are to move at once"),
    "view": (
        ("def scores(", "def view(state, viewer) -> int:\n    return 7\n\n\n"
         "def imagine(view, rng):\n    return State(Options(), (0, 0))\n\n\ndef scores("),
        "tells seat 0 something that `view` hides",
    ),
}  # fmt: skip


@pytest.mark.parametrize("finding", MORE_FINDINGS)
def test_a_game_that_breaks_a_rule_gets_a_sentence(finding: str, tmp_path: Path) -> None:
    change, sentence = MORE_FINDINGS[finding]
    file = changed_game(tmp_path, change)
    done = CliRunner().invoke(app, ["check", str(file)])
    assert sentence in done.stderr
    assert done.exit_code == 1
    assert "Traceback" not in done.output


def test_other_processes_know_the_file_by_the_environment() -> None:
    load_file(EXAMPLE)
    move = pickle.dumps(game_named("two_dice").draw(game_named("two_dice").start(2), Always(1)))
    here = f"import pickle; print(pickle.loads({move!r}))"
    environment = os.environ | {outside.VARIABLE: os.pathsep.join(map(str, (FIRST, EXAMPLE)))}
    done = subprocess.run(
        [sys.executable, "-c", here], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "Deal(starter=1)\n"


def test_a_wrong_file_in_the_environment_is_told(tmp_path: Path) -> None:
    environment = {outside.VARIABLE: str(tmp_path / "none.py")}
    done = CliRunner().invoke(app, ["verify", "-"], env=environment)
    assert done.exit_code == 1
    assert "none.py cannot be read: No such file" in done.stderr


def test_two_files_cannot_have_one_name(tmp_path: Path) -> None:
    load_file(changed_game(tmp_path))
    (tmp_path / "other").mkdir()
    with pytest.raises(Refusal, match="has the NAME of another file"):
        load_file(changed_game(tmp_path / "other"))
