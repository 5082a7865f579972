"""Finding somebody, over HTTP: tables that wait for anybody, and others who look for a game."""

from collections.abc import Awaitable, Callable
from heapq import nlargest
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tischlein.games import game_named
from tischlein.house.house import House
from tischlein.house.limits import PerAddress
from tischlein.house.offers import Offer
from tischlein.people import People
from tischlein.server import wire
from tischlein.server.answers import Problem, answer
from tischlein.server.requests import caller, guest_of, read
from tischlein.table.entries import SLOW
from tischlein.table.table import Table

MOST_LISTED: Final = 50
"""So many tables are listed,"""
MOST_SLOW: Final = 20
"""and so many of those at which nobody need be: they may stand there for days."""


class FindApi:
    """Lists open tables, and brings strangers together."""

    def __init__(
        self,
        house: House,
        people: People,
        seat: Callable[[Request], Awaitable[tuple[Table, int]]],
    ) -> None:
        self._house, self._people, self._seat = house, people, seat
        settings = house.settings
        self._seeks = PerAddress(settings.seeks_per_minute / 60, settings.seeks_at_once)

    async def listed(self, request: Request) -> Response:
        """List the tables that wait for anybody."""
        found = worth_listing(await self._house.offers.all())
        return answer(wire.OpenTables(tuple(map(wire.told_offer, found))))

    async def seek(self, request: Request) -> Response:
        """Sit down with others who look for the same game."""
        network = caller(request)
        if not self._seeks.take(network, self._house.now()):
            raise Problem(429, "too_many_tables", "too many look for somebody from here; wait")
        wanted = await read(request, wire.Seek, self._house.settings)
        game_named(wanted.game)
        profile = await guest_of(request, self._people)
        seek = self._people.seeks.seek
        found = await seek(wanted.game, wanted.name, wanted.lang, profile, network)
        return answer(wire.Held(found.seat, found.token, found.table.book.name), 201)

    async def look(self, request: Request) -> Response:
        """Bring somebody who waits to a table that is nearer to its start, if there is one."""
        table, seat = await self._seat(request)
        found = await self._people.seeks.look(table, seat, caller(request))
        if found is None:
            return answer(wire.Looked(None))
        return answer(wire.Looked(wire.Held(found.seat, found.token, found.table.book.name)))


def worth_listing(offers: list[Offer]) -> list[Offer]:
    """Choose the newest; of those who look for a game one table tells enough, the fullest."""
    looking: dict[str, Offer] = {}
    for offer in offers:
        if offer.seek:
            other = looking.get(offer.game)
            looking[offer.game] = offer if other is None else min(offer, other, key=rank)
    hosted = [offer for offer in offers if not offer.seek]
    live = [offer for offer in hosted if offer.speed not in SLOW]
    slow = [offer for offer in hosted if offer.speed in SLOW]
    newest = nlargest(MOST_LISTED, [*live, *looking.values()], key=since)
    return [*newest, *nlargest(MOST_SLOW, slow, key=since)]


def since(offer: Offer) -> float:
    """Say since when a table waits."""
    return offer.since


def rank(offer: Offer) -> tuple[int, float, str]:
    """Give the order of tables by how soon they start."""
    return -offer.taken, offer.since, offer.table
