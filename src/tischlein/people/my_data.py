"""My data: all that is kept of somebody, as one JSON object, written piece by piece."""

from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec

from tischlein.people.carried import Carrying
from tischlein.people.codes import Codes
from tischlein.people.cups import Cups
from tischlein.people.passkeys import Passkeys
from tischlein.people.profiles import Profile, Profiles
from tischlein.store import Asks

FORMAT: Final = "tischlein-me/1"
MOST_TABLES: Final = 10_000
AT_ONCE: Final = 20
"""So many games are read at a time."""
PLAYED: Final = """
    SELECT played.ended, played.name, played.game, played.seat, records.record FROM played
    LEFT JOIN records ON records.name = played.name AND records.game = played.game
    WHERE played.profile = $1
    AND (played.ended, played.name, played.game, played.seat) > ($2, $3, $4, $5)
    ORDER BY played.ended, played.name, played.game, played.seat LIMIT $6
"""
RATINGS: Final = """
    SELECT game, season, mu, sigma, games FROM ratings WHERE profile = $1 ORDER BY game, season
"""


class MyData:
    """Tells people what is kept of them."""

    def __init__(
        self,
        store: Asks,
        profiles: Profiles,
        passkeys: Passkeys,
        codes: Codes,
        cups: Cups,
        carrying: Carrying,
    ) -> None:
        self._store, self._profiles, self._carrying = store, profiles, carrying
        self._passkeys, self._codes, self._cups = passkeys, codes, cups

    async def written(self, me: Profile) -> AsyncIterator[bytes]:
        """Write all of it, a few games at a time: there may be thousands."""
        yield msgspec.json.encode(await self._head(me))[:-1] + b',"games":['
        last: tuple[Any, ...] = (-1.0, "", 0, 0)
        comma = b""
        while rows := await self._store.ask(PLAYED, me.id, *last, AT_ONCE):
            for ended, table, game, seat, record in rows:
                told = {"table": table, "game": game, "seat": seat, "ended": ended}
                lines = (record or "").split("\n")
                yield comma + msgspec.json.encode(
                    told | {"record": [line for line in lines if line]}
                )
                comma, last = b",", (ended, table, game, seat)
        yield b'],"carried":['
        async for one in self._carried(me.id):
            yield one
        yield b"]}\n"

    async def _carried(self, profile: str) -> AsyncIterator[bytes]:
        """Write the tables that came from their devices, without what opens their seats."""
        comma = b""
        for name in await self._carrying.known(profile):
            table = await self._carrying.find(profile, name)
            if table is not None:
                yield comma + msgspec.json.encode({"table": name, "entries": table.entries})
                comma = b","

    async def _head(self, me: Profile) -> dict[str, Any]:
        """Tell all but the games; what lets somebody in is not told, nor kept."""
        rated = ("game", "season", "mu", "sigma", "games")
        return {
            "format": FORMAT,
            "profile": me,
            "passkeys": await self._passkeys.all(me.id),
            "devices": await self._profiles.logins(me.id),
            "printed_code": await self._codes.has_paper(me.id),
            "tables": await self._profiles.tables(me.id, MOST_TABLES),
            "tournaments": [
                {"cup": name, "title": cup.title, "name": member.name}
                async for name, cup in self._cups.of(me.id)
                for member in cup.members
                if member.profile == me.id
            ],
            "ratings": [
                dict(zip(rated, row, strict=True)) for row in await self._store.ask(RATINGS, me.id)
            ],
        }
