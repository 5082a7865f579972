"""All tables of a device as one file, and what such a file tells taken over."""

import re
from typing import Final

import msgspec
from msgspec import Struct

from tischlein.games import game_names
from tischlein.house.house import House, is_of_a_device
from tischlein.names import json_line
from tischlein.page.together import Version, take_over, version
from tischlein.store import Store
from tischlein.store.moving import (
    FORMAT,
    BadStore,
    EndLine,
    Head,
    TableLine,
    read_line,
    tables_of,
)
from tischlein.table import entries as e

DEEPEST: Final = 40
"""So many brackets stand around anything that a table tells, at most."""
SIGNS: Final = re.compile(rb'\\.|["\[\]{}]')
READ_HEAD: Final = msgspec.json.Decoder(Head)


class Brought(Struct, omit_defaults=True):
    """What came of a file: tables that are new here or went on, and new names of some of ours."""

    tables: int = 0
    apart: dict[str, str] = {}
    """Tables that went on here, too, in their own way: how they are called now as they are here."""
    left: int = 0
    """Tables that stay in the file: somebody plays there just now, or their game is not here."""


async def copy(store: Store) -> str:
    """Write all tables down, whatever is the matter with one: who brings them checks them."""
    lines, count = [json_line(Head(FORMAT))], 0
    async with store.snapshot() as still:
        async for table, entries in tables_of(still):
            texts = [entry.decode() for entry in entries]
            lines.append(json_line(TableLine(table.name, table.touched, table.live, texts)))
            count += len(entries)
    lines.append(json_line(EndLine(len(lines) - 1, count, 0, 0)))
    return b"".join(lines).decode()


async def bring(house: House, text: str) -> Brought:
    """Take over what a file tells; nothing that is here is lost.

    Raises BadStore where any of it cannot be right; then nothing has changed.
    """
    told = tables_in(text)
    known: list[tuple[str, Version]] = [
        (table.name, version(table.name, [entry.encode() for entry in table.entries]))
        for table in told
        if is_known(table)
    ]
    found = Brought(left=len(told) - len(known))
    for name, table in known:
        came = await take_over(house, name, table)
        found.left += came.came == "busy"
        found.tables += came.came == "theirs"
        if came.apart is not None:
            found.apart[name] = came.apart
    return found


def tables_in(text: str) -> list[TableLine]:
    """Read a whole file; raises BadStore."""
    lines = text.encode().splitlines()
    if any(map(is_deep, lines)):
        raise BadStore("-", "this lies too deep")
    try:
        if not lines or READ_HEAD.decode(lines[0]).format != FORMAT:
            raise BadStore("-", "this is not a file of tables")
        told = [read_line.decode(line) for line in lines[1:]]
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise BadStore("-", str(problem)) from None
    if not told or not isinstance(told[-1], EndLine):
        raise BadStore("-", "the file ends too soon")
    tables = [line for line in told if isinstance(line, TableLine)]  # they tell all the rest
    for table in tables:
        if not is_of_a_device(table.name):
            raise BadStore(table.name[:20], "this is not a table of a device")
        if any(is_deep(entry.encode()) for entry in table.entries):
            raise BadStore(table.name, "this lies too deep")
    return tables


def is_deep(text: bytes) -> bool:
    """Say whether brackets stand in brackets in which a page's Python would come to its end."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    depth, quoted = 0, False
    for sign in SIGNS.findall(text):
        if sign == b'"':
            quoted = not quoted
        elif not quoted and len(sign) == 1:
            depth += 1 if sign in b"[{" else -1
            if depth > DEEPEST:
                return True
    return False


def is_known(table: TableLine) -> bool:
    """Say whether a table is for a game that is here; what says nothing of a game is looked at."""
    try:
        first = e.decoder.decode(table.entries[0])
    except (msgspec.MsgspecError, RecursionError, IndexError):
        return True
    return not isinstance(first, e.Opened) or first.game in game_names()
