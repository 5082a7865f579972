"""Coming back: tables go on after a tab is closed, and what was played is kept, shown and drawn."""

import re

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import House, another_tab, hurry_to_the_end, new_page
from tests.browser.looks import look
from tests.browser.players import join, play_alone, set_table

SMALL = ViewportSize(width=320, height=568)


def fit(page: Page) -> None:
    """Wait until nothing stands out at the side: a board is drawn anew for another screen."""
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def test_one_tap_goes_on_after_the_tab_was_closed(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser, phone=True), new_page(browser)
    link = set_table(ada, house, "Sushizock", 2)
    ada = another_tab(ada)
    ada.goto(house.url)
    tables = ada.get_by_role("region", name="Your tables")
    expect(tables).to_contain_text("Waiting for friends")
    tables.get_by_role("button", name=re.compile("^Go on: Sushizock")).click()
    ada.wait_for_url(link)
    join(bo, link)
    ada.get_by_role("button", name="← All games").click()
    expect(ada.get_by_role("heading", name="Tischlein")).to_be_focused()
    expect(tables.locator("li.mine")).to_contain_text("All seats are taken: it can begin!")
    tables.get_by_role("button", name=re.compile("^Go on: Sushizock with Bo")).click()
    ada.get_by_role("button", name="Start").click()
    bo.get_by_role("button", name="Got it").click()
    ada, bo = another_tab(ada), another_tab(bo)
    for page in (ada, bo):
        page.goto(house.url)
    told = [page.get_by_role("region", name="Your tables") for page in (ada, bo)]
    for region, other in zip(told, ("Bo", "Ada"), strict=True):
        expect(region).to_contain_text(f"Sushizock with {other}")
        expect(region.locator("li")).to_contain_text(re.compile(f"Your turn!|Waiting for {other}"))
    assert sum("Your turn!" in region.inner_text() for region in told) == 1
    for page, region in zip((ada, bo), told, strict=True):
        page.set_viewport_size(SMALL)
        fit(page)
        look(page)
        region.get_by_role("button", name=re.compile("^Go on: Sushizock with")).click()
        page.wait_for_url(link)
    hurry_to_the_end(ada, bo)
    for page in (ada, bo):
        expect(page.get_by_role("button", name="Check the dice")).to_be_visible()
        page.goto(house.url)
    ends = [region.locator("li").inner_text() for region in told]
    share, won, lost = "you share the win", "you won!", re.compile("(Ada|Bo) won")
    assert all(share in end for end in ends) or (
        sum(won in end for end in ends) == 1 == sum(bool(lost.search(end)) for end in ends)
    )
    told[0].get_by_role("button", name=re.compile("^Take off the list")).click()
    expect(told[0].locator("li")).to_have_count(0)
    expect(ada.get_by_role("link", name="My games")).to_be_focused()
    ada.reload()
    expect(ada.get_by_role("link", name="My games")).to_be_visible()
    expect(told[0].locator("li")).to_have_count(0)


def test_leaving_by_mistake_costs_nothing(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    play_alone(page, house, "Sushizock")
    table = page.url
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Get up for good").click()
    expect(page.get_by_role("alert")).to_contain_text("a bot plays on for you")
    page.get_by_role("button", name="No, I stay").click()
    page.get_by_role("button", name="Home: my seat stays mine").click()
    tables = page.get_by_role("region", name="Your tables")
    tables.get_by_role("button", name=re.compile("^Go on: Sushizock")).click()
    page.wait_for_url(table)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Get up for good").click()
    page.get_by_role("button", name="Yes, get up").click()
    expect(tables).to_contain_text("Was it a mistake?")
    tables.get_by_role("button", name=re.compile("^Go on: Sushizock")).click()
    page.wait_for_url(table)
    expect(page.locator(".game")).to_be_visible()
    assert page.evaluate("localStorage['tischlein.leaving']") == "{}"
    assert page.evaluate("table => `tischlein.seat.${table}` in localStorage", table[-12:])


def test_a_game_is_kept_shown_by_its_link_and_drawn(browser: Browser, house: House) -> None:
    page = new_page(browser, phone=True)
    play_alone(page, house, "Buffet")
    table = page.url[-12:]
    hurry_to_the_end(page)
    expect(page.get_by_role("button", name="Check the dice")).to_be_visible()
    page.goto(f"{house.url}/history")
    page.set_viewport_size(SMALL)
    fit(page)
    look(page)
    page.get_by_role("link", name=re.compile("^Buffet with ")).click()
    page.wait_for_url(f"{house.url}/game/{table}/1")
    stranger = new_page(browser, "de-DE")
    stranger.goto(page.url)
    expect(stranger.get_by_role("button", name="Selbst spielen")).to_be_visible()
    expect(stranger.locator(".podium li.p1 .name").first).to_be_visible()
    look(stranger)
    stranger.set_viewport_size(SMALL)
    fit(stranger)
    stranger.get_by_role("button", name="Nochmals ansehen").or_(
        stranger.get_by_role("button", name=re.compile("ansehen$"))
    ).first.click()
    expect(stranger.get_by_role("slider")).to_be_visible()
    page.goto(f"{house.url}/figures")
    expect(page.get_by_role("heading", name="How often you win")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("What you like to eat"))).to_be_visible()
    expect(page.locator(".first .picture svg")).to_be_visible()
    fit(page)
    look(page)


def test_empty_pages_say_what_will_be_there(browser: Browser, house: House) -> None:
    page = new_page(browser, trouble="404.*/replay")
    for path, told in (
        ("/history", "No finished game yet"),
        ("/figures", "Nothing to draw yet"),
        ("/game/23456789abcd/1", "This game is not here."),
    ):
        page.goto(house.url + path)
        expect(page.get_by_text(told)).to_be_visible()
        look(page)
