"""What every move and every look at the first page asks is found by an index, in both engines."""

import re
from collections.abc import Callable
from typing import Any

from tests.stores import Opener, again, conform
from tischlein.house import offers
from tischlein.people import history, ratings
from tischlein.people.profiles import Profiles
from tischlein.people.strength import ALL_TIME
from tischlein.people.subscriptions import Subscriptions
from tischlein.store import Store, alarms
from tischlein.store.sql import FORGET_WITH_SERVERS

__all__ = ["again"]

MANY = 20_000
FULL = {
    "tables": "'t' || i, 30, i, true",
    "alarms": "'t' || i, i",
    "offers": "'t' || i, '', $1, i",
    "pushes": "'t' || i, 0, 'e' || i, $1, i",
    "profiles": "'p' || i, i, i, $1",
    "logins": "'l' || i, 'p' || i, i, i, 'phone'",
    "sits": "'p' || i, 't' || i, i",
    "played": "'t' || i, 1, 0, 'p' || i, i, 0",
    "ratings": "'p' || i, 'g', 'all', 1000, 50, 9, i, 1, 0, ''",
    "codes": "'c' || i, 'p' || i, 'paper', 1e12",
    "cups": "'c' || i, 1, i, $1",
}
"""What a large house keeps, row by row."""
READ_THROUGH = re.compile(r"SCAN (\w+)(?! USING| \w+ USING)|Seq Scan on (\w+)")


async def fill(store: Store) -> None:
    """Keep much of everything."""
    for table, row in FULL.items():
        values = [b'{"name":"Anna"}'] if "$1" in row else []
        await store.ask(
            f"INSERT INTO {table} WITH RECURSIVE n(i) AS"
            f" (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) SELECT {row} FROM n",
            *values,
        )
    if "postgresql" in type(store).__module__:
        await store.ask("ANALYZE")


def watched(store: Store) -> Callable[[], set[str]]:
    """Give what tells which large tables were read through since."""
    ask, is_sqlite = store.ask, "sqlite" in type(store).__module__
    explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
    found: set[str] = set()

    async def ask_and_look(words: str, *values: Any) -> list[Any]:
        plan = "\n".join(str(row[-1]) for row in await ask(explain + words, *values))
        found.update(one or other for one, other in READ_THROUGH.findall(plan))
        return await ask(words, *values)

    store.ask = ask_and_look  # type: ignore[method-assign]
    return lambda: found & FULL.keys()


@conform
async def test_nothing_that_many_ask_is_read_through(store: Store, again: Opener) -> None:
    await fill(store)
    read_through = watched(store)
    profiles = Profiles(store, lambda: 1.0)
    names = [f"t{n}" for n in range(1, 61)]
    await profiles.known("nobody's")
    await profiles.get("p7")
    await profiles.tables("p7", 30)
    await profiles.logins("p7")
    await store.load("t7")
    await store.glance(names)
    await store.take(names, "here")
    await store.show("t7", "here", b"1")
    await alarms.claim(store, 90.0, 91.0, 50)
    await Subscriptions(store, lambda: 1.0).at("t0")
    await history.History(store).games("p7", history.NEWEST)
    await ratings.Ratings(store).of("p7")
    await ratings.Ratings(store).board("g", ALL_TIME)
    assert read_through() == set()


@conform
async def test_open_tables_are_found_though_thousands_wait_for_days(
    store: Store, again: Opener
) -> None:
    """Else: whoever opens many slow tables to everybody stops all others' moves at every look."""
    await fill(store)
    read_through = watched(store)
    found = await store.ask(offers.READ_SLOW, 20)
    assert len(found) == 20
    assert await store.ask(offers.READ, 20) == []
    await store.ask(offers.MINE, "here")
    for words in FORGET_WITH_SERVERS:
        await store.ask(words)
    assert read_through() == set()
