"""Moving house: everything comes along, checked; what is wrong is found."""

import asyncio
import json
import random
import sys
from pathlib import Path

import pytest

from tests.engines import Postgresql
from tests.program import run
from tests.rows import fill_rows
from tests.sealed import word
from tests.virtual import Guest, VirtualHouse, VirtualStore, in_virtual_time
from tests.waiting import LIMIT, until
from tischlein.chance import verify
from tischlein.cli import app
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.record import BadRecord, replay
from tischlein.store import KeptRecord, Page, Store, open_store
from tischlein.store.moving import BadStore, bring_in, check, export
from tischlein.store.rows import MOVES
from tischlein.store.schema import VERSION
from tischlein.table.settings import RaceRules
from tischlein.table.table import Table

QUIET = Settings(bot_pause=0.0, race=RaceRules(lead_ms=0.0, pause_ms=0.0))
GAMES = (("sushizock", 2), ("buffet", 3), ("kakerlaken", 2))


async def fill(store: Store) -> None:
    """Keep some tables: with finished games, one in mid-game, one that is only open."""
    house = VirtualHouse(store, QUIET)
    try:
        for game, seats in GAMES:
            table = await house.open(game, seats, {})
            await table.seating.join("Ina")
            await table.sealing.seal(0, word("pfannkuchen").seal)
            for seat in range(1, seats):
                await table.seating.seat_bot(0, seat, "random")
            await table.seating.start(0)
            await table.sealing.open(0, *word("pfannkuchen"))
            await relieved(table)
        half = await house.open("sushizock", 2, {})
        await half.seating.join("Ina")
        await half.seating.join("Tom")
        await half.seating.start(0)
        await house.open("buffet", 4, {})
        again = next(table for table in house.tables.values() if table.book.phase == "over")
        await again.seating.again(0, "loser")
        await fill_rows(store, again.book.name)
    finally:
        await house.close()


