"""How somebody's tables stand, told from their seats, without waking a table that sleeps.

What the store keeps of a table is folded off the event loop, told, and let go at once.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, Literal
from weakref import WeakValueDictionary

from msgspec import Struct

from tischlein.game import NATURE, Refusal
from tischlein.house.house import NAME, House
from tischlein.table import entries as e
from tischlein.table.book import Book, Chair, fingerprint

MOST_SEATS: Final = 30
"""So many seats may be asked for at once."""
MOST_KEPT: Final = 4000
"""Of so many tables it is remembered how they stand."""
AT_ONCE: Final = 2
"""So many tables are read at a time."""
MOVE: Final = b'{"kind":"moved"'
AGAIN: Final = b'{"kind":"again"'


class MyTable(Struct, frozen=True):
    """One of the caller's tables, as they may know it from their seats."""

    table: str
    game: str
    phase: Literal["open", "playing", "over"]
    names: tuple[str | None, ...]
    bots: tuple[str | None, ...]
    seats: tuple[int, ...]
    """The caller's own."""
    to_move: tuple[int, ...]
    """Whom the table waits for; at a table of quick hands everybody, all the time."""
    speed: e.Speed
    due: float | None
    """At a slow table: when the caller must have moved, in seconds."""
    number: int
    """Which game of the table it is, from 1; 0 before the first."""
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended: float | None
    held: bool
    """Whether a token was sent for it; else only the caller's profile tells that it is theirs."""
    host: int
    """The seat that starts the game."""


class Stand(Struct, frozen=True):
    """How a table stands: what is told of it, and to whom."""

    table: MyTable
    """As nobody sees it: without whom it waits for, and until when."""
    waits: tuple[tuple[int, ...], ...]
    """Whom each seat may know to be awaited."""
    due: dict[int, float]
    """At a slow table: until when each seat must have moved."""
    keys: dict[str, int]
    """The seats by the fingerprints of their tokens."""
    profiles: dict[str, tuple[int, ...]]
    is_closed: bool


