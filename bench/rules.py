"""Decisions per second of random self-play, beside OpenSpiel in the same run.

Run: `scripts/set-up bench && .venv/bin/python -m bench.rules`. At every decision all legal moves
are listed and one is chosen; chance is drawn, not counted. Results are kept in `bench/results.md`.
"""

import sys
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from bench.peers import ROUNDS, Speed, peers
from bench.results import keep
from tischlein import game_named, game_names
from tischlein.chance import Quick
from tischlein.game import NATURE, AnyGame

SEATS = 4
SECONDS = 2.0


def our_speeds(seconds: float) -> list[Speed]:
    """Time each of our games: the best of a few rounds."""
    found = []
    for name in game_names():
        rounds = [timed(game_named(name), seconds, seed) for seed in range(ROUNDS)]
        found.append(max(rounds, key=lambda speed: speed.decisions_per_s))
    return found


def timed(rules: AnyGame, seconds: float, seed: int) -> Speed:
    """Play whole games until `seconds` have passed."""
    rng, quick = Random(seed), Quick(seed)
    decisions = chances = 0
    elapsed, start = 0.0, perf_counter()
    while elapsed < seconds:
        chosen, drawn = play(rules, rng, quick)
        decisions, chances = decisions + chosen, chances + drawn
        elapsed = perf_counter() - start
    label = f"{rules.NAME}, {SEATS} seats"
    return Speed(label, decisions / elapsed, (decisions + chances) / elapsed)


def play(rules: AnyGame, rng: Random, quick: Quick) -> tuple[int, int]:
    """Play one random game; count the decisions and the moves of nature."""
    state = rules.start(SEATS)
    decisions = chances = 0
    to_move, legal, make, random = rules.to_move, rules.legal, rules.play, rng.random
    while movers := to_move(state):
        by = movers[0]
        if by == NATURE:
            state = make(state, by, draw(rules, state, random(), quick))
            chances += 1
            continue
        moves = legal(state, by)
        move = moves[int(random() * len(moves))]
        if rules.NAME == "kakerlaken" and hasattr(move, "at"):
            mine = state.deeds[by]
            move = replace(move, at=random() * 4000 if mine is None else mine.at + random() * 4000)
        state = make(state, by, move)
        decisions += 1
    return decisions, chances


def draw(rules: AnyGame, state: Any, number: float, quick: Quick) -> Any:
    """Draw nature's move: from its list of chances where there is one, as OpenSpiel's are."""
    listed = rules.chances(state)
    if not listed:
        return rules.draw(state, quick)
    sums = SUMS.get(id(listed)) or cumulated(listed)
    return listed[bisect(sums, number)][0]


SUMS: dict[int, list[float]] = {}
"""Sums of probabilities by list of chances; the games keep these lists, so their ids last."""


def cumulated(chances: Sequence[Any]) -> list[float]:
    """Sum the probabilities up, the last left out, so that no rounding can overshoot."""
    sums = [float(p) for p in accumulate(probability for _, probability in chances)][:-1]
    return SUMS.setdefault(id(chances), sums)


def main() -> None:
    """Measure both sides and print and keep the table."""
    ours, theirs = our_speeds(SECONDS), peers(SECONDS)
    in_python = max(s.decisions_per_s for s in theirs if s.name.startswith("python_"))
    in_c = max(s.decisions_per_s for s in theirs if s.name.startswith("goofspiel"))
    rows = ["| game | decisions/s | with chance | × fastest Python peer | × C++ goofspiel |"]
    rows.append("|---|--:|--:|--:|--:|")
    for speed in [*ours, *theirs]:
        ratios = f"{speed.decisions_per_s / in_python:.2f} | {speed.decisions_per_s / in_c:.2f}"
        rows.append(
            f"| {speed.name} | {speed.decisions_per_s:,.0f} | {speed.moves_per_s:,.0f} | {ratios} |"
        )
    keep("Rules: random self-play, one process", rows, "--keep" in sys.argv)


if __name__ == "__main__":
    main()
