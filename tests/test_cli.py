"""The commands as a user runs them: real processes, real files."""

import asyncio
import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.program import as_json, run
from tests.sealed import SEED, sealed_record, word
from tests.tables import ALL_TABLES
from tischlein.bots import levels
from tischlein.chance import commitment
from tischlein.cli import app
from tischlein.games import game_named
from tischlein.games.buffet import rules as buffet
from tischlein.names import printable
from tischlein.store import Page, open_store
from tischlein.terminal import board_of
from tischlein.terminal.table import name_all
from tischlein.terminal.talk import Talk, fit
from tischlein.words import LANGUAGES, catalogue, in_language
from tischlein.words.rule_pages import rules_for_players

CASES = Path(__file__).parent / "cases"


def test_replay_for_the_referee_and_for_a_seat() -> None:
    file = str(CASES / "random-5-buffet-cut.jsonl")
    whole = as_json("replay", file, "--json")
    assert set(whole) == {"game", "over", "to_move", "legal", "view", "scores", "winners"}
    assert (whole["game"], whole["over"], whole["to_move"]) == ("buffet", False, [0, 1])
    assert set(whole["legal"]) == {"0", "1"}
    seat = as_json("replay", file, "--json", "--seat", "1")
    assert set(seat["legal"]) == {"1"}
    assert seat["legal"]["1"] == whole["legal"]["1"]
    assert seat["view"]["hands"][0] == [None] * 7
    assert seat["view"]["hands"][1] == whole["view"]["hands"][1]
    assert as_json("replay", "-", "--json", text=Path(file).read_text()) == whole
    assert as_json("replay", file, "--json", "--seat", "3")["legal"] == {}


def test_scores_stay_covered_until_the_end() -> None:
    cut = "".join(Path(CASES / "random-3-sushizock-whole.jsonl").read_text().splitlines(True)[:60])
    assert as_json("replay", "-", "--json", text=cut)["scores"] is not None
    assert as_json("replay", "-", "--json", "--seat", "0", text=cut)["scores"] is None
    whole = str(CASES / "random-3-sushizock-whole.jsonl")
    end = as_json("replay", whole, "--json", "--seat", "0")
    assert end["scores"] == [6, 0, -3, 7]
    assert end["winners"] == [3]


@pytest.mark.parametrize("name", ["random-8-kakerlaken-cut", "random-0-sushizock-whole"])
def test_replay_in_words(name: str) -> None:
    for language in ("en", "de", "fr", "it"):
        done = run("replay", str(CASES / f"{name}.jsonl"), "--lang", language)
        assert done.returncode == 0
        assert "p0" in done.stdout


def test_the_end_explains_the_sums() -> None:
    shown = run("replay", str(CASES / "random-3-sushizock-whole.jsonl")).stdout
    assert "p0: sushi 1+4+5 − bones 4 = 6" in shown
    assert "p3: sushi 6+6 (without +3 +4 +2: the sushi pile was 5 high" in shown
    assert "Hooray, p3!" in shown


def test_a_tie_at_the_buffet_is_explained() -> None:
    rules = buffet.start(3)
    stacks = (((4,), (), (), (3,), (), (5, -1)), ((1,), (), (5,), (), (), ()), ((),) * 6)
    view = buffet.view(replace(rules, stacks=stacks, over=True), None)
    say = in_language("en", "buffet")
    told = board_of(game_named("buffet")).end(view, ("Mia", "Leo", "Tom"), say)
    assert "Mia: cheese 4, pizza 3, salad −1 (under it 5)\n    top plates 4+3−1 = 6" in told
    assert "Tom: none\n    top plates 0 = 0" in told
    assert "Mia and Leo both have 6. The first food that differs decides: cheese, 4 to 1." in told


