"""Secrets that last a while: challenges, a code for a second device, a code on paper.

The store keeps their fingerprints alone, and a challenge is used once, at whatever server.
"""

import re
import secrets
from collections.abc import Callable
from typing import Final, Literal

from tischlein.game import Refusal
from tischlein.store import Asks, Step
from tischlein.table.book import fingerprint

Purpose = Literal["new", "more", "enter", "link", "paper", "leaving"]
"""A new profile, one more passkey, to sign in, a second device, a code on paper, a farewell."""
Code = Literal["link", "paper"]

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Signs that nobody takes for each other: who reads I, L or O means 1 or 0."""
MEANT: Final = str.maketrans("ilo", "110")
SIGNS: Final[dict[Code, int]] = {"link": 8, "paper": 24}
"""So long codes are: 40 bits for some minutes and few tries, 120 bits for ever."""
LASTS: Final[dict[Purpose, float]] = {"new": 300.0, "more": 300.0, "enter": 300.0, "link": 600.0}
FOR_EVER: Final = 1e12
TRIES_WITHIN: Final = 600.0
MOST_TRIES: Final = 1000
"""So many wrong codes are heard in that time at all servers together."""
MOST_TRIES_HERE: Final = 10
"""And so many from one address."""
TRIES: Final = "tries"
"""Stands in the place of a profile where a wrong code is noted."""


class TooManyTries(Refusal):
    """Somebody guesses."""


class Codes:
    """Keeps secrets for a while."""

    def __init__(
        self, store: Asks, now: Callable[[], float], mark: Callable[[str], str] = str
    ) -> None:
        """Keep them in a store; of who types a wrong one only a mark of the network is noted."""
        self._store, self._now, self._mark = store, now, mark

    async def keep(self, secret: str, purpose: Purpose, profile: str) -> None:
        """Keep a secret for as long as its purpose needs."""
        await self._store.together(self._keeping(secret, purpose, profile))

    def _keeping(self, secret: str, purpose: Purpose, profile: str) -> Step:
        until = self._now() + LASTS.get(purpose, FOR_EVER)
        words = """
            INSERT INTO codes (code, profile, purpose, until) VALUES ($1, $2, $3, $4)
            ON CONFLICT (code) DO NOTHING
        """
        return Step(words, (fingerprint(secret), profile, purpose, until))

    async def use(self, secret: str, purpose: Purpose) -> str | None:
        """Use a secret up; give whose it was, or None if it is not, or no longer, for this."""
        words = "DELETE FROM codes WHERE code = $1 RETURNING profile, purpose, until"
        rows = await self._store.ask(words, fingerprint(secret))
        if not rows or rows[0][1] != purpose or rows[0][2] < self._now():
            return None
        return str(rows[0][0])

    async def new(self, purpose: Code, profile: str) -> str:
        """Make a code to be read and typed; an earlier one of this kind is no longer good."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(SIGNS[purpose]))
        old = "DELETE FROM codes WHERE profile = $1 AND purpose = $2"
        await self._store.together(
            Step(old, (profile, purpose)), self._keeping(purpose + code, purpose, profile)
        )
        return grouped(code)

    async def redeem(self, code: str, purpose: Code, network: str) -> str:
        """Say whose code this is. A wrong one is counted, and who guesses is no longer heard."""
        tried = await self._claim_try(network, purpose)
        secret = purpose + plain(code)
        found = await (self.use(secret, "link") if purpose == "link" else self._whose(secret))
        if found is None:
            raise Refusal("wrong_code", "this code is wrong, used up or too old")
        await self._store.ask("DELETE FROM codes WHERE code = $1", tried)
        return found

    async def _whose(self, secret: str) -> str | None:
        """Say whose a code on paper is; it stays good."""
        words = "SELECT profile FROM codes WHERE code = $1 AND purpose = 'paper'"
        rows = await self._store.ask(words, fingerprint(secret))
        return str(rows[0][0]) if rows else None

    async def _claim_try(self, network: str, purpose: str) -> str:
        """Note a try before it is made, so that many at once are not more than one by one."""
        now, here = self._now(), self._mark(network)
        note = secrets.token_hex(16)
        await self._store.together(
            Step(
                "INSERT INTO codes (code, profile, purpose, until) VALUES ($1, $2, $3, $4)"
                " ON CONFLICT (code) DO NOTHING",
                (note, TRIES, here, now + TRIES_WITHIN),
            )
        )
        words = """
            SELECT count(*), count(*) FILTER (WHERE purpose = $2) FROM codes
            WHERE profile = $1 AND until > $3
        """
        ((everywhere, from_here),) = await self._store.ask(words, TRIES, here, now)
        too_many = purpose == "link" and everywhere > MOST_TRIES  # nobody guesses a printed one
        if too_many or from_here > MOST_TRIES_HERE:
            await self._store.ask("DELETE FROM codes WHERE code = $1", note)
            raise TooManyTries("too_many_tries", "too many wrong codes; wait some minutes")
        return note

    async def has_paper(self, profile: str) -> bool:
        """Say whether somebody has a code on paper."""
        words = "SELECT 1 FROM codes WHERE profile = $1 AND purpose = 'paper'"
        return bool(await self._store.ask(words, profile))

    async def tidy(self) -> None:
        """Forget what is past its time."""
        words = "DELETE FROM codes WHERE until < $1 AND purpose <> 'leaving'"
        await self._store.ask(words, self._now())


def plain(code: str) -> str:
    """Take a code as it is meant: however it is spaced, in small letters or capitals."""
    return re.sub("[^0-9a-z]", "", code.lower()).translate(MEANT)


def grouped(code: str) -> str:
    """Write a code so that one can read it out."""
    return "-".join(re.findall("....", code.upper()))
