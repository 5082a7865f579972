"""Lessons of finished games: weighed one at a time in a process of their own, kept for a while."""

import asyncio
import logging
import multiprocessing
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import Final

from tischlein.bots.coach import Lesson, Shares, Weighed, sum_up, weigh
from tischlein.house.thinking import die_with_parent
from tischlein.record import Replay, replay

log = logging.getLogger("tischlein.coach")

KEPT: Final = 64
"""How many lessons are remembered."""
WAITING: Final = 32
"""How many games may wait for the coach."""


class Busy(Exception):
    """Too many games wait for the coach."""


class Course:
    """A game on its way through the coach's hands."""

    def __init__(self, record: str) -> None:
        self.record = record
        self.game = replay(record.splitlines())
        self.weighed: list[tuple[Shares, Weighed | None]] = []
        self.lesson: Lesson | None = None
        self.failed = False

    @property
    def waits(self) -> bool:
        """Say whether there is something left to weigh."""
        return self.lesson is None and not self.failed

    @property
    def done(self) -> float:
        """Say how much of the game is weighed, from 0 to 1."""
        return len(self.weighed) / (len(self.game.moves) + 1)


class Lessons:
    """The coach of one server: asked for a record, it works it through and keeps what it found."""

    def __init__(self, effort: float) -> None:
        self._effort = effort
        self._courses: OrderedDict[str, Course] = OrderedDict()
        self._worker: asyncio.Task[None] | None = None
        self._pool: ProcessPoolExecutor | None = None

    def ask(self, record: str) -> Course:
        """Give what is known of a game so far, and see to it that the rest follows."""
        if record not in self._courses:
            if sum(course.waits for course in self._courses.values()) >= WAITING:
                raise Busy
            self._courses[record] = Course(record)
            while len(self._courses) > KEPT + WAITING:
                self._courses.popitem(last=False)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())
        return self._courses[record]

    async def _work(self) -> None:
        """Work through all games that wait, first come first served."""
        while course := next((c for c in self._courses.values() if c.waits), None):
            try:
                await self._go_on(course)
            except Exception:  # whatever goes wrong with one game, the next has its turn
                log.exception("the coach failed: game=%s", course.game.rules.NAME)
                course.failed = True
                self._pool = None

    async def _go_on(self, course: Course) -> None:
        """Weigh the next move of a game; after the last one its lesson is ready."""
        number, loop = len(course.weighed), asyncio.get_running_loop()
        step = await loop.run_in_executor(
            self._ready(), weigh_record, course.record, number, self._effort
        )
        course.weighed.append(step)
        if number == len(course.game.moves):
            course.lesson = sum_up(course.game, course.weighed)

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, spawn, initializer=die_with_parent)
        return self._pool

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.cancel()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def weigh_record(record: str, number: int, effort: float) -> tuple[Shares, Weighed | None]:
    """Weigh one move of a record, in the coach's process."""
    return weigh(read(record), number, effort)


@lru_cache(2)
def read(record: str) -> Replay:
    """Read a record once for all its moves."""
    return replay(record.splitlines())
