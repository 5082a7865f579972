"""Processes in which bots and the coach think: one that hangs or dies harms no table."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, TypeVar

from tischlein.bots import Answer, Turn, levels
from tischlein.games import game_named, game_names
from tischlein.house.thinking import Choose, Died, Thought

T = TypeVar("T")

INTERRUPT: Final = getattr(signal, "SIGUSR1", signal.SIGTERM)
"""Lets a process leave off a thought; where there is no such signal, it ends and another begins."""


class Process:
    """A process that does one thing at a time."""

    def __init__(self, for_short: bool = False) -> None:
        self.for_short = for_short
        self._pool: ProcessPoolExecutor | None = None
        self._number: int | None = None

    @property
    def is_ready(self) -> bool:
        """Say whether it has been started."""
        return self._number is not None

    async def get_ready(self) -> None:
        """Start the process, once; that takes none of a bot's time."""
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, spawn, initializer=be_a_thinker)
        if self._number is None:
            self._number = await self.do(read_all_bots)

    def do(self, work: Callable[..., T], *args: Any) -> "asyncio.Future[T]":
        """Do something there; it has been started."""
        assert self._pool is not None  # noqa: S101  # `get_ready` comes first
        found = asyncio.get_running_loop().run_in_executor(self._pool, work, *args)
        return asyncio.ensure_future(told_if_it_died(found))

    def think(self, *what: *Thought) -> "asyncio.Future[Answer | None]":
        """Let a bot answer; None if it is told to leave off."""
        return self.do(think, *what)

    def interrupt(self) -> None:
        """Let it leave off thinking and be ready for the next thought; all it knows it keeps."""
        self._send(INTERRUPT)

    def end(self) -> None:
        """End the process, whatever it is doing; the next thought starts another."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._send(signal.SIGKILL)
        self._pool = self._number = None

    def _send(self, what: signal.Signals) -> None:
        if self._number is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._number, what)


async def told_if_it_died(found: "asyncio.Future[T]") -> T:
    """Wait for what a process does."""
    try:
        return await found
    except BrokenProcessPool as problem:
        raise Died from problem


class BrokenOff(BaseException):
    """A thought that nobody waits for any more; no bot may catch it by mistake."""


_known: Final[set[tuple[str, str]]] = set()
"""The levels that have thought to the end in this process: all that they need is read by now."""
_may_leave = False
"""Whether this process is in the middle of a thought that may be broken off."""


def be_a_thinker() -> None:
    """Get a process ready for thoughts that may be broken off."""

    def leave_off(number: int, frame: object) -> None:
        if _may_leave:
            raise BrokenOff

    signal.signal(INTERRUPT, leave_off)
    die_with_parent()


def think(choose: Choose, game: str, level: str, turn: Turn, seed: str) -> Answer | None:
    """Let a bot answer, in a process of its own; None if it is told to leave off.

    The first thought of a level is not broken off: half a module read would spoil all later ones.
    """
    global _may_leave
    try:
        _may_leave = (game, level) in _known
        found = choose(game, level, turn, seed)
        _known.add((game, level))
        return found
    except BrokenOff:
        return None
    finally:
        _may_leave = False


def read_all_bots() -> int:
    """Read the programs of all bots, which takes a moment; give the number of this process."""
    for name in game_names():
        levels(game_named(name))
    return os.getpid()


def die_with_parent() -> None:
    """End this process when the server is gone, even if it was killed."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
