"""The command `tischlein simulate`: a progress bar on a terminal, a table or JSON at the end."""

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tischlein.bots import bot_named
from tischlein.chance import new_seed
from tischlein.lab.tally import Mean, Plan, Tally, run
from tischlein.rules import BadStart, game_named

STOPPED: Final = 130
"""The exit status of a program that Ctrl-C has ended."""


def simulate(
    game: str,
    seats: int,
    games: int,
    bots: str,
    options: dict[str, Any],
    seed: str | None,
    records: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Play many games between bots and print what they show."""
    rules = game_named(game)
    rules.start(seats, options)
    seating = seat_bots(bots, seats)
    for name in seating:
        bot_named(rules, name)
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    folder = None if records is None else str(records)
    plan = Plan(game, seating, new_seed() if seed is None else seed, options, folder)
    stop_quietly()
    tally = run_with_progress(plan, games, jobs or (os.cpu_count() or 1))
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(tally) + b"\n")
    else:
        print_tally(tally)
        if folder is not None:
            print(f"records kept in {folder}")


def stop_quietly() -> None:
    """Let Ctrl-C end the processes that help without a word; the first one says it."""
    first = os.getpid()

    def stop(signal_number: int, frame: FrameType | None) -> None:
        if os.getpid() != first:
            os._exit(STOPPED)
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, stop)


def seat_bots(bots: str, seats: int) -> tuple[str, ...]:
    """Read which bot sits where: one name for all seats, or one a seat."""
    names = tuple(name.strip() for name in bots.split(","))
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        sentence = "name one bot for all seats or one for each of the {seats}, not {names}"
        raise BadStart("bots", sentence, seats=seats, names=len(names))
    return names


def run_with_progress(plan: Plan, games: int, jobs: int) -> Tally:
    """Play, with a bar on a terminal and none in a pipe."""
    console = Console(stderr=True)
    jobs = min(jobs, max(1, games // 20))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True,
        disable=not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task(plan.game, total=games)
        return run(plan, games, jobs, lambda done: progress.update(task, completed=done))


def print_tally(tally: Tally) -> None:
    """Print a run as tables: by seat, by bot, and the length of the games."""
    console = Console()
    console.print(f"{tally.games:,} games of {tally.game}, seed {tally.seed}", markup=False)
    different = len(tally.by_bot) > 1
    for title, rows in (("seat", tally.by_seat), ("bot", tally.by_bot if different else ())):
        if not rows:
            continue
        table = Table(title)
        for heading in ("wins %", "± error", "mean score", "± error"):
            table.add_column(heading, justify="right")
        for row in rows:
            label = row.who
            if title == "seat":
                label += f" ({tally.bots[tally.by_seat.index(row)]})"
            percent = Mean(100 * row.wins.mean, 100 * row.wins.error)
            table.add_row(label, *two(percent), *two(row.score))
        console.print(table)
    shape = f"{tally.moves.mean:.1f} ± {tally.moves.error:.1f} moves a game"
    console.print(f"{shape}, from {tally.shortest} to {tally.longest}", highlight=False)


def two(value: Mean) -> tuple[str, str]:
    """Write a mean and its error with two digits."""
    return f"{value.mean:.2f}", f"{value.error:.2f}"
