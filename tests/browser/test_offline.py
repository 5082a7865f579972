"""Without a server and without a network: whole games in real Chromium, as a phone on a train."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.house import play_out, read_hint, until
from tests.browser.offline import without_network
from tests.browser.players import (
    buffet_turn,
    kakerlaken_deed,
    meet_bots,
    sushizock_turn,
)

TURNS: dict[str, Callable[[Page], bool]] = {
    "Sushizock": sushizock_turn,
    "Buffet": buffet_turn,
    "Kakerlaken Sushi": kakerlaken_deed,
}


@pytest.mark.long
@pytest.mark.parametrize("game", TURNS)
def test_a_whole_game_from_plain_files_without_a_network(
    browser: Browser, site: str, game: str
) -> None:
    page = without_network(browser, site)
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    meet_bots(page, game)
    read_hint(page)
    until(page, lambda: TURNS[game](page), lambda: False)
    page.reload()
    play_out(TURNS[game], page)
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_text(re.compile("your own secret word is in them"))).to_be_visible()
    page.get_by_role("button", name="Was it luck?").click()
    expect(page.get_by_role("dialog", name="What the coach says")).to_contain_text("Luck ")
    page.get_by_role("button", name="Close").last.click()
    page.get_by_role("button", name="Watch it again").click()
    expect(page.get_by_role("heading", name=re.compile("^Step [0-9]+ of"))).to_be_visible()
    elsewhere = [url for url in asked if not url.startswith((site, "blob:", "data:"))]
    assert elsewhere == []
