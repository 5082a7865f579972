"""PettingZoo's own tests, no warning silenced; and what they do not ask."""

import subprocess
import sys
import warnings
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from tests.envs.golden import TABLES, file_of, trajectory
from tischlein import game_named
from tischlein.chance import Quick
from tischlein.envs import pettingzoo
from tischlein.envs.games import env_names, process_of, title

CYCLES = 60
MASK_IN_OBSERVATION = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
}
"""What PettingZoo says of masks in the observation in every environment that is not its own."""

every_table = pytest.mark.parametrize(("name", "seats"), TABLES)
every_game = pytest.mark.parametrize("name", env_names())


@every_table
def test_turn_by_turn(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(pettingzoo.env(name, seats, masks="info"), CYCLES)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(pettingzoo.env(name, seats), CYCLES)
    assert {str(one.message) for one in said} == MASK_IN_OBSERVATION


@every_table
def test_all_at_once(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(pettingzoo.parallel_env(name, seats), CYCLES)


@every_table
def test_seeds(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seed_test(lambda: pettingzoo.env(name, seats), CYCLES)
        parallel_seed_test(lambda: pettingzoo.parallel_env(name, seats), CYCLES)


@every_table
def test_a_change_of_behaviour_bumps_the_version(name: str, seats: int) -> None:
    assert pettingzoo.raw_env(name, seats).metadata["name"] == title(process_of(name))
    kept = file_of(name, seats).read_text(encoding="utf-8")
    assert trajectory(name, seats) == kept, "raise the version, then python -m tests.envs.golden"


def play_on(table: Any, seed: int, policy: Any) -> dict[str, float]:
    """Play a game turn by turn; give the last rewards."""
    table.reset(seed=seed)
    rewards: dict[str, float] = {}
    for agent in table.agent_iter():
        seen, reward, ended, cut, _ = table.last()
        if ended or cut:
            rewards[agent] = reward
            table.step(None)
        else:
            table.step(policy(seen))
    return rewards


def least(seen: Any) -> int:
    """Choose the legal action that a sum of the observation names."""
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[int(abs(seen["observation"]).sum()) % len(legal)])


@every_table
def test_both_kinds_play_the_same_game(name: str, seats: int) -> None:
    one_by_one = pettingzoo.env(name, seats, max_steps=300)
    rewards = play_on(one_by_one, 5, least)
    at_once = pettingzoo.parallel_env(name, seats, max_steps=300)
    seen, _ = at_once.reset(seed=5)
    while at_once.agents:
        actions = {agent: least(seen[agent]) for agent in at_once.agents}
        seen, last, _, _, _ = at_once.step(actions)
    assert last == rewards
    assert at_once.game.position == one_by_one.unwrapped.game.position


@every_game
@pytest.mark.parametrize("reward", ["win", "points"])
def test_rewards_come_at_the_end(name: str, reward: str) -> None:
    rng = Quick(3)
    table = pettingzoo.env(name, reward=reward)

    def at_random(seen: Any) -> int:
        legal = np.flatnonzero(seen["action_mask"])
        return int(legal[rng.below(len(legal))])

    rewards = list(play_on(table, 3, at_random).values())
    state = table.unwrapped.game.position.state
    rules = game_named(name)
    if reward == "win":
        winners = rules.winners(state)
        assert winners
        assert rewards == [(s in winners) / len(winners) for s in range(len(rewards))]
    else:
        assert rewards == [float(points) for points in rules.scores(state)]


@every_game
def test_a_game_that_is_too_long_is_cut(name: str) -> None:
    table = pettingzoo.env(name, max_steps=2)
    table.reset(seed=1)
    rewards = play_on(table, 1, least)
    assert set(rewards.values()) == {0.0}
    assert table.unwrapped.game.steps == 2


@every_game
def test_an_illegal_action_ends_the_game(name: str) -> None:
    raw = pettingzoo.raw_env(name)
    raw.reset(seed=1)
    wrong = int(np.flatnonzero(raw.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="is not legal"):
        raw.step(wrong)
    at_once = pettingzoo.parallel_env(name)
    seen, _ = at_once.reset(seed=1)
    actions = {
        agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in at_once.agents
    }
    actions["player_1"] = int(np.flatnonzero(seen["player_1"]["action_mask"] == 0)[0])
    _, rewards, ended, _, _ = at_once.step(actions)
    assert rewards["player_1"] == -1.0
    assert all(ended.values())
    assert not at_once.agents


@every_game
def test_render(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    table: Any
    for table in (
        pettingzoo.env(name, render_mode="svg"),
        pettingzoo.parallel_env(name, render_mode="svg"),
    ):
        table.reset(seed=1)
        drawing = ElementTree.fromstring(table.render())
        assert len(list(drawing)) > 20
    table = pettingzoo.env(name, render_mode="ansi")
    table.reset(seed=1)
    assert table.render() in capsys.readouterr().out
    assert "player_1" in table.render()
    table = pettingzoo.raw_env(name)
    table.reset(seed=1)
    assert table.render() is None


def test_what_does_not_exist_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="`reward` must be one of win, points"):
        pettingzoo.env("buffet", reward="fame")
    with pytest.raises(ValueError, match="`render_mode` must be one of"):
        pettingzoo.env("buffet", render_mode="smell")
    with pytest.raises(ValueError, match="`masks` must be one of"):
        pettingzoo.env("buffet", masks="carnival")
    with pytest.raises(ValueError, match="`dice` must be from 1 to 5"):
        pettingzoo.env("sushizock", dice=6)
    with pytest.raises(ValueError, match="need 18 cards, not 12"):
        pettingzoo.env("buffet", 2, values=4, copies=3)


@pytest.mark.parametrize(
    ("module", "package"), [("pettingzoo", "pettingzoo"), ("open_spiel", "pyspiel")]
)
def test_without_the_extra_a_sentence_says_what_is_missing(module: str, package: str) -> None:
    code = f"import sys; sys.modules['{package}'] = None; import tischlein.envs.{module}"
    run = [sys.executable, "-c", code]
    said = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    last = said.stderr.strip().splitlines()[-1]
    assert last.endswith(f"this environment needs {package}: run `pip install 'tischlein[envs]'`")
