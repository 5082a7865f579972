"""Bots think in processes of their own, so that no table waits for another's bot."""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from msgspec import Struct

from tischlein.bots import Answer, Turn, bot_named, levels
from tischlein.chance import Quick
from tischlein.games import game_named, game_names
from tischlein.house.turns import Turns
from tischlein.table.needs import Asker

log = logging.getLogger("tischlein.bots")

Choose = Callable[[str, str, Turn, str], Answer]
SOMEBODY: Final = Asker()
SHORT: Final = 0.25
"""A thought of fewer seconds is short."""
FADING: Final = 0.98
"""How much of the longest time of late is still remembered at the next thought."""
PATIENCE: Final = 1.0
"""How many seconds a process has to leave off a thought."""
INTERRUPT: Final = getattr(signal, "SIGUSR1", signal.SIGTERM)
"""Lets a process leave off a thought; where there is no such signal, it ends and another begins."""


class Thinker:
    """A process in which one bot at a time chooses its move."""

    def __init__(self, for_short: bool = False) -> None:
        self.for_short = for_short
        """Whether it only takes short thoughts, so that they never wait for long ones."""
        self._pool: ProcessPoolExecutor | None = None
        self.process: int | None = None

    async def get_ready(self) -> ProcessPoolExecutor:
        """Start the process, once; that takes none of a bot's time."""
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, spawn, initializer=be_a_thinker)
        if self.process is None:
            loop = asyncio.get_running_loop()
            self.process = await loop.run_in_executor(self._pool, read_all_bots)
        return self._pool

    def interrupt(self) -> None:
        """Let it leave off thinking and be ready for the next thought; all it knows it keeps."""
        self._send(INTERRUPT)

    def end(self) -> None:
        """End the process, whatever it is doing; the next thought starts another."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._send(signal.SIGKILL)
        self._pool = self.process = None

    def _send(self, what: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process, what)


class Wish(Struct, frozen=True, eq=False):
    """Somebody's wish that a bot thinks, and where its answer is awaited."""

    game: str
    level: str
    turn: Turn
    asker: Asker
    answer: "asyncio.Future[Answer | None]"

    @property
    def told(self) -> str:
        """Write whose thought this is, for the log."""
        return f"game={self.game} level={self.level} seat={self.turn.seat}"

    def end(self, found: Answer | None) -> None:
        """Give the answer, if somebody still waits for it."""
        if not self.answer.done():
            self.answer.set_result(found)


