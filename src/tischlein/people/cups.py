"""Cups: friends who all meet each other at tables that the house sets for them.

A cup is one document in the store with a version: any server may change it, and of two that do so
at once one looks again. Nothing goes on by itself: whoever looks at a cup sees to it that what has
ended is counted and what comes next is set. Tables are named in the document before they count, so
that one that was opened twice stays empty and is tidied up.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from tischlein.game import BadStart
from tischlein.games import game_named
from tischlein.house.house import ALPHABET, NAME, NAME_LENGTH, House
from tischlein.names import are_alike, is_printable, texts_in
from tischlein.people.cup import (
    NO_TITLE,
    Board,
    Cup,
    Member,
    Phase,
    Result,
    forgotten,
    left,
    proper_title,
    renamed,
    result_of,
    with_boards,
    without,
)
from tischlein.people.profiles import Profiles
from tischlein.people.schedule import FEWEST, MOST, Mode, schedule
from tischlein.store import Step
from tischlein.table.book import fingerprint
from tischlein.table.entries import Speed
from tischlein.table.needs import Conflict, Stranger
from tischlein.table.seating import persons_name
from tischlein.table.table import Table

log = logging.getLogger("tischlein.people")
LONGEST_OPTIONS: Final = 2000
"""So many bytes house rules may take: they are kept with every cup."""
MOST_LOOKS: Final = 20
"""So often a change is tried anew while others change the same cup."""
AT_ONCE: Final = 100
"""So many cups are read at a time."""
SPEED: Final[Speed] = "normal"
"""At tables of a cup a move has its time: others wait for the next round."""


_write: Final = msgspec.json.encode
_read: Final = msgspec.json.Decoder(Cup).decode
Judge = Callable[[Cup], Cup]
"""Looks at a cup as it is now: gives it as it shall be, or raises a Refusal."""


class Cups:
    """Keeps cups, and sees to their tables."""

    def __init__(self, house: House, profiles: Profiles) -> None:
        self._house, self._profiles = house, profiles
        self._tending: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._store = house.store

    # What people do

    async def make(
        self,
        title: str,
        game: str,
        seats: int,
        options: dict[str, Any],
        mode: Mode,
        name: str,
        profile: str | None = None,
    ) -> tuple[str, str]:
        """Make a cup; gives its name, and the token of its host, who is member 0."""
        game_named(game).start(seats, options)
        if not all(map(is_printable, texts_in(options))) or len(_write(options)) > LONGEST_OPTIONS:
            raise BadStart("bad_option", "house rules are short, with signs that all can see")
        cup = "".join(secrets.choice(ALPHABET) for _ in range(NAME_LENGTH))
        token, now = secrets.token_urlsafe(32), self._house.now()
        host = Member(persons_name(name), fingerprint(token), profile)
        made = Cup(proper_title(title), game, seats, mode, (host,), now, options)
        words = """
            INSERT INTO cups (name, version, touched, body) VALUES ($1, 1, $2, $3)
            ON CONFLICT (name) DO NOTHING
        """
        await self._store.ask(words, cup, now, _write(made))
        return cup, token

    async def join(self, cup: str, name: str, profile: str | None = None) -> tuple[int, str]:
        """Let somebody in before the start; gives their number and what they hold."""
        token = secrets.token_urlsafe(32)
        joined = Member(persons_name(name), fingerprint(token), profile)

        def let_in(found: Cup) -> Cup:
            if joined in found.members:  # the line broke after it was kept
                return found
            if found.phase != "open":
                raise Conflict("cup_begun", "this tournament has begun")
            if len(found.members) >= MOST:
                raise Conflict("cup_full", "at most {most} people play", most=str(MOST))
            if any(are_alike(joined.name, member.name) for member in found.members):
                raise Conflict("name_taken", "somebody here is called that already")
            return replace(found, members=(*found.members, joined))

        kept, _ = await self._change(cup, let_in)
        return kept.members.index(joined), token

    async def start(self, cup: str, token: str) -> None:
        """Let the host begin: nobody joins any more, and the first round is set."""

        def begin(found: Cup) -> Cup:
            self._check_host(found, token)
            if found.phase != "open":
                return found
            if len(found.members) < FEWEST:
                raise Conflict("too_few", "it takes two people at least")
            plan = schedule(len(found.members), found.seats, found.mode)
            rounds = tuple(tuple(map(Board, groups)) for groups in plan)
            return replace(found, rounds=rounds, round=0, since=self._house.now())

        await self.rounds((await self.load(cup))[0])
        await self._change(cup, begin)
        await self.tend(cup)

    async def seat(self, cup: str, token: str) -> tuple[str, int, str]:
        """Give a member a token for their seat in this round: table, seat, token."""
        found = (await self.tend(cup)).cup
        member = found.member(token)
        for board in found.boards:
            if member in board.people and board.result is None:
                table = await self._table(board)
                seat = board.people.index(member)
                await self._note(found.members[member], table.book.name)
                return table.book.name, seat, await table.steward.key(seat)
        raise Conflict("no_table_now", "you have no table in this round")

    async def go_on(self, cup: str, token: str) -> None:
        """Let the host go on to the next round, when all tables of this one are over."""
        before, _ = await self.load(cup)
        self._check_host(before, token)
        if (await self.tend(cup)).cup.round == before.round:
            raise Conflict("round_goes_on", "the tables of this round are not over yet")

    async def begin_table(self, cup: str, token: str, table: str) -> None:
        """Start a table at which not all are: the host may, and who waits there long enough."""
        board = await self._board(cup, token, table, for_host=False)
        await self._house.servers.look_at(found := await self._table(board))
        if not found.steward.anybody:
            raise Conflict("nobody_there", "nobody is at this table; it can be left out")
        await found.steward.begin()

    async def skip_table(self, cup: str, token: str, table: str) -> None:
        """Let the host leave out a table at which nobody is: it is not played."""
        board = await self._board(cup, token, table)
        await self._house.servers.look_at(found := await self._table(board))
        if not found.book.is_closed and (found.steward.anybody or self._was_played(found)):
            raise Conflict("somebody_there", "somebody is at this table, or was a moment ago")
        await self._count(cup, {board: Result()})
        await self.tend(cup)

    async def leave(self, cup: str, token: str) -> None:
        """Let somebody leave: before the start they are gone, after it a bot plays for them."""
        before, _ = await self.load(cup)
        if before.phase == "open":
            await self._change(cup, lambda found: without(found, token))
            return
        gone = before.member(token)
        kept, _ = await self._change(cup, lambda found: left(found, gone))
        for board in kept.boards:
            if gone in board.people and board.table is not None:
                table = await self._house.find(board.table)
                if table is not None:
                    await table.steward.take_over(board.people.index(gone))

    # What follows

    async def rounds(self, found: Cup) -> int:
        """Say how many rounds there are, or will be; it may take a moment to find out."""
        if found.phase != "open" or len(found.members) < FEWEST:
            return len(found.rounds)
        people = len(found.members)
        return len(await asyncio.to_thread(schedule, people, found.seats, found.mode))

    async def load(self, cup: str) -> tuple[Cup, int]:
        """Read a cup and its version."""
        if NAME.fullmatch(cup):
            words = "SELECT body, version FROM cups WHERE name = $1"
            for body, version in await self._store.ask(words, cup):
                return _read(body), version
        raise NoCup

    async def tend(self, cup: str) -> "Seen":
        """Count what has ended, go on to the next round, and set the tables that are missing.

        One after the other: else all who look at once would each set all tables.
        """
        found, version = await self.load(cup)
        if found.phase != "playing":
            return Seen(found, version, {})
        lock = self._tending.setdefault(cup, asyncio.Lock())
        async with lock:
            return await self._tend(cup)

    async def _tend(self, cup: str) -> "Seen":
        found, version = await self.load(cup)
        phases: dict[str, Phase] = {}
        while found.phase == "playing":
            phases = await self._phases(found)
            if ended := await self._ended(found):
                found, version = await self._count(cup, ended)
            elif any(board.result is None and board.table not in phases for board in found.boards):
                found, version = await self._set_tables(cup, found, phases)
            else:
                break
        return Seen(found, version, phases)

    async def _phases(self, found: Cup) -> "dict[str, Phase]":
        """Say of the tables of this round whether they wait or play; others are not kept."""
        names = self._store.listed([board.table for board in found.boards if board.table])
        words = "SELECT name, live FROM tables WHERE name IN (SELECT value FROM {names})"
        rows = await self._store.ask(words, names)
        return {name: "playing" if live else "open" for name, live in rows}

    async def of(self, profile: str) -> AsyncIterator[tuple[str, Cup]]:
        """Give the cups of somebody with a profile, and their names; they are read page by page."""
        last = ""
        words = "SELECT name, body FROM cups WHERE name > $1 ORDER BY name LIMIT $2"
        while rows := await self._store.ask(words, last, AT_ONCE):
            for name, body in rows:
                if profile.encode() in body:
                    yield name, _read(body)
            last = rows[-1][0]

    async def rename(self, cup: str, member: int, name: str | None) -> tuple[Cup, str]:
        """Call a member otherwise, also in the rounds to come; gives the cup, and the old name."""
        before = ""

        def call(found: Cup) -> Cup:
            nonlocal before
            named = renamed(found, member, name)
            before = found.members[member].name
            return named

        kept, _ = await self._change(cup, call)
        return kept, before

    async def untitle(self, cup: str) -> str:
        """Take a cup's title away; gives what it was."""
        before = ""

        def take(found: Cup) -> Cup:
            nonlocal before
            before = found.title
            return replace(found, title=NO_TITLE)

        await self._change(cup, take)
        return before

    async def forget(self, profile: str) -> None:
        """Let somebody who has deleted their profile be somebody in every cup."""
        async for name, _ in self.of(profile):
            with contextlib.suppress(NoCup):  # tidied up meanwhile
                await self._change(name, lambda found: forgotten(found, profile))

    async def tidy(self) -> None:
        """Forget cups that nobody has changed for long."""
        since = self._house.now() - self._house.settings.tidy_cups_after
        await self._store.ask("DELETE FROM cups WHERE touched < $1", since)

    async def keep_tidy(self) -> None:
        """Now and then: forget old cups."""
        while True:
            await asyncio.sleep(self._house.settings.housekeeping)
            try:
                await self.tidy()
            except Exception:  # the store may be in trouble: next time, then
                log.exception("tidying up cups")

    async def _ended(self, found: Cup) -> dict[Board, Result]:
        """Read how tables of this round ended of which that is not known yet."""
        going = [board for board in found.boards if board.result is None]
        names = self._store.listed([board.table for board in going if board.table])
        words = (
            "SELECT name, record FROM records"
            " WHERE game = 1 AND name IN (SELECT value FROM {names})"
        )
        records = dict(await self._store.ask(words, names))
        ended = {board: Result() for board in going if found.is_played_by_bots(board)}
        for board in going:
            if board.table in records:
                ended[board] = await asyncio.to_thread(result_of, records[board.table])
        return ended

    async def _count(self, cup: str, ended: Mapping[Board, Result]) -> tuple[Cup, int]:
        """Write down how tables ended, each once; after the last one the next round begins."""

        def write(found: Cup) -> Cup:
            boards = tuple(
                replace(board, result=ended[board]) if board in ended else board
                for board in found.boards
            )
            if boards == found.boards:
                return found
            found = with_boards(found, boards)
            if any(board.result is None for board in boards):
                return found
            return replace(found, round=found.round + 1, since=self._house.now())

        return await self._change(cup, write)

    async def _set_tables(self, cup: str, found: Cup, known: Collection[str]) -> tuple[Cup, int]:
        """Set the tables of this round that are missing; whoever is first to name one is right."""
        opened = {
            board: replace(board, table=await self._open(cup, found, board))
            for board in found.boards
            if board.result is None and board.table not in known
        }

        def name(now: Cup) -> Cup:
            if (now.round, now.members) != (found.round, found.members):
                return now
            return with_boards(now, tuple(opened.get(board, board) for board in now.boards))

        kept, version = await self._change(cup, name)
        for board in opened.values():
            if board.table is not None and board in kept.boards:
                for person in board.people:
                    await self._note(kept.members[person], board.table)
        return kept, version

    async def _note(self, member: Member, table: str) -> None:
        """Let somebody with a profile find a table of theirs on all devices, once it counts."""
        if member.profile is not None and not member.has_left:
            await self._profiles.sits(member.profile, table)

    async def _open(self, cup: str, found: Cup, board: Board) -> str:
        """Open a table with its people seated; a bot sits for who has left, and where none is."""
        seated = [found.members[person] for person in board.people]
        table = await self._house.open(found.game, found.seats, found.options, speed=SPEED, cup=cup)
        bots = [None] * (found.seats - len(seated))
        people = [None if who.has_left else (who.name, who.profile) for who in seated]
        await table.steward.lay([*people, *bots])
        return table.book.name

    async def _table(self, board: Board) -> Table:
        """Find a table of a cup; one that was tidied up meanwhile is no longer there."""
        table = None if board.table is None else await self._house.find(board.table)
        if table is None:
            raise Conflict("no_table_now", "this table is no longer kept")
        return table

    def _was_played(self, table: Table) -> bool:
        """Say whether people of a game that has begun may well come back: no phone is awake always.

        Else a host who loses, or whose rivals do not, waits for such a moment.
        """
        last = max(table.book.touched, table.presence.looked_at)
        is_fresh = self._house.now() - last < self._house.settings.cup_patience
        return table.book.phase == "playing" and is_fresh

    async def _board(self, cup: str, token: str, table: str, for_host: bool = True) -> Board:
        """Find a table of this round that somebody may see to now."""
        found = (await self.tend(cup)).cup
        board = next((one for one in found.boards if one.table == table), None)
        if board is None or board.result is not None:
            raise Conflict("no_table_now", "this table does not belong to the round")
        waited = self._house.now() - found.since >= self._house.settings.cup_patience
        if for_host or not waited or found.member(token) not in board.people:
            self._check_host(found, token)
        return board

    def _check_host(self, found: Cup, token: str) -> None:
        if found.member(token) != found.host:
            raise Stranger("not_host", "only the host may do that")

    async def _change(self, cup: str, judge: Judge) -> tuple[Cup, int]:
        """Change a cup; if somebody else was quicker, look again. Gives it as it is then."""
        words = (
            "UPDATE cups SET version = version + 1, touched = $3, body = $4"
            " WHERE name = $1 AND version = $2 RETURNING name"
        )
        for _ in range(MOST_LOOKS):
            found, version = await self.load(cup)
            changed = judge(found)
            if changed == found:
                return found, version
            values = (cup, version, self._house.now(), _write(changed))
            if await self._store.together(Step(words, values, rows=1)) is not None:
                return changed, version + 1
        raise Conflict("cup_busy", "many change this tournament at once; try again")


class Seen(NamedTuple):
    """A cup as it is now: also its version, and what is so at the tables of this round."""

    cup: Cup
    version: int
    phases: dict[str, Phase]


class NoCup(Exception):
    """There is no such cup."""
