"""What whoever runs the house may see and do: look, close a table, take a name away.

Nothing here tells a hand, a seed, a token, a login or the address of a push.
"""

import contextlib
import secrets
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from tischlein.game import Refusal
from tischlein.house.house import House, is_of_a_device
from tischlein.people.cup import NO_TITLE, Cup, member_at, seats_of
from tischlein.people.cups import Cups, NoCup
from tischlein.people.history import header_of
from tischlein.people.profiles import Profiles
from tischlein.store import Asks, Step
from tischlein.store.keys import OPERATOR, key_of
from tischlein.table.care import neutral_name
from tischlein.table.needs import Conflict
from tischlein.table.seating import SOMEBODY, persons_name
from tischlein.table.table import Table

MOST_TOLD: Final = 50
"""So many tables, or profiles of one name, are told at most."""
AT_ONCE: Final = 500
COUNTED: Final = {
    "kept": "SELECT count(*) FROM tables",
    "live": "SELECT count(*) FROM tables WHERE live",
    "slow": "SELECT count(*) FROM alarms",
    "records": "SELECT count(*) FROM records",
    "profiles": "SELECT count(*) FROM profiles",
    "logins": "SELECT count(*) FROM logins",
    "cups": "SELECT count(*) FROM cups",
    "pushes": "SELECT count(*) FROM pushes",
    "servers": "SELECT count(*) FROM servers WHERE expires > {now}",
}


class TableHere(Struct, frozen=True):
    """A table in a server's memory, in short."""

    table: str
    game: str
    phase: str
    people: int
    watchers: int


class Look(Struct, frozen=True):
    """The house at a glance; what is `here` is known to the server that was asked."""

    playing: int
    """Tables here with a game going on."""
    open: int
    over: int
    asleep: int
    """Tables that are kept, but in no memory here."""
    people: int
    """Seats whose players are here."""
    watchers: int
    kept: int
    live: int
    slow: int
    records: int
    profiles: int
    logins: int
    cups: int
    pushes: int
    servers: int
    bytes: int
    """How much the store takes."""
    tables: tuple[TableHere, ...]
    """Those at which somebody is, the fullest first."""


class SeatSeen(Struct, frozen=True):
    """Who sits somewhere."""

    seat: int
    name: str | None
    bot: str | None
    relief: str | None
    here: bool
    host: bool
    left: bool
    profile: bool


class TableSeen(Struct, frozen=True):
    """One table, as whoever runs the house may see it."""

    table: str
    game: str
    phase: str
    closed: bool
    public: bool
    speed: str
    games: int
    entries: int
    watchers: int
    touched: float
    seats: tuple[SeatSeen, ...]


class MemberSeen(Struct, frozen=True):
    """Who takes part in a cup."""

    member: int
    name: str
    host: bool
    left: bool
    profile: bool


class CupSeen(Struct, frozen=True):
    """One cup, as whoever runs the house may see it."""

    cup: str
    title: str
    game: str
    phase: str
    made: float
    members: tuple[MemberSeen, ...]
    tables: tuple[str, ...]
    """Those of this round that are set."""


class Renaming(Struct, frozen=True):
    """A name that was taken away, and what took its place."""

    before: str
    after: str


async def operators_key(store: Asks) -> str:
    """Give the key that lets somebody run this house; made when it is first asked for."""
    return (await key_of(store, OPERATOR, secrets.token_urlsafe(32).encode())).decode()


