"""What the commands share: where a store is, what they do with it, and how they end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

Data = Annotated[
    Path | None,
    typer.Option(
        envvar="TISCHLEIN_DATA",
        help="The folder where tables are kept; usually ~/.local/share/tischlein "
        "(macOS: ~/Library/Application Support/Tischlein, Windows: %LOCALAPPDATA%\\Tischlein).",
        show_default=False,
    ),
]
StoreAt = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar="TISCHLEIN_STORE",
        metavar="ADDRESS",
        help="Where tables are kept in place of --data: postgresql://… or a SQLite file.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@contextmanager
def store_problems() -> Iterator[None]:
    """End a command with a sentence where its store cannot be used."""
    import sqlite3

    from tischlein.store import StoreDown
    from tischlein.store.schema import NewerStore

    try:
        yield
    except ModuleNotFoundError as problem:
        fail(f"{problem.name} is missing: pip install 'tischlein[cluster]'")
    except sqlite3.DatabaseError as problem:
        fail(f"this is not a store of tables, or it cannot be opened: {problem}")
    except (NewerStore, StoreDown, OSError) as problem:
        fail(in_a_sentence(problem))


def store_address(address: str | None, data: Path | None) -> str:
    """Say where the store is that a command means."""
    from tischlein.server.run import default_data_folder

    return address or str((default_data_folder() if data is None else data) / "tables.sqlite")


def with_store(address: str | None, data: Path | None, work: Any, there: bool = False) -> None:
    """Do something with a store, or end with the reason; `there`: it must be there already."""
    import asyncio

    from tischlein.server.run import default_data_folder
    from tischlein.store import open_store
    from tischlein.store.files import make_folder
    from tischlein.store.moving import BadStore

    folder = default_data_folder() if data is None else data
    where = store_address(address, data)
    if there and "://" not in where and not Path(where).exists():
        fail(f"{where}: there is no store here; name its folder with --data or it with --store")

    async def run() -> None:
        if address is None:
            make_folder(folder)
        opened = await open_store(where)
        try:
            await work(opened)
        finally:
            await opened.close()

    with store_problems():
        try:
            asyncio.run(run())
        except BadStore as problem:
            fail(str(problem))


def in_a_sentence(problem: Exception) -> str:
    """Word a problem: of a file, first which one, then what is wrong with it."""
    if isinstance(problem, OSError) and problem.filename and problem.strerror:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)


def fail(reason: str) -> NoReturn:
    """End with a reason on standard error; it may hold what came from outside."""
    from tischlein.names import printable

    print(printable(reason), file=sys.stderr)
    raise typer.Exit(1)
