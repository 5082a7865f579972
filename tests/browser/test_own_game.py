"""One's own game in real Chromium: two people and a bot, on a phone and at a TV's size."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.house import House, new_page, press, result_of, until
from tests.own import EXAMPLE, install


@pytest.fixture(params=["file", "package"])
def dice_house(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    """A house that knows the game of two dice from its file, or as an installed package."""
    by_file = request.param == "file"
    if not by_file:
        monkeypatch.setenv("PYTHONPATH", str(install(tmp_path)))
    with House(tmp_path, games=[EXAMPLE] if by_file else []) as found:
        yield found


def sit_down(ada: Page, bo: Page, house: House) -> None:
    """Let two people sit down at a table of three, with a bot in the last seat."""
    ada.goto(house.url)
    ada.get_by_label("Your nickname").fill("Ada")
    ada.get_by_role("button", name="Invite friends: Two Dice").click()
    ada.get_by_text("3", exact=True).click()
    ada.get_by_role("button", name="Set the table").click()
    bo.goto(ada.get_by_label("Send this link, or let them scan it.").input_value())
    bo.get_by_label("Your nickname").fill("Bo")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_text("Ada starts when everybody is here.")).to_be_visible()
    ada.get_by_label("Bot, Seat 3").select_option("easy")
    ada.get_by_role("button", name="Start").click()


def result(page: Page) -> Locator:
    """Find the sheet that says who has won."""
    return page.get_by_role("dialog").filter(has_text=re.compile("wins!|You win!"))


def bank_or_roll(page: Page) -> bool:
    """Bank what there is, else roll."""
    board = page.get_by_role("main")
    bank, roll = (board.get_by_role("button", name=name) for name in ("Bank the pot", "Roll on"))
    return press(page, bank) or press(page, roll)


def test_two_people_and_a_bot_play_to_the_end(browser: Browser, dice_house: House) -> None:
    ada, bo = new_page(browser, phone=True), new_page(browser)
    bo.set_viewport_size(ViewportSize(width=1920, height=1080))
    sit_down(ada, bo, dice_house)
    until(
        ada,
        lambda: all(result(page).is_visible() for page in (ada, bo)),
        lambda: any(bank_or_roll(page) or press(page, result_of(page)) for page in (ada, bo)),
    )
    for page in (ada, bo):
        expect(page.get_by_text("tischlein verify")).to_be_visible()
