"""Moving house: all that a store keeps, checked, written to a file and read from it.

The file has one JSON object a line: what it is, then tables, records, the rows that are kept beside
them, then how many of each. A file of an older program has no rows.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from tischlein.chance import Fair, verify
from tischlein.game import NATURE, Refusal
from tischlein.names import json_line
from tischlein.record import BadRecord, replay
from tischlein.store import KeptRecord, KeptTable, Page, Store, Taken
from tischlein.store.rows import LONGEST, MOVES, bring_row, dangling, rows_of
from tischlein.table import entries as e
from tischlein.table.book import Book, Phase, record_of
from tischlein.table.seating import SOMEBODY

FORMAT: Final = "tischlein-store/1"
AT_ONCE: Final = 100


WRONG: Final = (
    *(msgspec.MsgspecError, Refusal, ValueError, LookupError, AttributeError),
    *(ArithmeticError, RecursionError, TypeError),
)
"""What goes wrong where entries tell what cannot have been."""
PHASES: Final[dict[type, Phase]] = {e.Started: "open", e.Moved: "playing", e.Again: "over"}
"""When a game begins, goes on, and gives way to the next one."""


class BadStore(Exception):
    """Something kept that cannot be right: of which table, and what."""

    def __init__(self, table: str, reason: str) -> None:
        super().__init__(f"table {table}: {reason}")


class Count(NamedTuple):
    """How much was looked at."""

    tables: int = 0
    entries: int = 0
    records: int = 0
    rows: int = 0

    def __str__(self) -> str:
        """Say it in words."""
        found = f"{self.tables} tables with {self.entries} entries, and {self.records} records"
        return f"{found}; beside them {self.rows} rows" if self.rows else found


class Finished(NamedTuple):
    """A finished game of a table: which one it was, how it went, and when it ended."""

    game: int
    record: str
    ended: float


class Head(Struct, frozen=True):
    """The first line."""

    format: str


class TableLine(Struct, frozen=True, tag="table", tag_field="kind"):
    """A table with all its entries."""

    name: str
    touched: float
    live: bool
    entries: list[str]


class RecordLine(Struct, frozen=True, tag="record", tag_field="kind"):
    """The record of a finished game."""

    name: str
    game: int
    record: str
    kept: float


class RowLine(Struct, frozen=True, tag="row", tag_field="kind"):
    """Something that is kept beside tables and records."""

    table: str
    values: dict[str, str | int | float]


class EndLine(Struct, frozen=True, tag="end", tag_field="kind", omit_defaults=True):
    """The last line: so that a file that was cut off is known."""

    tables: int
    entries: int
    records: int
    rows: int = 0


_read_head: Final = msgspec.json.Decoder(Head)
read_line: Final = msgspec.json.Decoder(TableLine | RecordLine | RowLine | EndLine)


async def tables_of(store: Store) -> AsyncIterator[tuple[KeptTable, list[bytes]]]:
    """Give all tables with their entries, by name."""
    last = ""
    while page := await store.tables(last, AT_ONCE):
        for table in page:
            yield table, await store.load(table.name)
        last = page[-1].name


async def records_of(store: Store) -> AsyncIterator[KeptRecord]:
    """Give all records, by table and game."""
    last = ("", 0)
    while page := await store.records(last, AT_ONCE):
        for record in page:
            yield record
        last = (page[-1].name, page[-1].game)


async def check(store: Store) -> Count:
    """Play everything through again: moves, dice, commitments; raise BadStore at the first flaw."""
    async with store.snapshot() as still:
        found = Count()
        async for table, lines in tables_of(still):
            await check_with_records(still, table, lines)
            found = found._replace(tables=found.tables + 1, entries=found.entries + len(lines))
        async for record in records_of(still):
            check_record(record)
            found = found._replace(records=found.records + 1)
        if (alone := await dangling(still)) is not None:
            raise BadStore("-", alone)
        for name in MOVES:
            async for _ in rows_of(still, name):
                found = found._replace(rows=found.rows + 1)
        return found


async def check_with_records(store: Store, table: KeptTable, lines: list[bytes]) -> None:
    """Play a table through, and see that the records of its games are what was played."""
    if len(lines) < table.entries:
        raise BadStore(table.name, f"{table.entries} entries are told, {len(lines)} are there")
    for game, text, _ in check_table(table.name, lines):
        kept = await store.record(table.name, game)
        if kept is None or without_names(kept, text) not in (text, older_form(text)):
            raise BadStore(table.name, f"the record of game {game} is not what was played")


def without_names(kept: str, played: str) -> str:
    """Give a record with the names that were taken away from it since, to be compared."""
    header, was = header_of(kept), header_of(played)["seats"]
    if len(was) != len(header["seats"]):
        return kept
    seats = [
        before if now.startswith(SOMEBODY) else now
        for before, now in zip(was, header["seats"], strict=True)
    ]
    if seats == header["seats"]:
        return kept
    first = msgspec.json.encode(header | {"seats": seats}).decode()
    return "\n".join([first, kept.partition("\n")[2]])


def header_of(record: str) -> dict[str, Any]:
    """Read the first line of a record."""
    found: dict[str, Any] = msgspec.json.decode(record.partition("\n")[0])
    return found


def check_table(name: str, lines: Sequence[bytes]) -> list[Finished]:
    """Fold a table's entries, every die from its seed; give its finished games."""
    return played_through(name, lines)[1]


