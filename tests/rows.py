"""A row of every kind that is kept beside tables and records."""

from typing import Any

from tischlein.store import Asks
from tischlein.store.rows import MOVES, SHAPES

PROFILE = "p1"


def sample(column: str, kind: type, table: str) -> Any:
    """Give a value that fits: rows belong to this table, its first game, and one profile."""
    if column == "name":
        return table
    if column in ("profile", "id"):
        return PROFILE
    values: dict[type, Any] = {str: f"a {column}", int: 1, float: 1234.5678, bytes: b"{}\x00\xff"}
    return values[kind]


async def fill_rows(store: Asks, table: str) -> None:
    """Keep one row of every kind that moves; `table` must be kept, with the record of a game."""
    for kind in MOVES:
        columns = SHAPES[kind].columns
        marks = ", ".join(f"${n + 1}" for n in range(len(columns)))
        values = [sample(column, type_, table) for column, type_ in columns.items()]
        words = f"INSERT INTO {kind} ({', '.join(columns)}) VALUES ({marks})"
        await store.ask(words, *values)
