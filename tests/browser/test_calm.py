"""Where no clock runs: everybody decides, each alone or on one device, then all is shown."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, is_over, new_page, press, read_hint, result_of, until
from tests.browser.players import kakerlaken_deed

NO_CLOCK = "No clock: everybody decides, then all is shown"


def set_calm_table(page: Page, house: House, seats: int) -> None:
    """Set a table without a clock; what belongs to a race goes, what a race forbids comes."""
    page.goto(f"{house.url}/#new-kakerlaken")
    page.get_by_label("Your nickname").fill("Ada")
    page.get_by_text(str(seats), exact=True).click()
    timed = page.get_by_label("Time to slap or grab")
    hints = page.get_by_label("Players may ask the expert what to do")
    expect(timed).to_be_visible()
    expect(hints).to_have_count(0)
    page.get_by_label(NO_CLOCK).check()
    expect(timed).to_have_count(0)
    hints.check()
    page.get_by_role("button", name="Set the table").click()


@pytest.mark.long
def test_two_people_decide_in_secret_on_one_device(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    set_calm_table(page, house, 3)
    expect(page.get_by_text("Head start")).to_have_count(0)
    page.get_by_label("Another player on this device").fill("Mia")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Bot, Seat 3").select_option("easy")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    curtain = page.get_by_role("region", name="Curtain")
    lifted: list[str] = []

    def lift_and_play() -> bool:
        if curtain.is_visible():
            name = "Ada" if "Ada" in curtain.inner_text() else "Mia"
            if not press(page, curtain.get_by_role("button", name=f"I am {name}")):
                return False
            expect(curtain).to_have_count(0)
            lifted.append(name)
            if len(lifted) == 1:
                return press(page, page.get_by_role("button", name="Do nothing"))
            if len(lifted) == 2:  # who grabs goes on and names: no curtain tells the others
                page.get_by_role("button", name="Grab softly").click()
                page.get_by_role("button", name="rat", exact=True).click()
                return True
        return kakerlaken_deed(page) or press(page, result_of(page))

    until(page, lambda: is_over(page), lift_and_play)
    assert lifted[:2] == ["Ada", "Mia"]
    assert len(lifted) > 10


def test_what_all_did_is_shown_and_told_before_the_dice_go_on(
    browser: Browser, house: House
) -> None:
    page = new_page(browser, pace="normal")
    set_calm_table(page, house, 2)
    page.get_by_label("Bot, Seat 2").select_option("expert")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    page.get_by_role("button", name="Do nothing").click()
    finish = page.get_by_role("region", name="Photo finish")
    expect(finish).to_contain_text("did nothing")
    expect(finish).not_to_contain_text(re.compile(r"\d ms"))
    expect(page.get_by_role("button", name="Do nothing")).to_be_enabled()
    page.get_by_role("button", name="What happened").click()
    told = re.compile("Ada does nothing, .+ slaps “.+”")
    expect(page.get_by_text(told).first).to_be_visible()
