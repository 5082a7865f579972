"""Who wants to be told at which seat: the browsers of its player, a few for each seat."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from tischlein.people.push import Target
from tischlein.store import Asks
from tischlein.table.book import fingerprint

MOST: Final = 4
"""So many browsers are told at a seat; the one that was last renewed longest ago gives way."""

KEEP: Final = """
    INSERT INTO pushes (name, seat, endpoint, body, made) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name, seat, endpoint) DO UPDATE SET body = excluded.body, made = excluded.made
"""
MAKE_ROOM: Final = """
    DELETE FROM pushes WHERE name = $1 AND seat = $2 AND endpoint NOT IN (
        SELECT endpoint FROM pushes WHERE name = $1 AND seat = $2
        ORDER BY made DESC, endpoint LIMIT $3
    )
"""
FIND: Final = """
    SELECT seat, endpoint, body FROM pushes WHERE name = $1 ORDER BY seat, made, endpoint
"""


class Subscription(Struct, frozen=True):
    """A browser that is told at a seat, and for whom it was."""

    target: Target
    language: str
    holder: str
    """What the table knows its player by: who sits down there later is somebody else."""
    house: str = ""
    """Under which address the browser knows this house."""


class Kept(Struct, frozen=True):
    """A subscription as it is found: at which seat, and the fingerprint of its address."""

    seat: int
    endpoint: str
    subscription: Subscription


_write: Final = msgspec.json.encode
_read: Final = msgspec.json.Decoder(Subscription)


class Subscriptions:
    """Keeps who wants to be told, and forgets them."""

    def __init__(self, store: Asks, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    async def keep(self, table: str, seat: int, subscription: Subscription) -> None:
        """Keep one, or renew it; the oldest of the seat gives way."""
        endpoint = fingerprint(subscription.target.address)
        await self._store.ask(KEEP, table, seat, endpoint, _write(subscription), self._now())
        await self._store.ask(MAKE_ROOM, table, seat, MOST)

    async def at(self, table: str) -> list[Kept]:
        """List those of a table."""
        rows = await self._store.ask(FIND, table)
        return [Kept(seat, endpoint, _read.decode(body)) for seat, endpoint, body in rows]

    async def has(self, table: str, seat: int, endpoint: str) -> bool:
        """Say whether one is still kept."""
        return any((kept.seat, kept.endpoint) == (seat, endpoint) for kept in await self.at(table))

    async def forget(self, table: str, seat: int, endpoint: str) -> None:
        """Forget one."""
        words = "DELETE FROM pushes WHERE name = $1 AND seat = $2 AND endpoint = $3"
        await self._store.ask(words, table, seat, endpoint)

    async def forget_all(self, endpoint: str) -> None:
        """Forget a browser, at all tables."""
        await self._store.ask("DELETE FROM pushes WHERE endpoint = $1", endpoint)

    async def sweep(self, table: str, holders: Sequence[str | None]) -> None:
        """Forget those of people who no longer hold their seat."""
        for kept in await self.at(table):
            if kept.subscription.holder != holders[kept.seat]:
                await self.forget(table, kept.seat, kept.endpoint)
