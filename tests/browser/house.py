"""A server in a process of its own, and people who play at it in a browser."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Self

from playwright.sync_api import (
    Browser,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

FLAGS: Final = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
]  # fmt: skip
QUICKLY: Final = 1_000
"""Milliseconds for a click on something that is there; the table may move on meanwhile."""
GAME_OVER: Final = 280.0
"""Seconds for a whole game."""


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
        expect.set_options(timeout=20_000)
        yield browser
        browser.close()


def free_port() -> int:
    """Find a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class House:
    """A server that can be stopped and started again at the same address."""

    def __init__(self, data: Path, bot_pause: float = 0.02, race_pause: int = 60) -> None:
        self._data, self._pause, self._port = data, bot_pause, free_port()
        self._race_pause = race_pause
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait for the address."""
        command = [
            *(sys.executable, "-m", "tischlein", "serve", "--no-open", "--log-level", "warning"),
            *("--port", str(self._port), "--data", str(self._data)),
            *("--bot-pause", str(self._pause), "--set", f"race.pause_ms={self._race_pause}"),
            *("--set", "race.lead_ms=100"),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == self.url

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(15)
            self._process = None


def new_page(browser: Browser, language: str = "en-GB", phone: bool = False) -> Page:
    """Give somebody a device of their own; whatever goes wrong on its page fails the test."""
    size = ViewportSize(width=390, height=844) if phone else ViewportSize(width=1280, height=900)
    context = browser.new_context(
        locale=language, viewport=size, has_touch=phone, is_mobile=phone, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    return page


def press(page: Page, control: Locator) -> bool:
    """Click or tap what is visible and enabled now; False if it is not, or no longer."""
    with contextlib.suppress(Error):
        if control.is_visible() and control.is_enabled(timeout=QUICKLY):
            touch = page.evaluate("matchMedia('(pointer: coarse)').matches")
            if touch:
                control.tap(timeout=QUICKLY)
            else:
                control.click(timeout=QUICKLY)
            return True
    return False


def until(page: Page, done: Callable[[], bool], deed: Callable[[], bool]) -> None:
    """Go on with a deed until something is so; fail when it takes too long."""
    ends = time.monotonic() + GAME_OVER
    while not done():
        assert time.monotonic() < ends, f"too long: {page.inner_text('body')[:800]}"
        if not deed():
            page.wait_for_timeout(30)


def is_over(page: Page) -> bool:
    """Say whether the result is shown."""
    return page.get_by_role("button", name="Check the dice").is_visible()


def read_hint(page: Page) -> None:
    """Close the hint of a first game."""
    page.get_by_role("button", name="Got it").click()
    expect(page.get_by_role("button", name="Got it")).to_have_count(0)
