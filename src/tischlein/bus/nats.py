"""The bus over NATS: one subject for each table. It may come and go; nobody waits for it."""

import asyncio
import contextlib
import logging
from typing import Final

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from tischlein.bus import Hear

log = logging.getLogger("tischlein.bus")

PREFIX: Final = "tischlein.table."
MOST_UNSAID: Final = 100_000
SENDING_WITHIN: Final = 2.0


class NatsBus:
    """Says and hears over NATS, from a task of its own."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client: Client | None = None
        self._hear: Hear | None = None
        self._wanted: set[str] = set()
        self._followed: dict[str, Subscription] = {}
        self._unsaid: dict[str, int] = {}
        self._changed: set[str] = set()
        self._work = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self, hear: Hear) -> None:
        """Begin to listen; if there is no NATS yet, as soon as there is."""
        self._hear = hear
        self._task = asyncio.create_task(self._run())

    def follow(self, table: str) -> None:
        """Hear of a table from now on."""
        self._wanted.add(table)
        self._note(table)

    def unfollow(self, table: str) -> None:
        """Hear of a table no longer."""
        self._wanted.discard(table)
        self._note(table)

    def _note(self, table: str) -> None:
        self._changed.add(table)
        self._work.set()

    def say(self, table: str, entries: int) -> None:
        """Tell all others that a table is at this entry; of several only the last is told."""
        if len(self._unsaid) < MOST_UNSAID:
            self._unsaid[table] = entries
            self._work.set()

    async def close(self) -> None:
        """Hang up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._client is not None:
            with contextlib.suppress(Exception):  # it may be gone, and so are we
                async with asyncio.timeout(SENDING_WITHIN):
                    await self._client.close()

    async def _run(self) -> None:
        while True:
            try:
                self._client = await self._connect()
                await self._serve(self._client)
            except (
                Exception
            ) as problem:  # whatever it is: the servers look into the store meanwhile
                log.warning("bus away: %s %s", type(problem).__name__, problem)
                await asyncio.sleep(0.5)

    async def _connect(self) -> Client:
        if self._client is not None:
            with contextlib.suppress(Exception):  # half gone already
                async with asyncio.timeout(SENDING_WITHIN):
                    await self._client.close()
        self._followed, self._changed = {}, set(self._wanted)
        return await nats.connect(
            self._address,
            no_echo=True,
            allow_reconnect=False,
            connect_timeout=2,
            ping_interval=2,
            max_outstanding_pings=2,
            error_cb=_passed_over,
        )

    async def _serve(self, client: Client) -> None:
        """Send what is to be said, and follow what is to be followed, until the line breaks."""
        log.info("bus reached")
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._work.wait()
            self._work.clear()
            if client.is_closed:
                raise ConnectionError("closed")
            async with asyncio.timeout(SENDING_WITHIN):
                while self._changed:
                    await self._settle(client, self._changed.pop())
                while self._unsaid:
                    table, entries = self._unsaid.popitem()
                    await client.publish(f"{PREFIX}{table}", b"%d" % entries)

    async def _settle(self, client: Client, table: str) -> None:
        """Subscribe to a table's subject, or no longer."""
        if table in self._wanted and table not in self._followed:
            self._followed[table] = await client.subscribe(f"{PREFIX}{table}", cb=self._take)
        elif table not in self._wanted and table in self._followed:
            await self._followed.pop(table).unsubscribe()

    async def _take(self, message: Msg) -> None:
        if self._hear is not None and message.data.isdigit():
            self._hear(message.subject.removeprefix(PREFIX), int(message.data))


async def _passed_over(problem: Exception) -> None:
    log.info("bus: %s %s", type(problem).__name__, problem)
