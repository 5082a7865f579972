"""Leader boards, and one's own ratings."""

import re
from collections import OrderedDict
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from tischlein.games import game_names
from tischlein.house.house import House
from tischlein.people import People
from tischlein.people.ratings import Own, Row
from tischlein.people.strength import ALL_TIME, Strength, month_of
from tischlein.server.answers import Problem, answer
from tischlein.server.requests import guest_of, person_of

FRESH: Final = 5.0
"""So many seconds a board is not made anew."""
MOST_KEPT: Final = 64
"""So many boards are kept so long."""
MONTH: Final = re.compile(r"2[0-9]{3}-(0[1-9]|1[0-2])")


class ToldRating(Struct, frozen=True):
    """A rating as people are shown it: in truth it is within `doubt` of it, almost surely."""

    rating: int
    doubt: int
    provisional: bool
    games: int


class Standing(ToldRating, frozen=True):
    """Somebody on a board; who is provisional has no place."""

    place: int | None
    name: str
    me: bool


class Board(Struct, frozen=True):
    """The best in a game; `mine`: the caller's own row, wherever it stands."""

    game: str
    season: str
    seasons: tuple[str, ...]
    """What to choose from: all time, this month, the month before."""
    rows: tuple[Standing, ...]
    mine: Standing | None


class OwnRating(ToldRating, frozen=True):
    """One's own rating in a game, and what the last game (`last`: TABLE/NUMBER) has changed."""

    game: str
    gained: int
    last: str


class OwnRatings(Struct, frozen=True):
    """One's own ratings, by game."""

    ratings: tuple[OwnRating, ...]


class BoardsApi:
    """Tells who is how strong."""

    def __init__(self, house: House, people: People) -> None:
        self._house, self._people = house, people
        self._kept: OrderedDict[tuple[str, str], tuple[float, list[Row]]] = OrderedDict()

    async def show(self, request: Request) -> Response:
        """Show the best in a game, and the caller's own place."""
        game = str(request.path_params["game"])
        if game not in game_names():
            raise Problem(404, "no_game", "there is no such game")
        season = request.query_params.get("season", ALL_TIME)
        if season != ALL_TIME and not MONTH.fullmatch(season):
            raise Problem(422, "bad_season", f"`season` is `{ALL_TIME}`, or a month like 2026-11")
        me = await self._caller(request)
        rows = await self._rows(game, season)
        standings = tuple(standing(row, place, me) for place, row in enumerate(rows, start=1))
        mine = None if me is None else await self._mine(me, game, season)
        return answer(Board(game, season, seasons_at(self._house.now()), standings, mine))

    async def mine(self, request: Request) -> Response:
        """Show the caller's own ratings."""
        me = await person_of(request, self._people)
        found = await self._people.ratings.of(me)
        return answer(OwnRatings(tuple(map(told_own, found))))

    async def _caller(self, request: Request) -> str | None:
        """Say who asks; a board is for everybody, also for whose login was ended."""
        try:
            return await guest_of(request, self._people)
        except Problem:
            return None

    async def _rows(self, game: str, season: str) -> list[Row]:
        """Give a board that was made just now, or make it."""
        now = self._house.now()
        made, rows = self._kept.get((game, season), (0.0, []))
        if not 0 <= now - made < FRESH:
            rows = await self._people.ratings.board(game, season)
            self._kept[game, season] = now, rows
            self._kept.move_to_end((game, season))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return rows

    async def _mine(self, me: str, game: str, season: str) -> Standing | None:
        """Give the caller's own row."""
        ratings, profile = self._people.ratings, await self._people.profiles.get(me)
        own = [own for own in await ratings.of(me, season) if own.game == game]
        if not own or profile is None:
            return None
        place = await ratings.place(me, own[0], season)
        return Standing(*told(own[0].strength, own[0].games), place, profile.name, True)


def told(strength: Strength, games: int) -> tuple[int, int, bool, int]:
    """Write a rating as people are shown it."""
    return round(strength.mu), round(strength.doubt), strength.is_provisional, games


def standing(row: Row, place: int, me: str | None) -> Standing:
    """Write a row of a board."""
    number = None if row.strength.is_provisional else place
    return Standing(*told(row.strength, row.games), number, row.name, row.profile == me)


def told_own(own: Own) -> OwnRating:
    """Write one's own rating."""
    return OwnRating(*told(own.strength, own.games), own.game, round(own.gained), own.last)


def seasons_at(now: float) -> tuple[str, ...]:
    """Name the seasons to choose from."""
    this_month = month_of(now)
    first = datetime.strptime(this_month, "%Y-%m").replace(tzinfo=UTC)
    return ALL_TIME, this_month, month_of((first - timedelta(days=1)).timestamp())