def played_through(name: str, lines: Sequence[bytes]) -> tuple[Book, list[Finished]]:
    """Fold a table's entries, every die from its seed; give the table and its finished games."""
    book = Book(name)
    finished = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = e.decoder.decode(line)
            check_order(book, entry)
            check_dice(book, entry)
            book.fold(entry)
            if isinstance(entry, e.Moved) and book.is_over:
                ended = book.begun + book.moves[-1].t / 1000
                finished.append(Finished(book.games, record_of(book, [], book.state), ended))
        except WRONG as problem:
            raise BadStore(name, f"entry {number}: {problem}") from None
    return book, finished


def check_order(book: Book, entry: Any) -> None:
    """See that a table is set once, and that a game begins and ends before the next one."""
    expected = PHASES.get(type(entry))
    if (book.entries == 0) != isinstance(entry, e.Opened):
        raise ValueError("a table is set first, and once")
    if expected is not None and book.phase != expected:
        raise ValueError("this does not happen now")


def older_form(record: str) -> str:
    """Write a record as it was before seals and empty words were kept; sealed ones as they are."""
    first, rest = record.split("\n", 1)
    header = msgspec.json.decode(first)
    if any(header["seals"]):
        return record
    left_out = {"seals"} if any(header["contributions"]) else {"seals", "contributions"}
    kept = {name: value for name, value in header.items() if name not in left_out}
    return "\n".join([msgspec.json.encode(kept).decode(), rest])


def check_dice(book: Book, entry: Any) -> None:
    """See that a move of nature is what the seed gives."""
    if isinstance(entry, e.Moved) and entry.by == NATURE:
        move = book.read_move.decode(entry.move)
        dice = Fair(book.seed, book.words.texts, book.rules.NAME, len(book.moves) + 1)
        if book.rules.draw(book.state, dice) != move:
            raise ValueError("this is not what the seed gives here")


def check_record(record: KeptRecord) -> None:
    """Replay a record, and see that its dice were fair and its seed the promised one."""
    try:
        verify(replay(record.record.split("\n")), older=True)
    except BadRecord as problem:
        raise BadStore(record.name, f"the record of game {record.game}: {problem}") from None


async def export(
    store: Store, write: Callable[[bytes], object], moves: Sequence[str] = MOVES
) -> Count:
    """Write everything as it is at one moment, checked, one JSON object a line.

    Of what is kept beside tables and records only some may move.
    """
    async with store.snapshot() as still:
        return await export_still(still, write, moves)


