"""Me: a profile without a password, over HTTP."""

import ipaddress
from typing import Final, TypeVar
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tischlein.house.house import House
from tischlein.house.limits import PerAddress
from tischlein.people import People
from tischlein.people.codes import LASTS, Code, TooManyTries
from tischlein.people.passkeys import Site
from tischlein.people.profiles import Profile, shown_id
from tischlein.server import me_wire as w
from tischlein.server import wire
from tischlein.server.answers import Problem, answer
from tischlein.server.requests import LOGIN, caller, person_of, read
from tischlein.table.book import fingerprint

R = TypeVar("R", bound=wire.Request)

MOST_TABLES: Final = 24
"""So many of one's tables are told, the latest."""
KEYS_PER_MINUTE: Final = 12
NO_NAME: Final = (
    "passkeys need a name of this server: open it at its own address with https, or at localhost"
)


class MeApi:
    """Answers whoever asks about themselves."""

    def __init__(self, house: House, people: People) -> None:
        self._house, self._people = house, people
        settings = house.settings
        self._deeds = PerAddress(settings.sign_ins_per_minute / 60, settings.sign_ins_at_once)
        self._keys = PerAddress(KEYS_PER_MINUTE / 60, KEYS_PER_MINUTE)

    # A profile, and a way in

    async def begin(self, request: Request) -> Response:
        """Ask a device for a passkey for a new profile."""
        wanted = await self._read(request, w.Begin)
        return answer(await self._people.passkeys.offer(site_of(request), wanted.name))

    async def finish(self, request: Request) -> Response:
        """Make a profile with the passkey that a device has made."""
        sent = await self._read(request, w.Finish)
        made = self._people.passkeys.make
        return let_in(*await made(site_of(request), sent.credential, sent.name, sent.device), 201)

    async def begin_sign_in(self, request: Request) -> Response:
        """Ask a device to show whom it knows."""
        self._limit(request)
        return answer(await self._people.passkeys.challenge(site_of(request)))

    async def sign_in(self, request: Request) -> Response:
        """Let somebody in whom their device knows."""
        sent = await self._read(request, w.SignIn)
        enter = self._people.passkeys.enter
        return let_in(*await enter(site_of(request), sent.credential, sent.device))

    async def sign_out(self, request: Request) -> Response:
        """End a login: this device's, or another one of the same profile."""
        profile = await person_of(request, self._people)
        sent = await self._read(request, w.SignOut)
        await self._people.profiles.sign_out(profile, sent.id or own_login(request))
        return answer({})

    # What is known of me

    async def show(self, request: Request) -> Response:
        """Tell somebody what is kept of them."""
        me, here = await self._me(request), own_login(request)
        devices = tuple(
            w.MyDevice(one.id, one.device, one.made, one.seen, one.id == here)
            for one in await self._people.profiles.logins(me.id)
        )
        passkeys = tuple(await self._people.passkeys.all(me.id))
        paper = await self._people.codes.has_paper(me.id)
        kept = me.settings, me.settings_at
        return answer(w.Me(me.id, me.name, me.made, *kept, devices, passkeys, paper))

    async def name(self, request: Request) -> Response:
        """Let somebody be called otherwise."""
        profile = await person_of(request, self._people)
        sent = await self._read(request, w.CallMe)
        await self._people.profiles.rename(profile, sent.name)
        return await self.show(request)

    async def settings(self, request: Request) -> Response:
        """Keep settings for all devices; the newest win, and are answered."""
        profile = await person_of(request, self._people)
        sent = await self._read(request, w.KeepSettings)
        found = await self._people.profiles.set(profile, sent.settings, sent.at)
        return answer(w.MySettings(found.settings, found.settings_at))

    async def data(self, request: Request) -> Response:
        """Give all that is kept of somebody as one file."""
        me = await self._me(request)
        name = 'attachment; filename="tischlein.json"'
        headers = {"content-disposition": name, "cache-control": "no-store"}
        return StreamingResponse(
            self._people.my_data.written(me), media_type="application/json", headers=headers
        )

    async def delete(self, request: Request) -> Response:
        """Delete a profile: it is gone at once, and its traces right after."""
        me = await self._me(request)
        sent = await self._read(request, w.DeleteMe)
        if sent.confirm.strip() != me.name:
            raise Problem(422, "not_confirmed", "write your name as it stands here")
        await self._people.leaving.begin(me.id)
        self._house.spawn(self._people.leaving.finish(me.id))
        return answer({})

    # Passkeys

    async def begin_passkey(self, request: Request) -> Response:
        """Ask a device for one more passkey."""
        self._limit(request)
        me = await self._me(request)
        return answer(await self._people.passkeys.offer_more(site_of(request), me))

    async def add_passkey(self, request: Request) -> Response:
        """Keep one more passkey."""
        profile = await person_of(request, self._people)
        sent = await self._read(request, w.AddPasskey)
        add = self._people.passkeys.add
        await add(site_of(request), sent.credential, profile, sent.name)
        return await self.show(request)

    async def name_passkey(self, request: Request) -> Response:
        """Give a passkey another name."""
        profile = await person_of(request, self._people)
        sent = await self._read(request, w.NamePasskey)
        await self._people.passkeys.rename(profile, sent.id, sent.name)
        return await self.show(request)

    async def remove_passkey(self, request: Request) -> Response:
        """Remove a passkey."""
        profile = await person_of(request, self._people)
        sent = await self._read(request, w.RemovePasskey)
        await self._people.passkeys.remove(profile, sent.id)
        return await self.show(request)

    # Codes

    async def link(self, request: Request) -> Response:
        """Make a short code for a second device."""
        self._limit(request)
        profile = await person_of(request, self._people)
        return answer(w.Link(await self._people.codes.new("link", profile), LASTS["link"]))

    async def use_link(self, request: Request) -> Response:
        """Let a second device in by its code."""
        return await self._redeem(request, "link")

    async def code(self, request: Request) -> Response:
        """Make a long code to be printed, in place of an earlier one."""
        self._limit(request)
        profile = await person_of(request, self._people)
        return answer(w.PaperCode(await self._people.codes.new("paper", profile)))

    async def recover(self, request: Request) -> Response:
        """Let somebody in by their printed code."""
        return await self._redeem(request, "paper")

    async def _redeem(self, request: Request, purpose: Code) -> Response:
        sent = await self._read(request, w.UseCode)
        try:
            profile = await self._people.codes.redeem(sent.code, purpose, caller(request))
        except TooManyTries as refused:
            raise Problem(429, refused.code, str(refused)) from None
        login = await self._people.profiles.let_in(profile, sent.device)
        found = await self._people.profiles.get(profile)
        if found is None:
            raise Problem(422, "wrong_code", "this code is wrong, used up or too old")
        return let_in(found, login)

    # Tables

    async def key(self, request: Request) -> Response:
        """Give one more token for a seat of one's own, on another device."""
        profile = await person_of(request, self._people)
        if not self._keys.take(profile, self._house.now()):
            raise Problem(429, "too_often", "too many devices at once; wait a minute")
        table = await self._house.find(str(request.path_params["table"]))
        if table is None:
            raise Problem(404, "no_table", "there is no such table")
        sent = await read(request, w.AskKey, self._house.settings)
        seat, token = await table.seating.key(profile, sent.seat)
        return answer(wire.Held(seat, token, table.book.name), 201)

    # Shared

    def _limit(self, request: Request) -> None:
        if not self._deeds.take(caller(request), self._house.now()):
            raise Problem(429, "too_often", "too many requests from here; wait a minute")

    async def _read(self, request: Request, kind: type[R]) -> R:
        self._limit(request)
        return await read(request, kind, self._house.settings)

    async def _me(self, request: Request) -> Profile:
        found = await self._people.profiles.get(await person_of(request, self._people))
        if found is None:
            raise Problem(401, "not_known", "this device is no longer signed in")
        return found


def site_of(request: Request) -> Site:
    """Say where passkeys of this request are good; the name was checked before it came here."""
    host = request.headers.get("host", "").lower()
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        safe = [f"https://{host.removesuffix(':443')}"]
        # Browsers take no passkey from a page without TLS, but from this machine's own.
        return Site(name, [*safe, f"http://{host}"] if name == "localhost" else safe)
    raise Problem(422, "no_host_name", NO_NAME)


def let_in(profile: Profile, login: str, status: int = 200) -> Response:
    """Answer with a login: it is told once, and kept nowhere on the way."""
    found = answer(w.LetIn(login, profile.id, profile.name), status)
    found.headers["cache-control"] = "no-store"
    return found


def own_login(request: Request) -> str:
    """Name the login of the caller as its owner sees it."""
    return shown_id(fingerprint(request.headers.get(LOGIN, "")))
