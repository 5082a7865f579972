"""A site of plain files, and devices that have been there and then lose their network."""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect

from tests.browser.house import PATIENCE, go_home, new_page
from tests.engines import free_port

NO_NETWORK: Final = "ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET"
"""What a browser says of a network that is gone."""

AT_ONCE: Final = """document.addEventListener("readystatechange", () => {
  document.documentElement.dataset.pause = "0";
});"""
"""Let bots of the device not pretend to think."""

STRICT: Final = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`not allowed: ${event.effectiveDirective} ${event.blockedURI}`));"""
"""Let nothing pass unseen that the page may not load."""

FOLDER: Final = "some/folder/of tables"
"""Where a site lies on its host."""


def address_in(host: str) -> str:
    """Give the address of a site on a host."""
    return f"{host}/{FOLDER.replace(' ', '%20')}/"


def end(server: subprocess.Popen[str]) -> None:
    """Stop a host for good."""
    server.kill()
    server.wait()


@contextlib.contextmanager
def files_served(folder: Path) -> Iterator[str]:
    """Serve a folder as `python -m http.server` does; gives its address."""
    with host_of_files(folder) as (address, _):
        yield address


@contextlib.contextmanager
def host_of_files(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Serve a folder the same way; gives its address, and what stops it before its time."""
    port = str(free_port())
    command = [sys.executable, "-u", "-m", "http.server", port, "--bind", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, "--directory", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("Serving HTTP")
        yield f"http://127.0.0.1:{port}", partial(end, server)
    finally:
        go_home()
        server.terminate()
        server.communicate(timeout=PATIENCE / 1000)


def settled(
    browser: Browser, address: str, language: str = "en-GB", trouble: str = NO_NETWORK
) -> Page:
    """Give a phone that has been there for as long as it takes to do without a network."""
    page = new_page(browser, language, phone=True, trouble=trouble, worker=True)
    for script in (AT_ONCE, STRICT):
        page.context.add_init_script(script)
    page.goto(address)
    expect(page.locator("[data-kept=ready]")).to_be_visible()
    return page


def without_network(
    browser: Browser, address: str, language: str = "en-GB", trouble: str = NO_NETWORK
) -> Page:
    """Give a phone that has been there, has no network any more, and opens the page anew."""
    page = settled(browser, address, language, trouble)
    page.context.set_offline(True)
    page.reload()
    return page


def go_to(page: Page, place: str) -> None:
    """Go to a place in a site, as its address names it."""
    page.goto(page.url.partition("#")[0] + f"#{place}")
