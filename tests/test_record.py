"""Records: what is written can be read, and what is broken is refused with its line."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import ALL_TABLES
from tischlein import game_named, replay
from tischlein.bots import bot_named
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.record import LONGEST_LINE, BadRecord, Replay, write

HEADER = '{"format": "tischlein/1", "game": "sushizock", "seats": ["Luc", "Nick"], "options": {}}'
DEAL = (
    '{"by": "nature", "do": "deal", "sushi": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],'
    ' "bones": [-1, -2, -1, -2, -1, -3, -1, -2, -4, -1, -2, -3], "starter": 0}'
)
ROLL = '{"by": "nature", "do": "roll", "dice": ["red", "red", "blue", "blue", "red"]}'


def played(name: str, seats: int, seed: str = "s") -> Replay:
    """Play a whole game between random bots."""
    bots = [bot_named(game_named(name), "random")] * seats
    return play_game(game_named(name), ask_bots(bots), ["Zoë ✓"] * seats, {}, seed)


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_a_record_read_back_is_the_same_record(name: str, seats: int) -> None:
    one = played(name, seats)
    text = write(one)
    again = replay(text.splitlines())
    assert write(again) == text
    assert again.states == one.states
    assert (again.result, again.seed, again.header) == (one.result, one.seed, one.header)


@settings(max_examples=40)
@given(table=st.sampled_from(ALL_TABLES), seed=st.text(max_size=8), cut=st.integers(0, 400))
def test_a_record_may_stop_in_the_middle(table: tuple[str, int], seed: str, cut: int) -> None:
    whole = played(*table, seed=seed)
    lines = write(whole).split("\n")[: cut + 1]
    part = replay(lines)
    assert part.states == whole.states[: len(part.states)]
    assert len(part.moves) == min(cut, len(whole.moves))


def test_more_fields_are_passed_over() -> None:
    more = json.loads(HEADER) | {"date": 20261115, "table": ["x"], "colour": {"of": "the cloth"}}
    deal = json.loads(DEAL) | {"t": 12, "seed": 5, "result": None, "note": {"deep": [1]}}
    game_so_far = replay([json.dumps(more), json.dumps(deal), "", "  "])
    assert len(game_so_far.moves) == 1


def test_crlf_and_bytes_are_read() -> None:
    assert len(replay([f"{HEADER}\r\n".encode(), f"{DEAL}\r\n".encode()]).moves) == 1


BROKEN = {
    "empty": (b"", 1, "empty"),
    "blank lines": (b"\n\n\n", 1, "empty"),
    "cut header": (HEADER[:40].encode(), 1, ""),
    "not an object": (b"[1, 2]", 1, ""),
    "unknown game": (HEADER.replace("sushizock", "chess").encode(), 1, "no game `chess`"),
    "other format": (HEADER.replace("/1", "/9").encode(), 1, "format"),
    "no seats": (HEADER.replace('["Luc", "Nick"]', "[]").encode(), 1, "two to five players"),
    "six seats": (HEADER.replace('["Luc", "Nick"]', json.dumps(["x"] * 6)).encode(), 1, "five"),
    "seats are numbers": (HEADER.replace('["Luc", "Nick"]', "[1, 2]").encode(), 1, "str"),
    "unknown option": (HEADER.replace("{}", '{"x": 1}').encode(), 1, "no house rule `x`"),
    "wrong option": (HEADER.replace("{}", '{"open_piles": 1}').encode(), 1, "true or false"),
    "cut move": (f"{HEADER}\n{DEAL}\n{ROLL[:30]}".encode(), 3, ""),
    "not utf-8": (f"{HEADER}\n{DEAL}\n".encode() + b'{"by": "\xff\xfe"}', 3, "UTF-8"),
    "not utf-8 in the header": (HEADER.encode().replace(b"Luc", b"\xff"), 1, "UTF-8"),
    "blank line inside": (f"{HEADER}\n\n{DEAL}".encode(), 2, "empty"),
    "no by": (f'{HEADER}\n{{"do": "deal"}}'.encode(), 2, "`by`"),
    "unknown do": (f'{HEADER}\n{{"by": 0, "do": "fly"}}'.encode(), 2, "fly"),
    "seat is true": (f'{HEADER}\n{DEAL}\n{{"by": true, "do": "forced"}}'.encode(), 3, "bool"),
    "seat is a float": (f'{HEADER}\n{DEAL}\n{{"by": 0.0, "do": "forced"}}'.encode(), 3, "float"),
    "seat too large": (f'{HEADER}\n{DEAL}\n{{"by": 9e99, "do": "forced"}}'.encode(), 3, ""),
    "huge seat": (f'{HEADER}\n{{"by": {10**60}, "do": "forced"}}'.encode(), 2, "no seat"),
    "wrong type": (f'{HEADER}\n{DEAL.replace("[1, 1", "[null, 1")}'.encode(), 2, "int"),
    "number too large": (f"{HEADER}\n{DEAL.replace('6]', '1e999]', 1)}".encode(), 2, ""),
    "integer too large": (f"{HEADER}\n{DEAL.replace('6]', f'{10**400}]', 1)}".encode(), 2, ""),
    "result too early": (f'{HEADER}\n{DEAL}\n{{"result": {{}}}}'.encode(), 3, "not over"),
    "nested deeply": (
        f'{HEADER}\n{{"by": 0, "do": "forced", "x": {"[" * 90_000}{"]" * 90_000}}}'.encode(), 2, "",
    ),
    "ten megabytes": (f"{HEADER}\n{DEAL}\n".encode() + b"x" * 10_000_000, 3, "longer than"),
    "ten megabytes of blanks": (f"{HEADER}\n".encode() + b" " * 10_000_000, 2, "longer than"),
    "lone surrogate": (HEADER.replace("Luc", "\\ud800").encode(), 1, ""),
    "nul bytes": (b"\0" * 100, 1, ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_records_are_refused(kind: str) -> None:
    text, line, words = BROKEN[kind]
    with pytest.raises(BadRecord) as refused:
        replay(text.splitlines(keepends=True))
    assert refused.value.line == line
    assert words in refused.value.reason
    assert refused.value.reason


@pytest.mark.parametrize("kind", BROKEN)
def test_the_command_refuses_them_without_a_traceback(kind: str, tmp_path: Path) -> None:
    text, line, _ = BROKEN[kind]
    file = tmp_path / "broken.jsonl"
    file.write_bytes(text)
    command = [sys.executable, "-m", "tischlein", "replay", str(file), "--json"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.decode().startswith(f"line {line}: ")
    assert len(done.stderr.decode().splitlines()) == 1


@settings(max_examples=200)
@given(noise=st.binary(max_size=60), at=st.integers(0, 400), cut=st.integers(0, 40))
def test_noise_in_a_record_never_breaks_the_reader(noise: bytes, at: int, cut: int) -> None:
    text = f"{HEADER}\n{DEAL}\n{ROLL}\n".encode()
    broken = text[:at] + noise + text[at + cut :]
    with contextlib.suppress(BadRecord):  # anything else that is raised fails the test
        game_so_far = replay(broken.split(b"\n"))
        assert len(game_so_far.states) == len(game_so_far.moves) + 1


def test_a_false_result_is_refused() -> None:
    lines = write(played("sushizock", 2)).splitlines()
    end = json.loads(lines[-1])
    end["result"]["scores"][0] += 1
    with pytest.raises(BadRecord, match=f"^line {len(lines)}: the moves lead to another result"):
        replay([*lines[:-1], json.dumps(end)])
    with pytest.raises(BadRecord, match="nothing may follow"):
        replay([*lines, lines[-2]])
    with pytest.raises(BadRecord, match="the game is over"):
        replay([*lines[:-1], lines[-2]])
    for wrong in ({"result": 5}, {"result": {"scores": "x", "winners": []}}):
        with pytest.raises(BadRecord, match="cannot be read"):
            replay([*lines[:-1], json.dumps(wrong)])
    with pytest.raises(BadRecord, match="seed must be a text"):
        replay([*lines[:-1], json.dumps(json.loads(lines[-1]) | {"seed": 7})])


def test_a_line_may_be_long_but_not_too_long() -> None:
    padded = DEAL[:-1] + f', "note": "{"x" * 500_000}"}}'
    assert len(replay([HEADER, padded]).moves) == 1
    assert len(padded) < LONGEST_LINE
