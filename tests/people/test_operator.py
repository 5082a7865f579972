"""Whoever runs the house sees how it stands, and takes names away; secrets stay secret."""

from typing import Any

import msgspec
import pytest

from tests.stores import Opener, again, conform
from tischlein.house.house import House
from tischlein.people.leaving import nameless
from tischlein.people.operator import Operator, operators_key, renamed_record
from tischlein.people.profiles import Profiles
from tischlein.store import KeptRecord, Store
from tischlein.table.needs import Conflict

__all__ = ["again"]


@conform
async def test_the_key_is_made_once(store: Store, again: Opener) -> None:
    other = await again()
    key = await operators_key(store)
    assert len(key) > 40
    assert await operators_key(other) == key
    await other.close()


@conform
async def test_the_house_at_a_glance(store: Store, again: Opener) -> None:
    house = House(store)
    table = await house.open("sushizock", 2, {})
    _, token = await table.seating.join("Ina")
    profiles = Profiles(store, house.now)
    anna = await profiles.make("Anna")
    login = await profiles.let_in(anna.id, "phone")
    operator = Operator(house)
    found = await operator.look()
    counted = found.open, found.playing, found.asleep, found.kept, found.profiles, found.logins
    assert counted == (1, 0, 0, 1, 1, 1)
    assert found.bytes > 0
    seen = await operator.look_at(table.book.name)
    assert seen is not None
    assert [seat.name for seat in seen.seats] == ["Ina", None]
    text = msgspec.json.encode([found, seen]).decode()
    secrets = (token, login, table.book.seed, await operator.key(), anna.id,
               str(table.book.chairs[0].token))  # fmt: skip
    assert [secret for secret in secrets if secret in text] == []
    assert await operator.look_at("nowhere") is None
    asleep = await Operator(House(store)).look()
    assert (asleep.open, asleep.asleep) == (0, 1)


@conform
async def test_a_profile_s_name_is_taken_away(store: Store, again: Opener) -> None:
    operator = Operator(House(store))
    profiles = Profiles(store, lambda: 1000.0)
    anna, bo, other = [await profiles.make(name) for name in ("Anna", "Bo", "Bo")]
    assert await operator.rename_profile("Cy", None) is None
    renamed = await operator.rename_profile("Anna", None)
    assert renamed is not None
    assert (renamed.before, renamed.after) == ("Anna", "somebody")
    with pytest.raises(Conflict) as several:
        await operator.rename_profile("Bo", None)
    assert bo.id in str(several.value)
    assert other.id in str(several.value)
    await operator.rename_profile(bo.id, "Mia")
    names = [found.name for found in (await profiles.all([anna.id, bo.id, other.id])).values()]
    assert sorted(names) == ["Bo", "Mia", "somebody"]


@conform
async def test_a_name_is_taken_out_of_records_too(store: Store, again: Opener) -> None:
    house = House(store)
    table = await house.open("sushizock", 2, {})
    await table.seating.join("Rude")
    await table.seating.join("Ina")
    record = '{"format":"tischlein/1","seats":["Rude","Ina"]}\n{"by":0,"do":"Rude"}'
    theirs = record.replace("Rude", "Tom", 1)
    await store.keep(KeptRecord(table.book.name, 1, record, 1.0))
    await store.keep(KeptRecord(table.book.name, 2, theirs, 1.0))
    assert await Operator(house).rename(table.book.name, 0, None) is not None
    first = await store.record(table.book.name, 1)
    assert first == record.replace("Rude", "somebody", 1)
    assert await store.record(table.book.name, 2) == theirs, "who sat there before keeps theirs"
    assert await Operator(house).rename("nowhere", 0, None) is None
    assert await Operator(house).close("nowhere") is False


@conform
async def test_who_goes_while_a_name_is_taken_out_of_a_record_stays_gone(
    store: Store, again: Opener
) -> None:
    """Else: the record is written back as it was read, with the name of who went meanwhile."""
    house = House(store)
    table = await house.open("sushizock", 2, {})
    for name in ("Rude", "Bo"):
        await table.seating.join(name)
    name, record = table.book.name, '{"seats":["Rude","Bo"]}\n'
    await store.keep(KeptRecord(name, 1, record, 1.0))
    ask = store.ask

    async def ask_late(words: str, *values: Any) -> list[Any]:
        rows = await ask(words, *values)
        if words.startswith("SELECT game, record"):
            gone = "UPDATE records SET record = $1 WHERE record = $2"
            await ask(gone, nameless(record, [1]), record)
        return rows

    store.ask = ask_late  # type: ignore[method-assign]
    await Operator(house).rename(name, 0, None)
    assert await store.record(name) == '{"seats":["somebody","somebody"]}\n'
    for found in house.tables.values():
        found.stop()


def test_only_the_name_in_that_seat_is_changed() -> None:
    record = '{"seats":["A","A"]}\n{"by":0}'
    assert renamed_record(record, 1, "A", "B") == '{"seats":["A","B"]}\n{"by":0}'
    assert renamed_record(record, 1, "C", "B") == record
    assert renamed_record(record, 5, "A", "B") == record
