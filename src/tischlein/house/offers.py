"""Tables that wait for anybody: what this server offers, and what the others do.

Where servers share a store each shows its offers there, and they are gone with it. A slow table
waits for people also while nobody looks: its offer is nobody's, and stays.
"""

import asyncio
import logging
from collections.abc import Coroutine
from functools import lru_cache
from math import inf
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from tischlein.game import AnyGame
from tischlein.games import game_named
from tischlein.house.settings import Settings
from tischlein.names import texts_in
from tischlein.store import Step, Store, StoreDown
from tischlein.table.entries import Speed
from tischlein.table.needs import Servers
from tischlein.table.table import Table

log = logging.getLogger("tischlein.offers")

FRESH: Final = 0.2
"""For so many seconds the others' offers are not read again, however many ask."""
MOST_READ: Final = 2000
"""So many offers are read,"""
MOST_SLOW_READ: Final = 200
"""and so many of those at which nobody need be: thousands may stand there for days."""
MOST_AT_ONCE: Final = 100
"""So many are written in one go."""
TOGETHER: Final = 0.02
"""What changes within this time is written at once, in seconds."""
NOBODY: Final = ""

SHOW: Final = """
    INSERT INTO offers (name, server, body, since) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name) DO UPDATE
    SET server = excluded.server, body = excluded.body, since = excluded.since
"""
HIDE: Final = "DELETE FROM offers WHERE name = $1 AND server = $2"
MINE: Final = "SELECT name FROM offers WHERE server = $1"
READ: Final = """
    SELECT body FROM offers
    WHERE server > '' AND server IN (SELECT id FROM servers WHERE expires > {now})
    ORDER BY since DESC LIMIT $1
"""
READ_SLOW: Final = "SELECT body FROM offers WHERE server = '' ORDER BY since DESC LIMIT $1"


class Player(Struct, frozen=True):
    """Somebody who sits at a table: a person with a name, or a bot with its level."""

    seat: int
    name: str | None
    bot: str | None


class Offer(Struct, frozen=True):
    """A table that waits for people; what stands last is for servers alone."""

    table: str
    game: str
    seats: int
    players: tuple[Player, ...]
    speed: Speed
    options: dict[str, Any]
    hints: bool
    lang: str | None
    since: float
    seek: bool
    profiles: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()
    """Fingerprints of where those come from who look for others: a household plays together."""

    @property
    def taken(self) -> int:
        """Count the seats that are taken."""
        return len(self.players)

    @property
    def free(self) -> int:
        """Count the seats that are free."""
        return self.seats - len(self.players)


_read: Final = msgspec.json.Decoder(Offer)
_write: Final = msgspec.json.Encoder()


