"""The table without a server, in one page: bytes, the first dice offline, bots, memory, leaks.

Run: `.venv/bin/python -m bench.site [bytes|dice|bots|memory] [--quick] [--keep]`, after
`scripts/set-up test`. A site is written, served as `python -m http.server` does, and visited by
Chromium; then there is no network any more.
"""

import argparse
import contextlib
import gzip
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import msgspec
from playwright.sync_api import Browser, Page, expect
from tests.browser.house import PATIENCE, go_home, new_page, open_browser
from tests.browser.offline import AT_ONCE, NO_NETWORK, files_served
from tests.browser.players import meet_bots

from bench.results import keep
from bench.web import BUDGET_KB, FRAME_MS, READY, Counter, device
from tischlein.page.site import write_site

HERE: Final = Path(__file__).parent
CARRIER: Final = HERE.parent / "examples/two_dice.py"
"""A game of one file, with which the probe comes into a page."""
PLACE: Final = tempfile.TemporaryDirectory()
SLOWED: Final = 4
SLICE: Final = 0.004
"""So many seconds a slowed browser runs, before it stands still for the others."""
LEVELS: Final = ("easy", "medium", "hard", "expert")
BOTS: Final = {"sushizock": (2, 4), "buffet": (3, 5), "kakerlaken": (4,)}
"""At tables of so many bots are asked."""
PLAYED: Final = (("sushizock", 3, "medium"), ("buffet", 3, "medium"))
"""What is played again and again, by turns."""

SLOW_DOWN: Final = """
import contextlib, os, signal, sys, time
group, run, rate = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
with contextlib.suppress(PermissionError):
    os.setpriority(os.PRIO_PROCESS, 0, -20)
owed = 0.0
print(flush=True)
while True:
    at = time.monotonic()
    time.sleep(run)
    os.killpg(group, signal.SIGSTOP)
    owed += (time.monotonic() - at) * (rate - 1)
    at = time.monotonic()
    time.sleep(max(owed, 0.0))
    os.killpg(group, signal.SIGCONT)
    owed -= time.monotonic() - at
"""
"""Lets all processes of a browser stand still most of the time, by turns with running."""
SLOWLY: Final = (
    "÷4: all processes of the browser, workers too, stand still three quarters of the time."
)

WATCH: Final = """(() => {
  const ready = %s;
  const look = () => {
    if (window.tapped && !window.shown && document.querySelector(ready))
      window.shown = performance.now() - window.tapped;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  addEventListener("click", () => {
    window.shown = 0;
    window.tapped = performance.now();
  }, true);
})()"""
"""Keep how long it is from the last tap until there is something to play with."""


class Size(NamedTuple):
    """How much is tried."""

    tries: int = 3
    kinds: int = len(READY)
    """So many games are looked at."""
    moves: int = 25
    seconds: float = 5.0
    """So long bots of one level are asked at most."""
    games: int = 50
    steps: tuple[int, ...] = (0, 1, 10, 25, 50)
    rest: float = 65.0
    """So many seconds later tables and timers are gone with which nobody has to do any more."""


QUICK: Final = Size(1, 1, 2, 0.1, 2, (0, 1, 2), 0.0)


# A site, and whoever visits it


@contextlib.contextmanager
def site(probed: bool = False) -> Iterator[tuple[str, Path]]:
    """Write a site and serve it; gives its address and its folder."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_site(root, [probe()] if probed else [])
        with files_served(root) as address:
            yield f"{address}/", root


@cache
def probe() -> Path:
    """Write the game that carries the probe; a process reads it once, from one place."""
    file = Path(PLACE.name) / "probe.py"
    file.write_text(CARRIER.read_text() + (HERE / "probe.py").read_text())
    return file


def settled(browser: Browser, address: str, script: str) -> Page:
    """Give a phone that has been there for as long as it takes, and has no network any more."""
    page = new_page(browser, phone=True, trouble=NO_NETWORK, worker=True)
    for one in (AT_ONCE, script):
        page.context.add_init_script(one)
    page.goto(address)
    expect(page.locator("[data-kept=ready]")).to_be_visible()
    page.context.set_offline(True)
    return page


def processes() -> dict[int, tuple[int, str]]:
    """List the processes of the browser that we have started: whose child each is, and how run."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            told = (folder / "cmdline").read_text().replace("\0", " ")
            found[int(folder.name)] = (parent, told)
    ours = {os.getpid()}
    while more := {one for one, (parent, _) in found.items() if parent in ours} - ours:
        ours |= more
    signs = ("--remote-debugging", "--type=")
    return {one: it for one, it in found.items() if one in ours and any(s in it[1] for s in signs)}


