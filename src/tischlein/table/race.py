"""The fair race: who was quicker is decided by what a player did, not by how far away they sit.

First what is pure: times are milliseconds, and whoever calls knows the clock. Then the races of one
table, from the roll to the photo finish.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from tischlein.game import COMMON_REASONS, NATURE, IllegalMove, OpenRace, illegal
from tischlein.table.book import Book
from tischlein.table.entries import AnyEntry, Moved, Stamp
from tischlein.table.holding import Holding
from tischlein.table.lines import UNKNOWN, Lag, Line, head_start, stamp, window
from tischlein.table.needs import House
from tischlein.table.presence import Here, Presence
from tischlein.table.queue import Change, Queue
from tischlein.table.settings import RaceRules
from tischlein.table.timers import Timers

MOST_FAR: Final = 2000.0
"""The most that a race waits for the store of another server, in milliseconds."""
MOST_AHEAD: Final = 60_000.0
"""The longest time, in milliseconds, that a deed may wait for its own moment."""
NOTABLE: Final = 5.0
"""A change of a player's lag by more than this, in milliseconds, is shown to other servers."""
SHOWN: Final = 10.0
"""A change by more than this is shown to the players."""
LONGEST: Final = 1e9
"""No time of a deed is as long as this, in milliseconds."""


def is_false_start(claimed: float, elapsed: float, rules: RaceRules) -> bool:
    """Say whether a deed was done before anybody could have read the dice."""
    return min(claimed, elapsed) < rules.false_start_ms


def lead(lines: Iterable[Line], rules: RaceRules) -> float:
    """Say how long before it is shown a roll is made: the farthest player's must leave in time."""
    return rules.lead_ms + max((head_start(line, rules) for line in lines), default=0.0)


def closes_at(race: OpenRace, waiting: Mapping[int, float], naming: Mapping[int, float]) -> float:
    """Say when the race is to be closed if nothing more arrives.

    `waiting` are the seats that may still act, `naming` those that have acted and may still say
    more, each with the longest time that a deed of theirs can be on its way. A deed that comes
    after this moment was done too late to change the result.
    """
    last_arrival = race.until + max(waiting.values(), default=0.0)
    if race.decided_at is None:
        return last_arrival if waiting else 0.0
    settled = race.decided_at + max(waiting.values()) + 1.0 if waiting else 0.0
    if race.waits_for is None:
        return min(settled, last_arrival)
    if race.waits_for in naming:
        settled = max(settled, race.waits_until + naming[race.waits_for] + 1.0)
    return settled


