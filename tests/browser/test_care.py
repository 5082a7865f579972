"""What people do about a name that insults, what a closed table says, and what is kept of them."""

import os
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, new_page, read_hint, until
from tests.browser.looks import look, words
from tests.browser.players import join, set_table
from tischlein.words import LANGUAGES

RUDE = "Rude"
SMALL = ViewportSize(width=320, height=568)
SIZES = (SMALL, ViewportSize(width=390, height=844), ViewportSize(width=1280, height=800))
SHOTS = os.environ.get("TISCHLEIN_SHOTS")
"""Where to put pictures, for who wants to look at the screens."""
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


def open_cup(host: Page, house: House, title: str) -> str:
    """Open a tournament for two at a table; gives its link."""
    host.goto(house.url)
    host.get_by_label("Your nickname").fill("Ada")
    host.get_by_role("button", name="Tournament").click()
    host.get_by_label("What is it called?").fill(title)
    host.get_by_text("2", exact=True).click()
    host.get_by_role("button", name="Open the tournament").click()
    host.wait_for_url("**/cup/*")
    return host.url


def take_part(page: Page, link: str, name: str, language: str = "en") -> None:
    """Take part in a tournament."""
    page.goto(link)
    page.get_by_label(words(language, "nickname")).fill(name)
    page.get_by_role("button", name=words(language, "cup.join")).click()
    expect(page.get_by_text(words(language, "cup.in"))).to_be_visible()


def end_cup(host: Page, link: str) -> None:
    """Let the host leave out the one table of a tournament, so that it is over."""
    cup = link.rpartition("/")[2]
    token = host.evaluate(f"JSON.parse(localStorage['tischlein.cup.{cup}'])[0].token")
    address = link.replace("/cup/", "/api/cups/")
    table = host.request.get(address).json()["rounds"][0][0]["table"]
    headers = {"authorization": f"Bearer {token}"}
    until(
        host,
        lambda: host.request.get(address).json()["phase"] == "over",
        lambda: host.request.post(f"{address}/skip", data={"table": table}, headers=headers).ok,
    )


def operate(house: House, data: Path, *command: str) -> None:
    """Do something as whoever runs the house."""
    subprocess.run(
        [sys.executable, "-m", "tischlein", "house", *command, "--server", house.url,
         "--data", str(data)],
        check=True, capture_output=True, timeout=100,
    )  # fmt: skip


def on_all_screens(page: Page, name: str) -> None:
    """See that a page fits on a small phone, another one and a computer."""
    for size in SIZES:
        page.set_viewport_size(size)
        look(page)
        assert not page.locator("html").evaluate(WIDE)
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{size['width']}.png", full_page=True)
    page.set_viewport_size(SIZES[1])


def test_a_name_hidden_in_a_tournament_is_hidden_at_its_tables_and_back(
    browser: Browser, house: House
) -> None:
    host, guest = new_page(browser, phone=True), new_page(browser)
    link = open_cup(host, house, "Friday")
    take_part(guest, link, RUDE)
    face = host.get_by_role("button", name=RUDE, exact=True)
    face.press("Enter")
    expect(face).to_have_attribute("aria-expanded", "true")
    on_all_screens(host, "members")
    host.get_by_role("button", name=f"Hide this name: {RUDE}").press("Enter")
    expect(host.get_by_role("button", name="Show the name again: Player 2")).to_be_focused()
    nowhere(host)
    on_all_screens(host, "hidden")
    host.goto(f"{link}/tv")
    expect(host.get_by_text("Player 2")).to_be_visible()
    nowhere(host)
    host.goto(link)
    host.get_by_role("button", name="Begin the tournament").click()
    expect(host.get_by_role("row")).to_have_count(3)
    nowhere(host)
    host.get_by_text(words("en", "whoPlays")).click()
    expect(host.get_by_role("button", name="Show the name again: Player 2")).to_be_visible()
    host.get_by_text(words("en", "cup.tables")).click()
    on_all_screens(host, "page")
    nowhere(host)
    host.get_by_role("button", name=re.compile("^Play")).click()
    host.wait_for_url("**/t/*")
    expect(host.get_by_text("Waiting for Player")).to_be_visible()
    nowhere(host)
    host.get_by_role("button", name=re.compile("^Player")).click()
    on_all_screens(host, "lobby")
    nowhere(host)
    host.goto(house.url)
    expect(host.get_by_text(re.compile("Player [12]")).first).to_be_visible()
    nowhere(host)
    host.go_back()
    host.get_by_role("button", name=re.compile("^Player")).click()
    host.get_by_role("button", name=re.compile("^Show the name again")).click()
    expect(host.get_by_text(f"Waiting for {RUDE}")).to_be_visible()
    host.get_by_role("button", name=f"Hide this name: {RUDE}").click()
    expect(host.get_by_text("Waiting for Player")).to_be_visible()
    host.get_by_role("button", name=words("en", "cup.back")).click()
    expect(host.get_by_role("row").filter(has_text="Player 2")).to_be_visible()
    end_cup(host, link)
    expect(host.get_by_role("heading", name="Ada and Player 2 win")).to_be_visible()
    nowhere(host)
    host.get_by_text(words("en", "whoPlays")).click()
    on_all_screens(host, "over")
    host.get_by_role("button", name="Show the name again: Player 2").click()
    expect(host.get_by_role("row").filter(has_text=RUDE)).to_be_visible()


def test_a_name_that_was_taken_out_of_a_tournament_is_gone_and_its_owner_plays_on(
    browser: Browser, own_house: House, tmp_path: Path
) -> None:
    host, guest = new_page(browser, phone=True), new_page(browser, "de-DE")
    link = open_cup(host, own_house, f"{RUDE} words")
    cup = link.rpartition("/")[2]
    take_part(guest, link, RUDE, "de")
    operate(own_house, tmp_path, "rename", "--cup", cup)
    operate(own_house, tmp_path, "rename", "--cup", cup, "1")
    expect(host.get_by_role("heading", name="Tournament", exact=True)).to_be_visible()
    expect(host.get_by_role("button", name="somebody", exact=True)).to_be_visible()
    nowhere(host)
    expect(guest.get_by_text("jemand (du)")).to_be_visible()
    expect(guest.get_by_role("heading", name="Turnier", exact=True)).to_be_visible()
    nowhere(guest)
    host.get_by_role("button", name="Begin the tournament").click()
    guest.get_by_role("button", name=re.compile("^Spielen")).click()
    guest.wait_for_url("**/t/*")
    expect(guest.get_by_text("jemand")).to_be_visible()
    nowhere(guest)


def test_a_closed_table_says_so_at_once(browser: Browser, own_house: House, tmp_path: Path) -> None:
    host = new_page(browser, phone=True)
    link = set_table(host, own_house, "Sushizock", 2)
    operate(own_house, tmp_path, "close", link.rpartition("/")[2])
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