async def relieved(table: Table) -> None:
    """Let bots play a game to its end for everybody, before somebody's eyes."""
    await table.arrive(Guest())
    await table.seating.leave(0)
    await table.seating.relieve(1, 0)
    await until(lambda: table.book.phase == "over")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with tables in it."""
    file = tmp_path_factory.mktemp("full") / "tables.sqlite"

    async def make() -> None:
        await fill(VirtualStore(file))

    in_virtual_time(make)
    return file


def store(*args: str) -> None:
    """Run a command that does what it should."""
    with pytest.raises(SystemExit) as ended:
        app(["store", *args])
    assert ended.value.code == 0


def test_everything_moves_to_postgresql_and_back(
    full: Path, postgresql: Postgresql, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there, back = postgresql.new_database(), str(tmp_path / "back.sqlite")
    files = [tmp_path / f"{n}.jsonl" for n in range(3)]
    for source, file, target in ((str(full), files[0], there), (there, files[1], back)):
        store("export", str(file), "--store", source)
        for _ in range(2):  # a second time changes nothing
            store("import", str(file), "--store", target)
            assert "Brought in and read back: 5 tables" in capsys.readouterr().err
        store("check", "--store", target)
        assert "All is well: 5 tables" in capsys.readouterr().out
    store("export", str(files[2]), "--store", back)
    assert files[0].read_text() == files[2].read_text()
    assert files[0].read_text() == files[1].read_text()


def test_migrate_says_where_the_store_is(postgresql: Postgresql, tmp_path: Path) -> None:
    place = postgresql.new_database()
    for args, named in ((("--data", str(tmp_path / "new")), {}), ((), {"TISCHLEIN_STORE": place})):
        assert (
            run("store", "migrate", *args, **named).stdout
            == f"The store is at version {VERSION}.\n"
        )


def test_where_no_store_is_none_is_made(tmp_path: Path) -> None:
    """Who mistypes a folder is told, and finds no empty store there later."""
    for command in (("check",), ("export", str(tmp_path / "all.jsonl"))):
        done = run("store", *command, "--data", str(tmp_path / "typo"))
        assert done.returncode == 1
        assert "there is no store here" in done.stderr
    assert list(tmp_path.iterdir()) == []


async def test_what_cannot_be_right_is_said(full: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    await asyncio.to_thread(store, "export", str(file), "--store", str(full))
    lines = file.read_bytes().splitlines(keepends=True)
    rng = random.Random(1)

    async def refused(changed: list[bytes], reason: str) -> None:
        store = await open_store(str(tmp_path / f"{rng.random()}.sqlite"))
        with pytest.raises(BadStore, match=reason):
            await bring_in(store, changed)
        await store.close()

    async with asyncio.timeout(LIMIT):
        await refused(lines[:-1], "cut off")
        await refused(lines[1:], "line 1")
        await refused([*lines, lines[1]], "nothing may follow")
        await refused([lines[0], *lines[2:]], "tells of other things")
        at = next(n for n, line in enumerate(lines) if b'\\"by\\":\\"nature\\"' in line)
        table = json.loads(lines[at])
        entry = next(n for n, text in enumerate(table["entries"]) if '"by":"nature"' in text)
        table["entries"][entry] = table["entries"][entry + 1]
        forged = [*lines[:at], json.dumps(table).encode(), *lines[at + 1 :]]
        await refused(forged, r"entry \d+: ")
        record = next(n for n, line in enumerate(lines) if b'"kind":"record"' in line)
        kept = json.loads(lines[record])
        kept["record"] = kept["record"].replace('"seed":"', '"seed":"0')
        await refused([*lines[:record], json.dumps(kept).encode()], "record of game 1")


async def test_a_table_that_is_there_stays(full: Path, tmp_path: Path) -> None:
    async with asyncio.timeout(LIMIT):
        source, target = await open_store(str(full)), await open_store(str(tmp_path / "t.sqlite"))
        lines: list[bytes] = []
        await export(source, lines.append)
        name = json.loads(lines[1])["name"]
        await target.append(Page(name, 1, [b"something else"], 1.0, False))
        with pytest.raises(BadStore, match="another table of this name"):
            await bring_in(target, lines)
        assert await target.load(name) == [b"something else"]
        await source.close()
        await target.close()


async def test_check_finds_what_was_changed_in_place(full: Path, tmp_path: Path) -> None:
    async with asyncio.timeout(LIMIT):
        source = await open_store(str(full))
        lines: list[bytes] = []
        await export(source, lines.append)
        store = await open_store(str(tmp_path / "t.sqlite"))
        await bring_in(store, lines)
        await check(store)
        first = (await source.records(("", 0), 1))[0]
        await store.ask("DELETE FROM records WHERE name = $1", first.name)
        with pytest.raises(BadStore, match="is not what was played"):
            await check(store)
        await store.keep(KeptRecord(first.name, first.game, first.record, 1.0))
        await check(store)
        await source.close()
        await store.close()


async def test_a_file_of_an_older_program_comes_in(full: Path, tmp_path: Path) -> None:
    async with asyncio.timeout(LIMIT):
        source, target = await open_store(str(full)), await open_store(str(tmp_path / "t.sqlite"))
        lines: list[bytes] = []
        counted = await export(source, lines.append)
        assert counted.rows == len(MOVES)
        end = {"kind": "end", **counted._replace(rows=0)._asdict()}
        del end["rows"]
        older = [line for line in lines[:-1] if b'"kind":"row"' not in line]
        assert await bring_in(target, [*older, json.dumps(end).encode()]) == counted._replace(
            rows=0
        )
        again: list[bytes] = []
        await export(target, again.append)
        assert again[:-1] == older, "and without rows the file is as it always was"
        assert b"rows" not in again[-1]
        await source.close()
        await target.close()


async def test_rows_that_cannot_be_right_are_refused(full: Path, tmp_path: Path) -> None:
    source, target = await open_store(str(full)), await open_store(str(tmp_path / "t.sqlite"))
    lines: list[bytes] = []
    await export(source, lines.append)
    profile = next(json.loads(line) for line in lines if b'"table":"profiles"' in line)
    wrong = (
        ({"table": "entries"}, "are not moved"),
        ({"table": "nowhere"}, "are not moved"),
        ({"values": profile["values"] | {"made": "long ago"}}, "is not float"),
        ({"values": profile["values"] | {"body": "?"}}, "profiles"),
        ({"values": profile["values"] | {"more": 1}}, "a row of profiles has"),
        ({"values": profile["values"] | {"body": "A" * 1_000_000}}, "at most 1,000,000"),
    )
    async with asyncio.timeout(LIMIT):
        for change, reason in wrong:
            with pytest.raises(BadStore, match=reason):
                await bring_in(target, [lines[0], json.dumps(profile | change).encode()])
        await bring_in(target, lines)
        other = json.dumps(profile | {"values": profile["values"] | {"seen": 5.0}}).encode()
        with pytest.raises(BadStore, match="another row of profiles"):
            await bring_in(target, [lines[0], other])
        await source.close()
        await target.close()


def test_without_the_extra_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    monkeypatch.delitem(sys.modules, "tischlein.store.postgresql", raising=False)
    for command in (["store", "check"], ["serve", "--no-open"]):
        with pytest.raises(SystemExit) as ended:
            app([*command, "--store", "postgresql://nowhere/none"])
        assert ended.value.code == 1
        assert "pip install 'tischlein[cluster]'" in capsys.readouterr().err


def test_a_store_that_is_not_there_is_said() -> None:
    done = run("store", "check", "--store", "/nowhere/at/all.sqlite")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr


OLDER = Path(__file__).parents[1] / "data" / "version_0"
HALF, TOKEN = "7yks2jye3sn8", "rMr8oo7xcFFeNNttf0Sa8iIpn5lXjl9sLApcxZUawQI"


async def test_a_store_of_an_older_version_opens_and_goes_on(tmp_path: Path) -> None:
    """It was written before there were houses: three finished games, one in the middle, a lobby."""
    file = tmp_path / "tables.sqlite"
    file.write_bytes((OLDER / "tables.sqlite").read_bytes())
    store = await open_store(str(file))
    assert str(await check(store)).startswith("5 tables with ")
    house = House(store, QUIET)
    await house.wake()
    table = await house.find(HALF)
    assert table is not None
    moves = len(table.book.moves)
    assert moves == 20
    assert table.book.seat_of(TOKEN) == 0
    assert table.book.story(None), "what was played before is told"
    (seat,) = table.book.movers()
    state = table.book.rules.play(
        table.book.state, seat, table.book.rules.legal(table.book.state, seat)[0]
    )
    assert state != table.book.state
    await house.close()


@pytest.mark.parametrize("game", ["sushizock", "buffet", "kakerlaken"])
def test_a_record_of_an_older_version_replays_and_verifies(game: str) -> None:
    with (OLDER / f"{game}.jsonl").open() as lines:
        played = replay(lines)
    assert verify(played, older=True).agreed > 0
    with pytest.raises(BadRecord, match="older records, from before they were kept, lack them"):
        verify(played)
