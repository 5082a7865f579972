"""Who deletes their profile is really gone, whatever happens meanwhile; games keep "somebody"."""

from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.stores import Opener, again, conform
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people import People
from tischlein.people.leaving import ONCE_MORE, nameless
from tischlein.record import replay
from tischlein.store import Page, Store
from tischlein.store.moving import check
from tischlein.store.sql import OF_A_TABLE
from tischlein.store.sqlite import SqliteStore
from tischlein.table.table import Table

__all__ = ["again"]
TABLES = (
    "tables", "entries", "records", "pushes", "profiles", "passkeys", "logins", "codes", "sits",
    "played", "ratings", "insights", "cups",
)  # fmt: skip
ANNA, BO = "Anna Ä.", "Bo"


class Crash(BaseException):
    """The end of a server."""


class Mortal:
    """A store that a server can reach so often, then the server is gone."""

    def __init__(self, store: Store, calls: int) -> None:
        self._store, self._left = store, calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in ("ask", "together", "append", "load"):
            return found

        async def mortal(*values: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise Crash
            return await found(*values)

        return mortal


async def sit(people: People, table: Table, profile: str, name: str) -> str:
    """Let somebody sit down at a table."""
    await people.profiles.sits(profile, table.book.name)
    return (await table.seating.join(name, profile))[1]


async def play(table: Table, tokens: list[str], most: int = 10_000) -> None:
    """Play a game, or a few moves of it."""
    rules, book = table.book.rules, table.book
    for _ in range(most):
        if book.is_over:
            return
        (seat,) = book.movers()
        move = msgspec.Raw(msgspec.json.encode(rules.legal(book.state, seat)[0]))
        await table.play(seat, tokens[seat], move, None, 0.0)


class World:
    """A house in which Anna and Bo have played."""

    def __init__(self, store: Store) -> None:
        self.store, self.house = store, House(store)
        self.people = People(self.house)

    async def begin(self) -> None:
        """Let both play: a finished game and one that goes on, one asleep, one tidied up."""
        self.anna = (await self.people.profiles.make(ANNA)).id
        self.bo = (await self.people.profiles.make(BO)).id
        self.login = await self.people.profiles.let_in(self.anna, "Anna Ä.'s phone")
        await self.people.codes.new("paper", self.anna)
        self.running, self.tokens = await self.table()
        await self.running.seating.again(0, "chance")
        await self.running.seating.start(0)
        await play(self.running, self.tokens, 3)
        asleep, _ = await self.table()
        tidied, _ = await self.table()
        left = await self.house.open("sushizock", 2, {})
        await sit(self.people, left, self.anna, ANNA)
        await sit(self.people, left, self.bo, BO)
        await left.seating.leave(0)
        for table in (asleep, tidied, left):
            self.house.let_go(table.book.name)
        for name in OF_A_TABLE:
            await self.store.ask(f"DELETE FROM {name} WHERE name = $1", tidied.book.name)
        await self.beside(asleep.book.name)
        await check(self.store)

    async def table(self) -> tuple[Table, list[str]]:
        """Let both play a game to its end."""
        table = await self.house.open("sushizock", 2, {})
        who = ((self.anna, ANNA), (self.bo, BO))
        tokens = [await sit(self.people, table, *one) for one in who]
        await table.seating.start(0)
        await play(table, tokens)
        return table, tokens

    async def beside(self, table: str) -> None:
        """Keep what other parts of the house would."""
        ask = self.store.ask
        for profile in (self.anna, self.bo):
            words = "INSERT INTO ratings VALUES ($1, 'g', 's', 1.0, 1.0, 1, 1.0, 1.0, 0.0, '')"
            await ask(words, profile)
        for seat in (0, 1):
            words = "INSERT INTO pushes VALUES ($1, $2, $3, $4, 1.0)"
            await ask(words, table, seat, f"of {seat}", b"{}")
        await ask("INSERT INTO insights VALUES ($1, 1, $2)", table, b"both")
        await ask("INSERT INTO insights VALUES ('alone', 1, $1)", b"alone")
        await ask("INSERT INTO played VALUES ('alone', 1, 0, $1, 1.0, 0)", self.anna)
        words = """
            INSERT INTO records
            SELECT 'alone', 1, replace(record, $2, 'Zoe'), kept FROM records WHERE name = $1
        """
        await ask(words, table, BO)

    async def kept(self) -> str:
        """Write down all that is kept."""
        rows = [await self.store.ask(f"SELECT * FROM {name}") for name in TABLES]
        return str([[tuple(row) for row in some] for some in rows]).replace("\\xc3\\x84", "Ä")


async def check_gone(world: World) -> None:
    """Nothing is left of Anna; Bo has what was his; all games can be checked."""
    kept = await world.kept()
    assert ANNA not in kept
    assert world.anna not in kept
    assert kept.count("somebody") >= 6
    await check(world.store)
    records = await world.store.records(("", 0), 10)
    assert len(records) == 4
    for record in records:
        assert replay(record.record.split("\n")).header.seats in (
            ("somebody", BO),
            ("somebody", "Zoe"),
        )
    ask = world.store.ask
    assert len(await world.people.profiles.tables(world.bo, 9)) == 3
    assert len(await ask("SELECT * FROM played WHERE profile = $1", world.bo)) == 3
    assert len(await ask("SELECT * FROM ratings")) == 1
    assert [row[0] for row in await ask("SELECT endpoint FROM pushes")] == ["of 1"]
    assert [bytes(row[0]) for row in await ask("SELECT body FROM insights")] == [b"both"]


@conform
async def test_nothing_is_left_of_who_goes_and_all_is_left_of_the_others(
    store: Store, again: Opener
) -> None:
    world = World(store)
    await world.begin()
    assert await world.people.profiles.known(world.login) == world.anna
    await world.people.leaving.begin(world.anna)
    elsewhere = await again()
    other = World(elsewhere)
    assert await other.people.profiles.known(world.login) is None  # at once, at every server
    await world.people.leaving.finish(world.anna)
    assert world.running.book.names == ["somebody", BO]  # who plays there is told
    assert [*world.house.tables] == [world.running.book.name]  # others are not kept in memory
    now = world.house.now()
    world.house.now = world.people.leaving._now = lambda: now + ONCE_MORE + 1
    await world.people.leaving.go_on()
    await check_gone(world)
    await play(world.running, world.tokens)
    assert (await store.record(world.running.book.name) or "").count("somebody") == 1
    await check(store)
    await elsewhere.close()


@conform
async def test_a_farewell_that_breaks_off_anywhere_is_gone_on_with(
    store: Store, again: Opener
) -> None:
    world = World(store)
    await world.begin()
    await world.people.leaving.begin(world.anna)
    later = world.house.now() + ONCE_MORE + 1
    for calls in count(1):
        people = People(House(Mortal(store, calls)))
        people.leaving._now = lambda: later
        try:
            await people.leaving.go_on()
            break
        except Crash:
            await check(store)  # in between all games can be checked, too
    assert calls > 7
    await check_gone(world)


@conform
async def test_two_who_go_at_once_do_not_undo_each_other(store: Store, again: Opener) -> None:
    world = World(store)
    await world.begin()
    here, there = world.people.leaving, People(House(await again())).leaving
    for profile in (world.anna, world.bo):
        await here.begin(profile)
    old = await here._rewriting(world.anna, world.running.book.name)  # read before the other writes
    await there.finish(world.bo)
    assert await store.together(*old) is None
    await here.finish(world.anna)
    kept = await world.kept()
    assert not [name for name in (ANNA, "'Bo'", '"Bo"') if name in kept]
    await check(store)
    await there._store.close()


def test_only_the_named_seats_lose_their_names() -> None:
    record = '{"format":"tischlein/1","seats":["Anna","Bo"],"options":{"a":1.0}}\n{"by":0}\n'
    told = nameless(record, [1])
    assert told == record.replace("Bo", "somebody")
    with pytest.raises(IndexError):
        nameless(record, [2])


async def test_a_table_that_cannot_be_read_holds_up_no_other(tmp_path: Path) -> None:
    """Else: after one game is gone from the shelf nobody is forgotten any more."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    people = People(house)
    first, second = await people.profiles.make("Ada"), await people.profiles.make("Bo")
    game = {"game": "gone", "seats": 2, "options": {}, "speed": "week", "seed": ""}
    lost = msgspec.json.encode({"kind": "opened", "when": 1.0} | game)
    await house.store.append(Page("23456789abcd", 1, [lost], 1.0, False))
    await people.profiles.sits(first.id, "23456789abcd")
    for profile in (first, second):
        await people.leaving.begin(profile.id)
    await people.tidy()
    left = await house.store.ask("SELECT profile FROM sits UNION SELECT id FROM profiles")
    assert left == []
    table = await house.open("sushizock", 2, {})
    await table.seating.join("Cleo", second.id)
    await people.profiles.sits(second.id, table.book.name)
    await people.profiles.sits(second.id, "23456789abcd")
    names = await people.profiles.tables(second.id, 9)
    found, _ = await people.mine.look([], names, second.id, "")
    assert [one.table for one in found] == [table.book.name]
    await house.close()


@conform
async def test_a_code_that_was_on_its_way_is_forgotten_too(store: Store, again: Opener) -> None:
    people = People(House(store))
    anna = await people.profiles.make(ANNA)
    await people.leaving.begin(anna.id)
    await people.codes.new("paper", anna.id)  # asked for just before, kept just after
    await people.leaving.finish(anna.id)
    now = people.leaving._now()
    people.leaving._now = lambda: now + ONCE_MORE + 1
    await people.leaving.go_on()
    assert await store.ask("SELECT * FROM codes") == []


async def test_who_sat_at_many_tables_fills_no_memory_when_they_go(tmp_path: Path) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    people = People(house)
    anna = await people.profiles.make(ANNA)
    tables = [await house.open("sushizock", 2, {}, "week") for _ in range(5)]
    for table in tables:
        await sit(people, table, anna.id, ANNA)
    for table in tables[1:]:
        house.let_go(table.book.name)
    await people.leaving.begin(anna.id)
    await people.leaving.finish(anna.id)
    assert list(house.tables.values()) == tables[:1], "what slept sleeps on"
    assert tables[0].book.names == ["somebody", ""]
    await house.close()
