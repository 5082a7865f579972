"""Tables of this device, and the same tables as another device of the same person has them.

Both are the fold of their entries. Where one goes on from the other, the longer one stays. Where
both went on apart with moves of their own, nothing is lost: what was played here becomes a table of
a new name, which its own entries give, so that it is the same one whenever it is found again.
"""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from tischlein.house.house import ALPHABET, NAME_LENGTH, OF_A_DEVICE, House, is_of_a_device
from tischlein.people.carried import mark_of
from tischlein.store import KeptRecord, Page, Step, Store
from tischlein.store.moving import Finished, played_through, tables_of

PATIENCE: Final = 20
"""So many tenths of a second a table may take to come to rest."""
MOVE: Final = b'{"kind":"moved"'
FORGET_AFTER: Final = "DELETE FROM entries WHERE name = $1 AND number > $2"
WRITE: Final = "INSERT INTO entries (name, number, entry) VALUES ($1, $2, $3)"
TURN: Final = "UPDATE tables SET entries = $2, touched = $3, live = $4 WHERE name = $1"
FORGET_RECORD: Final = "DELETE FROM records WHERE name = $1 AND game = $2"
KEEP_RECORD: Final = "INSERT INTO records (name, game, record, kept) VALUES ($1, $2, $3, $4)"


class Version(NamedTuple):
    """A table as one device has it, played through."""

    lines: list[bytes]
    games: list[Finished]
    live: bool

    def moves_after(self, number: int) -> bool:
        """Say whether somebody has moved since."""
        return any(line.startswith(MOVE) for line in self.lines[number:])


class Merged(Struct, frozen=True, omit_defaults=True):
    """What came of a table that is here and elsewhere; which of both has more."""

    came: Literal["same", "ours", "theirs", "busy"]
    apart: str | None = None
    """The new name of the table as it went on here."""
    games: tuple[int, ...] = ()
    """Its games that ended after they had parted."""


async def marks(store: Store) -> dict[str, str]:
    """Name the versions of all tables of this device."""
    found = {}
    async for table, lines in tables_of(store):
        if is_of_a_device(table.name):
            found[table.name] = mark_of([line.decode() for line in lines])
    return found


async def entries_of(store: Store, name: str) -> list[str]:
    """Give all that has happened at a table."""
    return [line.decode() for line in await store.load(name)]


def version(name: str, lines: list[bytes]) -> Version:
    """Play a table through; raises BadStore."""
    book, games = played_through(name, lines)
    return Version(lines, games, bool(lines) and book.phase == "playing" and not book.is_closed)


async def merge(house: House, name: str, entries: Sequence[str]) -> Merged:
    """Bring a table of this device together with what another one has of it; raises BadStore."""
    return await take_over(house, name, version(name, [entry.encode() for entry in entries]))


async def take_over(house: House, name: str, theirs: Version) -> Merged:
    """Bring a table together with a version of it that was played through."""
    if not await is_at_rest(house, name):
        return Merged("busy")
    ours = version(name, await house.store.load(name))
    common = shared(ours.lines, theirs.lines)
    if not theirs.lines[common:]:
        return Merged("ours" if ours.lines[common:] else "same")
    if ours.lines[common:] and not theirs.moves_after(common):
        return Merged("ours")
    now, apart = house.now(), None
    if ours.moves_after(common):
        apart = name_of(ours.lines)
        await write(house.store, apart, version(apart, ours.lines), now)
    if not ours.lines:
        await write(house.store, name, theirs, now)
    elif await house.store.together(*replacing(name, common, ours, theirs, now)) is None:
        return Merged("busy")
    told = {game.record for game in theirs.games}
    return Merged("theirs", apart, tuple(it.game for it in ours.games if it.record not in told))


async def is_at_rest(house: House, name: str) -> bool:
    """Wait until nobody is at a table, nor a bot in thought: then only the store knows it."""
    for _ in range(PATIENCE):
        house.let_go(name)
        if name not in house.tables:
            return True
        await asyncio.sleep(0.1)
    return False


def shared(ours: Sequence[bytes], theirs: Sequence[bytes]) -> int:
    """Count the entries from the first on that two versions share."""
    few = min(len(ours), len(theirs))
    return next((place for place in range(few) if ours[place] != theirs[place]), few)


def name_of(lines: Sequence[bytes]) -> str:
    """Name a table by all that has happened there."""
    number = int.from_bytes(sha256(b"\n".join(lines)).digest())
    signs = (ALPHABET[number >> 5 * place & 31] for place in range(NAME_LENGTH))
    return OF_A_DEVICE + "".join(signs)


async def write(store: Store, name: str, table: Version, now: float) -> None:
    """Write a table under a name that is new here, and the records of its games."""
    for game in table.games:
        await store.keep(KeptRecord(name, game.game, game.record, game.ended))
    if not await store.load(name):
        await store.append(Page(name, 1, table.lines, now, table.live))


def replacing(name: str, common: int, was: Version, becomes: Version, now: float) -> list[Step]:
    """Say how one version of a table takes the place of another, all at once."""
    known = {(game.game, game.record) for game in was.games}
    told = {(game.game, game.record) for game in becomes.games}
    lines = enumerate(becomes.lines[common:], start=common + 1)
    return [
        Step(FORGET_AFTER, (name, common)),
        *(Step(WRITE, (name, number, line)) for number, line in lines),
        Step(TURN, (name, len(becomes.lines), now, int(becomes.live))),
        *(Step(FORGET_RECORD, (name, number)) for number, _ in known - told),
        *(
            Step(KEEP_RECORD, (name, game.game, game.record, game.ended))
            for game in becomes.games
            if (game.game, game.record) not in known
        ),
    ]
