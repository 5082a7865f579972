"""Somebody who comes back is known again, and nobody else is."""

from tests.stores import Opener, again, conform
from tischlein.people.profiles import SEEN_ABOUT, Profiles
from tischlein.store import Store
from tischlein.table.book import fingerprint

__all__ = ["again"]


@conform
async def test_a_device_speaks_for_one_profile(store: Store, again: Opener) -> None:
    now = [1000.0]
    profiles = Profiles(store, lambda: now[0])
    anna, bo = await profiles.make("  Anna "), await profiles.make("Bo")
    token = await profiles.let_in(anna.id, "phone")
    assert (anna.name, await profiles.known(token)) == ("Anna", anna.id)
    assert await profiles.known(token + "x") is None
    assert await profiles.known(fingerprint(token)) is None
    assert await profiles.all([anna.id, bo.id, "nobody"]) == {anna.id: anna, bo.id: bo}
    now[0] += SEEN_ABOUT + 1
    assert await profiles.known(token) == anna.id
    found = await profiles.get(anna.id)
    assert found is not None
    assert found.seen == now[0]


@conform
async def test_all_devices_find_the_tables(store: Store, again: Opener) -> None:
    now = [1000.0]
    profiles = Profiles(store, lambda: now[0])
    anna = await profiles.make("Anna")
    for table in ("a", "b", "a"):
        now[0] += 1
        await profiles.sits(anna.id, table)
    assert await profiles.tables(anna.id, 9) == ["a", "b"]
    assert await profiles.tables("nobody", 9) == []
