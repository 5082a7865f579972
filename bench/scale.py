"""What many tables at once need, from measured costs, and a simulation of the queues behind it.

Run: `.venv/bin/python -m bench.scale --measure [--keep]` measures what the other benchmarks leave
open: the bus, looking after tables, the disk. `.venv/bin/python -m bench.scale` reads the kept
results and fills the tables of `docs/scale.md`: the same results give the same page.

The simulation: moves come at random moments to random servers; each server is one core that takes
them one after the other; each then goes to the PostgreSQL of its table (some cores, one queue) and
waits for the next flush of its log, which takes all that wait; then the others are told.
"""

import asyncio
import heapq
import os
import re
import sys
import tempfile
from math import ceil
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

import nats
import numpy as np
from nats.aio.client import Client
from tests import engines

from bench.cluster import family_worked
from bench.load import resident, worked
from bench.results import FILE, keep
from bench.tables import serving
from tischlein.store import Page
from tischlein.store.postgresql import PostgresqlStore

PAGE: Final = Path(__file__).parent.parent / "docs" / "scale.md"
MEASURED: Final = "Bus, checks and disk: what is left to measure"

MILLION: Final = 1_000_000
SEATS: Final = 4
THINKING: Final = 6.0
"""Seconds from move to move at a table: the one figure that is assumed, not measured."""
BUSY: Final = 0.6
"""How busy a core may be on average, so that bursts find room."""
CORES: Final = 32
"""Cores of a PostgreSQL machine."""
CHECK: Final = 2.0
"""How often a server compares its tables with the store, in seconds, as it comes."""
TOLERANT_CHECK: Final = 60.0
SIMULATED: Final = 1.0
"""Seconds that are simulated, after as long to warm up."""


class Costs(NamedTuple):
    """What was measured, for each move of a player; µs are of one core."""

    server: float
    """With all four seats told; measured with two, and by how much four cost more."""
    server_far: float
    """For each further server at which somebody of the same table sits."""
    store: float
    store_far: float
    rows: float
    kept: float
    logged: float
    per_move: float
    """Moves stored for each move of a player: nature's come along."""
    table_kb: float
    process_mb: float
    subscription_kb: float
    message: float
    glance: float
    """To compare one table with the store."""
    glance_server: float
    flush_ms: float


# What the kept results say


def section(title: str) -> str:
    """Give the newest kept result with this title."""
    text = FILE.read_text(encoding="utf-8")
    start = text.index(f"\n## {title}\n")
    return text[start : text.find("\n## ", start + 1)]


