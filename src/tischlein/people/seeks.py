"""Play with somebody: brings those together who look for the same game, quickly, then by rating.

Who looks sits down at a table of strangers that waits, rather at the fullest, or at a new one.
Where servers set several at the same moment, those who wait go on to the fuller or older of them.
"""

import asyncio
import random
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from statistics import fmean
from typing import Final, NamedTuple

from tischlein.games import game_named
from tischlein.house.house import House
from tischlein.house.limits import MOST_ADDRESSES
from tischlein.house.offers import Offer, offer_of
from tischlein.names import LONGEST_NAME
from tischlein.people.profiles import Profiles
from tischlein.table.needs import Conflict, Stranger
from tischlein.table.seating import persons_name
from tischlein.table.table import Table

USUAL: Final = 4
"""So many strangers are brought together, where the game takes as many."""
TRIES: Final = 6
"""So many tables are tried that others fill meanwhile; then a new one is set."""
NUMBERED: Final = re.compile(r"(?<=\S) [2-9]$")
"""What tells somebody from a namesake."""
COMPARED: Final = 8
"""Among so many tables that are as good the one with the most like people is chosen."""
FAR: Final = 1e9

Worth = Callable[[str, str], Awaitable[float | None]]
"""Gives what a profile's play of a game is worth, if that is known."""


class Seat(NamedTuple):
    """A seat that somebody has got."""

    table: Table
    seat: int
    token: str


class Held(NamedTuple):
    """A seat that an address holds, by the fingerprint of its token."""

    table: str
    seat: int
    token: str | None


async def nobody_knows(profile: str, game: str) -> float | None:
    """Say that nothing is known."""
    return None


