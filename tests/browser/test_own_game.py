"""A game of one file in real Chromium: on phones, at a TV's size, and on a TV that looks on."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, new_page, play_out, press
from tests.browser.test_games import join, set_table
from tests.own import EXAMPLE

TV = ViewportSize(width=1920, height=1080)


@pytest.fixture
def dice_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house that knows the game of two dice from its file."""
    monkeypatch.setenv("TISCHLEIN_GAMES", os.fspath(EXAMPLE))
    with House(tmp_path) as found:
        yield found


def bank_or_roll(page: Page) -> bool:
    """Bank what there is, else roll."""
    moves = page.get_by_role("region", name="Your turn!").get_by_role("button")
    return press(page, moves.last)


def test_two_people_and_a_bot_play_to_the_end(browser: Browser, dice_house: House) -> None:
    ada, bo, tv = new_page(browser, phone=True), new_page(browser), new_page(browser)
    bo.set_viewport_size(TV)
    tv.set_viewport_size(TV)
    link = set_table(ada, dice_house, "Two Dice", 3)
    join(bo, link)
    ada.get_by_label("Bot, Seat 3").select_option("easy")
    tv.goto(f"{link}?watch")
    ada.get_by_role("button", name="Start").click()
    expect(ada.get_by_role("button", name="roll on").or_(ada.get_by_text("Pot"))).not_to_have_count(
        0
    )
    play_out(bank_or_roll, ada, bo)
    results = [
        page.get_by_role("dialog").get_by_role("heading", level=3).all_inner_texts()
        for page in (ada, bo)
    ]
    assert len(results[0]) == 4  # three players, and the dice
    assert results[0] == results[1]
    for page in (ada, bo):
        page.get_by_role("button", name="Check the dice").click()
        expect(page.get_by_text(re.compile("^Yes! All"))).to_be_visible()


def test_it_speaks_german(browser: Browser, dice_house: House) -> None:
    page = new_page(browser, language="de-DE", phone=True)
    page.goto(dice_house.url)
    expect(page.get_by_role("heading", name="Zwei Würfel")).to_be_visible()
