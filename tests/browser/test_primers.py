"""Learning by playing: every primer to its end, in every language, by pointer, keys and reading."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, new_page, press, until
from tests.browser.learners import (
    Deed,
    button,
    by_keys,
    by_pointer,
    by_reading,
    go_learning,
    learn,
    named,
    said,
)
from tests.browser.looks import look, words
from tests.browser.players import meet_bots
from tischlein.game import Word
from tischlein.games import game_names
from tischlein.words import LANGUAGES

every_game = pytest.mark.parametrize("game", game_names())
OVER_IT = """(one) => {
  const box = one.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return { inside: box.top >= 0 && box.bottom <= innerHeight, said: !!top?.closest('[aria-live]') };
}"""
"""Whether something can be seen, and whether words lie over it."""


@every_game
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_a_primer_in_every_language(
    browser: Browser, house: House, game: str, language: str
) -> None:
    """English is learnt below: by keys, by reading, on small screens, with all scenes."""
    page = new_page(browser, language, phone=True)
    go_learning(page, house.url, game)
    for _ in learn(page, game, by_pointer, language):
        pass
    expect(page.get_by_role("button", name=words(language, "learnPlay"))).to_be_visible()
    assert page.evaluate("localStorage['tischlein.learnt']") == json.dumps(
        {game: True}, separators=(",", ":")
    )


@every_game
@pytest.mark.parametrize("deed", [by_keys, by_reading])
def test_a_primer_without_a_pointer(browser: Browser, house: House, game: str, deed: Deed) -> None:
    """By keys nobody loses their place; where it is read, axe-core finds nothing either."""
    page = new_page(browser, phone=deed is by_reading)
    go_learning(page, house.url, game)
    for _ in learn(page, game, deed):
        if deed is by_reading:
            look(page)
        else:
            assert page.evaluate("document.activeElement !== document.body")
    expect(page.get_by_role("button", name="Now play, slowly")).to_be_visible()


@every_game
@pytest.mark.parametrize("size", [(320, 568), (844, 390)])
def test_the_words_cover_nothing_that_is_asked_for(
    browser: Browser, house: House, game: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, phone=True)
    page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    go_learning(page, house.url, game)
    for step in learn(page, game):
        for thing in step.point[:1]:
            found = button(page, named(game, thing, "en")).first
            found.scroll_into_view_if_needed()
            seen = found.evaluate(OVER_IT)
            assert seen == {"inside": True, "said": False}, (step.say, thing)
        skip = page.get_by_role("button", name=re.compile("Skip|Close"))
        assert skip.evaluate(OVER_IT)["inside"], "the way out is always in sight"


@every_game
def test_scenes_are_shown_one_after_another(browser: Browser, house: House, game: str) -> None:
    page = new_page(browser, phone=True, pace="quick")
    go_learning(page, house.url, game)
    for _ in learn(page, game):
        pass
    expect(page.get_by_role("button", name="Once more")).to_be_visible()


def test_another_move_gets_a_friendly_word(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    go_learning(page, house.url, "buffet")
    steps = learn(page, "buffet")
    next(steps)
    three = next(steps)
    nudge = words("en", "learnFirst").format(what=said("buffet", three, "en"))
    other = [named("buffet", Word(key, {"card": 5}), "en") for key in ("card", "lay")]
    until(page, lambda: page.get_by_text(nudge).is_visible(), lambda: by_pointer(page, other))
    assert next(steps).say == "plate", "nothing is broken by it"


def offer(page: Page) -> None:
    """Press what offers to teach the game."""
    page.get_by_role("button", name="Learn it in a minute", exact=True).click()


def test_it_is_offered_at_the_first_game_and_leads_back(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    page.goto(house.url)
    meet_bots(page, "Sushizock")
    expect(page.get_by_role("button", name="Got it")).to_be_visible()
    table = page.url
    offer(page)
    expect(page.get_by_role("region", name="Learn Sushizock")).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    assert page.url == table
    expect(page.get_by_role("button", name="Got it")).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    offer(page)
    expect(page.get_by_role("region", name="Learn Sushizock")).to_be_visible()


def test_then_one_plays_slowly(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True, pace="normal")
    page.goto(house.url)
    page.get_by_role("button", name="Learn it in a minute: Kakerlaken Sushi").click()
    for _ in learn(page, "kakerlaken"):
        pass
    press(page, page.get_by_role("button", name="Now play, slowly"))
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    assert page.evaluate("localStorage['tischlein.pace']") == '"slow"'
    page.goto(house.url)
    learnt = page.get_by_role("button", name="Learn it in a minute: Kakerlaken Sushi")
    expect(learnt).to_contain_text("✓")


def test_the_rules_draw_their_pieces(browser: Browser, house: House) -> None:
    page = new_page(browser)
    page.goto(house.url)
    for title in ("Sushizock", "Buffet", "Kakerlaken Sushi"):
        page.get_by_role("button", name=f"Rules: {title}").click()
        expect(page.locator(".pieces svg, .pieces .card").first).to_be_visible()
        look(page)
        page.get_by_role("button", name="Close").click()
