"""Nudges in a real browser: on by a tap, shown with no table open, read, and off by a tap."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.beside import Beside, beside
from tests.browser.house import new_page
from tests.browser.house import until as until_so
from tests.browser.looks import words
from tests.browser.told import CLICK, SHOWN, WORKERS_STUB, delivery, may_be_told, shown, worker_of
from tests.pushes import Device, Service, push_service, un64
from tests.server.client import Seat, open_table, server_here
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore


class Home:
    """A house that a test reaches into while a browser is there."""

    def __init__(self, loop: Beside, folder: Path, service: Service) -> None:
        self._loop, self.do = loop, loop.do
        settings = Settings(push_hosts=service.origin)
        self.house = House(SqliteStore(folder / "t.sqlite"), settings)
        self.url = ""

    @contextlib.contextmanager
    def opens(self) -> Iterator[None]:
        """Serve."""
        with self._loop.within(lambda: server_here(self.house)) as self.url:
            yield

    def nudge(self, seat: Seat) -> None:
        """Tell somebody that it is their turn."""
        table = self.house.tables[seat.table]
        self._loop.loop.call_soon_threadsafe(self.house.nudges.nudge, table, seat.seat or 0)

    def languages(self) -> set[str]:
        """List the languages in which somebody is told."""
        rows = self.do(self.house.store.ask("SELECT body FROM pushes"))
        return {json.loads(body)["language"] for (body,) in rows}

    def told(self) -> int:
        """Count the seats that are told on some browser."""
        (row,) = self.do(self.house.store.ask("SELECT COUNT(*) FROM pushes"))
        return int(row[0])


def visitor(browser: Browser, home: Home, wants: dict[str, str], language: str = "en-GB") -> Page:
    """Give somebody a phone that may show messages."""
    page = new_page(browser, language, phone=True, worker=True)
    may_be_told(page, home.url, wants)
    page.goto(home.url)
    return page


def sit(page: Page, home: Home, **more: Any) -> Seat:
    """Open a table, and let the page hold its first seat."""
    (seat,) = home.do(open_table(home.url, "sushizock", 2, **more))
    held = [{"seat": seat.seat, "token": seat.token, "at": 1}]
    keep = "([table, held]) => { localStorage[`tischlein.seat.${table}`] = JSON.stringify(held) }"
    page.evaluate(keep, [seat.table, held])
    return seat


def until_told(page: Page, home: Home, seats: int) -> None:
    """Wait until the house tells so many seats."""
    until_so(page, lambda: home.told() == seats, lambda: False)


@pytest.fixture
def service() -> Iterator[Service]:
    with push_service() as found:
        yield found


@pytest.fixture
def home(tmp_path: Path, service: Service) -> Iterator[Home]:
    with beside() as loop:
        found = Home(loop, tmp_path, service)
        with found.opens():
            yield found


SUBSCRIBED = """navigator.serviceWorker.getRegistration().then(
  async (worker) => (await worker?.pushManager.getSubscription()) ?? null)"""


def test_a_nudge_from_a_tap_to_a_tap(browser: Browser, home: Home, service: Service) -> None:
    device = Device()
    wants = device.wants(f"{service.origin}/phone")
    page = visitor(browser, home, wants, "de-DE")
    first = sit(page, home, speed="day")
    page.goto(f"{home.url}/t/{first.table}")
    switch = page.get_by_role("switch", name="Sag mir, wenn ich dran bin")
    expect(switch).to_be_enabled()
    expect(switch).not_to_be_checked()
    assert page.evaluate(SUBSCRIBED) is None, "nobody can be called who did not wish it"
    switch.tap()
    until_told(page, home, 1)
    expect(switch).to_be_checked()
    key = home.do(home.house.nudges.public_key())  # type: ignore[attr-defined]
    assert bytes(page.evaluate("JSON.parse(localStorage.stub)")) == un64(key)

    page.get_by_label("Sprache").select_option("it")  # what is told follows the page's language
    until_so(page, lambda: home.languages() == {"it"}, lambda: False)
    page.get_by_label("Lingua").select_option("de")
    until_so(page, lambda: home.languages() == {"de"}, lambda: False)

    second = sit(page, home, speed="week")  # a later table is told by itself
    page.goto(f"{home.url}/t/{second.table}")
    expect(page.get_by_role("switch")).to_be_checked()
    until_told(page, home, 2)

    page.goto(home.url)  # no table is open
    bring, full = delivery(page, home.url), words("de", "mine.full")  # a bot has the other seat
    for seat, number in ((first, 1), (second, 2), (first, 3)):
        home.nudge(seat)
        until_so(page, lambda number=number: len(service.got) == number, lambda: False)  # type: ignore[misc]
        bring(device.read(service.got[-1].body).decode())
        told = {"title": full, "body": "Sushizock", "tag": seat.table, "lang": "de"}
        until_so(page, lambda told=told: told in page.evaluate(SHOWN), lambda: False)  # type: ignore[misc]
    assert sorted(one["tag"] for one in shown(page, 2)) == sorted([first.table, second.table])

    worker = worker_of(page)
    opened, left = worker.evaluate(CLICK, [""])
    assert left == 1
    assert opened in ([f"{home.url}/t/{seat.table}"] for seat in (first, second))
    (kept,) = shown(page, 1)
    page.goto(f"{home.url}/t/{kept['tag']}")  # what is looked at is told no more
    shown(page, 0)

    expect(page.get_by_role("switch")).to_be_checked()
    page.get_by_role("switch").tap()
    until_told(page, home, 0)
    until_so(page, lambda: page.evaluate("localStorage.stub") is None, lambda: False)
    expect(page.get_by_role("switch")).not_to_be_checked()


def test_no_more_of_these(browser: Browser, home: Home, service: Service) -> None:
    """The notification itself has a way to end it."""
    wants = Device().wants(f"{service.origin}/phone")
    page = visitor(browser, home, wants)
    seat = sit(page, home, speed="day")
    page.goto(f"{home.url}/t/{seat.table}")
    page.get_by_role("switch").tap()
    until_told(page, home, 1)
    expect(page.get_by_role("switch")).to_be_checked()
    bring = delivery(page, home.url)
    bring(json.dumps({"title": "Your turn!", "off": "No more of these", "table": seat.table}))
    shown(page, 1)
    worker = worker_of(page)
    worker.evaluate(WORKERS_STUB, wants["endpoint"])
    page.evaluate("delete localStorage.stub")  # of the same browser
    assert worker.evaluate(CLICK, ["off"]) == [[], 0]
    assert worker.evaluate("self.unsubscribed")
    assert home.told() == 0
    expect(page.get_by_role("switch")).not_to_be_checked()
    bring("nonsense")
    assert shown(page, 1)[0]["title"] == "Tischlein"


def test_who_is_not_let_is_told_why_and_nobody_is_asked_without_a_tap(
    browser: Browser, home: Home, service: Service
) -> None:
    page = new_page(browser, worker=True)
    page.add_init_script(
        "window.asked = 0; Notification.requestPermission = async () => (asked++, 'denied');"
        "Object.defineProperty(Notification, 'permission',"
        " {get: () => window.asked ? 'denied' : 'default'});"
    )
    page.goto(home.url)
    seat = sit(page, home, speed="three_days")
    page.goto(f"{home.url}/t/{seat.table}")
    switch = page.get_by_role("switch", name="Tell me when it is my turn")
    expect(switch).to_be_enabled()
    assert page.evaluate("asked") == 0
    switch.click()
    expect(page.get_by_text("does not let this page show messages")).to_be_focused()
    expect(switch).to_be_disabled()
    expect(switch).not_to_be_checked()
    assert (page.evaluate("asked"), home.told()) == (1, 0)
    quick = sit(page, home)
    page.goto(f"{home.url}/t/{quick.table}")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_role("switch")).to_have_count(0)
