"""The sushi bar: it fits every screen, waits until all are ready, and is played by ear and keys."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.fits import SIZES, look_at
from tests.browser.house import (
    House,
    hurry_to_the_end,
    is_over,
    new_page,
    press,
    read_hint,
    result_of,
    unhurried,
    until,
)
from tests.browser.looks import look
from tests.browser.players import join, play_alone, set_table
from tests.browser.stage import Stage

ZOOMED = (640, 400)
"""A laptop's screen at 200 %."""
LEAST_PLATE = 48
SPEAKER = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  cancel() {},
  speak({ text, lang }) { spoken.push([text, lang]); },
} });
"""
"""A voice that only notes what it is to say."""
TOGETHER = """() => [...document.querySelectorAll(
    '.circle .plate, .dice, .master, .two button, .three button, li.me .tile')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.className, one.getBoundingClientRect()])
  .filter(([, box]) => box.x < 0 || box.y < 0 || box.right > innerWidth || box.bottom > innerHeight)
  .map(([name]) => name)"""


def fallen(page: Page) -> Locator:
    """Find the words of dice that have fallen."""
    return page.get_by_text(re.compile("^The dice show"))


def focused(stage: Stage) -> Locator:
    """Find what has the focus."""
    return stage.page.locator(":focus")


@pytest.mark.parametrize(
    ("seats", "language"), [(5, "en-GB"), (5, "de-DE"), (5, "fr-FR"), (5, "it-IT"), (2, "de-DE")]
)
def test_a_race_fits_every_screen(
    browser: Browser, photo_house: House, seats: int, language: str
) -> None:
    """Plates, dice, master, buttons and own tiles together; nothing cut, covered or small."""
    stage = Stage(browser, photo_house, seats, language)
    moments = {
        "race": lambda: stage.race(stage.tile(2)),
        "naming": lambda: stage.race(stage.tile(3), naming=True),
        "calm": lambda: stage.race(stage.tile(2), calm=True),
        "finish": stage.finish,
        "giving back": stage.give,
    }
    found: list[str] = []
    for moment, show in moments.items():
        show()
        found += [f"{moment}: {flaw}" for flaw in look_at(stage.page, [*SIZES, ZOOMED])]
    assert found == []


def test_plates_are_large_and_all_is_in_sight_together(
    browser: Browser, photo_house: House
) -> None:
    stage = Stage(browser, photo_house, 5)
    stage.race(stage.tile(2))
    expect(stage.page.locator("li.me .tile")).to_have_count(3)
    for width, height in [*SIZES, ZOOMED]:
        stage.page.set_viewport_size({"width": width, "height": height})
        stage.page.wait_for_function(f"() => !({TOGETHER})().length")
        plate = stage.page.locator(".plate").first.bounding_box()
        assert plate is not None
        assert plate["width"] >= LEAST_PLATE, (width, height)


def test_nothing_lies_under_a_notch(browser: Browser, photo_house: House) -> None:
    """On a phone that lies on its side the camera is at the left, the bar to swipe below."""
    stage = Stage(browser, photo_house, 3)
    stage.page.set_viewport_size({"width": 844, "height": 390})
    notch = {"left": 47, "right": 47, "bottom": 21}
    phone = stage.page.context.new_cdp_session(stage.page)
    phone.send("Emulation.setSafeAreaInsetsOverride", {"insets": notch})
    stage.race(stage.tile(2))
    for edge in (".ring", ".bar", ".menu"):
        stage.page.wait_for_function(
            """([edge, left, right]) => {
              const box = document.querySelector(edge).getBoundingClientRect();
              return box.left >= left && box.right <= innerWidth - right;
            }""",
            arg=[edge, notch["left"], notch["right"]],
        )
    assert look_at(stage.page, [(844, 390)]) == []


def test_scenery_is_gone_where_contrast_is_wanted(browser: Browser, photo_house: House) -> None:
    stage = Stage(browser, photo_house, 3)
    scenery = stage.page.locator(".scenery")
    expect(scenery).to_be_visible()
    stage.page.emulate_media(contrast="more")
    expect(scenery).to_be_hidden()


def test_the_photo_finish_marks_who_slapped_what(browser: Browser, photo_house: House) -> None:
    """A quicker slap on the wrong plate is seen to be wrong; a grab for nothing makes him frown."""
    stage = Stage(browser, photo_house, 3)
    stage.finish()
    wrong = stage.page.locator(f'[data-tile="{"-".join(stage.tile(2))}"] .mark')
    expect(wrong).to_have_text("✗")
    expect(stage.page.locator(".plate").first.locator(".mark")).to_have_text("✓")
    photo = stage.page.get_by_role("region", name="Photo finish")
    expect(photo).to_contain_text("✗ wrong tile")
    expect(stage.page.locator(".master [data-mood]")).to_have_attribute("data-mood", "cross")
    stage.race(stage.tile(2))
    expect(photo).to_have_count(0)
    expect(stage.page.locator(".mark")).to_have_count(0)
    expect(stage.page.locator(".master [data-mood]")).to_have_attribute("data-mood", "awake")


@pytest.mark.parametrize(
    ("language", "page", "words"), [("en-GB", "en", "rice, red"), ("de-DE", "de", "Reis, Rot")]
)
def test_dice_are_read_aloud(
    browser: Browser, photo_house: House, language: str, page: str, words: str
) -> None:
    """Once a roll, in the language of the page, and only where somebody wants it."""
    stage = Stage(browser, photo_house, 3, language)
    stage.page.add_init_script(SPEAKER)
    stage.page.evaluate("localStorage['tischlein.speak'] = 'true'")
    stage.again()
    assert stage.page.evaluate("spoken") == []
    stage.race(["rice", "red"])
    stage.page.wait_for_function("() => spoken.length")
    stage.race(["rice", "red"], naming=True)  # more is told amid the race
    expect(stage.page.locator(".ask")).to_be_visible()
    expect(stage.page.locator(".dice [aria-live=assertive]")).to_have_count(1)
    assert stage.page.evaluate("spoken.map(([text, lang]) => [text.toLowerCase(), lang])") == [
        [words.lower(), page]
    ]


def test_the_voice_has_a_switch(browser: Browser, photo_house: House) -> None:
    stage = Stage(browser, photo_house, 3)
    stage.page.get_by_role("button", name="Menu").click()
    stage.page.get_by_label("Read dice aloud").check()
    assert stage.page.evaluate("localStorage['tischlein.speak']") == "true"


def test_arrows_walk_round_the_plates_and_enter_slaps(browser: Browser, photo_house: House) -> None:
    """Places that are empty are passed over; space grabs, and the focus is never lost."""
    stage = Stage(browser, photo_house, 3)
    stage.race(stage.tile(2))
    expect(fallen(stage.page)).to_have_count(1)
    press = stage.page.keyboard.press
    press("ArrowRight")
    expect(focused(stage)).to_have_attribute("aria-label", re.compile("^Plate 2:"))
    press("ArrowDown")
    expect(focused(stage)).to_have_attribute("aria-label", re.compile("^Plate 4:"))
    press("ArrowLeft")
    press("ArrowUp")
    expect(focused(stage)).to_have_attribute("aria-label", re.compile("^Plate 8:"))
    press("Enter")
    press(" ")
    moves = stage.moves(2)
    assert [move["do"] for move in moves] == ["slap", "grab"]
    assert moves[0]["tile"] == stage.tile(8)
    stage.page.locator(".two button").last.focus()
    stage.finish()
    expect(focused(stage)).to_have_attribute("aria-label", "Plates round the sushi master")
    press("ArrowLeft")
    expect(focused(stage)).to_have_attribute("aria-label", re.compile("^Plate 8:"))


def test_without_a_clock_all_is_played_by_what_is_said(
    browser: Browser, photo_house: House
) -> None:
    """Every plate, both grabs, every thief and doing nothing are buttons with a name."""
    stage = Stage(browser, photo_house, 3)
    stage.race(stage.tile(2), calm=True)
    page = stage.page
    expect(page.get_by_text("Everybody decides. Take your time!")).to_be_visible()
    expect(fallen(page)).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile(r"^Plate \d: \w+ \+ \w+, "))).to_have_count(4)
    look(page)
    page.get_by_role("button", name="Squeak!").focus()
    page.keyboard.press(" ")  # presses what has the focus, and grabs nothing else
    assert stage.moves(1) == [{"do": "grab", "squeak": True}]
    stage.race(stage.tile(3), naming=True, calm=True)
    expect(page.get_by_text("Who is the thief?")).to_be_visible()
    page.get_by_role("button", name="rat", exact=True).focus()
    page.keyboard.press("Enter")
    assert stage.moves(2)[1] == {"do": "name", "thief": "rat"}
    stage.race(stage.tile(3), calm=True)
    page.get_by_role("button", name="Do nothing").click()
    assert stage.moves(3)[2] == {"do": "pass"}
    stage.decided()
    expect(page.get_by_text(re.compile("^You have decided. Waiting for "))).to_be_visible()
    expect(page.locator("li.me")).to_contain_text("has decided")


def test_the_first_dice_wait_until_everybody_is_ready(browser: Browser, house: House) -> None:
    """Who still reads how it goes is waited for, and named to the others."""
    ada, bo = new_page(browser, pace="quick"), new_page(browser, pace="quick")
    unhurried(ada)
    join(bo, set_table(ada, house, "Kakerlaken Sushi", 2))
    ada.get_by_role("button", name="Start").click()
    read_hint(ada, ready=False)
    go = ada.get_by_role("button", name="Ready? Go!")
    expect(go).to_be_visible()
    expect(ada.get_by_text("The dice fall when everybody is ready.")).to_be_visible()
    go.click()
    expect(ada.get_by_text("Waiting for Bo.")).to_be_visible()
    look(ada)
    expect(fallen(ada)).to_have_count(0)
    read_hint(bo, ready=False)
    expect(fallen(bo)).to_have_count(0)
    bo.get_by_role("button", name="Ready? Go!").click()
    for page in (ada, bo):
        expect(fallen(page)).to_have_count(1)
        expect(page.get_by_role("button", name="Ready? Go!")).to_have_count(0)


def test_the_next_game_waits_once_more(browser: Browser, quick_house: House) -> None:
    page = new_page(browser, pace="quick")
    play_alone(page, quick_house, "Kakerlaken Sushi")
    expect(fallen(page)).to_have_count(1)
    hurry_to_the_end(page)
    until(page, lambda: is_over(page), lambda: press(page, result_of(page)))
    page.get_by_role("button", name="Play again").click()
    page.get_by_role("button", name="Ready? Go!").click()
    expect(fallen(page)).to_have_count(1)
