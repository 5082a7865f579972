"""The coach: a ledger that sums to the last grain, mistakes where there are some, and its page."""

import json
import os
import pty
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tischlein import game_named
from tischlein.bots import Answer, Turn, bot_named
from tischlein.bots import coach as coach_module
from tischlein.bots.coach import Lesson, teach, weigh, write_ledger
from tischlein.game import AnyGame, Refusal
from tischlein.games import game_names
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.record import Replay, write

CASES = Path(__file__).parents[1] / "cases"


def played(name: str, seats: int, level: str, seed: str = "coach") -> Replay:
    """Let bots of one level play a game."""
    rules = game_named(name)
    bots = [bot_named(rules, level)] * seats
    return play_game(rules, ask_bots(bots), [f"p{seat}" for seat in range(seats)], {}, seed)


def mistakes(lesson: Lesson) -> int:
    """Count the mistakes of a game."""
    return sum(decision.is_mistake for decision in lesson.decisions)


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("level", ["random", "easy"])
def test_the_ledger_sums_exactly(name: str, level: str) -> None:
    """Start, luck, own decisions and the others' are the result, as fractions and seat by seat."""
    record = played(name, 3, level)
    weighed = [weigh(record, number, 0.02) for number in range(len(record.moves) + 1)]
    ledger = write_ledger(record, weighed)
    columns = zip(ledger.start, ledger.luck, ledger.own, ledger.others, strict=True)
    assert [sum(column) for column in columns] == list(ledger.now)
    won = record.outcome().winners
    assert list(ledger.now) == [Fraction(seat in won, len(won)) for seat in range(3)]
    for chances, _ in weighed:
        assert sum(chances) == 1
    assert any(ledger.luck)
    assert any(ledger.own)


def test_an_expert_makes_next_to_no_mistakes_and_who_plays_at_random_many() -> None:
    found = {level: teach(played("sushizock", 3, level)) for level in ("expert", "random")}
    assert mistakes(found["expert"]) <= 1
    assert mistakes(found["random"]) >= 15
    for lesson in found.values():
        assert len(lesson.curve) > len(lesson.decisions)
        assert all(decision.lost >= 0 for decision in lesson.decisions)


def test_several_processes_teach_the_same() -> None:
    record = played("sushizock", 2, "easy")
    counted: list[int] = []
    assert teach(record, jobs=2, done=counted.append) == teach(record)
    assert counted == list(range(1, len(record.moves) + 2))


def test_a_game_that_goes_on_has_no_lesson() -> None:
    record = Replay(played("sushizock", 2, "easy").header)
    with pytest.raises(Refusal, match="when the game is over"):
        teach(record)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep a record to be taught from."""
    kept = tmp_path_factory.mktemp("coach") / "game.jsonl"
    kept.write_text(write(played("sushizock", 2, "random")))
    return kept


def coach(*args: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run `tischlein coach` to its end."""
    command = [sys.executable, "-m", "tischlein", "coach", "--jobs", "1", *args]
    env = os.environ | {"TISCHLEIN_LANG": "en", "COLUMNS": "120", "TERM": "xterm"}
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    return subprocess.run(command, text=True, timeout=100, check=False, env=env, **given)


def test_the_lesson_as_json_and_as_a_page_of_its_own(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "lesson.html"
    done = coach(str(file), "--json", "--html", str(page), "--lang", "de")
    assert (done.returncode, done.stderr) == (0, "")
    lesson = json.loads(done.stdout)
    for account in lesson["ledger"]:
        parts = sum(account[part] for part in ("start", "luck", "own", "others"))
        assert parts == pytest.approx(account["share"], abs=1e-9)
    told = page.read_text(encoding="utf-8")
    assert "Was der Trainer sagt" in told
    assert "<svg" in told
    assert not re.search(r"<script|<link|@import|(src|href)=|url\(", told)
    assert set(re.findall(r"https?://[^\"' <]+", told)) <= {"http://www.w3.org/2000/svg"}


def test_the_lesson_in_words(file: Path) -> None:
    done = coach(str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "What the coach says" in done.stdout
    first, second = done.stdout.splitlines()[1:3]
    assert re.match(r"p0: You (won!|came second\.|share the win!) Luck ", first)
    assert re.match(r"p1: You (won!|came second\.|share the win!) Luck ", second)
    assert done.stdout.index("Luck ") < done.stdout.index("Better:") < done.stdout.index("100 %")
    assert re.search(r"Move \d+, p[01]: .* Better: .* Given away: \d+ %\.", done.stdout)


def test_a_game_that_goes_on_is_refused_in_one_sentence() -> None:
    done = coach(str(CASES / "random-5-buffet-cut.jsonl"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip().endswith("the coach speaks when the game is over")
    assert "Traceback" not in done.stderr


def test_the_bar_is_for_terminals(file: Path) -> None:
    """A pipe stays empty (above); a terminal sees how far the coach is."""
    ours, theirs = pty.openpty()
    done = coach(str(file), "--json", stderr=theirs)
    os.close(theirs)
    assert done.returncode == 0
    shown = os.read(ours, 65_536).decode(errors="replace")
    os.close(ours)
    assert re.search(r"sushizock.*\d+/\d+", shown)


def test_what_may_be_a_mistake_is_thought_over_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick thought that is not sure is not believed, neither way."""
    asked: list[float] = []
    usual = coach_module.expert_on

    def unsure(rules: AnyGame, turn: Turn, number: int, effort: float) -> Answer:
        asked.append(effort)
        found = usual(rules, turn, number, effort)
        doubt = tuple(1.0 for _ in found.worth) if effort == 0.1 else found.doubt
        return replace(found, doubt=doubt)

    record = played("sushizock", 2, "random")
    sure = teach(record, 0.1 * coach_module.AGAIN)
    monkeypatch.setattr(coach_module, "expert_on", unsure)
    lesson = teach(record, 0.1)
    assert set(asked) == {0.1, 0.1 * coach_module.AGAIN}
    assert mistakes(lesson) > 0
    assert {found.number for found in lesson.decisions if found.is_mistake} <= {
        found.number for found in sure.decisions if found.is_mistake
    }
