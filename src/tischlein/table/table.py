"""One live table: check, store, then tell. There is no other way in, and no other way out."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tischlein.bots import Turn, bot_named, levels
from tischlein.chance import new_seed
from tischlein.rules import NATURE, By, IllegalMove, Refusal
from tischlein.store import Store, Taken
from tischlein.table import entries as e
from tischlein.table.book import Book, Choice, Played, fingerprint
from tischlein.table.race import Lag, Stamp, closes_at, is_false_start, lead, stamp, window
from tischlein.table.settings import Settings

log = logging.getLogger("tischlein.table")
T = TypeVar("T")

MOST_AHEAD: Final = 60_000.0
"""The longest time, in milliseconds, that a race deed may wait for its own moment."""


class Change(NamedTuple):
    """Something judged and about to be stored; of a move also what it is and leads to."""

    entry: e.AnyEntry
    move: Any = None
    state: Any = None


Judge = Callable[[], list[Change]]
"""Looks at the table as it is now: gives what changes, or raises a Refusal."""


class Conflict(Refusal):
    """Something that fits the table at another time, not now."""


class Stranger(Refusal):
    """Something that only somebody else may do."""


class Listener(Protocol):
    """Somebody who looks at the table: a seat's socket, or a watcher's."""

    seat: int | None

    def changed(self) -> None:
        """Hear that there is something new to see."""

    def lose_seat(self) -> None:
        """Hear that the seat is no longer one's own."""


