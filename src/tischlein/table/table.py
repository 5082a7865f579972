"""One live table, put together: what people do at it, who is there, and what comes next."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tischlein.bots import Answer
from tischlein.game import IllegalMove, Timed
from tischlein.table import entries as e
from tischlein.table.advice import Advice
from tischlein.table.book import Book
from tischlein.table.bots import Bots
from tischlein.table.care import Care
from tischlein.table.clocks import Clocks
from tischlein.table.entries import Stamp
from tischlein.table.filled import TIMER as FILLED
from tischlein.table.filled import Filled
from tischlein.table.holding import Holding
from tischlein.table.moods import Moods
from tischlein.table.needs import Conflict, House, Listener, Stranger
from tischlein.table.people import People
from tischlein.table.presence import Here, Presence
from tischlein.table.queue import Change, Queue
from tischlein.table.race import Races
from tischlein.table.sealing import Sealing
from tischlein.table.seating import Seating
from tischlein.table.seeking import Seeking
from tischlein.table.slow import Slow
from tischlein.table.steward import Steward
from tischlein.table.timers import Timers

LONGEST_PROBLEM: Final = 200


def told_of(problem: Exception) -> str:
    """Say what is wrong with a frame or a move, without all that it says."""
    return str(problem)[:LONGEST_PROBLEM]


class Table:
    """A table in memory."""

    def __init__(self, name: str, house: House) -> None:
        self.book = Book(name)
        self.version = self.people_version = 0
        """Grow with everything that somebody may see; the second not with mere moves."""
        self._house = house
        self._timers = Timers(house)
        self._queue = Queue(self.book, house, self._timers)
        self.presence = Presence(self.book, house.now, house.mark)
        self._holding = Holding(self.book, self.presence, house)
        self.moods = Moods(self.book, self.presence, house.now)
        self.races = Races(
            self.book, self._queue, self._timers, self.presence, self._holding, house
        )
        self._bots = Bots(self.book, self._queue, self.presence, self._holding, house)
        self.seating = Seating(self.book, self._queue, self.presence, house, self._look_around)
        self.people = People(
            self.book, self.presence, self.moods, self.seating, self._timers, house
        )
        self.steward = Steward(self.book, self._queue, self.presence, self._timers, house)
        self.sealing = Sealing(self.book, self._queue, self._timers, house)
        self.seeking = Seeking(
            self.book, self._queue, self.presence, self._timers, house, self._look_around
        )
        self.clocks = Clocks(self.book, self._bots, self._timers, house)
        self.care = Care(self.book, self._queue, house)
        filled = Filled(self.book, self._queue, self.presence, self._timers, house)
        self.slow = Slow(self.book, self._queue, self.presence, self._timers, house, filled)
        self._advice = Advice(self.book, house)
        self._is_watched = False
        self._queue.heard, self._queue.resume = self._took_in, self._try_again
        self._queue.alarm = self.slow.alarm_after
        self.slow.nudge = filled.nudge = self._nudge
        self._bots.has_passed = self.clocks.done = self.people.plan = self._plan
        self.people.tell = self._tell

    # Playing

    async def play(
        self,
        seat: int,
        token: str,
        raw: msgspec.Raw,
        move_id: str | None,
        arrival: float,
        race: float | None = None,
    ) -> bool:
        """Make a player's move; False if it was made before, under the same id.

        `arrival` is when it came in, in seconds. Whoever calls must not be cancelled meanwhile.
        """
        if move_id is not None and self._is_known(seat, move_id):
            return False
        self.races.check(race)
        move = self._read(raw)
        if self.book.is_race:
            arrival = await self.races.until_done(seat, move, move_id, arrival)

        def judge() -> list[Change]:
            self._check_seat(seat, token)
            if move_id is not None and (seat, move_id) in self.book.ids:
                return []
            self._check_playing()
            self.races.check(race)
            return [self._judged(seat, move, move_id, arrival)]

        return await self._queue.serve(judge)

    def _is_known(self, seat: int, move_id: str) -> bool:
        return (seat, move_id) in self.book.ids or self.races.has_come(seat, move_id)

    def _judged(self, seat: int, move: Any, move_id: str | None, arrival: float) -> Change:
        """Check a move against the table as it is now."""
        timed: Stamp | UnsetType = UNSET
        if isinstance(move, Timed) and self.book.is_race:
            timed = self.races.time(seat, move, arrival)
            move = replace(move, at=timed.at)
        else:
            self.races.check_seen(seat)
        state = self.book.rules.play(self.book.state, seat, move)
        known = UNSET if move_id is None else move_id
        return self._queue.moved(seat, move, state, id=known, stamp=timed)

    def _read(self, raw: msgspec.Raw) -> Any:
        try:
            return self.book.read_move.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as problem:
            sentence = "this is not a move of {game}: {problem}"
            fields = {"game": self.book.rules.NAME, "problem": told_of(problem)}
            raise IllegalMove("not_a_move", sentence, **fields) from None

    def try_out(self, seat: int, raw: msgspec.Raw) -> None:
        """Raise the refusal that a move would get now; nothing is played."""
        self._check_playing()
        move = self._read(raw)
        self.races.check_seen(seat)
        if isinstance(move, Timed):
            move = self.races.dated(seat, move)
        self.book.rules.play(self.book.state, seat, move)

    async def advise(self, seat: int, network: str) -> Answer:
        """Say what the expert would do, if the host allows it and it is this seat's turn."""
        if not self.book.hints:
            raise Stranger("no_hints", "at this table everybody thinks for themselves")
        self._check_playing()
        if self.book.is_race or seat not in self.book.movers():
            raise Conflict("no_hint_now", "the expert is asked when it is your turn, not in a race")
        return await self._advice.ask(seat, network)

    # Who is there

    async def arrive(self, listener: Listener, holds: bool = False) -> None:
        """Let somebody look at the table; a player who was away takes over again."""
        await self.people.arrive(listener, holds)

    def go_away(self, listener: Listener) -> None:
        """Hear that somebody no longer looks."""
        self.people.go_away(listener)

    def others_are(self, elsewhere: dict[str, Here]) -> None:
        """Hear who is at the other servers."""
        self.people.others_are(elsewhere)

    def measured(self, seat: int, round_trip: float, echo: bool) -> None:
        """Take in a measured round trip of a player's line, in milliseconds."""
        if self.races.measured(seat, round_trip, echo):
            self._tell()  # now, not with the next deed, which may be hidden

    async def _look_around(self) -> None:
        await self._house.servers.look_at(self)

    # What comes next

    def load(self, found: Sequence[bytes]) -> None:
        """Come into memory: fold what the store has kept."""
        for entry in self._queue.load(found):
            self.presence.took_in(entry)
        self.presence.all_away()
        self.sealing.wake()

    def resume(self) -> None:
        """Begin anew with all that is planned: who conducts may have changed."""
        self._rest()
        self._plan()

    def look(self) -> None:
        """See to what is to be done now, although nobody looks."""
        self._plan()

    async def catch_up(self) -> None:
        """Take in what other servers have written."""
        await self._queue.catch_up()

    async def _try_again(self) -> None:
        self.resume()

    def _took_in(self, entries: Sequence[e.AnyEntry]) -> None:
        """Tell what has happened, and see to what comes next."""
        for entry in entries:
            self.presence.took_in(entry)
            self.races.took_in(entry)
            self.seating.took_in(entry)
            self.moods.took_in(entry)
        mere_moves = self.book.phase == "playing" and all(
            isinstance(entry, e.Moved) for entry in entries
        )
        self._tell(mere_moves)
        self._plan()

    def _tell(self, mere_moves: bool = False) -> None:
        self.version += 1
        if not mere_moves:
            self.people_version += 1
        for listener in self.presence.listeners:
            listener.changed()
        self._house.offers.changed(self)

    def _plan(self) -> None:
        """See to it that whoever is to move next does: nature, bots, the clock."""
        self._advice.drop_stale()
        self._holding.look_again()
        self.sealing.plan()
        self.steward.look()
        self.seeking.plan()
        self.slow.plan_start()
        servers, name = self._house.servers, self.book.name
        if not self.goes_on:
            self._is_watched = False
            self._rest()
            self.clocks.sleep()
            servers.let_go(name)
            return
        if not self._is_watched:
            self._is_watched = True
            self.clocks.wake()
        self._bots.drop_stale()
        self.clocks.plan([] if self.book.is_race else self.book.movers())
        if not servers.conducts(name):
            self._rest()
            return
        self._bots.plan()
        if self.book.is_slow:
            self.slow.plan()
        if self.book.has_races:
            self.races.plan(self._bots.passed)

    @property
    def goes_on(self) -> bool:
        """Say whether a game goes on now: somebody looks, or people need not look for that."""
        if self.book.phase != "playing" or self.book.is_closed:
            return False
        return self.presence.anybody or self.slow.is_due

    def _nudge(self, seat: int) -> None:
        self._house.nudges.nudge(self, seat)

    def _rest(self) -> None:
        """Leave bots, clocks and races to the server that conducts them, or to a later time."""
        self._timers.cancel("clock", "nudge")
        self.races.rest()
        self._bots.rest()

    def stop(self) -> None:
        """Stop all clocks: the table leaves memory."""
        self._timers.cancel(*self._timers.names)
        self._bots.rest()
        self._holding.look_again()
        self._advice.rest()

    @property
    def busy(self) -> bool:
        """Say whether somebody looks, or something will happen here by itself."""
        if self.presence.listeners or self._timers.names - self._idle_timers:
            return True
        is_bots_turn = self.presence.anybody and self._bots.are_to_move
        return self._queue.busy or self._advice.busy or is_bots_turn or self._bots.think

    @property
    def _idle_timers(self) -> set[str]:
        """Name what need not be waited for: where nobody need look the store's alarm rings."""
        return {"relief", "clock", "nudge", FILLED} if self.book.is_slow else {"relief"}

    # Judging

    def _check_playing(self) -> None:
        if self.book.is_closed:
            raise Conflict("closed", "this table was closed")
        if self.book.phase == "open":
            raise Conflict("not_started", "the game has not started yet")

    def _check_seat(self, seat: int, token: str) -> None:
        if self.book.seat_of(token) != seat:
            raise Stranger("no_seat_held", "this seat is no longer yours")
