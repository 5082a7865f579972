"""Leaderboards on a page: who is best, how sure that is, and where one is oneself."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.browser.fits import look_at
from tests.browser.house import House, hurry_to_the_end, new_page
from tischlein.people.profiles import Profiles
from tischlein.people.strength import ALL_TIME
from tischlein.store import Store, open_store

T = TypeVar("T")
GAME = "sushizock"
NAMES = ("Anna", "Bo", "Cleo with a longer name", "Dora", "Emil", "Fee")
ADD = """
    INSERT INTO ratings (profile, game, season, mu, sigma, games, worth, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
"""


def with_store(data: Path, work: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
    """Do something with the store of a house, beside its server."""

    async def do() -> T:
        store = await open_store(str(data / "tables.sqlite"))
        try:
            return await work(store)
        finally:
            await store.close()

    with ThreadPoolExecutor(1) as apart:  # in this thread the browser has its own loop
        return apart.submit(asyncio.run, do()).result()


async def lay_ratings(store: Store) -> str:
    """Let six people have ratings; give the login of the fourth."""
    profiles, login = Profiles(store, lambda: 1.0), ""
    for number, name in enumerate(NAMES):
        who = await profiles.make(name)
        mu, sigma = 1400.0 - 90 * number, 40.0 + 25 * number
        values = mu, sigma, 60 - 11 * number, mu - 2 * sigma
        await store.ask(ADD, who.id, GAME, ALL_TIME, *values)
        login = login if number != 3 else await profiles.let_in(who.id, "phone")
    return login


async def two_people(store: Store) -> list[str]:
    """Make two profiles; give the logins of their devices."""
    profiles = Profiles(store, lambda: 1.0)
    made = [await profiles.make(name) for name in ("Anna", "Bo")]
    return [await profiles.let_in(who.id, "phone") for who in made]


def sign_in(page: Page, login: str) -> None:
    """Let a device speak for somebody."""
    page.add_init_script(f"localStorage['tischlein.login'] = {json.dumps(json.dumps(login))}")


def test_a_board_shows_the_best_their_doubt_and_oneself(
    browser: Browser, own_house: House, tmp_path: Path
) -> None:
    login = with_store(tmp_path, lay_ratings)
    page = new_page(browser, phone=True)
    sign_in(page, login)
    page.goto(own_house.url)
    page.get_by_role("link", name="Leaderboard").click()
    rows = page.get_by_role("list", name="Sushizock").get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("Anna")
    expect(rows.first).to_contain_text("1400, give or take 80")
    new = page.get_by_role("list", name="We are still getting to know them")
    expect(new.get_by_role("listitem")).to_have_count(3)
    expect(new.get_by_role("listitem").first).to_contain_text("Dora")
    expect(new.get_by_role("listitem").first).to_contain_text("This is you")
    expect(page.get_by_text("This is you")).to_have_count(1)
    assert look_at(page) == []
    page.get_by_role("radio", name="Buffet").check()
    expect(page.get_by_text("Nobody yet.")).to_be_visible()
    assert page.url.endswith("/boards/buffet")
    page.reload()
    expect(page.get_by_role("radio", name="Buffet")).to_be_checked()
    assert look_at(page) == []


def test_who_has_played_a_rated_game_hears_what_it_changed(
    browser: Browser, own_house: House, tmp_path: Path
) -> None:
    logins = with_store(tmp_path, two_people)
    pages = [new_page(browser) for _ in logins]
    opened = {"game": GAME, "seats": 2, "name": "Anna", "public": True}
    ways = ["/api/tables", "/api/tables/{table}/seats"]
    table = ""
    for page, login, way, body in zip(pages, logins, ways, (opened, {"name": "Bo"}), strict=True):
        sign_in(page, login)
        url = own_house.url + way.format(table=table)
        held = httpx.post(url, json=body, headers={"x-login": login}, trust_env=False).json()
        table = held["table"]
        kept = json.dumps([{"seat": held["seat"], "token": held["token"]}])
        page.add_init_script(f"localStorage['tischlein.seat.{table}'] = {json.dumps(kept)}")
        page.goto(f"{own_house.url}/t/{table}")
    pages[0].get_by_role("button", name="Start").click()
    hurry_to_the_end(*pages)
    gained = []
    for page in pages:
        told = page.locator("[data-gained]")
        expect(told).to_contain_text("Your rating:")
        gained.append(int(told.get_attribute("data-gained") or 0))
    assert sum(gained) == 0
    assert max(gained) >= 0
