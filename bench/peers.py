"""Random self-play speed of OpenSpiel's games, driven from Python in one process."""

from __future__ import annotations

import importlib
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

GAMES = (
    "python_kuhn_poker",
    "python_liars_poker",
    "python_tic_tac_toe",
    "python_iterated_prisoners_dilemma",
    "python_dynamic_routing",
    "goofspiel(players=4)",
    "kuhn_poker",
    "pig",
)
ROUNDS = 3
WARM_UP = 0.1
SEED = 1
CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4  # values of pyspiel.PlayerId


class Speed(NamedTuple):
    """One game's speed: choices made by players, and those plus chance outcomes."""

    name: str
    decisions_per_s: float
    moves_per_s: float


def peers(seconds: float) -> list[Speed]:
    """Time each game: the best of a few rounds of about `seconds` each."""
    pyspiel = importlib.import_module("pyspiel")
    importlib.import_module("open_spiel.python.games")  # registers the python_ games
    return [best(name, pyspiel.load_game(name), seconds) for name in GAMES]


def best(name: str, game: Any, seconds: float) -> Speed:
    """Warm up, then keep the round with the most decisions per second."""
    rng = Random(SEED)
    timed(name, game, rng, WARM_UP)
    rounds = [timed(name, game, rng, seconds) for _ in range(ROUNDS)]
    return max(rounds, key=lambda speed: speed.decisions_per_s)


def timed(name: str, game: Any, rng: Random, seconds: float) -> Speed:
    """Play whole games until `seconds` have passed."""
    decisions = chances = 0
    elapsed, start = 0.0, perf_counter()
    while elapsed < seconds or not decisions:
        chosen, sampled = play(game, rng)
        decisions += chosen
        chances += sampled
        elapsed = perf_counter() - start
    return Speed(name, decisions / elapsed, (decisions + chances) / elapsed)


def play(game: Any, rng: Random) -> tuple[int, int]:
    """Play one random game; count the players' decisions and the chance outcomes."""
    state, players = game.new_initial_state(), range(game.num_players())
    decisions = chances = 0
    while (mover := state.current_player()) != TERMINAL:
        if mover == CHANCE:
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
            chances += 1
        else:
            decisions += decide(state, players if mover == SIMULTANEOUS else None, rng)
    return decisions, chances


def decide(state: Any, players: range | None, rng: Random) -> int:
    """Apply a random legal action for the mover, or one for each of `players` at once."""
    if players is None:
        state.apply_action(rng.choice(state.legal_actions()))
        return 1
    state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
    return len(players)