def test_wrong_calls_say_what_is_wrong() -> None:
    file = str(CASES / "random-0-sushizock-whole.jsonl")
    for args, words in (
        (("replay", "no-such-file"), "No such file"),
        (("replay", str(CASES)), "Is a directory"),
        (("replay", file, "--seat", "2"), "the seats are 0 to 1"),
        (("replay", file, "--lang", "xx"), "no language `xx`"),
        (("verify", file), "the seed is not revealed"),
        (("simulate", "chess", "--seats", "2", "--games", "1"), "no game `chess`"),
        (("simulate", "buffet", "--seats", "2", "--games", "1"), "three to six players"),
        (("simulate", "buffet", "--seats", "3", "--games", "1", "--bots", "x"), "no bot `x`"),
        (("simulate", "buffet", "--seats", "3", "--games", "1", "--bots", "easy,easy"), "each of"),
        (("simulate", "sushizock", "--seats", "2", "--games", "1", "--option", "open_piles=7"),
         "must be true or false"),
        (("play", "sushizock", "--seats", "9"), "two to five players"),
    ):  # fmt: skip
        done = run(*args)
        assert done.returncode == 1, args
        assert words in done.stderr
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_simulate_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    outputs = []
    for folder, jobs in (("one", "1"), ("two", "2")):
        done = run("simulate", "kakerlaken", "--seats", "3", "--games", "45", "--seed", "7",
                   "--bots", "easy,random,easy", "--records", str(tmp_path / folder),
                   "--jobs", jobs, "--json")  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr == "", "no progress bar in a pipe"
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    for number in range(1, 46):
        one, two = (tmp_path / folder / f"{number}.jsonl" for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert len(list((tmp_path / "one").iterdir())) == 45
    tally = json.loads(outputs[0])
    assert sum(row["wins"]["mean"] for row in tally["by_seat"]) == pytest.approx(1)
    assert [row["who"] for row in tally["by_bot"]] == ["easy", "random"]


@pytest.mark.parametrize(("name", "seats"), [t for t in ALL_TABLES if t[1] in (3, 5)])
def test_simulated_records_verify_and_replay(name: str, seats: int, tmp_path: Path) -> None:
    done = run("simulate", name, "--seats", str(seats), "--games", "2", "--records", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "moves a game" in done.stdout
    for file in tmp_path.iterdir():
        checked = run("verify", str(file))
        assert checked.returncode == 0
        assert "the dice were fair" in checked.stdout
        assert as_json("replay", str(file), "--json")["over"] is True


def sealed_file(folder: Path, *words: str) -> str:
    """Keep a record with sealed words."""
    file = folder / "sealed.jsonl"
    lines = sealed_record("sushizock", [word(text) if text else None for text in words])
    file.write_text("\n".join(lines), encoding="utf-8")
    return str(file)


def test_verify_says_what_is_proven(tmp_path: Path) -> None:
    sealed = run("verify", sealed_file(tmp_path, "pancake", 'a "b"'))
    assert sealed.returncode == 0, sealed.stderr
    assert r'Proven by sealed words (seat 0 "pancake", seat 1 "a \"b\"")' in sealed.stdout
    file = Path(sealed_file(tmp_path, "pancake", ""))
    header, *rest = file.read_text(encoding="utf-8").split("\n")
    weakened = json.loads(header) | {"seals": [None, None]}
    file.write_text("\n".join([json.dumps(weakened), *rest]), encoding="utf-8")
    told = run("verify", str(file))
    assert told.returncode == 0
    assert "Not proven: not all words were sealed" in told.stdout
    silent = run("verify", sealed_file(tmp_path, "", ""))
    assert silent.returncode == 0
    assert "Not proven: nobody added a word" in silent.stdout
    assert len(silent.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("noted", "reason"),
    [
        (["--commitment", commitment(SEED)], ""),
        (["--commitment", commitment("x")], "not the commitment that was noted"),
        (["--words", "pancake", "--words", "a, b"], ""),
        (["--words", '["pancake","a, b"]'], ""),
        (["--words", "a, b"], ""),
        (["--words", "pancake"], ""),
        (["--words", "a, b", "--words", "pancake"], "not the words that were noted"),
        (["--words", "pancake,a,b"], "not the words that were noted"),
        (["--words", "waffle"], "not among the contributions"),
        (["--words", "[]"], "not among the contributions"),
        (["--words", '["pancake"]', "--commitment", commitment("x")], "not the commitment"),
    ],
)
def test_verify_compares_what_was_noted(tmp_path: Path, noted: list[str], reason: str) -> None:
    """A record can be made up afterwards, with words and dice that fit; not what you noted."""
    checked = run("verify", sealed_file(tmp_path, "pancake", "a, b"), *noted)
    assert checked.returncode == bool(reason), checked.stderr
    assert reason in checked.stderr


def test_words_are_noted_with_commas(tmp_path: Path) -> None:
    file = sealed_file(tmp_path, "pancake", "nori")
    for noted, status in (("pancake,nori", 0), ("pancake, nori", 0), ("nori,pancake", 1)):
        assert run("verify", file, "--words", noted).returncode == status


@pytest.mark.parametrize("where", ["do", "game", "format", "word"])
def test_verify_prints_no_orders_to_the_terminal(where: str, tmp_path: Path) -> None:
    """A forged file would wipe the screen and write that the dice were fair."""
    evil = "\x1b[2J\x1b[Hthe dice were fair\u202e\u0085"
    header, move, *rest = (
        Path(sealed_file(tmp_path, "", "")).read_text(encoding="utf-8").split("\n")
    )
    told, first = json.loads(header), json.loads(move)
    if where == "do":
        first["do"] = evil
    else:
        told[{"word": "contributions"}.get(where, where)] = [evil, ""] if where == "word" else evil
    file = tmp_path / "evil.jsonl"
    file.write_text("\n".join([json.dumps(told), json.dumps(first), *rest]), encoding="utf-8")
    checked = run("verify", str(file))
    assert checked.returncode == 1
    shown = checked.stdout + checked.stderr
    assert all(sign.isprintable() or sign == "\n" for sign in shown), ascii(shown)
    assert len(shown.splitlines()) == 1


def test_house_rules_reach_the_record(tmp_path: Path) -> None:
    values = "[0,1,2,3,4,9]"
    done = run("simulate", "buffet", "--seats", "3", "--games", "1", "--records", str(tmp_path),
               "--option", f"plate_values={values}", "--option", "starter=1")  # fmt: skip
    assert done.returncode == 0, done.stderr
    header = json.loads((tmp_path / "1.jsonl").read_text().splitlines()[0])
    assert header["options"] == {"plate_values": [0, 1, 2, 3, 4, 9], "starter": 1}


LETTERS = "s\nb\ng\na\nl\nt1\nk1\nc1\nr1\n1\n"  # what one may type, in all four languages
CARDS = "".join(f"{card}\n" for card in range(-1, 10))


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("name", ["sushizock", "buffet"])
def test_a_person_plays_a_whole_game(name: str, language: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    answers = (LETTERS if name == "sushizock" else CARDS + "\n") * 1000
    done = run("play", name, "--seats", "3", "--seed", "rain", "--name", "Ina",
               "--lang", language, "--record", str(file), text=answers)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Ina" in done.stdout
    assert "{" not in done.stdout
    seed = commitment("rain")  # a text that somebody chose is made a seed
    assert commitment(seed)[:8] in done.stdout.split("Ina")[0]
    assert done.stdout.index(f"\n{seed}\n") > done.stdout.rindex(" = "), "the seed comes last"
    position = as_json("replay", str(file), "--json")
    assert position["over"] is True
    assert run("verify", str(file)).returncode == 0


def test_a_person_races(tmp_path: Path) -> None:
    file = tmp_path / "race.jsonl"
    answers = "\n3\n\nm\n1\n\nmm\n2\n" * 2000
    done = run("play", "kakerlaken", "--seats", "2", "--bots", "easy", "--seed", "sun",
               "--record", str(file), text=answers)  # fmt: skip
    assert done.returncode == 0, done.stderr
    mine = [json.loads(line) for line in file.read_text().splitlines() if '"by":0' in line]
    timed = [move["at"] for move in mine if "at" in move]
    assert timed
    assert max(timed) < 8000
    assert " ms " in done.stdout, "the photo finish"


def test_leaving_keeps_the_record(tmp_path: Path) -> None:
    file = tmp_path / "left.jsonl"
    done = run("play", "sushizock", "--record", str(file), text="nonsense\n12345\n1\n")
    assert done.returncode == 0
    assert "See you soon" in done.stdout
    assert "one of the letters" in done.stdout
    assert "but not all of them" in done.stdout
    assert "its seed stays secret" in done.stdout
    assert as_json("replay", str(file), "--json")["over"] is False
    assert run("play", text="").returncode == 0
    assert "Sushizock" in run("play", text="").stdout
    started = run("play", text="9\n2\nIna\n7\n4\ny\n\n8\n")
    assert "from 1 to 3" in started.stdout
    assert "from 2 to 5" in started.stdout
    assert "Fish coins: Ina 0, Ada 0, Bruno 0, Carla 0" in started.stdout
    assert "Find the tile that shows both" in started.stdout
    assert started.returncode == 0
    assert "Welches" not in run("play", "--lang", "en", text="").stdout
    assert "Für welches Spiel" in run("play", "--lang", "de", text="").stdout


def test_a_record_is_refused_before_the_deal(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_text("mine")
    for path, words in (
        (file, "is there already"),
        (tmp_path / "no" / "folder", "No such file"),
        (tmp_path, "is there already"),
    ):
        done = run("play", "sushizock", "--record", str(path), text="s\n")
        assert done.returncode == 1
        assert done.stderr.startswith(str(path))
        assert words in done.stderr
        assert done.stdout == ""
    assert file.read_text() == "mine"


def test_the_rules_are_a_question_mark_away() -> None:
    for language, words in (("en", "No bones, no sushi!"), ("fr", "Knizia")):
        done = run("play", "sushizock", "--seed", "rain", "--lang", language, text="?\n")
        assert words in done.stdout
        assert done.stdout.count("1 sushi  2 sushi  3 sushi") == 2, "the dice are shown again"


@pytest.mark.parametrize(("pace", "race", "naming"), [("slow", "20", "8"), ("quick", "8", "3")])
def test_the_rules_tell_the_times_that_are_played(pace: str, race: str, naming: str) -> None:
    for game, asks in ((("kakerlaken",), "?\n"), ((), "2\n?\n")):
        told = run("play", *game, "--pace", pace, text=asks).stdout
        assert times_told(told) == [("race_ms", race), ("naming_ms", naming)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_times_are_written_as_people_write_them(language: str) -> None:
    told = rules_for_players("kakerlaken", language, {"naming_ms": 1500, "young": True})
    half = "1.5" if language == "en" else "1,5"
    assert times_told(told) == [("race_ms", "8"), ("naming_ms", half)]


def times_told(rules: str) -> list[tuple[str, str]]:
    """Find the times in the rules as the terminal shows them."""
    return re.findall(r"\((\w+_ms)\)\W+([\d.,]*\d)", rules)


def test_before_a_game_is_chosen_a_question_mark_says_so_and_after_it_shows_the_rules() -> None:
    done = run("play", text="?\n1\nPia\n?\n")
    first, _, then = done.stdout.partition("Choose a game first, then ? shows its rules.")
    assert "How many" not in first
    assert "Nobody has written" not in then
    assert "mouse" in then.partition("How many")[2]


def test_players_with_one_name_are_told_apart(tmp_path: Path) -> None:
    run("simulate", "sushizock", "--seats", "3", "--games", "1", "--records", str(tmp_path))
    (record,) = tmp_path.iterdir()
    told = run("replay", str(record)).stdout
    assert all(f"random {seat}" in told or f"easy {seat}" in told for seat in (1, 2, 3))


def test_a_page_that_cannot_be_written_is_said_before_the_thinking(tmp_path: Path) -> None:
    run("simulate", "sushizock", "--seats", "2", "--games", "1", "--records", str(tmp_path))
    (record,) = tmp_path.iterdir()
    done = run("coach", str(record), "--html", str(tmp_path / "no" / "page.html"))
    assert done.returncode == 1
    assert done.stderr.strip() == f"{tmp_path}/no/page.html: No such file or directory"


def test_lines_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "45")
    told: list[str] = []

    def answer(question: str) -> str:
        told.append(question)
        return "x"

    for language in LANGUAGES:
        talk = Talk(language, "buffet", told.append, answer)
        for text in [*catalogue(language).values(), rules_for_players("buffet", language, {})]:
            talk.tell(text)
            talk.ask(text)
    assert max(len(line) for text in told for line in text.split("\n")) <= 46
    assert fit("  short") == "  short"


def test_names_are_short_and_no_bot_shares_them() -> None:
    assert name_all("ada", 3) == ["ada", "Bruno", "Carla"]
    assert name_all(" ", 3) == ["Pip", "Ada", "Bruno"]
    assert name_all("A very long name\x1b indeed", 2) == ["A very long name", "Ada"]
    assert len(set(name_all("Fritz", 6))) == 6


def test_a_slow_pace_gives_time_to_read_and_type(tmp_path: Path) -> None:
    times = {}
    for pace in ("slow", "quick"):
        file = tmp_path / pace
        run("play", "kakerlaken", "--pace", pace, "--seed", "sun", "--record", str(file),
            text="\n\n" * 20)  # fmt: skip
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        times[pace] = [line["at"] for line in lines if line.get("do") == "slap"]
        assert lines[0]["options"].get("race_ms") == (20_000 if pace == "slow" else None)
    assert min(times["slow"]) > 2000
    assert min(times["quick"]) < 1500
    assert "there are slow, medium, quick" in run("play", "buffet", "--pace", "x").stderr


def test_a_story_tells_every_move() -> None:
    told = run("replay", str(CASES / "random-3-sushizock-whole.jsonl"), "--story").stdout
    assert told.count(" rolls ") > 20
    assert " steals the top " in told
    buffet = run("replay", str(CASES / "random-1-buffet-broken.jsonl"), "--story")
    assert buffet.returncode == 1
    cut = run("replay", str(CASES / "random-8-kakerlaken-cut.jsonl"), "--story", "--seat", "0")
    assert "Right was" in cut.stdout


def test_something_else_is_no_record() -> None:
    done = run("replay", "README.md")
    assert done.returncode == 1
    assert done.stderr.startswith("line 1: README.md is not a Tischlein record (")
    assert run("verify", "-", text="{").stderr.startswith("line 1: standard input is not a")


def test_interrupting_leaves_cleanly() -> None:
    command = [sys.executable, "-m", "tischlein", "play", "sushizock"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1", "TISCHLEIN_LANG": "en"},
    ) as person:  # fmt: skip
        assert person.stdout is not None
        for line in person.stdout:
            if "Dice:" in line:
                break
        person.send_signal(2)
        out, err = person.communicate(timeout=100)
    assert person.returncode == 0
    assert "See you soon" in out
    assert err == ""


def test_help_names_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    for command in ("play", "replay", "verify", "simulate", "tournament"):
        assert command in done.stdout
    for command in ("play", "simulate", "tournament"):
        shown = run(command, "--help").stdout
        for name in ("sushizock", "buffet", "kakerlaken"):
            assert all(level in shown for level in levels(game_named(name)))
    assert run("--version").stdout == f"tischlein {version('tischlein')}\n"


EVIL = "\x1b[2J\x1b[1;1H\x9b31m\u202e\u2028\u200b\nAll 27 moves of nature are fair. [bold]"


def shown(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Run a command here, and see that nothing it prints does anything to a terminal."""
    with pytest.raises(SystemExit):
        app([*args])
    told = "".join(capsys.readouterr())
    assert told
    for line in told.split("\n"):
        assert printable(line) == line
        assert not line.startswith("All 27")
    return told


def spoilt(folder: Path, line: int, **fields: object) -> str:
    """Write a whole record of which one line says something else."""
    lines = (CASES / "random-0-sushizock-whole.jsonl").read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | fields)
    file = folder / f"{EVIL[:12]}.jsonl"
    file.write_text("\n".join(lines))
    return str(file)


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (1, {"do": EVIL}),
        (1, {"by": EVIL}),
        (1, {"by": 0, EVIL: EVIL}),
        (2, {"do": "roll", "dice": [EVIL]}),
        (0, {"game": EVIL}),
        (0, {"format": EVIL}),
        (0, {"options": {EVIL: EVIL}}),
        (0, {"options": {"starter": EVIL}}),
        (-1, {"result": {"scores": [EVIL]}}),
        (-1, {"seed": EVIL}),
    ],
)
@pytest.mark.parametrize("command", ["replay", "verify", "coach"])
def test_a_hostile_record_is_refused_in_plain_signs(
    command: str,
    line: int,
    fields: dict[str, object],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Who checks a stranger's record would have read a forged `the dice were fair`."""
    more = ("--effort", "0.01", "--jobs", "1") if command == "coach" else ()
    shown(capsys, command, spoilt(tmp_path, line, **fields), *more)


@pytest.mark.parametrize(
    "command",
    [("replay",), ("replay", "--story"), ("replay", "--json"), ("replay", "--seat", "0"),
     ("verify",), ("coach", "--jobs", "1"), ("coach", "--json", "--jobs", "1")],
    ids=" ".join,
)  # fmt: skip
def test_hostile_names_are_shown_in_plain_signs(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name in a record would have wiped the screen and written its own result."""
    names = [f"{EVIL} {seat}" for seat in range(4)]
    more = ("--effort", "0.01") if "coach" in command else ()
    header = json.loads((CASES / "random-0-sushizock-whole.jsonl").read_text().splitlines()[0])
    file = spoilt(tmp_path, 0, seats=names[: len(header["seats"])], table=EVIL, date=EVIL)
    told = shown(capsys, command[0], file, *command[1:], *more)
    if command[0] != "verify" and "--json" not in command:
        assert r"\x1b[2J" in told
        assert "[bold]" in told


@pytest.mark.parametrize(
    "lines",
    [
        [{"format": EVIL}],
        [{"format": "tischlein-store/1"}, {"kind": EVIL}],
        [{"format": "tischlein-store/1"},
         {"kind": "table", "name": EVIL, "touched": 0, "live": False, "entries": ["{}"]}],
        [{"format": "tischlein-store/1"},
         {"kind": "record", "name": EVIL, "game": 1, "record": EVIL, "kept": 0}],
    ],
)  # fmt: skip
def test_a_hostile_store_is_refused_in_plain_signs(
    lines: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who moves house would have been told by the file that all is well."""
    file = tmp_path / "export.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    shown(capsys, "store", "import", str(file), "--store", str(tmp_path / "s.sqlite"))


def test_a_hostile_table_in_a_store_is_told_in_plain_signs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "s.sqlite")

    async def fill() -> None:
        store = await open_store(file)
        await store.append(Page(EVIL, 1, [b"{}"], 0.0, False))
        await store.close()

    asyncio.run(fill())
    for command in (("check",), ("export", "-"), ("export", str(tmp_path / "out"))):
        assert r"\x1b[2J" in shown(capsys, "store", *command, "--store", file)


@pytest.mark.parametrize(
    "args",
    [
        ("simulate", "sushizock", "--seats", "2", "--games", "1", "--bots", EVIL),
        ("simulate", EVIL, "--seats", "2", "--games", "1"),
        ("simulate", "sushizock", "--seats", "2", "--games", "1", "--bots", "random", "--jobs", "1",
         "--seed", EVIL),
        ("tournament", "sushizock", "--seats", "2", "--bots", f"easy,{EVIL}"),
        ("tournament", "sushizock", "--seats", EVIL, "--bots", "easy,random"),
        ("play", "sushizock", "--bots", EVIL),
        ("play", "sushizock", "--lang", EVIL),
        ("replay", f"/nowhere/{EVIL}"),
        ("serve", "--set", EVIL),
        ("serve", "--log-level", EVIL),
        ("new", f"/nowhere/{EVIL}.py"),
        ("check", EVIL),
    ],
    ids=lambda args: args[0],
)  # fmt: skip
def test_hostile_arguments_are_told_in_plain_signs(
    args: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """A pasted command would have painted over what the program says of it."""
    shown(capsys, *args)
