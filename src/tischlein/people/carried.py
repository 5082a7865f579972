"""Tables of a device that somebody carries along: the server keeps a copy, and their results.

A device plays without a server; when it comes back, the tables of whoever is signed in there are
laid down here, so that their other devices can go on. A table is changed only from the version that
its device has seen: two devices never write over each other.
"""

import asyncio
import zlib
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from tischlein.chance import SEED, is_word
from tischlein.game import Refusal
from tischlein.names import is_printable, texts_in
from tischlein.people.history import header_of
from tischlein.store import Asks, KeptRecord, Step
from tischlein.store.moving import BadStore, Finished, check_record, played_through
from tischlein.table import entries as e

MOST_TABLES: Final = 200
"""So many tables of one person are kept; those untouched for longest give way."""
MOST_BYTES: Final = 4_000_000
"""So many bytes they take together, as they are packed."""
MOST_RESULTS: Final = 2_000
"""So many finished games of devices one person has; the oldest give way."""
AHEAD: Final = 86_400.0
"""So many seconds a device's clock may go ahead."""
LONGEST_NAME: Final = 60
MARK: Final = 32

MARKS: Final = "SELECT name, mark, goes_on FROM carried WHERE profile = $1 ORDER BY name"
FIND: Final = "SELECT body FROM carried WHERE profile = $1 AND name = $2"
OTHERS: Final = """
    SELECT 1 FROM carried WHERE name = $1 AND profile <> $2
    UNION SELECT 1 FROM played WHERE name = $1 AND profile <> $2 LIMIT 1
"""
HOLD: Final = "UPDATE profiles SET seen = seen WHERE id = $1 RETURNING id"
FIRST: Final = """
    INSERT INTO carried (profile, name, mark, at, goes_on, body) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (profile, name) DO NOTHING RETURNING name
"""
NEXT: Final = """
    UPDATE carried SET mark = $3, at = $4, goes_on = $5, body = $6
    WHERE profile = $1 AND name = $2 AND mark = $7 RETURNING name
"""
RECORD: Final = """
    INSERT INTO records (name, game, record, kept) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name, game) DO NOTHING
"""
PLAYED: Final = """
    INSERT INTO played (name, game, seat, profile, ended)
    SELECT name, game, CAST($4 AS INTEGER), CAST($5 AS TEXT), CAST($6 AS DOUBLE PRECISION)
    FROM records WHERE name = $1 AND game = $2 AND record = $3 AND NOT EXISTS (
        SELECT 1 FROM played AS other
        WHERE other.profile = $5 AND other.ended = $6 AND other.name LIKE '0%')
    ON CONFLICT (name, game, seat) DO NOTHING
"""
"""A game that two tables tell, because one is the other's copy, is counted once: nobody ends two at
the same moment, and to look into all records would let one person's uploads hold up the store."""
TOO_MANY: Final = """
    SELECT name, game FROM played WHERE profile = $1 AND name LIKE '0%'
    ORDER BY ended DESC, name, game LIMIT 1000 OFFSET $2
"""
SIZES: Final = """
    SELECT name, length(body) FROM carried WHERE profile = $1 ORDER BY at DESC, name
"""


class Carried(Struct, frozen=True):
    """A table that is carried along: its entries, and the seats that its device holds."""

    entries: tuple[str, ...]
    seats: tuple[tuple[int, str], ...] = ()
    """The seats with their tokens, which open them on this person's devices alone."""


class Known(NamedTuple):
    """Which version of a table is kept here, and whether its game still goes on."""

    mark: str
    goes_on: bool


class Checked(NamedTuple):
    """What a table tells, played through: its finished games, and whether one goes on."""

    finished: list[Finished]
    goes_on: bool


_read: Final = msgspec.json.Decoder(Carried)


def mark_of(entries: Sequence[str]) -> str:
    """Name a version of a table by all that has happened there."""
    return sha256("\n".join(entries).encode()).hexdigest()[:MARK]


def check_chance(name: str, entry: e.AnyEntry) -> None:
    """See that seeds and words are some: each die is drawn from all of them."""
    match entry:
        case e.Opened(seed=seed) | e.Again(seed=seed):
            is_good = bool(SEED.fullmatch(seed))
        case e.Salted(text=word) | e.Unsealed(word=word):
            is_good = is_word(word)
        case _:
            return
    if not is_good:
        raise BadStore(name, "nobody draws dice from this")


