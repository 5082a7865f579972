"""The Buffet board: nothing hidden, nothing small, no tap that becomes a move by chance."""

import json
import re
from math import dist
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.fits import SIZES, flaws, look_at
from tests.browser.house import House, hurry_to_the_end, new_page, read_hint, result_of, until
from tests.browser.looks import cut_off
from tests.browser.players import buffet_turn, join, set_table, sit_with_bots

TURNS = 8
BIG = ViewportSize(width=1920, height=1080)
SMALL_TEXT = """() => [...document.querySelectorAll('.room *')].flatMap((one) => {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || one.closest('.sr')) return [];
  const scale = one.ownerSVGElement ? one.getScreenCTM().a : 1;
  const size = parseFloat(getComputedStyle(one).fontSize) * scale;
  return size < 40 ? [`${one.textContent}: ${size}`] : [];
})"""

MAY_LAY = """!document.querySelector('[data-waits]')
  && document.querySelector('[data-need=action]')?.textContent.startsWith('Lay')"""
"""Whether it is one's turn to lay a card, and no move is on its way."""


def take_turns(page: Page) -> None:
    taken = 0

    def deed() -> bool:
        nonlocal taken
        done = buffet_turn(page)
        taken += done
        return done

    until(page, lambda: taken >= TURNS, deed)


def middles(page: Page) -> list[tuple[float, float]]:
    """Find where the mice on the track are."""
    boxes = [mouse.bounding_box() for mouse in page.locator("[data-mouse]").all()]
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]


def test_six_mice_on_one_space_of_a_phone(browser: Browser, house: House) -> None:
    """All start on 0 [B5]; each has its own hat, and no mouse covers another's."""
    page = new_page(browser, phone=True)
    sit_with_bots(page, house, 6)
    mice = page.locator("[data-mouse]")
    expect(mice).to_have_count(6)
    expect(page.locator('[data-run="0"]')).to_have_count(6)
    found = middles(page)
    assert all(dist(one, other) > 26 for i, one in enumerate(found) for other in found[:i])
    hats = mice.evaluate_all("all => all.map((one) => one.innerHTML.replace(/#[0-9a-f]+/g, ''))")
    assert len(set(hats)) == 6
    assert all(0 < x < 390 and 0 < y < 844 for x, y in found)
    expect(page.get_by_role("button", name=re.compile("^card "))).to_have_count(9)
    assert cut_off(page, ".room") == []
    last = page.get_by_role("button", name=re.compile("^Lay")).bounding_box()
    assert last is not None
    assert last["y"] + last["height"] < 844


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_hand_and_buffet_fit_every_screen(browser: Browser, house: House, seats: int) -> None:
    """Hand, buffet, own stacks and the button are in sight together, at every size."""
    page = new_page(browser)
    sit_with_bots(page, house, seats)
    take_turns(page)
    until(page, lambda: page.evaluate(MAY_LAY), lambda: buffet_turn(page))
    assert page.locator("[data-need]").evaluate_all(
        "all => all.map((one) => one.dataset.need)"
    ) == [*("buffet", "hand", "action", "stacks")]
    assert look_at(page, SIZES[:-1]) == []
    page.evaluate("document.documentElement.style.fontSize = '34px'")  # large text
    assert look_at(page, [(390, 844), (844, 390), (1280, 800)]) == []
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(ViewportSize(width=640, height=400))  # a laptop at 200 %
    assert flaws(page) == []


def test_scenery_gives_way(browser: Browser, house: House) -> None:
    """Who needs contrast sees the table and no candles."""
    page = new_page(browser)
    sit_with_bots(page, house, 3)
    candles = page.locator(".room .scenery").first
    expect(candles).to_be_visible()
    page.emulate_media(contrast="more")
    expect(candles).to_be_hidden()


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_everything_on_the_big_screen_is_large(browser: Browser, house: House, seats: int) -> None:
    ada, big = new_page(browser), new_page(browser)
    big.set_viewport_size(BIG)
    big.goto(f"{sit_with_bots(ada, house, seats)}?watch")
    expect(big.get_by_role("group", name="The buffet").first).to_be_visible()
    assert big.evaluate(SMALL_TEXT) == []
    take_turns(ada)
    big.bring_to_front()
    expect(
        big.get_by_role(
            "img", name=re.compile("^(cheese|potatoes|sausage|pizza|chicken|salad)")
        ).first
    ).to_be_visible()
    until(big, lambda: not big.evaluate("document.getAnimations().length"), lambda: False)
    assert big.evaluate(SMALL_TEXT) == []
    assert cut_off(big, ".room") == []
    big.locator("[data-player='1']").click()
    expect(big.get_by_role("dialog")).to_contain_text(re.compile("points?"))


