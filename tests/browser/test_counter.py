"""Sushizock's counter: it fits every screen, waits for a shake, asks twice, tells its scenes."""

import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.fits import SIZES, look_at
from tests.browser.house import House, new_page
from tests.browser.looks import PAINTED, cut_off
from tests.browser.staged import FULL, Staged, dice, piles

ROLL: Final = ("sushi", "bones", "sushi", "blue", "sushi")
KEEP: Final = {"do": "keep", "dice": ["sushi"]}
TAKES: Final = [KEEP, {"do": "take", "row": "sushi"}, {"do": "take", "row": "bones"}]
STEALS: Final = [KEEP, *({"do": "steal", "pile": "sushi", "from": 1, "depth": d} for d in (1, 2))]
NEEDED: Final = {"rows", "dice", "own piles", "action"}
LABEL: Final = "() => document.activeElement.getAttribute('aria-label') ?? ''"
SHAKE: Final = """dispatchEvent(
  new DeviceMotionEvent('devicemotion', {acceleration: {x: 20, y: 9, z: 4}}))"""
SIZES_OF: Final = "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
BEYOND: Final = """all => all.filter((one) =>
  one.getBoundingClientRect().right > one.closest('.card').getBoundingClientRect().right).length"""
ME: Final = {"seat": 0}
BO: Final = {"seat": 1}


def at_the_table(browser: Browser, house: House, seats: int = 3, **kept: Any) -> Staged:
    return Staged(new_page(browser), house, seats, **kept)


def tiles(page: Page, kind: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{kind} number"))


def lie_calm(page: Page) -> None:
    """Let the table lie still: what is pressed in the moment of a change is no move."""
    page.wait_for_timeout(400)


def moves(staged: Staged) -> list[Any]:
    return [frame["move"] for frame in staged.wanted if frame["type"] == "move"]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_long_name_leaves_room_for_the_button(browser: Browser, house: House, seats: int) -> None:
    """Piles and button share a line on small screens: a name took all of it."""
    staged = at_the_table(browser, house, seats, name="Maximiliane von Ungeduld")
    staged.show({"dice": dice(ROLL), "piles": piles(seats)}, TAKES)
    expect(staged.page.get_by_role("heading", name="Your turn!")).to_be_visible()
    assert look_at(staged.page) == []


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rows_dice_own_piles_and_action_are_in_sight_together(
    browser: Browser, house: House, seats: int
) -> None:
    """On every screen, with piles that are high, nothing covered, cut off or too small."""
    staged = at_the_table(browser, house, seats)
    page = staged.page
    for high, legal, thrown in (
        (3, TAKES, dice(ROLL)),
        (11, [{"do": "forced"}], dice(["red"], ["sushi", "bones", "blue", "blue"], 0)),
        (4, STEALS, dice(["blue", "red"], ["blue", "blue", "sushi"], 1)),
    ):
        staged.show({"dice": thrown, "piles": piles(seats, high)}, legal)
        expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
        shown = page.locator("[data-need]").evaluate_all("all => all.map(one => one.dataset.need)")
        assert set(shown) == NEEDED
        assert look_at(page) == []


@pytest.mark.parametrize("seats", [2, 5])
def test_large_text_and_zoom_hide_nothing(browser: Browser, house: House, seats: int) -> None:
    """A laptop at 200 % is a small screen; with large text everything still is there."""
    staged = at_the_table(browser, house, seats)
    staged.show({"dice": dice(ROLL)}, TAKES)
    assert look_at(staged.page, [(640, 400), (640, 360)]) == []
    staged.page.evaluate("document.documentElement.style.fontSize = '200%'")
    found = look_at(staged.page, [(390, 844), (1280, 800)])
    assert [
        flaw for flaw in found if "scrolls" in flaw or "sight" in flaw or "covers" in flaw
    ] == []


def test_the_scenery_goes_where_contrast_is_wanted(browser: Browser, house: House) -> None:
    staged = at_the_table(browser, house)
    staged.show({"dice": dice(ROLL)}, TAKES)
    cock = staged.page.locator("[data-wok]")
    expect(cock).to_be_visible()
    staged.page.emulate_media(contrast="more")
    expect(cock).to_be_hidden()


def test_the_first_die_is_one_tab_away_and_keys_play(browser: Browser, house: House) -> None:
    """1 to 5 for dice, R, S and B; arrows go on from there; the focus is never lost."""
    staged = at_the_table(browser, house)
    page, key = staged.page, staged.page.keyboard
    staged.show({"dice": dice(ROLL)}, TAKES)
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    key.press("Tab")
    assert page.evaluate(LABEL) == "sushi die"
    key.press("ArrowRight")
    assert page.evaluate(LABEL) == "fishbone die"
    kept = page.get_by_role("button", name=re.compile(" die$"), pressed=True)
    for pressed, count in (("1", 1), ("3", 2), ("1", 1)):
        key.press(pressed)
        expect(kept).to_have_count(count)
    lie_calm(page)
    key.press("r")
    staged.show({"dice": dice(["bones", "red", "red", "red"], ["sushi"], 1)}, TAKES)
    expect(page.locator(":focus")).to_have_accessible_name("fishbone die")
    key.press("2")
    expect(page.get_by_role("button", name="fishbone die")).to_have_attribute(
        "aria-pressed", "true"
    )
    for pressed in ("s", "b"):
        lie_calm(page)
        key.press(pressed)
        staged.show({"dice": dice(ROLL)}, TAKES)
        staged.show({"dice": dice(["bones"], ["sushi"] * 4, 0)}, TAKES)
    assert moves(staged) == [
        {"do": "keep", "dice": ["sushi"]},
        {"do": "take", "row": "sushi"},
        {"do": "take", "row": "bones"},
    ]
    assert page.evaluate("document.activeElement !== document.body")


def test_the_tab_key_stops_once_in_each_row_and_at_what_can_be_had(
    browser: Browser, house: House
) -> None:
    staged = at_the_table(browser, house, 5)
    staged.show({"dice": dice(ROLL)}, TAKES)
    page = staged.page
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    stops = []
    for _ in range(9):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText")
        )
    assert stops[5:8] == [
        "First set a die aside",
        "Sushi number 3: 6, you can take it",
        "Bone number 1: −1, you can take it",
    ]
    assert stops[8].startswith("Bartholomew")


