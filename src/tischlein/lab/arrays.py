"""The command `tischlein simulate --batch`: seat advantage from a hundred million games."""

import hashlib
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from typing import Any, Final

from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tischlein.chance import new_seed
from tischlein.game import BadStart
from tischlein.games import game_named, has_part
from tischlein.lab.command import seat_bots
from tischlein.lab.tally import Mean, Row
from tischlein.names import json_line, printable

SHARE_WORK: Final = "--xla_backend_extra_options=xla_cpu_use_multi_output_fusion=true"
"""Without this XLA's CPU compiler computes what several results share once for each of them."""
LANES: Final = {"cpu": 1 << 13, "gpu": 1 << 20}
DECISIONS: Final = 1024
"""So many are played in each game before the progress is shown."""
BAR: Final = 24
PLACES: Final = ("starter", "2nd", "3rd", "4th", "5th", "6th")


class BatchTally(Struct, frozen=True):
    """What a run of games over arrays showed, by place after the starter or by seat."""

    game: str
    games: int
    seats: int
    bots: tuple[str, ...]
    seed: str
    device: str
    rows: tuple[Row, ...]


def simulate(
    game: str, seats: int, games: int, bots: str, options: dict[str, Any], seed: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Play many games over arrays and print what they show."""
    game_named(game).start(seats)
    if options:
        raise BadStart("no_house_rules", "--batch plays without house rules")
    if not has_part(game, "batch"):
        raise BadStart("no_arrays", "{game} cannot be played over arrays yet", game=game)
    if find_spec("jax") is None:
        sentence = "--batch needs JAX; install it with: pip install 'tischlein[batch]'"
        raise BadStart("no_jax", sentence)
    seating = seat_bots(bots, seats)
    policies = [policy_named(name) for name in seating]
    tally = play(game, seating, policies, games, new_seed() if seed is None else seed)
    if as_json:
        sys.stdout.buffer.write(json_line(tally))
    else:
        print_tally(tally)


def policy_named(name: str) -> Any:
    """Find an array policy: `random`, or module:function."""
    module, _, function = name.partition(":")
    if name == "random":
        return None
    try:
        if function:
            return getattr(import_module(module), function)
    except (ImportError, AttributeError) as problem:
        raise BadStart("no_policy", "there is no policy `{name}`: {why}", name=name,
                       why=str(problem)) from None  # fmt: skip
    sentence = (
        "with --batch a bot is `random` or a policy over arrays, module:function, not `{name}`"
    )
    raise BadStart("not_a_policy", sentence, name=name)


def play(
    game: str, bots: tuple[str, ...], policies: list[Any], games: int, seed: str
) -> BatchTally:
    """Play exactly so many games, the same number in each lane or one more, and count."""
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {SHARE_WORK}".strip()
    import jax
    import jax.numpy as jnp

    from tischlein import batch
    from tischlein.batch.engine import no_sums, totals

    engine, seats = batch.game(game), len(bots)
    key = jax.random.key(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4], "big"))
    lanes = min(games, LANES.get(jax.default_backend(), LANES["cpu"]))
    states = engine.init(key, lanes, seats)
    most = games // lanes + (jnp.arange(lanes) < games % lanes)
    start = sums = no_sums(states.lanes[0], seats, most)
    by: Any = "place" if len(set(bots)) == 1 else "seat"
    with progress_bar() as progress:
        task, calls = progress.add_task(game, total=games), 0
        while (left := int(sums.left.sum())) > 0:
            progress.update(task, completed=games - left)
            calls += 1
            now = jax.random.fold_in(key, calls)
            states, sums = engine.play_on(policies, states, sums, DECISIONS, now, by)
    counted = totals(sums, start.left)
    rows = [
        Row(
            PLACES[at] if by == "place" else f"seat {at}",
            counted.games,
            mean(counted.wins[at], counted.wins_squared[at], counted.games, 60),
            mean(counted.points[at], counted.points_squared[at], counted.games, 1),
        )
        for at in range(seats)
    ]
    device = str(jax.devices()[0].device_kind)
    return BatchTally(game, counted.games, seats, bots, seed, device, tuple(rows))


def mean(total: int, squares: int, n: int, unit: int) -> Mean:
    """Give a mean and its standard error from exact sums."""
    spread = squares - total * total / n
    return Mean(total / n / unit, sqrt(max(0.0, spread) / max(1, n - 1) / n) / unit)


def progress_bar() -> Progress:
    """Show a bar on a terminal and none in a pipe."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True,
        disable=not console.is_terminal,
    )  # fmt: skip


def print_tally(tally: BatchTally) -> None:
    """Print a run as a table with bars: what each place wins, beside an even share."""
    console = Console()
    console.print(
        printable(
            f"{tally.games:,} games of {tally.game} over arrays ({tally.device}), seed {tally.seed}"
        ),
        markup=False,
        highlight=False,
    )
    by_place = tally.rows[0].who == PLACES[0]
    labels = [
        row.who if by_place else f"{row.who} ({bot})"
        for row, bot in zip(tally.rows, tally.bots, strict=True)
    ]
    table = Table("place" if by_place else "seat")
    for heading in ("wins %", "± error", "mean score", "± error"):
        table.add_column(heading, justify="right")
    for row, label in zip(tally.rows, labels, strict=True):
        wins = [f"{100 * number:.4f}" for number in (row.wins.mean, row.wins.error)]
        table.add_row(label, *wins, f"{row.score.mean:.4f}", f"{row.score.error:.4f}")
    console.print(table)
    even = 1 / tally.seats
    console.print(f"wins beyond an even share of {100 * even:.1f} %:", highlight=False)
    beyond = [row.wins.mean - even for row in tally.rows]
    for label, more in zip(labels, beyond, strict=True):
        bar = bar_of(more / (max(map(abs, beyond)) or 1))
        console.print(f"{label:>12} {100 * more:+8.3f} {bar}", highlight=False, markup=False)


def bar_of(share: float) -> str:
    """Draw a bar to the right of the middle, or to the left for less than nothing."""
    length = "█" * round(BAR * abs(share))
    return f"{'':{BAR}}|{length}" if share >= 0 else f"{length:>{BAR}}|"