def checked(name: str, entries: Sequence[str], seats: Sequence[int] = ()) -> Checked:
    """Play a table through; raises Refusal if it cannot have been played so.

    `seats`: those that its device holds.
    """
    try:
        lines = [entry.encode() for entry in entries]
        if not lines:
            raise BadStore(name, "a table begins with its opening")
        for line in lines:
            check_chance(name, e.decoder.decode(line))
        book, finished = played_through(name, lines)
        for game, record, ended in finished:
            check_record(KeptRecord(name, game, record, ended))
    except (msgspec.MsgspecError, RecursionError, BadStore) as problem:
        raise Refusal("bad_table", "{problem}", problem=str(problem)) from None
    if not all(seat < len(book.chairs) for seat in seats):
        raise Refusal("bad_table", "there is no such seat")
    for _, record, _ in finished:
        header = header_of(record)
        if not all(is_printable(one) and len(one) <= LONGEST_NAME for one in header.seats):
            raise Refusal("bad_table", "names are short, in signs that all can see")
        if not all(map(is_printable, texts_in(header.options))):
            raise Refusal("bad_table", "house rules are written with signs that all can see")
    return Checked(finished, book.phase != "over" and not book.is_closed)


class Carrying:
    """Keeps the tables that people carry from device to device."""

    def __init__(self, store: Asks, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    async def known(self, profile: str) -> dict[str, Known]:
        """Say which versions of somebody's tables are kept."""
        rows = await self._store.ask(MARKS, profile)
        return {name: Known(mark, bool(goes_on)) for name, mark, goes_on in rows}

    async def find(self, profile: str, name: str) -> Carried | None:
        """Give a table of somebody's."""
        rows = await self._store.ask(FIND, profile, name)
        return _read.decode(zlib.decompress(rows[0][0])) if rows else None

    async def keep(
        self, profile: str, name: str, was: str, table: Carried, told: Checked
    ) -> str | None:
        """Keep a table and its results, if it still is as its device has seen it; give its mark.

        `was`: the mark that the device knows, empty for none. None: somebody else was quicker.
        """
        mark, now = mark_of(table.entries), self._now()
        if await self._store.ask(OTHERS, name, profile):
            raise Refusal("not_yours", "this table is somebody else's")
        body = await asyncio.to_thread(zlib.compress, msgspec.json.encode(table))
        values: tuple[Any, ...] = (profile, name, mark, now, int(told.goes_on), body)
        kept = Step(NEXT, (*values, was), 1) if was else Step(FIRST, values, 1)
        results = [
            step
            for game in told.finished
            for step in result_of(profile, name, min(table.seats, default=(0, ""))[0], game, now)
        ]
        done = await self._store.together(Step(HOLD, (profile,), 1), kept, *results)
        if done is None:
            found = (await self.known(profile)).get(name)
            return mark if found is not None and found.mark == mark else None
        await self._make_room(profile)
        return mark

    async def _make_room(self, profile: str) -> None:
        """Let go of what was untouched for longest where there is too much; its results stay."""
        size = 0
        for place, (name, length) in enumerate(await self._store.ask(SIZES, profile)):
            size += length
            if place >= MOST_TABLES or size > MOST_BYTES:
                words = "DELETE FROM carried WHERE profile = $1 AND name = $2"
                await self._store.ask(words, profile, name)
        for name, game in await self._store.ask(TOO_MANY, profile, MOST_RESULTS):
            await self._store.together(
                Step("DELETE FROM played WHERE name = $1 AND game = $2", (name, game)),
                Step("DELETE FROM insights WHERE name = $1 AND game = $2", (name, game)),
                Step("DELETE FROM records WHERE name = $1 AND game = $2", (name, game)),
            )


def result_of(profile: str, name: str, seat: int, game: Finished, now: float) -> list[Step]:
    """Say how a finished game is kept; a device's clock may go ahead, but not for ever."""
    ended = game.ended if game.ended < now + AHEAD else now
    return [
        Step(RECORD, (name, game.game, game.record, now)),
        Step(PLAYED, (name, game.game, game.record, seat, profile, ended)),
    ]