class Operator:
    """Looks after a house: beside its server, or around a store at which no server is."""

    def __init__(self, house: House) -> None:
        self._house, self._store = house, house.store
        self._cups = Cups(house, Profiles(house.store, house.now))
        self._key: str | None = None

    async def key(self) -> str:
        """Give the key that lets somebody in here; the store is asked once, whoever knocks."""
        if self._key is None:
            self._key = await operators_key(self._store)
        return self._key

    async def look(self) -> Look:
        """Tell how the house stands."""
        counted = {name: int((await self._store.ask(words))[0][0])
                   for name, words in COUNTED.items()}  # fmt: skip
        tables = list(self._house.tables.values())
        phases = ["closed" if t.book.is_closed else t.book.phase for t in tables]
        here = [table_here(table) for table in tables if table.presence.anybody]
        fullest = sorted(here, key=lambda found: -found.people - found.watchers)
        return Look(
            **{phase: phases.count(phase) for phase in ("playing", "open", "over")},
            asleep=max(0, counted["kept"] - len(tables)),
            people=sum(found.people for found in here),
            watchers=sum(found.watchers for found in here),
            bytes=await self._store.size(),
            tables=tuple(fullest[:MOST_TOLD]),
            **counted,
        )

    async def look_at(self, name: str) -> TableSeen | None:
        """Tell how a table stands and who sits there; None if there is none."""
        table = await self._house.find(name)
        return None if table is None else table_seen(table)

    async def close(self, name: str) -> bool:
        """Close a table; False if there is none."""
        table = await self._house.find(name)
        if table is not None:
            await table.care.close()
        return table is not None

    async def look_at_cup(self, name: str) -> CupSeen | None:
        """Tell how a cup stands and who takes part; None if there is none."""
        with contextlib.suppress(NoCup):
            return cup_seen(name, (await self._cups.load(name))[0])
        return None

    async def rename(self, name: str, seat: int, called: str | None) -> Renaming | None:
        """Take the name in a seat away, also from records of this table; None if there is none.

        At a table of a cup it is taken from all of the cup: else it comes back in the next round.
        """
        table = await self._house.find(name)
        if table is None:
            return await self._rename_carried(name, seat, called)
        if table.book.cup is not None and is_person(table, seat):
            with contextlib.suppress(NoCup):  # tidied up meanwhile
                cup, _ = await self._cups.load(table.book.cup)
                if (member := member_at(cup, name, seat)) is not None:
                    return await self._rename_member(table.book.cup, member, called)
        before, after = await table.care.rename(seat, called)
        await self._rename_records(name, seat, before, after)
        return Renaming(before, after)

    async def _rename_carried(self, name: str, seat: int, called: str | None) -> Renaming | None:
        """Take a name out of the records of a table that somebody has brought: no more is here."""
        words = "SELECT record FROM records WHERE name = $1 ORDER BY game DESC LIMIT 1"
        rows = await self._store.ask(words, name) if is_of_a_device(name) else ()
        if not rows:
            return None
        names = header_of(rows[0][0]).seats
        if not 0 <= seat < len(names):
            raise Refusal("no_seat", "nobody sits in seat {seat}", seat=str(seat))
        others = names[:seat] + names[seat + 1 :]
        after = neutral_name(others, seat) if called is None else persons_name(called)
        await self._rename_records(name, seat, names[seat], after)
        return Renaming(names[seat], after)

    async def rename_in_cup(
        self, cup: str, member: int | None, called: str | None
    ) -> Renaming | None:
        """Take a member's name away, or without a member the title; None if there is no cup."""
        with contextlib.suppress(NoCup):
            if member is None:
                return Renaming(await self._cups.untitle(cup), NO_TITLE)
            return await self._rename_member(cup, member, called)
        return None

    async def _rename_member(self, cup: str, member: int, called: str | None) -> Renaming:
        """Take a name out of a cup, then out of all its tables: no new one is set under it."""
        wanted = None if called is None else persons_name(called)
        kept, before = await self._cups.rename(cup, member, wanted)
        after = kept.members[member].name
        for name, seat in seats_of(kept, member):
            table = await self._house.find(name)
            there = None if table is None else await self._rename_seat(table, seat, after)
            await self._rename_records(name, seat, there or before, after)
        return Renaming(before, after)

    async def _rename_seat(self, table: Table, seat: int, after: str) -> str | None:
        """Take the name in a seat away; gives it, or None where nobody sits there any more."""
        try:
            return (await table.care.rename(seat, after))[0]
        except Refusal as problem:
            if problem.code not in ("no_seat", "gone"):  # a bot sits there; tidied up
                raise
            return None

    async def _rename_records(self, name: str, seat: int, before: str, after: str) -> None:
        """Take a name out of the records of games that were finished under it.

        One that somebody else writes meanwhile is read once more: what they wrote must stay.
        """
        write = "UPDATE records SET record = $3 WHERE name = $1 AND game = $2 AND record = $4"
        while True:
            rows = await self._store.ask("SELECT game, record FROM records WHERE name = $1", name)
            told = [(game, renamed_record(old, seat, before, after), old) for game, old in rows]
            changes = [(name, *one) for one in told if one[1] != one[2]]
            if not changes:
                return
            await self._store.together(*(Step(write, change) for change in changes))

    async def rename_profile(self, called: str, name: str | None) -> Renaming | None:
        """Take a profile's name away, found by just this name or by its id; None: there is none."""
        found = await self._profiles(called)
        if len(found) > 1:
            told = ", ".join(f"{who} (since {day_of(made)})" for who, made, _ in found)
            sentence = "several profiles are called that; name one by its id: {told}"
            raise Conflict("ambiguous", sentence, told=told)
        if not found:
            return None
        after = SOMEBODY if name is None else persons_name(name)
        ((who, _, body),) = found
        kept = msgspec.json.decode(body)
        words = "UPDATE profiles SET body = $3 WHERE id = $1 AND body = $2 RETURNING id"
        changed = msgspec.json.encode(kept | {"name": after})
        if not await self._store.ask(words, who, body, changed):
            raise Conflict("changed", "this profile was changed just now; try again")
        return Renaming(kept["name"], after)

    async def _profiles(self, called: str) -> list[tuple[str, float, bytes]]:
        """Find profiles by name or id; they are read page by page."""
        found: list[tuple[str, float, bytes]] = []
        words = "SELECT id, made, body FROM profiles WHERE id > $1 ORDER BY id LIMIT $2"
        last = ""
        while rows := await self._store.ask(words, last, AT_ONCE):
            for who, made, body in rows:
                if who == called:
                    return [(who, made, body)]
                if msgspec.json.decode(body)["name"] == called:
                    found.append((who, made, body))
            last = rows[-1][0]
        return found[:MOST_TOLD]


