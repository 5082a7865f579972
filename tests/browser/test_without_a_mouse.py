"""Whole games without a pointer: by keys alone, and by what a screen reader reads alone.

Nobody clicks, taps or puts the focus anywhere here. By keys one goes from the first page on with
Tab, arrows, Enter and the keys of the sheet "Keys"; by ear one knows roles and names, no more.
"""

import contextlib
import re
from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as TookLong

from tests.browser import minds
from tests.browser.house import QUICKLY, House, new_page, until
from tests.browser.minds import Thing, is_mine, read, things

ME: Final = "Ada"
NO_CLOCK: Final = "No clock: everybody decides, then all is shown"
Mind = Callable[[str, str], Thing | None]
LOST: Final = """
window.lost = [];
let tab = false;
addEventListener('keydown', ({ key }) => (tab = key === 'Tab'), true);
const look = () => {
  const nowhere = document.activeElement === document.body && !tab;
  const mine = document.querySelector('h1')?.textContent.startsWith('Your turn');
  if (mine && nowhere && !document.querySelector('dialog'))
    lost.push(document.querySelector('main').innerText.slice(0, 80));
  requestAnimationFrame(look);
};
addEventListener('DOMContentLoaded', look);
"""
"""Notes every frame in which one is to move and the focus is nowhere.

Whoever goes on with Tab at the end of a page leaves it for the browser: that is not lost.
"""
FOCUS: Final = """() => {
  const one = document.activeElement;
  const heard = [...one.childNodes].filter((part) => part.ariaHidden !== 'true');
  const name = one.ariaLabel ?? (one.labels?.[0]?.innerText || null)
    ?? heard.map((part) => part.textContent).join(' ');
  return [one.localName, name.replace(/\\s+/g, ' ').trim(), one.ariaPressed === 'true'];
}"""
MOST_TABS: Final = 120
BY_TAB: Final = 4
"""So many deeds go by Tab and Enter, as many by the keys of the game, and so on."""


class Focus(NamedTuple):
    """What the keys act on: its tag, its name, and whether it is held down."""

    tag: str
    name: str
    down: bool


def focus(page: Page) -> Focus:
    """Say where the focus is."""
    return Focus(*page.evaluate(FOCUS))


def walk(page: Page, name: str, key: str = "Tab") -> None:
    """Go on with a key until something is reached that is called so and is not held down."""
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        at = focus(page)
        if re.search(name, at.name) and not at.down and at.tag != "main":
            return
    raise AssertionError(f"{key} does not lead to {name}")


def go(page: Page, name: str) -> None:
    """Walk to something and press it."""
    walk(page, name)
    page.keyboard.press("Enter")


def write(page: Page, name: str) -> None:
    """Type a name into the field that has the focus, whatever stood there."""
    for key in ("Control+a", *name):
        page.keyboard.press(key)


def changes(page: Page, tree: str) -> None:
    """Wait until the page reads otherwise; not for ever: what came too early is done again."""
    for _ in range(12):
        if read(page) != tree:
            return
        page.wait_for_timeout(30)


def is_result(page: Page) -> bool:
    """Say whether the result is there to be read."""
    return page.get_by_role("button", name="Play again").count() > 0


def play(page: Page, mind: Mind, press: Callable[[Page, str, Thing], None]) -> None:
    """Play until the result comes."""

    def deed() -> bool:
        if page.locator("[data-waits]").count():
            return False  # a move is on its way: the table is about to change
        tree = read(page)
        thing = mind(tree, ME) if is_mine(tree) else None
        if thing is None:
            return False
        press(page, tree, thing)
        changes(page, tree)
        return True

    until(page, lambda: is_result(page), deed)


# By keys alone


