"""Alarms of sleeping tables, in both engines: one server hears each, and none is lost."""

import asyncio

from tests.stores import Opener, again, conform
from tischlein.store import Page, Store
from tischlein.store.alarms import claim, move
from tischlein.table.needs import NEVER

__all__ = ["again"]


def page(table: str, first: int, alarm: float | None) -> Page:
    """Give a page that sets an alarm."""
    return Page(table, first, [b"{}"], 5.0, True, alarm=alarm)


async def kept(store: Store) -> dict[str, float]:
    """Read all alarms."""
    return {row[0]: row[1] for row in await store.ask("SELECT name, due FROM alarms")}


@conform
async def test_a_page_sets_an_alarm_or_leaves_it(store: Store, again: Opener) -> None:
    await store.append(page("a", 1, 10.0))
    await store.append(page("b", 1, None))
    assert await kept(store) == {"a": 10.0}
    await store.append(page("a", 2, None))
    assert await kept(store) == {"a": 10.0}
    await store.append(page("a", 3, 20.0))
    assert await kept(store) == {"a": 20.0}
    await store.append(page("a", 4, NEVER))
    assert await kept(store) == {}


@conform
async def test_an_alarm_is_heard_by_one(store: Store, again: Opener) -> None:
    other = await again()
    for number in range(20):
        await store.append(page(f"t{number:02}", 1, 10.0 + number))
    heard = await asyncio.gather(*(claim(s, 29.0, 60.0, 8) for s in (store, other) * 4))
    names = [name for each in heard for name in each]
    assert sorted(names) == sorted(set(names))
    rest = await claim(store, 29.0, 60.0, 99)
    assert sorted(names + rest) == [f"t{number:02}" for number in range(20)]
    assert await claim(other, 59.0, 90.0, 99) == []
    assert len(await claim(other, 60.0, 90.0, 99)) == 20
    await other.close()


@conform
async def test_the_earliest_ring_first(store: Store, again: Opener) -> None:
    for number in (3, 1, 2):
        await store.append(page(f"t{number}", 1, float(number)))
    assert sorted(await claim(store, 9.0, 60.0, 2)) == ["t1", "t2"]


@conform
async def test_what_was_written_meanwhile_counts(store: Store, again: Opener) -> None:
    await store.append(page("a", 1, 10.0))
    assert await claim(store, 10.0, 60.0, 9) == ["a"]
    await store.append(page("a", 2, 30.0))
    await move(store, "a", 60.0, 99.0)
    await move(store, "a", 60.0, NEVER)
    assert await kept(store) == {"a": 30.0}
    await move(store, "a", 30.0, 99.0)
    assert await kept(store) == {"a": 99.0}
    await move(store, "a", 99.0, NEVER)
    assert await kept(store) == {}


@conform
async def test_tidying_leaves_a_table_with_an_alarm(store: Store, again: Opener) -> None:
    await store.append(page("a", 1, 10.0))
    await store.append(page("b", 1, NEVER))
    assert await store.tidy(99.0, 99.0) == ["b"]
