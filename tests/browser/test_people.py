"""People at a table in the browser: who is away, a dead line, what they feel, who wants more."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.house import House, hurry_to_the_end, new_page, read_hint, until
from tests.browser.players import join, play_alone, set_table, sushizock_turn

SIX = ["Laugh", "Be amazed", "Cry", "Be angry", "Clap", "Send a heart"]


@pytest.fixture
def brisk(tmp_path: Path) -> Iterator[House]:
    """A house where a bot may soon play for who is away."""
    with House(tmp_path, settings=["relief_after=2"]) as found:
        yield found


class Line:
    """Somebody's line, which a test can let go silent without a word, or hold up."""

    def __init__(self, page: Page) -> None:
        self.dead = self.slow = False
        self._held_up: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket(re.compile("/live$"), self._pass)

    def _pass(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()
        near.on_message(lambda text: None if self.dead else far.send(text))
        far.on_message(lambda text: self._bring(near, text))

    def _bring(self, near: WebSocketRoute, text: str | bytes) -> None:
        if self.slow and '"type":"state"' in str(text):
            self._held_up.append((near, text))
        elif not self.dead:
            near.send(text)

    def hurry(self) -> None:
        """Bring what was held up."""
        self.slow = False
        for near, text in self._held_up:
            near.send(text)


def two_at_a_table(ada: Page, bo: Page, house: House, game: str = "Sushizock") -> str:
    """Let two people begin a game."""
    link = set_table(ada, house, game, 2)
    join(bo, link)
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    return link


WATCH = """() => {
  window.seen = [];
  new MutationObserver((found) => found.forEach(({addedNodes}) => addedNodes.forEach((one) => {
    const {reaction, from} = one.dataset ?? {};
    if (reaction) window.seen.push(`${from} ${reaction} ${one.checkVisibility()}`);
  }))).observe(document.body, {childList: true, subtree: true});
}"""
"""Notes what floats over a page: it is gone before a test could look at three pages."""


def saw(page: Page, *what: str) -> None:
    """Wait until exactly this has floated over a page."""
    until(page, lambda: page.evaluate("window.seen.length") == len(what), lambda: False)
    assert page.evaluate("window.seen") == [f"{one} true" for one in what]
    expect(page.locator("[data-reaction]")).to_have_count(0)


def feel(page: Page, what: str) -> None:
    """Open the six, and tap one."""
    page.get_by_role("button", name="Show how you feel").click()
    page.get_by_role("group", name="Show how you feel").get_by_role("button", name=what).click()


def test_a_dead_line_is_told_to_its_player_and_to_the_others(
    browser: Browser, brisk: House
) -> None:
    """A phone in a lift: nothing closes, nothing comes, and everybody waited for it."""
    ada, bo, tv = new_page(browser), new_page(browser, phone=True), new_page(browser)
    line = Line(bo)
    link = two_at_a_table(ada, bo, brisk)
    tv.goto(f"{link}?watch")
    expect(ada.get_by_text("Bo is away.")).to_have_count(0)
    line.dead = True
    expect(bo.get_by_text("Your connection is lost. Trying again…")).to_be_visible()
    for page in (ada, tv):
        expect(page.get_by_text("Bo is away.")).to_be_visible()
        expect(page.locator(".game")).to_have_attribute("data-away", "1")
    expect(tv.get_by_role("button", name="Let a bot play")).to_have_count(0)
    ada.get_by_role("button", name="Let a bot play").click()
    for page in (ada, tv):
        expect(page.get_by_text("Bo is away. (a bot plays on)")).to_be_visible()
    line.dead = False
    expect(bo.get_by_text(re.compile("connection is lost|does not answer"))).to_have_count(0)
    for page in (ada, tv):
        expect(page.get_by_text("Bo is away.")).to_have_count(0)


def test_a_device_without_a_network_says_so(browser: Browser, house: House) -> None:
    page = new_page(browser, trouble="ERR_INTERNET_DISCONNECTED")
    line = Line(page)
    play_alone(page, house, "Sushizock")
    line.dead = True
    page.context.set_offline(True)
    expect(page.get_by_text("Your connection is lost. Trying again…")).to_be_visible()
    line.dead = False
    page.context.set_offline(False)
    expect(page.get_by_text(re.compile("connection is lost|does not answer"))).to_have_count(0)


def test_a_move_that_waits_says_so(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser), new_page(browser, phone=True)
    line = Line(ada)
    two_at_a_table(ada, bo, house)
    mine = ada.get_by_role("heading", name="Your turn!")
    while not mine.is_visible():
        if not sushizock_turn(bo):
            ada.wait_for_timeout(50)
    line.slow = True
    while not ada.locator("[data-waits]").count():
        assert sushizock_turn(ada)
    expect(ada.get_by_text("Sending…")).to_be_visible()
    line.hurry()
    expect(ada.get_by_text("Sending…")).to_have_count(0)


def test_what_somebody_feels_floats_on_all_screens_and_is_said_once(
    browser: Browser, house: House
) -> None:
    ada, bo, tv = new_page(browser), new_page(browser, phone=True), new_page(browser)
    link = two_at_a_table(ada, bo, house)
    tv.goto(f"{link}?watch")
    expect(tv.get_by_role("heading", level=1)).to_be_visible()
    expect(tv.get_by_role("button", name="Show how you feel")).to_have_count(0)
    for page in (ada, bo, tv):
        page.evaluate(WATCH)
    bo.get_by_role("button", name="Show how you feel").click()
    row = bo.get_by_role("group", name="Show how you feel")
    for name in SIX:
        box = row.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48
    row.get_by_role("button", name="Laugh").click()
    for page in (ada, bo, tv):
        expect(page.get_by_text("Bo laughs.")).to_have_count(1)
        saw(page, "1 laugh")
    expect(row).to_have_count(0)


def test_who_does_not_like_it_sees_nothing_of_it(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser), new_page(browser, phone=True)
    two_at_a_table(ada, bo, house)
    ada.get_by_role("button", name="Menu").click()
    ada.get_by_label("Show how everybody feels").uncheck()
    ada.get_by_role("button", name="Close").click()
    expect(ada.get_by_role("button", name="Show how you feel")).to_have_count(0)
    for page in (ada, bo):
        page.evaluate(WATCH)
    feel(bo, "Clap")
    saw(bo, "1 clap")
    saw(ada)
    ada.reload()
    expect(ada.get_by_role("button", name="Menu")).to_be_visible()
    expect(ada.get_by_role("button", name="Show how you feel")).to_have_count(0)


def test_everybody_may_ask_for_a_rematch(browser: Browser, quick_house: House) -> None:
    ada, bo, tv = new_page(browser), new_page(browser, phone=True), new_page(browser)
    link = set_table(ada, quick_house, "Kakerlaken Sushi", 3)
    join(bo, link)
    ada.get_by_label("Bot, Seat 3").select_option("easy")
    ada.get_by_role("button", name="Start").click()
    tv.goto(f"{link}?watch")
    hurry_to_the_end(ada)
    ask = bo.get_by_role("button", name="Ask for a rematch")
    expect(ada.get_by_role("button", name="Play again")).to_be_visible()
    expect(ada.get_by_role("button", name="Ask for a rematch")).to_have_count(0)
    ask.click()
    expect(bo.get_by_text("You want another game.")).to_be_visible()
    expect(ask).to_have_count(0)
    for page in (ada, tv):
        expect(page.get_by_text("Bo wants another game.")).to_be_visible()
    ada.evaluate(WATCH)
    bo.get_by_role("dialog").get_by_role("button", name="Send a heart").click()
    saw(ada, "1 heart")
    ada.get_by_role("button", name="Play again").click()
    expect(tv.get_by_text("Bo wants another game.")).to_have_count(0)
