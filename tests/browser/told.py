"""Browsers that are told: an address of the test's own push service, and what comes from there."""

import json
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import CDPSession, Page, Worker

from tests.browser.house import until

STUB: Final = """(wants) => {
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
SHOWN: Final = """async () => {
  const here = self.registration ?? await navigator.serviceWorker.getRegistration('/');
  const told = await here?.getNotifications() ?? [];
  return told.map(({title, body, tag, lang}) => ({title, body, tag, lang}));
}"""
"""What is shown, asked on a page or in the worker."""
CLICK: Final = """async ([action]) => {
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
WORKERS_STUB: Final = """(endpoint) => {
  const found = {endpoint, unsubscribe: async () => (self.unsubscribed = true)};
  PushManager.prototype.getSubscription = async () => found;
}"""

COUNT: Final = """() => {
  if (self.shown === undefined) {
    self.shown = 0;
    const show = self.registration.showNotification.bind(self.registration);
    self.registration.showNotification = async (...given) => {
      await show(...given);
      self.shown += 1;
    };
  }
  return self.shown;
}"""
"""Who asks for notifications while one is about to be shown makes Chromium forget that one."""


def may_be_told(page: Page, url: str, wants: dict[str, str]) -> None:
    """Let somebody's browser show messages, and give it an address for them."""
    page.context.grant_permissions(["notifications"], origin=url)
    page.context.add_init_script(f"({STUB})({json.dumps(wants)})")


def delivery(page: Page, url: str) -> Callable[[str], None]:
    """Give what brings a message to a house's worker as the browser would; any page will do.

    It waits until the worker has shown it.
    """
    line: CDPSession = page.context.new_cdp_session(page)
    known: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found = event["registrations"]
        known.extend(one["registrationId"] for one in found if not one["isDeleted"])

    line.on("ServiceWorker.workerRegistrationUpdated", note)
    line.send("ServiceWorker.enable")
    until(page, lambda: bool(known), lambda: False)

    def bring(text: str) -> None:
        message = {"origin": url, "registrationId": known[-1], "data": text}
        worker = worker_of(page)
        before = worker.evaluate(COUNT)
        line.send("ServiceWorker.deliverPushMessage", message)
        until(page, lambda: worker.evaluate(COUNT) > before, lambda: False)

    return bring


def shown(page: Page, count: int, worker: Worker | None = None) -> list[dict[str, str]]:
    """Wait for so many notifications, and tell them; with no page of the house the worker knows."""
    there = worker or page
    until(page, lambda: len(there.evaluate(SHOWN)) == count, lambda: False)
    found: list[dict[str, str]] = there.evaluate(SHOWN)
    return found


def worker_of(page: Page) -> Worker:
    """Find the worker on somebody's device."""
    until(page, lambda: bool(page.context.service_workers), lambda: False)
    return page.context.service_workers[0]