class Home(Protocol):
    """What a table needs of the house it stands in."""

    store: Store
    settings: Settings

    def now(self) -> float:
        """Give the time in seconds."""

    def moved(self, table: "Table", moves: int) -> None:
        """Hear that moves were made."""

    def uncertain(self, milliseconds: float) -> None:
        """Hear how uncertain a race deed was."""

    def think(self, game: str, level: str, turn: Turn) -> Awaitable[Any | None]:
        """Let a bot choose."""

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start work that goes on whatever becomes of the caller."""


class Table:
    """A table in memory: its book, its one queue, its clocks and listeners."""

    def __init__(self, name: str, home: Home) -> None:
        self.book = Book(name)
        self.listeners: set[Listener] = set()
        self.lags: dict[int, Lag] = {}
        self.away_since: dict[int, float] = {}
        self.deadlines: dict[int, float] = {}
        self.looked_at = home.now()
        self.version = 0
        self._home = home
        self._queue = asyncio.Lock()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._thinking: dict[int, Choice] = {}
        self._held: dict[int, float] = {}
        self._passed: set[int] = set()
        self._early: dict[int, str | None] = {}

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
        self.away_since[seat] = 0.0
        for listener in self.listeners:
            if listener.seat == seat:
                listener.lose_seat()
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
            if not self.may_be_relieved(seat):
                after = self._home.settings.relief_after
                sentence = "a bot may play on when a player has been away for {after} seconds"
                raise Conflict("too_soon", sentence, after=f"{after:g}")
            return [Change(e.Relieved(self._home.now(), seat, bot))]

        self._thinking.pop(seat, None)
        await self._in_turn(help_out)

    async def again(self, by: int, starter: str) -> None:
        """Let the host set the table for the same people once more."""

        def clear() -> list[Change]:
            self._check_host(by)
            if self.book.phase != "over":
                raise Conflict("not_over", "a rematch comes when the game is over")
            losers = self.book.losers()
            loser = losers[secrets.randbelow(len(losers))]
            starts = loser if starter == "loser" else None
            return [Change(e.Again(self._home.now(), new_seed(), starts))]

        await self._in_turn(clear)

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
        if race is not None and (not self.book.is_race or race != self.book.race_name):
            raise IllegalMove("race_closed", self.book.rules.REASONS["race_closed"])
        arrival = await self._until_done(seat, move, move_id, arrival)
        return await self._serve(lambda: self._judge(seat, token, move, move_id, arrival))

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

    # Who is there

    async def arrive(self, listener: Listener) -> None:
        """Let somebody look at the table; a player who was away takes over again."""
        self.listeners.add(listener)
        seat = listener.seat
        if seat is not None:
            self.away_since.pop(seat, None)
            if self.book.chairs[seat].relief is not None:
                self._thinking.pop(seat, None)
                await self._in_turn(lambda: self._come_back(seat))
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
            self._set_timer("relief", self._home.settings.relief_after, self._tell_again)
        self._watch_host()
        self._tell()

    def is_here(self, seat: int) -> bool:
        """Say whether a seat has a socket open."""
        return any(listener.seat == seat for listener in self.listeners)

    def may_be_relieved(self, seat: int) -> bool:
        """Say whether a player has been away for long enough."""
        since = self.away_since.get(seat)
        if since is None:
            return False
        return self._home.now() - since >= self._home.settings.relief_after

    def measured(self, seat: int, round_trip: float) -> None:
        """Take in a measured round trip of a player's line, in milliseconds."""
        self.lags.setdefault(seat, Lag()).add(round_trip)

    # The queue

    async def load(self, found: list[bytes]) -> None:
        """Fold what the store has kept."""
        for line in found:
            self.book.fold(e.decoder.decode(line))
        for seat, chair in enumerate(self.book.chairs):
            if chair.token is not None and not self.is_here(seat):
                self.away_since.setdefault(seat, self._home.now())

    def wake(self) -> None:
        """Go on where the book stops: bots think, clocks run."""
        self._plan()

    async def _in_turn(self, judge: Judge) -> None:
        """Judge, store and tell in this table's one queue, whatever becomes of the caller."""
        await asyncio.shield(self._home.spawn(self._serve(judge)))

    async def _serve(self, judge: Judge) -> bool:
        """Wait for one's turn in the queue; judge, store and tell. False if nothing changed."""
        async with self._queue:
            while True:
                changes = judge()
                if not changes:
                    return False
                self._follow(changes)
                try:
                    await self._write(changes)
                    break
                except Taken:  # another server was quicker: read on and judge again
                    await self._catch_up()
            for change in changes:
                self.book.fold(*change)
                self._note(change.entry)
            moves = sum(change.move is not None for change in changes)
            self._home.moved(self, moves)
            self._tell()
            self._plan()
            return True

    def _note(self, entry: e.AnyEntry) -> None:
        """Write a log line: who did something, not what they hide."""
        what = type(entry).__name__.lower()
        seat = getattr(entry, "by", getattr(entry, "seat", "-"))
        level = logging.DEBUG if isinstance(entry, e.Moved) else logging.INFO
        if log.isEnabledFor(level):
            where = self.book.name, self.book.entries, len(self.book.moves)
            log.log(level, "table=%s entry=%d move=%d %s seat=%s", *where, what, seat)

    async def _write(self, changes: list[Change]) -> None:
        lines = [e.encoder.encode(change.entry) for change in changes]
        name, first = self.book.name, self.book.entries + 1
        state = changes[-1].state
        ends = state is not None and not self.book.rules.to_move(state)
        live = self.book.phase == "playing" or isinstance(changes[0].entry, e.Started)
        record = (self.book.games, self._record_with(changes)) if ends else None
        now = self._home.now()
        await self._home.store.append(name, first, lines, now, live and not ends, record)

    def _record_with(self, changes: list[Change]) -> str:
        """Write the record of a game that these changes end."""
        found = [(c.entry, c.move) for c in changes if isinstance(c.entry, e.Moved)]
        last = [Played(entry.by, move, entry.t, None) for entry, move in found]
        return self.book.record(last, changes[-1].state)

    async def _catch_up(self) -> None:
        await self.load(await self._home.store.load(self.book.name, self.book.entries))

    def _follow(self, changes: list[Change]) -> None:
        """Add nature's answers to what was judged."""
        book, last = self.book, changes[-1]
        if isinstance(last.entry, e.Started):
            state = book.rules.start(len(book.chairs), book.game_options)
        elif last.move is not None:
            state = last.state
        else:
            return
        number = len(book.moves) + (last.move is not None)
        while book.natures_turn(state):
            number += 1
            move = book.natures_move(state, number)
            state = book.rules.play(state, NATURE, move)
            changes.append(self._moved(NATURE, move, state))

    def _moved(self, by: By, move: Any, state: Any, **more: Any) -> Change:
        now = self._home.now()
        since = round((now - self.book.begun) * 1000) if self.book.moves else 0
        raw = msgspec.Raw(e.encoder.encode(move))
        return Change(e.Moved(now, by, raw, max(0, since), **more), move, state)

    # Judging

    def _judge(
        self, seat: int, token: str, raw: msgspec.Raw, move_id: str | None, arrival: float
    ) -> list[Change]:
        """Check a move against the table as it is now."""
        if self.book.seat_of(token) != seat:
            raise Stranger("no_seat_held", "this seat is no longer yours")
        if move_id is not None and (seat, move_id) in self.book.ids:
            return []
        self._check_playing()
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

    # Telling

    def _tell(self) -> None:
        self.version += 1
        for listener in self.listeners:
            listener.changed()

    async def _tell_again(self) -> None:
        """Tell what time alone has changed: who may now be relieved."""
        self._tell()

    # Bots, clocks and races

    def _plan(self) -> None:
        """See to it that whoever is to move next does: nature, bots, the clock."""
        book = self.book
        if book.phase != "playing":
            self._stop_clocks()
            return
        movers = book.movers()
        if book.is_race:
            self._set_race_clock()
        else:
            self._passed.clear()
            self._cancel("race")
            if not movers:
                self._set_timer("roll", self._pause_before_roll(), self._roll)
        for seat in movers:
            level = book.chairs[seat].player
            if level is not None and seat not in self._passed:
                self._let_think(seat, level)
        self._set_clocks([] if book.is_race else movers)

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
        rules, state = self.book.rules, self.book.state
        turn = Turn(seat, rules.view(state, seat), rules.legal(state, seat))
        self._home.spawn(self._think(seat, level, turn, choice))

    async def _think(self, seat: int, level: str, turn: Turn, choice: Choice) -> None:
        pause = self._home.settings.bot_pause
        begun = self._home.now()
        move = await self._home.think(self.book.rules.NAME, level, turn)
        if self._thinking.get(seat) != choice:
            return
        if move is None:
            self._passed.add(seat)
            self._plan()
            return
        due = begun + pause
        if hasattr(move, "at") and pause:
            due = self.book.show_at + move.at / 1000
        await asyncio.sleep(max(0.0, due - self._home.now()) if pause else 0)
        if self._thinking.get(seat) == choice:
            await self._play_for(seat, move)

    async def _play_for(self, seat: int, move: Any, for_absent: bool = False) -> None:
        """Make a move that a bot chose, if it still fits."""

        def judge() -> list[Change]:
            chair = self.book.chairs[seat]
            if self.book.phase != "playing" or (chair.player is None and not for_absent):
                return []
            try:
                state = self.book.rules.play(self.book.state, seat, move)
            except IllegalMove as problem:
                return self._instead(seat, problem)
            timed: Stamp | UnsetType = UNSET
            if hasattr(move, "at"):
                timed = Stamp(move.at, move.at, False, 0.0, 0.0)
            return [self._moved(seat, move, state, stamp=timed, for_seat=for_absent)]

        await self._serve(judge)

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
            if seat not in people:
                del self.deadlines[seat]
        if limit is None or not people:
            self._cancel("clock")
            return
        for seat in people:
            self.deadlines.setdefault(seat, now + limit)
        self._set_timer("clock", min(self.deadlines.values()) - now, self._time_out)

    async def _time_out(self) -> None:
        """Let a bot make the move of everybody whose time is up."""
        now = self._home.now()
        late = [seat for seat, due in self.deadlines.items() if due <= now]
        for seat in late:
            rules, state = self.book.rules, self.book.state
            legal = rules.legal(state, seat)
            if legal:
                level = "easy" if "easy" in levels(rules) else "random"
                turn = Turn(seat, rules.view(state, seat), legal)
                move = await self._home.think(rules.NAME, level, turn)
                self.deadlines.pop(seat, None)
                await self._play_for(seat, move or legal[0], for_absent=True)
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
            ahead = lead(self._lags_here(), self._home.settings.race) if self.listeners else 0.0
            move = book.natures_move(book.state, len(book.moves) + 1)
            show_at = self._home.now() + ahead / 1000
            state = book.rules.play(book.state, NATURE, move)
            return [self._moved(NATURE, move, state, show_at=show_at)]

        await self._serve(judge)

    def _lags_here(self) -> list[Lag]:
        return [lag for seat, lag in self.lags.items() if self.is_here(seat)]

    def _set_race_clock(self) -> None:
        """Close the race when nothing that may still be on its way can change it."""
        book, rules = self.book, self._home.settings.race
        waiting, naming = {}, {}
        for seat in book.movers():
            on_its_way = window(self.lags.setdefault(seat, Lag()), rules)
            on_its_way += book.chairs[seat].handicap  # a later deed may still count as quicker
            if book.state.deeds[seat] is not None:
                naming[seat] = on_its_way
            elif seat not in self._passed:
                waiting[seat] = on_its_way
        due = book.show_at + closes_at(book.state, waiting, naming) / 1000
        self._set_timer("race", due - self._home.now(), self._close_race)

    async def _close_race(self) -> None:
        race = self.book.race_from

        def judge() -> list[Change]:
            if not self.book.is_race or self.book.race_from != race:
                return []
            move = self.book.rules.draw(self.book.state, NO_CHANCE)
            state = self.book.rules.play(self.book.state, NATURE, move)
            return [self._moved(NATURE, move, state)]

        await self._serve(judge)

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

        await self._serve(judge)

    def _set_timer(self, name: str, seconds: float, do: Callable[[], Awaitable[None]]) -> None:
        """Do something later, in place of what was planned under this name."""
        self._cancel(name)

        async def run() -> None:
            await do()

        def ring() -> None:
            self._timers.pop(name, None)
            self._home.spawn(run())

        self._timers[name] = asyncio.get_running_loop().call_later(max(0.0, seconds), ring)

    def _cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

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