def key_of(tree: str, name: str) -> str | None:
    """Give the key that does the same as pressing something, where there is one."""
    dice = [one.name for one in things(tree) if re.search(" die(, kept)?$", one.name)]
    if name in dice:
        down = [one for one in things(tree) if one.name == name and not one.down]
        return str(dice.index(name) + 1) if down else None
    keys = {
        "^Sushi number": "s",
        "^(Bone number|Take it, sigh)": "b",
        "^(Keep|Shake)": "r",
        "^card −1": "-",
        r"^card \d": name[-1],
        "^Swap": "x",
        r"^Plate \d": name[6:7],
        "^Squeak": "s",
        "^ant$": "a",
        "^cockroach$": "c",
        "^rat$": "r",
    }
    return next((key for pattern, key in keys.items() if re.search(pattern, name)), None)


class Fingers:
    """Somebody's fingers on a keyboard."""

    def __init__(self, ahead: str) -> None:
        self._ahead, self._deeds, self._next_look = ahead, 0, 0

    def __call__(self, page: Page, tree: str, thing: Thing) -> None:
        """Press something: by going there, or by its key."""
        if self._deeds >= self._next_look and self._may_look(tree):
            self._look(page, tree)
            self._next_look += 9
        by_key = self._deeds // BY_TAB % 2 == 1
        self._deeds += 1
        name, at = thing.name, focus(page)
        key = key_of(tree, name) if by_key else None
        if name.startswith("Lay ") and at.name.startswith("card") and at.down:
            page.keyboard.press("Enter")  # the card that is chosen already
        elif name == "Grab softly" and at.tag in ("main", "div"):
            page.keyboard.press("Space")
        elif key:
            page.keyboard.press(key)
        elif name.startswith("Plate"):
            if self._walks_to(page, name, "ArrowRight" if self._deeds > 1 else "Tab"):
                page.keyboard.press("Enter")
        elif (at.name == name and not at.down) or self._walks_to(page, name, "Tab"):
            page.keyboard.press("Enter")

    def _walks_to(self, page: Page, name: str, key: str) -> bool:
        """Go to something; False if it has gone since we have read of it."""
        try:
            walk(page, f"^{re.escape(name)}$", key)
        except AssertionError:
            assert not page.get_by_role("button", name=name, exact=True).count()
            return False
        return True

    def _may_look(self, tree: str) -> bool:
        """Say whether there is something to choose: after a last roll no die is."""
        ahead = any(one.open and re.search(self._ahead, one.name) for one in things(tree))
        return ahead and self._next_look < 18 and "- dialog" not in tree

    def _look(self, page: Page, tree: str) -> None:
        """See that what one needs first is one Tab away, and which keys there are."""
        wanted = next(one.name for one in things(tree) if one.open and one.name != "Menu")
        assert re.search(self._ahead, wanted)
        if not self._deeds:
            page.keyboard.press("Tab")  # from where one is when one's turn comes
            assert focus(page).name == wanted
        walk(page, "^Menu$", "Shift+Tab")
        page.keyboard.press("Tab")
        assert focus(page).name == wanted
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert focus(page).name == wanted, "one is where one was"


def sit_by_keys(page: Page, game: str) -> None:
    """Choose another number of bots and sit down with them."""
    go(page, f"^Play alone: {game}")
    play_button = page.get_by_role("button", name="Play", exact=True)
    expect(play_button).to_be_focused()
    walk(page, "^One fewer$" if game == "Buffet" else "^One more$", "Shift+Tab")
    page.keyboard.press("Enter")
    walk(page, "^Play$")
    page.keyboard.press("Enter")


def set_calm_table_by_keys(page: Page, _: str) -> None:
    """Set a table without a clock, with one bot."""
    go(page, "^Invite friends: Kakerlaken")
    expect(page.get_by_role("heading", name="A table for Kakerlaken Sushi")).to_be_focused()
    walk(page, "^Your nickname")
    write(page, ME)
    walk(page, "^3$")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="2", exact=True)).to_be_checked()
    walk(page, f"^{NO_CLOCK}")
    page.keyboard.press("Space")
    go(page, "^Set the table$")
    expect(page.get_by_role("heading", name=re.compile("Waiting for friends"))).to_be_focused()
    walk(page, "^Bot, Seat 2")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", name="Bot: Easy", selected=True)).to_have_count(2)
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    go(page, "^Start$")


