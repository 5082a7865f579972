"""Who plays alone is waited for: while they read, and while nobody looks."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.browser.house import House, new_page, press, until
from tests.browser.players import meet_bots, play_alone, sushizock_turn

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Line:
    """What goes over a page's line, in order."""

    def __init__(self, page: Page) -> None:
        self.told: list[tuple[str, dict[str, Any]]] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.told.append(("sent", json.loads(text))))
        socket.on("framereceived", lambda text: self.told.append(("heard", json.loads(text))))

    def waits(self) -> bool:
        """Say whether the table has told that it waits for us."""
        states = [frame for way, frame in self.told if way == "heard" and frame["type"] == "state"]
        return bool(states) and states[-1]["table"]["seats"][0]["holds"]

    def is_mine(self) -> bool:
        """Say whether the table waits for our move."""
        states = [frame for way, frame in self.told if way == "heard" and frame["type"] == "state"]
        return bool(states) and states[-1]["to_move"] == [0]

    def bots_moved(self) -> int:
        """Count the moves of bots that we were told."""
        moves = [
            move for way, frame in self.told if way == "heard" for move in frame.get("log", ())
        ]
        return sum(move["by"] not in (0, "nature") for move in moves)


@pytest.fixture
def slow_bots(tmp_path: Path) -> Iterator[House]:
    """A house whose bots take so long that one can stop them."""
    with House(tmp_path, bot_pause=0.4) as found:
        yield found


def wait_for_nothing(page: Page) -> None:
    """Let a table answer so often that any of these bots would have moved meanwhile."""
    ends = time.monotonic() + 1.5  # bots take 0.4 s
    while time.monotonic() < ends:
        page.request.get(page.url.replace("/t/", "/api/tables/"))


def stop(page: Page, how: str) -> None:
    """Read something, or look away."""
    if how == "hidden":
        page.evaluate(HIDE, True)
        return
    page.get_by_role("button", name="Menu").click()
    if how == "rules":
        page.get_by_role("dialog").get_by_role("button", name="Rules", exact=True).click()


def go_on(page: Page, how: str) -> None:
    """Look at the table again."""
    if how == "hidden":
        page.evaluate(HIDE, False)
    else:
        page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("how", ["menu", "rules", "hidden"])
def test_bots_wait_for_who_plays_alone(how: str, browser: Browser, slow_bots: House) -> None:
    page = new_page(browser)
    line = Line(page)
    play_alone(page, slow_bots, "Sushizock")

    def stops_a_bot() -> bool:
        if sushizock_turn(page) or line.is_mine():
            return False
        stop(page, how)
        until(page, line.waits, lambda: False)
        if line.is_mine():
            go_on(page, how)
        return not line.is_mine()

    until(page, stops_a_bot, lambda: True)
    before = line.bots_moved()
    wait_for_nothing(page)
    assert line.bots_moved() == before
    go_on(page, how)
    until(page, lambda: line.bots_moved() > before, lambda: False)


def test_the_first_hint_is_read_before_anybody_plays(browser: Browser, slow_bots: House) -> None:
    """However often chance lets somebody else begin: nobody has moved."""
    page = new_page(browser)
    line = Line(page)
    page.goto(slow_bots.url)
    meet_bots(page, "Sushizock")
    expect(page.get_by_role("button", name="Got it")).to_be_visible()
    until(page, line.waits, lambda: False)
    wait_for_nothing(page)
    assert line.bots_moved() == 0
    press(page, page.get_by_role("button", name="Got it"))
    until(page, lambda: line.bots_moved() > 0, lambda: sushizock_turn(page))
