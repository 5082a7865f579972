"""A server in a process of its own, and people who play at it in a browser."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    Route,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.engines import free_port
from tests.server.client import Seat, play_to_the_end

FLAGS: Final = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--allow-loopback-in-peer-connection", "--disable-features=WebRtcHideLocalIpsWithMdns",
]  # fmt: skip
QUICKLY: Final = 5_000
"""Milliseconds for a click on something that is there; the table may move on meanwhile."""
PATIENCE: Final = 120_000
"""Milliseconds for whatever must happen: only a guard, for machines that do much else."""
GAME_OVER: Final = 500.0
"""Seconds for a whole game."""
NO_LINE: Final = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED"
"""What a browser says of a server that is gone."""
HAND: Final = """([one]) => {
  const not = !one?.checkVisibility() || one.closest('[aria-disabled=true], :disabled');
  if (not || document.querySelector('[data-waits]')) return null;
  return matchMedia('(pointer: coarse)').matches ? 'finger' : 'mouse';
}"""
"""How to press something: not at all if it is hidden or disabled, or a move is on its way."""
DEVICES: Final[list[BrowserContext]] = []
TROUBLE: Final[list[str]] = []


def chromium() -> str:
    """Find the browser: Debian's, or the one that the environment names."""
    found = os.environ.get("TISCHLEIN_CHROMIUM") or shutil.which("chromium")
    assert found, "no chromium here: apt-get install chromium, or set TISCHLEIN_CHROMIUM"
    return found


@contextlib.contextmanager
def open_browser() -> Iterator[Browser]:
    """Start Chromium without a window."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


def unhurried(host: Page) -> None:
    """Let the races of somebody's tables last a minute: a test may be slow, and bots are not."""
    slow = {"race_ms": 60_000, "naming_ms": 60_000}

    def ask(route: Route) -> None:
        asked = json.loads(route.request.post_data or "")
        route.continue_(post_data=json.dumps(asked | {"options": asked["options"] | slow}))

    host.route("**/api/tables", ask)


