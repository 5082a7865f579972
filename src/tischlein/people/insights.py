"""What is known of finished games beside their records: figures, and the luck that the coach found.

A record never changes, so that what was made of it once is kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from tischlein.figures import Figures, figures_of
from tischlein.people.history import header_of
from tischlein.record import replay
from tischlein.store import Asks

MOST_TIMES: Final = 400
"""So many of the latest times are told."""
FIND: Final = """
    SELECT name, game, body FROM insights
    WHERE name IN (SELECT value FROM {names}) AND game BETWEEN $2 AND $3 LIMIT 4000
"""
NOTE: Final = """
    INSERT INTO insights (name, game, body) VALUES ($1, $2, $3) ON CONFLICT (name, game) DO NOTHING
"""
KEEP: Final = """
    INSERT INTO insights (name, game, body) VALUES ($1, $2, $3)
    ON CONFLICT (name, game) DO UPDATE SET body = excluded.body
"""
THERE: Final = """
    SELECT name, game, 1 FROM records
    WHERE name IN (SELECT value FROM {names}) AND game BETWEEN $2 AND $3 LIMIT 4000
"""
HEADERS: Final = """
    SELECT name, game, substr(record, 1, 6000) FROM records
    WHERE name IN (SELECT value FROM {names}) AND game BETWEEN $2 AND $3 LIMIT 4000
"""

Key = tuple[str, int]
"""A table, and which game there."""
Asked = tuple[str, int, int]
"""And somebody's seat in it."""


class Insight(Struct, frozen=True, omit_defaults=True):
    """What is known of a finished game; no names, so that none must be taken out of it."""

    game: str
    winners: tuple[int, ...]
    figures: Figures
    luck: tuple[float, ...] = ()
    """What the dice and cards brought each seat, as a share of the win; empty: nobody asked."""


class CountedGame(Struct, frozen=True):
    """A game of somebody's: how many played, what share of the win was theirs, and their luck."""

    table: str
    number: int
    seat: int
    game: str
    seats: int
    won: float
    luck: float | None


class SummedFigure(Struct, frozen=True):
    """A figure of all games together; people are counted by their names."""

    game: str
    key: str
    people: bool
    counts: dict[str, int]
    times: tuple[int, ...]


read_insight: Final = msgspec.json.Decoder(Insight)
write_insight: Final = msgspec.json.encode


class Insights:
    """Keeps what is known of finished games."""

    def __init__(self, store: Asks) -> None:
        self._store = store

    async def find(self, games: Sequence[Key]) -> dict[Key, Insight]:
        """Find what is known of games; those of which nothing is are left out."""
        rows = await self._ask(FIND, games)
        return {key: read_insight.decode(body) for key, body in rows.items()}

    async def keep(self, game: Key, insight: Insight) -> None:
        """Keep what was found of a game; figures alone never take the place of luck."""
        words = KEEP if insight.luck else NOTE
        await self._store.ask(words, *game, write_insight(insight))

    async def there(self, games: Sequence[Key]) -> list[Key]:
        """List those of these games that were finished and are kept."""
        rows = await self._ask(THERE, games)
        return [game for game in games if game in rows]

    async def names(self, games: Sequence[Key]) -> dict[Key, tuple[str, ...]]:
        """Tell who played games."""
        rows = await self._ask(HEADERS, games)
        whole = {key: text for key, text in rows.items() if "\n" in text}
        return {key: header_of(text).seats for key, text in whole.items()}

    async def _ask(self, words: str, games: Sequence[Key]) -> dict[Key, Any]:
        """Ask for something of each game."""
        if not games:
            return {}
        numbers, wanted = [number for _, number in games], set(games)
        names = self._store.listed(sorted({name for name, _ in games}))
        rows = await self._store.ask(words, names, min(numbers), max(numbers))
        return {(name, number): it for name, number, it in rows if (name, number) in wanted}


def insight_in(record: str) -> bytes:
    """Play a record through, and write what there is to count."""
    game = replay(record.split("\n"))
    won = game.outcome().winners
    return write_insight(Insight(game.header.game, won, figures_of(game)))


def told(asked: Asked, insight: Insight) -> CountedGame | None:
    """Tell how a game went for a seat; None if there is no such seat."""
    table, number, seat = asked
    if not 0 <= seat < len(insight.figures):
        return None
    won = 1 / len(insight.winners) if seat in insight.winners else 0.0
    luck = insight.luck[seat] if insight.luck else None
    return CountedGame(table, number, seat, insight.game, len(insight.figures), won, luck)


def summed(
    games: Iterable[tuple[Asked, Insight]], names: Mapping[Key, tuple[str, ...]]
) -> list[SummedFigure]:
    """Add up the figures of several games, the newest first."""
    found: dict[tuple[str, str], SummedFigure] = {}
    for (table, number, seat), insight in games:
        for figure in insight.figures[seat]:
            place = insight.game, figure.key
            empty = SummedFigure(*place, figure.people, {}, ())
            called = names.get((table, number), ()) if figure.people else None
            counts = figure.counts if called is None else by_name(figure.counts, called)
            found[place] = added(found.get(place, empty), counts, figure.times)
    return [it for it in found.values() if it.counts or it.times]


def by_name(counts: dict[str, int], names: tuple[str, ...]) -> dict[str, int]:
    """Count people by their names; who is not known is not counted."""
    return {names[int(seat)]: n for seat, n in counts.items() if int(seat) < len(names)}


def added(one: SummedFigure, counts: dict[str, int], times: tuple[int, ...]) -> SummedFigure:
    """Add the figures of one more game."""
    both = {thing: one.counts.get(thing, 0) + counts.get(thing, 0) for thing in one.counts | counts}
    return SummedFigure(one.game, one.key, one.people, both, (one.times + times)[:MOST_TIMES])
