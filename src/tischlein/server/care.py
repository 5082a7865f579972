"""What is told of the house itself, and what whoever runs it may do there with the house's key."""

from hmac import compare_digest
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tischlein.house.settings import Settings
from tischlein.people.operator import Operator
from tischlein.server import wire
from tischlein.server.answers import Problem, answer
from tischlein.server.requests import read


class CareApi:
    """The ways in for whoever runs the house; who has not its key is told nothing."""

    def __init__(self, operator: Operator, settings: Settings) -> None:
        self._operator, self._settings = operator, settings

    async def about(self, request: Request) -> Response:
        """Tell everybody whom to ask, and how long what is kept here."""
        settings = self._settings
        times = settings.tidy_after, settings.tidy_unplayed_after, settings.tidy_cups_after
        return answer(wire.AboutHouse(settings.contact, *times))

    async def look(self, request: Request) -> Response:
        """Tell how the house stands."""
        await self._check(request)
        await read(request, wire.LookAround, self._settings)
        return answer(await self._operator.look())

    async def look_at(self, request: Request) -> Response:
        """Tell how a table stands, and who sits there."""
        await self._check(request)
        wanted = await read(request, wire.NameTable, self._settings)
        return answer(there(await self._operator.look_at(wanted.table)))

    async def look_at_cup(self, request: Request) -> Response:
        """Tell how a cup stands, and who takes part."""
        await self._check(request)
        wanted = await read(request, wire.NameCup, self._settings)
        return answer(there(await self._operator.look_at_cup(wanted.cup), "cup"))

    async def close(self, request: Request) -> Response:
        """Close a table."""
        await self._check(request)
        wanted = await read(request, wire.NameTable, self._settings)
        there(await self._operator.close(wanted.table) or None)
        return answer(await self._operator.look_at(wanted.table))

    async def rename(self, request: Request) -> Response:
        """Take a name away: of a seat, of a profile, or in a cup."""
        await self._check(request)
        wanted = await read(request, wire.TakeName, self._settings)
        operator, name = self._operator, wanted.name
        match wanted:
            case wire.TakeName(profile=str(who), table=None, cup=None, seat=None, member=None):
                return answer(there(await operator.rename_profile(who, name), "profile"))
            case wire.TakeName(
                cup=str(cup), member=member, table=None, seat=None, profile=None
            ) if name is None or member is not None:
                return answer(there(await operator.rename_in_cup(cup, member, name), "cup"))
            case wire.TakeName(
                table=str(table), seat=int(seat), cup=None, member=None, profile=None
            ):
                return answer(there(await operator.rename(table, seat, name)))
        told = "name a `table` and a `seat`, a `profile`, or a `cup` and perhaps its `member`"
        raise Problem(422, "bad_request", told)

    async def _check(self, request: Request) -> None:
        """Let only the house's own key pass."""
        kind, _, sent = request.headers.get("authorization", "").partition(" ")
        key = await self._operator.key()
        fits = compare_digest(sent.strip().encode(), key.encode())
        if kind.lower() != "bearer" or not fits:
            raise Problem(403, "not_yours", "this is for whoever runs the house")


def there(found: Any, what: str = "table") -> Any:
    """Give what was found, or say that there is no such thing."""
    if found is None:
        called = {"cup": "tournament"}.get(what, what)
        raise Problem(404, f"no_{what}", f"there is no such {called}")
    return found
