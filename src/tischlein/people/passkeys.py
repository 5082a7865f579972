"""Passkeys: a device knows its owner by finger, face or PIN, and signs that it did.

The library is read when somebody first uses one: a house may have nobody who does.
"""

import re
import secrets
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tischlein.game import Refusal
from tischlein.people.codes import LASTS, Codes, Purpose
from tischlein.people.profiles import (
    Profile,
    Profiles,
    device_name,
    making,
    new_login,
    shown_id,
)
from tischlein.store import Asks, Step
from tischlein.table.needs import Conflict, Stranger
from tischlein.table.seating import persons_name

HOUSE: Final = "Tischlein"
MOST_PASSKEYS: Final = 20
PASSKEY: Final = re.compile(r"[A-Za-z0-9_-]{1,1400}")
"""What the name of a passkey looks like."""
LOCK: Final = "UPDATE profiles SET seen = seen WHERE id = $1 RETURNING id"
"""Of two who change somebody's passkeys at once the second sees what the first has done."""
KEEP: Final = """
    INSERT INTO passkeys (id, profile, made, used, body)
    SELECT CAST($1 AS TEXT), id, CAST($3 AS DOUBLE PRECISION), CAST($3 AS DOUBLE PRECISION),
        $4
    FROM profiles WHERE id = $2
    ON CONFLICT (id) DO NOTHING RETURNING id
"""
REMOVE: Final = """
    DELETE FROM passkeys WHERE id = $1 AND profile = $2 AND (
        EXISTS (SELECT 1 FROM passkeys AS other WHERE other.profile = $2 AND other.id <> $1)
        OR EXISTS (SELECT 1 FROM codes WHERE codes.profile = $2 AND codes.purpose = 'paper')
    ) RETURNING id
"""


class Site(NamedTuple):
    """Where a passkey is good: a name, and the pages of that name that may use it."""

    name: str
    origins: list[str]


class Key(Struct, frozen=True):
    """What the store keeps of a passkey, beside its id."""

    name: str
    key: str
    count: int


class Passkey(Struct, frozen=True):
    """A passkey as its owner sees it."""

    id: str
    name: str
    made: float
    used: float


_write: Final = msgspec.json.encode
_read: Final = msgspec.json.Decoder(Key)


