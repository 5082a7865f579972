"""Make `games/kakerlaken/bots/chances.json`: what a table of Kakerlaken Sushi is worth.

Run: `python -m research.kakerlaken_chances` (about two minutes). Three steps for each number of
seats: games among equal players (`medium`) show what a race brings; with these chances the game is
a Markov chain over everybody's coins and tiles, solved exactly by iteration; strengths by coins and
tiles are fitted so that their shares are as near to the solution as can be where games go.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

import tischlein.games.kakerlaken.bots.chances as ours
from research.figures import keep
from tischlein.bots import bot_named
from tischlein.games import game_named
from tischlein.games.kakerlaken.bots.chances import (
    Odds,
    Table,
    moved,
    table_of,
    with_coin,
    with_tile,
)
from tischlein.games.kakerlaken.rules import COINS_TO_WIN, MOST_TILES, TILES, State
from tischlein.lab.simulate import ask_bots, play_game, seed_of

SEED = "kakerlaken chances"
GAMES = 3000
FILE = Path(ours.__file__).with_name("chances.json")

Array = NDArray[np.float64]


def games(seats: int, seed: str, number: int) -> Iterator[list[State]]:
    """Play games among equals; give the states of each."""
    rules = game_named("kakerlaken")
    ask = ask_bots([bot_named(rules, "medium")] * seats)
    for at in range(1, number + 1):
        yield play_game(rules, ask, ["medium"] * seats, {}, seed_of(seed, at)).states


def races(states: list[State]) -> Iterator[State]:
    """Find the states after each race."""
    for before, after in pairwise(states):
        if before.roll is not None and after.roll is None:
            yield after


def measure(seats: int, number: int) -> tuple[dict[str, float], Counter[Table]]:
    """Count what races bring, and where games go."""
    outcomes: Counter[str] = Counter()
    visits: Counter[Table] = Counter()
    for states in games(seats, f"{SEED} {seats}", number):
        for after in races(states):
            last = after.last
            assert last is not None
            outcomes["front" if last.owner is not None else "middle"] += 1
            outcomes[told(last.outcome, last.owner)] += 1
            outcomes.update(named(last))
            if not after.owing and max(after.coins) < COINS_TO_WIN:
                visits[canonical(table_of(after))[0]] += 1
    front, middle = outcomes["front"], outcomes["middle"]
    chances = {kind: outcomes[kind] / front for kind in ("coin", "stolen")}
    right = outcomes["named"] / (outcomes["named"] + outcomes["misnamed"])
    return chances | {"won": outcomes["won"] / middle, "named": right}, visits


def told(outcome: str, owner: int | None) -> str:
    """Name what a race brought, as the odds do."""
    if outcome in ("tile_won", "sixth_tile"):
        return "won" if owner is None else "stolen"
    return "coin" if outcome in ("coin_for_owner", "other_erred") else "nothing"


def named(last: Any) -> list[str]:
    """Say whether the first grabber, squeaking rightly, also named the thief rightly."""
    if last.owner is None or last.seat is None:
        return []
    deed = last.deeds[last.seat]
    if deed.squeak != (last.seat == last.owner):
        return []
    return ["named" if last.outcome in ("tile_won", "sixth_tile", "coin_for_owner") else "misnamed"]


def canonical(table: Table) -> tuple[Table, tuple[int, ...]]:
    """Order the seats; equal players may change places. Say where each seat went."""
    order = sorted(range(len(table)), key=lambda seat: table[seat], reverse=True)
    places = [0] * len(table)
    for place, seat in enumerate(order):
        places[seat] = place
    return tuple(table[seat] for seat in order), tuple(places)


def tables(seats: int) -> list[Table]:
    """List all tables on which nobody has won, less the order of the seats."""
    cells = [(coins, tiles) for coins in range(COINS_TO_WIN) for tiles in range(MOST_TILES + 1)]
    found = combinations_with_replacement(sorted(cells, reverse=True), seats)
    return [table for table in found if sum(tiles for _, tiles in table) <= len(TILES)]


def ends(table: Table, chances: dict[str, float]) -> Iterator[tuple[float, Table]]:
    """List what one race does to a table."""
    seats = range(len(table))
    middle = len(TILES) - sum(tiles for _, tiles in table)
    for seat in seats:
        yield middle * chances["won"] / len(table), with_tile(table, seat, 1)
    for owner in seats:
        tiles = table[owner][1]
        if not tiles:
            continue
        yield tiles * chances["coin"], with_coin(table, owner)
        back = 1 - chances["coin"] - chances["stolen"]
        yield tiles * back, with_tile(table, owner, -1)
        for seat in seats:
            if seat != owner:
                each = chances["stolen"] / (len(table) - 1)
                yield tiles * each, moved(table, owner, seat)


def solve(seats: int, chances: dict[str, float]) -> tuple[list[Table], Array]:
    """Give the exact shares of the chain at every table."""
    all_tables = tables(seats)
    number = {table: at for at, table in enumerate(all_tables)}
    rows, targets, weights, order = [], [], [], []
    won = np.zeros((len(all_tables), seats))
    for at, table in enumerate(all_tables):
        found = [(chance, end) for chance, end in ends(table, chances) if end != table and chance]
        total = sum(chance for chance, _ in found)
        for chance, end in found:
            winner = [seat for seat, (coins, _) in enumerate(end) if coins >= COINS_TO_WIN]
            if winner:
                won[at, winner[0]] += chance / total
                continue
            sorted_end, places = canonical(end)
            rows.append(at)
            targets.append(number[sorted_end])
            weights.append(chance / total)
            order.append(places)
    return all_tables, iterate(won, *map(np.array, (rows, targets, weights, order)))


def iterate(
    won: Array, rows: NDArray[np.int64], targets: NDArray[np.int64], weights: Array,
    order: NDArray[np.int64],
) -> Array:  # fmt: skip
    """Repeat the equation of the chain until nothing changes any more."""
    starts = np.searchsorted(rows, np.unique(rows))
    shares = np.full(won.shape, 1 / won.shape[1])
    while True:
        moved_on = shares[targets[:, None], order] * weights[:, None]
        better = won.copy()
        better[np.unique(rows)] += np.add.reduceat(moved_on, starts, axis=0)
        if np.abs(better - shares).max() < 1e-9:
            return better
        shares = better


def fit(all_tables: list[Table], shares: Array, weights: Array) -> Array:
    """Fit strengths by coins and tiles: shares are parts of their sum (minorise, maximise)."""
    cells = np.array([[c * (MOST_TILES + 1) + t for c, t in table] for table in all_tables])
    strength = np.ones(COINS_TO_WIN * (MOST_TILES + 1))
    earned = np.bincount(cells.ravel(), (shares * weights[:, None]).ravel(), len(strength))
    while True:
        sums = weights / strength[cells].sum(axis=1)
        due = np.bincount(cells.ravel(), np.repeat(sums, cells.shape[1]), len(strength))
        better = earned / due
        better /= better[0]
        if np.abs(np.log(better / strength)).max() < 1e-6:
            return better.reshape(COINS_TO_WIN, -1)
        strength = better


def main() -> None:
    """Measure, solve, fit, write and check."""
    found: dict[str, Odds] = {}
    report: dict[str, dict[str, Any]] = {}
    quick = 50 if "--quick" in sys.argv else 1
    for seats in range(2, 6):
        chances, visits = measure(seats, GAMES // quick)
        all_tables, shares = solve(seats, chances)
        weights = np.array([visits[table] + 0.01 for table in all_tables])
        strength = fit(all_tables, shares, weights)
        cells = [[strength[c, t] for c, t in table] for table in all_tables]
        fitted = np.array(cells) / np.array(cells).sum(axis=1)[:, None]
        off = np.abs(fitted - shares).mean(axis=1)
        rounded = tuple(tuple(round(float(one), 4) for one in row) for row in strength)
        known = {name: round(chance, 4) for name, chance in chances.items()}
        found[str(seats)] = Odds(**known, strength=rounded)
        report[str(seats)] = {
            "tables": len(all_tables),
            "mean_misfit": float((off * weights).sum() / weights.sum()),
            "most_misfit_visited": float(off[np.array([visits[t] > 0 for t in all_tables])].max()),
        }
        print(seats, chances, report[str(seats)])
    if quick > 1:
        return
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    keep("kakerlaken_chances", SEED, report, games=GAMES)


if __name__ == "__main__":
    main()