@contextlib.contextmanager
def slowed(rate: float) -> Iterator[None]:
    """Make the browser slower: pages, workers, and what compiles for them."""
    if rate == 1:
        yield
        return
    (group,) = {os.getpgid(one) for one in processes()}
    words = [str(group), str(SLICE), str(rate)]
    brake = subprocess.Popen([sys.executable, "-c", SLOW_DOWN, *words], stdout=subprocess.PIPE)
    try:
        assert brake.stdout is not None
        brake.stdout.readline()
        yield
    finally:
        brake.terminate()
        brake.communicate()
        os.killpg(group, signal.SIGCONT)


def ask(page: Page, what: str, *words: object) -> Any:
    """Ask the house of the device what no page asks."""
    found = page.evaluate("words => askHouse(...words)", [what, *map(str, words)])
    assert not (isinstance(found, dict) and "refused" in found), found
    return found


# Bytes


PARTS: Final[dict[str, Callable[[str], bool]]] = {
    "the interpreter": lambda path: path.startswith("python/") and "/pyodide" in path,
    "Python's library": lambda path: path.endswith("python_stdlib.zip"),
    "our Python": lambda path: path.endswith("tischlein.zip.gz"),
    "the page": lambda path: True,
}


def sizes(root: Path) -> dict[str, tuple[int, int]]:
    """Say how many bytes each part of a site takes, as it lies there and packed with gzip."""
    found = dict.fromkeys(PARTS, (0, 0))
    for file in root.rglob("*"):
        if file.is_file():
            path, data = file.relative_to(root).as_posix(), file.read_bytes()
            part = next(name for name, holds in PARTS.items() if holds(path))
            plain, packed = found[part]
            found[part] = plain + len(data), packed + min(len(gzip.compress(data)), len(data))
    return found


def to_first_play(browser: Browser, address: str, game: str) -> float:
    """Say how many kB of the page come until the first play, Python left out, packed with gzip."""
    with device(browser, "") as page:
        page.set_default_timeout(PATIENCE)
        counter = Counter(page, address)
        page.goto(address)
        meet_bots(page, game)
        page.wait_for_selector(READY[game], state="attached")
        return counter.zipped(lambda url: "/python/" not in url) / 1000


def bytes_of(browser: Browser, size: Size) -> list[str]:
    """Tell what a site takes."""
    with site() as (address, root):
        found = sizes(root)
        first = {game: to_first_play(browser, address, game) for game in READY}
        go_home()
    assert max(first.values()) < BUDGET_KB, f"over the budget of {BUDGET_KB} kB: {first}"
    rows = ["| what | bytes as they lie there | packed with gzip |", "|---|--:|--:|"]
    rows += [f"| {name} | {plain:,} | {packed:,} |" for name, (plain, packed) in found.items()]
    whole = [sum(one[way] for one in found.values()) for way in (0, 1)]
    rows.append(f"| all | {whole[0]:,} | {whole[1]:,} |")
    told = ", ".join(f"{game} {kb:.1f}" for game, kb in first.items())
    return [*rows, "", f"The page to first play, without Python, kB gzip: {told}."]


# The first dice


class Dice(NamedTuple):
    """How long until there is something to play with, in ms."""

    cold: float
    """From the tap in a page that was opened just now."""
    opened: float
    """The same from when that page was opened."""
    warm: float
    """From the tap for a second table."""


def first_dice(browser: Browser, address: str, game: str, rate: float) -> Dice:
    """Open the page without a network and play at once; then play again."""
    page = settled(browser, address, WATCH % msgspec.json.encode(READY[game]).decode())
    with slowed(rate):
        page.reload()
        cold = tap(page, game, READY[game])
        opened = page.evaluate("tapped") + cold
        page.goto(f"{address}#/")
        warm = tap(page, game, READY[game])
    go_home()
    return Dice(cold, opened, warm)


def tap(page: Page, game: str, ready: str) -> float:
    """Tap on a game and on Play; give how long that takes."""
    meet_bots(page, game)
    page.wait_for_selector(ready, state="attached")
    while not (took := float(page.evaluate("shown"))):
        page.wait_for_timeout(FRAME_MS)
    return took


def dice(browser: Browser, size: Size) -> list[str]:
    """Tell how long it takes without a network, from the tap until one can play."""
    rows = [
        "| from the tap to the first dice, ms | CPU | cold | since the page was opened | warm |",
        "|---|--:|--:|--:|--:|",
    ]
    with site() as (address, _):
        for game in [*READY][: size.kinds]:
            for rate in (1, SLOWED):
                found = [first_dice(browser, address, game, rate) for _ in range(size.tries)]
                row = [f"{median(times):.0f}" for times in zip(*found, strict=True)]
                rows.append(f"| {game} | {'' if rate == 1 else f'÷{rate}'} | {' | '.join(row)} |")
    return [*rows, "", f"Medians of {size.tries} visits, without a network; {busy()}", SLOWLY]