def test_a_second_tap_where_the_player_wants_it(browser: Browser, house: House) -> None:
    staged = at_the_table(browser, house, sure=True)
    page = staged.page
    staged.show({"dice": dice(ROLL)}, TAKES)
    lie_calm(page)
    tiles(page, "Sushi").nth(2).click()
    expect(page.get_by_text("Take Sushi 6? Tap again.").first).to_be_visible()
    tiles(page, "Bone").first.click()
    expect(page.get_by_text("Take Bone −1? Tap again.").first).to_be_visible()
    assert moves(staged) == []
    tiles(page, "Bone").first.click()
    staged.show({"dice": dice(["red"], ["sushi", "bones", "blue", "blue"], 0)}, [{"do": "forced"}])
    lie_calm(page)
    page.get_by_role("button", name="Take it, sigh").click()
    page.get_by_role("button", name="Sure? Tap again").click()
    assert moves(staged) == [{"do": "take", "row": "bones"}, {"do": "forced"}]


def first_roll(staged: Staged) -> None:
    """Let somebody else's turn end, and mine begin."""
    staged.show({"dice": dice(["bones"], ["sushi"] * 4, 0), "turn": 1})
    expect(staged.page.get_by_role("heading", name="Bartholomew's turn")).to_be_visible()
    thrown = {"key": "told_roll", "fields": {"name": ME, "dice": "…"}}
    roll = {"by": "nature", "do": "roll", "dice": list(ROLL)}
    staged.tell([{"move": roll, "view": {"turn": 0, "dice": dice(ROLL)}, "news": [thrown]}], TAKES)


@pytest.mark.parametrize("how", ["tap", "key", "Enter", "shake"])
def test_a_first_roll_waits_in_the_wok(browser: Browser, house: House, how: str) -> None:
    """Until it is shaken or tapped nothing is told of it; then its dice can be chosen."""
    staged = at_the_table(browser, house, pace="normal")
    page = staged.page
    first_roll(staged)
    wok = page.get_by_role("button", name="Shake or tap to roll!")
    expect(wok).to_be_visible()
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    die = page.get_by_role("button", name=re.compile(" die$"))
    expect(die).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("you can take it"))).to_have_count(0)
    assert look_at(page) == []
    if how == "tap":
        wok.click()
    elif how == "shake":
        page.evaluate(SHAKE)
    else:
        if how == "Enter":
            page.keyboard.press("Tab")
        page.keyboard.press("r" if how == "key" else how)
    expect(wok).to_have_count(0)
    expect(die).to_have_count(len(ROLL))
    expect(page.get_by_role("button", name=re.compile("you can take it"))).to_have_count(2)
    if how == "Enter":
        expect(page.locator(":focus")).to_have_accessible_name("sushi die")
    die.first.click()
    expect(die.first).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("pace", ["quick", "none"])
def test_who_is_in_a_hurry_shakes_nothing(browser: Browser, house: House, pace: str) -> None:
    staged = at_the_table(browser, house, pace=pace)
    first_roll(staged)
    expect(staged.page.get_by_role("button", name=re.compile("you can take it"))).to_have_count(2)


TAKEN: Final = FULL | {"sushi": FULL["sushi"][:2] + FULL["sushi"][3:]}
COUNTING: Final = dice(["sushi", "bones"], ["sushi", "sushi", "blue"], 1)


