"""Ratings: what games among profiles at open tables say of them, each game counted once.

A game waits in `unrated` from the page that ended it. Whoever rates it takes it from there and
writes all new ratings in one transaction, which holds only if nobody has changed them meanwhile:
any number of servers may try, and any of them may die.
"""

import asyncio
import contextlib
import logging
from typing import Final, NamedTuple

from msgspec import Struct

from tischlein.people.profiles import profile_of
from tischlein.people.strength import (
    ALL_TIME,
    SURE,
    Outcome,
    Strength,
    after,
    month_of,
    outcome_of,
    places_of,
)
from tischlein.store import Step, Store

log = logging.getLogger("tischlein.people")

AT_ONCE: Final = 50
"""So many games are rated in one go."""
TRIES: Final = 20
"""So often a game is tried that others change meanwhile; then later."""
EVERY: Final = 5.0
"""After so many seconds we look for games that were left unrated."""
TOP: Final = 50
"""So many stand on a board."""

UNRATED: Final = "SELECT name, game FROM unrated ORDER BY ended, name, game LIMIT $1"
PLAYERS: Final = """
    SELECT played.seat, played.profile, played.left_early, unrated.ended FROM unrated
    JOIN played ON played.name = unrated.name AND played.game = unrated.game
    JOIN profiles ON profiles.id = played.profile
    WHERE unrated.name = $1 AND unrated.game = $2 ORDER BY played.profile
"""
KNOWN: Final = """
    SELECT profile, season, mu, sigma, games FROM ratings
    WHERE profile IN (SELECT value FROM {names}) AND game = $2 AND season IN ($3, $4)
"""
TAKE: Final = "DELETE FROM unrated WHERE name = $1 AND game = $2 RETURNING game"
HOLD: Final = "UPDATE profiles SET seen = seen WHERE id = $1 RETURNING id"
"""Keeps somebody from being deleted until all is written."""
FIRST: Final = """
    INSERT INTO ratings (profile, game, season, games, mu, sigma, worth, at, gained, last)
    VALUES ($1, $2, $3, $4 + 1, $5, $6, $7, $8, $9, CAST($10 AS TEXT))
    ON CONFLICT (profile, game, season) DO NOTHING RETURNING games
"""
NEXT: Final = """
    UPDATE ratings SET games = games + 1, mu = $5, sigma = $6, worth = $7, at = $8, gained = $9,
        last = CAST($10 AS TEXT)
    WHERE profile = $1 AND game = $2 AND season = $3 AND games = $4 RETURNING games
"""
BOARD: Final = """
    SELECT profiles.id, profiles.made, profiles.seen, profiles.body,
        ratings.mu, ratings.sigma, ratings.games
    FROM ratings JOIN profiles ON profiles.id = ratings.profile
    WHERE ratings.game = $1 AND ratings.season = $2 AND ratings.sigma {known} $3
    ORDER BY ratings.worth DESC, ratings.profile LIMIT $4
"""
SURE_ONES: Final = BOARD.replace("{known}", "<=")
OTHERS: Final = BOARD.replace("{known}", ">")
MINE: Final = """
    SELECT game, mu, sigma, games, gained, last FROM ratings
    WHERE profile = $1 AND season = $2 ORDER BY game
"""
BEFORE_ME: Final = """
    SELECT count(*) FROM ratings JOIN profiles ON profiles.id = ratings.profile
    WHERE ratings.game = $1 AND ratings.season = $2 AND ratings.sigma <= $3
        AND (ratings.worth > $4 OR (ratings.worth = $4 AND ratings.profile < $5))
"""


class Player(NamedTuple):
    """Somebody who played a game that is to be rated."""

    seat: int
    profile: str
    left: bool


class Game(NamedTuple):
    """A game that is to be rated: who played it, when it ended, and how."""

    name: str
    number: int
    players: tuple[Player, ...]
    ended: float
    outcome: Outcome

    @property
    def places(self) -> list[int]:
        """Give the players' places among themselves; who has left comes last."""
        seats = [player.seat for player in self.players]
        left = {player.seat for player in self.players if player.left}
        return places_of(self.outcome.order, seats, left)


class Row(Struct, frozen=True):
    """Somebody on a board."""

    profile: str
    name: str
    strength: Strength
    games: int


class Own(Struct, frozen=True):
    """Somebody's own rating in a game; `last` is the game that changed it last, TABLE/NUMBER."""

    game: str
    strength: Strength
    games: int
    gained: float
    last: str


