"""Time and chance that are the same wherever Python runs, also where there are no sockets.

Time stands still while anything is done, and jumps when all wait for it. What is secret elsewhere
follows here from a seed.
"""

import asyncio
import contextlib
import heapq
import random
import secrets
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextvars import Context
from typing import Any, Final, TypeVar

from tischlein.house.clock import Clock

T = TypeVar("T")

BEGINS: Final = 1_790_000_000.0
"""When time begins: some day in 2026."""
START: Final = 1000.0
"""What a loop says then."""


class Jumps:
    """Stands where a loop looks for sockets: there are none, so time jumps at once."""

    def __init__(self) -> None:
        self.now = START

    def select(self, timeout: float | None) -> list[Any]:
        """Let time pass."""
        if timeout is None:
            raise RuntimeError("everybody waits for something that nobody will do")
        self.now += timeout
        return []


class InOrder(asyncio.TimerHandle):
    """Something planned: of what is due at one moment, what was planned first comes first.

    A heap knows no such order, and each version of Python fills it with other things beside.
    """

    number = 0
    _scheduled: bool

    def __lt__(self, other: object) -> bool:
        assert isinstance(other, InOrder)
        return (self.when(), self.number) < (other.when(), other.number)


class StillLoop(asyncio.BaseEventLoop):
    """An event loop without sockets and threads, whose time jumps."""

    _scheduled: list[InOrder]

    def __init__(self) -> None:
        super().__init__()
        self._planned = 0
        self._selector = Jumps()
        self._clock_resolution = 1e-6  # that of the machine's clock differs

    def time(self) -> float:
        """Give the time of this loop."""
        return self._selector.now

    def call_at(  # type: ignore[override]  # what is called is not looked at
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> InOrder:
        """Plan something."""
        planned = InOrder(when, callback, args, self, context)
        self._planned += 1
        planned.number = self._planned
        heapq.heappush(self._scheduled, planned)
        planned._scheduled = True
        return planned

    def run_in_executor(  # type: ignore[override]  # as in a browser: there are no threads
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> "asyncio.Future[T]":
        """Do it at once."""
        found: asyncio.Future[T] = self.create_future()
        try:
            found.set_result(func(*args))
        except Exception as problem:
            found.set_exception(problem)
        return found

    def _process_events(self, event_list: list[Any]) -> None:
        """Hear of no socket."""

    def _write_to_self(self) -> None:
        """Be awake already."""


def in_still_time(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Do something while no time passes but what it waits for; also inside a page's own loop."""
    around = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    loop = StillLoop()
    try:
        return loop.run_until_complete(work())
    finally:
        loop.close()
        asyncio._set_running_loop(around)


def still_clock() -> Clock:
    """Give a clock that goes by the time of the loop."""
    return Clock(asyncio.get_running_loop().time, lambda: BEGINS)


def still_now() -> float:
    """Give the time that such a clock tells, if it was given when time began."""
    return BEGINS + asyncio.get_running_loop().time() - START


@contextlib.contextmanager
def known_secrets(seed: str) -> Iterator[None]:
    """Let what is drawn as a secret follow from a seed, for a while."""
    source = random.Random(seed)
    names = ("token_bytes", "token_hex", "token_urlsafe", "choice")
    before = {name: getattr(secrets, name) for name in names}

    def token_bytes(nbytes: int | None = None) -> bytes:
        return source.randbytes(32 if nbytes is None else nbytes)

    def token_hex(nbytes: int | None = None) -> str:
        return token_bytes(nbytes).hex()

    def choice(of: Any) -> Any:
        return of[int(source.random() * len(of))]

    found = {"token_bytes": token_bytes, "token_hex": token_hex, "token_urlsafe": token_hex,
             "choice": choice}  # fmt: skip
    try:
        for name in names:
            setattr(secrets, name, found[name])
        yield
    finally:
        for name in names:
            setattr(secrets, name, before[name])
