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

    async def close(self, request: Request) -> Response:
        """Close a table."""
        await self._check(request)
        wanted = await read(request, wire.NameTable, self._settings)
        there(await self._operator.close(wanted.table) or None)
        return answer(await self._operator.look_at(wanted.table))

    async def rename(self, request: Request) -> Response:
        """Take a name away: of a seat, or of a profile."""
        await self._check(request)
        wanted = await read(request, wire.TakeName, self._settings)
        if wanted.profile is not None and wanted.table is None:
            found = await self._operator.rename_profile(wanted.profile, wanted.name)
            if found is None:
                raise Problem(404, "no_profile", "there is no such profile")
            return answer(found)
        if wanted.table is None or wanted.seat is None or wanted.profile is not None:
            raise Problem(422, "bad_request", "name a `table` and a `seat`, or a `profile`")
        return answer(there(await self._operator.rename(wanted.table, wanted.seat, wanted.name)))

    async def _check(self, request: Request) -> None:
        """Let only the house's own key pass."""
        kind, _, sent = request.headers.get("authorization", "").partition(" ")
        key = await self._operator.key()
        fits = compare_digest(sent.strip().encode(), key.encode())
        if kind.lower() != "bearer" or not fits:
            raise Problem(403, "not_yours", "this is for whoever runs the house")


def there(found: Any) -> Any:
    """Give what was found, or say that there is no such table."""
    if found is None:
        raise Problem(404, "no_table", "there is no such table")
    return found
