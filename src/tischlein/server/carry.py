"""The way in for tables that somebody carries from device to device."""

from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tischlein.house.house import House, is_of_a_device
from tischlein.people import People
from tischlein.people.carried import Carried, Checked, checked
from tischlein.server import me_wire as w
from tischlein.server.answers import Problem, answer
from tischlein.server.dear import Dear
from tischlein.server.requests import caller, person_of, read

_read: Final = msgspec.json.Decoder(Checked)


class CarryApi:
    """Answers devices that play without a server, when they are back."""

    def __init__(self, house: House, people: People, dear: Dear) -> None:
        self._house, self._people, self._dear = house, people, dear

    async def known(self, request: Request) -> Response:
        """Say which tables of the caller's devices are kept, and whose they are."""
        profile = await person_of(request, self._people)
        known = await self._people.carrying.known(profile)
        tables = {name: w.Carrying(*one) for name, one in known.items()}
        return answer(w.MyCarried(profile, tables))

    async def show(self, request: Request) -> Response:
        """Give a table of the caller's devices."""
        profile = await person_of(request, self._people)
        found = await self._people.carrying.find(profile, name_in(request))
        if found is None:
            raise Problem(404, "no_table", "there is no such table")
        return answer(found)

    async def keep(self, request: Request) -> Response:
        """Keep a table of the caller's device, played through first, and its results."""
        profile, settings = await person_of(request, self._people), self._house.settings
        sent = await read(request, w.CarryTable, settings, settings.largest_carried)
        name = name_in(request)
        text, seats = "\n".join(sent.entries), tuple(seat for seat, _ in sent.seats)
        key = "carried", name, seats, sha256(text.encode()).digest()
        make = partial(written, name, sent.entries, seats)
        told = _read.decode(await self._dear.give(key, caller(request), make))
        table = Carried(sent.entries, sent.seats)
        mark = await self._people.carrying.keep(profile, name, sent.was, table, told)
        if mark is None:
            raise Problem(409, "changed", "another device has changed this table meanwhile")
        return answer(w.Marked(mark))


def name_in(request: Request) -> str:
    """Read the name of a table that was opened on a device."""
    name = str(request.path_params["table"])
    if not is_of_a_device(name):
        raise Problem(404, "no_table", "there is no such table of a device")
    return name


def written(name: str, entries: tuple[str, ...], seats: tuple[int, ...]) -> bytes:
    """Play a table through, and write what it tells."""
    return msgspec.json.encode(checked(name, entries, seats))
