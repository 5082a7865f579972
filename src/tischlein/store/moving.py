"""Moving house: all that a store keeps, checked, written to a file and read from it.

The file has one JSON object a line: what it is, then tables, then records, then how many of each.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from tischlein.chance import Fair, verify
from tischlein.game import NATURE, Refusal
from tischlein.names import json_line
from tischlein.record import BadRecord, replay
from tischlein.store import KeptRecord, KeptTable, Page, Store, Taken
from tischlein.table import entries as e
from tischlein.table.book import Book, record_of

FORMAT: Final = "tischlein-store/1"
AT_ONCE: Final = 100


class BadStore(Exception):
    """Something kept that cannot be right: of which table, and what."""

    def __init__(self, table: str, reason: str) -> None:
        super().__init__(f"table {table}: {reason}")


class Count(NamedTuple):
    """How much was looked at."""

    tables: int = 0
    entries: int = 0
    records: int = 0

    def __str__(self) -> str:
        """Say it in words."""
        return f"{self.tables} tables with {self.entries} entries, and {self.records} records"


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


class EndLine(Struct, frozen=True, tag="end", tag_field="kind"):
    """The last line: so that a file that was cut off is known."""

    tables: int
    entries: int
    records: int


_read_head: Final = msgspec.json.Decoder(Head)
_read_line: Final = msgspec.json.Decoder(TableLine | RecordLine | EndLine)


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
    found = Count()
    async for table, lines in tables_of(store):
        if len(lines) < table.entries:
            raise BadStore(table.name, f"{table.entries} entries are told, {len(lines)} are there")
        for game, text in check_table(table.name, lines):
            if await store.record(table.name, game) not in (text, older_form(text)):
                raise BadStore(table.name, f"the record of game {game} is not what was played")
        found = found._replace(tables=found.tables + 1, entries=found.entries + len(lines))
    async for record in records_of(store):
        check_record(record)
        found = found._replace(records=found.records + 1)
    return found


def check_table(name: str, lines: list[bytes]) -> list[tuple[int, str]]:
    """Fold a table's entries, every die from its seed; give the records of its finished games."""
    book = Book(name)
    finished = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = e.decoder.decode(line)
            check_dice(book, entry)
            book.fold(entry)
        except (msgspec.MsgspecError, Refusal, ValueError, LookupError, AttributeError) as problem:
            raise BadStore(name, f"entry {number}: {problem}") from None
        if isinstance(entry, e.Moved) and book.is_over:
            finished.append((book.games, record_of(book, [], book.state)))
    return finished


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


async def export(store: Store, write: Callable[[bytes], object]) -> Count:
    """Write everything, checked, one JSON object a line."""
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
    line(EndLine(*found))
    return found


async def bring_in(store: Store, lines: Iterable[bytes]) -> Count:
    """Read a file that `export` wrote into a store; each thing is checked and then read back."""
    found, ended = Count(), False
    for number, text in enumerate(lines, start=1):
        if ended:
            raise BadStore("-", f"line {number}: nothing may follow the end")
        try:
            line = _read_head.decode(text) if number == 1 else _read_line.decode(text)
        except msgspec.MsgspecError as problem:
            raise BadStore("-", f"line {number}: {problem}") from None
        match line:
            case Head():
                if line.format != FORMAT:
                    raise BadStore("-", f"this file is `{line.format}`, not `{FORMAT}`")
            case TableLine():
                entries = found.entries + await bring_table(store, line)
                found = found._replace(tables=found.tables + 1, entries=entries)
            case RecordLine():
                await bring_record(store, line)
                found = found._replace(records=found.records + 1)
            case EndLine():
                ended = True
                if found != (line.tables, line.entries, line.records):
                    raise BadStore("-", f"the file tells of other things than {found}")
    if not ended:
        raise BadStore("-", f"the file is cut off after {found}")
    return found


async def bring_table(store: Store, line: TableLine) -> int:
    """Keep a table; one that is there already must be the same."""
    entries = [text.encode() for text in line.entries]
    check_table(line.name, entries)
    with contextlib.suppress(Taken):
        await store.append(Page(line.name, 1, entries, line.touched, line.live))
    if await store.load(line.name) != entries:
        raise BadStore(line.name, "another table of this name is kept here")
    return len(entries)


async def bring_record(store: Store, line: RecordLine) -> None:
    """Keep a record; one that is there already must be the same."""
    record = KeptRecord(line.name, line.game, line.record, line.kept)
    check_record(record)
    await store.keep(record)
    if await store.record(line.name, line.game) != line.record:
        raise BadStore(line.name, f"another record of game {line.game} is kept here")