class Ratings:
    """Rates games, and tells who is how strong."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ended = asyncio.Event()

    # Rating

    def game_ended(self, table: str, game: int) -> None:
        """Hear that there may be something to rate."""
        self._ended.set()

    async def go_on(self) -> None:
        """Rate what has ended here at once, and now and then what is left."""
        while True:
            self._ended.clear()
            try:
                while await self.rate_some():
                    pass
            except Exception as problem:  # the store may be in trouble: next time, then
                log.warning("games stay unrated for now: %s", type(problem).__name__)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), EVERY)

    async def rate_some(self) -> int:
        """Rate what waits, the oldest first; say how many games were rated here."""
        found = await self._store.ask(UNRATED, AT_ONCE)
        return sum([await self.rate(name, number) for name, number in found])

    async def rate(self, name: str, number: int) -> bool:
        """Rate a game, once for all; False if another did, or it cannot be rated."""
        for _ in range(TRIES):
            game = await self._read(name, number)
            if game is None:
                await self._store.ask(TAKE, name, number)
                return False
            if await self._store.together(*await self._steps(game)) is not None:
                return True
        return False

    async def _read(self, name: str, number: int) -> Game | None:
        """Read a game that waits; None if there is none, or nothing can be learnt from it."""
        rows = await self._store.ask(PLAYERS, name, number)
        if len(rows) < 2:  # the others are gone for good
            return None
        players = tuple(Player(seat, profile, bool(left)) for seat, profile, left, _ in rows)
        record = await self._store.record(name, number) or ""
        try:
            outcome = await asyncio.to_thread(outcome_of, record)
            game = Game(name, number, players, rows[0][3], outcome)
            return game if game.places else None
        except Exception as problem:  # whatever is wrong with it, others must not wait behind it
            log.warning("table=%s game=%d cannot be rated: %s", name, number, problem)
            return None

    async def _steps(self, game: Game) -> list[Step]:
        """Say what must be written together for a game to count, for the month and all time."""
        seasons = ALL_TIME, month_of(game.ended)
        profiles = [player.profile for player in game.players]
        values = self._store.listed(profiles), game.outcome.game, *seasons
        rows = await self._store.ask(KNOWN, *values)
        known = {(who, season): (Strength(mu, sigma), n) for who, season, mu, sigma, n in rows}
        steps = [Step(TAKE, (game.name, game.number), 1)]
        steps += [Step(HOLD, (profile,), 1) for profile in profiles]
        for season in seasons:
            old = [known.get((profile, season), (Strength(), 0)) for profile in profiles]
            new = after([strength for strength, _ in old], game.places)
            for profile, (was, games), now in zip(profiles, old, new, strict=True):
                which = profile, game.outcome.game, season, games
                told = now.mu - was.mu, f"{game.name}/{game.number}"
                rating = now.mu, now.sigma, now.worth, game.ended
                steps.append(Step(NEXT if games else FIRST, (*which, *rating, *told), 1))
        return steps

    # Telling

    async def board(self, game: str, season: str) -> list[Row]:
        """List the best: first those of whom enough is known."""
        rows = await self._store.ask(SURE_ONES, game, season, SURE, TOP)
        if len(rows) < TOP:
            rows = [*rows, *await self._store.ask(OTHERS, game, season, SURE, TOP - len(rows))]
        return [
            Row(who, profile_of(who, made, seen, body).name, Strength(mu, sigma), games)
            for who, made, seen, body, mu, sigma, games in rows
        ]

    async def of(self, profile: str, season: str = ALL_TIME) -> list[Own]:
        """List somebody's own ratings, by game."""
        rows = await self._store.ask(MINE, profile, season)
        return [Own(game, Strength(mu, sigma), *rest) for game, mu, sigma, *rest in rows]

    async def place(self, profile: str, own: Own, season: str) -> int | None:
        """Give somebody's place on a board; None while too little is known."""
        if own.strength.is_provisional:
            return None
        values = own.game, season, SURE, own.strength.worth, profile
        ((before,),) = await self._store.ask(BEFORE_ME, *values)
        return int(before) + 1

    async def worth(self, profile: str, game: str) -> float | None:
        """Say what somebody is worth in a game almost surely; None if they have no rating."""
        found = [own for own in await self.of(profile) if own.game == game]
        return found[0].strength.worth if found else None
