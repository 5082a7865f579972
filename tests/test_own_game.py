"""A game of one's own, as its designer has it: a file, then an installed package.

`examples/two_dice.py` is played in the terminal, simulated, replayed, verified, taught and served.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from tests.own import EXAMPLE, install, nothing_stays
from tests.server.client import LIMIT, Seat, get, open_table, server_process, start
from tischlein.bots import levels
from tischlein.games import load_file
from tischlein.lab.simulate import ask_bots, play_game


class Own(NamedTuple):
    """How a program comes to know the game: by a flag, or by what is installed."""

    flags: list[str]
    installed: str

    def run(self, *args: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of the program."""
        environment = os.environ | {"PYTHONPATH": self.installed, "TISCHLEIN_LANG": "en"}
        return subprocess.run(
            [sys.executable, "-m", "tischlein", args[0], *self.flags, *args[1:]],
            env=environment, input=text, capture_output=True, text=True, timeout=LIMIT, check=False,
        )  # fmt: skip


@pytest.fixture(scope="module", params=["file", "package"])
def own(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Own:
    if request.param == "file":
        return Own(["--game", str(EXAMPLE)], "")
    return Own([], str(install(tmp_path_factory.mktemp("package"))))


@pytest.fixture
def record(own: Own, tmp_path: Path) -> Path:
    args = ["two_dice", "--seats", "3", "--games", "24", "--bots", "random,easy,medium"]
    done = own.run("simulate", *args, "--seed", "s", "--records", str(tmp_path), "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "24 games of two_dice" in done.stdout
    return tmp_path / "7.jsonl"


def test_it_is_shorter_than_eighty_lines() -> None:
    assert len(EXAMPLE.read_text("utf-8").splitlines()) < 80


def test_its_record_is_replayed_verified_and_told(own: Own, record: Path) -> None:
    position = msgspec.json.decode(own.run("replay", str(record), "--json").stdout)
    assert position["over"] is True
    assert max(position["scores"]) >= 50
    assert "bank the pot" in own.run("replay", str(record), "--story").stdout
    assert "the dice were fair" in own.run("verify", str(record)).stdout
    lies = record.read_text("utf-8").replace('"dice":[6,', '"dice":[5,', 1)
    assert own.run("verify", "-", text=lies).returncode == 1


def test_the_coach_weighs_its_decisions(own: Own, record: Path) -> None:
    done = own.run("coach", str(record), "--json", "--effort", "0.05", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    lesson = msgspec.json.decode(done.stdout)
    assert lesson["game"] == "two_dice"
    weighed = [decision for decision in lesson["decisions"] if decision["worth"]]
    assert {move["do"] for decision in weighed for move, _ in decision["worth"]} == {"roll", "bank"}
    told = own.run("coach", str(record), "--effort", "0.05", "--jobs", "2")
    assert told.returncode == 0, told.stderr


def test_bots_meet_in_a_tournament(own: Own) -> None:
    args = ["two_dice", "--bots", "random,easy", "--seats", "2", "--games", "40", "--seed", "t"]
    done = own.run("tournament", *args, "--json", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert msgspec.json.decode(done.stdout)["setup"]["game"] == "two_dice"


def test_it_plays_in_the_terminal(own: Own, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    args = ["two_dice", "--name", "Ina", "--record", str(file), "--lang", "de"]
    done = own.run("play", *args, text="2\n1\n" * 500)
    assert done.returncode == 0, done.stderr
    assert "den Topf sichern" in done.stdout
    assert own.run("verify", str(file)).returncode == 0


def test_a_file_may_stand_in_place_of_a_name(tmp_path: Path) -> None:
    own = Own([], "")
    done = own.run("simulate", str(EXAMPLE), "--seats", "2", "--games", "3", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert own.run("play", str(EXAMPLE), "--seed", "1", text="2\n1\n" * 500).returncode == 0


def test_two_people_and_a_bot_play_at_a_server(
    own: Own, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", own.installed)
    with server_process(tmp_path, *own.flags, "--set", "coach_effort=0.05") as server:
        record = asyncio.run(play_at(server.url))
    assert own.run("verify", "-", text=record).returncode == 0


async def play_at(url: str) -> str:
    """Play a whole game at a server; give its record."""
    (described,) = [it for it in (await get(url, "/api/games")).json() if it["game"] == "two_dice"]
    assert described["bots"] == ["random", "easy", "medium", "hard", "expert"]
    assert described["has"] == ["turns"]
    assert described["look"]["dice"] == "dice"
    people = await open_table(url, "two_dice", 3, people=2)
    await asyncio.gather(*(seat.connect() for seat in people))
    await start(people[0])
    async with asyncio.timeout(LIMIT):
        await asyncio.gather(*(play_seat(seat) for seat in people))
    assert max(people[0].state["scores"]) >= 50
    for seat in people:
        await seat.close()
    return (await get(url, f"/api/tables/{people[0].table}/record")).text


async def play_seat(seat: Seat) -> None:
    """Bank as soon as there is something to bank."""
    answered = -1
    while not seat.state["over"]:
        if seat.legal and seat.state["seq"] != answered:
            answered = seat.state["seq"]
            await seat.move(seat.legal[-1])
        await seat.frame()


@pytest.fixture
def rules() -> Iterator[Any]:
    with nothing_stays():
        yield load_file(EXAMPLE)


@pytest.mark.long
@pytest.mark.parametrize(
    ("weaker", "stronger", "games"),
    [
        ("random", "easy", 300),
        ("easy", "medium", 80),
        ("medium", "hard", 80),
        ("hard", "expert", 20),
    ],
)
def test_each_level_beats_the_one_below(rules: Any, weaker: str, stronger: str, games: int) -> None:
    won = 0
    for number in range(games):
        seat = number % 2
        bots = [levels(rules)[stronger if seat == at else weaker] for at in range(2)]
        game = play_game(rules, ask_bots(bots), ["a", "b"], {}, str(number // 2))
        won += seat in game.outcome().winners
    assert won > 0.5 * games