class Seeks:
    """Finds a table for whoever wants to play with somebody."""

    def __init__(self, house: House, profiles: Profiles) -> None:
        self.worth: Worth = nobody_knows
        self._house, self._profiles = house, profiles
        self._choosing: dict[str, asyncio.Lock] = {}
        self._coming: Counter[str] = Counter()
        """How many are about to sit down at a table."""
        self._held: OrderedDict[str, list[Held]] = OrderedDict()

    async def seek(
        self, game: str, name: str, lang: str | None, profile: str | None, network: str
    ) -> Seat:
        """Give somebody a seat among others who look for the same game."""
        name = persons_name(name)
        tried: set[str] = set()
        while True:
            async with self._turn(game):
                table = await self._best(game, profile, network, tried)
                table = table or await self._set(game, lang)
                self._coming[table.book.name] += 1
            try:
                return Seat(table, *await self._sit_so(table, name, profile, network))
            except Conflict as no:
                if no.code == "too_many_seats":
                    raise
                tried.add(table.book.name)
            finally:
                self._has_come(table)

    async def sit(
        self, table: Table, name: str, profile: str | None, network: str
    ) -> tuple[int, str]:
        """Let somebody sit down at a table of strangers, unless they hold too many seats."""
        self._check_room(network)
        if profile is not None:
            await self._profiles.sits(profile, table.book.name)
        seat, token = await table.seating.join(name, profile)
        held = Held(table.book.name, seat, table.book.chairs[seat].token)
        self._held.setdefault(network, []).append(held)
        self._held.move_to_end(network)
        if len(self._held) > MOST_ADDRESSES:
            self._held.popitem(last=False)
        return seat, token

    async def look(self, table: Table, seat: int, network: str) -> Seat | None:
        """Bring somebody who waits to a table that is nearer to its start; None: stay."""
        chair = table.book.chairs[seat]
        if not table.seeking.is_waiting or chair.name is None or chair.takes_bots:
            return None
        game, held = table.book.rules.NAME, chair.token or ""
        async with self._turn(game):
            better = await self._better_than(table, game)
            if better is None:
                return None
            self._coming[better.book.name] += 1
        try:
            who = NUMBERED.sub("", chair.name), chair.profile, network
            found = Seat(better, *await self._sit_so(better, *who))
        except Conflict:
            return None
        finally:
            self._has_come(better)
        try:
            await table.seating.leave(seat, held)
        except (Conflict, Stranger):  # it begins: the other table does not, without who moves
            await better.seating.leave(found.seat)
            return None
        return found

    async def _sit_so(
        self, table: Table, name: str, profile: str | None, network: str
    ) -> tuple[int, str]:
        """Let somebody sit down; who is called like another one there gets a number."""
        for number in range(2, len(table.book.chairs) + 1):
            try:
                return await self.sit(table, name, profile, network)
            except Conflict as no:
                if no.code != "name_taken":
                    raise
                name = f"{NUMBERED.sub('', name)[: LONGEST_NAME - 2].strip()} {number}"
        return await self.sit(table, name, profile, network)

    def _turn(self, game: str) -> asyncio.Lock:
        """Let one after the other choose, so that no two set a table where one would do."""
        return self._choosing.setdefault(game, asyncio.Lock())

    def _has_come(self, table: Table) -> None:
        self._coming[table.book.name] -= 1
        if not self._coming[table.book.name]:
            del self._coming[table.book.name]

    async def _set(self, game: str, lang: str | None) -> Table:
        fewest, *_, most = game_named(game).SEATS
        seats = min(max(USUAL, fewest), most)
        return await self._house.open(game, seats, {}, "normal", public=True, seek=True, lang=lang)

    async def _best(
        self, game: str, profile: str | None, network: str, tried: set[str]
    ) -> Table | None:
        """Find where to sit down: at home's table, at the fullest, among the like, by chance."""
        if len(tried) >= TRIES:
            return None
        fitting = [offer for offer in await self._fitting(game) if offer.table not in tried]
        random.shuffle(fitting)
        home = self._house.mark(network)
        ranks = {one.table: (home not in one.networks, -self._taken(one)) for one in fitting}
        fitting.sort(key=lambda one: ranks[one.table])
        best = [one for one in fitting if ranks[one.table] == ranks[fitting[0].table]][:COMPARED]
        worth = None if profile is None else await self.worth(profile, game)
        if worth is not None and len(best) > 1:
            far = {one.table: await self._distance(worth, one) for one in best}
            best.sort(key=lambda one: far[one.table])
        return await self._first([offer.table for offer in [*best, *fitting]])

    async def _first(self, names: list[str]) -> Table | None:
        """Give the first of these tables that waits."""
        for name in names:
            table = self._house.tables.get(name) or await self._house.find(name)
            if table is not None and table.seeking.is_waiting:
                return table
        return None

    async def _fitting(self, game: str) -> list[Offer]:
        """List the tables of strangers with room, also those whose first is about to sit down."""
        offers = {offer.table: offer for offer in await self._house.offers.all()}
        for name in self._coming:
            table = self._house.tables.get(name)
            found = None if table is None else offer_of(table, 0.0, empty=True)
            if found is not None:
                offers.setdefault(name, found)
        wanted = (one for one in offers.values() if one.seek and one.game == game)
        return [offer for offer in wanted if self._taken(offer) < offer.seats]

    def _taken(self, offer: Offer) -> int:
        """Count the seats that are taken, or about to be, as far as this server knows."""
        table = self._house.tables.get(offer.table)
        chairs = [] if table is None else table.book.chairs
        taken = sum(not chair.free for chair in chairs) if chairs else offer.taken
        return taken + self._coming[offer.table]

    async def _distance(self, worth: float | None, offer: Offer) -> float:
        """Say how far somebody's worth is from that of those who wait; far where it is unknown."""
        if worth is None:
            return 0.0
        found = [await self.worth(profile, offer.game) for profile in offer.profiles]
        known = [one for one in found if one is not None]
        return abs(fmean(known) - worth) if known else FAR

    async def _better_than(self, table: Table, game: str) -> Table | None:
        """Find a table that is as full with who moves there, or older: nobody changes places."""
        book = table.book
        taken = sum(not chair.free for chair in book.chairs)
        mine = (-taken, book.waits_since, book.name)
        found = [
            (-self._taken(offer), offer.since, offer.table)
            for offer in await self._fitting(game)
            if offer.table != book.name
        ]
        return await self._first([one[-1] for one in sorted(found) if one < mine])

    def _check_room(self, network: str) -> None:
        """Refuse one seat too many: nobody fills the tables of all who wait."""
        held = [one for one in self._held.get(network, ()) if self._waits(one)]
        if network in self._held:
            self._held[network] = held
        if len(held) >= self._house.settings.waiting_per_address:
            sentence = "too many seats are held from here; wait until some games have begun"
            raise Conflict("too_many_seats", sentence)

    def _waits(self, held: Held) -> bool:
        table = self._house.tables.get(held.table)
        if table is None or table.book.phase != "open":
            return False
        return table.book.chairs[held.seat].token == held.token
