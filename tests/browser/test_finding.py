"""Finding somebody in the browser: four strangers, bots meanwhile, a table for everybody."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.house import House, new_page, read_hint, until
from tests.browser.looks import look
from tests.browser.players import set_table, sushizock_turn


@pytest.fixture
def street(tmp_path: Path) -> Iterator[House]:
    """A server at which strangers have time: a test may be slow."""
    patient = ("seek_bots_after=2", "seek_gone_after=60", "silent_after=60", "clocks.normal=600")
    with House(tmp_path, settings=patient) as house:
        yield house


def seek(browser: Browser, house: House, name: str, phone: bool = True) -> Page:
    """Tap "Play with somebody"."""
    page = new_page(browser, phone=phone)
    page.goto(house.url)
    page.get_by_label("Your nickname").fill(name)
    page.get_by_role("button", name="Play with somebody: Sushizock").click()
    expect(
        page.get_by_role("status").filter(has_text="Already here").or_(playing(page))
    ).to_be_visible()
    return page


def playing(page: Page) -> Locator:
    """Find what is there when a game has begun."""
    return page.locator("div.game")


def test_four_strangers_meet_and_play(browser: Browser, street: House) -> None:
    pages = [seek(browser, street, "Ada")]
    expect(pages[0].get_by_text("Already here: 1 of 4")).to_be_visible()
    look(pages[0])
    pages += [seek(browser, street, name) for name in ("Bo", "Cem", "Dee")]
    for page in pages:
        expect(playing(page)).to_be_visible()
    assert len({page.url for page in pages}) == 1
    for page in pages:
        read_hint(page)
    moved: list[Page] = []

    def deed() -> bool:
        moved.extend(page for page in pages if sushizock_turn(page))
        return bool(moved)

    until(pages[0], lambda: bool(moved), deed)
    expect(pages[0].get_by_text("Cem").first).to_be_attached()


def test_bots_are_offered_after_a_while(browser: Browser, street: House) -> None:
    page = seek(browser, street, "Ada", phone=False)
    page.get_by_role("button", name="Fill up with bots").click()
    expect(playing(page)).to_be_visible()


def test_who_stops_looking_is_gone(browser: Browser, street: House) -> None:
    page = seek(browser, street, "Ada")
    page.set_viewport_size(ViewportSize(width=320, height=568))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    expect(page.get_by_role("button", name="Stop looking")).to_be_in_viewport(ratio=1)
    other = new_page(browser)
    other.goto(street.url)
    listed = other.get_by_role("region", name="Open tables")
    expect(listed.get_by_text("Looking for others: Ada")).to_be_visible()
    look(other)
    page.get_by_role("button", name="Stop looking").click()
    expect(page.get_by_role("heading", name="Tischlein")).to_be_visible()
    other.reload()
    expect(other.get_by_role("button", name="Play with somebody: Sushizock")).to_be_enabled()
    expect(listed).to_have_count(0)


def test_everybody_may_come_to_a_table(browser: Browser, street: House) -> None:
    host, guest = new_page(browser), new_page(browser, language="de-DE", phone=True)
    set_table(host, street, "Sushizock", 3)
    host.get_by_label("Open to everybody").check()
    expect(host.get_by_label("Your pinch of salt")).to_have_count(0)
    guest.goto(street.url)
    guest.get_by_role("button", name="Hinsetzen: Sushizock, Ada").click()
    expect(guest.get_by_text("Ada startet, wenn alle da sind")).to_be_visible()
    other = new_page(browser, trouble="status of 409")
    other.goto(street.url)
    other.get_by_label("Your nickname").fill("Ada")
    other.get_by_role("button", name="Sit down: Sushizock, Ada").click()
    expect(other.get_by_role("alert")).to_contain_text("Somebody here is called that already")
    expect(other.get_by_role("button", name="Sit down")).to_be_visible()
