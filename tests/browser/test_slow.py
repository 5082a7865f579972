"""When one has time: a slow table on a phone, closed and found again."""

import re

from playwright.sync_api import Browser, expect

from tests.browser.fits import look_at
from tests.browser.house import House, another_tab, new_page, read_hint, until
from tests.browser.players import sushizock_turn

SLOW = "A day for each move"
THEIRS = re.compile(r"Bo has until \w+day.* You may close this page")


def test_a_move_today_and_the_next_one_later(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    page.goto(f"{house.url}/#new-kakerlaken")
    expect(page.get_by_label(SLOW)).to_be_disabled()
    expect(page.get_by_text("Quick hands need everybody at once.")).to_be_visible()
    page.get_by_label("No clock").check()
    expect(page.get_by_label(SLOW)).to_be_enabled()
    page.goto(f"{house.url}/#new-sushizock")
    page.get_by_label("Your nickname").fill("Ada")
    page.get_by_text("2", exact=True).click()
    page.get_by_label(SLOW).check()
    assert look_at(page, [(320, 568), (1280, 800), (390, 844)]) == []
    page.get_by_role("button", name="Set the table").click()
    expect(page.get_by_text(SLOW)).to_be_visible()
    expect(page.get_by_text("You may close this page")).to_be_visible()
    address = page.url
    bo = new_page(browser, phone=True)
    bo.goto(address)
    bo.get_by_label("Your nickname").fill("Bo")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_text("You may close this page")).to_be_visible()
    bo = another_tab(bo)  # nobody waits for Bo's word for the dice
    expect(page.get_by_text("not here just now")).to_be_visible()
    page.get_by_label("Who begins?").select_option(label="Ada")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    expect(page.get_by_text(re.compile(r"You have until \w+day"))).to_be_visible()
    assert look_at(page, [(320, 568), (844, 390), (1280, 800), (390, 844)]) == []
    until(page, page.get_by_text(THEIRS).is_visible, lambda: sushizock_turn(page))
    expect(page.get_by_text("is away")).to_have_count(0)
    assert look_at(page, [(320, 568), (844, 390), (1280, 800), (390, 844)]) == []
    page = another_tab(page)
    page.goto(address)
    expect(page.get_by_text(THEIRS)).to_be_visible()
    bo.goto(address)
    expect(bo.get_by_text(re.compile(r"You have until \w+day"))).to_be_visible()
