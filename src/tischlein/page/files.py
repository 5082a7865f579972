"""All tables of a device as one file, and what such a file tells taken over."""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from tischlein.house.house import NAME
from tischlein.store import Page, Store
from tischlein.store.moving import (
    BadStore,
    RecordLine,
    TableLine,
    bring_record,
    check_table,
    export,
    read_line,
)

SIGN: Final = "0"
"""The names of a device's own tables begin with this; a server's never do."""


class Brought(Struct):
    """What came of a file: tables that are new here or went on, and those that went on apart."""

    tables: int = 0
    apart: int = 0


async def copy(store: Store) -> str:
    """Write all tables and records down, checked; of what lies beside them nothing is needed."""
    lines: list[bytes] = []
    await export(store, lines.append, moves=())
    return b"".join(lines).decode()


async def bring(store: Store, text: str) -> Brought:
    """Take over what a file tells. Nothing that is here is lost: the longer table stays.

    Where a table went on here and there, each in its own way, ours stays. Raises BadStore.
    """
    found = Brought()
    apart = set()
    for number, line in enumerate(text.encode().splitlines()[1:], start=2):
        try:
            told = read_line.decode(line)
        except msgspec.MsgspecError as problem:
            raise BadStore("-", f"line {number}: {problem}") from None
        if isinstance(told, TableLine):
            came = await bring_table(store, told)
            found.tables += came == "new"
            if came == "apart":
                apart.add(told.name)
        elif isinstance(told, RecordLine) and told.name not in apart:
            await bring_record(store, told)
    found.apart = len(apart)
    return found


async def bring_table(store: Store, line: TableLine) -> Literal["new", "known", "apart"]:
    """Keep what a table has more than ours."""
    if not NAME.fullmatch(line.name) or not line.name.startswith(SIGN):
        raise BadStore(line.name[:20], "this is not a table of a device")
    entries = [text.encode() for text in line.entries]
    check_table(line.name, entries)
    kept = await store.load(line.name)
    many = min(len(kept), len(entries))
    if kept[:many] != entries[:many]:
        return "apart"
    if len(entries) == many:
        return "known"
    await store.append(Page(line.name, many + 1, entries[many:], line.touched, line.live))
    return "new"
