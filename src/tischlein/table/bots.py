"""The bots at a table: each thinks about its next choice, once, and answers like anybody else."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from msgspec import UNSET, UnsetType

from tischlein.bots import Turn
from tischlein.game import IllegalMove, Timed
from tischlein.table.book import Book, Choice
from tischlein.table.entries import Stamp
from tischlein.table.needs import House
from tischlein.table.queue import Change, Queue

log = logging.getLogger("tischlein.table")


class Bots:
    """Lets bots think, for their own seats and for people who are away or too late."""

    def __init__(self, book: Book, queue: Queue, house: House) -> None:
        self._book, self._queue, self._house = book, queue, house
        self._thinking: dict[int, Choice] = {}
        self.passed: set[int] = set()
        """The bots that will do nothing in the open race."""
        self.has_passed: Callable[[], None] = lambda: None
        """Is told that a bot will do nothing."""

    def plan(self) -> None:
        """Start every bot that is to move on its next choice, once."""
        if not self._book.is_race:
            self.passed.clear()
        for seat in self._book.movers():
            level = self._book.chairs[seat].player
            if level is not None and seat not in self.passed:
                self._let_think(seat, level)

    def forget_people(self) -> None:
        """Drop the thoughts for seats where a person sits again: the next bot thinks anew."""
        chairs = self._book.chairs
        for seat in [seat for seat in self._thinking if chairs[seat].player is None]:
            del self._thinking[seat]
        self.passed -= {seat for seat in self.passed if chairs[seat].player is None}

    def rest(self) -> None:
        """Drop all thoughts."""
        self._thinking.clear()
        self.passed.clear()

    @property
    def are_to_move(self) -> bool:
        """Say whether a bot is to move."""
        book = self._book
        return book.phase == "playing" and any(book.chairs[s].player for s in book.movers())

    def _let_think(self, seat: int, level: str) -> None:
        choice = self._book.choice(seat)
        if self._thinking.get(seat) == choice:
            return
        self._thinking[seat] = choice
        self._house.spawn(self._think(seat, level, self._book.turn_of(seat), choice))

    async def _think(self, seat: int, level: str, turn: Turn, choice: Choice) -> None:
        begun = self._house.now()
        move = (await self._house.thinkers.choose(self._book.rules.NAME, level, turn)).move
        if self._thinking.get(seat) != choice:
            return
        if move is None and self._book.is_race:
            self.passed.add(seat)
            self.has_passed()
            return
        if move is None:
            log.warning("table=%s seat=%d the bot has no answer", self._book.name, seat)
            move = turn.legal[0]
        await asyncio.sleep(self._wait(move, begun))
        if self._thinking.get(seat) == choice:
            await self.play_for(seat, move, choice)

    def _wait(self, move: Any, begun: float) -> float:
        """Say for how many seconds a bot still pretends to think, or waits for its own time."""
        pause = self._house.settings.bot_pause
        if not pause:
            return 0.0
        due = begun + pause
        if isinstance(move, Timed):
            due = self._book.show_at + time_of(move) / 1000
        return max(0.0, due - self._house.now())

    async def think_for(self, seat: int) -> tuple[Any, Choice] | None:
        """Choose for a person whose time is up; None if there is nothing to choose."""
        rules, choice = self._book.rules, self._book.choice(seat)
        legal = rules.legal(self._book.state, seat)
        if not legal:
            return None
        level = self._book.chairs[seat].stand_in
        answer = await self._house.thinkers.choose(rules.NAME, level, self._book.turn_of(seat))
        return answer.move or legal[0], choice

    async def play_for(
        self, seat: int, move: Any, choice: Choice, for_absent: bool = False
    ) -> None:
        """Make a move that a bot chose, if it still fits."""

        def judge() -> list[Change]:
            book = self._book
            if book.phase != "playing" or (book.chairs[seat].player is None and not for_absent):
                return []
            if book.choice(seat) != choice:  # somebody made it meanwhile
                return []
            try:
                state = book.rules.play(book.state, seat, move)
            except IllegalMove as problem:
                return self._instead(seat, problem)
            timed: Stamp | UnsetType = UNSET
            if isinstance(move, Timed):
                timed = Stamp(time_of(move), time_of(move), False, 0.0, 0.0)
            return [self._queue.moved(seat, move, state, stamp=timed, for_seat=for_absent)]

        await self._queue.conduct(judge)

    def _instead(self, seat: int, problem: IllegalMove) -> list[Change]:
        """Make any legal move for a bot that chose an illegal one, unless the table moved on."""
        book = self._book
        legal = book.rules.legal(book.state, seat)
        if not legal or book.is_race:
            return []
        log.warning("table=%s seat=%d illegal bot move: %s", book.name, seat, problem.code)
        state = book.rules.play(book.state, seat, legal[0])
        return [self._queue.moved(seat, legal[0], state)]


def time_of(move: Any) -> float:
    """Give the time of a deed that a bot has done."""
    return float(move.at)
