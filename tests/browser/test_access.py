"""What axe-core finds on every screen: nothing."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, new_page, open_browser, read_hint

AXE = Path("web/node_modules/axe-core/axe.min.js")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("house"))
    found.start()
    yield found
    found.stop()


def check(page: Page) -> None:
    """Let axe-core look at the page."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("axe.run()")
    problems = [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["Sushizock", "Buffet", "Kakerlaken Sushi"])
def test_every_screen_is_for_everybody(
    browser: Browser, house: House, game: str, scheme: Any
) -> None:
    page = new_page(browser, phone=True)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(house.url)
    check(page)
    page.get_by_role("button", name=f"Invite friends: {game}").click()
    expect(page.get_by_role("button", name="Set the table")).to_be_enabled()
    check(page)
    page.get_by_role("button", name="Set the table").click()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    check(page)
    page.goto(house.url)
    page.get_by_role("button", name=f"Play alone: {game}").click()
    read_hint(page)
    expect(page.get_by_role("heading", name=re.compile("Your turn"))).to_be_visible()
    check(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("heading", name="House rules at our table")).to_be_visible()
    check(page)
