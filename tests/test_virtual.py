"""Virtual time keeps its promises: hours pass at once, and none while somebody is at work."""

import asyncio
from pathlib import Path

import pytest

from tests.virtual import VirtualStore
from tests.waiting import LIMIT, until
from tischlein.store import Page


@pytest.mark.virtual_time
async def test_hours_pass_at_once_and_in_order() -> None:
    rung: list[float] = []

    async def ring(after: float) -> None:
        await asyncio.sleep(after)
        rung.append(asyncio.get_running_loop().time() - begun)

    begun = asyncio.get_running_loop().time()
    await asyncio.gather(*(ring(after) for after in (3600.0, 0.5, 86_400.0)))
    assert rung == pytest.approx([0.5, 3600.0, 86_400.0])


@pytest.mark.virtual_time
async def test_no_time_passes_while_a_store_writes(tmp_path: Path) -> None:
    store, loop = VirtualStore(tmp_path / "t.sqlite"), asyncio.get_running_loop()
    begun, soon = loop.time(), asyncio.create_task(asyncio.sleep(0.001))
    await store.append(Page("a", 1, [b"x" * 100_000], 1.0, True))
    assert await store.load("a") == [b"x" * 100_000]
    await store.close()
    assert loop.time() == begun
    await soon


@pytest.mark.virtual_time
async def test_what_never_comes_is_not_waited_for_long() -> None:
    begun = asyncio.get_running_loop().time()
    with pytest.raises(TimeoutError):
        await until(lambda: False)
    assert asyncio.get_running_loop().time() - begun == pytest.approx(LIMIT, abs=0.1)
