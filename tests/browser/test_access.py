"""What axe-core finds on every screen, by day and by night: nothing."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.house import (
    House,
    hurry_to_the_end,
    is_over,
    new_page,
    play_out,
    press,
    read_hint,
    result_of,
    until,
)
from tests.browser.looks import look
from tests.browser.players import (
    buffet_turn,
    join,
    kakerlaken_deed,
    meet_bots,
    set_table,
    sushizock_turn,
)


def open_and_look(page: Page, button: str | re.Pattern[str]) -> None:
    """Open a sheet, look at it, and close it."""
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_landing_rules_and_a_table_that_is_gone(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True, trouble="404.*/api/tables/nowhere")
    page.goto(house.url)
    expect(page.get_by_role("heading", name="Tischlein")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Rules: Buffet").click()
    expect(page.get_by_role("heading", name="House rules at our table")).to_be_visible()
    look(page)
    page.goto(f"{house.url}/t/nowhere")
    expect(page.get_by_text("This table is gone.")).to_be_visible()
    look(page)


@pytest.mark.parametrize("game", ["sushizock", "buffet", "kakerlaken"])
def test_a_table_before_the_game(browser: Browser, house: House, game: str) -> None:
    host, guest, screen = new_page(browser), new_page(browser, phone=True), new_page(browser)
    host.goto(f"{house.url}/#new-{game}")
    expect(host.get_by_role("button", name="Set the table")).to_be_enabled()
    look(host)
    titles = {"sushizock": "Sushizock", "buffet": "Buffet", "kakerlaken": "Kakerlaken Sushi"}
    link = set_table(host, house, titles[game], 3)
    guest.goto(link)
    expect(guest.get_by_role("button", name="Sit down")).to_be_visible()
    look(guest)
    join(guest, link)
    screen.goto(f"{link}?watch")
    expect(screen.get_by_text("Who sits down?")).to_be_visible()
    for page in (host, guest, screen):
        look(page)
    if game == "kakerlaken":
        open_and_look(guest, "Warm up")


@pytest.mark.parametrize(
    ("game", "turn"),
    [
        ("Sushizock", sushizock_turn),
        ("Buffet", buffet_turn),
        ("Kakerlaken Sushi", kakerlaken_deed),
    ],
)
def test_a_game_from_the_first_hint_to_its_replay(
    browser: Browser, quick_house: House, game: str, turn: Callable[[Page], bool]
) -> None:
    page, screen = new_page(browser, phone=True), new_page(browser)
    page.goto(quick_house.url)
    meet_bots(page, game)
    expect(page.get_by_role("button", name="Got it")).to_be_visible()
    look(page)
    read_hint(page)
    screen.goto(f"{page.url}?watch")
    expect(screen.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("Your turn"))).to_be_visible()
    look(page)
    look(screen)
    open_and_look(page, "Menu")
    open_and_look(page, re.compile("^What happened"))
    if game != "Kakerlaken Sushi":  # its races take hands
        hurry_to_the_end(page)
    until(page, lambda: result_of(page).is_visible() or is_over(page), lambda: turn(page))
    look(page)
    play_out(turn, page)
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_text(re.compile("^Yes! All"))).to_be_in_viewport(ratio=0.95)
    look(page)
    press(screen, result_of(screen))
    expect(screen.get_by_role("region", name="The game is over!")).to_be_visible()
    assert screen.locator(".part > *").evaluate_all(
        "all => all.every((one) => one.getBoundingClientRect().right <= innerWidth)"
    ), "every sum can be read, on a small big screen too"
    look(screen)
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("slider", name="Watch it again").fill("4")
    expect(page.get_by_role("heading", name=re.compile("^Step 4 of"))).to_be_visible()
    look(page)


def test_the_curtain_between_two_players(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    set_table(page, house, "Buffet", 3)
    page.get_by_label("Another player on this device").fill("Mia")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Bot, Seat 3").select_option("easy")
    look(page)
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    expect(page.get_by_role("region", name="Curtain")).to_be_visible()
    look(page)
