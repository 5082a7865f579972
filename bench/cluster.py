"""One server and two around one PostgreSQL, against SQLite alone: the same tables, the same moves.

Run: `.venv/bin/python -m bench.cluster [--quick] [--keep]`. At two servers the two seats of every
table sit at different ones. All share the machine: what each kept busy is told with the results.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import msgspec
import uvloop
from tests import engines

from bench.load import (
    LIMIT,
    PACE,
    STILL,
    WARM_UP,
    Load,
    Server,
    a_few_at_once,
    call,
    machine_worked,
    many_files,
    pace,
    percentile,
    running,
    saturate,
    worked,
)
from bench.results import keep
from bench.tables import NO_LIMITS, Held, Match, Player, open_table, sit_down, stored


class Size(NamedTuple):
    """How much is measured."""

    tables: int = 100
    seconds: float = 10.0


class Town(NamedTuple):
    """Some servers around a store."""

    label: str
    servers: list[Server]
    postgresql: engines.Postgresql | None
    room: str
    data: Path


class Cost(NamedTuple):
    """What a store has taken so far: rows written anew and again, bytes kept and bytes logged."""

    inserted: int = 0
    updated: int = 0
    kept: int = 0
    logged: int = 0


class Found(NamedTuple):
    """What one load did."""

    label: str
    moves: float
    p50: float
    p99: float
    cores: tuple[float, ...]
    stored: int
    cost: Cost


def serving(*args: str) -> AbstractContextManager[Server]:
    """Run a server without limits; kill it in the end."""
    limits = (part for limit in NO_LIMITS for part in ("--set", limit))
    start = [sys.executable, "-m", "tischlein", "serve", "--port", "0", "--no-open"]
    return running([*start, "--bot-pause", "0", "--log-level", "warning", *limits, *args])


@contextmanager
def town(servers: int) -> Iterator[Town]:
    """Build so many servers around a PostgreSQL and a NATS; none: one server with SQLite."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        if not servers:
            alone = stack.enter_context(serving("--data", data))
            yield Town("SQLite, 1 server", [alone], None, "", Path(data))
            return
        postgresql = stack.enter_context(engines.postgresql())
        nats = stack.enter_context(engines.nats())
        address = postgresql.new_database()
        shared = ("--store", address, "--bus", nats.address)
        found = [stack.enter_context(serving(*shared)) for _ in range(servers)]
        label = f"PostgreSQL and NATS, {servers} server{'s' * (servers > 1)}"
        yield Town(label, found, postgresql, address.rpartition("/")[2], Path(data))


def cost(town: Town) -> Cost:
    """Ask the store what it has taken."""
    if town.postgresql is None:
        kept = sum(file.stat().st_size for file in town.data.iterdir())
        return Cost(kept=kept)
    rows = town.postgresql.ask(
        "SELECT pg_stat_force_next_flush() IS NULL;"
        "SELECT coalesce(sum(n_tup_ins), 0), coalesce(sum(n_tup_upd), 0),"
        " sum(pg_total_relation_size(relid)), pg_current_wal_lsn() - '0/0'"
        " FROM pg_stat_user_tables WHERE schemaname = current_schema()",
        town.room,
    ).splitlines()[-1]
    return Cost(*(int(float(value)) for value in rows.split("|")))


async def sit_at(load: Load, match: Match, held: Held, port: int) -> Player:
    """Connect a player to one of the servers."""
    here = Load(port, load.group)
    player = await sit_down(here, match, held)
    player.load = load
    return player


async def set_up(load: Load, ports: list[int]) -> list[Player]:
    """Fill a table for two, its seats at different servers, and start the game."""
    held = [await open_table(ports[0], 2)]
    path = f"/api/tables/{held[0].table}"
    given = await call(ports[-1], f"{path}/seats", {"name": "Player 2"})
    held.append(msgspec.json.decode(given, type=Held))
    match = Match(held)
    places = zip(held, (ports[0], ports[-1]), strict=True)
    players = [await sit_at(load, match, one, port) for one, port in places]
    await call(ports[-1], f"{path}/start", {}, held[0].token)
    return players


