"""The conductor of a table: whoever is to move next does, be it nature, a bot or the clock."""

import asyncio
from typing import Any, Final

from msgspec import UNSET, UnsetType

from tischlein.bots import Turn, levels
from tischlein.game import NATURE, IllegalMove
from tischlein.store import StoreDown
from tischlein.table.book import Choice
from tischlein.table.desk import Change, Desk, Home, Judge, log
from tischlein.table.race import Lag, Line, Stamp, closes_at, lead, window

MOST_FAR: Final = 2000.0
"""The most that a race waits for the store of another server, in milliseconds."""


class Conductor(Desk):
    """Lets bots think, clocks run and races begin and end."""

    def __init__(self, name: str, home: Home) -> None:
        super().__init__(name, home)
        self.lags: dict[int, Lag] = {}
        self.deadlines: dict[int, float] = {}
        self._timed: dict[int, Choice] = {}
        self._thinking: dict[int, Choice] = {}
        self._passed: set[int] = set()
        self._woken = 0.0

    def wake(self) -> None:
        """Go on where the book stops: bots think, clocks run."""
        self._woken = self._home.now()
        self._plan()

    def resume(self) -> None:
        """Begin anew with all that is planned: who conducts may have changed."""
        self._rest()
        self._plan()

    def _rest(self) -> None:
        """Leave bots, clocks and races to the server that conducts them."""
        for name in ("race", "roll", "clock"):
            self._cancel(name)
        self._thinking.clear()
        self._passed.clear()

    def _plan(self) -> None:
        """See to it that whoever is to move next does: nature, bots, the clock."""
        book = self.book
        if book.phase != "playing":
            self._stop_clocks()
            self._home.let_go(self)
            return
        movers = book.movers()
        for seat in [seat for seat in self._thinking if book.chairs[seat].player is None]:
            del self._thinking[seat]  # a person sits there again: the next bot thinks anew
        self._set_clocks([] if book.is_race else movers)
        if not self._home.conducts(self):
            self._rest()
            return
        if book.is_race:
            self._set_race_clock()
        else:
            self._passed.clear()
            self._cancel("race")
            if not movers and "roll" not in self._timers and self._is_played():
                self._set_timer("roll", self._pause_before_roll(), self._roll)
        for seat in movers:
            level = book.chairs[seat].player
            if level is not None and seat not in self._passed:
                self._let_think(seat, level)

    def _is_played(self) -> bool:
        """Say whether anybody would see a roll: somebody who looks, here or elsewhere, or a bot."""
        far = any(there.seats or there.watchers for there in self.elsewhere.values())
        return bool(self.listeners) or far or any(chair.player for chair in self.book.chairs)

    def _stop_clocks(self) -> None:
        for name in ("race", "roll", "clock"):
            self._cancel(name)
        self.deadlines.clear()
        self._passed.clear()

    def _let_think(self, seat: int, level: str) -> None:
        """Start a bot on its next choice, once."""
        choice = self.book.choice(seat)
        if self._thinking.get(seat) == choice:
            return
        self._thinking[seat] = choice
        self._home.spawn(self._think(seat, level, self.book.turn_of(seat), choice))

    async def _think(self, seat: int, level: str, turn: Turn, choice: Choice) -> None:
        pause = self._home.settings.bot_pause
        begun = self._home.now()
        move = (await self._home.think(self.book.rules.NAME, level, turn)).move
        if self._thinking.get(seat) != choice:
            return
        if move is None and self.book.is_race:
            self._passed.add(seat)
            self._plan()
            return
        if move is None:
            log.warning("table=%s seat=%d the bot has no answer", self.book.name, seat)
            move = turn.legal[0]
        due = begun + pause
        if hasattr(move, "at") and pause:
            due = self.book.show_at + move.at / 1000
        await asyncio.sleep(max(0.0, due - self._home.now()) if pause else 0)
        if self._thinking.get(seat) == choice:
            await self._play_for(seat, move, choice)

    async def _conduct(self, judge: Judge) -> None:
        """Do what is this server's to do; if the store is in trouble, later."""
        try:
            await self._serve(judge, conducting=True)
        except Exception as problem:  # a table must not stand still for good
            details = not isinstance(problem, StoreDown)
            log.warning("table=%s stands still: %s", self.book.name, problem, exc_info=details)
            self._set_timer("again", 1.0, self._try_again)

    async def _try_again(self) -> None:
        self.resume()

    async def _play_for(
        self, seat: int, move: Any, choice: Choice, for_absent: bool = False
    ) -> None:
        """Make a move that a bot chose, if it still fits."""

        def judge() -> list[Change]:
            chair = self.book.chairs[seat]
            if self.book.phase != "playing" or (chair.player is None and not for_absent):
                return []
            if self.book.choice(seat) != choice:  # somebody made it meanwhile
                return []
            try:
                state = self.book.rules.play(self.book.state, seat, move)
            except IllegalMove as problem:
                return self._instead(seat, problem)
            timed: Stamp | UnsetType = UNSET
            if hasattr(move, "at"):
                timed = Stamp(move.at, move.at, False, 0.0, 0.0)
            return [self._moved(seat, move, state, stamp=timed, for_seat=for_absent)]

        await self._conduct(judge)

    def _instead(self, seat: int, problem: IllegalMove) -> list[Change]:
        """Make any legal move for a bot that chose an illegal one, unless the table moved on."""
        legal = self.book.rules.legal(self.book.state, seat)
        if not legal or self.book.is_race:
            return []
        log.warning("table=%s seat=%d illegal bot move: %s", self.book.name, seat, problem.code)
        state = self.book.rules.play(self.book.state, seat, legal[0])
        return [self._moved(seat, legal[0], state)]

    def _set_clocks(self, movers: list[int]) -> None:
        """Let the clock run for people who are to move."""
        limit = self._home.settings.clocks.get(self.book.speed)
        now = self._home.now()
        people = [seat for seat in movers if self.book.chairs[seat].player is None]
        for seat in list(self.deadlines):
            if seat not in people or self._timed.get(seat) != self.book.choice(seat):
                del self.deadlines[seat]
        if limit is None or not people:
            self._cancel("clock")
            return
        for seat in people:
            self._timed[seat] = self.book.choice(seat)
            self.deadlines.setdefault(seat, max(self.book.touched, self._woken) + limit)
        self._set_timer("clock", min(self.deadlines.values()) - now, self._time_out)

    async def _time_out(self) -> None:
        """Let a bot make the move of everybody whose time is up."""
        now = self._home.now()
        late = [seat for seat, due in self.deadlines.items() if due <= now]
        for seat in late:
            rules, state = self.book.rules, self.book.state
            legal = rules.legal(state, seat)
            if legal:
                choice = self.book.choice(seat)
                level = "easy" if "easy" in levels(rules) else "random"
                answer = await self._home.think(rules.NAME, level, self.book.turn_of(seat))
                self.deadlines.pop(seat, None)
                await self._play_for(seat, answer.move or legal[0], choice, for_absent=True)
        if "again" not in self._timers:
            self._plan()

    def _pause_before_roll(self) -> float:
        """Leave time to look at the photo finish, if anybody is looking."""
        if not self.book.moves[1:] or not self._home.settings.bot_pause:
            return 0.0
        return self._home.settings.race.pause_ms / 1000

    async def _roll(self) -> None:
        """Roll for a race: sent ahead, to be shown at one moment."""

        def judge() -> list[Change]:
            book = self.book
            if book.phase != "playing" or book.is_race or book.movers():
                return []
            ahead = self._lead()
            move = book.natures_move(book.state, len(book.moves) + 1)
            show_at = self._home.now() + ahead / 1000
            state = book.rules.play(book.state, NATURE, move)
            return [self._moved(NATURE, move, state, show_at=show_at)]

        await self._conduct(judge)

    def _lead(self) -> float:
        """Say how long ahead a roll is sent, in ms: not at all if nobody looks."""
        if not self.listeners and not self.elsewhere:
            return 0.0
        here = [seat for seat in range(len(self.book.chairs)) if self.is_here(seat)]
        lags = [lag for lag in map(self.lag_of, here) if lag is not None]
        return lead(lags, self._home.settings.race) + (self._far() if self.elsewhere else 0.0)

    def _far(self) -> float:
        """Say how long a deed may take from another server, in ms: it may collide with others."""
        return min(MOST_FAR, self._home.hop * len(self.book.chairs))

    def lag_of(self, seat: int) -> Lag | Line | None:
        """Give what was measured of a player's line, at this server or where they are."""
        if not self._is_at_this_server(seat):
            for there in self.elsewhere.values():
                if seat in there.seats:
                    return there.seats[seat]
        return self.lags.get(seat)

    def _set_race_clock(self) -> None:
        """Close the race when nothing that may still be on its way can change it."""
        self._set_timer("race", self._race_ends() - self._home.now(), self._close_race)

    def _race_ends(self) -> float:
        """Say when nothing can be on its way any more; from another server it takes longer."""
        book, rules = self.book, self._home.settings.race
        waiting, naming = {}, {}
        for seat in book.movers():
            on_its_way = window(self.lag_of(seat) or Lag(), rules)
            if any(seat in there.seats for there in self.elsewhere.values()):
                on_its_way += self._far() + self._home.slack
            on_its_way += book.chairs[seat].handicap  # a later deed may still count as quicker
            if book.state.deeds[seat] is not None:
                naming[seat] = on_its_way
            elif seat not in self._passed:
                waiting[seat] = on_its_way
        return book.show_at + closes_at(book.state, waiting, naming) / 1000

    async def _close_race(self) -> None:
        race = self.book.race_from

        def judge() -> list[Change]:
            if not self.book.is_race or self.book.race_from != race:
                return []
            if self._race_ends() > self._home.now() + 0.001:  # a deed came meanwhile
                self._set_race_clock()
                return []
            move = self.book.rules.draw(self.book.state, NO_CHANCE)
            state = self.book.rules.play(self.book.state, NATURE, move)
            return [self._moved(NATURE, move, state)]

        await self._conduct(judge)

    def stop(self) -> None:
        """Stop all clocks: the table leaves memory."""
        for name in list(self._timers):
            self._cancel(name)
        self._thinking.clear()

    @property
    def busy(self) -> bool:
        """Say whether somebody looks, or something will happen here by itself."""
        planned = self._timers.keys() - {"relief"}
        return bool(self.listeners or planned or self._queue.locked() or self._thinks())

    def _thinks(self) -> bool:
        """Say whether a bot is to move."""
        if self.book.phase != "playing":
            return False
        return any(self.book.chairs[seat].player for seat in self.book.movers())


class _NoChance:
    """The clock's moves need no chance."""

    def below(self, n: int, /) -> int:
        raise AssertionError("the clock does not roll dice")


NO_CHANCE: Final = _NoChance()