def test_three_players_see_which_plates_are_for_which_part(browser: Browser, house: House) -> None:
    """Five plates: three for part one, two for part two [B19] [B20] [B21]."""
    page = new_page(browser, phone=True)
    sit_with_bots(page, house, 3)
    for part, plates in ((1, 3), (2, 2)):
        group = page.get_by_role("group", name=f"Part {part}")
        expect(group.get_by_role("img")).to_have_count(plates)


def test_laying_needs_a_card_and_says_so(browser: Browser, house: House) -> None:
    page = new_page(browser)
    sit_with_bots(page, house, 3)
    lay = page.get_by_role("button", name=re.compile("^Lay"))
    expect(page.get_by_text("Pick a card")).to_be_visible()
    expect(lay).to_be_disabled()

    def told() -> bool:
        lay.click(force=True)
        return page.get_by_text("Tap a card first, then lay it.").is_visible()

    until(page, told, lambda: False)
    expect(page.get_by_role("alert")).to_have_count(0)  # a hint, no refusal: nothing was sent
    page.get_by_role("button", name=re.compile("^card ")).first.click()
    expect(lay).to_be_enabled()


def test_a_tap_before_the_turn_is_no_move(browser: Browser, house: House) -> None:
    """What was pressed while it was grey does nothing when it is let go in one's turn."""
    ada, bo = new_page(browser), new_page(browser)
    moves: list[dict[str, Any]] = []
    asks: list[dict[str, Any]] = []

    def note(sent: str) -> None:
        frame = json.loads(sent)
        if frame["type"] == "move":
            moves.append(frame["move"])
        if frame["type"] == "ask":
            asks.append(frame["move"])

    ada.on("websocket", lambda line: line.on("framesent", lambda sent: note(str(sent))))
    join(bo, set_table(ada, house, "Buffet", 3))
    ada.get_by_label("Bot, Seat 3").select_option("easy")
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    ada.evaluate(
        "window.taps = 0; document.addEventListener('click',"
        " (event) => { window.taps += Boolean(event.target.closest('.hand button')); }, true)"
    )
    cards = ada.get_by_role("button", name=re.compile("^card "))
    waits = ada.get_by_text(re.compile("^Your card lies face down"))
    mine = ada.get_by_role("heading", name="Your turn!")

    alone = (ada.get_by_text("You are out"), bo.get_by_role("button", name=re.compile("^Swap")))

    def lay_first() -> bool:
        """Let Ada lay, and Bo only where she cannot."""
        return buffet_turn(ada) or (any(it.is_visible() for it in alone) and buffet_turn(bo))

    def held_until_the_turn_comes() -> bool:
        until(ada, waits.is_visible, lay_first)
        cards.first.hover(force=True)
        before = ada.evaluate("window.taps")
        ada.mouse.down()
        early = waits.is_visible()
        until(ada, mine.is_visible, lambda: buffet_turn(bo))
        sent = len(moves)
        ada.mouse.up()
        if not early or ada.evaluate("window.taps") == before:
            return False  # the turn was quicker, or another card lies under the hand
        assert len(moves) == sent
        expect(cards.and_(ada.locator("[aria-pressed=true]"))).to_have_count(0)
        return True

    def asked() -> bool:
        until(ada, waits.is_visible, lay_first)
        cards.first.click(force=True)
        return True

    until(ada, held_until_the_turn_comes, lambda: True)
    asks.clear()
    until(ada, lambda: ada.get_by_role("alert").count() > 0, asked)
    assert asks[-1]["do"] == "play"  # asked about, not played


def test_the_replay_shows_every_hand_and_the_game_does_not(browser: Browser, house: House) -> None:
    page, watcher = new_page(browser), new_page(browser)
    watcher.goto(f"{sit_with_bots(page, house, 3)}?watch")
    hands = re.compile("^Hand of ")
    expect(watcher.locator("[data-player]")).to_have_count(3)
    expect(watcher.get_by_role("img", name=hands)).to_have_count(0)
    table = watcher.url.partition("/t/")[2].partition("?")[0]
    assert page.request.get(f"{house.url}/api/tables/{table}/replay").status >= 400
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    hurry_to_the_end(page)
    result_of(page).click()  # before it comes by itself
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("slider", name="Watch it again").fill("1")
    expect(page.get_by_role("img", name=hands)).to_have_count(3)
    dealt = page.locator("[data-player='1'] .hand [data-card]")
    expect(dealt).to_have_count(9)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Close").click()
    page.clock.run_for(10_000)
    expect(page.get_by_role("dialog")).to_have_count(0)  # it does not come a second time
    expect(page.get_by_role("button", name=re.compile("^(Lay|Swap)"))).to_have_count(0)
    page.locator("[data-player='1']").click()
    expect(page.get_by_role("dialog")).to_contain_text("Only the top plate of each food counts.")
