"""Where tables are kept: one interface, and one file for each engine that keeps it."""

from collections.abc import Sequence
from typing import Protocol


class Taken(Exception):
    """Somebody else has written this number of this table: read on, and judge again."""


Record = tuple[int, str]
"""Which game of a table this is, from 1, and how it went."""


class Store(Protocol):
    """Keeps the entries of tables, in order, durably.

    An entry is a line of JSON. `(table, number)` is unique, and numbers leave no gap.
    """

    async def append(
        self,
        table: str,
        first: int,
        entries: Sequence[bytes],
        now: float,
        live: bool,
        record: Record | None = None,
    ) -> None:
        """Write entries numbered from `first`, all or none; when this returns they are durable.

        `live` says whether the table now waits for its server (a game goes on); `record` is that
        of the game that these entries end. Raises Taken if one of the numbers is written already
        or if a number before them is missing.
        """

    async def load(self, table: str, after: int = 0) -> list[bytes]:
        """Read the entries of a table after a number, in order; none if there is no such table."""

    async def live(self) -> list[str]:
        """List the tables that wait for their server."""

    async def tidy(self, untouched_since: float) -> list[str]:
        """Forget tables that nobody has touched since; give their names. Records stay."""

    async def record(self, table: str, game: int | None = None) -> str | None:
        """Read the record of a finished game: of this number, or the last."""

    async def close(self) -> None:
        """Finish what is being written and let go of the engine."""
