"""The same tables on two devices: nothing is lost, nothing is there twice."""

import pytest

from tests.page.device import Device, device
from tischlein.house.house import is_of_a_device
from tischlein.page.together import Merged, entries_of, marks, merge, name_of, shared
from tischlein.people.carried import mark_of
from tischlein.store.moving import BadStore, check


async def bring(one: Device, other: Device, name: str) -> Merged:
    """Bring what a device has of a table to another one, which may go on with it then."""
    found = await merge(other.house, name, await one.entries(name))
    other.tokens[name] = one.tokens[name]
    await check(other.store)
    return found


async def test_a_table_goes_on_with_another_device_and_back() -> None:
    async with device() as train, device() as home:
        name = await train.open()
        assert is_of_a_device(name)
        await train.play(name, 5)
        assert await bring(train, home, name) == Merged("theirs")
        assert await bring(train, home, name) == Merged("same")
        await home.play(name, 5)
        assert await bring(train, home, name) == Merged("ours")
        assert await bring(home, train, name) == Merged("theirs")
        assert await marks(train.store) == await marks(home.store)
        table = await train.play(name)
        assert table.book.is_over
        assert await bring(train, home, name) == Merged("theirs")
        assert await home.store.record(name, 1) == await train.store.record(name, 1) is not None


async def test_what_went_on_apart_is_all_there_and_each_game_once() -> None:
    async with device() as train, device() as home:
        name = await train.open()
        await train.play(name)  # the first game is over on both
        seating = (await train.table(name)).seating
        await seating.again(0, "chance")
        await seating.start(0)
        await train.play(name, 3)
        await bring(train, home, name)
        await train.play(name, which=0)
        await home.play(name, which=1)
        ours, theirs = await home.entries(name), await train.entries(name)
        found = await bring(train, home, name)
        assert found.came == "theirs"
        assert found.apart is not None
        assert is_of_a_device(found.apart)
        assert found.games == (2,)
        assert await home.entries(name) == theirs
        assert await home.entries(found.apart) == ours
        assert await home.store.record(name, 2) == await train.store.record(name, 2)
        assert await home.store.record(found.apart, 2) != await train.store.record(name, 2)
        assert await bring(train, home, name) == Merged("same")
        assert len(await marks(home.store)) == 2
        home.tokens[found.apart] = home.tokens[name]
        assert await bring(home, train, found.apart) == Merged("theirs")
        assert await marks(train.store) == await marks(home.store)


async def test_a_tail_without_a_move_gives_way() -> None:
    async with device() as train, device() as home:
        name = await train.open()
        await train.play(name, 4)
        await bring(train, home, name)
        table = await home.table(name)
        await table.seating.choose_stand_in(0, None, "easy")
        assert len(await home.entries(name)) > len(await train.entries(name))
        await train.play(name, 2)
        assert (await bring(train, home, name)).apart is None
        assert await marks(train.store) == await marks(home.store)
        await train.play(name, 1)
        await (await home.table(name)).seating.choose_stand_in(0, None, "hard")
        assert await bring(home, train, name) == Merged("ours")


async def test_a_table_where_somebody_looks_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tischlein.page.together.PATIENCE", 1)
    async with device() as train, device() as home:
        name = await train.open()
        await train.play(name, 4)
        await bring(train, home, name)
        await train.play(name, 4)
        await home.play(name, 1, which=1)
        before = await home.entries(name)
        (await home.table(name)).presence.listeners[object()] = None  # type: ignore[index]
        assert await merge(home.house, name, await train.entries(name)) == Merged("busy")
        assert await home.entries(name) == before


async def test_what_cannot_have_been_played_changes_nothing() -> None:
    async with device() as train, device() as home:
        name = await train.open()
        await train.play(name, 4)
        lines = await train.entries(name)
        rolled = next(n for n, line in enumerate(lines) if '"nature"' in line)
        forged = [*lines[:rolled], lines[rolled].replace('"t":', '"t":1'), *lines[rolled + 2 :]]
        for wrong in (["{}"], lines[1:], forged, [*lines, "nonsense"]):
            with pytest.raises(BadStore):
                await merge(home.house, name, wrong)
        assert await marks(home.store) == {}
        assert await entries_of(home.store, name) == []


def test_a_name_and_a_mark_are_given_by_all_that_happened() -> None:
    assert name_of([b"a", b"b"]) != name_of([b"a", b"c"])
    assert is_of_a_device(name_of([b"a"]))
    assert mark_of(["a", "b"]) != mark_of(["a", "c"])
    assert shared([b"a", b"b"], [b"a", b"c"]) == 1
    assert shared([b"a"], [b"a", b"c"]) == 1
    assert shared([], [b"a"]) == 0
