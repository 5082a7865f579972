"""A game that brings no board: one file, played on the plain one to its end."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, new_page, press, result_of, until
from tests.browser.looks import cut_off, look
from tests.browser.players import join, meet_bots, set_table

EXAMPLE = Path("examples/two_dice.py")
SMALL_BUTTONS = """all => all
  .map((one) => one.getBoundingClientRect())
  .filter(({ width, height }) => width < 48 || height < 48).length"""


@pytest.fixture(scope="module")
def prototype_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house where a designer shows their first game."""
    with House(tmp_path_factory.mktemp("prototype"), games=(EXAMPLE,)) as found:
        yield found


def roll_or_bank(page: Page) -> bool:
    """Roll once, then bank."""
    return press(page, page.get_by_role("button", name="Bank the pot", exact=True)) or press(
        page, page.get_by_role("button", name="Roll on", exact=True)
    )


def test_two_people_play_a_prototype_to_its_end(browser: Browser, prototype_house: House) -> None:
    ada, bo, screen = new_page(browser, phone=True), new_page(browser), new_page(browser)
    link = set_table(ada, prototype_house, "Two Dice", 2)
    join(bo, link)
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        expect(page.get_by_role("heading", name=re.compile("turn"))).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="Ada")).to_contain_text("0")
    screen.set_viewport_size(ViewportSize(width=1920, height=1080))
    screen.goto(f"{link}?watch")
    expect(screen.get_by_role("heading", name=re.compile("(Ada|Bo)'s turn"))).to_be_visible()
    assert cut_off(screen) == []
    numbers = screen.locator("dd strong, h2 strong")
    expect(numbers).not_to_have_count(0)
    assert not numbers.evaluate_all(
        "all => all.filter((one) => parseFloat(getComputedStyle(one).fontSize) < 40).length"
    )
    until(ada, lambda: roll_or_bank(ada), lambda: roll_or_bank(bo))
    for page in (ada, bo, screen):
        look(page)
    until(
        ada,
        lambda: result_of(ada).is_visible(),
        lambda: roll_or_bank(ada) or roll_or_bank(bo),
    )
    press(ada, result_of(ada))
    expect(ada.get_by_role("dialog")).to_contain_text(re.compile("wins!|You win!"))
    expect(ada.get_by_text("tischlein verify")).to_be_visible()
    look(ada)


def test_a_prototype_fits_every_phone_and_is_played_by_keys(
    browser: Browser, prototype_house: House
) -> None:
    page = new_page(browser)
    page.goto(prototype_house.url)
    page.get_by_label("Your nickname").fill("Ada")
    meet_bots(page, "Two Dice")
    roll = page.get_by_role("button", name="Roll on", exact=True)
    again = page.get_by_role("button", name="Play again")
    until(
        page, roll.is_visible, lambda: press(page, again)
    )  # a lucky bot may win before one's turn
    for width, height in ((320, 568), (390, 844), (667, 375), (844, 390), (1280, 800)):
        page.set_viewport_size(ViewportSize(width=width, height=height))
        expect(roll).to_be_in_viewport()
        assert cut_off(page) == []
        assert page.locator("main .button").evaluate_all(SMALL_BUTTONS) == 0
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    roll.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^What happened")).click()
    told = page.get_by_role("dialog", name="What happened").get_by_role("listitem")
    expect(told.filter(has_text="Ada: roll on")).to_have_count(1)


@pytest.mark.parametrize(
    ("locale", "title"), [("de-CH", "Zwei Würfel"), ("fr-FR", "Deux dés"), ("it-IT", "Due dadi")]
)
def test_a_prototype_speaks_its_own_words(
    browser: Browser, prototype_house: House, locale: str, title: str
) -> None:
    page = new_page(browser, locale)
    page.goto(prototype_house.url)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
