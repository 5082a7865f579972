"""Bots think in processes of their own, so that no table waits for another's bot."""

import asyncio
import logging
import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from tischlein.bots import Answer, Turn, bot_named
from tischlein.chance import Quick
from tischlein.rules import game_named

log = logging.getLogger("tischlein.bots")


class Thinkers:
    """A few processes in which bots choose their moves."""

    def __init__(self, budget: float, processes: int | None = None) -> None:
        self._budget = budget
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, game: str, level: str, turn: Turn, seed: str) -> Answer:
        """Let a bot choose; one that fails or is too slow is replaced by any legal move."""
        return await self.ask(game, level, turn, seed) or choose(game, "random", turn, seed)

    async def ask(self, game: str, level: str, turn: Turn, seed: str) -> Answer | None:
        """Let a bot answer; None if it fails or is too slow."""
        loop = asyncio.get_running_loop()
        try:
            chosen = loop.run_in_executor(self._ready(), choose, game, level, turn, seed)
            return await asyncio.wait_for(chosen, self._budget)
        except TimeoutError:
            log.warning("bot too slow: game=%s level=%s seat=%s", game, level, turn.seat)
        except BrokenProcessPool:
            log.warning("bot process died: game=%s level=%s seat=%s", game, level, turn.seat)
            self._pool = None
        except Exception:  # whatever a bot does wrong, its table goes on, and we are told
            log.exception("bot failed: game=%s level=%s seat=%s", game, level, turn.seat)
        return None

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, spawn, initializer=die_with_parent)
        return self._pool

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


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
