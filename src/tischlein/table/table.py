"""One live table, put together: what people do at it, who is there, and what comes next."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tischlein.bots import Answer, bot_named
from tischlein.chance import new_seed
from tischlein.game import IllegalMove, Refusal, Timed
from tischlein.table import entries as e
from tischlein.table.book import Book, fingerprint
from tischlein.table.bots import Bots
from tischlein.table.clocks import Clocks
from tischlein.table.entries import Stamp
from tischlein.table.needs import Conflict, House, Listener, StoreDown, Stranger
from tischlein.table.presence import Here, Presence
from tischlein.table.queue import Change, Queue
from tischlein.table.race import Races
from tischlein.table.timers import Timers


class Table:
    """A table in memory."""

    def __init__(self, name: str, house: House) -> None:
        self.book = Book(name)
        self.version = self.people_version = 0
        """Grow with everything that somebody may see; the second not with mere moves."""
        self._house = house
        self._timers = Timers(house)
        self._queue = Queue(self.book, house, self._timers)
        self.presence = Presence(self.book, house.now)
        self.races = Races(self.book, self._queue, self._timers, self.presence, house)
        self._bots = Bots(self.book, self._queue, house)
        self.clocks = Clocks(self.book, self._bots, self._timers, house)
        self._advice: dict[int, tuple[tuple[int, int], asyncio.Task[Answer | None]]] = {}
        self._queue.heard, self._queue.resume = self._took_in, self._try_again
        self._bots.has_passed = self.clocks.done = self._plan

    # Setting the table

    async def open(
        self, game: str, seats: int, options: dict[str, Any], speed: e.Speed, hints: bool
    ) -> None:
        """Set the table."""
        entry = e.Opened(self._house.now(), game, seats, options, speed, new_seed(), hints)
        await self._queue.put(lambda: [Change(entry)])

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
            return [Change(e.Sat(self._house.now(), free[0], name, fingerprint(token)))]

        await self._queue.put(sit)
        return taken[0], token

    async def seat_bot(self, by: int, seat: int, bot: str | None) -> None:
        """Let the host put a bot in a seat, or take it away."""

        def put() -> list[Change]:
            self._check_hosts(by, seat)
            chair = self.book.chairs[seat]
            if not chair.free and chair.bot is None:
                raise Conflict("taken", "somebody sits in seat {seat}", seat=str(seat))
            if bot is not None:
                bot_named(self.book.rules, bot)
            return [Change(e.Seated(self._house.now(), seat, bot))]

        await self._queue.put(put)

    async def give_handicap(self, by: int, seat: int, handicap: float) -> None:
        """Let the host give a player some milliseconds in races; everybody sees it."""

        def give() -> list[Change]:
            self._check_hosts(by)
            if not 0 <= seat < len(self.book.chairs) or self.book.chairs[seat].token is None:
                raise Refusal("no_seat", "nobody sits in seat {seat}", seat=str(seat))
            return [Change(e.Handicapped(self._house.now(), seat, handicap))]

        await self._queue.put(give)

    async def salt(self, seat: int, text: str) -> None:
        """Let a player add a word to the seed, before the deal."""

        def add() -> list[Change]:
            self._check_open()
            return [Change(e.Salted(self._house.now(), seat, text))]

        await self._queue.put(add)

    async def appoint(self, by: int, seat: int | None) -> None:
        """Let the host name the seat that begins, or leave it to chance; everybody sees it."""

        def name() -> list[Change]:
            self._check_hosts(by, seat)
            return [Change(e.Appointed(self._house.now(), seat))]

        await self._queue.put(name)

    async def start(self, by: int) -> None:
        """Let the host start the game; nature deals at once."""

        def begin() -> list[Change]:
            self._check_hosts(by)
            if any(chair.free for chair in self.book.chairs):
                raise Conflict("empty_seats", "all seats must be taken, by people or by bots")
            return [Change(e.Started(self._house.now()))]

        await self._queue.put(begin)

    async def leave(self, seat: int) -> None:
        """Let a player get up; the host's rights pass on."""

        def go() -> list[Change]:
            now = self._house.now()
            heir = self.presence.heir(seat) if seat == self.book.host else None
            passing = [] if heir is None else [Change(e.Hosted(now, heir))]
            return [*passing, Change(e.Left(now, seat))]

        await self._queue.put(go)

    async def relieve(self, by: int, seat: int, bot: str) -> None:
        """Let the others have a bot play for somebody who is away."""

        def help_out() -> list[Change]:
            if by == seat or not 0 <= seat < len(self.book.chairs):
                raise Refusal("no_seat", "name the seat of another player")
            chair = self.book.chairs[seat]
            if self.book.phase != "playing" or chair.player is not None:
                raise Conflict("no_need", "seat {seat} needs no bot now", seat=str(seat))
            bot_named(self.book.rules, bot)
            if not self.may_be_relieved(seat, self._house.servers.slack):
                after = self._house.settings.relief_after
                sentence = "a bot may play on when a player has been away for {after} seconds"
                raise Conflict("too_soon", sentence, after=f"{after:g}")
            return [Change(e.Relieved(self._house.now(), seat, bot))]

        await self._house.servers.look_at(self)  # who asks may have been told so by another server
        await self._queue.put(help_out)

    async def again(self, by: int, starter: str) -> None:
        """Let the host set the table for the same people once more."""

        def clear() -> list[Change]:
            self._check_host(by)
            if self.book.phase != "over":
                raise Conflict("not_over", "a rematch comes when the game is over")
            return self._once_more(
                secrets.choice(self.book.losers()) if starter == "loser" else None
            )

        await self._queue.put(clear)

    def _once_more(self, starts: int | None) -> list[Change]:
        """Set the table anew; by chance means so also where the opening named a seat."""
        now = self._house.now()
        again = Change(e.Again(now, new_seed(), starts))
        by_chance = starts is None and self.book.opened_for is not None
        return [again, Change(e.Appointed(now, None))] if by_chance else [again]

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
        state = self.book.rules.play(self.book.state, seat, move)
        known = UNSET if move_id is None else move_id
        return self._queue.moved(seat, move, state, id=known, stamp=timed)

    def _read(self, raw: msgspec.Raw) -> Any:
        try:
            return self.book.read_move.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as problem:
            sentence = "this is not a move of {game}: {problem}"
            fields = {"game": self.book.rules.NAME, "problem": str(problem)}
            raise IllegalMove("not_a_move", sentence, **fields) from None

    def try_out(self, seat: int, raw: msgspec.Raw) -> None:
        """Raise the refusal that a move would get now; nothing is played."""
        self._check_playing()
        move = self._read(raw)
        if isinstance(move, Timed):
            move = self.races.dated(seat, move)
        self.book.rules.play(self.book.state, seat, move)

    async def advise(self, seat: int) -> Answer:
        """Say what the expert would do, if the host allows it and it is this seat's turn."""
        if not self.book.hints:
            raise Stranger("no_hints", "at this table everybody thinks for themselves")
        self._check_playing()
        if self.book.is_race or seat not in self.book.movers():
            raise Conflict("no_hint_now", "the expert is asked when it is your turn, not in a race")
        now = self.book.games, len(self.book.moves)
        if seat not in self._advice or self._advice[seat][0] != now:  # asked twice, it thinks once
            turn, ask = self.book.advisers_turn(seat), self._house.thinkers.ask
            self._advice[seat] = now, self._house.spawn(ask(self.book.rules.NAME, "expert", turn))
        found = await asyncio.shield(self._advice[seat][1])
        if found is None:
            self._advice.pop(seat, None)
            raise Conflict("no_answer", "the expert has no answer right now; ask again")
        return found

    # Who is there

    async def arrive(self, listener: Listener) -> None:
        """Let somebody look at the table; a player who was away takes over again."""
        self.presence.came(listener)
        seat = listener.seat
        if seat is not None and self.book.chairs[seat].relief is not None:
            await self._queue.put(lambda: self._come_back(seat))
        self._house.servers.seen(self.book.name)
        self._who_is_there_changed()
        self._plan()

    def go_away(self, listener: Listener) -> None:
        """Hear that somebody no longer looks."""
        self.presence.went(listener)
        self._house.servers.seen(self.book.name)
        self._who_is_there_changed()

    def others_are(self, elsewhere: dict[str, Here]) -> None:
        """Hear who is at the other servers."""
        if self.presence.others_are(elsewhere):
            self._who_is_there_changed()
            self._plan()

    def measured(self, seat: int, round_trip: float) -> None:
        """Take in a measured round trip of a player's line, in milliseconds."""
        if self.races.measured(seat, round_trip):
            self._tell()  # now, not with the next deed, which may be hidden

    def may_be_relieved(self, seat: int, slack: float = 0.0) -> bool:
        """Say whether a player has been away for long enough, give or take so many ms."""
        away = self.presence.away_for(seat)
        return away is not None and away + slack / 1000 >= self._house.settings.relief_after

    def _who_is_there_changed(self) -> None:
        self._watch_absent()
        self._watch_host()
        self._tell()

    def _watch_absent(self) -> None:
        """See to it that all hear when the next player may be relieved."""
        now, after = self._house.now(), self._house.settings.relief_after
        away = self.presence.away_since.values()
        waits = [since + after - now for since in away if now - since < after]
        if waits:
            self._timers.set("relief", min(waits) + 0.01, self._tell_again)

    async def _tell_again(self) -> None:
        """Tell what time alone has changed: who may now be relieved."""
        self._tell()
        self._watch_absent()

    def _watch_host(self) -> None:
        """While somebody is here without the host, the host's rights are about to pass on."""
        if not self.presence.listeners or self.presence.is_here(self.book.host):
            self._timers.cancel("host")
        elif "host" not in self._timers:
            self._timers.set("host", self._house.settings.host_after, self._pass_host)

    async def _pass_host(self) -> None:
        """Pass the host's rights on when the host stays away and somebody else is here."""

        def judge() -> list[Change]:
            host, is_here = self.book.host, self.presence.is_here
            heir = self.presence.heir(host)
            if is_here(host) or heir is None or not is_here(heir):
                return []
            return [Change(e.Hosted(self._house.now(), heir))]

        try:
            await self._queue.serve(judge)
        except StoreDown:
            self._watch_host()  # later, then

    # What comes next

    def load(self, found: Sequence[bytes]) -> None:
        """Come into memory: fold what the store has kept."""
        for entry in self._queue.load(found):
            self.presence.took_in(entry)
        self.presence.all_away()

    def wake(self) -> None:
        """Go on where the book stops: bots think, clocks run."""
        self.clocks.wake()
        self._plan()

    def resume(self) -> None:
        """Begin anew with all that is planned: who conducts may have changed."""
        self._rest()
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

    def _plan(self) -> None:
        """See to it that whoever is to move next does: nature, bots, the clock."""
        servers, name = self._house.servers, self.book.name
        if self.book.phase != "playing":
            self._timers.cancel("race", "roll", "clock")
            self.clocks.deadlines.clear()
            self._bots.passed.clear()
            servers.let_go(name)
            return
        self._bots.forget_people()
        self.clocks.plan([] if self.book.is_race else self.book.movers())
        if not servers.conducts(name):
            self._rest()
            return
        self._bots.plan()
        if self.book.has_races:
            self.races.plan(self._bots.passed)

    def _rest(self) -> None:
        """Leave bots, clocks and races to the server that conducts them."""
        self._timers.cancel("race", "roll", "clock")
        self._bots.rest()

    def stop(self) -> None:
        """Stop all clocks: the table leaves memory."""
        self._timers.cancel(*self._timers.names)
        self._bots.rest()

    @property
    def busy(self) -> bool:
        """Say whether somebody looks, or something will happen here by itself."""
        planned = self._timers.names - {"relief"}
        looked_at = bool(self.presence.listeners)
        return looked_at or bool(planned) or self._queue.busy or self._bots.are_to_move

    # Judging

    def _check_playing(self) -> None:
        if self.book.phase == "open":
            raise Conflict("not_started", "the game has not started yet")

    def _check_open(self) -> None:
        if self.book.phase != "open":
            raise Conflict("begun", "the game has begun")

    def _check_host(self, by: int) -> None:
        if by != self.book.host:
            raise Stranger("not_host", "only the host may do that")

    def _check_hosts(self, by: int, seat: int | None = None) -> None:
        """Let only the host pass, before the game, and name only seats that there are."""
        self._check_host(by)
        self._check_open()
        if seat is not None and not 0 <= seat < len(self.book.chairs):
            raise Refusal("no_seat", "there is no seat {seat} at this table", seat=str(seat))

    def _check_seat(self, seat: int, token: str) -> None:
        if self.book.seat_of(token) != seat:
            raise Stranger("no_seat_held", "this seat is no longer yours")

    def _come_back(self, seat: int) -> list[Change]:
        if self.book.chairs[seat].relief is None:
            return []
        return [Change(e.Relieved(self._house.now(), seat, None))]
