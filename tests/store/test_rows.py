"""Rows beside tables: every one that is worth it moves, and what makes no sense alone is found."""

import sqlite3

import pytest

from tests.rows import PROFILE, fill_rows
from tests.stores import Opener, again, conform
from tischlein.store import KeptRecord, Page, Store
from tischlein.store.keys import STAY
from tischlein.store.rows import (
    AT_ONCE,
    MOVES,
    NEEDS,
    SHAPES,
    STAYS,
    bring_row,
    dangling,
    rows_of,
)
from tischlein.store.schema import MIGRATIONS

__all__ = ["again"]
KINDS = {"TEXT": str, "INTEGER": int, "REAL": float, "BLOB": bytes}


def test_every_table_of_the_schema_moves_or_is_known_to_stay() -> None:
    db = sqlite3.connect(":memory:")
    for words in "".join(step.sqlite for step in MIGRATIONS[2:]).split(";"):
        db.execute(words)
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert names == {*MOVES, *STAYS} == {*SHAPES}
    for name in names:
        told = db.execute(f"PRAGMA table_info({name})").fetchall()
        assert {row[1]: KINDS[row[2]] for row in told} == SHAPES[name].columns
        key = sorted((row[5], row[1]) for row in told if row[5])
        assert tuple(column for _, column in key) == SHAPES[name].key
    db.close()


@conform
async def test_rows_are_read_page_by_page_and_come_in_once(store: Store, again: Opener) -> None:
    many = AT_ONCE + 3
    for n in range(many):
        values = {"profile": f"p{n % 7}", "name": f"t{n:05}", "at": float(n)}
        assert await bring_row(store, "sits", values)
    found = [row async for row in rows_of(store, "sits")]
    assert len(found) == many
    assert found == sorted(found, key=lambda row: (row["profile"], row["name"]))
    assert await bring_row(store, "sits", found[0])
    assert not await bring_row(store, "sits", found[0] | {"at": 5.5})
    assert [row async for row in rows_of(store, "sits")] == found


@conform
async def test_the_keys_of_a_house_itself_do_not_move(store: Store, again: Opener) -> None:
    for name in (*STAY, "vapid"):
        await bring_row(store, "keys", {"name": name, "body": "AAEC"})
    assert [row["name"] async for row in rows_of(store, "keys")] == ["vapid"]


@conform
async def test_what_makes_no_sense_alone_is_found(store: Store, again: Opener) -> None:
    await store.append(Page("t1", 1, [b"{}"], 1.0, False, alarm=5.0))
    await store.keep(KeptRecord("t1", 1, "{}", 1.0))
    await fill_rows(store, "t1")
    assert await dangling(store) is None
    lacking = {"profiles": f"DELETE FROM profiles WHERE id = '{PROFILE}'",
               "records": "DELETE FROM records", "tables": "DELETE FROM tables"}  # fmt: skip
    for table, other, _ in reversed(NEEDS):
        await store.ask(lacking[other])
        found = await dangling(store)
        assert found is not None
        assert f"there are no {other} for it" in found or other != "records"
        await store.ask(f"DELETE FROM {table}")
    assert await dangling(store) is None


@conform
async def test_a_snapshot_stays_as_it_was(store: Store, again: Opener) -> None:
    await store.append(Page("t1", 1, [b"one"], 1.0, False))
    async with store.snapshot() as still:
        assert len(await still.tables("", 9)) == 1
        await store.append(Page("t2", 1, [b"two"], 1.0, False))
        await store.append(Page("t1", 2, [b"three"], 1.0, False))
        assert [table.name for table in await still.tables("", 9)] == ["t1"]
        assert await still.load("t1") == [b"one"]
    assert len(await store.tables("", 9)) == 2
    assert await store.size() > 1000


@pytest.mark.parametrize("table", MOVES)
def test_every_row_has_a_name(table: str) -> None:
    assert SHAPES[table].key
    assert set(SHAPES[table].key) <= SHAPES[table].columns.keys()
