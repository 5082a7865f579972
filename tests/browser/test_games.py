"""Whole games in real Chromium: visible controls only, every wait bounded."""

import json
import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.house import (
    NO_LINE,
    House,
    hurry_to_the_end,
    new_page,
    play_out,
    press,
    read_hint,
    unhurried,
    until,
)
from tests.browser.players import join, kakerlaken_deed, play_alone, set_table, sushizock_turn
from tests.waiting import LIMIT
from tischlein import replay
from tischlein.chance import verify


def asked(page: Page, house: House, what: str = "") -> str:
    """Ask the server about the table of a page."""
    table = page.url.rpartition("/")[2]
    with urlopen(f"{house.url}/api/tables/{table}{what}", timeout=LIMIT) as answer:
        found: bytes = answer.read()
        return found.decode()


def test_two_people_play_sushizock_and_check_its_dice(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser), new_page(browser)
    link = set_table(ada, house, "Sushizock", 2)
    expect(ada.get_by_role("button", name="Start")).to_be_disabled()
    join(bo, link)
    bo.get_by_label("Your pinch of salt").fill("pancake")
    bo.get_by_role("button", name="Add").click()
    expect(bo.get_by_text("Your word is sealed: pancake")).to_be_visible()
    for page in (ada, bo):
        expect(page.get_by_role("img", name="word sealed")).to_have_count(2)
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    expect(ada.get_by_role("heading", name=re.compile("turn"))).to_be_visible()
    waiting = bo if ada.get_by_role("heading", name="Your turn!").is_visible() else ada
    tile = waiting.get_by_role("button", name=re.compile("^Sushi number 1:"))
    why = waiting.get_by_role("alert")
    # Taps do not count in the moment in which a turn begins.
    until(waiting, lambda: why.count() > 0, lambda: press(waiting, tile))
    expect(why).to_have_text(re.compile("Not yet: it is .*'s turn"))
    hurry_to_the_end(ada, bo)
    for page in (ada, bo):
        page.get_by_role("button", name="Check the dice").click()
        expect(page.get_by_text(re.compile("^Yes! All .* your own secret word"))).to_be_visible()
    verdict = verify(replay(asked(ada, house, "/record").split("\n")))
    assert verdict.proof == "sealed"
    assert verdict.words[1] == "pancake"
    ada.get_by_role("button", name="Watch it again").click()
    slider = ada.get_by_role("slider", name="Watch it again")
    slider.fill("3")
    expect(ada.get_by_role("heading", name=re.compile("^Step 3 of"))).to_be_visible()
    ada.get_by_role("button", name="Close").click()
    ada.get_by_role("button", name="Play again").click()
    expect(bo.get_by_role("heading", name=re.compile("turn"))).to_be_visible()
    again = json.loads(asked(ada, house))["seats"]
    assert all(seat["sealed"] and seat["contribution"] for seat in again), "sealed without a tap"


def test_sushizock_against_bots_on_a_phone_with_touch(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    play_alone(page, house, "Sushizock")
    until(page, lambda: sushizock_turn(page), lambda: False)
    page.reload()
    expect(page.get_by_role("heading", name=re.compile("turn"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    play_out(sushizock_turn, page)


def test_a_server_that_comes_back_goes_on(browser: Browser, own_house: House) -> None:
    page = new_page(browser, trouble=NO_LINE)
    play_alone(page, own_house, "Sushizock")
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    before = page.get_by_role("group", name="Rolled").inner_html()
    own_house.stop()
    expect(page.get_by_text(re.compile("Your connection is lost|does not answer"))).to_be_visible()
    own_house.start()
    expect(page.get_by_text(re.compile("Your connection is lost|does not answer"))).to_have_count(0)
    assert page.get_by_role("group", name="Rolled").inner_html() == before
    until(page, lambda: sushizock_turn(page), lambda: False)


def test_a_right_slap_wins_over_a_quicker_wrong_one(browser: Browser, photo_house: House) -> None:
    """Bo slaps first but wrong, Ada right; everybody sees the photo finish, and nothing more."""
    ada, bo = new_page(browser), new_page(browser, phone=True)
    unhurried(ada)
    join(bo, set_table(ada, photo_house, "Kakerlaken Sushi", 2))
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    told = ada.get_by_text(re.compile("^The dice show"))
    expect(told).to_be_visible()
    symbol, colour = re.findall(r"The dice show (\w+) and (\w+)", told.inner_text())[0]
    plate = f'[data-tile="{symbol}-{colour}"]'
    bo.locator(f"[data-tile]:not({plate})").first.tap()
    expect(bo.get_by_text("Done! Waiting for the others…")).to_be_visible()
    ada.locator(plate).click()
    for page in (ada, bo):
        photo = page.get_by_role("region", name="Photo finish")
        expect(photo).to_contain_text("Ada wins the tile.")
        expect(photo.get_by_role("listitem")).to_have_count(2)
    expect(bo.get_by_role("img", name=re.compile(f"^{colour} {symbol}, "))).to_be_visible()


def test_a_whole_game_of_kakerlaken_on_a_phone(browser: Browser, quick_house: House) -> None:
    page = new_page(browser, phone=True)
    play_alone(page, quick_house, "Kakerlaken Sushi")
    play_out(kakerlaken_deed, page)
    expect(page.get_by_text(re.compile("^4 fish coins"))).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "words"),
    [("de-CH", "Allein spielen"), ("fr-FR", "Jouer en solo"), ("it-IT", "Gioca da solo")],
)
def test_it_speaks_the_language_of_the_browser(
    browser: Browser, house: House, locale: str, words: str
) -> None:
    page = new_page(browser, locale)
    outside: list[str] = []
    page.on(
        "request",
        lambda sent: None if sent.url.startswith(house.url) else outside.append(sent.url),
    )
    page.goto(house.url)
    page.get_by_role("button", name=re.compile(rf"^{words}\s?: Buffet")).click()
    expect(page.locator("dialog")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    assert not outside
