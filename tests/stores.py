"""One store of each kind, for whatever must hold with all of them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.waiting import LIMIT
from tischlein.store import Store, open_store

KINDS = ("sqlite", "postgresql")
Opener = Callable[[], Awaitable[Store]]
"""Opens the same store once more."""


@pytest.fixture(params=KINDS)
def again(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Give a way to open a new, empty store of each kind, any number of times."""
    address = str(tmp_path / "tables.sqlite")
    if request.param == "postgresql":
        address = request.getfixturevalue("postgresql").new_database()
    return lambda: open_store(address)


def conform(
    test: Callable[[Store, Opener], Awaitable[None]],
) -> Callable[[Opener], Awaitable[None]]:
    """Run a check on every store."""

    async def run(again: Opener) -> None:
        store = await again()
        try:
            await asyncio.wait_for(test(store, again), LIMIT)
        finally:
            await store.close()

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run