class Thinkers:
    """A few processes in which bots choose their moves, given out by turns.

    One of them takes only thoughts that are usually short, so that an easy bot waits for no expert
    that thinks for seconds. What is no longer wanted leaves the line, or is broken off.
    """

    def __init__(self, budget: float, processes: int | None = None) -> None:
        self._budget = budget
        count = processes or max(1, (os.cpu_count() or 2) - 1)
        self._free = [*(Thinker() for _ in range(count)), Thinker(for_short=True)]
        self._busy: dict[Thinker, asyncio.Task[None]] = {}
        self._short: Turns[Wish] = Turns()
        self._long: Turns[Wish] = Turns()
        self._usual: dict[tuple[str, str], float] = {}
        self._was_long = False

    async def choose(self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY) -> Answer:
        """Let a bot choose; one that fails or is too slow is replaced by any legal move."""
        found = await self.ask(game, level, turn, asker)
        return found or choose(game, "random", turn, secrets.token_hex(8))

    async def ask(
        self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY
    ) -> Answer | None:
        """Let a bot answer; None if it fails or is too slow."""
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        wish = Wish(game, level, turn, asker, answer)
        self._line_for(wish).add(wish, *asker)
        self._serve()
        try:
            return await answer
        finally:
            if answer.cancelled():
                self._short.remove(wish, asker.table) or self._long.remove(wish, asker.table)

    def _line_for(self, wish: Wish) -> Turns[Wish]:
        """Say where to wait: a thought counts as short until it was seen to take long."""
        usual = self._usual.get((wish.game, wish.level), 0.0)
        return self._short if usual < SHORT else self._long

    def _serve(self) -> None:
        """Give free processes to those who are next; rather ones that have been started."""
        for thinker in sorted(self._free, key=lambda free: free.process is None):
            wish = self._next_for(thinker)
            if wish is not None:
                self._free.remove(thinker)
                work = self._work(thinker, wish)
                self._busy[thinker] = asyncio.get_running_loop().create_task(work)

    def _next_for(self, thinker: Thinker) -> Wish | None:
        """Find what a free process is to think next: a short thought and a long one in turn."""
        is_long = self._long and not thinker.for_short and not (self._was_long and self._short)
        if not is_long and not self._short:
            return None
        self._was_long = bool(is_long)
        return (self._long if is_long else self._short).take()

    async def _work(self, thinker: Thinker, wish: Wish) -> None:
        """Let a process think, and see to it that it is free again soon, whatever comes."""
        try:
            await self._think(thinker, wish)
        except BrokenProcessPool:
            log.warning("bot process died: %s", wish.told)
            thinker.end()
            wish.end(None)
        except Exception:  # whatever a bot does wrong, its table goes on, and we are told
            log.exception("bot failed: %s", wish.told)
            wish.end(None)
        finally:
            del self._busy[thinker]
            self._free.append(thinker)
        self._serve()

    async def _think(self, thinker: Thinker, wish: Wish) -> None:
        """Let a process think until it answers, takes too long, or nobody waits any more."""
        pool, loop = await thinker.get_ready(), asyncio.get_running_loop()
        if wish.answer.done():
            return
        what = wish.game, wish.level, wish.turn, secrets.token_hex(8)
        begun, limit = loop.time(), SHORT if thinker.for_short else self._budget
        chosen = loop.run_in_executor(pool, think, choose, *what)
        until = asyncio.FIRST_COMPLETED
        try:
            await asyncio.wait({chosen, wish.answer}, timeout=limit, return_when=until)
            self._learn(wish, loop.time() - begun)
            if chosen.done():
                wish.end(chosen.result())
            elif not wish.answer.done():
                self._give_up(thinker, wish)
            if not chosen.done():
                await break_off(thinker, chosen)
        finally:
            chosen.cancel()

    def _give_up(self, thinker: Thinker, wish: Wish) -> None:
        """Let what was not as short as it was thought to be wait for more time, or for none."""
        if thinker.for_short:
            self._long.add(wish, *wish.asker)
        else:
            log.warning("bot too slow: %s", wish.told)
            wish.end(None)

    def _learn(self, wish: Wish, took: float) -> None:
        """Remember how long such a thought takes at most of late; others may now wait elsewhere."""
        kind = wish.game, wish.level
        was_short = self._line_for(wish) is self._short
        self._usual[kind] = max(took, FADING * self._usual.get(kind, 0.0))
        if was_short and self._line_for(wish) is self._long:
            for other in [one for one in self._short if (one.game, one.level) == kind]:
                self._short.remove(other, other.asker.table)
                self._long.add(other, *other.asker)

    @property
    def waiting(self) -> int:
        """Count the thoughts that wait for a process."""
        return len(self._short) + len(self._long)

    def close(self) -> None:
        """End the processes."""
        for work in self._busy.values():
            work.cancel()
        for thinker in (*self._busy, *self._free):
            thinker.end()


async def break_off(thinker: Thinker, thought: "asyncio.Future[Answer | None]") -> None:
    """Let a process leave off a thought; one that does not is ended."""
    thinker.interrupt()
    await asyncio.wait({thought}, timeout=PATIENCE)
    if not thought.done() or isinstance(thought.exception(), BrokenProcessPool):
        thinker.end()
    elif thought.exception() is not None:
        log.info("bot failed when it was broken off: %r", thought.exception())


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
