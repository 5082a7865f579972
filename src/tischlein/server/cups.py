"""Tournaments over HTTP."""

from collections import OrderedDict
from collections.abc import Awaitable, Hashable
from hashlib import sha256
from typing import Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tischlein.house.house import House
from tischlein.house.limits import PerAddress
from tischlein.people import People
from tischlein.people.cups import NoCup, Seen
from tischlein.people.schedule import MOST
from tischlein.server import cup_wire, wire
from tischlein.server.answers import Problem, answer
from tischlein.server.requests import caller, guest_of, read
from tischlein.table.seating import persons_name

T = TypeVar("T")
MOST_MADE: Final = 256
"""Of so many cups it is kept what is told of them."""


class CupsApi:
    """Answers what is asked of cups."""

    def __init__(self, house: House, people: People) -> None:
        self._house, self._people, self._cups = house, people, people.cups
        self._made: OrderedDict[Hashable, bytes] = OrderedDict()
        settings = house.settings
        self._makes = PerAddress(settings.cups_per_minute / 60, settings.cups_at_once)
        self._joins = PerAddress(settings.tables_per_minute / 60, settings.tables_at_once)

    async def make(self, request: Request) -> Response:
        """Open a cup; the caller is its host."""
        self._limit(self._makes, request)
        wanted = await read(request, cup_wire.OpenCup, self._house.settings)
        profile = await guest_of(request, self._people)
        what = (wanted.name, wanted.game, wanted.seats, wanted.options, wanted.mode)
        cup, token = await self._cups.make(*what, wanted.nickname, profile)
        return answer(cup_wire.CupHeld(cup, 0, persons_name(wanted.nickname), token), 201)

    async def join(self, request: Request) -> Response:
        """Take part in a cup that has not begun."""
        self._limit(self._joins, request)
        wanted = await read(request, cup_wire.JoinCup, self._house.settings)
        profile, cup = await guest_of(request, self._people), cup_of(request)
        member, token = await known(self._cups.join(cup, wanted.nickname, profile))
        return answer(cup_wire.CupHeld(cup, member, persons_name(wanted.nickname), token), 201)

    async def show(self, request: Request) -> Response:
        """Tell what everybody may know; who knows it already is told so in a few bytes."""
        found = await self._told(cup_of(request))
        tag = f'"{sha256(found).hexdigest()[:24]}"'
        headers = {"etag": tag, "cache-control": "private, no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(found, media_type="application/json", headers=headers)

    async def start(self, request: Request) -> Response:
        """Begin: the first round is set."""
        cup = cup_of(request)
        await known(self._cups.start(cup, token_of(request)))
        return answer(await self._info(cup))

    async def next(self, request: Request) -> Response:
        """Go on to the next round when this one is over; looking at the cup does so, too."""
        cup = cup_of(request)
        await known(self._cups.go_on(cup, token_of(request)))
        return answer(await self._info(cup))

    async def seat(self, request: Request) -> Response:
        """Give a member the token of their seat in this round."""
        self._limit(self._joins, request)
        table, seat, token = await known(self._cups.seat(cup_of(request), token_of(request)))
        return answer(wire.Held(seat, token, table))

    async def me(self, request: Request) -> Response:
        """Tell a member their number, and what they are called."""
        token = token_of(request)
        found, _ = await known(self._cups.load(cup_of(request)))
        member = found.member(token)
        return answer(cup_wire.CupSelf(member, found.members[member].name))

    async def begin(self, request: Request) -> Response:
        """Start a table at which not all are."""
        cup, wanted = cup_of(request), await self._named(request)
        await known(self._cups.begin_table(cup, token_of(request), wanted))
        return answer(await self._info(cup))

    async def skip(self, request: Request) -> Response:
        """Leave out a table at which nobody is."""
        cup, wanted = cup_of(request), await self._named(request)
        await known(self._cups.skip_table(cup, token_of(request), wanted))
        return answer(await self._info(cup))

    async def leave(self, request: Request) -> Response:
        """Leave a cup."""
        cup = cup_of(request)
        await known(self._cups.leave(cup, token_of(request)))
        return answer(await self._info(cup))

    async def _named(self, request: Request) -> str:
        return (await read(request, cup_wire.NameTable, self._house.settings)).table

    async def _told(self, cup: str) -> bytes:
        """Write what everybody may know, once for all who look: standings take a moment."""
        seen = await known(self._cups.tend(cup))
        key = cup, seen.version, tuple(sorted(seen.phases.items()))
        if key not in self._made:
            self._made[key] = msgspec.json.encode(await self._tell(cup, seen))
            if len(self._made) > MOST_MADE:
                self._made.popitem(last=False)
        return self._made[key]

    async def _info(self, cup: str) -> cup_wire.CupInfo:
        return await self._tell(cup, await known(self._cups.tend(cup)))

    async def _tell(self, cup: str, seen: Seen) -> cup_wire.CupInfo:
        planned = await self._cups.rounds(seen.cup)
        return cup_wire.cup_info(cup, seen, planned, MOST, self._house.settings.cup_patience)

    def _limit(self, bucket: PerAddress, request: Request) -> None:
        if not bucket.take(caller(request), self._house.now()):
            raise Problem(429, "too_many_cups", "too many tournaments from here; wait a minute")


async def known(doing: Awaitable[T]) -> T:
    """Do something with a cup, or say that there is no such cup."""
    try:
        return await doing
    except NoCup:
        raise Problem(404, "no_cup", "there is no such tournament") from None


def cup_of(request: Request) -> str:
    """Read which cup is meant."""
    return str(request.path_params["cup"])


def token_of(request: Request) -> str:
    """Read what a member holds."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise Problem(401, "not_member", "send your token: Authorization: Bearer …")
    return token.strip()
