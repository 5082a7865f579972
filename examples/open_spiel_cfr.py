"""Solves a small Schlacht am Buffet with OpenSpiel's CFR+: how far from unbeatable, step by step.

Two mice race for two plates, one after the other; each holds two of the cards 1 to 4.

Run: python examples/open_spiel_cfr.py [ITERATIONS]
"""

import sys

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import tischlein.envs.open_spiel  # noqa: F401  # registers the games

GAME = "tischlein_buffet(players=2,values=4,copies=1,hand=2,foods=1,plates=2)"


def main(iterations: int = 64) -> None:
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(GAME))
    solver = cfr.CFRPlusSolver(game)
    print(f"{GAME}\niterations  exploitability")
    done = 0
    while done < iterations:
        solver.evaluate_and_update_policy()
        done += 1
        if done & (done - 1) == 0 or done == iterations:  # at 1, 2, 4, 8, …
            gap = exploitability.exploitability(game, solver.average_policy())
            print(f"{done:10}  {gap:.5f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
