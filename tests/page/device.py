"""A device that plays without a server: its house, and what its browser keeps."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import msgspec
from msgspec.structs import replace

from tests.waiting import until
from tischlein.house.house import House
from tischlein.page.core import PATIENT, house_in
from tischlein.page.keeping import PIECE, PageStore
from tischlein.table.table import Table

AT_ONCE = replace(PATIENT, bot_pause=0.0)


class Browser:
    """Keeps the pieces of a database, all or none, as long as there is room."""

    def __init__(self) -> None:
        self.pieces: dict[int, bytes] = {}
        self.writes: list[int] = []
        self.is_full = False

    async def keep(self, changes: Mapping[int, bytes], count: int) -> None:
        """Keep what has changed."""
        if self.is_full:
            raise OSError("QuotaExceededError")
        kept = self.pieces | dict(changes)
        self.pieces = {number: piece for number, piece in kept.items() if number < count}
        self.writes.append(len(changes))

    def all(self) -> bytes:
        """Give all that is kept."""
        return b"".join(self.pieces[number] for number in sorted(self.pieces))

    def store(self) -> PageStore:
        """Begin with what is kept."""
        assert len(self.all()) == PIECE * len(self.pieces)
        return PageStore(self.keep, self.all())


class Device:
    """A house of a device, and who plays at its tables."""

    def __init__(self, house: House) -> None:
        self.house, self.store = house, house.store
        self.tokens: dict[str, list[str]] = {}

    async def open(self, game: str = "sushizock", seats: int = 2) -> str:
        """Set a table for people who pass the device round, and begin."""
        table = await self.house.open(game, seats, {})
        name = table.book.name
        held = [await table.seating.join(f"p{seat}") for seat in range(seats)]
        self.tokens[name] = [token for _, token in held]
        await table.seating.start(0)
        return name

    async def play(self, name: str, moves: int = 10_000, which: int = 0) -> Table:
        """Make some moves, or all there are; `which` of the legal ones."""
        table = await self.table(name)
        tokens, book = self.tokens[name], table.book
        for _ in range(moves):
            await until(lambda: book.is_over or bool(book.movers()))
            if book.is_over:
                break
            seat = book.movers()[0]
            legal = book.rules.legal(book.state, seat)
            raw = msgspec.Raw(msgspec.json.encode(legal[which % len(legal)]))
            await table.play(seat, tokens[seat], raw, None, 0.0)
        return table

    async def table(self, name: str) -> Table:
        """Find a table that is there."""
        found = await self.house.find(name)
        assert found is not None
        return found

    async def entries(self, name: str) -> list[str]:
        """Give all that has happened at a table."""
        return [line.decode() for line in await self.store.load(name)]


@asynccontextmanager
async def device(browser: Browser | None = None) -> AsyncIterator[Device]:
    """Open the house of a device."""
    house = house_in((browser or Browser()).store(), AT_ONCE)
    await house.wake()
    try:
        yield Device(house)
    finally:
        await house.close()
