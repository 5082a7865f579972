"""Sushizock in the hand: dice pushed aside, tiles that travel, no accidents, a big screen."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, WebSocket, expect

from tests.browser.house import House, new_page, read_hint, until
from tests.browser.players import join, play_alone, set_table, sushizock_turn

Point = tuple[float, float]
TRAVELS = """(() => {
  window.travelled = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...all) {
    window.travelled.push(this.dataset.spot);
    return animate.apply(this, all);
  };
})()"""
NO_CLICKS = "window.addEventListener('click', (event) => event.stopImmediatePropagation(), true)"
SMALL = """all => all.filter(one => parseFloat(getComputedStyle(one).fontSize) < 40)
  .map(one => one.className + ' ' + one.textContent)"""
HIDDEN = """all => all.filter(one => one.scrollHeight > one.clientHeight + 1
  || one.scrollWidth > one.clientWidth + 1).map(one => one.className || one.tagName)"""


def centre(thing: Locator) -> Point:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_by_mouse(page: Page, start: Point, end: Point) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def drag_by_finger(page: Page, start: Point, end: Point) -> None:
    line = page.context.new_cdp_session(page)
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    for kind, points in (
        ("touchStart", [start]),
        ("touchMove", [middle]),
        ("touchMove", [end]),
        ("touchEnd", []),
    ):
        touches = [{"x": x, "y": y} for x, y in points]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def my_dice(page: Page) -> Locator:
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    return page.get_by_role("button", name=re.compile(" die$"), disabled=False)


def come_to_rest(thing: Locator) -> None:
    """Wait until something no longer moves."""
    thing.evaluate(
        "one => Promise.all(one.getAnimations({ subtree: true }).map((move) => move.finished))"
    )


@pytest.mark.parametrize(
    ("phone", "drag"), [(False, drag_by_mouse), (True, drag_by_finger)], ids=["mouse", "finger"]
)
def test_dice_are_pushed_aside_and_back(
    browser: Browser, house: House, phone: bool, drag: Callable[[Page, Point, Point], None]
) -> None:
    """[S7]: by hand or by tap, and back again as long as nothing is rolled."""
    page = new_page(browser, phone=phone)
    play_alone(page, house, "Sushizock")
    die = my_dice(page).nth(1)
    tap = Locator.tap if phone else Locator.click
    keep = page.get_by_role("button", name=re.compile("^(Keep |First set a die aside)"))
    rest, shelf = centre(die), centre(page.locator(".shelf"))
    expect(keep).to_be_disabled()
    drag(page, rest, (rest[0], shelf[1]))
    expect(die).to_have_attribute("aria-pressed", "true")
    expect(keep).to_have_text("Keep 1, roll the rest")
    come_to_rest(die)
    drag(page, centre(die), rest)
    expect(die).to_have_attribute("aria-pressed", "false")
    expect(keep).to_be_disabled()
    tap(die)
    expect(die).to_have_attribute("aria-pressed", "true")
    tap(die)
    expect(die).to_have_attribute("aria-pressed", "false")
    keep.click(force=True)
    expect(page.get_by_role("alert")).to_have_text(re.compile("at least one die aside"))


def test_a_slow_finger_sets_a_die_aside_too(browser: Browser, house: House) -> None:
    """Who presses long makes no click."""
    page = new_page(browser, phone=True)
    play_alone(page, house, "Sushizock")
    die = my_dice(page).first
    page.evaluate(NO_CLICKS)
    die.tap()
    expect(die).to_have_attribute("aria-pressed", "true")


def overhear(said: list[str], line: WebSocket) -> None:
    """Keep what a page says on its line."""
    line.on("framesent", lambda sent: said.append(str(sent)))


def test_a_press_from_before_my_turn_is_no_move(browser: Browser, house: House) -> None:
    """Who holds a tile when the turn comes has not taken it; the next press counts again."""
    ada, bo = new_page(browser), new_page(browser)
    sent: dict[Page, list[str]] = {ada: [], bo: []}
    for page, said in sent.items():
        page.on("websocket", partial(overhear, said))
    join(bo, set_table(ada, house, "Sushizock", 2))
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    mine = ada.get_by_role("heading", name="Your turn!")
    expect(ada.get_by_role("heading", name=re.compile("turn"))).to_be_visible()
    first, second = (ada, bo) if mine.is_visible() else (bo, ada)
    moves = sent[second]
    begun = second.get_by_role("heading", name="Your turn!")
    for kind in ("Sushi", "Bone"):
        tile = second.get_by_role("button", name=re.compile(f"^{kind} number 1:"))
        second.mouse.move(*centre(tile))
        second.mouse.down()
        until(first, begun.is_visible, lambda: sushizock_turn(first))
        moves.clear()
        second.mouse.up()
        die = my_dice(second).first
        die.click()
        expect(die).to_have_attribute("aria-pressed", "true")
        assert not [move for move in moves if '"type":"move"' in move]
        expect(second.get_by_role("alert")).to_have_count(0)
        until(second, lambda: not begun.is_visible(), lambda: sushizock_turn(second))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_taken_tile_travels_to_its_pile(browser: Browser, house: House, motion: str) -> None:
    page = new_page(browser, pace="normal")
    page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    page.add_init_script(TRAVELS)
    play_alone(page, house, "Sushizock")
    taken = page.locator('[data-spot^="pile-0-"] .tile')
    until(page, lambda: taken.count() > 0, lambda: sushizock_turn(page))
    travelled: list[str] = page.evaluate("window.travelled.filter(Boolean)")
    if motion == "reduce":
        assert not travelled
    else:
        assert any(spot.startswith("pile-0-") for spot in travelled)


def wait_until_it_fits(page: Page) -> None:
    """Wait until nothing is cut off or to be scrolled for: a board finds its size after it came."""
    parts = page.locator(".stage, main, html")
    until(page, lambda: parts.evaluate_all(HIDDEN) == [], lambda: False)


def test_five_seats_on_the_big_screen(browser: Browser, house: House) -> None:
    """Every number and name is large, and nothing is cut off or to be scrolled for."""
    ada, big = new_page(browser, phone=True), new_page(browser)
    big.set_viewport_size(ViewportSize(width=1920, height=1080))
    big.goto(f"{set_table(ada, house, 'Sushizock', 5)}?watch")
    for seat in range(2, 6):
        ada.get_by_label(f"Bot, Seat {seat}").select_option("easy")
    ada.get_by_role("button", name="Start").click()
    read_hint(ada)
    my_dice(ada)
    for page in (ada, big):
        expect(page.locator(".board .tile").first).to_be_visible()
        wait_until_it_fits(page)
    shown = big.locator(".board").locator(".value, .count, .name, .left, .shelf")
    assert shown.count() > 30
    assert shown.evaluate_all(SMALL) == []
