"""The Buffet by keys alone: cards are found, laid and swapped, and nobody is lost on the page."""

import json
import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, new_page, press, until
from tests.browser.players import sit_with_bots

FOCUS = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
CARDS = "[...document.querySelectorAll('.hand .row [data-card]')].map((one) => +one.dataset.card)"


def moves_of(page: Page) -> list[dict[str, Any]]:
    """Collect the moves that a page sends."""
    moves: list[dict[str, Any]] = []

    def note(sent: str | bytes) -> None:
        frame = json.loads(sent)
        if frame["type"] == "move":
            moves.append(frame["move"])

    page.on("websocket", lambda line: line.on("framesent", note))
    return moves


def pressed(page: Page, key: str) -> bool:
    """Press a key, and look what happens before the next."""
    page.keyboard.press(key)
    return False


def may_lay(page: Page) -> bool:
    return page.locator(".hand [aria-disabled=false]").count() > 0


def test_a_round_by_keys(browser: Browser, house: House) -> None:
    page = new_page(browser)
    moves = moves_of(page)
    sit_with_bots(page, house, 4)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    first, *_, last = page.evaluate(CARDS)
    assert page.evaluate(FOCUS) == f"card {first}".replace("-", "−")  # one Tab away
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", pressed=True)).to_have_accessible_name(
        f"card {last}".replace("-", "−")
    )
    page.keyboard.press("-" if first < 0 else str(first))
    expect(page.get_by_role("button", name=re.compile("^Lay"))).to_have_text(
        f"Lay {first}".replace("-", "−")
    )

    def lay() -> bool:
        """Lay the first card, or swap what is chosen, without a pointer."""
        if not may_lay(page):
            return False
        sent = len(moves)
        swaps = page.get_by_role("button", name=re.compile("^Swap")).is_visible()
        value = page.evaluate(CARDS)[0]
        page.keyboard.press("-" if value < 0 else str(value))
        if swaps:
            expect(page.get_by_role("button", name="Swap 1")).to_be_visible()
        until(
            page,
            lambda: len(moves) > sent,
            lambda: pressed(page, "X" if swaps else "Enter"),
        )
        assert page.evaluate("document.activeElement !== document.body")
        return True

    until(page, lambda: any(move["do"] == "exchange" for move in moves), lay)
    assert moves[0] == {"do": "play", "card": first}
    assert len(next(move for move in moves if move["do"] == "exchange")["cards"]) == 1
    until(page, lambda: may_lay(page), lambda: False)
    assert page.evaluate("document.activeElement !== document.body")


def test_a_second_tap_lays_where_nobody_wants_to_be_asked(browser: Browser, house: House) -> None:
    page = new_page(browser)
    moves = moves_of(page)
    page.add_init_script("localStorage['tischlein.sure'] ??= 'true'")
    sit_with_bots(page, house, 3)
    card = page.get_by_role("button", name=re.compile("^card ")).last
    chosen = page.locator(".hand [aria-pressed=true]")
    until(page, lambda: chosen.count() == 1, lambda: press(page, card))
    page.keyboard.press("Enter")  # who wants to be sure goes to the button
    assert page.evaluate(FOCUS).startswith("Lay ")
    card.click()
    expect(chosen).to_have_count(0)  # put back, not laid
    assert moves == []
    page.evaluate("localStorage['tischlein.sure'] = 'false'")
    page.reload()
    until(page, lambda: bool(moves), lambda: press(page, card))
    assert moves[0]["do"] == "play"


def test_the_table_can_be_read(browser: Browser, house: House) -> None:
    """Buffet, hand, mice, stacks and who has laid are in the page's words."""
    page = new_page(browser)
    sit_with_bots(page, house, 3)
    plates = page.get_by_role("group", name="The buffet").get_by_role("img")
    expect(plates).to_have_count(5)
    hand = page.get_by_role("group", name="Your hand").get_by_role("button")
    expect(hand).to_have_count(9)
    expect(
        page.get_by_role("img", name=re.compile("^The race track: Ada has run 0"))
    ).to_be_visible()
    expect(
        page.get_by_role(
            "button", name=re.compile("Ada: space 0, still in, cards: 9, plates: none, 0")
        )
    ).to_be_visible()
    expect(page.get_by_role("img", name="Ada: is still choosing")).to_be_visible()
