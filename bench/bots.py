"""How long bots think: ms a move and games/s on one core, for every level of every game.

Run: `.venv/bin/python -m bench.bots [--keep] [GAME …]`. Whole games of four seats of one level;
every answer is timed by itself, in time of the processor, so that other work does not count.
Games/s counts all the work of a game: rules, dice and bots.
"""

import sys
from time import process_time

from msgspec import Struct

from bench.results import keep
from tischlein import game_named, game_names
from tischlein.bots import Answer, Chance, Turn, bot_named, levels
from tischlein.game import AnyGame
from tischlein.lab.simulate import play_game

SEATS = 4
SECONDS = 5.0
BUDGET_MS = {"medium": 20.0, "hard": 100.0, "expert": 1000.0}
"""What a move may take at most."""


class Thinking(Struct, frozen=True):
    """How long a level thought: every answer in ms, the games, and the seconds they took."""

    game: str
    level: str
    times: list[float]
    games: int
    seconds: float


def timed(rules: AnyGame, level: str, seconds: float) -> Thinking:
    """Play whole games until some seconds have passed, at least one."""
    bot, times = bot_named(rules, level), []

    def ask(turn: Turn, rng: Chance) -> Answer:
        begun = process_time()
        answer = bot(turn, rng)
        times.append(1000 * (process_time() - begun))
        return answer

    played, start = 0, process_time()
    while played == 0 or process_time() - start < seconds:
        play_game(rules, ask, [level] * SEATS, {}, f"bench {played}")
        played += 1
    return Thinking(rules.NAME, level, times, played, process_time() - start)


def row(found: Thinking) -> str:
    """Write a line of the table."""
    times = sorted(found.times)
    p99 = times[min(len(times) - 1, int(0.99 * len(times)))]
    budget = BUDGET_MS.get(found.level)
    told = f"{sum(times) / len(times):.3f} | {p99:.3f} | {times[-1]:.1f}"
    limit = "" if budget is None else f"{budget:.0f}"
    speed = found.games / found.seconds
    return f"| {found.game} | {found.level} | {len(times):,} | {told} | {limit} | {speed:.3g} |"


def main() -> None:
    """Measure all levels and print and keep the table."""
    wanted = [name for name in sys.argv[1:] if not name.startswith("-")] or game_names()
    rows = ["| game, 4 seats | level | moves | mean ms | p99 ms | max ms | budget ms | games/s |"]
    rows.append("|---|---|--:|--:|--:|--:|--:|--:|")
    for name in wanted:
        rules = game_named(name)
        rows += [row(timed(rules, level, SECONDS)) for level in levels(rules)]
    keep("Bots: time to think, one process", rows, "--keep" in sys.argv)


if __name__ == "__main__":
    main()
