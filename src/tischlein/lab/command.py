"""The commands of the lab: a progress bar on a terminal, a table, JSON or a page at the end."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final, get_args

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tischlein.bots import bot_named
from tischlein.chance import new_seed
from tischlein.game import BadStart
from tischlein.games import game_named
from tischlein.lab import report
from tischlein.lab.places import Dask, NoPlace, Place, Processes
from tischlein.lab.tally import Mean, Plan, Tally, run
from tischlein.lab.tournament import Pairs, Setup, count_games, hold
from tischlein.names import json_line, printable

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
    place: Place,
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
    with progress(game, games) as done:
        tally = run(plan, games, place, done)
    if as_json:
        sys.stdout.buffer.write(json_line(tally))
    else:
        print_tally(tally)
        if folder is not None:
            print(f"records kept in {printable(folder)}")


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


def tournament(setup: Setup, place: Place, as_json: bool, html: Path | None) -> None:
    """Let bots meet in all seats, and print, encode or draw who is stronger."""
    if html is not None:
        html.open("a", encoding="utf-8").close()  # say now, not after an hour, if it can't be
    stop_quietly()
    with progress(setup.game, count_games(setup)) as done:
        result = hold(setup, place, done)
    if html is not None:
        html.write_text(report.html(result), encoding="utf-8")
    if as_json:
        sys.stdout.buffer.write(json_line(result))
    else:
        report.print_result(result)
        if html is not None:
            print(f"the report is in {printable(html)}")


def read_setup(
    game: str,
    bots: str,
    seats: str,
    games: int,
    options: dict[str, Any],
    seed: str | None,
    pairs: str,
    mixed: bool,
) -> Setup:
    """Read what a tournament is to be, or say what is wrong."""
    rules = game_named(game)
    names = tuple(name.strip() for name in bots.split(","))
    if len(names) < 2 or len(set(names)) < len(names):
        sentence = "a tournament needs two or more different bots, not `{bots}`"
        raise BadStart("bots", sentence, bots=bots[:80])
    for name in names:
        bot_named(rules, name)
    tables = read_seats(seats)
    for number in tables:
        rules.start(number, options)
    if pairs not in get_args(Pairs):
        sentence = "the pairs are `all` or `next`, not `{pairs}`"
        raise BadStart("pairs", sentence, pairs=pairs[:40])
    chosen: Pairs = "next" if pairs == "next" else "all"
    drawn = new_seed() if seed is None else seed
    return Setup(game, names, tables, games, drawn, options, chosen, mixed)


def read_seats(text: str) -> tuple[int, ...]:
    """Read one number of seats, or several with commas."""
    try:
        return tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        sentence = "the seats are a number, or several as in 3,4; not `{text}`"
        raise BadStart("seats", sentence, text=text[:40]) from None


@contextmanager
def place_at(jobs: int, dask: str | None) -> Iterator[Place]:
    """Find where to play: on a Dask cluster if one is named, or else on this machine."""
    if dask is None:
        yield Processes(jobs or cores())
    elif jobs:
        raise NoPlace("place", "games are played here (--jobs) or on Dask (--dask), not both")
    else:
        with closing(Dask(dask)) as cluster:
            yield cluster


def cores() -> int:
    """Say how many processes can work at once."""
    return os.cpu_count() or 1


@contextmanager
def progress(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many games are done: with a bar on a terminal, not at all in a pipe."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True,
        disable=not console.is_terminal,
    ) as shown:  # fmt: skip
        task = shown.add_task(name, total=total)
        yield lambda done: shown.update(task, completed=done)


def print_tally(tally: Tally) -> None:
    """Print a run as tables: by seat, by bot, and the length of the games."""
    console = Console()
    console.print(
        f"{tally.games:,} games of {tally.game}, seed {printable(tally.seed)}", markup=False
    )
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
    report.print_failing(console, tally.failing)


def two(value: Mean) -> tuple[str, str]:
    """Write a mean and its error with two digits."""
    return f"{value.mean:.2f}", f"{value.error:.2f}"