def cells(text: str, label: str) -> dict[str, float]:
    """Read the row of a table by its label, the numbers by their column."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"| {label} |"))
    first = max(n for n in range(at) if lines[n].startswith("|--"))
    names = [part.strip() for part in lines[first - 1].split("|")[2:-1]]
    found = [part.strip().replace(",", "") for part in lines[at].split("|")[2:-1]]
    pairs = zip(names, found, strict=True)
    return {name: float(value) for name, value in pairs if re.fullmatch(r"-?[\d.]+", value)}


def read_costs() -> Costs:
    """Put together what was measured."""
    many = section("Many servers: moves over PostgreSQL and NATS, and over SQLite")
    one = cells(many, "PostgreSQL and NATS, 1 server, saturated")
    two = cells(many, "PostgreSQL and NATS, 2 servers, saturated")
    tables = section("Tables: WebSockets on loopback, every move durable")
    loaded = cells(tables, "100 tables of two, saturated")
    per_move = loaded["stored with nature's/s"] / loaded["moves of players/s"]
    server, far = (found["cores: servers"] / found["moves of players/s"] for found in (one, two))
    store, read = (found["PostgreSQL"] / found["moves of players/s"] for found in (one, two))
    each = "server µs/move"
    more = cells(tables, "500 tables of four, saturated")[each] / loaded[each]
    left = section(MEASURED)
    return Costs(
        server * more * 1e6,
        max(0.0, far - server) * 1e6,
        store * 1e6,
        max(0.0, read - store) * 1e6,
        (one["rows inserted"] + one["updated"]) * per_move,
        one["bytes kept"] * per_move,
        one["bytes logged (WAL)"] * per_move,
        per_move,
        cells(tables, "200 tables of two in mid-game, everybody away")["kB each"],
        cells(left, "a server process without tables, MB")["each"],
        cells(left, "NATS: a subscription, kB")["each"],
        cells(left, "NATS: a message, µs")["each"],
        cells(left, "PostgreSQL: a table compared, µs")["each"],
        cells(left, "a server: a table compared, µs")["each"],
        cells(left, "a flush of 8 kB to the disk, ms")["each"],
    )


# What they come to


class Need(NamedTuple):
    """What so many tables need."""

    tables: int
    together: float
    """Servers at which the seats of one table sit."""
    check: float
    moves: float
    servers: int
    memory_gb: float
    store_cores: float
    partitions: int
    rows: float
    log_mb: float
    kept_tb: float
    """A day."""
    subscriptions: float
    messages: float
    """Said once, and heard by each other server of the table."""
    bus_cores: float


def need(costs: Costs, tables: int, hashed: bool, check: float) -> Need:
    """Compute what so many tables need; hashed: the balancer sends a table to one server."""
    moves = tables / THINKING
    servers, together = 1, 1.0
    for _ in range(20):  # the more servers, the more of them a table is spread over
        together = 1.0 if hashed else spread(servers)
        work = moves * (costs.server + (together - 1) * costs.server_far)
        work += tables * together / check * costs.glance_server
        servers = max(1, ceil(work / 1e6 / BUSY))
    store = moves * (costs.store + (together - 1) * costs.store_far)
    store += tables * together / check * costs.glance
    cores = store / 1e6
    published = moves if servers > 1 else 0.0
    messages = published * together
    return Need(
        tables,
        together,
        check,
        moves,
        servers,
        tables * together * costs.table_kb / 1e6 + servers * costs.process_mb / 1e3,
        cores,
        max(1, ceil(cores / CORES / BUSY)),
        moves * costs.rows,
        moves * costs.logged / 1e6,
        moves * costs.kept * 86_400 / 1e12,
        tables * together if servers > 1 else 0.0,
        messages,
        messages * costs.message / 1e6,
    )


def spread(servers: int) -> float:
    """Say at how many of the servers the seats of a table sit, on average."""
    return float(servers * (1 - (1 - 1 / servers) ** SEATS))


# The simulation


class Waits(NamedTuple):
    """How long moves took from their server's door to the others' ears, in ms."""

    p50: float
    p99: float
    server_busy: float
    store_busy: float


def simulate(costs: Costs, found: Need, partitions: int, seed: int = 1) -> Waits:
    """Let moves go through servers, stores and flushes, and measure how long they take."""
    rng = np.random.default_rng(seed)
    length = 2 * SIMULATED
    count = int(rng.poisson(found.moves * length))
    arrive = np.sort(rng.random(count) * length)
    checks = found.tables * found.together / found.check
    own = costs.server + (found.together - 1) * costs.server_far
    own += checks * costs.glance_server / found.moves
    theirs = (
        costs.store + (found.together - 1) * costs.store_far + checks * costs.glance / found.moves
    )
    at_server = rng.integers(found.servers, size=count)
    at_store = rng.integers(partitions, size=count)
    through = one_core_each(arrive, at_server, found.servers, rng.exponential(own / 1e6, count))
    work = rng.exponential(theirs / 1e6, count)
    written = some_cores_each(through, at_store, partitions, work)
    done = flushed(written, at_store, partitions, costs.flush_ms / 1000)
    counted = arrive > SIMULATED
    waits = (done - arrive)[counted] * 1000
    p50, p99 = np.percentile(waits, [50, 99])
    busy = found.moves * own / 1e6 / found.servers
    return Waits(float(p50), float(p99), busy, found.moves * theirs / 1e6 / CORES / partitions)


Times = np.ndarray[tuple[int], np.dtype[np.float64]]
Places = np.ndarray[tuple[int], np.dtype[np.int64]]


def one_core_each(arrive: Times, place: Places, places: int, work: Times) -> Times:
    """Take what comes, in order; each place does one thing at a time. Say when each is done."""
    free = [0.0] * places
    done = []
    for at, where, takes in zip(arrive.tolist(), place.tolist(), work.tolist(), strict=True):
        free[where] = max(at, free[where]) + takes
        done.append(free[where])
    return np.array(done)


def some_cores_each(arrive: Times, place: Places, places: int, work: Times) -> Times:
    """Take what comes, in order of arrival; each place has some cores. Say when each is done."""
    free = [[0.0] * CORES for _ in range(places)]
    done = np.empty_like(arrive)
    for n in np.argsort(arrive, kind="stable").tolist():
        cores = free[place[n]]
        done[n] = max(float(arrive[n]), cores[0]) + work[n]
        heapq.heapreplace(cores, done[n])
    return done


def flushed(ready: Times, place: Places, places: int, takes: float) -> Times:
    """Flush the log again and again; a flush takes along all that was ready when it began."""
    done = np.empty_like(ready)
    begins = [0.0] * places
    for n in np.argsort(ready, kind="stable").tolist():
        where = place[n]
        if ready[n] > begins[where]:  # not in time for the flush that is next: begin another
            begins[where] = max(float(ready[n]), begins[where] + takes)
        done[n] = begins[where] + takes
    return done


# The page


def renewed(text: str, costs: Costs) -> str:
    """Put all figures into the page."""
    parts = {"costs": cost_rows(costs), "needs": need_rows(costs), "waits": wait_rows(costs)}
    for name, rows in parts.items():
        first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        head, _, rest = text.partition(first)
        _, found, tail = rest.partition(last)
        assert found, f"the page has no place for {name}"
        text = head + first + "\n".join(rows) + "\n" + last + tail
    return text


def cost_rows(costs: Costs) -> list[str]:
    """Write the measured costs."""
    names = {
        "a server's core for a move of a player, four seats told, µs": f"{costs.server:,.0f}",
        "… for each further server with a seat of that table, µs": f"{costs.server_far:,.0f}",
        "PostgreSQL's cores for a move, µs": f"{costs.store:,.0f}",
        "… for each further server that must read it, µs": f"{costs.store_far:,.0f}",
        "moves stored for a move of a player (nature's come along)": f"{costs.per_move:.2f}",
        "rows written for a move of a player": f"{costs.rows:.2f}",
        "bytes kept for it": f"{costs.kept:,.0f}",
        "bytes of PostgreSQL's log for it": f"{costs.logged:,.0f}",
        "memory of a table in mid-game, kB": f"{costs.table_kb:.1f}",
        "memory of a server process without tables, MB": f"{costs.process_mb:,.0f}",
        "PostgreSQL's cores to compare one table with its server, µs": f"{costs.glance:.1f}",
        "the server's core for the same, µs": f"{costs.glance_server:.1f}",
        "memory of a subscription in NATS, kB": f"{costs.subscription_kb:.2f}",
        "NATS' cores for a message in and out, µs": f"{costs.message:.1f}",
        "a flush to the disk, ms": f"{costs.flush_ms:.2f}",
    }
    return ["| cost | |", "|---|--:|", *(f"| {name} | {value} |" for name, value in names.items())]


PLANS: Final = (
    (10_000, False, CHECK), (100_000, False, CHECK), (MILLION, False, CHECK),
    (MILLION, False, TOLERANT_CHECK), (MILLION, True, TOLERANT_CHECK),
)  # fmt: skip


def plan_name(found: Need) -> str:
    """Name a plan."""
    way = "anywhere" if found.together > 1 else "by table"
    return f"{found.tables:,} | {way} | {found.check:.0f}"


def need_rows(costs: Costs) -> list[str]:
    """Write what tables need."""
    rows = [
        "| tables | seats go | check, s | moves/s | server processes | their memory, GB "
        f"| PostgreSQL cores | machines of {CORES} | rows/s | log MB/s | kept TB/day "
        "| subscriptions | messages/s | NATS cores |",
        "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for plan in PLANS:
        n = need(costs, *plan)
        rows.append(
            f"| {plan_name(n)} | {n.moves:,.0f} | {n.servers:,} | {n.memory_gb:,.1f} "
            f"| {n.store_cores:,.1f} | {n.partitions} | {n.rows:,.0f} | {n.log_mb:,.1f} "
            f"| {n.kept_tb:,.2f} | {n.subscriptions:,.0f} | {n.messages:,.0f} "
            f"| {n.bus_cores:,.1f} |"
        )
    return rows


def wait_rows(costs: Costs) -> list[str]:
    """Write what the simulation shows: with one PostgreSQL, and with as many as are needed."""
    rows = [
        "| tables | seats go | check, s | PostgreSQL machines | servers busy | PostgreSQL busy "
        "| p50 ms | p99 ms |",
        "|--:|---|--:|--:|--:|--:|--:|--:|",
    ]
    for plan in PLANS:
        n = need(costs, *plan)
        for partitions in sorted({1, n.partitions}):
            w = simulate(costs, n, partitions)
            late = ["grows", "grows"] if w.store_busy > 1 else [f"{w.p50:,.1f}", f"{w.p99:,.1f}"]
            rows.append(
                f"| {plan_name(n)} | {partitions} | {w.server_busy:.0%} | {w.store_busy:.0%} "
                f"| {late[0]} | {late[1]} |"
            )
    return rows


# What the other benchmarks leave open


async def measure_bus(subjects: int, messages: int) -> tuple[float, float]:
    """Measure NATS: memory for a subscription in kB, time of a core for a message in µs."""
    with engines.nats() as engine:
        assert engine.process is not None
        pid = engine.process.pid
        ear, mouth = await nats.connect(engine.address), await nats.connect(engine.address)
        heard = 0

        async def take(message: object) -> None:
            nonlocal heard
            heard += 1

        async def all_sent(line: Client) -> None:
            """Wait until the server has all: a first ping overtakes what is yet to be written."""
            await line.flush()
            await line.flush()

        await ear.subscribe("tischlein.table.first", cb=take)
        await all_sent(ear)
        before = resident(pid)
        for number in range(subjects):
            await ear.subscribe(f"tischlein.table.{number:012d}", cb=take)
        await all_sent(ear)
        memory = (resident(pid) - before) / subjects
        busy = worked(pid)
        for number in range(messages):
            await mouth.publish(f"tischlein.table.{number % subjects:012d}", b"123")
            if number % 500 == 0:
                await mouth.flush()
        await all_sent(mouth)
        async with asyncio.timeout(60):
            while heard < messages:
                await asyncio.sleep(0.05)
        each = (worked(pid) - busy) / messages * 1e6
        await ear.close()
        await mouth.close()
        return memory, each


async def measure_checks(tables: int, rounds: int) -> tuple[float, float]:
    """Measure how long PostgreSQL and a server are busy with comparing one table, in µs."""
    with engines.postgresql() as engine:
        assert engine.process is not None
        store = PostgresqlStore(engine.new_database())
        await store.open()
        try:
            names = [f"table{number:07d}" for number in range(tables)]
            for name in names:
                await store.append(Page(name, 1, [b"{}"], 1.0, True))
            await store.take(names, "me")
            for name in names:
                await store.show(name, "me", b"{}")
            groups = [names[first : first + 200] for first in range(0, tables, 200)]
            busy, own = family_worked(engine.process.pid), process_time()
            for _ in range(rounds):
                for group in groups:
                    await store.glance(group)
            done = tables * rounds
            engine_took = family_worked(engine.process.pid) - busy
            return engine_took / done * 1e6, (process_time() - own) / done * 1e6
        finally:
            await store.close()


def measure_flush(times: int) -> float:
    """Measure how long the disk takes to make 8 kB durable, in ms."""
    with tempfile.NamedTemporaryFile() as file:
        took = []
        for _ in range(times):
            os.pwrite(file.fileno(), b"x" * 8192, 0)
            start = perf_counter()
            os.fdatasync(file.fileno())
            took.append(perf_counter() - start)
    return median(took) * 1000


def measure(subjects: int = 20_000, tables: int = 2000) -> list[str]:
    """Measure what is left, and write the rows."""
    memory, message = asyncio.run(measure_bus(subjects, 2 * subjects))
    engine, server = asyncio.run(measure_checks(tables, 10))
    with serving() as alone:
        process = resident(alone.pid) / 1000
    found = {
        "a server process without tables, MB": f"{process:.0f}",
        "NATS: a subscription, kB": f"{memory:.2f}",
        "NATS: a message, µs": f"{message:.1f}",
        "PostgreSQL: a table compared, µs": f"{engine:.1f}",
        "a server: a table compared, µs": f"{server:.1f}",
        "a flush of 8 kB to the disk, ms": f"{measure_flush(200):.2f}",
    }
    return [
        "| what | each |",
        "|---|--:|",
        *(f"| {name} | {value} |" for name, value in found.items()),
    ]


def main(argv: list[str]) -> None:
    """Measure, or fill the page from what is kept."""
    if "--measure" in argv:
        keep(MEASURED, measure(), "--keep" in argv)
    else:
        PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), read_costs()), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
