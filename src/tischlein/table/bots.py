"""The bots at a table: each thinks about its next choice, once, and answers like anybody else."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from tischlein.bots import Answer
from tischlein.game import IllegalMove, Timed
from tischlein.table.book import Book, Choice, goes_on
from tischlein.table.entries import Stamp
from tischlein.table.holding import Holding
from tischlein.table.needs import Asker, House
from tischlein.table.presence import Presence
from tischlein.table.queue import Change, Queue

log = logging.getLogger("tischlein.table")


class Thought(NamedTuple):
    """What a bot thinks about, at which level (None: for somebody who is late), and its answer."""

    choice: Choice
    level: str | None
    answer: "asyncio.Task[Answer]"


class Bots:
    """Lets bots think, for their own seats and for people who are away or too late."""

    def __init__(
        self, book: Book, queue: Queue, presence: Presence, holding: Holding, house: House
    ) -> None:
        self._book, self._queue, self._presence, self._house = book, queue, presence, house
        self._holding = holding
        self._thinking: dict[int, Thought] = {}
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
            if level is not None and seat not in self.passed and seat not in self._thinking:
                self._house.spawn(self._play(seat, self._begin(seat, level, level)))

    def drop_stale(self) -> None:
        """Break off thoughts about choices that are gone, or for seats with another player."""
        for seat, thought in list(self._thinking.items()):
            now = self._book.choice(seat), self._book.chairs[seat].player
            if (thought.choice, thought.level) != now:
                self._drop(seat)
        self.passed -= {seat for seat in self.passed if self._book.chairs[seat].player is None}

    def rest(self) -> None:
        """Break off all thoughts."""
        for seat in list(self._thinking):
            self._drop(seat)
        self.passed.clear()

    def _drop(self, seat: int) -> None:
        self._thinking.pop(seat).answer.cancel()

    def thinks_for(self, seat: int) -> bool:
        """Say whether a seat's choice is being thought about."""
        return seat in self._thinking

    @property
    def think(self) -> bool:
        """Say whether a bot thinks."""
        return bool(self._thinking)

    @property
    def are_to_move(self) -> bool:
        """Say whether a bot is to move."""
        book = self._book
        return goes_on(book) and any(book.chairs[s].player for s in book.movers())

    def _begin(self, seat: int, level: str, player: str | None) -> Thought:
        """Let a bot think about the choice that a seat has before it."""
        book = self._book
        asker = Asker(book.name, self._presence.networks)
        work = self._house.thinkers.choose(book.rules.NAME, level, book.turn_of(seat), asker)
        thought = Thought(book.choice(seat), player, self._house.spawn(work))
        self._thinking[seat] = thought
        return thought

    async def _answer(self, seat: int, thought: Thought) -> Answer | None:
        """Wait for a bot; None if its answer is no longer wanted."""
        await asyncio.wait({thought.answer})
        return thought.answer.result() if self._thinking.get(seat) is thought else None

    async def _play(self, seat: int, thought: Thought) -> None:
        """Make the move that a bot chooses, when it may have thought of it."""
        begun, legal = self._house.now(), self._book.rules.legal(self._book.state, seat)
        answer = await self._answer(seat, thought)
        if answer is None:
            return
        move = answer.move
        if move is None and self._book.is_race:
            self.passed.add(seat)
            self.has_passed()
            return
        if move is None:
            log.warning("table=%s seat=%d the bot has no answer", self._book.name, seat)
            move = legal[0]
        await asyncio.sleep(self._wait(move, begun))
        if not self._book.is_race:  # an open race waits for nobody
            await self._holding.until_free(lambda: self._thinking.get(seat) is thought)
        if self._thinking.get(seat) is thought:
            await self.play_for(seat, move, thought.choice)

    def _wait(self, move: Any, begun: float) -> float:
        """Say for how many seconds a bot still pretends to think, or waits for its own time."""
        pause = self._house.settings.bot_pause
        if not pause:
            return 0.0
        due = begun + pause
        if isinstance(move, Timed) and self._book.is_race:
            due = self._book.show_at + time_of(move) / 1000
        return max(0.0, due - self._house.now())

    async def think_for(self, seat: int) -> tuple[Any, Choice] | None:
        """Choose for a person whose time is up; None if there is nothing to choose any more."""
        rules = self._book.rules
        legal = rules.legal(self._book.state, seat)
        if not legal:
            return None
        thought = self._begin(seat, self._book.chairs[seat].stand_in, None)
        answer = await self._answer(seat, thought)
        return None if answer is None else (answer.move or legal[0], thought.choice)

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
            if isinstance(move, Timed) and book.is_race:
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
