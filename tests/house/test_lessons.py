"""The coach: nobody fills it for others, and no record stops it."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

from tests.server import bots
from tests.tables import random_game
from tests.waiting import until
from tischlein.bots.coach import Lesson
from tischlein.house import lessons
from tischlein.house.lessons import Busy, Course, Lessons
from tischlein.house.processes import Process
from tischlein.record import Replay, header, write

T = TypeVar("T")
MOVES = 3


class Here(Lessons):
    """A coach without a process: every step takes a while, and is written down."""

    def __init__(self) -> None:
        super().__init__(1.0, Process())
        self.steps: list[str] = []

    async def _do(self, work: Callable[..., T], *args: Any) -> T:
        await asyncio.sleep(0.6)
        self.steps.append(args[0])
        found: Any = (MOVES, ((), None))
        if work is lessons.sum_up_record:
            found = Lesson("g", ("x" * 1000,), (), (), (), (), ())
        taught: T = found
        return taught


@pytest.fixture
def coach() -> Iterator[Lessons]:
    """A coach with a process of its own."""
    found = Lessons(0.01, Process())
    yield found
    found.close()


def record_of(names: tuple[str, str], seed: int = 1) -> str:
    """Write a whole game with these names."""
    game = Replay(header("sushizock", names, {}))
    for _, by, move, _ in random_game("sushizock", 2, seed):
        game.play(by, move)
    game.end()
    return write(game)


async def taught(*courses: Course) -> None:
    """Wait until the coach is done."""
    await until(lambda: not any(course.waits for course in courses))


@pytest.mark.virtual_time
async def test_the_coach_is_full_only_for_who_fills_it() -> None:
    """Thirty-two games from one address left no coach for anybody else."""
    coach = Here()
    flood = [coach.ask(f"far {number}", "far") for number in range(4)]
    for number in range(40):
        with pytest.raises(Busy):
            coach.ask(f"more {number}", "far")
    mine = coach.ask("near", "near")
    await taught(mine)
    assert sum(course.waits for course in flood) >= 3, "by turns, not after all of them"
    await taught(*flood)
    assert coach.ask("more 1", "far").waits
    coach.close()


@pytest.mark.virtual_time
async def test_a_game_that_many_ask_for_is_one_course() -> None:
    """A class that looks at one game together would fill the coach with it."""
    coach = Here()
    courses = {coach.ask("one", f"n{number}") for number in range(300)}
    assert len(courses) == 1
    await taught(*courses)
    assert coach.steps == ["one"] * (MOVES + 2)
    assert coach.ask("one", "late") in courses
    coach.close()


@pytest.mark.virtual_time
async def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons of long games would fill the memory of the house."""
    monkeypatch.setattr(lessons, "KEPT_BYTES", 5000)
    coach = Here()
    for number in range(9):
        await taught(coach.ask(f"game {number}", "near"))
    kept = list(coach._courses.values())
    assert 3 <= len(kept) <= 5
    assert not any(course.record or course.weighed for course in kept)
    monkeypatch.setattr(lessons, "KEPT", 2)
    await taught(coach.ask("last", "near"))
    assert len(coach._courses) == 2
    assert not coach.ask("last", "near").waits
    coach.close()


async def test_a_record_that_harms_the_coach_ends_its_own_lesson_only(
    coach: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One game that crashes or never ends would leave everybody without a coach."""
    monkeypatch.setattr(lessons, "weigh_record", bots.weigh_or_die)
    crash = coach.ask(record_of(("Crash", "p1")), "far")
    fine = coach.ask(record_of(("p0", "p1")), "near")
    await taught(crash, fine)
    assert crash.failed
    assert fine.lesson is not None
    monkeypatch.setattr(lessons, "LONGEST_STEP", 0.5)
    endless = coach.ask(record_of(("Dawdle", "p1")), "far")
    await taught(endless)
    assert endless.failed
    monkeypatch.setattr(lessons, "LONGEST_STEP", 60.0)
    again = coach.ask(record_of(("p2", "p3")), "near")
    await taught(again)
    assert again.lesson is not None


async def test_a_name_with_a_line_break_breaks_no_record(coach: Lessons) -> None:
    """Whoever has such a sign in their name got an error in place of a lesson, at every asking."""
    name = "p\u2028\u0085\x1e\v0"
    spoilt = coach.ask("no record", "near")
    course = coach.ask(record_of((name, "p1")), "near")
    await taught(course, spoilt)
    assert spoilt.failed
    assert course.lesson is not None
    assert course.lesson.names == (name, "p1")
