"""Whoever runs the house sees how it stands, and takes names away; secrets stay secret."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from tests.stores import Opener, again, conform
from tischlein.game import Refusal
from tischlein.house.house import House
from tischlein.people.cups import Cups
from tischlein.people.operator import Operator, Renaming, operators_key, renamed_record
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
async def test_a_name_is_taken_out_of_its_cup_and_does_not_come_back(
    store: Store, again: Opener
) -> None:
    house = House(store)
    cups = Cups(house, Profiles(store, house.now))
    cup, token = await cups.make("Friday", "sushizock", 2, {}, "at_once", "Ina")
    for name in ("Rude", "Tom"):
        await cups.join(cup, name)
    await cups.start(cup, token)
    (board,) = (await cups.load(cup))[0].boards
    seats = dict(zip(board.people, range(2), strict=True))
    member = next(number for number in board.people if number)
    assert await Operator(house).rename(str(board.table), seats[member], None) is not None
    names = ["Ina", "Rude", "Tom"]
    names[member] = "somebody"
    assert [one.name for one in (await cups.load(cup))[0].members] == names
    await cups.skip_table(cup, token, str(board.table))
    for following in (await cups.load(cup))[0].boards:
        table = await house.find(str(following.table))
        assert table is not None
        assert [chair.name for chair in table.book.chairs] == [names[n] for n in following.people]
    await store.ask("DELETE FROM cups")
    assert await Operator(house).rename(str(board.table), seats[member], "Mia") is not None


@conform
async def test_a_name_and_the_title_are_taken_out_of_a_cup_that_has_not_begun(
    store: Store, again: Opener
) -> None:
    house = House(store)
    cups, operator = Cups(house, Profiles(store, house.now)), Operator(house)
    cup, token = await cups.make("Rude words", "sushizock", 2, {}, "at_once", "Ina")
    for name in ("Rude", "Tom"):
        await cups.join(cup, name)
    seen = await operator.look_at_cup(cup)
    assert seen is not None
    assert [(one.member, one.name, one.host) for one in seen.members] == [
        (0, "Ina", True), (1, "Rude", False), (2, "Tom", False)
    ]  # fmt: skip
    told = msgspec.json.encode(seen).decode()
    secrets = (token, *(one.token for one in (await cups.load(cup))[0].members))
    assert [secret for secret in secrets if secret in told] == []
    assert await operator.rename_in_cup(cup, 1, None) == Renaming("Rude", "somebody")
    assert await operator.rename_in_cup(cup, 2, "Mia") == Renaming("Tom", "Mia")
    assert await operator.rename_in_cup(cup, None, None) == Renaming("Rude words", "Tournament")
    found, version = await cups.load(cup)
    assert (found.title, [one.name for one in found.members]) == (
        "Tournament", ["Ina", "somebody", "Mia"]
    )  # fmt: skip
    assert await operator.rename_in_cup(cup, 1, None) == Renaming("somebody", "somebody")
    assert (await cups.load(cup))[1] == version, "nothing to do, nothing written"
    with pytest.raises(Refusal, match="no member 3; they are 0 to 2"):
        await operator.rename_in_cup(cup, 3, None)
    with pytest.raises(Conflict, match="called that already"):
        await operator.rename_in_cup(cup, 1, "mia")
    with pytest.raises(Refusal):
        await operator.rename_in_cup(cup, 1, "Easy 2")
    assert await operator.rename_in_cup("nosuchcup222", 0, None) is None
    assert await operator.rename_in_cup("nosuchcup222", None, None) is None
    assert await operator.look_at_cup("nosuchcup222") is None


@conform
async def test_a_name_is_taken_out_of_all_tables_of_its_cup_and_their_records(
    store: Store, again: Opener
) -> None:
    house = House(store)
    cups, operator = Cups(house, Profiles(store, house.now)), Operator(house)
    cup, token = await cups.make("Friday", "sushizock", 3, {}, "at_once", "Rude")
    await cups.join(cup, "Tom")
    await cups.start(cup, token)
    (board,) = (await cups.load(cup))[0].boards
    table, seat = str(board.table), board.people.index(0)
    tom = 1 - seat
    names = ["Tom", "Tom"]
    names[seat] = "Rude"
    record = msgspec.json.encode({"seats": names}).decode() + '\n{"by":0}'
    await store.keep(KeptRecord(table, 2, record, 1.0))
    assert await operator.rename_in_cup(cup, 0, None) == Renaming("Rude", "somebody")
    seen = await operator.look_at(table)
    assert seen is not None
    assert seen.seats[seat].name == "somebody"
    assert await store.record(table, 2) == record.replace("Rude", "somebody")
    assert await operator.rename(table, tom, None) == Renaming("Tom", "somebody 2")
    members = [one.name for one in (await cups.load(cup))[0].members]
    assert members == ["somebody", "somebody 2"], "no two of one name"
    with pytest.raises(Refusal, match="nobody sits"):
        await operator.rename(table, 2, None)  # a bot's
    await house.store.ask("DELETE FROM tables")
    later = Operator(House(store))
    assert await later.rename_in_cup(cup, 0, "Mia") == Renaming("somebody", "Mia")
    assert await store.record(table, 2) == record.replace("Rude", "Mia").replace(
        "Tom", "somebody 2"
    )


class Late:
    """A store in which somebody else writes just after something was read, once."""

    def __init__(self, store: Store, read: str, others: Callable[[], Awaitable[object]]) -> None:
        self._store, self._read, self._others = store, read, [others]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def ask(self, words: str, *values: Any) -> list[Any]:
        """Answer with what was so a moment ago."""
        found = await self._store.ask(words, *values)
        if words.startswith(self._read) and self._others:
            await self._others.pop()()
        return found


@conform
async def test_a_cup_that_begins_meanwhile_sets_no_table_under_the_name(
    store: Store, again: Opener
) -> None:
    """Else: the name is gone from the cup and stands at its tables."""
    house, other = House(store), House(store)
    cups = Cups(house, Profiles(store, house.now))
    cup, token = await cups.make("Friday", "sushizock", 2, {}, "at_once", "Ina")
    await cups.join(cup, "Rude")
    other.store = Late(store, "SELECT body, version FROM cups", lambda: cups.start(cup, token))
    assert await Operator(other).rename_in_cup(cup, 1, None) == Renaming("Rude", "somebody")
    (board,) = (await cups.tend(cup)).cup.boards
    seen = await Operator(House(store)).look_at(str(board.table))
    assert seen is not None
    assert sorted(str(seat.name) for seat in seen.seats) == ["Ina", "somebody"]


@conform
async def test_who_leaves_for_good_meanwhile_does_not_come_back(
    store: Store, again: Opener
) -> None:
    record = '{"format":"tischlein/1","seats":["Rude","Ina"]}\n{"by":0}'
    nobody = record.replace("Ina", "somebody")

    async def leave() -> None:
        await store.ask("UPDATE records SET record = $1", nobody)

    house = House(store)
    table = await house.open("sushizock", 2, {})
    await table.seating.join("Rude")
    await store.keep(KeptRecord(table.book.name, 1, record, 1.0))
    house.store = Late(store, "SELECT game, record", leave)
    assert await Operator(house).rename(table.book.name, 0, "Tom") is not None
    assert await store.record(table.book.name, 1) == nobody.replace("Rude", "Tom")


def test_only_the_name_in_that_seat_is_changed() -> None:
    record = '{"seats":["A","A"]}\n{"by":0}'
    assert renamed_record(record, 1, "A", "B") == '{"seats":["A","B"]}\n{"by":0}'
    assert renamed_record(record, 1, "C", "B") == record
    assert renamed_record(record, 5, "A", "B") == record
