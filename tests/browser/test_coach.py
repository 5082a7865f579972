"""The expert's advice during a game, and the coach after it, on a phone."""

import re

from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.house import House, hurry_to_the_end, new_page, play_out, read_hint
from tests.browser.looks import look
from tests.browser.players import meet_bots, set_table, sushizock_turn

TOO_WIDE = """all => all.filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => one.className || one.tagName)"""


def look_closely(page: Page) -> None:
    """Let axe-core look, and see that nothing is wider than the phone."""
    look(page)
    assert page.locator("html, dialog, dialog > .inside").evaluate_all(TOO_WIDE) == []


def test_advice_in_the_game_and_the_coach_after_it(browser: Browser, house: House) -> None:
    """The expert only speaks; the coach tells place, luck and mistakes, and figures on request."""
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
    best = sheet.get_by_role("listitem").first
    expect(best).to_contain_text("%")
    advised = sheet.locator(".deed").text_content()
    assert best.locator(".alike > span").first.text_content() == advised
    alike = best.locator(".alike > span").count()
    expect(best.get_by_text("about as good")).to_have_count(int(alike > 1))
    expect(sheet.get_by_role("status").get_by_text("about as good")).to_have_count(int(alike > 1))
    look_closely(page)
    sheet.get_by_role("button", name="Got it").tap()
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()


def coach_speaks(page: Page) -> None:
    sheet = page.get_by_role("dialog", name="What the coach says")
    friend_speaks(page, sheet)
    expect(sheet.get_by_role("heading", name="How the chances went")).to_have_count(0)
    sheet.get_by_role("button", name=re.compile("^More"), expanded=False).click()
    expect(sheet.get_by_role("heading", name="How the chances went")).to_be_visible()
    figures_are_told(page, sheet)
    sheet.get_by_role("button", name="Less", expanded=True).click()
    expect(sheet.get_by_role("heading", name="How the chances went")).to_have_count(0)


def friend_speaks(page: Page, sheet: Locator) -> None:
    """First the place, then luck, then the dearest moves with the board as it was; no figures."""
    said = sheet.get_by_role("status").get_by_role("paragraph")
    expect(said.first).to_have_text(re.compile(r"^You (won!|came second\.|share the win!)$"))
    expect(said.nth(1)).to_have_text(re.compile(r"^Luck (was|hardly) .*[.!]$"))
    lessons = sheet.locator(".lessons > li")
    expect(lessons.first).to_contain_text("Your dearest move:")
    expect(lessons.first).to_contain_text("Your choice:")
    expect(lessons.first).to_contain_text("Better:")
    assert 1 <= lessons.count() <= 3
    assert "%" not in sheet.inner_text()
    then = lessons.first.get_by_role("img", name="The table before that move")
    expect(then).to_be_visible()
    expect(then.locator(".die, [class*=die]").first).to_be_visible()
    assert sheet.get_by_role("img", name="The table before that move").count() == 1
    look_closely(page)
    if lessons.count() > 1:
        lessons.nth(1).get_by_role("button", name="Show the table").click()
        expect(then).to_have_count(0)
        other = lessons.nth(1).get_by_role("img", name="The table before that move")
        expect(other).to_be_visible()
    lessons.first.get_by_role("button", name="Watch from here").click()
    expect(page.get_by_role("heading", name=re.compile("^Step [0-9]+ of"))).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(lessons.first).to_be_visible()


def figures_are_told(page: Page, sheet: Locator) -> None:
    """Numbers that sum up, the curve, and everybody's mistakes; who watches one comes back."""
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
    meet_bots(page, "Sushizock")
    read_hint(page)
    page.get_by_role("button", name="What would the expert do?").click()
    expect(page.get_by_text("The expert has no idea right now. Try again.")).to_be_visible()
    page.get_by_role("button", name="Got it").click()
    hurry_to_the_end(page)
    play_out(sushizock_turn, page)
    page.get_by_role("button", name="Was it luck?").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^The coach has a lot to do"))


def test_who_shares_a_device_is_spoken_to_in_turn(browser: Browser, house: House) -> None:
    """Each has a place and lessons of their own; who made no mistake is told so."""
    page = new_page(browser, phone=True)

    def faultless(route: Route) -> None:
        told = route.fetch()
        lesson = told.json()
        if "verdicts" in lesson:
            lesson["verdicts"][1]["lessons"] = []
        route.fulfill(response=told, json=lesson)

    page.route(re.compile("/coach[?]"), faultless)
    set_table(page, house, "Sushizock", 2)
    page.get_by_label("Another player on this device").fill("Mia")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    hurry_to_the_end(page)
    play_out(sushizock_turn, page)
    page.get_by_role("button", name="Was it luck?").click()
    sheet = page.get_by_role("dialog", name="What the coach says")
    whom = sheet.get_by_role("group", name="For whom?")
    expect(whom.get_by_role("button", name="Ada", pressed=True)).to_be_visible()
    expect(sheet.get_by_text("Your dearest move:")).to_be_visible()
    look_closely(page)
    ada = sheet.get_by_role("status").inner_text()
    whom.get_by_role("button", name="Mia").tap()
    expect(whom.get_by_role("button", name="Mia", pressed=True)).to_be_visible()
    expect(sheet.get_by_role("status")).to_contain_text("I found no big mistake of yours.")
    mia = sheet.get_by_role("status").inner_text()
    places = {told.split("\n")[0] for told in (ada, mia)}
    assert places in ({"You won!", "You came second."}, {"You share the win!"})
    expect(sheet.get_by_text("Your dearest move:")).to_have_count(0)
    expect(sheet.get_by_role("img", name="The table before that move")).to_have_count(0)
