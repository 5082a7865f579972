"""What is kept beside tables and records, as rows that move house.

Which columns a table has, and which of them name a row, is read from the schema itself.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, NamedTuple

from tischlein.store import Asks, keys
from tischlein.store.schema import MIGRATIONS

AT_ONCE: Final = 500
LONGEST: Final = 1_000_000
"""So many bytes a row has at most in a file."""
MOVES: Final = ("keys", "profiles", "passkeys", "logins", "codes", "sits", "played", "unrated",
                "ratings", "insights", "cups", "pushes", "carried")  # fmt: skip
STAYS: Final = ("alarms", "offers")
"""What is true for one server, or made anew: a table that is brought in is looked at at once."""
LEAVING: Final = "SELECT 1 FROM codes WHERE purpose = 'leaving' AND codes.profile"
"""Who is being forgotten: what is still theirs goes in a moment."""
NEEDS: Final = (
    ("played", "records", {"name": "name", "game": "game"}),
    ("unrated", "records", {"name": "name", "game": "game"}),
    ("insights", "records", {"name": "name", "game": "game"}),
    ("passkeys", "profiles", {"profile": "id"}),
    ("logins", "profiles", {"profile": "id"}),
    ("sits", "profiles", {"profile": "id"}),
    ("ratings", "profiles", {"profile": "id"}),
    ("carried", "profiles", {"profile": "id"}),
    ("alarms", "tables", {"name": "name"}),
    ("pushes", "tables", {"name": "name"}),
)
"""What makes no sense alone: rows, and what must be kept with them."""
KINDS: Final[Mapping[str, type]] = {"TEXT": str, "INTEGER": int, "REAL": float, "BLOB": bytes}
Values = dict[str, str | int | float]


class BadRow(ValueError):
    """A row that does not fit its table."""


class Shape(NamedTuple):
    """The columns of a table, each with its kind, and those that name a row."""

    name: str
    columns: Mapping[str, type]
    key: tuple[str, ...]


def shapes(words: str) -> dict[str, Shape]:
    """Read the shapes of tables from the words that make them."""
    found = re.findall(r"CREATE TABLE (\w+) \(((?:[^()]|\([^()]*\))*)\)", words)
    return {name: shape(name, " ".join(inside.split())) for name, inside in found}


def shape(name: str, inside: str) -> Shape:
    """Read the shape of one table."""
    listed = re.search(r"PRIMARY KEY \(([^)]+)\)", inside)
    columns = re.findall(r"(?:^|, )(\w+) (TEXT|INTEGER|REAL|BLOB)( PRIMARY KEY)?", inside)
    own = [column for column, _, is_key in columns if is_key]
    key = listed[1].split(", ") if listed else own
    return Shape(name, {column: KINDS[kind] for column, kind, _ in columns}, tuple(key))


SHAPES: Final = shapes("".join(step.sqlite for step in MIGRATIONS[2:]))


async def rows_of(store: Asks, table: str) -> AsyncIterator[Values]:
    """Give the rows of a table as they are written to a file, by their key."""
    found = SHAPES[table]
    last: tuple[Any, ...] = ()
    while rows := await store.ask(page_words(found, bool(last)), *last, AT_ONCE):
        for row in rows:
            values = dict(zip(found.columns, row, strict=True))
            last = tuple(values[column] for column in found.key)
            if table != "keys" or values["name"] not in keys.STAY:
                yield {name: written(value) for name, value in values.items()}


def page_words(found: Shape, goes_on: bool) -> str:
    """Ask for the next rows of a table."""
    key = ", ".join(found.key)
    places = ", ".join(f"${number + 1}" for number in range(len(found.key)))
    after = f"WHERE ({key}) > ({places})" if goes_on else ""
    most = f"${len(found.key) + 1}" if goes_on else "$1"
    columns = ", ".join(found.columns)
    return f"SELECT {columns} FROM {found.name} {after} ORDER BY {key} LIMIT {most}"  # noqa: S608


def written(value: Any) -> str | int | float:
    """Write a value for a file: bytes as base64."""
    return b64encode(value).decode() if isinstance(value, bytes) else value


def read(kind: type, value: Any) -> Any:
    """Read a value from a file."""
    if kind is float and type(value) is int:
        return float(value)
    if kind is bytes and isinstance(value, str):
        return b64decode(value, validate=True)
    if type(value) is not kind:
        raise BadRow(f"`{str(value)[:40]}` is not {kind.__name__}")
    return value


def row_of(table: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Read a row from a file, or say what is wrong with it."""
    if table not in MOVES:
        raise BadRow(f"rows of `{table[:40]}` are not moved")
    columns = SHAPES[table].columns
    if values.keys() != columns.keys():
        raise BadRow(f"a row of {table} has {', '.join(columns)}")
    return {name: read(kind, values[name]) for name, kind in columns.items()}


async def bring_row(store: Asks, table: str, values: Mapping[str, Any]) -> bool:
    """Keep a row; one that is there already stays. Say whether just this one is there now."""
    row = row_of(table, values)
    found = SHAPES[table]
    columns, marks = ", ".join(row), ", ".join(f"${n + 1}" for n in range(len(row)))
    key = [row[column] for column in found.key]
    where = " AND ".join(f"{column} = ${n + 1}" for n, column in enumerate(found.key))
    await store.ask(
        f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING",  # noqa: S608
        *row.values(),
    )
    kept = await store.ask(f"SELECT {columns} FROM {table} WHERE {where}", *key)  # noqa: S608
    return [tuple(each) for each in kept] == [tuple(row.values())]


async def dangling(store: Asks) -> str | None:
    """Find a row that makes no sense, because what it belongs to is not kept; None: there is none.

    What is read is one row for each kind, so that a large store takes no memory.
    """
    for table, other, columns in NEEDS:
        fits = " AND ".join(f"{other}.{there} = {table}.{here}" for here, there in columns.items())
        words = (
            f"SELECT {', '.join(columns)} FROM {table}"  # noqa: S608  # our own names
            f" WHERE NOT EXISTS (SELECT 1 FROM {other} WHERE {fits})"
        )
        if other == "profiles":
            words += f" AND NOT EXISTS ({LEAVING} = {table}.profile)"
        words += " LIMIT 1"
        for row in await store.ask(words):
            return f"{table} {', '.join(map(str, row))}: there are no {other} for it"
    return None
