"""What a browser keeps of a device's tables: all that was told, also on a full disk."""

import contextlib

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
