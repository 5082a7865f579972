"""The ways in to what is one's own: tables, finished games, and the figures drawn of them."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from tischlein.bots.coach import Lesson
from tischlein.house.house import NAME, House
from tischlein.house.limits import PerAddress
from tischlein.people import People
from tischlein.people.history import NEWEST, cursor_in, written
from tischlein.people.insights import (
    Asked,
    Insight,
    Key,
    insight_in,
    read_insight,
    summed,
    told,
)
from tischlein.people.mine import MOST_SEATS
from tischlein.server import wire
from tischlein.server.answers import Problem, answer
from tischlein.server.dear import Dear
from tischlein.server.requests import LOGIN, caller, person_of, read

MOST_NEW: Final = 12
"""So many games are counted for one answer; who wants more asks again."""
MOST_NOTED: Final = 1000
"""Of so many games it is remembered that their luck is kept."""


class MineApi:
    """Answers about what is the caller's own."""

    def __init__(self, house: House, people: People, dear: Dear) -> None:
        self._house, self._people, self._dear = house, people, dear
        settings = house.settings
        self._looks = PerAddress(settings.looks_per_second, settings.looks_at_once)
        self._noted: OrderedDict[Key, None] = OrderedDict()

    async def tables(self, request: Request) -> Response:
        """Tell how the caller's tables stand."""
        network = caller(request)
        if not self._looks.take(network, self._house.now()):
            raise Problem(429, "too_often", "you have just asked; wait a moment")
        asked = await read(request, wire.AskMine, self._house.settings)
        profile = await self._somebody(request)
        more = await self._people.profiles.tables(profile, MOST_SEATS) if profile else []
        found, gone = await self._people.mine.look(asked.seats, more, profile, network)
        return answer(wire.ToldMine(tuple(found), tuple(gone)))

    async def _somebody(self, request: Request) -> str:
        """Say whose profile it is; nobody's without a login, or with one that was ended.

        A device that is no longer signed in still has its seats.
        """
        login = request.headers.get(LOGIN)
        return await self._people.profiles.known(login) or "" if login else ""

    async def games(self, request: Request) -> Response:
        """List the finished games of the caller's profile."""
        profile = await person_of(request, self._people)
        text = request.query_params.get("before")
        before = NEWEST if text is None else cursor_in(text)
        if before is None:
            raise Problem(422, "bad_before", "`before` is the `next` of the answer before")
        found, following = await self._people.history.games(profile, before)
        return answer(wire.ToldGames(tuple(found), written(following)))

    async def figures(self, request: Request) -> Response:
        """Tell what there is to look at in games: who knows a table may read its records."""
        asked = await read(request, wire.AskFigures, self._house.settings)
        return answer(await self._figures(asked.games, caller(request)))

    async def my_figures(self, request: Request) -> Response:
        """Tell what there is to look at in the games of the caller's profile."""
        profile = await person_of(request, self._people)
        games = await self._people.history.last(profile)
        return answer(await self._figures(games, caller(request)))

    async def _figures(self, asked: Sequence[Asked], network: str) -> wire.ToldFigures:
        named = [(table, number) for table, number, _ in asked if NAME.fullmatch(table)]
        games = list(dict.fromkeys(named))
        known = await self._people.insights.find(games)
        missing = await self._people.insights.there([game for game in games if game not in known])
        for game in missing[:MOST_NEW]:
            found = await self._count(game, network)
            if found is not None:
                known[game] = found
        rows = [(one, known[one[:2]]) for one in asked if one[:2] in known]
        rows = [(one, it) for one, it in rows if told(one, it) is not None]
        people = [one[:2] for one, it in rows if any(f.people for f in it.figures[one[2]])]
        names = await self._people.insights.names(people)
        return wire.ToldFigures(
            tuple(it for it in (told(*row) for row in rows) if it is not None),
            tuple(summed(rows, names)),
            max(0, len(missing) - MOST_NEW),
        )

    async def _count(self, game: Key, network: str) -> Insight | None:
        """Count what there is in a game, once; None if nobody has kept it."""
        record = await self._house.store.record(*game)
        if record is None:
            return None
        found = await self._made(game, record, network)
        await self._people.insights.keep(game, found)
        return found

    async def _made(self, game: Key, record: str, network: str) -> Insight:
        """Play a game through off the event loop, when its turn comes."""
        make = partial(insight_in, record)
        return read_insight.decode(await self._dear.give(("figures", game), network, make))

    async def keep_luck(self, game: Key, record: str, lesson: Lesson, network: str) -> None:
        """Keep what the coach has found of luck in a game, once."""
        if game in self._noted:
            return
        known = (await self._people.insights.find([game])).get(game)
        if known is None or not known.luck:
            found = known or await self._made(game, record, network)
            luck = tuple(round(account.luck, 4) for account in lesson.ledger)
            await self._people.insights.keep(game, replace(found, luck=luck))
        self._noted[game] = None
        if len(self._noted) > MOST_NOTED:
            self._noted.popitem(last=False)
