"""The race of Kakerlaken on every screen: it fits, nothing moves, and no touch comes too early."""

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize, WebSocketRoute, expect

from tests.browser.house import House, new_page, read_hint, unhurried, until
from tests.browser.looks import look
from tests.browser.players import join, kakerlaken_deed, set_table

NAME = "Kakerlaken Sushi"
HELD_MS = 400
"""Long enough for a squeak."""
A_MINUTE = 60_000
SIZES = ((320, 568), (360, 640), (390, 844), (667, 375), (844, 390), (1280, 800))
PLACES = """() => [...document.querySelectorAll('.circle button, .dice, .players li, .bar')]
  .map((one) => one.getBoundingClientRect())
  .map((box) => [box.x + box.width / 2, box.y + box.height / 2].map(Math.round))"""
SCROLLS = """() => [document.documentElement, document.querySelector('main')].some((box) =>
  box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)"""
CUT_OFF = """() => [...document.querySelectorAll('.tiles, .bar, .bar section, .bar ol')]
  .some((box) => box.scrollHeight > box.clientHeight + 1)"""
COVERED = """() => {
  const why = document.querySelector('[role=alert] .why').getBoundingClientRect();
  const meets = (box) => box.x < why.right && why.x < box.right
    && box.y < why.bottom && why.y < box.bottom;
  return [...document.querySelectorAll('.circle button, .dice, .bar button')]
    .some((one) => meets(one.getBoundingClientRect()));
}"""
SMALL = """(least) => [...document.querySelectorAll('.board *')]
  .filter((one) => !one.closest('.sr, svg') && one.checkVisibility())
  .filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < least)
  .map((one) => one.textContent)"""


def fallen(page: Page) -> Locator:
    """Find the words of dice that have fallen."""
    return page.get_by_text(re.compile("^The dice show"))


def finish(page: Page) -> Locator:
    """Find the photo finish."""
    return page.get_by_role("region", name="Photo finish")


def with_bots(host: Page, taken: int, seats: int) -> None:
    """Put clumsy bots in the seats that are left, and start."""
    for seat in range(taken + 1, seats + 1):
        host.get_by_label(f"Bot, Seat {seat}").select_option("random")
    host.get_by_role("button", name="Start").click()
    read_hint(host)


def test_nothing_scrolls_and_nothing_moves_on_a_phone(browser: Browser, race_house: House) -> None:
    """Five seats and ever more won tiles: every target stays where the finger has learnt it."""
    ada = new_page(browser, phone=True)
    set_table(ada, race_house, NAME, 5)
    with_bots(ada, 1, 5)
    places = ada.evaluate(PLACES)
    phases: set[str] = set()
    held = ada.locator(".bar .thief").last
    held.hover(force=True)
    ada.mouse.down()
    assert held.evaluate("one => one.matches(':active')")
    assert not ada.evaluate(SCROLLS)
    ada.mouse.up()

    def looked() -> bool:
        phases.add(
            "race" if fallen(ada).is_visible() else "photo" if finish(ada).is_visible() else ""
        )
        assert ada.evaluate(PLACES) == places
        for flaw in (SCROLLS, CUT_OFF):  # a new tile takes its size a frame later
            ada.wait_for_function(f"() => !({flaw})()")
        return kakerlaken_deed(ada)

    won = ada.locator(".tiles .tile")
    until(ada, lambda: {"race", "photo"} <= phases and won.count() >= 2, looked)


def test_a_big_screen_is_read_from_afar(browser: Browser, race_house: House) -> None:
    """Names and numbers of at least 40 px, in the race and in the photo finish; nothing scrolls."""
    ada, screen = new_page(browser), new_page(browser)
    link = set_table(ada, race_house, NAME, 5)
    screen.set_viewport_size(ViewportSize(width=1920, height=1080))
    screen.goto(f"{link}?watch")
    with_bots(ada, 1, 5)
    for scene in (fallen(screen), finish(screen)):
        expect(scene).to_be_visible()
        assert screen.evaluate(SMALL, 40) == []
        for size in ((1920, 1080), (1440, 900)):
            screen.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
            screen.wait_for_function(f"() => !({SCROLLS})()")
        screen.set_viewport_size(ViewportSize(width=1920, height=1080))
        until(ada, lambda: not fallen(ada).is_visible(), lambda: kakerlaken_deed(ada))


