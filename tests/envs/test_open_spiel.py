"""OpenSpiel's own tests and algorithms on the games, no warning silenced."""

import pickle
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import cfr, exploitability, mcts
from open_spiel.python.algorithms.generate_playthrough import replay

import tischlein.envs.open_spiel as games
from tests.envs.golden import PLAYTHROUGHS, game_string, playthrough, playthrough_file
from tischlein.envs.games import env_names, process_of, title

SMALL_BUFFET = "tischlein_buffet(players=2,values=4,copies=1,hand=2,foods=1,plates=1)"
SMALL_SUSHIZOCK = "tischlein_sushizock(tiles=1,dice=2,rolls=1,starter=0)"
SMALL_KAKERLAKEN = (
    "tischlein_kakerlaken(symbols=1,colours=1,coins=1,race_ms=1000,naming_ms=2000,tick_ms=2000,"
    "noise=0,starter=0,max_steps=3)"
)
SMALL = [SMALL_BUFFET, SMALL_SUSHIZOCK, SMALL_KAKERLAKEN]

pytestmark = pytest.mark.filterwarnings(
    "error", "default::ResourceWarning", "default::pytest.PytestUnraisableExceptionWarning"
)
"""No warning from OpenSpiel; what earlier tests have left open may be swept up at any moment."""
every_game = pytest.mark.parametrize("name", env_names())


def in_turns(text: str) -> Any:
    """Load a game; where seats act at once, they act one after the other, unseen."""
    game = pyspiel.load_game(text)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL:
        return game
    return pyspiel.convert_to_turn_based(game)


@every_game
def test_random_simulations_of_reduced_games(name: str) -> None:
    game = pyspiel.load_game(game_string(name, PLAYTHROUGHS[name]))
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "text",
    [
        *(f"tischlein_sushizock(players={n})" for n in range(2, 6)),
        *(f"tischlein_buffet(players={n},max_steps=25)" for n in range(2, 7)),
        *(f"tischlein_kakerlaken(players={n},max_steps=40)" for n in range(2, 6)),
        "tischlein_buffet(players=3)",
        "tischlein_kakerlaken(coins=1,tick_ms=500)",
        "tischlein_sushizock(open_piles=true,reward=points)",
        "tischlein_kakerlaken(young=true,max_steps=40)",
    ],
)
def test_random_simulations_of_whole_games(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=False, verbose=False)


@every_game
def test_playthroughs(name: str) -> None:
    file = playthrough_file(name)
    kept = file.read_text(encoding="utf-8")
    assert title(process_of(name)) in kept
    assert playthrough(name) == kept, "raise the version, then python -m tests.envs.golden"
    flags.FLAGS.mark_as_parsed()  # the library reads its command line
    told, again = replay(str(file))
    assert told == again


@every_game
def test_states_travel_as_text(name: str) -> None:
    game = pyspiel.load_game(game_string(name, PLAYTHROUGHS[name]))
    rng = np.random.default_rng(4)
    state = game.new_initial_state()
    while not state.is_terminal():
        copy = pickle.loads(pickle.dumps(state))
        assert str(copy) == str(state)
        assert copy.history() == state.history()
        if state.is_simultaneous_node():
            seats = range(game.num_players())
            state.apply_actions([int(rng.choice(state.legal_actions(seat))) for seat in seats])
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))


def everywhere(state: Any) -> Iterator[Any]:
    """Walk through the whole tree."""
    yield state
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from everywhere(state.child(action))


@pytest.mark.parametrize("text", SMALL)
def test_information_states_tell_own_actions_and_no_secret(text: str) -> None:
    """Who is in the same information state has the same actions and the same past ones."""
    known: dict[tuple[int, str], set[Any]] = defaultdict(set)
    for state in everywhere(in_turns(text).new_initial_state()):
        player = state.current_player()
        if player >= 0:
            mine = tuple(p.action for p in state.full_history() if p.player == player)
            told = state.information_state_string()
            known[player, told].add((mine, tuple(state.legal_actions())))
    assert all(len(found) == 1 for found in known.values())
    assert len(known) > 4


@pytest.mark.parametrize("text", SMALL)
def test_returns_sum_to_zero(text: str) -> None:
    game = in_turns(text)
    ends = [s.returns() for s in everywhere(game.new_initial_state()) if s.is_terminal()]
    assert all(abs(sum(end)) < 1e-9 for end in ends)
    assert {game.min_utility(), game.max_utility()} == {-0.5, 0.5}
    assert {value for end in ends for value in end} <= {-0.5, 0.0, 0.5}


@pytest.mark.parametrize("text", [SMALL_BUFFET, SMALL_SUSHIZOCK])
def test_cfr_makes_exploitability_fall(text: str) -> None:
    game = in_turns(text)
    solver, gaps = cfr.CFRPlusSolver(game), []
    for _ in range(3):
        solver.evaluate_and_update_policy()
        gaps.append(exploitability.exploitability(game, solver.average_policy()))
    assert gaps[2] < gaps[0]


def test_cfr_and_exploitability_of_the_library_in_c() -> None:
    game = in_turns(SMALL_BUFFET)
    solver = pyspiel.CFRPlusSolver(game)
    at_first = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    for _ in range(5):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < at_first / 4


def test_mcts_takes_the_sushi_and_leaves_the_bone() -> None:
    game = pyspiel.load_game("tischlein_sushizock(tiles=1,dice=2,rolls=1,starter=0)")
    state = game.new_initial_state()
    rolls = {state.action_to_string(roll): roll for roll in state.legal_actions()}
    state.apply_action(rolls["roll sushi bones"])
    assert len(state.legal_actions()) == 2
    rng = np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2.0, 100, mcts.RandomRolloutEvaluator(2, rng), random_state=rng)
    assert state.action_to_string(bot.step(state)) == "take sushi"


@every_game
def test_mcts_plays_every_game(name: str) -> None:
    game = in_turns(game_string(name, PLAYTHROUGHS[name]))
    state, rng = game.new_initial_state(), np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2.0, 3, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    decided = 0
    while not state.is_terminal() and decided < 6:
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            decided += 1
    assert decided > 1


def test_two_seats_at_the_buffet_are_the_last_two() -> None:
    """[B12]: the one ahead takes the plate, the other gets nothing; level they play again."""
    text = "tischlein_buffet(players=2,values=2,copies=2,hand=2,foods=1,plates=6,reward=points)"
    state = pyspiel.load_game(text).new_initial_state()
    while state.is_chance_node():
        last = state.legal_actions()[-1]
        state.apply_action(next((a for a in state.legal_actions() if a == 3), last))
    before = state.node.position.state
    assert len(before.buffet) == 1
    while state.node.position.state.stacks == before.stacks:
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_actions([max(state.legal_actions(0)), min(state.legal_actions(1))])
    shown = state.node.position.state.revealed
    assert shown.left == ((1, None), (0, before.buffet[0]))


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="`reward` must be win or points"):
        games.game_class("buffet")({"reward": "fame"})
    with pytest.raises(ValueError, match="`tiles` must be from 1 to 12"):
        games.game_class("sushizock")({"tiles": 13})


def test_importing_says_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert set(pyspiel.registered_names()) >= {f"tischlein_{name}" for name in env_names()}
