"""The ways in for nudges: which browser is told at which seat, and which no more."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from tischlein.game import Refusal
from tischlein.house.house import House
from tischlein.house.limits import PerAddress
from tischlein.people import People
from tischlein.people.push import AUTH, Target, decoded, read_point
from tischlein.server import wire
from tischlein.server.answers import Problem, answer
from tischlein.server.requests import caller, read
from tischlein.table.table import Table

Seated = Callable[[Request], Awaitable[tuple[Table, int]]]
"""Finds the table, and the seat that the caller's token holds."""


class PushApi:
    """Switches nudges on and off."""

    def __init__(self, house: House, people: People, seated: Seated) -> None:
        self._house, self._nudges, self._seated = house, people.nudges, seated
        settings = house.settings
        self._switches = PerAddress(settings.pushes_per_minute / 60, settings.pushes_at_once)

    async def key(self, request: Request) -> Response:
        """Give the key that browsers subscribe with."""
        return answer(wire.PushKey(await self._nudges.public_key()))

    async def on(self, request: Request) -> Response:
        """Tell the seat's player on this browser from now on."""
        self._count(request)
        table, seat = await self._seated(request)
        wanted = await read(request, wire.WantNudges, self._house.settings)
        await self._nudges.switch_on(table, seat, target_of(wanted), wanted.lang, own(request))
        return answer(wire.Nudging(True))

    async def off(self, request: Request) -> Response:
        """Tell the seat's player on this browser no more."""
        self._count(request)
        table, seat = await self._seated(request)
        sent = await read(request, wire.NoNudges, self._house.settings)
        await self._nudges.switch_off(table, seat, sent.endpoint)
        return answer(wire.Nudging(False))

    async def all_off(self, request: Request) -> Response:
        """Tell this browser nothing any more: who knows its address may say so."""
        self._count(request)
        sent = await read(request, wire.NoNudges, self._house.settings)
        await self._nudges.switch_all_off(sent.endpoint)
        return answer(wire.Nudging(False))

    def _count(self, request: Request) -> None:
        if not self._switches.take(caller(request), self._house.now()):
            raise Problem(429, "too_often", "too many switches from here; wait a minute")


def target_of(wanted: wire.WantNudges) -> Target:
    """Read where a browser is told, and check its keys."""
    try:
        return Target(wanted.endpoint, read_point(wanted.p256dh), decoded(wanted.auth, AUTH))
    except ValueError:
        sentence = "`p256dh` is a point of P-256 of 65 bytes, `auth` has 16 bytes, in base64url"
        raise Refusal("bad_push", sentence) from None


def own(request: Request) -> str:
    """Give the address of this house as its pages know it, where it is one for push services."""
    return f"https://{request.url.netloc}" if request.url.scheme == "https" else ""
