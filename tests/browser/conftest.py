"""What all browser tests share: one Chromium and a few servers, started when first needed."""

from asyncio import AbstractEventLoop, events
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.house import House, open_browser, put_away
from tests.browser.offline import FOLDER, address_in, files_served
from tests.own import EXAMPLE, nothing_stays
from tischlein.page.site import write_site

ASIDE: list[AbstractEventLoop | None] = [None]
"""The browser's event loop, which goes on between its tests: no other test must meet it."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Bring the browser's loop back for a test of this folder, and lay it aside again."""
    if Path(__file__).parent in item.path.parents:
        events._set_running_loop(ASIDE[0])
    try:
        return (yield)
    finally:
        ASIDE[0] = events._get_running_loop() or ASIDE[0]
        events._set_running_loop(None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Fail a test if anything went wrong on its pages."""
    try:
        return (yield)
    finally:
        trouble = put_away()
        assert not trouble, "\n".join(trouble)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found
        events._set_running_loop(ASIDE[0] or events._get_running_loop())  # after whatever test
        ASIDE[0] = None


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(scope="session")
def quick_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose bots do not wait until their time has come."""
    with House(tmp_path_factory.mktemp("quick"), bot_pause=0.0) as found:
        yield found


@pytest.fixture(scope="session")
def race_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house where a photo finish can be looked at between two rolls."""
    with House(tmp_path_factory.mktemp("race"), race_pause=1_000) as found:
        yield found


@pytest.fixture(scope="session")
def photo_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house where the first photo finish stays."""
    with House(tmp_path_factory.mktemp("photo"), race_pause=600_000) as found:
        yield found


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A static site under a path of its own, with a game of one file."""
    root = tmp_path_factory.mktemp("host")
    with nothing_stays():
        write_site(root / FOLDER, [EXAMPLE])
    with files_served(root) as address:
        yield address_in(address)


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A house that a test may stop and start."""
    with House(tmp_path) as found:
        yield found
