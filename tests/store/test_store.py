"""One conformance suite for every store."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tischlein.store import Store, Taken
from tischlein.store.sqlite import VERSION, SqliteStore, open_database

Opener = Callable[[Path], Awaitable[Store]]


async def open_sqlite(folder: Path) -> Store:
    return SqliteStore(folder / "tables.sqlite")


STORES: dict[str, Opener] = {"sqlite": open_sqlite}


async def opened(kind: str, folder: Path) -> AsyncIterator[Store]:
    store = await STORES[kind](folder)
    yield store
    await store.close()


def conform(test: Callable[[Store, Path], Awaitable[None]]) -> Callable[[str, Path], None]:
    """Run a check on every store."""

    @pytest.mark.parametrize("kind", STORES)
    def run(kind: str, tmp_path: Path) -> None:
        async def check() -> None:
            store = await STORES[kind](tmp_path)
            try:
                await asyncio.wait_for(test(store, tmp_path), 30)
            finally:
                await store.close()

        asyncio.run(check())

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    return run


@conform
async def test_what_is_appended_is_loaded_in_order(store: Store, folder: Path) -> None:
    await store.append("a", 1, [b"one", b"two"], 1.0, True)
    await store.append("a", 3, [b"three"], 2.0, True)
    await store.append("b", 1, ["ünï".encode()], 2.0, False)
    assert await store.load("a") == [b"one", b"two", b"three"]
    assert await store.load("a", after=2) == [b"three"]
    assert await store.load("b") == ["ünï".encode()]
    assert await store.load("nobody's") == []


@conform
async def test_a_number_is_written_once(store: Store, folder: Path) -> None:
    await store.append("a", 1, [b"one"], 1.0, True)
    for first in (1, 3, 0, -1):
        with pytest.raises(Taken):
            await store.append("a", first, [b"other", b"more"], 1.0, True)
    assert await store.load("a") == [b"one"]


@conform
async def test_of_many_writers_one_wins(store: Store, folder: Path) -> None:
    writes = [store.append("a", 1, [f"{n}".encode()], 1.0, True) for n in range(50)]
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, Taken) for result in results) == 49
    winner = results.index(None)
    assert await store.load("a") == [f"{winner}".encode()]


@conform
async def test_many_tables_at_once(store: Store, folder: Path) -> None:
    async def fill(table: str) -> None:
        for number in range(1, 21):
            await store.append(table, number, [f"{table}{number}".encode()], 1.0, True)

    await asyncio.gather(*(fill(f"t{n}") for n in range(30)))
    for n in range(30):
        assert await store.load(f"t{n}") == [f"t{n}{m}".encode() for m in range(1, 21)]
    assert len(await store.live()) == 30


@conform
async def test_live_tables_are_listed(store: Store, folder: Path) -> None:
    await store.append("a", 1, [b"x"], 1.0, True)
    await store.append("b", 1, [b"x"], 1.0, False)
    assert await store.live() == ["a"]
    await store.append("a", 2, [b"end"], 2.0, False)
    assert await store.live() == []


@conform
async def test_old_tables_are_tidied_and_records_stay(store: Store, folder: Path) -> None:
    await store.append("old", 1, [b"x"], 10.0, False, (1, "first"))
    await store.append("old", 2, [b"y"], 11.0, False, (2, "second"))
    await store.append("new", 1, [b"x"], 30.0, False)
    with pytest.raises(Taken):
        await store.append("old", 2, [b"z"], 11.0, False, (3, "never"))
    assert await store.tidy(20.0) == ["old"]
    assert await store.load("old") == []
    assert await store.load("new") == [b"x"]
    assert await store.record("old", 1) == "first"
    assert await store.record("old") == "second"
    assert await store.record("old", 3) is None
    assert await store.record("new") is None


@conform
async def test_a_job_that_fails_harms_no_other(store: Store, folder: Path) -> None:
    with pytest.raises(OverflowError):
        await store.record("a", 10**30)
    await store.append("a", 1, [b"x"], 1.0, True)
    assert await store.load("a") == [b"x"]


@conform
async def test_a_cancelled_writer_harms_nobody(store: Store, folder: Path) -> None:
    writing = asyncio.ensure_future(store.append("a", 1, [b"x"], 1.0, True))
    await asyncio.sleep(0)
    writing.cancel()
    await store.append("b", 1, [b"y"], 1.0, True)
    assert await store.load("b") == [b"y"]


@conform
async def test_what_is_kept_survives_closing(store: Store, folder: Path) -> None:
    await store.append("a", 1, [b"x"], 1.0, True)
    other = await STORES["sqlite"](folder)
    assert await other.load("a") == [b"x"]
    await other.close()


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "newer.sqlite"
    db = sqlite3.connect(file)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(RuntimeError, match="newer Tischlein"):
        open_database(str(file))


def test_a_full_disk_is_told_to_all_who_wait(tmp_path: Path) -> None:
    async def check() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        await store.append("a", 1, [b"x"], 1.0, True)
        store._db.execute("PRAGMA max_page_count = 1")
        big = [b"x" * 200_000]
        with pytest.raises(sqlite3.OperationalError, match="full"):
            await store.append("a", 2, big, 1.0, True)
        store._db.execute("PRAGMA max_page_count = 100000")
        await store.append("a", 2, big, 1.0, True)
        assert len(await store.load("a")) == 2
        await store.close()

    asyncio.run(check())
