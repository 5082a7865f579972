"""Bots think by turns, somewhere where no table waits for another's bot."""

import asyncio
import logging
import os
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct

from tischlein.bots import Answer, Turn, bot_named
from tischlein.chance import Quick
from tischlein.games import game_named
from tischlein.house.turns import Turns
from tischlein.table.needs import Asker

log = logging.getLogger("tischlein.bots")

T = TypeVar("T")
Choose = Callable[[str, str, Turn, str], Answer]
Thought = tuple[Choose, str, str, Turn, str]
"""Who chooses, game, level, turn and seed."""
SOMEBODY: Final = Asker()
SHORT: Final = 0.25
"""A thought of fewer seconds is short."""
FADING: Final = 0.98
"""How much of the longest time of late is still remembered at the next thought."""
PATIENCE: Final = 1.0
"""How many seconds a process has to leave off a thought."""


class Died(Exception):
    """Whoever was thinking is gone, with its thought."""


class Thinker(Protocol):
    """Somewhere to think, one thought at a time, so that no table waits for another's bot."""

    for_short: bool
    """Whether it only takes short thoughts, so that they never wait for long ones."""

    @property
    def is_ready(self) -> bool:
        """Say whether it has been started."""

    async def get_ready(self) -> None:
        """Start, once; that takes none of a bot's time."""

    def think(self, *what: *Thought) -> "asyncio.Future[Answer | None]":
        """Let a bot answer; None if it is told to leave off. Raises Died."""

    def interrupt(self) -> None:
        """Let it leave off thinking and be ready for the next thought, if it can."""

    def end(self) -> None:
        """End it, whatever it is doing; the next thought starts another."""


class Worker(Protocol):
    """Does one thing at a time, somewhere where nobody waits for it."""

    async def get_ready(self) -> None:
        """Start, once."""

    def do(self, work: Callable[..., T], *args: Any) -> "asyncio.Future[T]":
        """Do something; raises Died."""

    def end(self) -> None:
        """End, whatever is being done; the next work starts anew."""


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
    """A few thinkers with which bots choose their moves, given out by turns.

    One of them takes only thoughts that are usually short, so that an easy bot waits for no expert
    that thinks for seconds. What is no longer wanted leaves the line, or is broken off.
    """

    def __init__(
        self, budget: float, processes: int | None = None, thinkers: Sequence[Thinker] = ()
    ) -> None:
        """Think in some processes, or with these thinkers."""
        self._budget = budget
        self._free = list(thinkers) or usual_thinkers(processes)
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
        """Give free thinkers to those who are next; rather ones that have been started."""
        for thinker in sorted(self._free, key=lambda free: not free.is_ready):
            wish = self._next_for(thinker)
            if wish is not None:
                self._free.remove(thinker)
                work = self._work(thinker, wish)
                self._busy[thinker] = asyncio.get_running_loop().create_task(work)

    def _next_for(self, thinker: Thinker) -> Wish | None:
        """Find what a free thinker is to think next: a short thought and a long one in turn."""
        is_long = self._long and not thinker.for_short and not (self._was_long and self._short)
        if not is_long and not self._short:
            return None
        self._was_long = bool(is_long)
        return (self._long if is_long else self._short).take()

    async def _work(self, thinker: Thinker, wish: Wish) -> None:
        """Let it think, and see to it that it is free again soon, whatever comes."""
        try:
            await self._think(thinker, wish)
        except Died:
            log.warning("thinker died: %s", wish.told)
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
        """Let it think until it answers, takes too long, or nobody waits any more."""
        await thinker.get_ready()
        loop = asyncio.get_running_loop()
        if wish.answer.done():
            return
        what = wish.game, wish.level, wish.turn, secrets.token_hex(8)
        begun, limit = loop.time(), SHORT if thinker.for_short else self._budget
        chosen = thinker.think(choose, *what)
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
        """Count the thoughts that wait for their turn."""
        return len(self._short) + len(self._long)

    def close(self) -> None:
        """End all thinkers."""
        for work in self._busy.values():
            work.cancel()
        for thinker in (*self._busy, *self._free):
            thinker.end()


def usual_thinkers(processes: int | None) -> list[Thinker]:
    """Think in some processes, and in one more what is short."""
    from tischlein.house.processes import Process  # read only where there can be such

    count = processes or max(1, (os.cpu_count() or 2) - 1)
    return [*(Process() for _ in range(count)), Process(for_short=True)]


async def break_off(thinker: Thinker, thought: "asyncio.Future[Answer | None]") -> None:
    """Let a thinker leave off a thought; one that does not is ended."""
    thinker.interrupt()
    await asyncio.wait({thought}, timeout=PATIENCE)
    if not thought.done() or isinstance(thought.exception(), Died):
        thinker.end()
    elif thought.exception() is not None:
        log.info("bot failed when it was broken off: %r", thought.exception())


def choose(game: str, level: str, turn: Turn, seed: str) -> Answer:
    """Let a bot answer, wherever this is."""
    return bot_named(game_named(game), level)(turn, Quick(seed))
