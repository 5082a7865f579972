"""Profiles: somebody who is known again, on every device that may speak for them.

A device holds an unguessable login, of which the store keeps a fingerprint alone.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tischlein.game import Refusal
from tischlein.names import printable
from tischlein.store import Asks, Step
from tischlein.table.book import fingerprint
from tischlein.table.needs import Conflict
from tischlein.table.seating import persons_name

SEEN_ABOUT: Final = 3600.0
"""When somebody was here is kept to so many seconds: it matters after months."""
LONGEST_DEVICE: Final = 60
MOST_LOGINS: Final = 30
"""So many devices speak for somebody; the one unused for longest gives way."""
LARGEST_SETTINGS: Final = 6000
"""So many bytes of settings are kept for somebody."""

_write: Final = msgspec.json.encode


class Profile(Struct, frozen=True):
    """Somebody who comes back."""

    id: str
    name: str
    made: float
    seen: float = 0.0
    settings: dict[str, Any] = {}
    """What they have set, as their pages keep it."""
    settings_at: float = 0.0
    """When they have set it, in ms since 1970."""


class Login(Struct, frozen=True):
    """A device that speaks for somebody; `id` names it to its owner and lets nobody in."""

    id: str
    device: str
    made: float
    seen: float


class Kept(Struct, frozen=True):
    """What the store keeps of a profile as one text."""

    name: str
    settings: dict[str, Any] = {}
    settings_at: float = 0.0


_read_kept: Final = msgspec.json.Decoder(Kept)


def shown_id(secret: str) -> str:
    """Name something to its owner by what tells nothing of it."""
    return fingerprint(f"shown {secret}")[:16]


def device_name(text: str) -> str:
    """Make the name of a device proper: one line that can be seen."""
    return printable(" ".join(text.split()))[:LONGEST_DEVICE]


def making(profile: Profile) -> Step:
    """Make a profile, together with other things."""
    words = """
        INSERT INTO profiles (id, made, seen, body) VALUES ($1, $2, $3, $4)
        ON CONFLICT (id) DO NOTHING
    """
    return Step(words, (profile.id, profile.made, profile.seen, _write(Kept(profile.name))))


def new_login(profile: str, device: str, now: float) -> tuple[str, tuple[Step, ...]]:
    """Make a login, and say how it is kept: for who is still there, in place of very old ones."""
    token = secrets.token_urlsafe(32)
    words = """
        INSERT INTO logins (token, profile, made, seen, device)
        SELECT CAST($1 AS TEXT), id, CAST($3 AS DOUBLE PRECISION), CAST($3 AS DOUBLE PRECISION),
            CAST($4 AS TEXT)
        FROM profiles WHERE id = $2 ON CONFLICT (token) DO NOTHING RETURNING token
    """
    fewer = """
        DELETE FROM logins WHERE profile = $1 AND token NOT IN (
            SELECT token FROM logins WHERE profile = $1 ORDER BY seen DESC, made DESC LIMIT $2)
    """
    kept = fingerprint(token), profile, now, device_name(device)
    return token, (Step(words, kept, rows=1), Step(fewer, (profile, MOST_LOGINS)))


class Profiles:
    """Makes profiles, and knows them again."""

    def __init__(self, store: Asks, now: Callable[[], float]) -> None:
        self._store, self._now = store, now

    async def make(self, name: str) -> Profile:
        """Make a profile."""
        now = self._now()
        found = Profile(secrets.token_hex(12), persons_name(name), now, now)
        await self._store.together(making(found))
        return found

    async def get(self, profile: str) -> Profile | None:
        """Find a profile."""
        return (await self.all([profile])).get(profile)

    async def all(self, profiles: Sequence[str]) -> dict[str, Profile]:
        """Find several profiles; who is gone is left out."""
        words = "SELECT id, made, seen, body FROM profiles WHERE id IN (SELECT value FROM {names})"
        rows = await self._store.ask(words, self._store.listed(list(profiles)))
        return {row[0]: profile_of(*row) for row in rows}

    async def let_in(self, profile: str, device: str) -> str:
        """Let a device speak for somebody from now on; give the login that it holds."""
        token, steps = new_login(profile, device, self._now())
        if await self._store.together(*steps) is None and await self.known(token) is None:
            raise Conflict("no_profile", "this profile is gone")
        return token

    async def known(self, token: str) -> str | None:
        """Say for whom a device speaks; None if its login is unknown, or was ended."""
        words = """
            SELECT logins.profile, logins.seen FROM logins
            JOIN profiles ON profiles.id = logins.profile WHERE logins.token = $1
        """
        rows = await self._store.ask(words, fingerprint(token))
        if not rows:
            return None
        (profile, seen), now = rows[0], self._now()
        if now - seen > SEEN_ABOUT:
            await self._store.together(
                Step("UPDATE logins SET seen = $2 WHERE token = $1", (fingerprint(token), now)),
                Step("UPDATE profiles SET seen = $2 WHERE id = $1", (profile, now)),
            )
        return str(profile)

    async def logins(self, profile: str) -> list[Login]:
        """List the devices that speak for somebody, the last used first."""
        words = "SELECT token, device, made, seen FROM logins WHERE profile = $1 ORDER BY seen DESC"
        rows = await self._store.ask(words, profile)
        return [Login(shown_id(token), *more) for token, *more in rows]

    async def sign_out(self, profile: str, login: str) -> None:
        """End a login, named as its owner sees it."""
        rows = await self._store.ask("SELECT token FROM logins WHERE profile = $1", profile)
        tokens = [token for (token,) in rows if shown_id(token) == login]
        if not tokens:
            raise Refusal("no_login", "there is no such device")
        await self._store.ask("DELETE FROM logins WHERE token = $1", tokens[0])

    async def rename(self, profile: str, name: str) -> Profile:
        """Let somebody be called otherwise from now on."""
        name = persons_name(name)
        return await self._change(profile, lambda kept: replace(kept, name=name))

    async def set(self, profile: str, settings: dict[str, Any], at: float) -> Profile:
        """Keep what somebody has set, unless it was set later on another device."""
        if len(_write(settings)) > LARGEST_SETTINGS:
            raise Refusal("too_large", "settings have at most {n} bytes", n=str(LARGEST_SETTINGS))
        at = min(at, self._now() * 1000)  # a clock that goes ahead must not win for ever

        def newest(kept: Kept) -> Kept:
            newer = at > kept.settings_at
            return replace(kept, settings=settings, settings_at=at) if newer else kept

        return await self._change(profile, newest)

    async def _change(self, profile: str, change: Callable[[Kept], Kept]) -> Profile:
        """Change what is kept of somebody; if it was changed meanwhile, once more."""
        while True:
            words = "SELECT id, made, seen, body FROM profiles WHERE id = $1"
            rows = await self._store.ask(words, profile)
            if not rows:
                raise Conflict("no_profile", "this profile is gone")
            _, made, seen, old = rows[0]
            new = _write(change(_read_kept.decode(old)))
            words = "UPDATE profiles SET body = $2 WHERE id = $1 AND body = $3 RETURNING id"
            if new == old or await self._store.ask(words, profile, new, old):
                return profile_of(profile, made, seen, new)

    async def tidy(self, unused_since: float) -> None:
        """End logins that nobody has used for long."""
        await self._store.ask("DELETE FROM logins WHERE seen < $1", unused_since)

    async def sits(self, profile: str, table: str) -> None:
        """Note that somebody is about to sit down at a table: all their devices find it."""
        words = """
            INSERT INTO sits (profile, name, at) VALUES ($1, $2, $3)
            ON CONFLICT (profile, name) DO UPDATE SET at = excluded.at
        """
        await self._store.ask(words, profile, table, self._now())

    async def tables(self, profile: str, most: int) -> list[str]:
        """Name the tables at which somebody has sat down, the latest first."""
        words = "SELECT name FROM sits WHERE profile = $1 ORDER BY at DESC LIMIT $2"
        return [row[0] for row in await self._store.ask(words, profile, most)]


def profile_of(name: str, made: float, seen: float, body: bytes) -> Profile:
    """Read a profile as it is kept."""
    kept = _read_kept.decode(body)
    return Profile(name, kept.name, made, seen, kept.settings, kept.settings_at)
