"""The race of Kakerlaken on every screen: it fits, nothing moves, and no touch comes too early."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.house import House, is_over, new_page, open_browser, press, read_hint, until
from tests.browser.test_games import join, kakerlaken_deed, set_table

pytestmark = pytest.mark.timeout(300)

NAME = "Kakerlaken Sushi"
PLACES = """() => [...document.querySelectorAll('.circle button, .dice, .players li, .bar')]
  .map((one) => one.getBoundingClientRect())
  .map((box) => [box.x + box.width / 2, box.y + box.height / 2].map(Math.round))"""
SCROLLS = """() => [document.documentElement, document.querySelector('main')].some((box) =>
  box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)"""
CUT_OFF = """() => [...document.querySelectorAll('.tiles, .bar, .bar section, .bar ol')]
  .some((box) => box.scrollHeight > box.clientHeight + 1)"""
SMALL = """(least) => [...document.querySelectorAll('.board *')]
  .filter((one) => !one.closest('.sr, svg') && one.checkVisibility())
  .filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < least)
  .map((one) => one.textContent)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house where a photo finish can be looked at."""
    with House(tmp_path, race_pause=3_000) as found:
        yield found


def fallen(page: Page) -> Locator:
    """Find the words of dice that have fallen."""
    return page.get_by_text(re.compile("^The dice show"))


def finish(page: Page) -> Locator:
    """Find the photo finish."""
    return page.get_by_role("region", name="Photo finish")


def with_bots(host: Page, taken: int, seats: int) -> None:
    """Put clumsy bots in the seats that are left, and start."""
    for seat in range(taken + 1, seats + 1):
        host.get_by_label(f"Bot, Seat {seat}").select_option("random")
    host.get_by_role("button", name="Start").click()
    read_hint(host)


def test_nothing_scrolls_and_nothing_moves_on_a_phone(browser: Browser, house: House) -> None:
    """Five seats and ever more won tiles: every target stays where the finger has learnt it."""
    ada = new_page(browser, phone=True)
    set_table(ada, house, NAME, 5)
    with_bots(ada, 1, 5)
    places = ada.evaluate(PLACES)
    phases: set[str] = set()

    def looked() -> bool:
        phases.add(
            "race" if fallen(ada).is_visible() else "photo" if finish(ada).is_visible() else ""
        )
        assert ada.evaluate(PLACES) == places
        assert not ada.evaluate(SCROLLS)
        ada.wait_for_function(f"() => !({CUT_OFF})()")  # a new tile takes its size a frame later
        return kakerlaken_deed(ada)

    won = ada.locator(".tiles .tile")
    until(ada, lambda: won.count() >= 2 or is_over(ada), looked)
    assert {"race", "photo"} <= phases


def test_a_big_screen_is_read_from_afar(browser: Browser, house: House) -> None:
    """Names and numbers of at least 40 px, in the race and in the photo finish; nothing scrolls."""
    ada, screen = new_page(browser), new_page(browser)
    link = set_table(ada, house, NAME, 5)
    screen.set_viewport_size(ViewportSize(width=1920, height=1080))
    screen.goto(f"{link}?watch")
    with_bots(ada, 1, 5)
    for scene in (fallen(screen), finish(screen)):
        expect(scene).to_be_visible()
        assert screen.evaluate(SMALL, 40) == []
        for size in ((1920, 1080), (1440, 900)):
            screen.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
            screen.wait_for_function(f"() => !({SCROLLS})()")
        screen.set_viewport_size(ViewportSize(width=1920, height=1080))
        until(ada, lambda: not fallen(ada).is_visible(), lambda: kakerlaken_deed(ada))


def test_a_touch_before_the_dice_is_no_deed(browser: Browser, house: House) -> None:
    """Whoever already holds the master when the dice fall has not grabbed it [K6], [K7]."""
    ada, _ = duel(browser, house)
    ada.get_by_role("button", name=re.compile("^The sushi master")).hover()
    ada.mouse.down()
    expect(finish(ada)).to_have_count(0)
    expect(fallen(ada)).to_be_visible()
    ada.wait_for_timeout(400)
    ada.mouse.up()
    soft = ada.get_by_role("button", name="Grab softly")
    expect(soft).to_be_enabled()
    ada.get_by_role("button", name=re.compile("^The sushi master")).click()
    expect(soft).to_be_disabled()
    expect(ada.get_by_role("button", name="ant", exact=True)).to_be_enabled()


def test_the_photo_finish_keeps_the_roll_and_everybody(browser: Browser, house: House) -> None:
    """It shows the dice it was about, and a lane for everybody, with what they did and when."""
    ada, dice = duel(browser, house)
    photo = finish(ada)
    expect(photo.get_by_role("img", name=f"The dice were {dice}")).to_be_visible()
    expect(photo.get_by_role("listitem")).to_have_count(2)
    expect(photo).to_contain_text(re.compile(r"Ada\s*slaps .* ms"))


def test_the_young_variant_is_explained_as_it_is_played(browser: Browser, house: House) -> None:
    """There the tile to slap shows the roll, and no plate lacks it [K22]."""
    page = new_page(browser)
    page.goto(f"{house.url}/#new-kakerlaken")
    page.get_by_label("For younger players").check()
    page.get_by_role("button", name="Set the table").click()
    for seat in (2, 3):
        page.get_by_label(f"Bot, Seat {seat}").select_option("easy")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text(re.compile("^Look for the tile that shows both"))).to_be_visible()
    read_hint(page)


def test_the_rules_tell_the_times_of_the_table(browser: Browser, house: House) -> None:
    page = new_page(browser)
    wish = {"game": "kakerlaken", "seats": 2, "name": "Ina", "options": {"race_ms": 12_000}}
    opened = page.request.post(f"{house.url}/api/tables", data=wish).json()
    page.goto(f"{house.url}/t/{opened['table']}")
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_text(re.compile(r"race_ms\W+12\b"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"naming_ms\W+3\b"))).to_be_visible()


def duel(browser: Browser, house: House) -> tuple[Page, str]:
    """Let two people slap the first plate; gives one of them at the photo finish, and the dice."""
    ada, bo = new_page(browser), new_page(browser)
    join(bo, set_table(ada, house, NAME, 2))
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    expect(fallen(ada)).to_be_visible()
    told = re.findall(r"show (\w+ and \w+)", fallen(ada).inner_text())
    ada.wait_for_timeout(200)
    for page in (ada, bo):
        assert press(page, page.locator("[data-tile]").first)
    expect(finish(ada)).to_be_visible()
    return ada, str(told[0])
