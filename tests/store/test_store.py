"""One conformance suite for every store."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.engines import Postgresql
from tests.stores import Opener, again, conform
from tests.waiting import LIMIT, until
from tischlein.store import (
    Glance,
    KeptRecord,
    KeptTable,
    NotHolder,
    Page,
    Peer,
    Step,
    Store,
    StoreDown,
    Taken,
    open_store,
)
from tischlein.store.postgresql import PostgresqlStore
from tischlein.store.schema import MIGRATIONS, VERSION
from tischlein.store.sqlite import SqliteStore, open_database
from tischlein.table.needs import NEVER

__all__ = ["again"]


@conform
async def test_what_is_appended_is_loaded_in_order(store: Store, again: Opener) -> None:
    await store.append(Page("a", 1, [b"one", b"two"], 1.0, True))
    await store.append(Page("a", 3, [b"three"], 2.0, True))
    await store.append(Page("b", 1, ["ünï".encode()], 2.0, False))
    assert await store.load("a") == [b"one", b"two", b"three"]
    assert await store.load("a", after=2) == [b"three"]
    assert await store.load("b") == ["ünï".encode()]
    assert await store.load("nobody's") == []


@conform
async def test_a_number_is_written_once(store: Store, again: Opener) -> None:
    await store.append(Page("a", 1, [b"one"], 1.0, True))
    for first in (1, 3, 0, -1):
        with pytest.raises(Taken):
            await store.append(Page("a", first, [b"other", b"more"], 1.0, True))
    assert await store.load("a") == [b"one"]


@conform
async def test_of_many_writers_one_wins(store: Store, again: Opener) -> None:
    writes = [store.append(Page("a", 1, [f"{n}".encode()], 1.0, True)) for n in range(50)]
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, Taken) for result in results) == 49
    winner = results.index(None)
    assert await store.load("a") == [f"{winner}".encode()]


@conform
async def test_many_tables_at_once(store: Store, again: Opener) -> None:
    async def fill(table: str) -> None:
        for number in range(1, 21):
            await store.append(Page(table, number, [f"{table}{number}".encode()], 1.0, True))

    await asyncio.gather(*(fill(f"t{n}") for n in range(30)))
    for n in range(30):
        assert await store.load(f"t{n}") == [f"t{n}{m}".encode() for m in range(1, 21)]
    assert len(await store.tables("", 99)) == 30


@conform
async def test_live_tables_are_told_from_others(store: Store, again: Opener) -> None:
    async def live() -> list[str]:
        return [table.name for table in await store.tables("", 9) if table.live]

    await store.append(Page("a", 1, [b"x"], 1.0, True))
    await store.append(Page("b", 1, [b"x"], 1.0, False))
    assert await live() == ["a"]
    await store.append(Page("a", 2, [b"end"], 2.0, False))
    assert await live() == []


@conform
async def test_old_tables_are_tidied_and_records_stay(store: Store, again: Opener) -> None:
    await store.append(Page("old", 1, [b"x"], 10.0, False, (1, "first")))
    await store.append(Page("old", 2, [b"y"], 11.0, False, (2, "second")))
    await store.append(Page("new", 1, [b"x"], 30.0, False))
    with pytest.raises(Taken):
        await store.append(Page("old", 2, [b"z"], 11.0, False, (3, "never")))
    assert await store.tidy(20.0, 20.0) == ["old"]
    assert await store.load("old") == []
    assert await store.load("new") == [b"x"]
    assert await store.record("old", 1) == "first"
    assert await store.record("old") == "second"
    assert await store.record("old", 3) is None
    assert await store.record("new") is None


@conform
async def test_a_job_that_fails_harms_no_other(store: Store, again: Opener) -> None:
    with pytest.raises((OverflowError, ValueError)):
        await store.record("a", 10**30)
    await store.append(Page("a", 1, [b"x"], 1.0, True))
    assert await store.load("a") == [b"x"]


@conform
async def test_a_cancelled_writer_harms_nobody(store: Store, again: Opener) -> None:
    writing = asyncio.ensure_future(store.append(Page("a", 1, [b"x"], 1.0, True)))
    await asyncio.sleep(0)
    writing.cancel()
    await store.append(Page("b", 1, [b"y"], 1.0, True))
    assert await store.load("b") == [b"y"]


@conform
async def test_what_is_kept_survives_closing(store: Store, again: Opener) -> None:
    await store.append(Page("a", 1, [b"x"], 1.0, True))
    other = await again()
    assert await other.load("a") == [b"x"]
    await other.close()


@conform
async def test_two_servers_write_one_number_once(store: Store, again: Opener) -> None:
    other = await again()
    await store.append(Page("a", 1, [b"first"], 1.0, True))
    for number in range(2, 22):
        writes = [s.append(Page("a", number, [f"{n}".encode()], 1.0, True))
                  for n, s in enumerate((store, other, store, other))]  # fmt: skip
        results = await asyncio.gather(*writes, return_exceptions=True)
        assert sum(result is None for result in results) == 1
        assert sum(isinstance(result, Taken) for result in results) == 3
    assert len(await other.load("a")) == 21
    assert await store.load("a") == await other.load("a")
    await other.close()


@conform
async def test_one_living_server_conducts_a_table(store: Store, again: Opener) -> None:
    assert await store.beat(Peer("one", 1.5, 20.0), 60) == []
    assert await store.beat(Peer("two"), 60) == [Peer("one", 1.5, 20.0)]
    assert sorted(await store.take(["b", "a"], "one")) == ["a", "b"]
    assert await store.take(["a", "c"], "two") == ["c"]
    assert await store.take(["a"], "one") == ["a"], "whoever has it keeps it"
    await store.release("a", "two")
    assert await store.take(["a"], "two") == [], "only the holder lets go"
    await store.release("a", "one")
    assert await store.take(["a"], "two") == ["a"]


@conform
async def test_tables_at_which_nobody_played_are_tidied_sooner(store: Store, again: Opener) -> None:
    """Tables that a stranger opens by the thousand would fill the disk for a month."""
    await store.append(Page("opened", 1, [b"x"], 10.0, False))
    await store.append(Page("seen", 1, [b"x"], 10.0, False))
    await store.append(Page("shown", 1, [b"x"], 10.0, False))
    await store.append(Page("playing", 1, [b"x"], 10.0, True))
    await store.append(Page("played", 1, [b"x"], 10.0, False, (1, "record")))
    await store.append(Page("fresh", 1, [b"x"], 90.0, False))
    await store.beat(Peer("one"), 60)
    await store.show("shown", "one", b"here")
    assert await store.tidy(5.0, 20.0, ["seen"]) == ["opened"]
    assert await store.tidy(15.0, 20.0, ["seen"]) == ["played", "playing"]
    assert await store.record("played") == "record"
    await store.beat(Peer("one"), -1)
    assert await store.tidy(5.0, 20.0) == ["seen", "shown"]
    assert [table.name for table in await store.tables("", 9)] == ["fresh"]


@conform
async def test_who_died_is_followed_by_another(store: Store, again: Opener) -> None:
    for name in ("a", "b", "quiet"):
        await store.append(Page(name, 1, [b"x"], 1.0, name != "quiet"))
    await store.beat(Peer("one"), 60)
    await store.take(["a"], "one")
    assert await store.abandoned(10) == []
    assert await store.beat(Peer("one"), -1) == []
    assert await store.beat(Peer("two"), 60) == []
    assert await store.abandoned(10) == ["a"]
    assert sorted(await store.take(["a", "b"], "two")) == ["a", "b"]
    assert await store.abandoned(10) == []
    await store.beat(Peer("one"), 60)
    assert await store.take(["a"], "one") == [], "who wakes up late finds it taken"


@conform
async def test_of_many_who_take_over_one_does(store: Store, again: Opener) -> None:
    other = await again()
    names = [f"t{n}" for n in range(50)]
    for n in range(4):
        await store.beat(Peer(f"s{n}"), 60)
    tried = [(other, store)[n % 2].take(names[:: (-1) ** n], f"s{n}") for n in range(4)]
    found = await asyncio.gather(*tried)
    assert sorted(name for each in found for name in each) == sorted(names)
    await other.close()


@conform
async def test_who_lost_a_table_writes_nothing_for_it(store: Store, again: Opener) -> None:
    await store.append(Page("a", 1, [b"x"], 1.0, True))
    for server in ("one", "two"):
        await store.beat(Peer(server), 60)
    with pytest.raises(NotHolder):
        await store.append(Page("a", 2, [b"early"], 1.0, True, holder="one"))
    await store.take(["a"], "one")
    await store.append(Page("a", 2, [b"y"], 1.0, True, holder="one"))
    with pytest.raises(Taken):
        await store.append(Page("a", 2, [b"again"], 1.0, True, holder="one"))
    await store.beat(Peer("one"), -1)
    await store.append(Page("a", 3, [b"z"], 1.0, True, holder="one"))
    await store.take(["a"], "two")
    with pytest.raises(NotHolder):
        await store.append(Page("a", 4, [b"late"], 1.0, True, (1, "record"), "one"))
    assert await store.load("a") == [b"x", b"y", b"z"]
    assert await store.record("a") is None


@conform
async def test_a_glance_tells_how_tables_stand(store: Store, again: Opener) -> None:
    await store.append(Page("a", 1, [b"x", b"y"], 1.0, True))
    await store.append(Page("b", 1, [b"x"], 1.0, True))
    await store.beat(Peer("one"), 60)
    await store.beat(Peer("two"), 60)
    await store.take(["a"], "one")
    await store.show("a", "one", b"old")
    await store.show("a", "one", b"here")
    await store.show("a", "two", b"me, too")
    assert await store.glance(["a", "b", "none"]) == {
        "a": Glance(2, "one", {"one": b"here", "two": b"me, too"}),
        "b": Glance(1, None, {}),
    }
    await store.show("a", "two", b"")
    assert await store.glance(["a"]) == {"a": Glance(2, "one", {"one": b"here"})}
    await store.beat(Peer("one"), -1)
    assert await store.glance(["a"]) == {"a": Glance(2, None, {})}, "the dead are not here"
    assert await store.tidy(5.0, 5.0, ["b"]) == ["a"], "somebody looks at the other"
    assert await store.glance(["a"]) == {}
    assert await store.take(["a"], "two") == ["a"]


@conform
async def test_a_page_sets_the_alarm_of_its_table(store: Store, again: Opener) -> None:
    """What must happen whoever looks is as durable as what has happened."""

    async def alarms() -> list[Any]:
        return [tuple(row) for row in await store.ask("SELECT name, due FROM alarms ORDER BY name")]

    await store.append(Page("a", 1, [b"x"], 1.0, True, alarm=50.0))
    await store.append(Page("b", 1, [b"x"], 1.0, False, alarm=60.0))
    await store.append(Page("a", 2, [b"y"], 2.0, True, alarm=70.0))
    await store.append(Page("b", 2, [b"y"], 2.0, False))
    with pytest.raises(Taken):
        await store.append(Page("a", 2, [b"z"], 2.0, True, alarm=1.0))
    assert await alarms() == [("a", 70.0), ("b", 60.0)]
    assert await store.tidy(99.0, 99.0) == [], "what will be looked at again is not tidied up"
    await store.append(Page("a", 3, [b"z"], 3.0, False, alarm=NEVER))
    assert await alarms() == [("b", 60.0)]
    assert await store.tidy(99.0, 99.0) == ["a"]


@conform
async def test_who_played_is_kept_with_the_record(store: Store, again: Opener) -> None:
    async def rows(words: str) -> list[Any]:
        return [tuple(row) for row in await store.ask(words)]

    guests = [(0, "anna"), (2, "bo")]
    page = Page("a", 1, [b"x"], 1.0, False, (1, "record"), guests=guests, rated=True)
    await store.append(page)
    with pytest.raises(Taken):
        await store.append(page)
    await store.append(Page("a", 2, [b"y"], 2.0, False, (2, "record"), guests=guests[:1]))
    await store.append(Page("b", 1, [b"x"], 2.0, False, guests=guests, rated=True))
    played = await rows("SELECT name, game, seat, profile, ended FROM played ORDER BY game, seat")
    assert played == [("a", 1, 0, "anna", 1.0), ("a", 1, 2, "bo", 1.0), ("a", 2, 0, "anna", 2.0)]
    assert await rows("SELECT name, game, ended FROM unrated") == [("a", 1, 1.0)]


@conform
async def test_steps_are_taken_together_or_not_at_all(store: Store, again: Opener) -> None:
    add = "INSERT INTO keys VALUES ($1, $2)"
    change = "UPDATE keys SET body = $2 WHERE name = $1 RETURNING name"
    assert await store.together(Step(add, ("a", b"1")), Step(add, ("b", b"1"))) == [[], []]
    assert await store.together(Step(change, ("a", b"2"), 1), Step(change, ("c", b"2"), 1)) is None
    tries = [store.together(Step(change, ("a", b"3"), 1), Step(change, (name, b"3"), 1))
             for name in ("b", "c")]  # fmt: skip
    assert await asyncio.gather(*tries) == [[[("a",)], [("b",)]], None]
    found = await store.ask("SELECT name, body FROM keys ORDER BY name")
    assert [tuple(row) for row in found] == [("a", b"3"), ("b", b"3")]
    with pytest.raises(Exception, match=r"(?i)unique"):
        await store.together(Step(change, ("a", b"4"), 1), Step(add, ("b", b"4")))
    assert await store.ask("SELECT 1 FROM keys WHERE body = $1", b"4") == []


@conform
async def test_time_goes_on(store: Store, again: Opener) -> None:
    first = await store.time()
    await asyncio.sleep(0.01)
    assert 0.005 < await store.time() - first < LIMIT
    assert first > 1.7e9


@conform
async def test_everything_can_be_listed_and_kept_elsewhere(store: Store, again: Opener) -> None:
    for n in range(5):
        await store.append(Page(f"t{n}", 1, [b"x"] * (n + 1), float(n), n % 2 == 0, (1, f"r{n}")))
    assert await store.tables("t1", 2) == [KeptTable("t2", 3, 2.0, True),
                                           KeptTable("t3", 4, 3.0, False)]  # fmt: skip
    assert await store.tables("t4", 2) == []
    await store.keep(KeptRecord("t1", 2, "second", 9.0))
    await store.keep(KeptRecord("t1", 2, "other", 9.5))
    assert await store.records(("t1", 0), 2) == [KeptRecord("t1", 1, "r1", 1.0),
                                                 KeptRecord("t1", 2, "second", 9.0)]  # fmt: skip
    assert [row.name for row in await store.records(("t1", 2), 9)] == ["t2", "t3", "t4"]


@conform
async def test_a_program_of_the_version_before_goes_on_beside(store: Store, again: Opener) -> None:
    """[Roll-out] What version 1 wrote and read still works: later versions only add."""
    words = "INSERT INTO tables VALUES ('old', 1, 1.0, true)"
    if isinstance(store, SqliteStore):
        store._db.execute(words)
        store._db.execute("INSERT INTO entries VALUES ('old', 1, x'41')")
    elif isinstance(store, PostgresqlStore):
        await store._with(lambda db: db.execute(words))
        await store._with(lambda db: db.execute("INSERT INTO entries VALUES ('old', 1, 'A')"))
    await store.append(Page("old", 2, [b"B"], 2.0, True))
    assert await store.load("old") == [b"A", b"B"]
    assert [step.oldest for step in MIGRATIONS] == [1] * VERSION


async def test_a_file_of_version_one_is_brought_forward(tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    db = sqlite3.connect(file)
    db.executescript(f"{MIGRATIONS[0].sqlite}; PRAGMA user_version = 1;")
    db.execute("INSERT INTO tables VALUES ('a', 1, 1.0, 1)")
    db.execute("INSERT INTO entries VALUES ('a', 1, x'41')")
    db.commit()
    db.close()

    store = await open_store(str(file))
    await store.append(Page("a", 2, [b"B"], 2.0, True))
    assert await store.load("a") == [b"A", b"B"]
    assert await store.take(["a"], "me") == ["a"]
    await store.close()
    (oldest,) = sqlite3.connect(file).execute("PRAGMA user_version").fetchone()
    assert oldest == 1, "a program of version 1 still opens it"


async def test_many_servers_migrate_a_new_database_at_once(postgresql: Postgresql) -> None:
    address = postgresql.new_database()

    async with asyncio.timeout(LIMIT):
        stores = await asyncio.gather(*(open_store(address) for _ in range(5)))
        await stores[0].append(Page("a", 1, [b"x"], 1.0, True))
        assert await stores[4].load("a") == [b"x"]
        for store in stores:
            await store.close()
    steps = postgresql.ask("SELECT version FROM schema", address.rpartition("/")[2]).split()
    assert steps == [str(step.version) for step in MIGRATIONS]


async def test_a_newer_database_is_left_alone(postgresql: Postgresql) -> None:
    address = postgresql.new_database()
    name = address.rpartition("/")[2]

    async with asyncio.timeout(LIMIT):
        await (await open_store(address)).close()
        postgresql.ask(f"INSERT INTO schema VALUES ({VERSION + 1}, 1)", name)
        await (await open_store(address)).close()
        postgresql.ask(f"INSERT INTO schema VALUES ({VERSION + 2}, {VERSION + 1})", name)
        with pytest.raises(RuntimeError, match="newer Tischlein"):
            await open_store(address)
        ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tischlein'"
        await until(lambda: postgresql.ask(ours) == "0")  # it holds no line to what it cannot use


async def test_a_line_that_breaks_writes_once(postgresql: Postgresql) -> None:
    """Whoever does not hear that it was written looks before writing again."""
    address = postgresql.new_database()

    class Deaf(PostgresqlStore):
        deaf = 2

        async def _with(self, work: Any) -> Any:
            done = await super()._with(work)
            if self.deaf:
                self.deaf -= 1
                raise ConnectionResetError("cut after the write")
            return done

    async with asyncio.timeout(LIMIT):
        await (await open_store(address)).close()
        store = Deaf(address)
        await store.open()
        for number in range(1, 6):
            store.deaf = number % 3
            await store.append(Page("a", number, [b"%d" % number], 1.0, True))
        assert await store.load("a") == [b"1", b"2", b"3", b"4", b"5"]
        other = await open_store(address)
        await other.append(Page("a", 6, [b"theirs"], 1.0, True))
        store.deaf = 1
        with pytest.raises(Taken):
            await store.append(Page("a", 6, [b"mine"], 1.0, True))
        await other.close()
        await store.close()


async def test_a_store_that_is_away_is_said(postgresql: Postgresql) -> None:
    async with asyncio.timeout(LIMIT):
        store = PostgresqlStore("postgresql://postgres@127.0.0.1:1/none", patience=0.2)
        with pytest.raises(StoreDown):
            await store.open()


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "newer.sqlite"
    db = sqlite3.connect(file)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(RuntimeError, match="newer Tischlein"):
        open_database(str(file))


async def test_a_full_disk_is_told_to_all_who_wait(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite")
    await store.append(Page("a", 1, [b"x"], 1.0, True))
    store._db.execute("PRAGMA max_page_count = 1")
    big = [b"x" * 200_000]
    with pytest.raises(StoreDown, match="full"):
        await store.append(Page("a", 2, big, 1.0, True))
    store._db.execute("PRAGMA max_page_count = 100000")
    await store.append(Page("a", 2, big, 1.0, True))
    assert len(await store.load("a")) == 2
    await store.close()
