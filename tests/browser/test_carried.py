"""What was begun without a network goes on with it, and on one's other device, each result once."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.house import House, new_page, play_out, read_hint, until
from tests.browser.offline import AT_ONCE, NO_NETWORK
from tests.browser.owners import ENDED, at_localhost, make_profile, press, with_a_finger
from tests.browser.players import meet_bots, sushizock_turn


def settle(browser: Browser, url: str) -> Page:
    """Give a phone that can do without a network."""
    page = new_page(browser, phone=True, trouble=f"{NO_NETWORK}|{ENDED}", worker=True)
    page.context.add_init_script(AT_ONCE)
    with_a_finger(page)
    page.goto(url)
    expect(page.locator("[data-kept=ready]")).to_be_visible()
    return page


def play_some(page: Page, turns: int) -> None:
    """Take a few turns."""
    taken: list[bool] = []

    def turn() -> bool:
        if sushizock_turn(page):
            taken.append(True)
            return True
        return False

    until(page, lambda: len(taken) >= turns, turn)


def home(page: Page, url: str) -> None:
    """Go to the first page, and wait until what is kept of this device is known there."""
    page.goto(url)
    expect(page.locator("[data-carried=whole]")).to_have_count(1)


def rows(page: Page) -> Locator:
    """Find one's tables on the first page."""
    return page.get_by_role("region", name="Your tables")


@pytest.mark.long
def test_a_game_begun_on_a_train_is_finished_at_home(browser: Browser, tmp_path: Path) -> None:
    with House(tmp_path) as house:
        url = at_localhost(house)
        phone, tablet = settle(browser, url), settle(browser, url)
        phone.goto(f"{url}/me")
        make_profile(phone, "Anna")
        press(phone, "Show a code")
        code = phone.get_by_label("Code", exact=True).inner_text()
        tablet.goto(f"{url}/me/link/{code}")
        press(tablet, "Yes, it is mine")
        expect(tablet.get_by_text("Signed in as Anna")).to_be_visible()
        phone.goto(url)

        phone.context.set_offline(True)
        meet_bots(phone, "Sushizock")
        read_hint(phone)
        table = phone.url.partition("/t/")[2]
        assert table.startswith("0")
        play_some(phone, 6)

        phone.context.set_offline(False)
        home(phone, url)
        home(tablet, url)
        rows(tablet).get_by_role("button").first.click()
        expect(tablet).to_have_url(f"{url}/t/{table}")
        read_hint(tablet)
        tablet.context.set_offline(True)
        play_out(sushizock_turn, tablet)
        tablet.context.set_offline(False)
        home(tablet, url)
        home(phone, url)
        for page in (tablet, phone):
            page.goto(f"{url}/history")
            expect(page.locator("li.card")).to_have_count(1)
            page.locator("li.card a").click()
            expect(page.get_by_role("button", name="Watch it again")).to_be_visible()
