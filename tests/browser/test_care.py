"""What people do about a name that insults, what a closed table says, and what is kept of them."""

import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, new_page, read_hint
from tests.browser.looks import look, words
from tests.browser.players import join, set_table
from tischlein.words import LANGUAGES

RUDE = "Rude"
SMALL = ViewportSize(width=320, height=568)
WIDE = "one => one.scrollWidth > innerWidth"


def nowhere(page: Page) -> None:
    """See that the name is not said anywhere on the page, aloud or in writing."""
    assert RUDE not in page.locator("body").evaluate("one => one.innerText")
    told = page.locator("[aria-label*=Rude], [title*=Rude]")
    expect(told).to_have_count(0)


def menu_of_players(page: Page) -> None:
    """Open the list of who plays here."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_text(words("en", "whoPlays")).click()


def test_a_name_is_hidden_for_oneself_and_shown_again(browser: Browser, house: House) -> None:
    host, guest = new_page(browser, phone=True), new_page(browser)
    link = set_table(host, house, "Sushizock", 2)
    join(guest, link, RUDE)
    host.get_by_role("button", name=RUDE, exact=True).click()
    look(host)
    host.get_by_role("button", name=f"Hide this name: {RUDE}").click()
    expect(host.get_by_role("button", name="Show the name again: Player 2")).to_be_visible()
    nowhere(host)
    host.get_by_role("button", name="Start").click()
    read_hint(host)
    expect(host.get_by_text("Player 2").first).to_be_visible()
    nowhere(host)
    host.reload()
    expect(host.get_by_text("Player 2").first).to_be_visible()
    nowhere(host)
    expect(guest.get_by_text(RUDE).first).to_be_visible()
    host.set_viewport_size(SMALL)
    menu_of_players(host)
    look(host)
    assert not host.locator("html").evaluate(WIDE)
    host.get_by_role("button", name="Show the name again: Player 2").click()
    expect(host.get_by_role("button", name=f"Hide this name: {RUDE}")).to_be_visible()


def test_a_closed_table_says_so_at_once(browser: Browser, own_house: House, tmp_path: Path) -> None:
    host = new_page(browser, phone=True)
    link = set_table(host, own_house, "Sushizock", 2)
    command = ("house", "close", link.rpartition("/")[2], "--server", own_house.url)
    subprocess.run(
        [sys.executable, "-m", "tischlein", *command, "--data", str(tmp_path)],
        check=True, capture_output=True, timeout=100,
    )  # fmt: skip
    expect(host.get_by_role("heading", name="This table was closed.")).to_be_visible()
    look(host)
    late = new_page(browser)
    late.goto(link)
    expect(late.get_by_role("heading", name="This table was closed.")).to_be_visible()
    host.get_by_role("button", name=words("en", "home")).click()
    expect(host.get_by_role("heading", name="Tischlein")).to_be_visible()


def test_what_is_kept_is_told_in_every_language(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    page.set_viewport_size(SMALL)
    page.goto(house.url)
    page.get_by_role("link", name="Privacy").click()
    expect(page.get_by_role("heading", name="Whom to ask")).to_be_visible()
    expect(page.get_by_text(re.compile("30 days after somebody"))).to_be_visible()
    expect(page.get_by_text(words("en", "care.noContact"))).to_be_visible()
    look(page)
    for language in LANGUAGES:
        page.evaluate("text => localStorage['tischlein.language'] = text", f'"{language}"')
        page.goto(f"{house.url}/privacy")
        expect(page.get_by_role("heading", level=1)).to_have_text(words(language, "care.privacy"))
        expect(page.get_by_text(words(language, "care.noContact"))).to_be_visible()
        assert "{" not in page.locator("main").inner_text()
        assert not page.locator("html").evaluate(WIDE)