def test_a_touch_before_the_dice_is_no_deed(browser: Browser, house: House) -> None:
    """Whoever already holds the master when the dice fall has not grabbed it [K6], [K7]."""
    ada, bo = new_page(browser), new_page(browser)
    grabs: list[str] = []
    ada.on("websocket", lambda line: line.on("framesent", lambda sent: note(grabs, str(sent))))
    ada.clock.install()
    dice = duel(ada, bo, house)
    wrong = wrong_tile(dice)
    ada.locator(wrong).first.click()
    expect(ada.get_by_text("Done! Waiting for the others…")).to_be_visible()
    master = ada.get_by_role("button", name=re.compile("^The sushi master"))
    master.hover()
    ada.mouse.down()
    expect(ada.get_by_role("alert")).to_have_count(1)  # the second deed of a roll: told why not
    bo.locator(wrong).first.click()
    soft = ada.get_by_role("button", name="Grab softly")
    expect(soft).to_be_enabled()
    ada.clock.run_for(HELD_MS)
    ada.mouse.up()
    master.click()
    expect(soft).to_be_disabled()
    expect(ada.get_by_role("button", name="ant", exact=True)).to_be_enabled()
    assert len(grabs) == 2


def test_why_not_hides_nothing_that_is_slapped(browser: Browser, house: House) -> None:
    """Told in the middle of a race it lies over the header, with all its words, on every screen."""
    ada, bo = new_page(browser), new_page(browser)
    tile = ada.locator(wrong_tile(duel(ada, bo, house))).first  # a right one would end the race
    tile.click()
    expect(ada.get_by_text("Done! Waiting for the others…")).to_be_visible()
    ada.evaluate("() => { window.setTimeout = () => 0 }")  # the sentence does not go meanwhile
    tile.click()
    expect(ada.get_by_role("alert")).to_have_count(1)
    for size in SIZES:
        ada.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
        ada.wait_for_function(f"() => !({COVERED})()")
        assert ada.locator(".why").evaluate("one => one.scrollHeight <= one.clientHeight")


def note(found: list[str], sent: str, word: str = "grab") -> None:
    if f'"{word}"' in sent:
        found.append(sent)


def wrong_tile(dice: str) -> str:
    """Find the tiles that the dice do not ask for."""
    return f'[data-tile]:not([data-tile="{dice.replace(" and ", "-")}"])'


def test_the_photo_finish_keeps_the_roll_and_everybody(
    browser: Browser, photo_house: House
) -> None:
    """It shows the dice it was about, and for everybody what they did, when, right or wrong."""
    ada, bo = new_page(browser), new_page(browser)
    dice = duel(ada, bo, photo_house)
    for page in (ada, bo):
        page.locator(wrong_tile(dice)).first.click()
    photo = finish(ada)
    expect(photo.get_by_role("img", name=f"The dice were {dice}")).to_be_visible()
    expect(photo.get_by_role("listitem")).to_have_count(2)
    expect(photo).to_contain_text(re.compile(r"Ada\s*slaps .* ms, ✗ wrong tile, connection \d+ ms"))


