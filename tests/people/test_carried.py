"""Tables of devices that somebody carries along: kept once, counted once, nobody else's."""

import threading
import tracemalloc
import zlib
from collections.abc import Sequence
from types import SimpleNamespace

import msgspec
import pytest

from tests.page.device import Device, device
from tests.stores import Opener, again, conform
from tischlein.game import Refusal
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.page.together import merge
from tischlein.people import People, carried
from tischlein.people.carried import PLAYED, Carried, Carrying, Checked, checked
from tischlein.people.history import NEWEST
from tischlein.people.operator import Operator, Renaming
from tischlein.store import Store
from tischlein.store.moving import bring_in, check, export
from tischlein.store.sqlite import SqliteStore

__all__ = ["again"]


async def whole(one: Device, name: str) -> Carried:
    """Give a table with the seat of whoever carries it."""
    return Carried(tuple(await one.entries(name)), ((0, one.tokens[name][0]),))


async def keep(people: People, profile: str, name: str, table: Carried, was: str = "") -> str:
    """Keep a table as a device sends it; empty where another one was quicker."""
    told = checked(name, table.entries)
    return await people.carrying.keep(profile, name, was, table, told) or ""


async def played(people: People, profile: str) -> list[tuple[str, int]]:
    """Name the games that somebody has played."""
    games, _ = await people.history.games(profile, NEWEST)
    return [(game.table, game.number) for game in games]


@conform
async def test_a_table_is_kept_and_its_result_counts_once(store: Store, again: Opener) -> None:
    people = People(House(store, Settings()))
    anna = (await people.profiles.make("Anna")).id
    async with device() as train:
        name = await train.open()
        await train.play(name, 4)
        begun = await whole(train, name)
        first = await keep(people, anna, name, begun)
        assert await people.carrying.known(anna) == {name: (first, True)}
        assert await people.carrying.find(anna, name) == begun
        assert await played(people, anna) == []
        await train.play(name)
        over = await whole(train, name)
        assert await keep(people, anna, name, over, "another") == ""
        assert await people.carrying.find(anna, name) == begun
        second = await keep(people, anna, name, over, first)
        assert await people.carrying.known(anna) == {name: (second, False)}
        assert await keep(people, anna, name, over, first) == second  # the answer had been lost
        assert await played(people, anna) == [(name, 1)]
        assert await store.ask("SELECT name FROM unrated") == []  # nobody vouches for it
        assert await store.record(name, 1) == await train.store.record(name, 1)
    await check(store)


@conform
async def test_a_game_that_two_tables_tell_counts_once(store: Store, again: Opener) -> None:
    people = People(House(store, Settings()))
    anna = (await people.profiles.make("Anna")).id
    async with device() as train, device() as home:
        name = await train.open()
        await train.play(name)
        seating = (await train.table(name)).seating
        await seating.again(0, "chance")
        await seating.start(0)
        await merge(home.house, name, await train.entries(name))
        home.tokens[name] = train.tokens[name]
        await train.play(name)
        await home.play(name, which=1)
        apart = (await merge(home.house, name, await train.entries(name))).apart
        assert apart is not None
        home.tokens[apart] = home.tokens[name]
        await keep(people, anna, name, await whole(home, name))
        await keep(people, anna, apart, await whole(home, apart))
    assert set(await played(people, anna)) == {(name, 1), (name, 2), (apart, 2)}


@conform
async def test_nobody_has_a_table_of_somebody_elses(store: Store, again: Opener) -> None:
    people = People(House(store, Settings()))
    anna, bo = [(await people.profiles.make(name)).id for name in ("Anna", "Bo")]
    async with device() as train:
        name = await train.open()
        await train.play(name)
        table = await whole(train, name)
    await keep(people, anna, name, table)
    with pytest.raises(Refusal, match="somebody else's"):
        await keep(people, bo, name, table)
    assert await people.carrying.find(bo, name) is None
    assert await played(people, bo) == []
    assert await keep(people, "nobody", "0" + name[:0:-1], table) == ""


