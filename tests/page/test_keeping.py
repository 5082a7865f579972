"""What a browser keeps of a device's tables: all that was told, also on a full disk."""

import contextlib
import tracemalloc
from sqlite3 import IntegrityError

import pytest

from tests.page.device import Browser, device
from tischlein.game import IllegalMove
from tischlein.page.keeping import PIECE, PageStore
from tischlein.page.together import marks
from tischlein.store import StoreDown
from tischlein.store.moving import check


async def test_a_table_is_there_when_the_page_comes_back() -> None:
    browser = Browser()
    async with device(browser) as first:
        name = await first.open()
        await first.play(name, 5)
        before = await marks(first.store)
    async with device(browser) as again:
        assert await marks(again.store) == before
        again.tokens = first.tokens
        assert (await again.play(name)).book.is_over


async def test_on_a_full_disk_nobody_is_told_of_a_move_and_nothing_is_lost() -> None:
    browser = Browser()
    async with device(browser) as one:
        name = await one.open()
        await one.play(name, 3)
        kept = browser.all()
        browser.is_full = True
        with pytest.raises(StoreDown):
            await one.play(name, 1)
        assert browser.all() == kept
        browser.is_full = False
        with contextlib.suppress(IllegalMove):
            await one.play(name, 1)  # it had been made, and goes with the next one
        assert (await one.play(name)).book.is_over
        played = await marks(one.store)
    async with device(browser) as again:
        await check(again.store)
        assert await marks(again.store) == played


async def test_only_what_has_changed_is_written() -> None:
    browser = Browser()
    async with device(browser) as one:
        name = await one.open()
        await one.play(name, 1)
        browser.writes.clear()
        await one.play(name, 1)
        assert sum(browser.writes) < len(browser.all()) / PIECE / 2


MUCH = """
    INSERT INTO entries WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 5000)
    SELECT '0much', n, zeroblob(4096) FROM n
"""
"""Writes as much as many games do, and more than SQLite keeps out of its log."""
SPOILT = """
    UPDATE entries SET entry = zeroblob(4000), number = min(number, 4999) WHERE name = '0much'
"""
"""Changes all of that, and fails at the last."""
WHOLE = "SELECT count(*) FROM entries WHERE name = '0much' AND length(entry) = 4096"


async def test_a_move_costs_no_more_where_a_thousand_games_are_kept() -> None:
    """A move looks at what it changes, and not at all the rest."""
    browser = Browser()
    async with device(browser) as one:
        await one.store.ask(MUCH)
        name = await one.open()
        await one.play(name, 1)
        tracemalloc.start()
        try:
            await one.play(name, 1)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most < len(browser.all()) / 10


async def test_what_was_taken_back_is_not_kept() -> None:
    browser = Browser()
    async with device(browser) as one:
        name = await one.open()
        await one.store.ask(MUCH)
        with pytest.raises(IntegrityError):
            await one.store.ask(SPOILT)
        await one.play(name, 1)
        told = await marks(one.store)
    async with device(browser) as again:
        assert await marks(again.store) == told
        assert await again.store.ask(WHOLE) == [(5000,)]


@pytest.mark.parametrize("kept", [b"nonsense", bytes(3 * PIECE), b"SQLite format 3\0" * 256])
def test_what_is_no_store_of_ours_is_said_and_stays(kept: bytes) -> None:
    browser = Browser()
    with pytest.raises(ValueError, match="what was kept cannot be read"):
        PageStore(browser.keep, kept)
    assert browser.writes == []


async def test_a_torn_store_is_said() -> None:
    browser = Browser()
    async with device(browser) as one:
        await one.play(await one.open())
    whole = browser.all()
    middle = len(whole) // 2 // PIECE * PIECE
    torn = whole[:middle] + bytes(PIECE) + whole[middle + PIECE :]
    with pytest.raises(ValueError, match="what was kept cannot be read"):
        PageStore(browser.keep, torn)
