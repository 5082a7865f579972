"""Back-ups: all that a store keeps at one moment, in one file that only its owner may read.

Of SQLite it is a copy of the file; of PostgreSQL, and where it is wanted, lines that any store can
read (`moving.py`).
"""

import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tischlein.store import Store, moving, open_store
from tischlein.store.files import make_folder, open_for_owner
from tischlein.store.moving import BadStore

SQLITE: Final = b"SQLite format 3\0"
"""What a file of SQLite begins with."""
PAGES: Final = 1000
"""So many pages are copied before others may go on."""


def is_sqlite(address: str) -> bool:
    """Say whether a store is a file."""
    return "://" not in address


async def write(address: str, store: Store, file: Path, portable: bool) -> str:
    """Write a back-up of a store to a new file; say what is in it. A half one does not stay."""
    with new_file(file):
        if is_sqlite(address) and not portable:
            copy(Path(address), file)
            return f"{file.stat().st_size / 1e6:,.1f} MB"
        with file.open("r+b") as out:
            found = await moving.export(store, out.write)
            out.flush()
            os.fsync(out.fileno())
        return str(found)


@contextlib.contextmanager
def new_file(file: Path) -> Iterator[None]:
    """Make a new file that only its owner may read; what goes wrong leaves none."""
    open_for_owner(file).close()
    try:
        yield
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def copy(source: Path, target: Path) -> None:
    """Copy a SQLite file as it is at one moment, whoever writes to it meanwhile."""
    reading = f"{source.resolve().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(reading, uri=True, timeout=30)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new, pages=PAGES, sleep=0.01)
        (state,) = new.execute("PRAGMA quick_check").fetchone()
    if state != "ok":
        raise BadStore("-", f"the copy is not whole: {state}")


async def restore(file: Path, address: str) -> str:
    """Put a back-up where nothing is kept yet, and play all of it through again."""
    if is_sqlite(address):
        if Path(address).exists():
            raise BadStore("-", f"{address} is there already: move it away first")
        make_folder(Path(address).parent)
    if begins_as_sqlite(file):
        if not is_sqlite(address):
            raise BadStore("-", "this is a copy of SQLite: make one for any store with --portable")
        with new_file(Path(address)):
            copy(file, Path(address))
    async with opened(address) as store:
        if not begins_as_sqlite(file):
            with file.open("rb") as lines:
                await moving.bring_in(store, lines)
        return str(await moving.check(store))


async def check(file: Path) -> str:
    """See whether a back-up opens: put it in a store of its own, which is then thrown away."""
    with TemporaryDirectory() as folder:
        return await restore(file, str(Path(folder) / "copy.sqlite"))


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """Open a store, and let go of it."""
    store = await open_store(address)
    try:
        yield store
    finally:
        await store.close()


def begins_as_sqlite(file: Path) -> bool:
    """Say whether a file is one of SQLite's."""
    with file.open("rb") as found:
        return found.read(len(SQLITE)) == SQLITE
