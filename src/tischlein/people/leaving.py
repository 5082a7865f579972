"""To be forgotten: a profile goes with all that is its own; what others share keeps "somebody".

First the profile itself is gone, with every login, and a farewell is noted in the same step. What
follows can be done twice, and is: at once, and once more later, by whichever server comes first.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tischlein.game import Refusal
from tischlein.house.house import House, is_of_a_device
from tischlein.store import Step
from tischlein.table import entries as e
from tischlein.table.needs import Conflict, StoreDown
from tischlein.table.seating import SOMEBODY

log = logging.getLogger("tischlein.people")

ONCE_MORE: Final = 120.0
"""After so many seconds it is looked once more for what was on its way when somebody left."""
AT_ONCE: Final = 100
"""So many farewells, and so many tables of one, are seen to at a time."""
TRIES: Final = 5
OWN: Final = ("logins", "passkeys", "sits", "ratings", "played", "carried")
"""What is kept of a profile alone."""
CODES: Final = "DELETE FROM codes WHERE profile = $1 AND purpose <> 'leaving'"
"""Also one that was made while its owner left: nothing else would ever take it away."""

Farewell = Callable[[str], Awaitable[None]]


class Leaving:
    """Lets people go for good."""

    def __init__(self, house: House) -> None:
        self._house, self._store, self._now = house, house.store, house.now
        self.others: list[Farewell] = []
        """What other parts of the house must do when somebody goes; may be done twice."""

    async def begin(self, profile: str) -> None:
        """Take a profile away at once, and note what is still to be done."""
        farewell = """
            INSERT INTO codes (code, profile, purpose, until) VALUES ($1, $2, 'leaving', $3)
            ON CONFLICT (code) DO NOTHING
        """
        await self._store.together(
            Step(farewell, (f"leaving {profile}", profile, self._now() + ONCE_MORE)),
            Step("DELETE FROM profiles WHERE id = $1", (profile,)),
            Step("DELETE FROM logins WHERE profile = $1", (profile,)),
            Step("DELETE FROM passkeys WHERE profile = $1", (profile,)),
            Step(CODES, (profile,)),
        )

    async def go_on(self) -> None:
        """See to all farewells that are noted, here or by a server that fell silent."""
        words = "SELECT profile FROM codes WHERE purpose = 'leaving' LIMIT $1"
        for (profile,) in await self._store.ask(words, AT_ONCE):
            try:
                await self.finish(profile)
            except StoreDown:
                raise
            except Exception:  # the others shall not wait for it
                log.exception("somebody who leaves is not forgotten yet")

    async def finish(self, profile: str) -> None:
        """Take away all that was theirs; when it is late enough for stragglers, the farewell."""
        while tables := await self._tables(profile):
            for table in tables:
                await self._leave_table(profile, table)
        for farewell in self.others:
            await farewell(profile)
        for name in OWN:
            words = f"DELETE FROM {name} WHERE profile = $1"  # noqa: S608  # our own names
            await self._store.ask(words, profile)
        await self._store.ask(CODES, profile)
        words = "DELETE FROM codes WHERE code = $1 AND until < $2"
        await self._store.ask(words, f"leaving {profile}", self._now())

    async def _tables(self, profile: str) -> list[str]:
        """Name some tables at which somebody sat, or whose games they have played."""
        words = """
            SELECT name FROM sits WHERE profile = $1
            UNION SELECT name FROM played WHERE profile = $1 LIMIT $2
        """
        return [row[0] for row in await self._store.ask(words, profile, AT_ONCE)]

    async def _leave_table(self, profile: str, name: str) -> None:
        """Make somebody nobody in particular at a table: who is there is told, then the past."""
        was_here = name in self._house.tables
        try:
            table = await self._house.find(name)
        except Refusal:  # its game is no longer here: what was kept is still written anew
            table = None
        if table is not None:
            for seat, chair in enumerate(table.book.chairs):
                if chair.profile == profile:
                    words = "DELETE FROM pushes WHERE name = $1 AND seat = $2"
                    await self._store.ask(words, name, seat)
            await table.seating.forget(profile)
        for _ in range(TRIES):
            if await self._store.together(*await self._rewriting(profile, name)) is not None:
                break
        else:
            raise Conflict("busy", "others write to this table")
        if not was_here:  # somebody may have sat at thousands
            self._house.let_go(name)

    async def _rewriting(self, profile: str, name: str) -> list[Step]:
        """Say what is written anew, all at once: entries and records tell the same of a seat.

        What came from somebody's own device is nobody else's, and goes.
        """
        if is_of_a_device(name):
            kept = ("played", "insights", "records")
            return [Step(f"DELETE FROM {one} WHERE name = $1", (name,)) for one in kept]  # noqa: S608
        rewrite = "UPDATE entries SET entry = $3 WHERE name = $1 AND number = $2"
        told = await self._entries(profile, name)
        entries = [Step(rewrite, (name, number, entry)) for number, entry in told]
        # Somebody else may leave at the same time: what they have written must not be undone.
        keep = """
            UPDATE records SET record = $3 WHERE name = $1 AND game = $2 AND record = $4
            RETURNING name
        """
        told_of = await self._records(profile, name)
        records = [Step(keep, (name, game, new, old), rows=1) for game, new, old in told_of]
        insights = """
            DELETE FROM insights WHERE name = $1 AND game IN (
                SELECT game FROM played WHERE name = $1 AND profile = $2
            ) AND NOT EXISTS (
                SELECT 1 FROM played WHERE played.name = insights.name
                AND played.game = insights.game AND played.profile <> $2
            )
        """
        theirs = (name, profile)
        return [
            *entries,
            *records,
            Step(insights, theirs),
            Step("DELETE FROM played WHERE name = $1 AND profile = $2", theirs),
            Step("DELETE FROM sits WHERE name = $1 AND profile = $2", theirs),
        ]

    async def _entries(self, profile: str, name: str) -> list[tuple[int, bytes]]:
        """Write anew where somebody sat down at a table."""
        found = []
        mark = profile.encode()
        for number, line in enumerate(await self._store.load(name), start=1):
            entry = e.decoder.decode(line) if mark in line else None
            if isinstance(entry, e.Sat) and entry.profile == profile:
                nobody = replace(entry, name=SOMEBODY, profile=None)
                found.append((number, e.encoder.encode(nobody)))
        return found

    async def _records(self, profile: str, name: str) -> list[tuple[int, str, str]]:
        """Write the records of somebody's games at a table anew: the game, and new and old."""
        words = """
            SELECT played.game, played.seat, records.record FROM played JOIN records
            ON records.name = played.name AND records.game = played.game
            WHERE played.name = $1 AND played.profile = $2
        """
        seats: dict[int, list[int]] = {}
        old: dict[int, str] = {}
        for game, seat, record in await self._store.ask(words, name, profile):
            seats.setdefault(game, []).append(seat)
            old[game] = record
        return [(game, nameless(old[game], seats[game]), old[game]) for game in seats]


def nameless(record: str, seats: list[int]) -> str:
    """Write a record without the names of some seats: the rest of it stays as it is."""
    first, rest = record.split("\n", 1)
    header: dict[str, Any] = msgspec.json.decode(first)
    for seat in seats:
        header["seats"][seat] = SOMEBODY
    return "\n".join([msgspec.json.encode(header).decode(), rest])