def test_what_is_odd_is_shown_as_odd_on_every_screen(browser: Browser, photo_house: House) -> None:
    """Else a liar would look like everybody, and those who lost would never know why."""
    ada, bo = new_page(browser), new_page(browser)
    ada.route_web_socket("**/live", make_odd)
    dice = duel(ada, bo, photo_house)
    for page in (ada, bo):
        page.locator(wrong_tile(dice)).first.click()
    photo = finish(ada)
    expect(photo).to_contain_text("⚠ Bo: time corrected, very far away")
    expect(photo).to_contain_text("Could be later by up to 390 ms")
    for size in SIZES:
        ada.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
        ada.wait_for_function(f"() => !({CUT_OFF})() && !({SCROLLS})()")
    look(ada)
    photo.get_by_role("button", name="All about this race").click()
    sheet = ada.get_by_role("dialog", name="All about this race")
    expect(sheet.get_by_text("Time that counts")).to_have_count(2)
    expect(sheet.get_by_text("⚠ time corrected, very far away")).to_be_visible()
    look(ada)


def make_odd(line: WebSocketRoute) -> None:
    """Let a photo finish tell odd things of the second seat."""
    server = line.connect_to_server()

    def hear(text: str | bytes) -> None:
        frame = json.loads(text)
        for deed in (frame.get("race") or {}).get("photo") or ():
            odd = ["far", "clamped"] if deed["seat"] == 1 else []
            deed |= {"odd": odd, "window": 390.0 * bool(odd)}
        line.send(json.dumps(frame))

    line.on_message(server.send)
    server.on_message(hear)


def test_a_hand_that_was_too_quick_is_seen_to_be_held(browser: Browser, tmp_path: Path) -> None:
    """Else a child taps on and on, and never learns why nothing happens."""
    ada, bo = new_page(browser), new_page(browser)
    deeds: list[str] = []
    ada.on(
        "websocket", lambda line: line.on("framesent", lambda sent: note(deeds, str(sent), "do"))
    )
    ada.clock.install()
    with House(tmp_path, false_start_ms=A_MINUTE, hold_ms=A_MINUTE) as strict:
        wrong = ada.locator(wrong_tile(duel(ada, bo, strict)))
        wrong.first.click()
        held = ada.get_by_role("alert").filter(has_text="Too early! Wait a moment…")
        expect(held).to_have_count(1)
        assert len(deeds) == 1
        wrong.last.click()
        for key in ("1", "9", " ", "s"):
            ada.keyboard.press(key)
        ada.get_by_role("button", name=re.compile("^The sushi master")).click()
        assert len(deeds) == 1, "what a held hand does is not even sent"
        expect(fallen(ada)).to_be_visible()
        ada.clock.fast_forward(A_MINUTE)
        expect(held).to_have_count(0)
        wrong.first.click()
        expect(held).to_have_count(1)
        assert len(deeds) == 2, "the same race is still open to it"


def test_the_young_variant_is_explained_as_it_is_played(browser: Browser, house: House) -> None:
    """There the tile to slap shows the roll, and no plate lacks it [K22]."""
    page = new_page(browser)
    page.goto(f"{house.url}/#new-kakerlaken")
    page.get_by_label("For younger players").check()
    page.get_by_role("button", name="Set the table").click()
    for seat in (2, 3):
        page.get_by_label(f"Bot, Seat {seat}").select_option("easy")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text(re.compile("^Look for the tile that shows both"))).to_be_visible()
    read_hint(page)


def test_the_rules_tell_the_times_of_the_table(browser: Browser, house: House) -> None:
    page = new_page(browser)
    wish = {"game": "kakerlaken", "seats": 2, "name": "Ina", "options": {"race_ms": 12_000}}
    opened = page.request.post(f"{house.url}/api/tables", data=wish).json()
    page.goto(f"{house.url}/t/{opened['table']}")
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_text(re.compile(r"race_ms\W+12\b"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"naming_ms\W+3\b"))).to_be_visible()


def duel(ada: Page, bo: Page, house: House) -> str:
    """Bring two people to the first dice of their race; gives what the dice show."""
    unhurried(ada)
    join(bo, set_table(ada, house, NAME, 2))
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
        expect(fallen(page)).to_be_visible()
    told = re.findall(r"show (\w+ and \w+)", fallen(ada).inner_text())
    return str(told[0])
