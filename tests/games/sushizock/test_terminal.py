"""[S19] in the terminal: no command tells again what lies covered while the game runs."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.memory import Moves, twins
from tischlein.bots import bot_named
from tischlein.cli import app
from tischlein.games.sushizock import rules as sushizock
from tischlein.lab.simulate import play_game
from tischlein.record import Replay, header, write
from tischlein.terminal.table import Teller, seat_all
from tischlein.terminal.talk import Talk
from tischlein.words.rule_pages import rules_for_players

NAMES = ["Ina", "Ada", "Bruno"]


def unfinished(moves: Moves, file: Path) -> Path:
    """Write a game down that stops here."""
    game = Replay(header("sushizock", NAMES, {}))
    for by, move in moves:
        game.play(by, move)
    file.write_text(write(game), encoding="utf-8")
    return file


def story(file: Path, *more: str) -> str:
    """Let the program tell a record."""
    done = CliRunner().invoke(app, ["replay", str(file), "--story", "--lang", "en", *more])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_story_of_a_running_game_tells_a_seat_no_covered_tile(tmp_path: Path) -> None:
    """Where only covered tiles differ, a seat reads the same story; the referee another one."""
    pairs = [pair for pair in twins(3, 1) if pair is not None]
    for pair in pairs[5::12]:
        here, there = (
            unfinished(moves, tmp_path / f"{n}.jsonl") for n, moves in enumerate(pair.moves)
        )
        assert story(here, "--seat", "1") == story(there, "--seat", "1")
        assert story(here) != story(there)
    told = story(here, "--seat", "1")
    assert " takes a sushi.\n" in told
    assert " rolls " not in told.split(" takes a sushi.\n")[0]
    assert "takes a sushi: +" in told


def test_the_story_of_a_finished_game_tells_a_seat_everything() -> None:
    file = Path(__file__).parents[2] / "cases" / "random-3-sushizock-whole.jsonl"
    assert story(file, "--seat", "1") == story(file)
    assert " takes a sushi.\n" not in story(file)


def test_help_shows_the_table_again_and_not_what_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    """`?` at every question of a game: the rules, and the table as it is now."""
    monkeypatch.setenv("COLUMNS", "1000")
    said: list[str] = []
    helped: list[str] = []
    asked: list[int] = []
    answers = iter(["?", "s", "b", "t1", "t2", "1"] * 400)

    def read(question: str) -> str:
        if asked:
            helped.append("\n".join(said[asked.pop() :]))
        answer = next(answers)
        if answer == "?":
            asked.append(len(said))
        return answer

    talk = Talk("en", "sushizock", said.append, read)
    ask = seat_all(sushizock, NAMES, talk, [bot_named(sushizock, "easy")] * 2)
    play_game(sushizock, ask, NAMES, {}, "wok", Teller(sushizock, NAMES, talk))
    assert sum("takes a sushi: +" in line for line in said) > 5
    rules = rules_for_players("sushizock", "en", {})
    again = [text.removeprefix(rules) for text in helped]
    assert sum("On the table" in text for text in again) > 5
    assert not [text for text in again if re.search("[ao] (takes|steals|rolls|keeps) ", text)]