class Races:
    """The races of one table: a roll reaches all at once, deeds are timed, a race ends in time."""

    def __init__(
        self,
        book: Book,
        queue: Queue,
        timers: Timers,
        presence: Presence,
        holding: Holding,
        house: House,
    ) -> None:
        self._book, self._queue, self._timers = book, queue, timers
        self._presence, self._holding, self._house = presence, holding, house
        self._due: float | None = None
        self._lags: dict[int, Lag] = {}
        self._shown: dict[int, float] = {}
        self._held: dict[int, float] = {}
        self._early: dict[int, str | None] = {}
        self._race = 0.0
        self._came = 0.0
        self._head_starts: dict[int, float] = {}

    # Lines

    def lag(self, seat: int) -> Lag:
        """Give what was measured here of a player's line."""
        return self._lags.setdefault(seat, Lag())

    def lag_of(self, seat: int) -> Line:
        """Give what was measured of a player's line, at this server or where they are."""
        if not self._presence.is_at_this_server(seat):
            for there in self._presence.elsewhere.values():
                if seat in there.seats:
                    return there.seats[seat]
        return self._lags.get(seat, UNKNOWN)

    def shown_lag(self, seat: int) -> float | None:
        """Give the usual round trip as all are told; none for who was not measured, or is near."""
        if self._presence.is_at_this_server(seat) or not self._presence.is_elsewhere(seat):
            return self._shown.get(seat)
        return self.lag_of(seat).median or None

    def measured(self, seat: int, round_trip: float, echo: bool) -> bool:
        """Take in a round trip in milliseconds; say whether all are to be told of another lag."""
        lag = self.lag(seat)
        before = lag.worst
        lag.add(round_trip, echo)
        if abs(lag.worst - before) > NOTABLE:
            self._house.servers.seen(self._book.name)
        if abs(lag.median - self._shown.get(seat, 0.0)) <= SHOWN:
            return False
        self._shown[seat] = lag.median
        return True

    def who_is_here(self) -> Here:
        """Tell other servers who is at this one, with their lines."""
        return self._presence.shown(lambda seat: self.lag(seat).measured)

    # Who sees a roll when

    def took_in(self, entry: AnyEntry) -> None:
        """Hear what happened at the table: a roll may just have been made, here or elsewhere."""
        if isinstance(entry, Moved) and entry.show_at is not UNSET:
            self._came = self._house.now()

    def shown_at(self, seat: int | None) -> float:
        """Say when the open race's roll leaves for a seat, in seconds; for a watcher it is shown.

        For a far seat it leaves earlier by half of its round trip, so that it arrives everywhere at
        about the same moment. A server that hears of it late sends it as soon as it can.
        """
        planned = self._book.show_at
        if seat is not None:
            planned -= self._head_start(seat) / 1000
        return max(planned, self._came) if self._came < planned + MOST_FAR / 1000 else planned

    def _head_start(self, seat: int) -> float:
        """Give a seat's head start in the open race, in ms: it stays as it was at its roll."""
        if self._race != self._book.show_at:
            self._race = self._book.show_at
            self._head_starts.clear()
        if seat not in self._head_starts:
            self._head_starts[seat] = head_start(self.lag_of(seat), self._rules)
        return self._head_starts[seat]

    def _ahead_of(self, seat: int) -> float:
        """Say how many ms before it left for this seat the open race's roll left for another."""
        others = range(len(self._book.chairs))
        return max(map(self._head_start, others)) - self._head_start(seat)

    def until_shown(self, seat: int | None) -> float:
        """Say for how many seconds the open race's roll is still to be kept from a seat."""
        if not self._book.is_race:
            return 0.0
        return max(0.0, self.shown_at(seat) - self._house.now())

    # What comes in

    def check_seen(self, seat: int) -> None:
        """Refuse to speak of a roll that this seat does not know of yet."""
        if self.until_shown(seat) > 0:
            raise illegal(COMMON_REASONS, "wait_for_nature")

    def check(self, name: float | None) -> None:
        """Refuse a deed that is meant for another race than the one that is open."""
        if name is not None and (not self._book.is_race or name != self._book.race_name):
            raise IllegalMove("race_closed", self._book.rules.REASONS["race_closed"])

    def has_come(self, seat: int, move_id: str) -> bool:
        """Say whether a deed waits already for its own moment."""
        return self._early.get(seat) == move_id

    async def until_done(self, seat: int, move: Any, move_id: str | None, arrival: float) -> float:
        """Let a deed that came before its own time wait for it; give when it counts as come.

        A simple bot answers at once, with the time at which it wants to have acted.
        """
        ahead = self._ahead(seat, move, arrival) if seat in self._book.movers() else 0.0
        if ahead <= 0:
            return arrival
        if seat in self._early:
            raise IllegalMove("one_deed", self._book.rules.REASONS["one_deed"])
        self._early[seat] = move_id
        try:
            await asyncio.sleep(ahead)
        finally:
            del self._early[seat]
        return arrival + ahead

    def _ahead(self, seat: int, move: Any, arrival: float) -> float:
        """Say by how many seconds a deed has come before its own time; not if it saw no dice."""
        at, shown = getattr(move, "at", UNSET), self.shown_at(seat)
        if arrival < shown or not isinstance(at, float):
            return 0.0
        in_time = self._rules.false_start_ms <= at < MOST_AHEAD
        return shown + at / 1000 - arrival if in_time else 0.0

    def time(self, seat: int, move: Any, arrival: float) -> Stamp:
        """Decide what time of a deed counts."""
        if not isinstance(move.at, float) or not 0 <= move.at < LONGEST:
            self.check_seen(seat)
            raise IllegalMove("no_time", self._book.rules.REASONS["no_time"])
        race = self._book.race
        acted_at = None if race is None else race.acted.get(seat)
        elapsed = (arrival - self.shown_at(seat)) * 1000
        if acted_at is None:
            self._hold_back(seat, move.at, arrival, elapsed)
        handicap = self._book.chairs[seat].handicap
        ahead = self._ahead_of(seat)
        found = stamp(move.at, elapsed, self.lag(seat), handicap, self._rules, ahead)
        if acted_at is not None and found.at < acted_at:
            found = replace(found, at=acted_at)
        slack = self._house.servers.slack
        if slack:
            found = replace(found, uncertainty=round(found.uncertainty + slack, 1))
        self._house.counts.timed(found.uncertainty, self._book.name)
        return found

    def dated(self, seat: int, move: Any) -> Any:
        """Give a deed that is only asked about the earliest time that fits."""
        race = self._book.race
        return replace(move, at=0.0 if race is None else race.acted.get(seat, 0.0))

    def _hold_back(self, seat: int, claimed: float, arrival: float, elapsed: float) -> None:
        """Refuse a false start, and for a fixed while whatever follows it."""
        held = self._held.get(seat, 0.0)
        if arrival >= held:
            if not is_false_start(claimed, elapsed, self._rules):
                return
            held = self._held[seat] = arrival + self._rules.hold_ms / 1000
        sentence = "too early: nobody can read dice that fast; wait a moment"
        left = round((held - arrival) * 1000, 1)
        raise IllegalMove("false_start", sentence, hold_ms=left)

    @property
    def _rules(self) -> RaceRules:
        """Give what races are judged by: the host may lower the cap, clocks of servers differ."""
        rules, slack = self._house.settings.race, self._house.servers.slack
        if slack:
            rules = replace(rules, page_ms=rules.page_ms + slack)
        cap = self._book.lag_cap
        return rules if cap is None else replace(rules, lag_cap_ms=min(cap, rules.lag_cap_ms))

    # From the roll to the end

    def plan(self, passed: set[int]) -> None:
        """See to it that the open race is closed, or the next one begins; some may have passed."""
        if self._book.is_race:
            self._due = None
            self._set_clock(passed)
            return
        self._timers.cancel("race")
        if not self._book.movers():
            self._plan_roll()

    def _plan_roll(self) -> None:
        """Roll when it is due, and nobody wants to be waited for any more."""
        if self._due is None:
            self._due = self._house.now() + self._pause()
        most = None if self._book.moves[1:] else self._house.settings.ready_within
        left = self._holding.left(self._due, most, self._rules.beat_ms / 1000)
        if left is None:
            self._timers.cancel("roll")
        else:
            self._timers.set("roll", left, self._roll)

    def rest(self) -> None:
        """Plan nothing any more; whoever comes back has the whole pause before the next roll."""
        self._timers.cancel("race", "roll")
        self._due = None

    def _pause(self) -> float:
        """Leave time to look at the photo finish, if anybody is looking."""
        if not self._book.moves[1:] or not self._house.settings.bot_pause:
            return 0.0
        return self._rules.pause_ms / 1000

    async def _roll(self) -> None:
        """Roll for a race: kept until it is to be shown, to all at one moment."""

        def judge() -> list[Change]:
            book = self._book
            if book.phase != "playing" or book.is_race or book.movers():
                return []
            ahead = self._lead()
            move = book.natures_move(book.state, len(book.moves) + 1)
            show_at = self._house.now() + ahead / 1000
            state = book.rules.play(book.state, NATURE, move)
            return [self._queue.moved(NATURE, move, state, show_at=show_at)]

        await self._queue.conduct(judge)

    def _lead(self) -> float:
        """Say how long before it is shown a roll is made, in ms: not at all if nobody looks."""
        if not self._presence.listeners and not self._presence.elsewhere:
            return 0.0
        here = [seat for seat in range(len(self._book.chairs)) if self._presence.is_here(seat)]
        ahead = lead(map(self.lag_of, here), self._rules)
        return ahead + (self._far() if self._presence.elsewhere else 0.0)

    def _far(self) -> float:
        """Say how long a deed may take from another server, in ms: it may collide with others."""
        return min(MOST_FAR, self._house.servers.hop * len(self._book.chairs))

    def _set_clock(self, passed: set[int]) -> None:
        """Close the race when nothing that may still be on its way can change it."""

        async def close() -> None:
            await self._close(race, passed)

        race = self._book.race_from
        self._timers.set("race", self._ends(passed) - self._house.now(), close)

    def _ends(self, passed: set[int]) -> float:
        """Say when nothing can be on its way any more; from another server it takes longer."""
        book, race = self._book, self._book.race
        if race is None:
            return 0.0
        waiting, naming = {}, {}
        for seat in book.movers():
            longest = window(self.lag_of(seat), self._rules, self._ahead_of(seat))
            longest += (self.shown_at(seat) - book.show_at) * 1000
            if self._presence.is_elsewhere(seat):
                longest += self._far() + self._house.servers.slack
            longest += book.chairs[seat].handicap  # a later deed may still count as quicker
            if seat in race.acted:
                naming[seat] = longest
            elif seat not in passed:
                waiting[seat] = longest
        return book.show_at + closes_at(race, waiting, naming) / 1000

    async def _close(self, race: int, passed: set[int]) -> None:
        def judge() -> list[Change]:
            if not self._book.is_race or self._book.race_from != race:
                return []
            if self._ends(passed) > self._house.now() + 0.001:  # a deed came meanwhile
                self._set_clock(passed)
                return []
            move = self._book.rules.draw(self._book.state, NO_CHANCE)
            state = self._book.rules.play(self._book.state, NATURE, move)
            return [self._queue.moved(NATURE, move, state)]

        await self._queue.conduct(judge)


class _NoChance:
    """The clock's moves need no chance."""

    def below(self, n: int, /) -> int:
        raise AssertionError("the clock does not roll dice")


NO_CHANCE: Final = _NoChance()
