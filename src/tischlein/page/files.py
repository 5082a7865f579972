"""All tables of a device as one file, and what such a file tells taken over."""

import msgspec
from msgspec import Struct

from tischlein.house.house import House, is_of_a_device
from tischlein.page.together import merge
from tischlein.store import Store
from tischlein.store.moving import BadStore, TableLine, export, read_line


class Brought(Struct, omit_defaults=True):
    """What came of a file: tables that are new here or went on, and new names of some of ours."""

    tables: int = 0
    apart: dict[str, str] = {}
    """Tables that went on here, too, in their own way: how they are called now as they are here."""


async def copy(store: Store) -> str:
    """Write all tables and records down, checked; of what lies beside them nothing is needed."""
    lines: list[bytes] = []
    await export(store, lines.append, moves=())
    return b"".join(lines).decode()


async def bring(house: House, text: str) -> Brought:
    """Take over what a file tells; nothing that is here is lost. Raises BadStore."""
    found = Brought()
    for number, line in enumerate(text.encode().splitlines()[1:], start=2):
        try:
            told = read_line.decode(line)
        except msgspec.MsgspecError as problem:
            raise BadStore("-", f"line {number}: {problem}") from None
        if not isinstance(told, TableLine):
            continue  # records tell nothing that their tables do not
        if not is_of_a_device(told.name):
            raise BadStore(told.name[:20], "this is not a table of a device")
        came = await merge(house, told.name, told.entries)
        if came.came == "busy":
            raise BadStore(told.name, "somebody plays there just now")
        found.tables += came.came == "theirs"
        if came.apart is not None:
            found.apart[told.name] = came.apart
    return found