class Passkeys:
    """Makes profiles with passkeys, and lets people in by them."""

    def __init__(
        self, store: Asks, profiles: Profiles, codes: Codes, now: Callable[[], float]
    ) -> None:
        self._store, self._profiles, self._codes, self._now = store, profiles, codes, now

    # A new profile

    async def offer(self, site: Site, name: str) -> dict[str, Any]:
        """Ask a device to make a passkey for somebody new; nothing is made before it has."""
        return await self._options(site, "new", secrets.token_hex(12), persons_name(name), [])

    async def make(
        self, site: Site, sent: dict[str, Any], name: str, device: str
    ) -> tuple[Profile, str]:
        """Make a profile with its first passkey; give the login of the device, too."""
        called, now = persons_name(name), self._now()
        profile = Profile(await self._asked(sent, "new"), called, now, now)
        passkey, key = self._verified(site, sent, device)
        token, login = new_login(profile.id, device, now)
        steps = (making(profile), self._keeping(passkey, profile.id, key), *login)
        if await self._store.together(*steps) is None and not await self._profiles.known(token):
            raise Conflict("known_passkey", "this passkey belongs to a profile already")
        return profile, token

    # One more passkey

    async def offer_more(self, site: Site, profile: Profile) -> dict[str, Any]:
        """Ask a device to make one more passkey for somebody."""
        known = [row[0] for row in await self._rows(profile.id)]
        return await self._options(site, "more", profile.id, profile.name, known)

    async def add(self, site: Site, sent: dict[str, Any], profile: str, name: str) -> None:
        """Keep one more passkey for somebody."""
        if await self._asked(sent, "more") != profile:
            raise Stranger("other_profile", "somebody else began with this")
        if len(await self._rows(profile)) >= MOST_PASSKEYS:
            raise Conflict("enough", "these are enough passkeys; remove one first")
        passkey, key = self._verified(site, sent, name)
        steps = Step(LOCK, (profile,), rows=1), self._keeping(passkey, profile, key)
        if await self._store.together(*steps) is None:
            owner = await self._store.ask("SELECT profile FROM passkeys WHERE id = $1", passkey)
            if [tuple(row) for row in owner] != [(profile,)]:
                raise Conflict("known_passkey", "this passkey belongs to a profile already")

    # To sign in

    async def challenge(self, site: Site) -> dict[str, Any]:
        """Ask a device to show whom it knows, without a name."""
        import webauthn
        from webauthn.helpers import bytes_to_base64url, options_to_json_dict
        from webauthn.helpers.structs import UserVerificationRequirement

        given = secrets.token_bytes(32)
        await self._codes.keep(bytes_to_base64url(given), "enter", "")
        return options_to_json_dict(
            webauthn.generate_authentication_options(
                rp_id=site.name,
                challenge=given,
                timeout=int(LASTS["enter"] * 1000),
                user_verification=UserVerificationRequirement.PREFERRED,
            )
        )

    async def enter(self, site: Site, sent: dict[str, Any], device: str) -> tuple[Profile, str]:
        """Let somebody in whom their device knows; give the login of the device."""
        await self._asked(sent, "enter")
        passkey = str(sent.get("id"))
        if not PASSKEY.fullmatch(passkey):
            raise Stranger("no_passkey", "this passkey is not known here, or no longer")
        words = "SELECT profile, body FROM passkeys WHERE id = $1"
        rows = await self._store.ask(words, passkey)
        profile = await self._profiles.get(rows[0][0]) if rows else None
        if profile is None:
            raise Stranger("no_passkey", "this passkey is not known here, or no longer")
        old = rows[0][1]
        key = proven(site, sent, profile.id, _read.decode(old))
        words = "UPDATE passkeys SET used = $2, body = $3 WHERE id = $1 AND body = $4 RETURNING id"
        if not await self._store.ask(words, passkey, self._now(), _write(key), old):
            raise Conflict("too_late", "this was used meanwhile; try again")
        return profile, await self._profiles.let_in(profile.id, device)

    # What somebody has

    async def all(self, profile: str) -> list[Passkey]:
        """List somebody's passkeys, the oldest first."""
        rows = await self._rows(profile)
        return [
            Passkey(shown_id(name), _read.decode(body).name, made, used)
            for name, made, used, body in rows
        ]

    async def rename(self, profile: str, passkey: str, name: str) -> None:
        """Give a passkey another name."""
        found = await self._named(profile, passkey)
        body = _write(replace(_read.decode(found[3]), name=device_name(name)))
        words = "UPDATE passkeys SET body = $2 WHERE id = $1 AND body = $3"
        await self._store.ask(words, found[0], body, found[3])

    async def remove(self, profile: str, passkey: str) -> None:
        """Remove a passkey; the last one only if there is another way back."""
        name = (await self._named(profile, passkey))[0]
        lock = Step(LOCK, (profile,), rows=1)
        if await self._store.together(lock, Step(REMOVE, (name, profile), rows=1)) is not None:
            return
        if await self._store.ask("SELECT 1 FROM passkeys WHERE id = $1", name):
            told = "this is your only way back; make another passkey or a printed code first"
            raise Conflict("last_passkey", told)

    async def _named(self, profile: str, passkey: str) -> Any:
        for row in await self._rows(profile):
            if shown_id(row[0]) == passkey:
                return row
        raise Refusal("no_passkey", "there is no such passkey")

    async def _rows(self, profile: str) -> list[Any]:
        words = "SELECT id, made, used, body FROM passkeys WHERE profile = $1 ORDER BY made, id"
        return await self._store.ask(words, profile)

    async def _options(
        self, site: Site, purpose: Purpose, profile: str, name: str, known: list[str]
    ) -> dict[str, Any]:
        import webauthn
        from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
        from webauthn.helpers import structs as s

        given = secrets.token_bytes(32)
        await self._codes.keep(bytes_to_base64url(given), purpose, profile)
        known_here = [s.PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known]
        return options_to_json_dict(
            webauthn.generate_registration_options(
                rp_id=site.name,
                rp_name=HOUSE,
                user_id=profile.encode(),
                user_name=name,
                challenge=given,
                timeout=int(LASTS[purpose] * 1000),
                attestation=s.AttestationConveyancePreference.NONE,
                authenticator_selection=s.AuthenticatorSelectionCriteria(
                    resident_key=s.ResidentKeyRequirement.REQUIRED,
                    user_verification=s.UserVerificationRequirement.PREFERRED,
                ),
                exclude_credentials=known_here,
            )
        )

    async def _asked(self, sent: dict[str, Any], purpose: Purpose) -> str:
        """Use up the challenge that a device has signed; give for whom it was made."""
        from webauthn.helpers import bytes_to_base64url

        found = await self._codes.use(bytes_to_base64url(challenge_in(sent)), purpose)
        if found is None:
            raise Conflict("too_late", "this took too long, or was done before; try again")
        return found

    def _verified(self, site: Site, sent: dict[str, Any], name: str) -> tuple[str, Key]:
        """Check what a device has made; give the passkey's id and what is kept of it."""
        import webauthn
        from webauthn.helpers import bytes_to_base64url

        try:
            found = webauthn.verify_registration_response(
                credential=sent,
                expected_challenge=challenge_in(sent),
                expected_rp_id=site.name,
                expected_origin=site.origins,
            )
        except Exception:  # whatever the library makes of what a stranger sends
            raise Refusal("bad_passkey", "this passkey cannot be right") from None
        passkey = bytes_to_base64url(found.credential_id)
        if not PASSKEY.fullmatch(passkey):  # nobody could come back by it
            raise Refusal("bad_passkey", "this passkey cannot be right")
        key = bytes_to_base64url(found.credential_public_key)
        return passkey, Key(device_name(name), key, found.sign_count)

    def _keeping(self, passkey: str, profile: str, key: Key) -> Step:
        return Step(KEEP, (passkey, profile, self._now(), _write(key)), rows=1)


def proven(site: Site, sent: dict[str, Any], profile: str, key: Key) -> Key:
    """See that a device has signed for this profile now; give its passkey with its new count."""
    import webauthn
    from webauthn.helpers import base64url_to_bytes

    try:
        answered = sent["response"].get("userHandle")
        if answered is not None and base64url_to_bytes(answered) != profile.encode():
            raise ValueError("another user")
        found = webauthn.verify_authentication_response(
            credential=sent,
            expected_challenge=challenge_in(sent),
            expected_rp_id=site.name,
            expected_origin=site.origins,
            credential_public_key=base64url_to_bytes(key.key),
            credential_current_sign_count=key.count,
        )
    except Exception:  # whatever the library makes of what a stranger sends
        raise Stranger("bad_passkey", "this passkey does not fit; try again") from None
    return replace(key, count=found.new_sign_count)


def challenge_in(sent: dict[str, Any]) -> bytes:
    """Read which challenge a device says it has signed."""
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json

    try:
        text = base64url_to_bytes(sent["response"]["clientDataJSON"])
        return parse_client_data_json(text).challenge
    except Exception:  # whatever the library makes of what a stranger sends
        raise Refusal("bad_passkey", "this is not what a device answers") from None
