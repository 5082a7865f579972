"""For everybody: by keyboard alone, without colours, with large text, in every language."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.house import House, hurry_to_the_end, new_page, play_out, press, unhurried, until
from tests.browser.looks import check, words
from tests.browser.players import join, meet_bots, play_alone, set_table, sushizock_turn


@pytest.mark.parametrize("game", ["Sushizock", "Buffet", "Kakerlaken Sushi"])
def test_large_text_breaks_nothing(browser: Browser, house: House, game: str) -> None:
    """Text at 200 %: nothing runs out of the page sideways, and the main action is there."""
    page = new_page(browser)
    page.goto(house.url)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 1
    meet_bots(page, game)
    page.get_by_role("button", name="Got it").click()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    ready = page.get_by_role("button", name="Ready? Go!")
    mine = page.get_by_role("heading", name=re.compile("Your turn"))
    until(page, mine.is_visible, lambda: press(page, ready))
    assert page.evaluate(wide) <= 1


DRAWN = """all => Object.fromEntries(
  all.map((one) => [one.dataset.tile, one.querySelector('svg').innerHTML]))"""
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def enlarge(page: Page) -> None:
    """Set the text to 200 %, and see that nothing runs out of the page sideways."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(WIDE) <= 1, page.url
    out: list[str] = page.locator("dialog[open] .inside").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    )
    assert not out


def test_large_text_at_the_table_before_and_after_the_game(browser: Browser, house: House) -> None:
    host = new_page(browser, phone=True)
    guest = new_page(browser, phone=True, trouble="404.*/api/tables/nowhere")
    host.goto(f"{house.url}/#new-kakerlaken")
    expect(host.get_by_role("button", name="Set the table")).to_be_enabled()
    enlarge(host)
    link = set_table(host, house, "Kakerlaken Sushi", 2)
    enlarge(host)
    guest.goto(link)
    expect(guest.get_by_role("button", name="Sit down")).to_be_visible()
    enlarge(guest)
    join(guest, link)
    enlarge(guest)
    guest.goto(f"{house.url}/t/nowhere")
    expect(guest.get_by_text("This table is gone.")).to_be_visible()
    enlarge(guest)
    play_alone(host, house, "Sushizock")
    enlarge(host)
    host.get_by_role("button", name="Menu").click()
    enlarge(host)
    host.get_by_role("button", name="Rules").click()
    expect(host.get_by_role("heading", name="House rules at our table")).to_be_visible()
    enlarge(host)
    host.get_by_role("button", name="Close").click()
    hurry_to_the_end(host)
    play_out(sushizock_turn, host)
    enlarge(host)
    host.get_by_role("button", name="Watch it again").click()
    expect(host.get_by_role("slider", name="Watch it again")).to_be_visible()
    enlarge(host)


def test_without_colours_everything_is_told_apart(browser: Browser, house: House) -> None:
    """With all colours removed, plates and dice of one symbol still differ by their patterns."""
    page = new_page(browser)
    page.goto(house.url)
    meet_bots(page, "Kakerlaken Sushi")
    page.get_by_role("button", name="Got it").click()
    page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
    plates = page.locator("[data-tile]")
    expect(plates.first).to_be_visible()
    drawn: dict[str, str] = plates.evaluate_all(DRAWN)
    colour = re.compile(r"#[0-9a-fA-F]{3,8}|rgb\([^)]*\)|var\(--[^)]*\)")
    shots = {name: colour.sub("", drawing) for name, drawing in drawn.items()}
    assert len(shots) > 1
    assert len(set(shots.values())) == len(shots), "two plates differ by colour alone"
    for name, drawing in shots.items():
        assert "url(#" in drawing, f"{name} has no patterns"


@pytest.mark.long
def test_a_whole_game_in_every_language(browser: Browser, house: House) -> None:
    """Three people at one table, each on a device that speaks their own language."""
    people = {
        "de": new_page(browser, "de-CH"),
        "fr": new_page(browser, "fr-FR", phone=True),
        "it": new_page(browser, "it-IT"),
    }
    host = people["de"]
    host.goto(f"{house.url}/#new-buffet")
    host.get_by_role("button", name=words("de", "setTable")).click()
    host.wait_for_url("**/t/*")
    for language in ("fr", "it"):
        guest = people[language]
        guest.goto(host.url)
        guest.get_by_role("button", name=words(language, "sitDown")).click()
        expect(guest.get_by_label(words(language, "nickname"))).to_have_count(0)
    host.get_by_role("button", name=words("de", "start"), exact=True).click()
    for language, page in people.items():
        page.get_by_role("button", name=words(language, "gotIt")).click()
    done = [
        page.get_by_role("button", name=words(language, "fairCheck"))
        for language, page in people.items()
    ]

    def deed(page: Page) -> bool:
        press(page, page.locator(".hand button:not([disabled])[aria-pressed=false]").first)
        return press(page, page.locator(".mine button.main:not([disabled])").first)

    until(
        host,
        lambda: all(button.is_visible() for button in done),
        lambda: sum(deed(page) for page in people.values()) > 0,
    )
    for (language, page), button in zip(people.items(), done, strict=True):
        check(page)
        button.click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        check(page)


def test_the_keys_of_a_race_are_letters_of_its_words(browser: Browser, house: House) -> None:
    """Italian needs care: the cockroach and the squeak begin with the same letter."""
    ada, bo = new_page(browser), new_page(browser, "it-IT")
    unhurried(ada)
    sent: list[str] = []
    bo.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    bo.goto(set_table(ada, house, "Kakerlaken Sushi", 2))
    bo.get_by_role("button", name=words("it", "sitDown")).click()
    ada.get_by_role("button", name="Start").click()
    ada.get_by_role("button", name="Got it").click()
    bo.get_by_role("button", name=words("it", "gotIt")).click()
    for word, letter in (("formica", "F"), ("scarafaggio", "S"), ("topo", "T"), ("Squit!", "Q")):
        button = bo.get_by_role("button", name=word, exact=True)
        expect(button).to_have_attribute("aria-keyshortcuts", letter)
        expect(button.locator("kbd")).to_have_text(letter)
    thief = bo.get_by_role("button", name="scarafaggio", exact=True)
    until(bo, lambda: by_letter(bo, "q", thief), lambda: False)
    bo.keyboard.press("s")
    expect(thief).to_be_disabled()
    assert any('"thief":"cockroach"' in frame for frame in sent)
    assert any('"squeak":true' in frame for frame in sent)


def by_letter(page: Page, letter: str, then: Locator) -> bool:
    """Press a key, and say whether it has led on; before the dice have fallen it does not."""
    page.keyboard.press(letter)
    return then.is_enabled()