@pytest.mark.parametrize(
    ("sit", "game", "mind", "ahead"),
    [
        (sit_by_keys, "Sushizock", minds.sushizock, " die$"),
        (sit_by_keys, "Buffet", minds.buffet, "^card "),
        (set_calm_table_by_keys, "Kakerlaken", minds.kakerlaken, "^Plate "),
    ],
    ids=["sushizock", "buffet", "kakerlaken"],
)
def test_a_whole_game_by_keys(
    browser: Browser,
    quick_house: House,
    sit: Callable[[Page, str], None],
    game: str,
    mind: Mind,
    ahead: str,
) -> None:
    page = new_page(browser)
    page.add_init_script(LOST)
    page.goto(quick_house.url)
    expect(page.get_by_role("button", name=f"Play alone: {game}")).to_be_enabled()
    sit(page, game)
    expect(page.get_by_role("button", name="Got it")).to_be_visible()
    go(page, "^Got it$")
    play(page, mind, Fingers(ahead))
    walk(page, "^Play again$")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    until(page, lambda: is_mine(read(page)), lambda: False)
    assert focus(page).tag != "body"
    assert page.evaluate("lost") == []


# By roles and names alone


def say_enter(page: Page, tree: str, thing: Thing) -> None:
    """Press what was read and is not held down, as a screen reader does; it may have gone since."""
    found = page.get_by_role("button", name=thing.name, exact=True, disabled=False, pressed=False)
    with contextlib.suppress(TookLong):  # whoever can never press it does not end the game either
        found.first.press("Enter", timeout=QUICKLY)


def enter(page: Page, name: str) -> None:
    """Press a button that is read somewhere on the page, as soon as it can be pressed."""
    button = page.get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    button.press("Enter")


def sit_by_ear(page: Page, game: str) -> None:
    """Sit down with as many bots as make a short game."""
    enter(page, f"Play alone: {game}")
    enter(page, "One fewer" if game == "Buffet" else "One more")
    enter(page, "Play")


def set_calm_table_by_ear(page: Page, game: str) -> None:
    """Set a table without a clock, with one bot."""
    enter(page, f"Invite friends: {game}")
    nickname = page.get_by_role("textbox", name="Your nickname")
    nickname.press("Control+a")
    nickname.press_sequentially(ME)
    page.get_by_role("radio", name="2", exact=True).press("Space")
    page.get_by_role("checkbox", name=NO_CLOCK).press("Space")
    enter(page, "Set the table")
    bot = page.get_by_role("combobox", name="Bot, Seat 2")
    bot.press("ArrowDown")
    bot.press("ArrowDown")
    enter(page, "Start")


@pytest.mark.parametrize(
    ("sit", "game", "mind"),
    [
        (sit_by_ear, "Sushizock", minds.sushizock),
        (sit_by_ear, "Buffet", minds.buffet),
        (set_calm_table_by_ear, "Kakerlaken Sushi", minds.kakerlaken),
    ],
    ids=["sushizock", "buffet", "kakerlaken"],
)
def test_a_whole_game_by_what_a_screen_reader_reads(
    browser: Browser, quick_house: House, sit: Callable[[Page, str], None], game: str, mind: Mind
) -> None:
    page = new_page(browser)
    page.goto(quick_house.url)
    sit(page, game)
    enter(page, "Got it")
    play(page, mind, say_enter)
    result = page.get_by_role("dialog")
    title = next(one.name for one in things(result.aria_snapshot()) if one.role == "heading")
    expect(result.get_by_role("status").first).to_contain_text(title)
    enter(page, "Play again")
    expect(result).to_have_count(0)
    until(page, lambda: is_mine(read(page)), lambda: False)
