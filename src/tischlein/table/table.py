"""One live table: what people do at it, and who is there."""

import asyncio
import secrets
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tischlein.bots import Answer, bot_named
from tischlein.chance import new_seed
from tischlein.game import IllegalMove, Refusal
from tischlein.store import StoreDown
from tischlein.table import entries as e
from tischlein.table.book import fingerprint
from tischlein.table.conductor import Conductor
from tischlein.table.desk import Change, Conflict, Home, Listener
from tischlein.table.race import Here, Lag, Stamp, is_false_start, stamp

MOST_AHEAD: Final = 60_000.0
"""The longest time, in milliseconds, that a race deed may wait for its own moment."""


NOTABLE: Final = 5.0
"""A change of a player's lag by more than this, in milliseconds, is shown to other servers."""


class Stranger(Refusal):
    """Something that only somebody else may do."""


class Table(Conductor):
    """A table in memory."""

    def __init__(self, name: str, home: Home) -> None:
        super().__init__(name, home)
        self.looked_at = home.now()
        self._has_asked = False
        self._held: dict[int, float] = {}
        self._early: dict[int, str | None] = {}
        self._advice: dict[int, tuple[tuple[int, int], asyncio.Task[Answer | None]]] = {}

    # What people do at a table

    async def open(
        self, game: str, seats: int, options: dict[str, Any], speed: e.Speed, hints: bool
    ) -> None:
        """Set the table."""
        entry = e.Opened(self._home.now(), game, seats, options, speed, new_seed(), hints)
        await self._in_turn(lambda: [Change(entry)])

    async def join(self, name: str) -> tuple[int, str]:
        """Give somebody the first free seat, and the token that holds it."""
        token = secrets.token_urlsafe(32)
        taken: list[int] = []

        def sit() -> list[Change]:
            self._check_open()
            free = [seat for seat, chair in enumerate(self.book.chairs) if chair.free]
            if not free:
                raise Conflict("full", "no seat is free at this table")
            taken[:] = free[:1]
            return [Change(e.Sat(self._home.now(), free[0], name, fingerprint(token)))]

        await self._in_turn(sit)
        self.away_since[taken[0]] = self._home.now()
        return taken[0], token

    async def seat_bot(self, by: int, seat: int, bot: str | None) -> None:
        """Let the host put a bot in a seat, or take it away."""

        def put() -> list[Change]:
            self._check_host(by)
            self._check_open()
            if not 0 <= seat < len(self.book.chairs):
                raise Refusal("no_seat", "there is no seat {seat} at this table", seat=str(seat))
            chair = self.book.chairs[seat]
            if not chair.free and chair.bot is None:
                raise Conflict("taken", "somebody sits in seat {seat}", seat=str(seat))
            if bot is not None:
                bot_named(self.book.rules, bot)
            return [Change(e.Seated(self._home.now(), seat, bot))]

        await self._in_turn(put)

    async def give_handicap(self, by: int, seat: int, handicap: float) -> None:
        """Let the host give a player some milliseconds in races; everybody sees it."""

        def give() -> list[Change]:
            self._check_host(by)
            self._check_open()
            if not 0 <= seat < len(self.book.chairs) or self.book.chairs[seat].token is None:
                raise Refusal("no_seat", "nobody sits in seat {seat}", seat=str(seat))
            return [Change(e.Handicapped(self._home.now(), seat, handicap))]

        await self._in_turn(give)

    async def salt(self, seat: int, text: str) -> None:
        """Let a player add a word to the seed, before the deal."""

        def add() -> list[Change]:
            self._check_open()
            return [Change(e.Salted(self._home.now(), seat, text))]

        await self._in_turn(add)

    async def appoint(self, by: int, seat: int | None) -> None:
        """Let the host name the seat that begins, or leave it to chance; everybody sees it."""

        def name() -> list[Change]:
            self._check_host(by)
            self._check_open()
            if seat is not None and not 0 <= seat < len(self.book.chairs):
                raise Refusal("no_seat", "there is no seat {seat} at this table", seat=str(seat))
            return [Change(e.Appointed(self._home.now(), seat))]

        await self._in_turn(name)

    async def start(self, by: int) -> None:
        """Let the host start the game; nature deals at once."""

        def begin() -> list[Change]:
            self._check_host(by)
            self._check_open()
            if any(chair.free for chair in self.book.chairs):
                raise Conflict("empty_seats", "all seats must be taken, by people or by bots")
            return [Change(e.Started(self._home.now()))]

        await self._in_turn(begin)

    async def leave(self, seat: int) -> None:
        """Let a player get up; the host's rights pass on."""

        def go() -> list[Change]:
            now = self._home.now()
            heir = self._heir(seat) if seat == self.book.host else None
            passing = [] if heir is None else [Change(e.Hosted(now, heir))]
            return [*passing, Change(e.Left(now, seat))]

        await self._in_turn(go)
        self._vacate(seat)
        self._tell()

    async def relieve(self, by: int, seat: int, bot: str) -> None:
        """Let the others have a bot play for somebody who is away."""

        def help_out() -> list[Change]:
            if by == seat or not 0 <= seat < len(self.book.chairs):
                raise Refusal("no_seat", "name the seat of another player")
            chair = self.book.chairs[seat]
            if self.book.phase != "playing" or chair.player is not None:
                raise Conflict("no_need", "seat {seat} needs no bot now", seat=str(seat))
            bot_named(self.book.rules, bot)
            if not self.may_be_relieved(seat, self._home.slack):
                after = self._home.settings.relief_after
                sentence = "a bot may play on when a player has been away for {after} seconds"
                raise Conflict("too_soon", sentence, after=f"{after:g}")
            return [Change(e.Relieved(self._home.now(), seat, bot))]

        await self._home.look_around(self)  # who asks may have been told so by another server
        await self._in_turn(help_out)

    async def again(self, by: int, starter: str) -> None:
        """Let the host set the table for the same people once more."""

        def clear() -> list[Change]:
            self._check_host(by)
            if self.book.phase != "over":
                raise Conflict("not_over", "a rematch comes when the game is over")
            return self._once_more(
                secrets.choice(self.book.losers()) if starter == "loser" else None
            )

        await self._in_turn(clear)

    def _once_more(self, starts: int | None) -> list[Change]:
        """Set the table anew; by chance means so also where the opening named a seat."""
        now = self._home.now()
        again = Change(e.Again(now, new_seed(), starts))
        by_chance = starts is None and self.book.opened_for is not None
        return [again, Change(e.Appointed(now, None))] if by_chance else [again]

    async def play(
        self,
        seat: int,
        token: str,
        move: msgspec.Raw,
        move_id: str | None,
        arrival: float,
        race: float | None = None,
    ) -> bool:
        """Make a player's move; False if it was made before, under the same id.

        `arrival` is when it came in, in seconds. Whoever calls must not be cancelled meanwhile.
        """
        known = move_id is not None and (seat, move_id) in self.book.ids
        if known or (move_id is not None and self._early.get(seat) == move_id):
            return False
        self._check_race(race)
        arrival = await self._until_done(seat, move, move_id, arrival)
        return await self._serve(lambda: self._judge(seat, token, move, move_id, arrival, race))

    async def _until_done(
        self, seat: int, raw: msgspec.Raw, move_id: str | None, arrival: float
    ) -> float:
        """Let a race deed that came before its own time wait for it; give when it counts as come.

        Whoever knows nothing of the moment at which the dice are shown answers too early.
        """
        if not self.book.is_race or seat not in self.book.movers():
            return arrival
        at = getattr(self._read(raw), "at", None)
        ahead = 0.0
        if isinstance(at, float) and self._home.settings.race.false_start_ms <= at < MOST_AHEAD:
            ahead = self.book.show_at + at / 1000 - arrival
        if ahead <= 0:
            return arrival
        if seat in self._early:
            raise IllegalMove("one_deed", self.book.rules.REASONS["one_deed"])
        self._early[seat] = move_id
        try:
            await asyncio.sleep(ahead)
        finally:
            del self._early[seat]
        return arrival + ahead

    async def advise(self, seat: int) -> Answer:
        """Say what the expert would do, if the host allows it and it is this seat's turn."""
        if not self.book.hints:
            raise Stranger("no_hints", "at this table everybody thinks for themselves")
        self._check_playing()
        if self.book.is_race or seat not in self.book.movers():
            raise Conflict("no_hint_now", "the expert is asked when it is your turn, not in a race")
        now = self.book.games, len(self.book.moves)
        if seat not in self._advice or self._advice[seat][0] != now:  # asked twice, it thinks once
            turn = self.book.advisers_turn(seat)
            thought = self._home.spawn(self._home.ask(self.book.rules.NAME, "expert", turn))
            self._advice[seat] = now, thought
        found = await asyncio.shield(self._advice[seat][1])
        if found is None:
            self._advice.pop(seat, None)
            raise Conflict("no_answer", "the expert has no answer right now; ask again")
        return found

    # Who is there

    async def arrive(self, listener: Listener) -> None:
        """Let somebody look at the table; a player who was away takes over again."""
        self.listeners.add(listener)
        seat = listener.seat
        if seat is not None:
            self.away_since.pop(seat, None)
            if self.book.chairs[seat].relief is not None:
                await self._in_turn(lambda: self._come_back(seat))
        self._home.seen(self)
        self._watch_absent()
        self._watch_host()
        self._tell()
        self._plan()

    def go_away(self, listener: Listener) -> None:
        """Hear that somebody no longer looks."""
        self.listeners.discard(listener)
        self.looked_at = self._home.now()
        seat = listener.seat
        if seat is not None and not self.is_here(seat):
            self.away_since[seat] = self.looked_at
            self._watch_absent()
        self._home.seen(self)
        self._watch_host()
        self._tell()

    def who_is_here(self) -> Here:
        """Tell other servers who is at this one."""
        seats = {listener.seat for listener in self.listeners if listener.seat is not None}
        lines = {seat: self.lags.setdefault(seat, Lag()).line for seat in seats}
        watchers = sum(listener.seat is None for listener in self.listeners)
        return Here(lines, watchers, self.away_since)

    def others_are(self, elsewhere: dict[str, Here]) -> None:
        """Hear who is at the other servers."""
        if elsewhere == self.elsewhere:
            return
        self.elsewhere = elsewhere
        for seat, chair in enumerate(self.book.chairs):
            if self.is_here(seat):
                self.away_since.pop(seat, None)
            elif chair.token is not None:
                self.away_since[seat] = self._gone_since(seat)
        self._has_asked = True
        self._watch_absent()
        self._watch_host()
        self._tell()
        self._plan()

    def _watch_absent(self) -> None:
        """See to it that all hear when the next player may be relieved."""
        now, after = self._home.now(), self._home.settings.relief_after
        waits = [since + after - now for since in self.away_since.values() if now - since < after]
        if waits:
            self._set_timer("relief", min(waits) + 0.01, self._tell_again)

    async def _tell_again(self) -> None:
        """Tell what time alone has changed: who may now be relieved."""
        self._tell()
        self._watch_absent()

    def _gone_since(self, seat: int) -> float:
        """Say since when a player is gone; who has just looked in believes the others."""
        known = [there.gone[seat] for there in self.elsewhere.values() if seat in there.gone]
        if self._has_asked and seat in self.away_since:
            known.append(self.away_since[seat])
        return max(known, default=self._home.now())

    @property
    def watchers(self) -> int:
        """Count those who watch without a seat, at all servers."""
        far = sum(there.watchers for there in self.elsewhere.values())
        return far + sum(listener.seat is None for listener in self.listeners)

    def may_be_relieved(self, seat: int, slack: float = 0.0) -> bool:
        """Say whether a player has been away for long enough, give or take so many ms."""
        since = self.away_since.get(seat)
        if since is None:
            return False
        return self._home.now() - since + slack / 1000 >= self._home.settings.relief_after

    def measured(self, seat: int, round_trip: float) -> None:
        """Take in a measured round trip of a player's line, in milliseconds."""
        lag = self.lags.setdefault(seat, Lag())
        before, usual = lag.worst, round(lag.median)
        lag.add(round_trip)
        if round(lag.median) != usual:  # told now: not with the next deed, which may be hidden
            self._tell()
        if abs(lag.worst - before) > NOTABLE:
            self._home.seen(self)

    def _heir(self, leaving: int) -> int | None:
        """Find who gets the host's rights: the next person clockwise, rather one who is here."""
        seats = len(self.book.chairs)
        order = [(leaving + step) % seats for step in range(1, seats)]
        people = [seat for seat in order if self.book.chairs[seat].token is not None]
        present = [seat for seat in people if self.is_here(seat)]
        return next(iter(present or people), None)

    def _watch_host(self) -> None:
        """While somebody is here without the host, the host's rights are about to pass on."""
        if not self.listeners or self.is_here(self.book.host):
            self._cancel("host")
        elif "host" not in self._timers:
            self._set_timer("host", self._home.settings.host_after, self._pass_host)

    async def _pass_host(self) -> None:
        """Pass the host's rights on when the host stays away and somebody else is here."""

        def judge() -> list[Change]:
            heir = self._heir(self.book.host)
            if self.is_here(self.book.host) or heir is None or not self.is_here(heir):
                return []
            return [Change(e.Hosted(self._home.now(), heir))]

        try:
            await self._serve(judge)
        except StoreDown:
            self._watch_host()  # later, then

    # Judging

    def _check_race(self, race: float | None) -> None:
        """Refuse a deed that is meant for another race than the one that is open."""
        if race is not None and (not self.book.is_race or race != self.book.race_name):
            raise IllegalMove("race_closed", self.book.rules.REASONS["race_closed"])

    def _judge(
        self,
        seat: int,
        token: str,
        raw: msgspec.Raw,
        move_id: str | None,
        arrival: float,
        race: float | None = None,
    ) -> list[Change]:
        """Check a move against the table as it is now."""
        if self.book.seat_of(token) != seat:
            raise Stranger("no_seat_held", "this seat is no longer yours")
        if move_id is not None and (seat, move_id) in self.book.ids:
            return []
        self._check_playing()
        self._check_race(race)
        move = self._read(raw)
        timed: Stamp | UnsetType = UNSET
        if self.book.is_race and hasattr(move, "at"):
            timed = self._time(seat, move, arrival)
            move = replace(move, at=timed.at)
        state = self.book.rules.play(self.book.state, seat, move)
        known = UNSET if move_id is None else move_id
        return [self._moved(seat, move, state, id=known, stamp=timed)]

    def _read(self, raw: msgspec.Raw) -> Any:
        try:
            return self.book.read_move.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as problem:
            sentence = "this is not a move of {game}: {problem}"
            fields = {"game": self.book.rules.NAME, "problem": str(problem)}
            raise IllegalMove("not_a_move", sentence, **fields) from None

    def _time(self, seat: int, move: Any, arrival: float) -> Stamp:
        """Decide what time of a race deed counts."""
        rules = self._home.settings.race
        since = (arrival - self.book.show_at) * 1000
        held = self._held.get(seat, 0.0)
        if not isinstance(move.at, float) or not 0 <= move.at < 1e9:
            raise IllegalMove("no_time", self.book.rules.REASONS["no_time"])
        deed = self.book.state.deeds[seat]
        if deed is None and (arrival < held or is_false_start(move.at, since, rules)):
            self._held[seat] = max(held, arrival + rules.hold_ms / 1000)
            sentence = "too early: nobody can read dice that fast; wait a moment"
            raise IllegalMove("false_start", sentence, hold_ms=rules.hold_ms)
        lag = self.lags.setdefault(seat, Lag())
        handicap = self.book.chairs[seat].handicap
        found = stamp(move.at, since, lag, handicap, rules)
        if deed is not None and found.at < deed.at:
            found = replace(found, at=deed.at)
        if self._home.slack:
            found = replace(found, uncertainty=round(found.uncertainty + self._home.slack, 1))
        self._home.uncertain(found.uncertainty)
        return found

    def _check_playing(self) -> None:
        if self.book.phase == "open":
            raise Conflict("not_started", "the game has not started yet")

    def _check_open(self) -> None:
        if self.book.phase != "open":
            raise Conflict("begun", "the game has begun")

    def _check_host(self, by: int) -> None:
        if by != self.book.host:
            raise Stranger("not_host", "only the host may do that")

    def _come_back(self, seat: int) -> list[Change]:
        if self.book.chairs[seat].relief is None:
            return []
        return [Change(e.Relieved(self._home.now(), seat, None))]
