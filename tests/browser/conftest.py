"""What all browser tests share: one Chromium and a few servers, started when first needed."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.house import House, open_browser, put_away


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


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A house that a test may stop and start."""
    with House(tmp_path) as found:
        yield found
