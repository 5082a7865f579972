"""Measure what docs/strategy/sushizock.md tells, and keep it in research/results/sushizock.json.

Run as `python -m research.sushizock_figures [PART …]`: `study`, `speed`, `levels`; all without.
Duels that are kept already are not played again: remove them to measure other bots.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from time import process_time
from typing import Any, Final

import msgspec
import numpy as np

from research.figures import FOLDER, keep, kept
from research.sushizock_duels import Duel, duel, play
from research.sushizock_games import deal, draw_ends
from tischlein.bots import Answer, Chance, Turn, bot_named, levels
from tischlein.bots.arrays import Floats, Ints
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.bots import table
from tischlein.games.sushizock.bots.dice import (
    CAME_FIRST,
    CHANCES,
    FORCED,
    NOTHING,
    OPTIONS,
    PARTS,
    STEAL,
    TAKE_BONES,
    WHOLES,
)
from tischlein.games.sushizock.bots.search import Weighed, weigh
from tischlein.games.sushizock.bots.table import Boards
from tischlein.games.sushizock.bots.value import value
from tischlein.games.sushizock.rules import FACES, STEAL_TOP, Count

NAME: Final = "sushizock"
SEED: Final = 2008
STUDIED: Final = 4_000
"""Games of the machines among themselves, for each number of seats."""
DUELS: Final = (
    ("easy", "random", 2004),
    ("medium", "easy", 2004),
    ("hard", "medium", 2004),
    ("expert", "medium", 2004),
    ("medium", "onepage", 2004),
    ("expert", "hard", 2004),
    ("onepage", "expert", 600),
    ("expert", "easy", 600),
    ("onepage", "easy", 600),
    ("expert*10", "medium", 300),
)


def self_play(seats: int, games: int) -> Iterator[tuple[Boards, Weighed, Ints, Boards]]:
    """Let machines that remember all play; give positions, their turns, games and what followed."""
    rng = np.random.default_rng(SEED)
    boards, alive = deal(seats, games, rng), np.arange(games)
    while len(alive):
        weighed = weigh(boards[alive], value)
        after = weighed.found.boards[draw_ends(weighed, rng)]
        yield boards[alive], weighed, alive, after
        boards[alive] = after
        alive = alive[~table.is_over(after)]


def study(seats: int) -> dict[str, Any]:
    """Look at games among machines: seats, forced takes, steals, scores, first keeps."""
    turns = np.zeros(STUDIED)
    ends = np.zeros((STUDIED, OPTIONS))
    results, points = np.zeros((STUDIED, seats)), np.zeros((STUDIED, seats))
    chosen = np.zeros((len(WHOLES), OPTIONS + len(PARTS)))
    for number, (_, weighed, alive, after) in enumerate(self_play(seats, STUDIED)):
        turns[alive] += 1
        ends[alive] += weighed.chance.T
        for roll, whole in enumerate(CAME_FIRST):
            np.add.at(chosen[whole], weighed.solved.choose_first[roll], 1)
        over = table.is_over(after)
        back = (number + 1) % seats
        results[alive[over]] = np.roll(table.shares(after[over]), back, axis=1)
        points[alive[over]] = np.roll(table.scores(after[over]), back, axis=1)
    return {
        "seats": seats,
        "games": STUDIED,
        "share_by_seat": with_errors(results),
        "turns": with_errors(turns[:, None])[0],
        "forced_takes_in_a_game": with_errors(ends[:, [FORCED]])[0],
        "steals_in_a_game": {
            pile: with_errors(ends[:, [STEAL[pile, False], STEAL[pile, True]]].sum(1)[:, None])[0]
            for pile in ("sushi", "bones")
        },
        "winning_points": with_errors(points.max(axis=1)[:, None])[0],
        "blue_in_first_roll": blue_kept(chosen),
        "first_rolls": first_rolls(chosen),
    }


def with_errors(columns: Floats) -> list[dict[str, float]]:
    """Give the mean of each column and its standard error."""
    means, errors = columns.mean(axis=0), columns.std(axis=0, ddof=1) / len(columns) ** 0.5
    return [
        {"mean": round(float(mean), 5), "error": round(float(error), 5)}
        for mean, error in zip(means, errors, strict=True)
    ]


def blue_kept(chosen: Floats) -> list[dict[str, float]]:
    """Say what is right with one, two, three blue chopsticks in the first roll, and so on."""
    return [answers_to_blue(chosen, blue) for blue in range(1, STEAL_TOP + 1)]


def answers_to_blue(chosen: Floats, blue: int) -> dict[str, float]:
    """Say how often just the blue dice are kept, and how often a sushi is stolen at once."""
    rolls = [at for at, whole in enumerate(WHOLES) if whole[2] == blue]
    weighted = (CHANCES[0, rolls][:, None] * chosen[rolls]).sum(axis=0)
    weighted /= weighted.sum()
    just_blue = OPTIONS + PARTS.index((0, 0, blue, 0))
    stolen = weighted[[STEAL["sushi", False], STEAL["sushi", True]]].sum()
    return {
        "blue": blue,
        "keep_just_blue": round(float(weighted[just_blue]), 4),
        "steal_at_once": round(float(stolen), 4),
    }


def first_rolls(chosen: Floats) -> list[dict[str, Any]]:
    """Give the most usual answer to each first roll, the likeliest rolls first."""
    found = []
    for whole in np.argsort(-CHANCES[0], kind="stable"):
        best = int(chosen[whole].argmax())
        found.append(
            {
                "roll": written(WHOLES[whole]),
                "chance": round(float(CHANCES[0, whole]), 5),
                "answer": end_written(best) if best < OPTIONS else written(PARTS[best - OPTIONS]),
                "how_often": round(float(chosen[whole, best] / chosen[whole].sum()), 4),
            }
        )
    return found


def written(dice: Count) -> str:
    """Write dice down: `2 sushi, 1 blue`."""
    return ", ".join(f"{n} {face}" for n, face in zip(dice, FACES, strict=True) if n)


def end_written(option: int) -> str:
    """Write down how a turn ends."""
    if option == NOTHING or option >= FORCED:
        return "forced"
    if option in STEAL.values():
        return "steal " + next(pile for (pile, _), way in STEAL.items() if way == option)
    return "take sushi" if option <= TAKE_BONES else "take bones"


def speed(level: str, seats: int = 4, games: int = 20) -> dict[str, Any]:
    """Measure the milliseconds that a level needs for a move, on one core."""
    bot, times = bot_named(sushizock, level), list[float]()

    def timed(turn: Turn, rng: Chance) -> Answer:
        began = process_time()
        answer = bot(turn, rng)
        times.append(1000 * (process_time() - began))
        return answer

    others = bot_named(sushizock, "medium")
    for number in range(games):
        play([timed, *[others] * (seats - 1)], f"speed/{number}")
    mean, most = sum(times) / len(times), max(times)
    return {"level": level, "moves": len(times), "ms": round(mean, 3), "most_ms": round(most, 1)}


def keep_part(part: str, found: Any) -> None:
    """Keep what was measured beside the rest."""
    keep(NAME, str(SEED), known() | {part: found})


def known() -> dict[str, Any]:
    """Read what was measured before."""
    return dict(kept(NAME)) if (FOLDER / f"{NAME}.json").exists() else {}


def main(parts: list[str]) -> None:
    """Measure what is asked for, or all."""
    if not parts or "study" in parts:
        keep_part("study", [study(seats) for seats in sushizock.SEATS])
    if not parts or "speed" in parts:
        names = [*levels(sushizock), "onepage", "expert*10"]
        keep_part("speed", [speed(name) for name in names])
    if not parts or "levels" in parts:
        measure_levels()


def measure_levels() -> None:
    """Play the duels that are not kept yet."""
    found = msgspec.convert(known().get("levels", []), list[Duel])
    played = {(one.one, one.others, one.seats) for one in found}
    wanted = [
        (one, others, seats, games, str(SEED))
        for one, others, games in DUELS
        for seats in sushizock.SEATS
        if (one, others, seats) not in played
    ]
    with ProcessPoolExecutor() as pool:
        for one in pool.map(duel, *zip(*wanted, strict=True)):
            found.append(one)
            print(one, flush=True)
            keep_part("levels", found)


if __name__ == "__main__":
    main(sys.argv[1:])
