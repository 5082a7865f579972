"""What takes long to make: made off the event loop, by turns among callers, and kept."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tischlein.server.answers import Problem

MOST_WAITING: Final = 500
"""So many things may wait to be made."""

Make = Callable[[], bytes]
Making = asyncio.Future[bytes]


class Dear:
    """Makes one thing at a time, in a thread of its own; callers of one network share a turn."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._size = 0
        self._making: dict[Hashable, Making] = {}
        self._waiting: OrderedDict[str, deque[tuple[Hashable, Make]]] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "dear")
        self._worker: asyncio.Task[None] | None = None

    async def give(self, key: Hashable, network: str, make: Make) -> bytes:
        """Give what is kept under a key, or make it when the caller's turn comes."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._making:
            if len(self._making) >= MOST_WAITING:
                raise Problem(503, "busy", "too much is asked for at once; ask again later")
            self._making[key] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(network, deque()).append((key, make))
            if self._worker is None or self._worker.done():
                self._worker = asyncio.get_running_loop().create_task(self._work())
        return await asyncio.shield(self._making[key])

    async def _work(self) -> None:
        """Make all that waits, one thing of each network after the other."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            network, jobs = self._waiting.popitem(last=False)
            key, make = jobs.popleft()
            if jobs:
                self._waiting[network] = jobs
            try:
                self._keep(key, await loop.run_in_executor(self._thread, make))
                self._making.pop(key).set_result(self._kept[key])
            except Exception as problem:  # whoever asked hears of it; the next has its turn
                self._making.pop(key).set_exception(problem)

    def _keep(self, key: Hashable, made: bytes) -> None:
        self._kept[key] = made
        self._size += len(made)
        while self._size > self._most and len(self._kept) > 1:
            _, gone = self._kept.popitem(last=False)
            self._size -= len(gone)

    def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
