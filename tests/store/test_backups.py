"""Back-ups: whole, of one moment, for their owner alone; what went wrong leaves nothing behind."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from tests.engines import Postgresql
from tischlein.house.house import House
from tischlein.store import Page, Store, backups, open_store
from tischlein.store.moving import BadStore


async def some_table(store: Store, tables: int) -> None:
    """Set some tables at which one person sits."""
    house = House(store)
    for _ in range(tables):
        table = await house.open("sushizock", 2, {})
        await table.seating.join("Ina")


async def test_a_copy_is_of_one_moment_while_others_write(tmp_path: Path) -> None:
    source, copy = tmp_path / "tables.sqlite", tmp_path / "copy"
    store = await open_store(str(source))
    await some_table(store, 40)
    writing = asyncio.create_task(some_table(store, 40))
    await asyncio.to_thread(backups.copy, source, made(copy))
    await writing
    found = await open_store(str(copy))
    told = {table.name: table.entries for table in await found.tables("", 999)}
    assert len(told) >= 40
    for name, entries in told.items():
        assert len(await found.load(name)) == entries
    await found.close()
    await store.close()


def made(file: Path) -> Path:
    """Make an empty file."""
    file.touch()
    return file


@pytest.mark.parametrize("portable", [False, True])
async def test_it_is_for_its_owner_and_opens(tmp_path: Path, portable: bool) -> None:
    address, file = str(tmp_path / "tables.sqlite"), tmp_path / "copy"
    store = await open_store(address)
    await some_table(store, 3)
    await backups.write(address, store, file, portable)
    assert file.stat().st_mode & 0o777 == 0o600
    assert (await backups.check(file)).startswith("3 tables with 6 entries")
    with pytest.raises(FileExistsError):
        await backups.write(address, store, file, portable)
    target = str(tmp_path / "new" / "tables.sqlite")
    await backups.restore(file, target)
    again = await open_store(target)
    assert len(await again.tables("", 9)) == 3
    with pytest.raises(BadStore, match="there already"):
        await backups.restore(file, target)
    assert Path(target).stat().st_mode & 0o777 == 0o600
    await again.close()
    await store.close()


async def test_of_postgresql_it_is_lines_that_sqlite_reads_too(
    postgresql: Postgresql, tmp_path: Path
) -> None:
    address, file = postgresql.new_database(), tmp_path / "copy"
    store = await open_store(address)
    await some_table(store, 3)
    assert "3 tables" in await backups.write(address, store, file, portable=False)
    assert "3 tables" in await backups.check(file)
    assert "3 tables" in await backups.restore(file, postgresql.new_database())
    await store.close()


async def test_what_went_wrong_leaves_no_half_file(tmp_path: Path) -> None:
    address, file = str(tmp_path / "tables.sqlite"), tmp_path / "copy"
    store = await open_store(address)
    await store.append(Page("t1", 1, [b"no entry"], 1.0, False))
    with pytest.raises(BadStore):
        await backups.write(address, store, file, portable=True)
    made(tmp_path / "broken").write_bytes(b"SQLite format 3\0, or so")
    with pytest.raises(sqlite3.DatabaseError):
        await backups.write(str(tmp_path / "broken"), store, file, portable=False)
    assert not file.exists()
    await store.close()


async def test_what_is_no_back_up_is_told(tmp_path: Path) -> None:
    for text in (b"", b"{}", b"SQLite format 3\0 and then nonsense"):
        file = tmp_path / "file"
        file.write_bytes(text)
        with pytest.raises((BadStore, sqlite3.DatabaseError)):
            await backups.check(file)