class Mine:
    """Tells people how their tables stand."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._kept: OrderedDict[str, tuple[int, Stand]] = OrderedDict()
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def look(
        self, held: Sequence[tuple[str, str]], more: Sequence[str], profile: str, network: str
    ) -> tuple[list[MyTable], list[int]]:
        """Tell how tables stand: those of these seats, and `more` of a profile's.

        Beside it the places of seats that are no more.
        """
        stands = await self._stands({name for name, _ in held} | set(more), network)
        seats: dict[str, list[int]] = {}
        gone = []
        for place, (name, token) in enumerate(held):
            stand = stands.get(name)
            seat = None if stand is None else stand.keys.get(fingerprint(token))
            if seat is not None:
                seats.setdefault(name, []).append(seat)
            elif stand is not None or name not in stands:
                gone.append(place)
        told = {name: stand for name, stand in stands.items() if stand is not None}
        found = [seen_from(told[name], own) for name, own in seats.items()]
        others = [told[name] for name in more if name in told and name not in seats]
        found += [
            seen_from(stand, stand.profiles[profile], held=False)
            for stand in others
            if profile in stand.profiles
        ]
        return found, gone

    async def _stands(self, names: set[str], network: str) -> dict[str, Stand | None]:
        """Find out how tables stand; those that are gone, or closed before their end, are not.

        Nothing is told of one whose game is not here now: perhaps it is the next time.
        """
        kept = await self._house.store.glance([name for name in names if NAME.fullmatch(name)])
        found: dict[str, Stand | None] = {}
        for name, glance in kept.items():
            try:
                stand = self._known(name, glance.entries) or await self._read(name, network)
            except Refusal:
                found[name] = None
                continue
            if stand is not None and not (stand.is_closed and stand.table.phase != "over"):
                found[name] = stand
        return found

    def _known(self, name: str, entries: int) -> Stand | None:
        """Give what is known of a table, if nothing has happened there since."""
        if name in self._kept and self._kept[name][0] >= entries:
            self._kept.move_to_end(name)
            return self._kept[name][1]
        table = self._house.tables.get(name)
        if table is None or table.book.entries < entries:
            return None
        return self._keep(table.book, stand_of(table.book, self._house.settings.clocks))

    async def _read(self, name: str, network: str) -> Stand | None:
        """Read a sleeping table from the store; callers of one network wait for each other."""
        queue = self._queues.setdefault(network, asyncio.Lock())
        async with queue, self._turn:
            lines = await self._house.store.load(name)
            if not lines:
                return None
            book, stand = await asyncio.to_thread(
                stand_in, name, lines, self._house.settings.clocks
            )
        return self._keep(book, stand)

    def _keep(self, book: Book, stand: Stand) -> Stand:
        self._kept[book.name] = book.entries, stand
        self._kept.move_to_end(book.name)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return stand


def seen_from(stand: Stand, seats: Sequence[int], held: bool = True) -> MyTable:
    """Tell how a table stands to whoever has these seats."""
    told, own = stand.table, tuple(sorted(set(seats)))
    waits = tuple(sorted({by for seat in own for by in stand.waits[seat]}))
    due = min((stand.due[seat] for seat in own if seat in stand.due), default=None)
    return MyTable(
        told.table,
        told.game,
        told.phase,
        told.names,
        told.bots,
        own,
        waits,
        told.speed,
        due,
        told.number,
        told.scores,
        told.winners,
        told.ended,
        held,
        told.host,
    )


def stand_in(
    name: str, lines: Sequence[bytes], clocks: Mapping[e.Speed, float]
) -> tuple[Book, Stand]:
    """Read how a table stands from what the store keeps; only the last game is played again."""
    last = max((place for place, line in enumerate(lines) if line.startswith(AGAIN)), default=0)
    book = Book(name)
    for place, line in enumerate(lines):
        if place >= last or not line.startswith(MOVE):
            book.fold(e.decoder.decode(line))
    book.entries = len(lines)
    return book, stand_of(book, clocks)


def stand_of(book: Book, clocks: Mapping[e.Speed, float]) -> Stand:
    """Tell how a table stands."""
    over, seats = book.phase == "over", range(len(book.chairs))
    table = MyTable(
        book.name,
        book.rules.NAME,
        book.phase,
        tuple(chair.name for chair in book.chairs),
        tuple(chair.bot for chair in book.chairs),
        (),
        (),
        book.speed,
        None,
        book.games,
        book.rules.scores(book.state) if over else (),
        book.rules.winners(book.state) if over else (),
        moved_last(book) if over else None,
        False,
        book.host,
    )
    waits = tuple(awaited(book, seat) for seat in seats)
    return Stand(
        table, waits, due_at(book, clocks), keys_of(book), profiles_of(book), book.is_closed
    )


def awaited(book: Book, seat: int) -> tuple[int, ...]:
    """List whom a seat may know to be awaited; a race tells nothing of itself from afar."""
    if book.phase != "playing":
        return ()
    if book.has_races:
        return tuple(range(len(book.chairs)))
    return tuple(int(by) for by in book.rules.waits_for(book.state, seat) if by != NATURE)


def due_at(book: Book, clocks: Mapping[e.Speed, float]) -> dict[int, float]:
    """Say until when each seat must have moved at a slow table: its own choice alone counts."""
    if book.phase != "playing" or book.speed not in clocks:
        return {}
    return {seat: since + clocks[book.speed] for seat, since in book.waits.since.items()}


def moved_last(book: Book) -> float:
    """Say when the last move was made that everybody knows of."""
    shown = book.moves[: len(book.moves) - book.rules.in_secret(book.state)]
    return book.begun + (shown[-1].t / 1000 if shown else 0.0)


def keys_of(book: Book) -> dict[str, int]:
    """List the fingerprints of all tokens with their seats."""
    chairs = [(seat, chair) for seat, chair in enumerate(book.chairs) if chair.token is not None]
    return {token: seat for seat, chair in chairs for token in tokens_of(chair)}


def tokens_of(chair: Chair) -> list[str]:
    """List the fingerprints of all tokens that hold a chair."""
    return [token for token in (chair.token, *chair.keys) if token is not None]


def profiles_of(book: Book) -> dict[str, tuple[int, ...]]:
    """List the seats of people with a profile, of those who are still there."""
    found: dict[str, tuple[int, ...]] = {}
    for seat, chair in enumerate(book.chairs):
        if chair.profile is not None and chair.token is not None:
            found[chair.profile] = (*found.get(chair.profile, ()), seat)
    return found