def test_what_counts_glows_before_the_tile_flies(browser: Browser, house: House) -> None:
    """First the three dice and the third tile light up, then it lies on its pile."""
    staged = at_the_table(browser, house, pace="tap")
    page = staged.page
    staged.show({"dice": COUNTING, "turn": 1})
    expect(page.get_by_role("heading", name="Bartholomew's turn")).to_be_visible()
    after = piles(3)
    after[1] = after[1] | {"sushi": [*[None] * 4, 6]}
    news = {"key": "told_take_sushi", "fields": {"name": BO, "tile": 6}}
    step = {
        "move": {"by": 1, "do": "take", "row": "sushi"},
        "view": {"rows": TAKEN, "piles": after, "turn": 2, "dice": dice([])},
        "news": [news],
    }
    page.evaluate(
        """() => { window.noted = [];
        new MutationObserver(() => {
          const lit = document.querySelectorAll('.die.lit').length;
          const glows = document.querySelector('.board .glow')?.dataset.spot;
          const told = !!document.querySelector('.banner');
          const now = JSON.stringify([lit, glows ?? null, told]);
          if (noted.at(-1) !== now) noted.push(now);
        }).observe(document.body, {subtree: true, childList: true, attributes: true}); }"""
    )
    staged.tell([step])
    expect(page.locator(".banner")).to_contain_text("takes a sushi: 6")
    noted = [json.loads(one) for one in page.evaluate("noted")]
    assert [3, "sushi-2", False] in noted
    assert noted.index([3, "sushi-2", False]) < noted.index([0, None, True])
    expect(page.locator('[data-spot="pile-1-sushi"] .value')).to_have_text("6")


def test_a_thief_is_a_big_moment(browser: Browser, house: House) -> None:
    """The victim's pile shakes, the cock crows, and a big banner tells it."""
    staged = at_the_table(browser, house, pace="tap")
    page = staged.page
    staged.show({"dice": dice(["blue"] * 3 + ["red", "bones"]), "turn": 1})
    expect(page.get_by_role("heading", name="Bartholomew's turn")).to_be_visible()
    before = piles(3)
    top = before[0]["sushi"][-1]
    rest = [before[0] | {"sushi": [None, 2]}, before[1] | {"sushi": [*before[1]["sushi"], top]}]
    news = {"key": "told_steal_sushi", "fields": {"name": BO, "victim": ME, "tile": 6}}
    step = {
        "move": {"by": 1, "do": "steal", "pile": "sushi", "from": 0, "depth": 1},
        "view": {"piles": [*rest, before[2]], "turn": 2, "dice": dice([])},
        "news": [news],
    }
    staged.tell([step])
    expect(page.locator(".mine .shakes")).to_be_visible()
    expect(page.get_by_text("Cock-a-doodle-doo!")).to_be_visible()
    expect(page.locator(".banner.big")).to_contain_text("steals the top sushi")
    expect(page.locator(".shakes")).to_have_count(0)


def test_the_big_screen_reads_from_afar(browser: Browser, house: House) -> None:
    """Numbers and places are large, whoever plays."""
    for seats in (2, 5):
        staged = at_the_table(browser, house, seats, watch=True)
        page = staged.page
        page.set_viewport_size(ViewportSize(width=1920, height=1080))
        staged.show({"dice": dice(["red"], ["sushi"] * 4, 0), "piles": piles(seats, 11)})
        expect(page.locator(".board .tile").first).to_be_visible()
        numbers = page.locator(".board").locator(".value, .count, .left")
        sizes = numbers.evaluate_all(SIZES_OF)
        places = page.locator(".place").evaluate_all("all => all.map(one => one.clientWidth)")
        assert (min(sizes) >= 40, min(places) >= 40) == (True, True)
        assert look_at(page, [(1920, 1080)]) == []


@pytest.mark.parametrize("seats", [2, 5])
def test_the_result_fits_whoever_took_all(browser: Browser, house: House, seats: int) -> None:
    """Twelve tiles of one seat stand on the big screen and on a phone, falling ones too."""
    sushi, bones = FULL["sushi"], FULL["bones"]
    none: dict[str, list[int]] = {"sushi": [], "bones": []}
    for taken in ({"sushi": sushi, "bones": []}, FULL):
        mine = [taken, {"sushi": [], "bones": bones[len(taken["bones"]) :]}]
        scores = [sum(one["sushi"][: len(one["bones"])] + one["bones"]) for one in mine]
        scores += [0] * (seats - 2)
        ranking = [[at for at, had in enumerate(scores) if had == score]
                   for score in sorted(set(scores), reverse=True)]  # fmt: skip
        ended = {"rows": none, "piles": mine + [none] * (seats - 2), "turn": None}
        for watch in (True, False):
            staged = at_the_table(browser, house, seats, watch=watch)
            page = staged.page
            page.set_viewport_size(ViewportSize(width=1920, height=1080))
            staged.show({"dice": dice(["red"])})
            staged.show(
                ended | {"dice": dice([], left=0)}, seen=".end .pair",
                over=True, scores=scores, winners=ranking[0], ranking=ranking, to_move=[],
            )  # fmt: skip
            for width, height in ((1920, 1080), (1280, 720)) if watch else SIZES:
                page.set_viewport_size(ViewportSize(width=width, height=height))
                page.evaluate(PAINTED)
                beyond = page.locator(".end .pair").evaluate_all(BEYOND)
                assert (width, beyond) == (width, 0)
                assert not watch or (width, cut_off(page)) == (width, [])
