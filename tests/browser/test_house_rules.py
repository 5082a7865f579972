"""House rules with their values, who begins, and what decides a tie, in real Chromium."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests import ended
from tests.browser.house import NO_LINE, House, new_page, read_hint
from tests.browser.looks import look, words
from tests.browser.players import join, set_table
from tischlein.table.book import Book
from tischlein.words import in_language

SMALLEST = ViewportSize(width=320, height=568)
BIG = ViewportSize(width=1920, height=1080)
WIDER = "document.documentElement.scrollWidth - innerWidth"


def small_phone(browser: Browser, language: str = "en-GB", trouble: str | None = None) -> Page:
    page = new_page(browser, language, phone=True, trouble=trouble)
    page.set_viewport_size(SMALLEST)
    return page


def take_hosts_seat(page: Page, house: House) -> None:
    """Come back to the prepared table as its host."""
    kept = json.dumps([{"seat": 0, "token": ended.TOKEN}])
    page.add_init_script(f"localStorage.setItem('tischlein.seat.{ended.NAME}', '{kept}')")
    page.goto(f"{house.url}/t/{ended.NAME}")


def tie_in_words(book: Book, language: str) -> str:
    """Say which food decided between the two who have equal points."""
    (tie,) = book.rules.view(book.state, None).ties
    more, less = (str(value).replace("-", "−") for value in tie.plates)
    return in_language(language)(
        "buffet.end_tie",
        winner=ended.NAMES[tie.better],
        loser=ended.NAMES[tie.worse],
        points=book.rules.scores(book.state)[tie.better],
        food=in_language(language)(f"buffet.food.{tie.food}"),
        more=more,
        less=less,
    )


def test_times_of_a_race_are_chosen_in_seconds_and_read_by_everybody(
    browser: Browser, house: House
) -> None:
    host, guest, big = small_phone(browser), new_page(browser), new_page(browser)
    host.goto(f"{house.url}/#new-kakerlaken")
    host.get_by_label("Your nickname").fill("Ada")
    roll, thief = (host.get_by_label(f"Time to {what}") for what in ("slap", "name the thief"))
    expect(roll.locator("option:checked")).to_have_text("8 s (as usual)")
    roll.select_option("20 s")
    thief.select_option("5 s")
    assert host.evaluate(WIDER) <= 0
    host.get_by_role("button", name="Set the table").click()
    expect(host.get_by_role("button", name="Start")).to_be_visible()
    join(guest, host.url)
    big.goto(f"{host.url}?watch")
    for page in (host, guest, big):
        expect(page.get_by_text("Time to slap or grab: 20 s")).to_be_visible()
        expect(page.get_by_text("Time to name the thief: 5 s")).to_be_visible()
    kept = host.request.get(host.url.replace("/t/", "/api/tables/")).json()
    assert kept["options"] == {"race_ms": 20_000, "naming_ms": 5_000}


def test_how_far_slow_connections_are_made_up_for_is_chosen_before_a_race(
    browser: Browser, house: House
) -> None:
    """Where nobody is far away a host may leave a liar nothing to gain."""
    ada = new_page(browser, trouble="409")
    asked: list[dict[str, Any]] = []

    def ask(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or ""))
        route.fulfill(status=409, json={"error": "full", "reason": "no"})

    ada.route("**/api/tables", ask)
    ada.goto(f"{house.url}/#new-kakerlaken")
    for choice in ("fully", "not at all"):
        ada.get_by_label("Help friends with a slow connection").select_option(choice)
        with ada.expect_response("**/api/tables"):
            ada.get_by_role("button", name="Set the table").click()
        expect(ada.get_by_role("button", name="Set the table")).to_be_enabled()
    assert [wish.get("lag_cap") for wish in asked] == [None, 0]
    assert "lag_cap" not in asked[0], "a server of before does not know it"
    ada.goto(f"{house.url}/#new-sushizock")
    expect(ada.get_by_role("button", name="Set the table")).to_be_enabled()
    expect(ada.get_by_label("Help friends with a slow connection")).to_have_count(0)


def test_numbers_of_plates_that_do_not_fit_are_told_in_words(
    browser: Browser, house: House
) -> None:
    page = small_phone(browser)
    page.goto(f"{house.url}/#new-buffet")
    page.get_by_label("What the plates are worth").select_option("Other numbers …")
    field = page.get_by_role("textbox", name="What the plates are worth")
    expect(field).to_have_value("-1 1 2 3 4 5")
    for wrong in ("1 2 3", "1 2 3 4 5 6 7", "1 2 3 4 5 six", "1 2 3 4 5 100", "1 2 3 4 5 0.5", ""):
        field.fill(wrong)
        page.get_by_role("button", name="Set the table").click()
        expect(page.get_by_role("alert")).to_have_text(
            "Type 6 whole numbers from −99 to 99, with spaces between them."
        )
    assert page.evaluate(WIDER) <= 0
    look(page)
    field.fill("−5, 0 1 2 3 10")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Set the table").click()
    expect(page.get_by_text("What the plates are worth: −5, 0, 1, 2, 3, 10")).to_be_visible()
    for seat in (2, 3):
        page.get_by_label(f"Bot, Seat {seat}").select_option("easy")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    plates = page.get_by_role(
        "img", name=re.compile("^(cheese|potatoes|sausage|pizza|chicken|sal)")
    )
    values = {name.split()[-1] for name in plates.evaluate_all("all => all.map(e => e.ariaLabel)")}
    assert values
    assert values <= {"−5", "0", "1", "2", "3", "10"}


def test_who_is_named_begins_and_all_know_it_before_also_after_a_restart(
    browser: Browser, own_house: House
) -> None:
    ada = small_phone(browser, trouble=NO_LINE)
    bo, big = (new_page(browser, trouble=NO_LINE) for _ in range(2))
    link = set_table(ada, own_house, "Sushizock", 2)
    join(bo, link)
    big.goto(f"{link}?watch")
    for page in (bo, big):
        expect(page.get_by_text("Chance decides who begins")).to_be_visible()
    ada.get_by_label("Who begins?").focus()
    ada.keyboard.type("Bo")
    for page in (bo, big):
        expect(page.get_by_text("Bo begins")).to_be_visible()
    own_house.stop()
    own_house.start()
    ada.reload()
    expect(ada.get_by_label("Who begins?").locator("option:checked")).to_have_text("Bo")
    expect(bo.get_by_label("Who begins?")).to_have_count(0)
    ada.get_by_role("button", name="Start").click()
    read_hint(bo)
    expect(bo.get_by_role("heading", name="Your turn!")).to_be_visible()


def test_what_breaks_a_tie_is_said_and_orders_the_players(browser: Browser, tmp_path: Path) -> None:
    """[B18] On the phone and on the big screen; then the loser begins."""
    book = ended.tied_at_the_top()
    ended.lay_into(tmp_path / "tables.sqlite", book)
    places = [ended.NAMES[seat] for level in book.ranking for seat in level]
    told = tie_in_words(book, "en")
    with House(tmp_path) as house:
        host, big = small_phone(browser), new_page(browser)
        take_hosts_seat(host, house)
        big.set_viewport_size(BIG)
        big.goto(f"{house.url}/t/{ended.NAME}?watch")
        expect(host.get_by_role("dialog").get_by_role("heading", level=3)).to_contain_text(places)
        expect(big.get_by_role("listitem").locator(".name")).to_contain_text(places)
        expect(big.get_by_text(told)).to_be_in_viewport(ratio=1)
        expect(host.get_by_role("dialog").get_by_text(told, exact=True)).to_be_visible()
        for page in (host, big):
            look(page)
        host.get_by_label("Who begins?").select_option(f"The loser: {places[-1]}")
        host.get_by_role("button", name="Play again").click()
        read_hint(host)
        expect(host.get_by_role("button", name=f"{places[-1]} has the token")).to_be_visible()


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_the_end_speaks_every_language_on_the_smallest_phone(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    book = ended.tied_at_the_bottom()
    ended.lay_into(tmp_path / "tables.sqlite", book)
    last = ended.NAMES[book.ranking[-1][0]]
    with House(tmp_path) as house:
        page = small_phone(browser, language)
        take_hosts_seat(page, house)
        told = page.get_by_role("dialog").get_by_text(tie_in_words(book, language), exact=True)
        expect(told).to_be_visible()
        loser = words(language, "theLoser").format(names=last)
        page.get_by_label(words(language, "whoBegins")).select_option(loser)
        assert page.evaluate(WIDER) <= 0
        page.get_by_role("button", name=words(language, "rematch"), exact=True).click()
        page.get_by_role("button", name=words(language, "gotIt")).click()
        expect(page.get_by_text(last).first).to_be_visible()
        kept = page.request.get(f"{house.url}/api/tables/{ended.NAME}").json()
        assert kept["options"] == {"starter": book.ranking[-1][0]}
