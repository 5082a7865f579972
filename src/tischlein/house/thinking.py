"""Bots think in processes of their own, so that no table waits for another's bot."""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import secrets
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from tischlein.bots import Answer, Turn, bot_named, levels
from tischlein.chance import Quick
from tischlein.games import game_named, game_names

log = logging.getLogger("tischlein.bots")


class Thinker:
    """A process in which one bot at a time chooses its move."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pool = ProcessPoolExecutor(1, spawn, initializer=die_with_parent)
        self.process: int | None = None

    async def get_ready(self) -> None:
        """Start the process, once; that takes none of a bot's time."""
        if self.process is None:
            loop = asyncio.get_running_loop()
            self.process = await loop.run_in_executor(self.pool, read_all_bots)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)


class Thinkers:
    """A few processes in which bots choose their moves; who waits for a free one loses no time."""

    def __init__(self, budget: float, processes: int | None = None) -> None:
        self._budget = budget
        self._all: set[Thinker] = set()
        self._free: asyncio.LifoQueue[Thinker | None] = asyncio.LifoQueue()
        for _ in range(processes or max(1, (os.cpu_count() or 2) - 1)):
            self._free.put_nowait(None)

    async def choose(self, game: str, level: str, turn: Turn) -> Answer:
        """Let a bot choose; one that fails or is too slow is replaced by any legal move."""
        found = await self.ask(game, level, turn)
        return found or choose(game, "random", turn, secrets.token_hex(8))

    async def ask(self, game: str, level: str, turn: Turn) -> Answer | None:
        """Let a bot answer; None if it fails or is too slow."""
        seed = secrets.token_hex(8)
        thinker = await self._free.get() or self._new()
        told = f"game={game} level={level} seat={turn.seat}"
        try:
            await thinker.get_ready()
            loop = asyncio.get_running_loop()
            chosen = loop.run_in_executor(thinker.pool, choose, game, level, turn, seed)
            return await asyncio.wait_for(chosen, self._budget)
        except TimeoutError:
            log.warning("bot too slow: %s", told)
            self._end(thinker)
        except BrokenProcessPool:
            log.warning("bot process died: %s", told)
            self._end(thinker)
        except Exception:  # whatever a bot does wrong, its table goes on, and we are told
            log.exception("bot failed: %s", told)
        finally:
            self._free.put_nowait(thinker if thinker in self._all else None)
        return None

    def _new(self) -> Thinker:
        thinker = Thinker()
        self._all.add(thinker)
        return thinker

    def _end(self, thinker: Thinker) -> None:
        self._all.discard(thinker)
        thinker.end()

    def close(self) -> None:
        """End the processes."""
        for thinker in list(self._all):
            self._end(thinker)


def read_all_bots() -> int:
    """Read the programs of all bots, which takes a moment; give the number of this process."""
    for name in game_names():
        levels(game_named(name))
    return os.getpid()


def choose(game: str, level: str, turn: Turn, seed: str) -> Answer:
    """Let a bot answer, in whatever process this is."""
    return bot_named(game_named(game), level)(turn, Quick(seed))


def die_with_parent() -> None:
    """End this process when the server is gone, even if it was killed."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