async def export_still(
    store: Store, write: Callable[[bytes], object], moves: Sequence[str] = MOVES
) -> Count:
    """Write everything of a store in which nothing changes."""
    found = Count()

    def line(thing: object) -> None:
        write(json_line(thing))

    line(Head(FORMAT))
    async for table, lines in tables_of(store):
        check_table(table.name, lines)
        texts = [entry.decode() for entry in lines]
        line(TableLine(table.name, table.touched, table.live, texts))
        found = found._replace(tables=found.tables + 1, entries=found.entries + len(lines))
    async for record in records_of(store):
        check_record(record)
        line(RecordLine(*record))
        found = found._replace(records=found.records + 1)
    for name in moves:
        async for values in rows_of(store, name):
            line(RowLine(name, values))
            found = found._replace(rows=found.rows + 1)
    line(EndLine(*found))
    return found


async def bring_in(store: Store, lines: Iterable[bytes]) -> Count:
    """Read a file that `export` wrote into a store; each thing is checked and then read back."""
    found, ended = Count(), False
    for number, text in enumerate(lines, start=1):
        if ended:
            raise BadStore("-", f"line {number}: nothing may follow the end")
        try:
            line = _read_head.decode(text) if number == 1 else read_line.decode(text)
        except msgspec.MsgspecError as problem:
            raise BadStore("-", f"line {number}: {problem}") from None
        if isinstance(line, Head):
            if line.format != FORMAT:
                raise BadStore("-", f"this file is `{line.format}`, not `{FORMAT}`")
        elif isinstance(line, EndLine):
            ended = True
            if found != (line.tables, line.entries, line.records, line.rows):
                raise BadStore("-", f"the file tells of other things than {found}")
        elif isinstance(line, RowLine) and len(text) > LONGEST:
            raise BadStore("-", f"line {number}: a row has at most {LONGEST:,} bytes")
        else:
            found = await bring_line(store, line, found)
    if not ended:
        raise BadStore("-", f"the file is cut off after {found}")
    return found


async def bring_line(store: Store, line: TableLine | RecordLine | RowLine, found: Count) -> Count:
    """Keep what a line tells, and count it."""
    match line:
        case TableLine():
            entries = found.entries + await bring_table(store, line)
            return found._replace(tables=found.tables + 1, entries=entries)
        case RecordLine():
            await bring_record(store, line)
            return found._replace(records=found.records + 1)
        case RowLine():
            try:
                is_kept = await bring_row(store, line.table, line.values)
            except ValueError as problem:
                raise BadStore("-", f"a row of {line.table[:40]}: {problem}") from None
            if not is_kept:
                raise BadStore("-", f"another row of {line.table} is kept here in its place")
            return found._replace(rows=found.rows + 1)


async def bring_table(store: Store, line: TableLine) -> int:
    """Keep a table; one that is there already must be the same."""
    entries = [text.encode() for text in line.entries]
    check_table(line.name, entries)
    with contextlib.suppress(Taken):
        alarm = line.touched if is_slow(entries) else None
        await store.append(Page(line.name, 1, entries, line.touched, line.live, alarm=alarm))
    if await store.load(line.name) != entries:
        raise BadStore(line.name, "another table of this name is kept here")
    return len(entries)


def is_slow(entries: list[bytes]) -> bool:
    """Say whether a server must look after a table, also where nobody does."""
    first = e.decoder.decode(entries[0]) if entries else None
    return isinstance(first, e.Opened) and first.speed in e.SLOW


async def bring_record(store: Store, line: RecordLine) -> None:
    """Keep a record; one that is there already must be the same."""
    record = KeptRecord(line.name, line.game, line.record, line.kept)
    check_record(record)
    await store.keep(record)
    if await store.record(line.name, line.game) != line.record:
        raise BadStore(line.name, f"another record of game {line.game} is kept here")