class Home(Protocol):
    """What is needed of this server's own house."""

    store: Store
    settings: Settings
    tables: dict[str, Table]

    @property
    def servers(self) -> Servers:
        """Give what is known of all servers."""

    def now(self) -> float:
        """Give the time in seconds."""

    def spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Start work that goes on whatever becomes of the caller."""


class Offers:
    """Hears what changes at tables, and tells which of them wait for anybody."""

    def __init__(self, house: Home) -> None:
        self._house = house
        self._mine: dict[str, Offer] = {}
        self._told: dict[str, str] = {}
        """Whose offers this server has written: its own, or nobody's."""
        self._unwritten: set[str] = set()
        self._theirs: list[Offer] = []
        self._reading: asyncio.Task[None] | None = None
        self._read_at = -inf

    def changed(self, table: Table) -> None:
        """Hear that something has changed at a table."""
        book = table.book
        if not book.public and book.name not in self._mine:
            return
        offer = self._offer_of(table) if book.is_slow or is_ours(table) else None
        if offer == self._mine.get(book.name) and (not book.is_slow or book.name in self._told):
            return
        if offer is None:
            self._mine.pop(book.name, None)
        else:
            self._mine[book.name] = offer
        if book.is_slow or self._house.servers.holder is not None:
            self._told[book.name] = NOBODY if book.is_slow else self._id
            self._write_soon(book.name)

    def forget(self, table: Table) -> None:
        """Hear that a table leaves memory; a slow one is still offered."""
        name = table.book.name
        had = self._mine.pop(name, None)
        if self._told.get(name) == NOBODY:
            del self._told[name]
        elif had is not None and name in self._told:
            self._write_soon(name)

    async def all(self) -> list[Offer]:
        """Give all tables that wait for anybody, at all servers."""
        await self._look()
        theirs = (offer for offer in self._theirs if offer.table not in self._mine)
        return [*self._mine.values(), *filter(self._is_still_open, theirs)]

    async def keep(self) -> None:
        """Now and then: look for who went unheard, and for what was lost on the way."""
        while True:
            await asyncio.sleep(self._house.settings.offers_every)
            try:
                for table in [self._house.tables.get(name) for name in self._mine]:
                    if table is not None:
                        self.changed(table)
                await self._mend()
            except StoreDown as problem:
                log.warning("store away: %s", problem)
            except Exception:  # next time, then
                log.exception("offers")

    def _is_still_open(self, offer: Offer) -> bool:
        """Say whether what was read a moment ago still holds, as far as this server knows."""
        table = self._house.tables.get(offer.table)
        return table is None or is_open(table)

    @property
    def _id(self) -> str:
        return self._house.servers.holder or NOBODY

    def _offer_of(self, table: Table) -> Offer | None:
        return offer_of(table, self._house.settings.seek_gone_after)

    async def _look(self) -> None:
        """Read what the others offer, once for all who ask at the same time."""
        if self._reading is None or self._reading.done():
            if self._house.now() - self._read_at < FRESH:
                return
            self._reading = self._house.spawn(self._read())
        await asyncio.shield(self._reading)

    async def _read(self) -> None:
        ask = self._house.store.ask
        rows = [*await ask(READ, MOST_READ), *await ask(READ_SLOW, MOST_SLOW_READ)]
        self._theirs = [_read.decode(row[0]) for row in rows]
        self._read_at = self._house.now()

    def _write_soon(self, name: str) -> None:
        if not self._unwritten:
            self._house.spawn(self._write())
        self._unwritten.add(name)

    async def _write(self) -> None:
        """Show the others what has changed."""
        await asyncio.sleep(TOGETHER)
        names = sorted(self._unwritten)
        self._unwritten.clear()
        try:
            for first in range(0, len(names), MOST_AT_ONCE):
                steps = map(self._step, names[first : first + MOST_AT_ONCE])
                await self._house.store.together(*steps)
        except StoreDown as problem:  # the next look finds it
            log.warning("store away: %s", problem)

    def _step(self, name: str) -> Step:
        offer, server = self._mine.get(name), self._told.get(name, self._id)
        if offer is not None:
            return Step(SHOW, (name, server, _write.encode(offer), offer.since))
        if server != NOBODY:
            self._told.pop(name, None)
        return Step(HIDE, (name, server))

    async def _mend(self) -> None:
        """Write what another server has written over, and hide what nobody offers any more."""
        if self._id == NOBODY or not self._told:
            return
        rows = {str(row[0]) for row in await self._house.store.ask(MINE, self._id)}
        mine = {name for name in self._mine if self._told.get(name) == self._id}
        for name in rows ^ mine:
            self._write_soon(name)


def offer_of(table: Table, patience: float, empty: bool = False) -> Offer | None:
    """Tell what a table offers; None if it waits for nobody, or nobody is there to play with.

    With `empty` somebody is about to be there.
    """
    book = table.book
    if not is_open(table):
        return None
    if not empty and not book.is_slow and not is_attended(table, patience):
        return None
    chairs = [(seat, chair) for seat, chair in enumerate(book.chairs) if not chair.free]
    return Offer(
        book.name,
        book.rules.NAME,
        len(book.chairs),
        tuple(Player(seat, None if chair.bot else chair.name, chair.bot) for seat, chair in chairs),
        book.speed,
        shown_options(book.rules, book.options),
        book.hints,
        book.lang,
        book.waits_since,
        book.seek,
        tuple(sorted(chair.profile for _, chair in chairs if chair.profile is not None)),
        tuple(sorted(table.presence.networks)) if book.seek else (),
    )


def is_open(table: Table) -> bool:
    """Say whether anybody may sit down at a table."""
    book = table.book
    if not book.public or book.phase != "open" or book.is_closed or book.words.is_opening:
        return False
    return any(chair.free for chair in book.chairs)


def is_attended(table: Table, patience: float) -> bool:
    """Say whether a person of a table is there, or was a moment ago."""
    for seat, chair in enumerate(table.book.chairs):
        away = table.presence.away_for(seat)
        if chair.token is not None and (away is None or away < patience):
            return True
    return False


def is_ours(table: Table) -> bool:
    """Say whether a table is for this server to offer: the first who is there, is here."""
    chairs, presence = enumerate(table.book.chairs), table.presence
    there = (seat for seat, chair in chairs if chair.token is not None and presence.is_here(seat))
    first = next(there, None)
    return first is None or presence.is_at_this_server(first)


@lru_cache
def known_options(game: str) -> dict[str, Any]:
    """Describe the house rules of a game."""
    kind = game_named(game).Options
    found: dict[str, Any] = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    return found


def shown_options(rules: AnyGame, options: dict[str, Any]) -> dict[str, Any]:
    """Give the house rules that differ from the usual; of texts only those that the game names."""
    known = known_options(rules.NAME) if options else {}

    def is_shown(name: str, value: Any) -> bool:
        usual = known.get(name, {})
        is_plain = not any(texts_in(value)) or value in usual.get("enum", ())
        return name in known and is_plain and value != usual.get("default")

    return {name: value for name, value in options.items() if is_shown(name, value)}