@conform
async def test_too_much_gives_way_but_not_its_results(store: Store, again: Opener) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(carried, "MOST_TABLES", 2)
        patched.setattr(carried, "MOST_RESULTS", 3)
        await too_much(store)


async def too_much(store: Store) -> None:
    """Keep more than there may be."""
    people = People(House(store, Settings()))
    anna = (await people.profiles.make("Anna")).id
    names = []
    async with device() as train:
        for number in range(5):
            name = await train.open()
            await train.play(name)
            names.append(name)
            await keep(people, anna, name, await whole(train, name))
            assert len(await people.carrying.known(anna)) == min(number + 1, 2)
            assert len(await played(people, anna)) == min(number + 1, 3)
    assert set(await people.carrying.known(anna)) == set(names[3:])
    assert {name for name, _ in await played(people, anna)} == set(names[2:])
    assert await store.record(names[0], 1) is None
    await check(store)


@conform
async def test_who_leaves_takes_them_along(store: Store, again: Opener) -> None:
    people = People(House(store, Settings()))
    anna = (await people.profiles.make("Anna")).id
    async with device() as train:
        name = await train.open()
        await train.play(name)
        await keep(people, anna, name, await whole(train, name))
    me = await people.profiles.get(anna)
    assert me is not None
    text = b"".join([part async for part in people.my_data.written(me)])
    assert b'"carried":[{' in text
    assert name.encode() in text
    assert train.tokens[name][0].encode() not in text
    await people.leaving.begin(anna)
    await people.leaving.finish(anna)
    assert await store.record(name, 1) is None
    assert await store.ask("SELECT name FROM carried") == []


@conform
async def test_they_move_house_with_the_store(store: Store, again: Opener) -> None:
    people = People(House(store, Settings()))
    anna = (await people.profiles.make("Anna")).id
    async with device() as train:
        name = await train.open()
        await train.play(name)
        table = await whole(train, name)
        mark = await keep(people, anna, name, table)
    lines: list[bytes] = []
    await export(store, lines.append)
    other = SqliteStore(":memory:")
    await other.open()
    await bring_in(other, lines)
    carrying = Carrying(other, lambda: 0.0)
    assert await carrying.known(anna) == {name: (mark, False)}
    assert await carrying.find(anna, name) == table
    await other.close()


async def test_what_was_never_played_is_refused() -> None:
    async with device() as train:
        name = await train.open()
        await train.play(name)
        lines = await train.entries(name)
    rolled = next(n for n, line in enumerate(lines) if '"roll"' in line)
    faces = lines[rolled].replace('"sushi"', '"red"'), lines[rolled].replace('"bones"', '"red"')
    loaded = next(line for line in faces if line != lines[rolled])
    forged: list[Sequence[str]] = [
        (),
        ("{}",),
        lines[1:],
        [*lines, "no entry"],
        [*lines[:rolled], loaded, *lines[rolled + 1 :]],
        [line.replace('"p0"', '"\\u202e0"') for line in lines],
        [line.replace('"p0"', f'"{"x" * 200}"') for line in lines],
        [lines[0].replace("{}", '{"a":' + "[" * 50_000 + "]" * 50_000 + "}"), *lines[1:]],
        ["[" * 50_000, *lines],
        [opened(lines, seed="00"), *lines[1:]],
        [opened(lines, seed="0" * 500_000), *lines[1:]],
        [*lines[:3], '{"kind":"salted","when":1,"seat":0,"text":"two\\nlines"}', *lines[3:]],
        [line.replace('"started","when":', '"started","when":1e300,"was":') for line in lines],
        [*lines, lines[0]],
        [*lines, next(line for line in lines if '"started"' in line)],
    ]
    for entries in forged:
        assert entries != lines
        with pytest.raises(Refusal):
            checked(name, entries)
    assert checked(name, lines, [0, 1]).goes_on is False
    with pytest.raises(Refusal, match="no such seat"):
        checked(name, lines, [0, 2])


