"""A policy takes a seat among bots, and learns and is solved for in the examples."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from research.docs import BLOCK, filled
from research.env_tables import PAGE, blocks

from tests.envs.golden import TABLES
from tests.tables import random_game
from tischlein import game_named
from tischlein.bots import bot_named
from tischlein.bots.bot import turn_of
from tischlein.chance import Quick
from tischlein.envs import pettingzoo
from tischlein.envs.seat import as_bot, turn_from
from tischlein.lab.simulate import Fault, ask_bots, play_game

EXAMPLES = Path(__file__).parents[2] / "examples"
LIMIT = 100.0


def at_random(seed: int) -> Any:
    """Make a policy that chooses any legal action."""
    rng = Quick(seed)

    def choose(observation: Any, mask: Any) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[rng.below(len(legal))])

    return choose


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_policy_plays_whole_games_among_bots(name: str, seats: int) -> None:
    rules = game_named(name)
    asked = []

    def policy(observation: Any, mask: Any) -> int:
        asked.append(observation)
        return int(at_random(len(asked))(observation, mask))

    bots = [as_bot(policy, name, memory=True), *[bot_named(rules, "random")] * (seats - 1)]
    faults: list[Fault] = []
    played = play_game(rules, ask_bots(bots), ["x"] * seats, {}, "seat", faults=faults)
    assert not faults
    assert played.over
    assert len(asked) > 3


def test_a_policy_is_shown_what_its_environment_shows() -> None:
    """The same position looks the same at a table and in the environment."""
    table = pettingzoo.raw_env("sushizock", 3, memory=True)
    table.reset(seed=2)
    choose = at_random(1)
    for _ in range(40):
        seen, position = table.last()[0], table.game.position
        seat = table.possible_agents.index(table.agent_selection)
        shown: list[Any] = []

        def look(observation: Any, mask: Any, into: list[Any] = shown) -> int:
            into.append((observation, mask))
            return int(np.flatnonzero(mask)[0])

        turn = turn_of(game_named("sushizock"), position.state, position.moves, seat)
        as_bot(look, "sushizock", memory=True)(turn, Quick(1))
        assert (shown[0][0] == seen["observation"]).all()
        assert (shown[0][1] == seen["action_mask"]).all()
        table.step(choose(seen["observation"], seen["action_mask"]))


def test_a_policy_that_breaks_the_rules_is_named() -> None:
    rules = game_named("buffet")
    state = rules.play(rules.start(3), "nature", rules.draw(rules.start(3), Quick(1)))
    bot = as_bot(lambda observation, mask: 0, "buffet")
    with pytest.raises(ValueError, match="the policy chose action 0; legal are"):
        bot(turn_of(rules, state, (), 1), Quick(1))


def test_a_patient_policy_lets_the_race_pass() -> None:
    rules = game_named("kakerlaken")
    state = rules.start(2)
    for _ in range(2):
        state = rules.play(state, "nature", rules.draw(state, Quick(1)))
    ticks = []

    def wait(observation: Any, mask: Any) -> int:
        ticks.append(observation)
        return 0

    assert (
        as_bot(wait, "kakerlaken", tick_ms=500)(turn_of(rules, state, (), 0), Quick(1)).move is None
    )
    assert len(ticks) == 16  # from 281 ms to 7781 ms
    quick = as_bot(lambda observation, mask: 1, "kakerlaken", noise=0)
    answer: Any = quick(turn_of(rules, state, (), 0), Quick(1)).move
    assert answer.at == 281.0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_turn_from_the_wire_is_the_turn_at_the_table(name: str, seats: int) -> None:
    rules = game_named(name)
    for number, (state, _, _, _) in enumerate(random_game(name, seats, 3)):
        if number > 40:
            break
        for seat in range(seats):
            legal = rules.legal(state, seat)
            frame = {"view": rules.view(state, seat), "legal": {str(seat): legal} if legal else {}}
            turn = turn_from(name, seat, json.loads(msgspec.json.encode(frame)))
            assert turn.view == rules.view(state, seat)
            assert list(turn.legal) == list(legal)


def run(script: str, *args: str) -> str:
    """Run an example; give what it prints."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / script), *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_training_with_pettingzoo(tmp_path: Path) -> None:
    said = run("pettingzoo_train.py", "6", str(tmp_path / "policy.npz"))
    leads = [float(lead) for lead in re.findall(r"lead +([-+][\d.]+) points", said)]
    assert len(leads) == 6
    assert max(leads[3:]) > leads[0]
    kept = np.load(tmp_path / "policy.npz")
    assert kept["weights"].shape == (len(kept["scale"]) + 1, 97)


def test_solving_with_open_spiel() -> None:
    said = run("open_spiel_cfr.py", "4")
    gaps = [float(line.split()[1]) for line in said.splitlines()[2:]]
    assert len(gaps) == 3
    assert gaps[0] > gaps[1] > gaps[2]


def test_the_tables_of_the_page_are_made_from_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    made = blocks()
    assert filled(text, made) == text, "run python -m research.env_tables"
    assert {found[1] for found in BLOCK.finditer(text)} == set(made)
