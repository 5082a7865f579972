"""Control pings of a WebSocket: the browser itself answers them, whatever its page does.

The server's WebSocket hands each line a `Pings`; a line that has none measures by echoes alone.
"""

import os
import time
from collections.abc import Callable
from typing import Final

from starlette.types import Scope

EXTENSION: Final = "tischlein.pings"
MOST_UNANSWERED: Final = 8


class Pings:
    """Sends control pings over one WebSocket and tells how long each answer took."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._sent: dict[bytes, float] = {}
        self.heard: Callable[[float], None] = lambda round_trip: None
        """Is told every round trip, in milliseconds."""

    def ping(self) -> None:
        """Send a ping that nobody can answer before it has come."""
        if len(self._sent) >= MOST_UNANSWERED:
            del self._sent[next(iter(self._sent))]
        payload = os.urandom(8)
        self._sent[payload] = time.monotonic()
        self._send(payload)

    def answered(self, payload: bytes) -> None:
        """Hear an answer; one to no ping of ours is passed over."""
        sent = self._sent.pop(payload, None)
        if sent is not None:
            self.heard((time.monotonic() - sent) * 1000)


def pings_of(scope: Scope) -> Pings | None:
    """Find what a WebSocket's control pings are sent with, where its server has it."""
    found = (scope.get("extensions") or {}).get(EXTENSION)
    return found if isinstance(found, Pings) else None
