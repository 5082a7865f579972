"""A loop in a thread beside the browser's: a test serves there, and reaches into its house."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from threading import Thread
from typing import TypeVar

from tests.waiting import LIMIT

T = TypeVar("T")


class Beside:
    """Does in its own thread what is asked of it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()

    def do(self, work: Awaitable[T]) -> T:
        """Do something there, and wait for it."""

        async def done() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(LIMIT)

    @contextlib.contextmanager
    def within(self, make: Callable[[], AbstractAsyncContextManager[T]]) -> Iterator[T]:
        """Enter something there, and leave it again; it must not stay when the test fails."""
        found = make()
        inside = self.do(found.__aenter__())
        try:
            yield inside
        finally:
            self.do(found.__aexit__(None, None, None))


@contextlib.contextmanager
def beside() -> Iterator[Beside]:
    """Let a loop run in a thread of its own."""
    found = Beside()
    thread = Thread(target=found.loop.run_forever)
    thread.start()
    try:
        yield found
    finally:
        found.loop.call_soon_threadsafe(found.loop.stop)
        thread.join(LIMIT)