def table_here(table: Table) -> TableHere:
    """Tell of a table in short."""
    book, presence = table.book, table.presence
    people = sum(chair.token is not None and presence.is_here(seat)
                 for seat, chair in enumerate(book.chairs))  # fmt: skip
    return TableHere(book.name, book.rules.NAME, book.phase, people, presence.watchers)


def table_seen(table: Table) -> TableSeen:
    """Tell of a table and who sits there."""
    book = table.book
    return TableSeen(
        book.name,
        book.rules.NAME,
        book.phase,
        book.is_closed,
        book.public,
        book.speed,
        book.games,
        book.entries,
        table.presence.watchers,
        book.touched,
        tuple(seat_seen(table, seat) for seat in range(len(book.chairs))),
    )


def seat_seen(table: Table, seat: int) -> SeatSeen:
    """Tell who sits in a seat."""
    chair, book = table.book.chairs[seat], table.book
    is_here = table.presence.is_here(seat) or chair.bot is not None
    who = chair.name, chair.bot, chair.relief
    return SeatSeen(
        seat, *who, is_here, seat == book.host, chair.has_left, chair.profile is not None
    )


def is_person(table: Table, seat: int) -> bool:
    """Say whether somebody has a seat, and no bot."""
    chairs = table.book.chairs
    return 0 <= seat < len(chairs) and chairs[seat].name is not None and chairs[seat].bot is None


def cup_seen(name: str, cup: Cup) -> CupSeen:
    """Tell of a cup and who takes part."""
    members = tuple(
        MemberSeen(n, member.name, n == cup.host, member.has_left, member.profile is not None)
        for n, member in enumerate(cup.members)
    )
    tables = tuple(board.table for board in cup.boards if board.table is not None)
    return CupSeen(name, cup.title, cup.game, cup.phase, cup.made, members, tables)


def renamed_record(record: str, seat: int, before: str, after: str) -> str:
    """Write a record with another name for a seat, if it was played under this one."""
    first, _, rest = record.partition("\n")
    header: dict[str, Any] = msgspec.json.decode(first)
    if seat >= len(header["seats"]) or header["seats"][seat] != before:
        return record
    header["seats"][seat] = after
    return f"{msgspec.json.encode(header).decode()}\n{rest}"


def day_of(when: float) -> str:
    """Write a day."""
    return datetime.fromtimestamp(when, UTC).date().isoformat()