def busy() -> str:
    """Say how much else this machine has to do."""
    waiting, cores = os.getloadavg()[1], os.cpu_count()
    return f"on average {waiting:.1f} programs wanted one of the {cores} cores, ours among them."


# Bots


def bots(browser: Browser, size: Size) -> list[str]:
    """Tell how long bots think in the worker of a page."""
    rows = [
        "| a bot's move, ms | seats | CPU | " + " | ".join(LEVELS) + " |",
        "|---|--:|--:|" + "--:|" * len(LEVELS),
    ]
    with site(probed=True) as (address, _):
        page = settled(browser, address, script())
        wake(page)
        for game, tables in [*BOTS.items()][: size.kinds]:
            for seats in tables:
                for rate in (1, SLOWED):
                    cells = [timed(page, game, level, seats, rate, size) for level in LEVELS]
                    slow = "" if rate == 1 else f"÷{rate}"
                    rows.append(f"| {game} | {seats} | {slow} | {' | '.join(cells)} |")
        go_home()
    note = f"The median of {size.moves} moves that come up in games, and the longest of them"
    return [*rows, "", f"{note}; {busy()}"]


def timed(page: Page, game: str, level: str, seats: int, rate: float, size: Size) -> str:
    """Say how long moves of a level take: the median and the longest."""
    with slowed(rate):
        limits = size.moves, size.seconds * rate, 1000 * rate  # games not thought about before
        took = ask(page, "moves", game, level, seats, *limits)
    return f"{median(took):.0f} · {max(took):.0f}"


def script() -> str:
    """Read what plays without a screen."""
    return (HERE / "site.js").read_text(encoding="utf-8")


def wake(page: Page) -> None:
    """Let Python come up, as the page does when somebody plays."""
    page.reload()
    meet_bots(page, "Sushizock")
    page.wait_for_selector(READY["Sushizock"], state="attached")


# Memory


class Stand(NamedTuple):
    """What there is after some games; bytes in MB."""

    games: int
    heap: float
    objects: int
    tables: int
    lines: int
    tasks: int
    kept: float
    script: float
    """What the page's and the worker's own scripts hold after a collection."""
    resident: float
    """What the browser's process of the page takes of the machine's memory."""


def memory(browser: Browser, size: Size) -> list[str]:
    """Play game after game in one page, and see what stays."""
    with site(probed=True) as (address, _):
        page = settled(browser, address, script())
        wake(page)
        page.goto(f"{address}#/")
        found = []
        for done in range(size.games + 1):
            if done in size.steps:
                found.append(stand_of(page, done))
            if done < size.games:
                page.evaluate("words => playGame(...words)", [*PLAYED[done % len(PLAYED)]])
        page.wait_for_timeout(1000 * size.rest)
        found.append(stand_of(page, size.games))
        go_home()
    rows = [
        "| games | wasm heap, MB | objects of Python | tables in memory | lines | tasks "
        "| kept, MB | scripts, MB | the process, MB |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    note = (
        f"The last row: {size.rest:.0f} s later. Sushizock and Buffet by turns, each with 2 bots."
    )
    return [*rows, *(row_of(one) for one in found), "", note]


def stand_of(page: Page, games: int) -> Stand:
    """See what there is now."""
    told = ask(page, "stand")
    line = page.context.new_cdp_session(page)
    line.send("HeapProfiler.collectGarbage")
    script = line.send("Runtime.getHeapUsage")["usedSize"]
    line.detach()
    return Stand(
        games,
        told["heap"] / 1e6,
        told["objects"],
        told["tables"],
        told["lines"],
        told["tasks"],
        told["kept"] / 1e6,
        script / 1e6,
        resident() / 1e6,
    )


def resident() -> int:
    """Say how many bytes the largest process of a page takes."""
    pages = [one for one, (_, told) in processes().items() if "--type=renderer" in told]
    page_size = os.sysconf("SC_PAGE_SIZE")
    return page_size * max(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in pages)


def row_of(one: Stand) -> str:
    """Write down what there is."""
    counts = f"{one.objects:,} | {one.tables} | {one.lines} | {one.tasks}"
    return (
        f"| {one.games} | {one.heap:.1f} | {counts} "
        f"| {one.kept:.2f} | {one.script:.2f} | {one.resident:.0f} |"
    )


SCENARIOS: Final[dict[str, Callable[[Browser, Size], list[str]]]] = {
    "bytes": bytes_of,
    "dice": dice,
    "bots": bots,
    "memory": memory,
}


def main() -> None:
    """Run what is named, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", choices=[*SCENARIOS, []], default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    with open_browser() as browser:
        for name in given.scenarios or SCENARIOS:
            found = SCENARIOS[name](browser, QUICK if given.quick else Size())
            keep(f"Without a server: {name}", found, given.keep)


if __name__ == "__main__":
    main()
