"""Seats in the browser: a name that is taken, a seat that is freed, who plays while one is away."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, new_page
from tests.browser.players import join, set_table

REFUSED = "status of 4(09|22)"


def is_too_wide(page: Page) -> bool:
    """Say whether something stands beyond the edge of the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_a_taken_name_is_told_kindly_and_another_one_sits_down(
    browser: Browser, house: House
) -> None:
    """A child who is called like somebody here would have read a sentence for programs."""
    ada, bo = new_page(browser), new_page(browser, phone=True, trouble=REFUSED)
    bo.goto(set_table(ada, house, "Sushizock", 3))
    for name, told in (
        ("аda", "Somebody here is called that already, or nearly so. Choose another name."),
        ("Leicht 2", "That is what bots are called here. Choose another name."),
        ("a\u202eb", "There are signs in that name that not everybody can see."),
    ):
        bo.get_by_label("Your nickname").fill(name)
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.get_by_role("alert")).to_contain_text(told)
    bo.get_by_label("Your nickname").fill("דוד")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_text("Ada starts when everybody is here.")).to_be_visible()
    expect(ada.get_by_role("listitem").filter(has_text="\u2068דוד\u2069")).to_be_visible()


def test_guests_who_choose_no_name_get_different_ones(browser: Browser, house: House) -> None:
    """Children who just tap would have been asked for another name that they never chose."""
    ada, bo = new_page(browser), new_page(browser)
    for page in (ada, bo):
        page.goto(house.url)
        page.get_by_label("Your nickname").fill("Nori")
    ada.get_by_role("button", name="Invite friends: Sushizock").click()
    ada.get_by_role("button", name="Set the table").click()
    ada.wait_for_url("**/t/*")
    bo.goto(ada.url)
    expect(bo.get_by_label("Your nickname")).not_to_have_value("Nori")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_text("Nori starts when everybody is here.")).to_be_visible()


def test_the_host_frees_a_seat_and_its_player_is_told(browser: Browser, house: House) -> None:
    """Who sat there and did not play would have kept the table from beginning."""
    ada, bo = new_page(browser), new_page(browser, phone=True)
    join(bo, set_table(ada, house, "Sushizock", 2))
    assert bo.get_by_role("button", name="Free").count() == 0
    ada.get_by_role("button", name="Free Bo's seat").click()
    sure = ada.get_by_role("button", name="Really free Bo's seat?")
    expect(sure).to_be_visible()
    assert not is_too_wide(ada)
    sure.click()
    expect(bo.get_by_role("status")).to_contain_text("The host has freed your seat.")
    expect(ada.get_by_label("Bot, Seat 2")).to_be_visible()
    bo.get_by_role("button", name="Sit down").click()
    expect(ada.get_by_role("button", name="Free Bo's seat")).to_be_visible()


def test_everybody_chooses_who_plays_while_they_are_away(browser: Browser, house: House) -> None:
    """Others would have chosen the clumsiest bot for whoever was called to the door."""
    ada, bo = new_page(browser), new_page(browser, phone=True)
    join(bo, set_table(ada, house, "Sushizock", 2))
    choice = bo.get_by_label("When I am away")
    expect(choice.locator("option:checked")).to_have_text("Bot: Easy")
    choice.select_option(label="Bot: Expert")
    ada.get_by_role("button", name="Start").click()
    bo.get_by_role("button", name="Got it").click()
    bo.get_by_role("button", name="Menu").click()
    expect(choice.locator("option:checked")).to_have_text("Bot: Expert")
    assert not is_too_wide(bo)