def cores(town: Town) -> tuple[float, ...]:
    """Read for how long servers, PostgreSQL, clients and all others have kept a core busy."""
    servers = sum(worked(server.pid) for server in town.servers)
    engine = 0.0
    if town.postgresql is not None and town.postgresql.process is not None:
        engine = family_worked(town.postgresql.process.pid)
    ours = worked(int(Path("/proc/self").readlink().name))
    return servers, engine, ours, machine_worked() - servers - engine - ours


def family_worked(pid: int) -> float:
    """Read for how long a process and its children have kept a core busy."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    total = worked(pid)
    for child in children:
        if Path(f"/proc/{child}/stat").exists():
            total += worked(int(child))
    return total


async def measured(town: Town, load: Load, seconds: float, paced: bool) -> Found:
    """Measure what happens while moves flow, or come at a pace."""
    load.clear()
    before, busy, start = cost(town), cores(town), perf_counter()
    kept = sum([await stored(server.port) for server in town.servers])
    await (pace(load, seconds) if paced else saturate(load, seconds))
    moves, took = load.moves, perf_counter() - start
    shares = tuple((now - then) / took for now, then in zip(cores(town), busy, strict=True))
    await asyncio.sleep(STILL)
    written = sum([await stored(server.port) for server in town.servers]) - kept
    spent = Cost(*(now - then for now, then in zip(cost(town), before, strict=True)))
    waits = [percentile(load.waits, share) * 1000 for share in (0.5, 0.99)]
    label = f"{town.label}, {f'{PACE:.0f} moves/s' if paced else 'saturated'}"
    return Found(label, moves / took, waits[0], waits[1], shares, written, spent)


async def play(town: Town, size: Size) -> list[Found]:
    """Fill the town with tables of two and measure, saturated and at a pace."""
    ports = [server.port for server in town.servers]
    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        load = Load(ports[0], group)
        turned = [ports[::-1] if n % 2 else ports for n in range(size.tables)]
        groups = await a_few_at_once([partial(set_up, load, order) for order in turned])
        players = [player for each in groups for player in each]
        listening = [group.create_task(player.listen()) for player in players]
        try:
            await saturate(load, WARM_UP)
            return [await measured(town, load, size.seconds, paced) for paced in (False, True)]
        finally:
            for task in listening:
                task.cancel()
            await a_few_at_once([player.socket.close for player in players])


def row(found: Found) -> str:
    """Write a result as a row."""
    busy = " | ".join(f"{share:.2f}" for share in found.cores)
    each = max(1, found.stored)
    inserted, updated, kept, logged = (value / each for value in found.cost)
    rows = f"{inserted:.2f} | {updated:.2f}" if found.cost.inserted else "– | –"
    log = f"{logged:,.0f}" if found.cost.logged else "–"
    speed = f"{found.moves:,.0f} | {found.p50:.1f} | {found.p99:.1f}"
    return f"| {found.label} | {speed} | {busy} | {rows} | {kept:,.0f} | {log} |"


def run(size: Size) -> list[str]:
    """Measure everything and write the table of results."""
    many_files()
    rows = [
        "| | moves of players/s | p50 ms | p99 ms | cores: servers | PostgreSQL | clients | others"
        " | rows inserted | updated | bytes kept | bytes logged (WAL) |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for servers in (0, 1, 2):
        with town(servers) as built, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            rows += [row(found) for found in runner.run(play(built, size))]
    note = f"{size.tables} tables of two. Rows and bytes: for each move stored, nature's among them"
    return [*rows, "", f"{note}; SQLite's file grows in steps."]


def quick() -> list[str]:
    """Measure a little, to see that it works."""
    return run(Size(5, 1.0))


def main(argv: list[str]) -> None:
    """Measure, print, and with `--keep` keep the results."""
    rows = quick() if "--quick" in argv else run(Size())
    keep("Many servers: moves over PostgreSQL and NATS, and over SQLite", rows, "--keep" in argv)


if __name__ == "__main__":
    main(sys.argv[1:])
