"""Lessons of finished games: weighed by turns in a process of their own, kept for a while."""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec

from tischlein.bots.coach import Lesson, Shares, Weighed, sum_up, weigh
from tischlein.house.thinking import Died, Worker
from tischlein.house.turns import Turns
from tischlein.record import Replay, replay

log = logging.getLogger("tischlein.coach")
T = TypeVar("T")
Step = tuple[Shares, Weighed | None]

KEPT: Final = 64
"""How many lessons are remembered."""
KEPT_BYTES: Final = 32_000_000
"""How large they may be together."""
WAITING: Final = 256
"""How many games may wait for the coach."""
WAITING_OF_ONE: Final = 4
"""How many of them from one network."""
SPELL: Final = 1.0
"""For so many seconds a game has the coach; then another has its turn."""
LONGEST_STEP: Final = 30.0
"""A move that takes more seconds to weigh ends its lesson."""


class Busy(Exception):
    """Too many games wait for the coach, from here or in all."""


class Course:
    """A game on its way through the coach's hands."""

    def __init__(self, name: str, record: str) -> None:
        self.name, self.record = name, record
        self.networks: set[str] = set()
        self.moves: int | None = None
        self.weighed: list[Step] = []
        self.lesson: Lesson | None = None
        self.failed = False
        self.size = 0

    @property
    def waits(self) -> bool:
        """Say whether there is something left to weigh."""
        return self.lesson is None and not self.failed

    @property
    def done(self) -> float:
        """Say how much of the game is weighed, from 0 to 1."""
        return 0.0 if self.moves is None else len(self.weighed) / (self.moves + 1)

    def end(self, lesson: Lesson | None) -> None:
        """Keep only what was found; without a lesson the coach has failed."""
        self.lesson, self.failed = lesson, lesson is None
        self.record, self.weighed = "", []
        self.size = 0 if lesson is None else len(msgspec.json.encode(lesson))


class Lessons:
    """The coach of one server: asked for a record, it works it through and keeps what it found."""

    def __init__(self, effort: float, process: Worker) -> None:
        self._effort = effort
        self._courses: OrderedDict[str, Course] = OrderedDict()
        self._turns: Turns[Course] = Turns()
        self._worker: asyncio.Task[None] | None = None
        self._process = process

    def ask(self, record: str, network: str) -> Course:
        """Give what is known of a game so far, and see to it that the rest follows."""
        name = hashlib.sha256(record.encode()).hexdigest()
        course = self._courses.get(name) or self._begin(name, record, network)
        if course.waits:
            course.networks.add(network)
            self._turns.join(name, network)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())
        return course

    def _begin(self, name: str, record: str, network: str) -> Course:
        """Let a game wait for the coach, unless too many do."""
        waiting = [course for course in self._courses.values() if course.waits]
        from_here = sum(network in course.networks for course in waiting)
        if from_here >= WAITING_OF_ONE or len(waiting) >= WAITING:
            raise Busy
        course = self._courses[name] = Course(name, record)
        self._turns.add(course, name, [network])
        return course

    async def _work(self) -> None:
        """Work through all games that wait, by turns."""
        while self._turns:
            course = self._turns.take()
            try:
                await self._go_on(course)
            except Exception as problem:  # whatever goes wrong with one game, the next has its turn
                log.exception("the coach failed: record=%s", course.name[:12])
                course.end(None)
                if isinstance(problem, TimeoutError | Died):
                    self._process.end()
            if course.waits:
                self._turns.add(course, course.name, course.networks)
            self._forget()

    async def _go_on(self, course: Course) -> None:
        """Weigh the next moves of a game for a while; after the last one its lesson is ready."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while course.waits and loop.time() - begun < SPELL:
            number = len(course.weighed)
            if course.moves is not None and number > course.moves:
                course.end(await self._do(sum_up_record, course.record, course.weighed))
            else:
                found = await self._do(weigh_record, course.record, number, self._effort)
                course.moves, step = found
                course.weighed.append(step)

    async def _do(self, work: Callable[..., T], *args: Any) -> T:
        """Do something in the coach's process, within its time."""
        await self._process.get_ready()
        return await asyncio.wait_for(self._process.do(work, *args), LONGEST_STEP)

    def _forget(self) -> None:
        """Forget the oldest lessons where there are too many, or they are too large."""
        kept = [course for course in self._courses.values() if not course.waits]
        size = sum(course.size for course in kept)
        for place, course in enumerate(kept):
            if len(kept) - place <= KEPT and size <= KEPT_BYTES:
                break
            size -= course.size
            del self._courses[course.name]

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.cancel()
        self._process.end()


def weigh_record(record: str, number: int, effort: float) -> tuple[int, Step]:
    """Weigh one move of a record, in the coach's process; say how many moves there are."""
    game = read(record)
    return len(game.moves), weigh(game, number, effort)


def sum_up_record(record: str, weighed: list[Step]) -> Lesson:
    """Write the lesson of a record whose moves are weighed, in the coach's process."""
    return sum_up(read(record), weighed)


@lru_cache(4)
def read(record: str) -> Replay:
    """Read a record once for all its moves; only the line feed ends a line of it."""
    return replay(record.split("\n"))
