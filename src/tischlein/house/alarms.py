"""The alarms of a house: sleeping tables at which something is to be done are woken in time."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Protocol

from tischlein.house.settings import Settings
from tischlein.store import Store, StoreDown, alarms
from tischlein.table.needs import NEVER
from tischlein.table.table import Table

log = logging.getLogger("tischlein.house")
BROKEN: Final = 3600.0
"""A table that cannot be read is tried again after so many seconds."""


class Home(Protocol):
    """What is needed of this server's own house."""

    store: Store
    settings: Settings
    now: Callable[[], float]

    async def find(self, name: str) -> Table | None:
        """Find a table, in memory or in the store."""


class Alarms:
    """Looks into the store for tables whose time has come.

    An alarm that rings is set to a while later at once: of several servers one hears it, and if
    that one dies it rings again. Whatever is written at the table sets it to its right time.
    """

    def __init__(self, house: Home) -> None:
        self._house = house

    async def keep_looking(self) -> None:
        """Look again and again."""
        while True:
            try:
                await self.look()
            except StoreDown as problem:
                log.warning("store away: %s", problem)
            except Exception:  # whatever it was, tables that nobody wakes would be worse
                log.exception("alarms")
            await asyncio.sleep(self._house.settings.alarms_every)

    async def look(self) -> None:
        """Wake the tables whose time has come."""
        house, now = self._house, self._house.now()
        later, most = now + house.settings.slow_again, house.settings.alarms_at_once
        for name in await alarms.claim(house.store, now, later, most):
            await self._wake(name, later)

    async def _wake(self, name: str, due: float) -> None:
        """Let a table do what is to be done now; if that is nothing, set the right time."""
        try:
            table = await self._house.find(name)
        except StoreDown:
            raise
        except Exception:  # it holds up no other
            log.exception("table=%s cannot be woken", name)
            await alarms.move(self._house.store, name, due, due + BROKEN)
            return
        if table is None:
            await alarms.move(self._house.store, name, due, NEVER)
            return
        table.look()
        if not table.slow.is_due:
            await alarms.move(self._house.store, name, due, table.slow.alarm)