def opened(lines: Sequence[str], **other: object) -> str:
    """Give the opening of a table with something else in it."""
    return msgspec.json.encode(msgspec.json.decode(lines[0]) | other).decode()


async def test_a_table_of_a_million_seats_is_refused_before_any_is_made() -> None:
    async with device() as train:
        name = await train.open()
        first = opened(await train.entries(name), seats=1_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(Refusal, match="two to five"):
            checked(name, [first])
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@conform
async def test_what_nobody_can_check_stops_no_export(store: Store, again: Opener) -> None:
    people = People(House(store, Settings()))
    anna = (await people.profiles.make("Anna")).id
    async with device() as train:
        name = await train.open()
        await train.play(name)
        lines = await train.entries(name)
    begun = next(place for place, line in enumerate(lines) if '"started"' in line) + 1
    seal = '{"kind":"sealed","when":1.0,"seat":0,"seal":"of nothing"}'
    with pytest.raises(Refusal, match="does not fit its word"):
        await keep(people, anna, name, Carried((*lines[:begun], seal, *lines[begun:])))
    await export(store, lambda line: None)
    await keep(people, anna, name, Carried(tuple(lines)))
    await export(store, lambda line: None)


async def test_of_all_that_somebody_has_played_little_is_read_for_one_more() -> None:
    store = SqliteStore(":memory:")
    await store.open()
    plan = await store.ask(f"EXPLAIN QUERY PLAN {PLAYED}", "0bcdefghjkmnp", 1, "", 0, "p", 1.0)
    told = [str(step[-1]) for step in plan]
    assert any("played_by_profile (profile=? AND ended=?)" in step for step in told)
    assert not any(step.startswith("SCAN") for step in told)
    assert sum(" records " in step for step in told) == 1
    await store.close()


@conform
async def test_a_name_is_taken_out_of_what_was_brought(store: Store, again: Opener) -> None:
    house = House(store, Settings())
    people, operator = People(house), Operator(house)
    anna = (await people.profiles.make("Anna")).id
    async with device() as train:
        name = await train.open()
        await train.play(name)
        table = await whole(train, name)
    mark = await keep(people, anna, name, table)
    assert await operator.rename(name, 0, None) == Renaming("p0", "somebody")
    with pytest.raises(Refusal, match="nobody sits"):
        await operator.rename(name, 2, None)
    assert await operator.rename("0bcdefghjkmnp", 0, None) is None
    await keep(people, anna, name, table, mark)  # it does not come back with its table
    games, _ = await people.history.games(anna, NEWEST)
    assert [game.names for game in games] == [("somebody", "p1")]
    await export(store, lambda line: None)


async def test_a_long_table_is_packed_beside_the_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    store, packed = SqliteStore(":memory:"), []
    await store.open()

    def pack(data: bytes) -> bytes:
        packed.append(threading.current_thread() is threading.main_thread())
        return zlib.compress(data)

    monkeypatch.setattr(carried, "zlib", SimpleNamespace(compress=pack))
    table = Carried(("{}",))
    await Carrying(store, lambda: 0.0).keep("p", "0bcdefghjkmnp", "", table, Checked([], True))
    assert packed == [False]
    await store.close()


@conform
async def test_a_clock_that_goes_ahead_counts_nothing_twice(store: Store, again: Opener) -> None:
    now = [0.0]
    people = People(House(store, Settings()))
    people.carrying = Carrying(store, lambda: now[0])
    anna = (await people.profiles.make("Anna")).id
    async with device() as train:
        name = await train.open()
        table = await train.play(name)
        over = await whole(train, name)
        now[0] = table.book.touched - 3600
        await keep(people, anna, name, over)
        now[0] += 60
        await keep(people, anna, "0bcdefghjkmnp", over)
    assert await played(people, anna) == [(name, 1)]
