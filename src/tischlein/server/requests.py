"""What a request says: its body, its language, and where it comes from."""

import asyncio
from typing import Final, TypeVar

import msgspec
from starlette.requests import Request

from tischlein.house.limits import network_of
from tischlein.house.settings import Settings
from tischlein.people import People
from tischlein.server import wire
from tischlein.server.answers import Problem
from tischlein.words import LANGUAGES

LOGIN: Final = "x-login"
"""The header with which a device says for whom it speaks; beside it may be a seat's token."""
R = TypeVar("R", bound=wire.Request)


def language_of(request: Request) -> str:
    """Read in which language the caller wants to be told."""
    wanted = request.query_params.get("lang", "en")
    if wanted not in LANGUAGES:
        raise Problem(422, "no_language", f"`lang` is one of {', '.join(LANGUAGES)}")
    return wanted


async def read(request: Request, kind: type[R], settings: Settings, most: int = 0) -> R:
    """Read the body of a request, or say what is wrong with it; `most`: where it may be long."""
    body, most = bytearray(), most or settings.largest_body
    try:
        async with asyncio.timeout(settings.body_within):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise Problem(413, "too_large", f"a request has at most {most:,} bytes")
    except TimeoutError:
        raise Problem(408, "too_slow", "the request did not come to its end in time") from None
    try:
        body.decode()
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as problem:
        raise Problem(422, "bad_request", str(problem)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Problem(400, "malformed", f"this is not JSON: {problem}") from None


async def guest_of(request: Request, people: People) -> str | None:
    """Say whose profile the caller speaks for; None without a login. A wrong one is told."""
    login = request.headers.get(LOGIN)
    if login is None:
        return None
    found = await people.profiles.known(login)
    if found is None:
        raise Problem(401, "not_known", "this device is no longer signed in")
    return found


async def person_of(request: Request, people: People) -> str:
    """Say whose profile the caller speaks for, or refuse."""
    found = await guest_of(request, people)
    if found is None:
        raise Problem(401, "not_known", f"send the login of your device: {LOGIN}: …")
    return found


def caller(request: Request) -> str:
    """Say where a request comes from: all addresses of one household are one."""
    return network_of(request.client.host) if request.client else ""
