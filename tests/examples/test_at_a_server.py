"""The examples do what they say, against a real server, for every game."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Timer
from time import sleep
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import numpy as np
import pytest

from tischlein.envs.games import process

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = ("sushizock", "buffet", "kakerlaken")
LIMIT = 90.0
"""No script runs longer than this, in seconds."""
QUICK = ("race.lead_ms=50", "race.pause_ms=0", "relief_after=0")
OWN_GAMES = {"two_dice.py"}
"""Examples that are no programs: see `tests/test_own_game.py`."""
ENVIRONMENT = os.environ | {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server and give the address that it prints."""
    data = tmp_path_factory.mktemp("data")
    command = [sys.executable, "-m", "tischlein", "serve", "--port", "0", "--no-open",
               "--data", str(data), "--bot-pause", "0"]  # fmt: skip
    for setting in QUICK:
        command += ["--set", setting]
    with (data / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    give_up = Timer(LIMIT, server.kill)
    try:
        give_up.start()
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        give_up.cancel()
        assert address.startswith("http://"), (data / "log").read_text()
        yield address
    finally:
        give_up.cancel()
        server.terminate()
        try:
            server.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            server.kill()
            server.communicate(timeout=LIMIT)


def start_script(name: str, *args: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, str(EXAMPLES / name), *args],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip


def finish(script: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Wait for a script; give its exit status, what it printed, and its complaints."""
    try:
        said, complained = script.communicate(timeout=LIMIT)
    finally:
        script.kill()
    return script.returncode, said, complained


def run(name: str, *args: str) -> tuple[int, str, str]:
    return finish(start_script(name, *args))


def call(url: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Authorization": f"Bearer {token}"})
    with build_opener(ProxyHandler({})).open(request, timeout=LIMIT) as answer:
        return json.load(answer)


@pytest.mark.parametrize("game", GAMES)
def test_watch_and_verify(url: str, game: str) -> None:
    status, said, complained = run("watch_table.py", url, game)
    assert status == 0, complained
    *moves, end = said.splitlines()
    assert json.loads(moves[-1])["by"] in (0, 1, 2, "nature")
    table = end.split(",")[0].rpartition("/")[2]
    public = call(f"{url}/api/tables/{table}")
    assert public["phase"] == "over"
    status, said, complained = run("verify_game.py", url, table, public["commitment"])
    assert status == 0, complained
    assert "fair" in said
    status, said, complained = run("verify_game.py", url, table, "another promise")
    assert (status, said) == (1, "")
    assert "commitment" in complained


def play_remotely(url: str, game: str, example: str, *args: str) -> None:
    """Let a script play to the end.

    The two people are away, and bots play for them, so that only the script has to act.
    """
    one = call(f"{url}/api/tables", {"game": game, "seats": 3, "name": "Ina"})
    table = f"{url}/api/tables/{one['table']}"
    two = call(f"{table}/seats", {"name": "Tom"})
    script = start_script(example, url, one["table"], "Robo", *args)
    try:
        while not call(table)["seats"][2]["here"] and script.poll() is None:
            sleep(0.05)
        call(f"{table}/start", {}, one["token"])
        call(f"{table}/relief", {"seat": 1}, one["token"])
        call(f"{table}/relief", {"seat": 0}, two["token"])
        status, said, complained = finish(script)
    finally:
        script.kill()
    assert status == 0, complained
    assert said.startswith("I was seat 2. Scores: [")
    with build_opener(ProxyHandler({})).open(f"{table}/record", timeout=LIMIT) as answer:
        lines = [json.loads(line) for line in answer.read().splitlines()]
    assert [line for line in lines if line.get("by") == 2]
    assert str(lines[-1]["result"]["scores"]) in said


@pytest.mark.parametrize("game", GAMES)
def test_remote_players_play_to_the_end(url: str, game: str) -> None:
    """Both at once, at a table each: their races take their time."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(partial(play_remotely, url, game), ("remote_bot.py", "seat_policy.py")))


def test_what_was_trained_sits_down(url: str, tmp_path: Path) -> None:
    played = process("sushizock", 3)
    numbers, actions = played.layout.size, len(played.labels)
    file = tmp_path / "policy.npz"
    np.savez(file, weights=np.eye(numbers + 1, actions), scale=np.ones(numbers))
    play_remotely(url, "sushizock", "seat_policy.py", str(file))


def test_there_is_no_table_and_no_record(url: str) -> None:
    held = call(f"{url}/api/tables", {"game": "buffet", "seats": 3, "name": "Ina"})
    assert run("verify_game.py", url, held["table"])[0] == 1
    assert run("remote_bot.py", url, "nowhere", "Robo")[0] == 1
    assert run("seat_policy.py", url, "nowhere", "Robo")[0] == 1
    assert run("watch_table.py", url, "chess")[0] == 1


@pytest.mark.parametrize("script", sorted({it.name for it in EXAMPLES.glob("*.py")} - OWN_GAMES))
def test_examples_are_short(script: str) -> None:
    text = (EXAMPLES / script).read_text()
    most = 200 if script == "jax_train.py" else 75  # a whole learner is longer than a client
    assert len(text.splitlines()) < most
    assert "Run: python examples/" in text
