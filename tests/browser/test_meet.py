"""Whom one meets: bots with names and faces, the way back to a table, the podium at the end."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, hurry_to_the_end, new_page, play_out, read_hint
from tests.browser.looks import look, words
from tests.browser.players import meet_bots, play_alone, set_table, sushizock_turn
from tischlein.words import LANGUAGES, house_words

SMALL = ViewportSize(width=320, height=568)
SIDEWAYS = ViewportSize(width=667, height=375)
OWN = {name for key, name in house_words("en").items() if key.startswith("bot_name.")}
INSIDE = """(one) => {
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && one.contains(there);
}"""


def opponents(page: Page) -> list[str]:
    """Read who is offered, or sits there."""
    return page.locator("dialog li .name").all_inner_texts()


def to_the_end(page: Page) -> None:
    """Play on until the result is shown."""
    hurry_to_the_end(page)
    play_out(sushizock_turn, page)


def test_whom_one_plays_with_is_asked_and_remembered(browser: Browser, house: House) -> None:
    """It was always one more than it takes, and always easy ones."""
    page = new_page(browser, phone=True)
    page.goto(house.url)
    page.get_by_role("button", name="Play alone: Sushizock").click()
    two = opponents(page)
    assert len(two) == 2
    page.get_by_role("button", name="One more").click()
    page.get_by_role("dialog").get_by_text("Hard", exact=True).click()
    expect(page.get_by_role("radio", name="Hard")).to_be_checked()
    expect(page.locator("dialog li .name")).to_have_count(3)
    chosen = opponents(page)
    assert not set(chosen) & set(two)
    expect(page.get_by_text(words("en", "sushizock.bot_way.hard"))).to_be_visible()
    look(page)
    page.get_by_role("button", name="Play", exact=True).click()
    read_hint(page)
    for name in chosen:
        expect(page.get_by_text(name).first).to_be_visible()
    page.goto(house.url)
    page.get_by_role("button", name="Play alone: Buffet").click()
    expect(page.get_by_role("radio", name="Easy")).to_be_checked()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Play alone: Sushizock").click()
    assert opponents(page) == chosen, "the same as last time, in two taps"
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [SMALL, SIDEWAYS])
def test_the_most_opponents_fit_on_a_small_phone(
    browser: Browser, house: House, language: str, size: ViewportSize
) -> None:
    page = new_page(browser, language)
    page.set_viewport_size(size)
    page.goto(house.url)
    page.locator(".games button.main").nth(1).click()
    more = page.get_by_role("button", name=words(language, "aloneMore"))
    while more.is_enabled():
        more.click()
    page.get_by_role("radio").last.check()
    inside = page.locator("dialog .inside")
    assert inside.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    play = page.get_by_role("button", name=words(language, "alonePlay"), exact=True)
    assert play.evaluate(INSIDE)
    assert page.locator("dialog li").last.evaluate(INSIDE)


def test_bots_at_a_table_have_names_and_faces_of_their_own(browser: Browser, house: House) -> None:
    page, screen = new_page(browser), new_page(browser, "de-DE")
    set_table(page, house, "Buffet", 6)
    for seat, level in enumerate(["random", "easy", "easy", "medium", "expert"], start=2):
        page.get_by_label(f"Bot, Seat {seat}").select_option(level)
        expect(page.locator("section.seats li").nth(seat - 1).locator("strong")).to_be_visible()
    names = page.locator("section.seats li strong").all_inner_texts()
    assert names[0].strip() == "Ada"
    assert len({name.strip() for name in names[1:]}) == 5
    assert {name.strip() for name in names[1:]} <= OWN
    faces = page.locator("section.seats li .face svg").evaluate_all(
        "all => all.map(o => o.innerHTML)"
    )
    assert len(set(faces)) == 6
    expect(page.get_by_text(words("en", "buffet.bot_way.expert"))).to_be_visible()
    screen.goto(f"{page.url}?watch")
    for name in names[1:]:
        expect(screen.get_by_text(name.strip())).to_be_visible()
    look(page)


def test_who_plays_here_is_told_in_the_menu(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    play_alone(page, house, "Buffet")
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Who plays here").click()
    told = page.get_by_role("dialog").get_by_text(words("en", "buffet.bot_way.easy"))
    expect(told).to_be_visible()
    look(page)


def test_a_person_cannot_take_a_bots_name(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser), new_page(browser, phone=True, trouble="status of 422")
    link = set_table(ada, house, "Sushizock", 3)
    bo.goto(link)
    bo.get_by_label("Your nickname").fill("Gouda")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_role("alert")).to_contain_text("That is what bots are called here.")
    bo.goto(house.url)
    meet_bots(bo, "Sushizock")
    expect(bo.get_by_role("alert")).to_contain_text("That is what bots are called here.")


def test_one_goes_on_from_the_first_page(browser: Browser, house: House) -> None:
    """There was no way back to a game that runs but its address."""
    page = new_page(browser, phone=True)
    play_alone(page, house, "Sushizock")
    table = page.url
    page.goto(house.url)
    page.evaluate("""localStorage['tischlein.seat.nowhere'] = '[{"seat": 0, "token": "x"}]'""")
    page.reload()
    card = page.get_by_role("region", name="Your tables")
    expect(card).to_contain_text(re.compile("Your turn!|Waiting for"))
    assert any(name in card.inner_text() for name in OWN)
    expect(page.get_by_role("button", name=re.compile("^Go on"))).to_have_count(1)
    page.wait_for_function("!('tischlein.seat.nowhere' in localStorage)")
    look(page)
    page.get_by_role("button", name=re.compile("^Go on: Sushizock with ")).click()
    page.wait_for_url(table)
    to_the_end(page)
    page.goto(house.url)
    expect(card).to_contain_text(re.compile("Over: .* won"))
    expect(page.get_by_role("button", name=re.compile("^Go on"))).to_have_count(0)


def test_the_podium_and_a_rematch_are_seen_without_scrolling(
    browser: Browser, house: House
) -> None:
    page, screen = new_page(browser, phone=True), new_page(browser)
    play_alone(page, house, "Sushizock")
    screen.set_viewport_size(ViewportSize(width=1920, height=1080))
    screen.goto(f"{page.url}?watch")
    to_the_end(page)
    for size in (SMALL, SIDEWAYS, ViewportSize(width=390, height=844)):
        page.set_viewport_size(size)
        assert page.locator(".podium li.p1 .face").first.evaluate(INSIDE), size
        assert page.locator(".podium li.p1 .step").evaluate(INSIDE), size
        assert page.get_by_role("button", name="Play again").evaluate(INSIDE), size
    expect(page.locator(".podium li .sr").first).to_have_text(re.compile("^Place 1: "))
    look(page)
    expect(screen.locator(".podium li.p1 .name").first).to_be_visible()
    sizes: list[float] = screen.locator(".podium .step b").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 40
    page.set_viewport_size(SMALL)
    page.get_by_role("button", name="Check the dice").click()
    answer = page.get_by_text(re.compile("^Yes! All"))
    expect(answer).to_be_in_viewport(ratio=0.9)


def test_titles_have_a_face_from_our_own_server(browser: Browser, house: House) -> None:
    page = new_page(browser)
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(house.url)
    title = page.get_by_role("heading", level=1)
    expect(title).to_be_visible()
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate("document.fonts.check('600 20px Fredoka', 'Größe œ −12')")
    assert page.evaluate(
        "[...document.fonts].filter(f => f.family === 'Fredoka').every(f => f.status === 'loaded')"
    )
    fonts = [url for url in asked if url.endswith(".woff2")]
    assert len(fonts) == 1
    assert all(url.startswith(house.url) for url in asked)
    assert title.evaluate("one => getComputedStyle(one).fontFamily").startswith("Fredoka")


def test_pace_and_second_taps_are_chosen_and_kept(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True, pace="normal")
    page.goto(house.url)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("radio", name="Normal")).to_be_checked()
    page.get_by_role("dialog").get_by_text("Slow", exact=True).click()
    page.get_by_label("Ask again before a move you cannot take back").check()
    look(page)
    page.get_by_role("button", name="Close").click()
    play_alone(page, house, "Sushizock")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("radio", name="Slow")).to_be_checked()
    expect(page.get_by_label("Ask again before a move you cannot take back")).to_be_checked()
