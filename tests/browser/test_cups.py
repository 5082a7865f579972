"""A tournament among five friends, from the landing page to the podium on the big screen."""

import os
import re
from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, hurry_to_the_end, new_page, press, result_of, until

FRIENDS = ("Anna", "Bo", "Cleo", "Dan", "Eva")
SHOTS = os.environ.get("TISCHLEIN_SHOTS")
"""Where to put pictures, for who wants to look at the screens."""


def shoot(page: Page, name: str) -> None:
    """Take a picture where somebody wants to look at it."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


def open_cup(page: Page, house: House) -> str:
    """Open a tournament for three at a table; give its address."""
    page.goto(house.url)
    page.get_by_label("Your nickname").fill(FRIENDS[0])
    page.get_by_role("button", name="Tournament").click()
    page.get_by_label("What is it called?").fill("Friday cup")
    shoot(page, "new")
    page.get_by_role("button", name="Open the tournament").click()
    page.wait_for_url("**/cup/*")
    expect(page.get_by_role("heading", name="Friday cup")).to_be_visible()
    return page.url


def take_part(page: Page, address: str, name: str) -> None:
    """Take part by the link."""
    page.goto(address)
    page.get_by_label("Your nickname").fill(name)
    shoot(page, "join")
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_text("You are in!")).to_be_visible()


def play_round(pages: list[Page]) -> None:
    """Let all go to their tables, play, and come back."""
    tables = defaultdict(list)
    for page in pages:
        page.get_by_role("button", name=re.compile("^Play")).click()
        page.wait_for_url("**/t/*")
        tables[page.url].append(page)
        shoot(page, f"lobby-{len(tables[page.url])}")
    assert len(tables) == 2
    for together in tables.values():
        hurry_to_the_end(*together)
    for page in pages:
        back = page.get_by_role("link", name="Back to the tournament")
        until(page, back.is_visible, partial(press, page, result_of(page)))
        shoot(page, "end")
        back.click()


@pytest.mark.long
def test_five_friends_have_a_tournament(browser: Browser, quick_house: House) -> None:
    pages = [new_page(browser, phone=True) for _ in FRIENDS]
    address = open_cup(pages[0], quick_house)
    for page, name in zip(pages[1:], FRIENDS[1:], strict=True):
        take_part(page, address, name)
    tv = new_page(browser)
    tv.set_viewport_size(ViewportSize(width=1920, height=1080))
    tv.goto(f"{address}/tv")
    for name in FRIENDS:
        expect(tv.get_by_text(name)).to_be_visible()
    shoot(tv, "tv-open")
    expect(pages[1].get_by_role("button", name="Begin the tournament")).to_have_count(0)
    expect(pages[0].get_by_text("Who takes part: 5")).to_be_visible()
    shoot(pages[0], "open")
    pages[0].get_by_role("button", name="Begin the tournament").click()
    for number in range(1, 4):
        for page in pages:
            expect(page.get_by_text(f"Round {number} of 3").first).to_be_visible()
        shoot(pages[2], f"round-{number}")
        expect(tv.get_by_text(f"Round {number} of 3").first).to_be_visible()
        shoot(tv, f"tv-round-{number}")
        play_round(pages)
    for page in (*pages, tv):
        expect(page.get_by_role("heading", name=re.compile("win.* the tournament"))).to_be_visible()
        expect(page.get_by_role("row")).to_have_count(6)
    shoot(tv, "tv-over")
    shoot(pages[0], "over")
    steps = tv.get_by_text(re.compile("^Place 1: "))
    winner = tv.get_by_role("row").nth(1).inner_text()
    assert any(name in winner and name in steps.inner_text() for name in FRIENDS)