class House:
    """A server that can be stopped and started again at the same address."""

    def __init__(
        self,
        data: Path,
        bot_pause: float = 0.02,
        race_pause: int = 60,
        games: Sequence[Path] = (),
        settings: Sequence[str] = (),
        **race: int,
    ) -> None:
        self._data, self._pause, self._port = data, bot_pause, free_port()
        self._games, self._settings = games, settings
        quick = {"pause_ms": race_pause, "lead_ms": 100, "beat_ms": 0, "false_start_ms": 0}
        self._race = quick | race
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait for the address."""
        command = [
            *(sys.executable, "-m", "tischlein", "serve", "--no-open", "--log-level", "warning"),
            *("--port", str(self._port), "--data", str(self._data)),
            *("--bot-pause", str(self._pause)),
            *(word for name, ms in self._race.items() for word in ("--set", f"race.{name}={ms}")),
            *(word for setting in self._settings for word in ("--set", setting)),
            *(word for game in self._games for word in ("--game", str(game))),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == self.url

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        go_home()
        self.stop()

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None:
            self._process.terminate()
            self._process.communicate(timeout=PATIENCE / 1000)
            self._process = None


def new_page(
    browser: Browser,
    language: str = "en-GB",
    phone: bool = False,
    trouble: str | None = None,
    pace: str = "none",
    worker: bool = False,
) -> Page:
    """Give somebody a device of their own; whatever goes wrong on its pages fails the test.

    A test that makes trouble itself names it: a pattern of what the browser may say. A test that
    does not look at scenes sees none of them: it sees how things stand at once. Only with a worker
    is the page kept for when there is no network, and may people be told of their turn: to keep a
    page takes more work than most tests do.
    """
    size = ViewportSize(width=390, height=844) if phone else ViewportSize(width=1280, height=900)
    context = browser.new_context(
        locale=language, viewport=size, has_touch=phone, is_mobile=phone, reduced_motion="reduce",
        service_workers="allow" if worker else "block",
    )  # fmt: skip
    listen(context, trouble)
    kept = f"localStorage['tischlein.pace'] ??= '\"{pace}\"'"
    context.add_init_script(f"if (location.origin !== 'null') {kept}")
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def another_tab(page: Page) -> Page:
    """Close the tab, and open another one on the same device.

    One that only goes elsewhere may still be asked for the icon of the page before.
    """
    page.close()
    return page.context.new_page()


LATE_SEAL = re.compile(r"status of 409 .*/contribution")
"""On a slow machine the host starts before a page has sealed its word: it plays without one."""


def listen(context: BrowserContext, trouble: str | None) -> None:
    """Note what is thrown, rejected or complained of on the pages of a device."""

    def note(told: str) -> None:
        usual = LATE_SEAL.search(told) or (trouble is not None and re.search(trouble, told))
        if not usual:
            TROUBLE.append(told)

    context.on("weberror", lambda found: note(str(found.error)))
    context.on(
        "console",
        lambda said: note(f"{said.text} {said.location}") if said.type == "error" else None,
    )
    DEVICES.append(context)


def go_home() -> None:
    """Take all devices away."""
    while DEVICES:
        context = DEVICES.pop()
        for page in context.pages:
            try:
                page.evaluate("0")  # whatever was thrown before this is told by now
            except Error as problem:  # the next test has devices of its own
                TROUBLE.append(f"{page.url}: {problem}")
        context.close()


def put_away() -> list[str]:
    """Take all devices away, and tell what went wrong on them."""
    go_home()
    told = TROUBLE[:]
    TROUBLE.clear()
    return told


def press(page: Page, control: Locator) -> bool:
    """Click or tap what is visible and enabled now; False if it is not, or no longer.

    Nobody presses while their last move is on its way: the table is about to change.
    """
    by = control.evaluate_all(HAND)
    if by is None:
        return False
    with contextlib.suppress(Error):
        (control.tap if by == "finger" else control.click)(timeout=QUICKLY)
        return True
    return False


def until(page: Page, done: Callable[[], bool], deed: Callable[[], bool]) -> None:
    """Go on with a deed until something is so; fail when it takes too long."""
    ends = time.monotonic() + GAME_OVER
    while not done():
        assert time.monotonic() < ends, f"too long: {page.inner_text('body')[:800]}"
        if not deed():
            page.wait_for_timeout(60)


def is_over(page: Page) -> bool:
    """Say whether the result is shown."""
    return page.get_by_role("button", name="Check the dice").is_visible()


def play_out(turn: Callable[[Page], bool], *pages: Page) -> None:
    """Play until everybody has the result before them."""

    def deed() -> bool:
        done = [turn(page) or press(page, result_of(page)) for page in pages]
        return any(done)

    until(pages[0], lambda: all(map(is_over, pages)), deed)


def hurry_to_the_end(*pages: Page) -> None:
    """Let the people of a table play on quickly, each over a second line to their seat."""
    house, table = pages[0].url.partition("?")[0].split("/t/")
    get = "table => JSON.parse(localStorage[`tischlein.seat.${table}`])"
    kept = [one for page in pages for one in page.evaluate(get, table)]
    seats = [Seat(house, table, one["seat"], one["token"]) for one in kept]

    async def play() -> None:
        await asyncio.gather(*(seat.connect() for seat in seats))
        await play_to_the_end(seats)

    with ThreadPoolExecutor(1) as apart:  # in this thread the browser has its own loop
        apart.submit(asyncio.run, play()).result()


def result_of(page: Page) -> Locator:
    """Find what shows the result before it comes by itself."""
    return page.get_by_role("button", name="Show the result")


def read_hint(page: Page, ready: bool = True) -> None:
    """Close the hint of a first game, and say that one is ready where the table asks."""
    page.get_by_role("button", name="Got it").click()
    expect(page.get_by_role("button", name="Got it")).to_have_count(0)
    asked = page.get_by_role("button", name="Ready? Go!")
    if ready and asked.is_visible():
        asked.click()
