"""The bus between servers: it says that a table is at entry N, and nothing else.

A message that is lost costs a moment: the servers also look into the store now and then.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

Hear = Callable[[str, int], None]
"""Takes in that a table is at this entry, by somebody else's word."""


class Bus(Protocol):
    """Carries news of tables to the servers that follow them."""

    async def start(self, hear: Hear) -> None:
        """Begin to listen; a bus that cannot be reached yet is reached later."""

    def follow(self, table: str) -> None:
        """Hear of a table from now on."""

    def unfollow(self, table: str) -> None:
        """Hear of a table no longer."""

    def say(self, table: str, entries: int) -> None:
        """Tell all others that a table is at this entry; the same again: look who is there."""

    async def close(self) -> None:
        """Hang up."""


class LocalBus:
    """A bus inside of one process; several servers in it share a room."""

    def __init__(self, room: "set[LocalBus] | None" = None) -> None:
        self._room: set[LocalBus] = set() if room is None else room
        self._tables: set[str] = set()
        self._hear: Hear | None = None

    async def start(self, hear: Hear) -> None:
        """Begin to listen."""
        self._hear = hear
        self._room.add(self)

    def follow(self, table: str) -> None:
        """Hear of a table from now on."""
        self._tables.add(table)

    def unfollow(self, table: str) -> None:
        """Hear of a table no longer."""
        self._tables.discard(table)

    def say(self, table: str, entries: int) -> None:
        """Tell all others that a table is at this entry."""
        loop = asyncio.get_running_loop()
        for other in self._room:
            if other is not self:
                loop.call_soon(other._take, table, entries)

    def _take(self, table: str, entries: int) -> None:
        if self._hear is not None and table in self._tables:
            self._hear(table, entries)

    async def close(self) -> None:
        """Hang up."""
        self._room.discard(self)
        self._hear = None


def bus_at(address: str | None) -> Bus:
    """Give the bus at an address: `nats://…`, or none for one process."""
    if address is None:
        return LocalBus()
    from tischlein.bus.nats import NatsBus

    return NatsBus(address)
