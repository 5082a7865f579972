"""The expert's advice during a game, and the coach after it, on a phone."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, hurry_to_the_end, new_page, play_out, read_hint
from tests.browser.looks import look
from tests.browser.players import set_table, sushizock_turn

TOO_WIDE = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => one.className || one.tagName)"""


def look_closely(page: Page) -> None:
    """Let axe-core look, and see that nothing is wider than the phone."""
    look(page)
    assert page.locator("html, dialog, dialog .inside").evaluate_all(TOO_WIDE) == []


def test_advice_in_the_game_and_the_coach_after_it(browser: Browser, house: House) -> None:
    """The expert only speaks; the coach tells luck, chances and mistakes."""
    page, screen = new_page(browser, phone=True), new_page(browser)
    moves: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda sent: moves.append(str(sent))))
    page.goto(house.url)
    page.get_by_role("button", name="Invite friends: Sushizock").click()
    page.get_by_text("2", exact=True).click()
    page.get_by_label("Players may ask the expert what to do").check()
    page.get_by_role("button", name="Set the table").click()
    expect(page.get_by_text("Players may ask the expert what to do")).to_be_visible()
    page.get_by_label("Bot, Seat 2").select_option("easy")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    screen.goto(f"{page.url}?watch")
    expect(screen.get_by_role("img", name="QR code")).to_be_visible()
    expect(screen.get_by_role("button", name="What would the expert do?")).to_have_count(0)
    advice_is_given(page)
    assert not [move for move in moves if '"type":"move"' in move]
    hurry_to_the_end(page)
    play_out(sushizock_turn, page)
    expect(page.get_by_role("button", name="What would the expert do?")).to_have_count(0)
    page.get_by_role("button", name="Was it luck?").click()
    coach_speaks(page)
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Was it luck?")).to_be_visible()


def advice_is_given(page: Page) -> None:
    page.get_by_role("button", name="What would the expert do?").click()
    sheet = page.get_by_role("dialog", name="What would the expert do?")
    expect(sheet.get_by_role("status")).to_contain_text("Why: ")
    expect(sheet.get_by_role("status")).to_contain_text(re.compile("(keep|take|steal) .*"))
    expect(sheet.get_by_role("listitem").first).to_contain_text("%")
    look_closely(page)
    sheet.get_by_role("button", name="Got it").tap()
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()


def coach_speaks(page: Page) -> None:
    sheet = page.get_by_role("dialog", name="What the coach says")
    expect(sheet.get_by_role("heading", name="How the chances went")).to_be_visible()
    ledger = sheet.get_by_role("table", name="Was it luck?")
    for row in ledger.get_by_role("row").all()[1:]:
        cells = [number(cell) for cell in row.get_by_role("cell").all_inner_texts()]
        assert sum(cells[:-1]) == cells[-1]
    slider = sheet.get_by_role("slider", name="How the chances went")
    slider.focus()
    slider.press("Home")
    expect(sheet.get_by_text(re.compile("^Move 0 of"))).to_be_visible()
    slider.press("ArrowRight")
    expect(sheet.get_by_text(re.compile("^Move 1 of"))).to_be_visible()
    chances = sheet.locator(".curve").get_by_role("listitem").all_inner_texts()
    assert abs(sum(map(number, chances)) - 100) <= 1
    sheet.locator(".chart").tap(position={"x": 150, "y": 60})
    expect(sheet.get_by_text(re.compile("^Move 1 of"))).to_have_count(0)
    expect(sheet.locator(".mistakes li").first).to_contain_text("Better:")
    look_closely(page)
    watch = sheet.locator(".mistakes").get_by_role("button", name=re.compile("^Watch move")).first
    step = watch.inner_text().split()[-1]
    watch.click()
    expect(page.get_by_role("heading", name=f"Step {step} of")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(sheet.get_by_role("slider", name="How the chances went")).to_be_visible()


def number(text: str) -> int:
    """Read a number of per cent as the page writes it."""
    (found,) = re.findall(r"([−+]?\d+)\s?%", text)
    return int(found.replace("−", "-"))


def test_nobody_is_advised_unless_the_host_allows_it(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    set_table(page, house, "Sushizock", 2)
    expect(page.get_by_text("Players may ask the expert")).to_have_count(0)
    page.get_by_label("Bot, Seat 2").select_option("easy")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    expect(page.get_by_role("button", name="What would the expert do?")).to_have_count(0)


def test_a_coach_who_fails_says_so_kindly(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True, trouble="503.*/(coach|hint)[?]")
    page.route(
        re.compile("/(coach|hint)[?]"),
        lambda route: route.fulfill(
            status=503, json={"error": "busy" if "coach" in route.request.url else "no_answer"}
        ),
    )
    page.goto(house.url)
    page.get_by_role("button", name="Play alone: Sushizock").click()
    read_hint(page)
    page.get_by_role("button", name="What would the expert do?").click()
    expect(page.get_by_text("The expert has no idea right now. Try again.")).to_be_visible()
    page.get_by_role("button", name="Got it").click()
    hurry_to_the_end(page)
    play_out(sushizock_turn, page)
    page.get_by_role("button", name="Was it luck?").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^The coach has a lot to do"))
