"""Who gets a line to a table: seats always; watchers and the silent so many from each place."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from tischlein.house.house import House
from tischlein.house.limits import PerAddress, network_of
from tischlein.house.settings import Settings
from tischlein.server.addresses import LIVE
from tischlein.server.answers import refuse_handshake
from tischlein.server.live import TOO_MANY, Goodbye, Line, Socket, close, live
from tischlein.server.pings import pings_of
from tischlein.server.stages import Stage, Staged
from tischlein.table.table import Table

MOST_KNOCKING: Final = 20
"""So many handshakes of a network wait for their turn; beyond, the oldest is refused."""
KNOCK_AGAIN: Final = 0.05


class Guest:
    """Somebody with a socket: unknown until hello, then at a table with a seat or as a watcher."""

    def __init__(self, network: str, connection: Staged | None) -> None:
        self.network, self._connection = network, connection
        self.line: Line | None = None
        self.table = ""
        self.is_in = False
        self.farewell: str | None = None
        self._task = asyncio.current_task()

    @property
    def watches(self) -> bool:
        """Say whether this is a line without a seat."""
        return self.line is not None and self.line.seat is None

    def sits(self, table: str, line: Line) -> None:
        """Take a place at a table."""
        self.table, self.line = table, line
        if self._connection is not None:
            self._connection.line = line
            self._connection.comes_to(Stage.WATCHING if line.seat is None else Stage.SEATED)

    def dismiss(self, reason: str) -> None:
        """End this line, with a reason."""
        if self.farewell is None and self._task is not None:
            self.farewell = reason
            self._task.cancel()


class Guests:
    """All who have a socket here, by where they come from and by table, the oldest first."""

    def __init__(self, settings: Settings, now: Callable[[], float]) -> None:
        self._settings, self._now = settings, now
        self._from: dict[str, dict[Guest, None]] = {}
        self._at: dict[str, dict[Guest, None]] = {}
        self._knocking: dict[str, deque[Guest]] = {}
        self._handshakes = PerAddress(settings.handshakes_per_second, settings.handshakes_at_once)

    async def let_in(self, guest: Guest) -> None:
        """Let somebody in to say hello; others of the same network may have to give way."""
        while not self._handshakes.take(guest.network, self._now()):
            await self._wait(guest)
        others = self._from.setdefault(guest.network, {})
        silent = [other for other in others if other.line is None]
        if len(silent) >= self._settings.handshakes_at_once:
            silent[0].dismiss("others wait: say hello sooner")
        elif len(others) >= self._settings.connections_per_address:
            first = next(iter(silent), None) or next((o for o in others if o.watches), None)
            if first is None:
                raise Goodbye(TOO_MANY, "too many seats are held from here")
            first.dismiss("too many lines from here")
        others[guest] = None
        guest.is_in = True

    async def _wait(self, guest: Guest) -> None:
        """Wait for a turn; who has waited longest gives way where too many do."""
        waiting = self._knocking.setdefault(guest.network, deque())
        if guest not in waiting:
            waiting.append(guest)
        if len(waiting) > MOST_KNOCKING:
            waiting[0].dismiss("too many handshakes from here")
        try:
            await asyncio.sleep(KNOCK_AGAIN)
        finally:
            waiting.remove(guest)
            if not waiting:
                self._knocking.pop(guest.network, None)

    def admit(self, guest: Guest, table: Table, line: Line) -> None:
        """Let a line to its table, or refuse it: a seat's always, a watcher's if there is room."""
        there = self._at.setdefault(table.book.name, {})
        if line.seat is None:
            self._check_watcher(guest, there)
        else:
            mine = [other for other in there if other.line and other.line.seat == line.seat]
            for other in mine[: max(0, len(mine) + 1 - self._settings.lines_per_seat)]:
                other.dismiss("this seat is open in too many places; the newest stay")
        there[guest] = None
        guest.sits(table.book.name, line)

    def _check_watcher(self, guest: Guest, there: dict[Guest, None]) -> None:
        """Refuse one watcher too many; a screen at a player's home is none of the strangers."""
        near = [other for other in there if other.network == guest.network]
        if sum(other.watches for other in near) >= self._settings.watchers_per_address:
            raise Goodbye(TOO_MANY, "this table has too many watchers from here")
        is_home = any(not other.watches for other in near)
        full = sum(other.watches for other in there) >= self._settings.watchers_per_table
        if full and not is_home:
            raise Goodbye(TOO_MANY, "this table has too many watchers")

    def leave(self, guest: Guest) -> None:
        """Forget somebody who is gone."""
        for groups, name in ((self._from, guest.network), (self._at, guest.table)):
            group = groups.get(name, {})
            group.pop(guest, None)
            if not group:
                groups.pop(name, None)


class Sockets:
    """Serves the WebSockets of seats and watchers; all else passes.

    They come first: what stands between a line and its table is paid for with every frame.
    """

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app, self._house = app, house
        self._guests = Guests(house.settings, house.now)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a line to a table."""
        found = LIVE.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await self._app(scope, receive, send)
        else:
            await self._serve(found[1], scope, receive, send)

    async def _serve(self, table: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one, until it ends or must give way."""
        network = network_of(scope["client"][0]) if scope.get("client") else ""
        guest = Guest(network, scope.get("state", {}).get("connection"))
        try:
            await self._guests.let_in(guest)
            admit = partial(self._guests.admit, guest)
            socket = Socket(receive, send, network, pings_of(scope))
            await live(socket, self._house, table, admit)
        except Goodbye as refused:
            await refuse_handshake(send, 429, "too_many", refused.reason)
        except asyncio.CancelledError:
            if guest.farewell is None:
                raise
            asyncio.current_task().uncancel()  # type: ignore[union-attr]  # we are a task
            await say_goodbye(send, guest, guest.farewell)
        finally:
            self._guests.leave(guest)


async def say_goodbye(send: Send, guest: Guest, reason: str) -> None:
    """Tell somebody who must give way why."""
    if guest.is_in:
        await close(send, TOO_MANY, reason)
    else:
        await refuse_handshake(send, 429, "too_many", reason)
