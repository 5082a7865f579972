"""Nudges in a real browser: on by a tap, shown with no table open, read, and off by a tap."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Worker, expect

from tests.browser.house import new_page
from tests.browser.house import until as until_so
from tests.pushes import Device, Service, push_service, un64
from tests.server.client import Seat, open_table, server_here
from tests.waiting import LIMIT
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore

T = TypeVar("T")

STUB = """(wants) => {
  const {endpoint, p256dh, auth} = wants;
  const found = {endpoint, toJSON: () => ({endpoint, keys: {p256dh, auth}})};
  found.unsubscribe = async () => { delete localStorage['stub']; return true; };
  Object.defineProperty(found, 'options', {get: () => ({
    applicationServerKey: new Uint8Array(JSON.parse(localStorage['stub'])).buffer,
  })});
  PushManager.prototype.getSubscription = async () => localStorage['stub'] ? found : null;
  PushManager.prototype.subscribe = async ({userVisibleOnly, applicationServerKey}) => {
    if (!userVisibleOnly) throw new Error('not seen');
    localStorage['stub'] = JSON.stringify([...new Uint8Array(applicationServerKey)]);
    return found;
  };
}"""
"""A browser has no push service here: the test gives address and keys in its place."""
SHOWN = """async () => {
  const here = await navigator.serviceWorker.getRegistration('/');
  const told = await here?.getNotifications() ?? [];
  return told.map(({title, body, tag, lang}) => ({title, body, tag, lang}));
}"""
CLICK = """async ([action]) => {
  self.opened = [];
  self.clients.openWindow = async (address) => void self.opened.push(address);
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent('notificationclick', {notification, action});
  const waits = [];
  event.waitUntil = (work) => void waits.push(work);
  self.dispatchEvent(event);
  await Promise.all(waits);
  return [self.opened, (await self.registration.getNotifications()).length];
}"""
"""What the browser does when somebody taps a notification."""
WORKERS_STUB = """(endpoint) => {
  const found = {endpoint, unsubscribe: async () => (self.unsubscribed = true)};
  PushManager.prototype.getSubscription = async () => found;
}"""


class Home:
    """A server in a thread of this process, so that a test can reach into its house."""

    def __init__(self, folder: Path, service: Service) -> None:
        self._folder, self._service = folder, service
        self.loop = asyncio.new_event_loop()
        self.url = ""

    def do(self, work: Awaitable[T]) -> T:
        """Do something in the server's thread."""

        async def done() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(LIMIT)

    def open(self) -> contextlib.AbstractAsyncContextManager[str]:
        """Start to serve."""
        settings = Settings(push_hosts=self._service.origin)
        self.house = House(SqliteStore(self._folder / "t.sqlite"), settings)
        return server_here(self.house)

    def nudge(self, seat: Seat) -> None:
        """Tell somebody that it is their turn."""
        table = self.house.tables[seat.table]
        self.loop.call_soon_threadsafe(self.house.nudges.nudge, table, seat.seat or 0)

    def languages(self) -> set[str]:
        """List the languages in which somebody is told."""
        rows = self.do(self.house.store.ask("SELECT body FROM pushes"))
        return {json.loads(body)["language"] for (body,) in rows}

    def told(self) -> int:
        """Count the seats that are told on some browser."""
        (row,) = self.do(self.house.store.ask("SELECT COUNT(*) FROM pushes"))
        return int(row[0])


@contextlib.contextmanager
def at_home(folder: Path, service: Service) -> Iterator[Home]:
    """Run a server here."""
    home = Home(folder, service)
    thread = Thread(target=home.loop.run_forever)
    thread.start()
    try:
        serving = home.do(entered(home.open))
        home.url = serving[1]
        yield home
        home.do(serving[0].__aexit__(None, None, None))
    finally:
        home.loop.call_soon_threadsafe(home.loop.stop)
        thread.join(LIMIT)


async def entered(
    make: Callable[[], contextlib.AbstractAsyncContextManager[str]],
) -> tuple[contextlib.AbstractAsyncContextManager[str], str]:
    """Enter something, to be left later."""
    found = make()
    return found, await found.__aenter__()


def visitor(browser: Browser, home: Home, wants: dict[str, str], language: str = "en-GB") -> Page:
    """Give somebody a phone that may show messages."""
    page = new_page(browser, language, phone=True)
    page.context.grant_permissions(["notifications"], origin=home.url)
    page.context.add_init_script(f"({STUB})({json.dumps(wants)})")
    page.goto(home.url)
    return page


def sit(page: Page, home: Home, **more: Any) -> Seat:
    """Open a table, and let the page hold its first seat."""
    (seat,) = home.do(open_table(home.url, "sushizock", 2, **more))
    held = [{"seat": seat.seat, "token": seat.token, "at": 1}]
    keep = "([table, held]) => { localStorage[`tischlein.seat.${table}`] = JSON.stringify(held) }"
    page.evaluate(keep, [seat.table, held])
    return seat


def delivery(page: Page) -> Callable[[str], None]:
    """Give what brings a message to the page's worker, as its browser would."""
    line: CDPSession = page.context.new_cdp_session(page)
    known: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found = event["registrations"]
        known.extend(one["registrationId"] for one in found if not one["isDeleted"])

    line.on("ServiceWorker.workerRegistrationUpdated", note)
    line.send("ServiceWorker.enable")
    until_so(page, lambda: bool(known), lambda: False)

    def bring(text: str) -> None:
        origin = page.evaluate("location.origin")
        message = {"origin": origin, "registrationId": known[-1], "data": text}
        line.send("ServiceWorker.deliverPushMessage", message)

    return bring


def shown(page: Page, count: int) -> list[dict[str, str]]:
    """Wait for so many notifications, and tell them."""
    until_so(page, lambda: len(page.evaluate(SHOWN)) == count, lambda: False)
    found: list[dict[str, str]] = page.evaluate(SHOWN)
    return found


def worker_of(page: Page) -> Worker:
    """Find the page's worker."""
    until_so(page, lambda: bool(page.context.service_workers), lambda: False)
    return page.context.service_workers[0]


def until_told(page: Page, home: Home, seats: int) -> None:
    """Wait until the house tells so many seats."""
    until_so(page, lambda: home.told() == seats, lambda: False)


@pytest.fixture
def service() -> Iterator[Service]:
    with push_service() as found:
        yield found


@pytest.fixture
def home(tmp_path: Path, service: Service) -> Iterator[Home]:
    with at_home(tmp_path, service) as found:
        yield found


def test_a_nudge_from_a_tap_to_a_tap(browser: Browser, home: Home, service: Service) -> None:
    device = Device()
    wants = device.wants(f"{service.origin}/phone")
    page = visitor(browser, home, wants, "de-DE")
    first = sit(page, home, speed="day")
    page.goto(f"{home.url}/t/{first.table}")
    switch = page.get_by_role("switch", name="Sag mir, wenn ich dran bin")
    expect(switch).to_be_enabled()
    expect(switch).not_to_be_checked()
    assert (
        page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    )
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
    bring = delivery(page)
    for seat, number in ((first, 1), (second, 2), (first, 3)):
        home.nudge(seat)
        until_so(page, lambda number=number: len(service.got) == number, lambda: False)  # type: ignore[misc]
        bring(device.read(service.got[-1].body).decode())
        told = {"title": "Du bist dran!", "body": "Sushizock", "tag": seat.table, "lang": "de"}
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
    bring = delivery(page)
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
    page = new_page(browser)
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
