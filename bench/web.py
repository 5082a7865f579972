"""The browser client's budget: bytes, requests, time to first play, smooth dice and mice.

Run: `.venv/bin/python -m bench.web [--keep]`, after `scripts/set-up test`. Chromium and the server
share this machine; times are with a cold cache and the CPU slowed, frames with the CPU as it is.
"""

import argparse
import gzip
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page, Response
from tests.browser.house import House, open_browser, press, read_hint
from tests.browser.players import buffet_turn, meet_bots, sushizock_turn

from bench.results import keep

BUDGET_KB: Final = 150.0
SLOWED: Final = 4
RUNS: Final = 5
WAIT_MS: Final = 20_000
LONG_MS: Final = 50.0
FRAME_MS: Final = 300
"""Enough for the page to see, in a frame, what is there."""
LANDING: Final = "section button.main:not([disabled])"
READY: Final = {
    "Sushizock": "button.die",
    "Buffet": ".hand button:not([disabled])",
    "Kakerlaken Sushi": ".circle button.plate",
}
"""What somebody plays with; in Sushizock the dice may be another's first."""
WATCH: Final = """(() => {
  const look = () => {
    const landed = document.querySelector(%r);
    if (landed && !window.landedAt) window.landedAt = performance.now();
    const usable = document.querySelector(%r);
    if (usable && !window.usableAt) window.usableAt = performance.now();
    else if (!window.usableAt) requestAnimationFrame(look);
  };
  addEventListener('click', () => (window.clickedAt = performance.now()), true);
  requestAnimationFrame(look);
})()"""
FRAMES: Final = """(() => {
  window.frameTimes = [];
  let before = 0;
  const moves = (one) => one.playState === 'running' &&
    (one.animationName?.endsWith('tumble') || one.effect.target.classList.contains('mouse'));
  const look = (now) => {
    const moving = document.getAnimations().some(moves);
    if (moving && before) window.frameTimes.push(now - before);
    before = moving ? now : 0;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
"""Keep the time between two frames while dice tumble or mice run."""


class Load(NamedTuple):
    """What one device had to load, and how long it took."""

    requests: int
    wire_kb: float
    gzip_kb: float
    outside: list[str]
    landing_ms: float
    play_ms: float


class Counter:
    """Count what a page asks for."""

    def __init__(self, page: Page, url: str) -> None:
        self._home = urlsplit(url).netloc
        self._answers: list[Response] = []
        self.sockets = 0
        self.wire = 0
        self.outside: list[str] = []
        page.on("response", lambda answer: self._answers.append(answer))
        page.on("request", lambda sent: self._note(sent.url))
        page.on("websocket", lambda line: self._note_line(line.url))
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        line.on("Network.loadingFinished", self._finished)

    def _note(self, url: str) -> None:
        if urlsplit(url).netloc != self._home:
            self.outside.append(url)

    def _note_line(self, url: str) -> None:
        self.sockets += 1
        self._note(url)

    def _finished(self, event: dict[str, float]) -> None:
        self.wire += int(event["encodedDataLength"])

    @property
    def requests(self) -> int:
        """How many, with the WebSocket."""
        return len(self._answers) + self.sockets

    def zipped(self, counts: Callable[[str], bool] = bool) -> int:
        """How many bytes the bodies take with gzip, of all or some addresses."""
        wanted = [answer for answer in self._answers if counts(answer.url)]
        return sum(len(gzip.compress(answer.body(), 6)) for answer in wanted)


@contextmanager
def device(browser: Browser, script: str) -> Iterator[Page]:
    """Lend a device that remembers nothing."""
    context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844})
    context.add_init_script(script)
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    yield page
    context.close()


def slow_down(page: Page) -> CDPSession:
    """Make the device as slow as a cheap phone."""
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    return line


def load(browser: Browser, url: str, game: str) -> Load:
    """Open the landing page and play alone, with a cold cache."""
    with device(browser, WATCH % (LANDING, READY[game])) as page:
        slow_down(page)
        counter = Counter(page, url)
        page.goto(url)
        meet_bots(page, game)
        page.wait_for_selector(READY[game], state="attached")
        page.wait_for_timeout(FRAME_MS)
        landed, clicked, usable = page.evaluate("[landedAt, clickedAt, usableAt]")
        return Load(
            counter.requests,
            counter.wire / 1000,
            counter.zipped() / 1000,
            counter.outside,
            landed,
            usable - clicked,
        )


def loads(browser: Browser, url: str) -> list[str]:
    """Tell what each game costs until its first play."""
    rows = [
        "| to first play | requests | outside | kB gzip | kB on the wire | landing ms | play ms |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for game in READY:
        found = [load(browser, url, game) for _ in range(RUNS)]
        worst = max(found, key=lambda one: one.gzip_kb)
        outside = sum(len(one.outside) for one in found)
        rows.append(
            f"| {game} | {worst.requests} | {outside} | {worst.gzip_kb:.1f} | {worst.wire_kb:.1f} "
            f"| {median(one.landing_ms for one in found):.0f} "
            f"| {median(one.play_ms for one in found):.0f} |"
        )
        assert not outside, found
        assert worst.gzip_kb < BUDGET_KB, f"over the budget of {BUDGET_KB} kB: {worst}"
    return rows


def play_on(page: Page, game: str, seconds: float) -> list[float]:
    """Play for a while; gives the times of the frames in which something moved."""
    for _ in range(int(seconds * 5)):
        (sushizock_turn if game == "Sushizock" else buffet_turn)(page)
        page.wait_for_timeout(200)
        press(page, page.get_by_role("button", name="Play again"))
    times: list[float] = page.evaluate("window.frameTimes")
    return sorted(times)


def frames(browser: Browser, url: str, seconds: float) -> list[str]:
    """Tell how smoothly dice tumble and mice run."""
    rows = [
        "| moving | frames | p50 ms | p95 ms | longest ms | over 50 ms |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for game, what in (("Sushizock", "dice"), ("Buffet", "mice")):
        with device(browser, FRAMES) as page:
            page.goto(url)
            meet_bots(page, game)
            read_hint(page)
            times = play_on(page, game, seconds)
        long = sum(time > LONG_MS for time in times)
        middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
        rows.append(
            f"| {what} | {len(times)} | {middle:.1f} | {late:.1f} | {times[-1]:.1f} | {long} |"
        )
    return rows


def remarks() -> list[str]:
    """Tell how it was measured."""
    return [
        f"Medians of {RUNS} visits with a cold cache, the CPU slowed {SLOWED}×: from the",
        "navigation to the landing page, and from the click on Play to dice on the table, or",
        "cards or plates to play with (under the hint of a first game). Gzip: what bodies would",
        "take; on the wire: what came. Frames: while something moves, the CPU as it is.",
        f"Budget: {BUDGET_KB:.0f} kB gzip and no request outside.",
    ]


def main() -> None:
    """Measure, print, and keep if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="write the result down")
    parser.add_argument("--seconds", type=float, default=20.0, help="play so long for the frames")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as data, open_browser() as browser:
        house = House(Path(data), bot_pause=0.6)
        house.start()
        try:
            rows = [*loads(browser, house.url), "", *frames(browser, house.url, wanted.seconds)]
        finally:
            house.stop()
    rows += ["", *remarks()]
    keep("Browser client: loopback, Chromium without a GPU", rows, wanted.keep)


if __name__ == "__main__":
    main()
