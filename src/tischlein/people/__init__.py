"""Those who come back: profiles, what they have played, ratings, cups, and how they are called."""

import asyncio
import logging
from typing import Final

from tischlein.house.house import House
from tischlein.people import push
from tischlein.people.carried import Carrying
from tischlein.people.codes import Codes
from tischlein.people.cups import Cups
from tischlein.people.history import History
from tischlein.people.insights import Insights
from tischlein.people.leaving import Leaving
from tischlein.people.mine import Mine
from tischlein.people.my_data import MyData
from tischlein.people.nudges import Nudges
from tischlein.people.operator import Operator
from tischlein.people.passkeys import Passkeys
from tischlein.people.profiles import Profiles
from tischlein.people.ratings import Ratings
from tischlein.people.seeks import Seeks

log = logging.getLogger("tischlein.people")

LOGIN_LASTS: Final = 365 * 86_400.0
"""A device that nobody has used for so many seconds is no longer signed in."""


class People:
    """What a house knows of people beside its tables, put together."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.profiles = Profiles(house.store, house.now)
        self.codes = Codes(house.store, house.now, house.mark)
        self.passkeys = Passkeys(house.store, self.profiles, self.codes, house.now)
        self.cups = Cups(house, self.profiles)
        self.carrying = Carrying(house.store, house.now)
        self.my_data = MyData(
            house.store, self.profiles, self.passkeys, self.codes, self.cups, self.carrying
        )
        self.mine = Mine(house)
        self.history = History(house.store)
        self.insights = Insights(house.store)
        self.leaving = Leaving(house)
        self.nudges = house.nudges = Nudges(house)
        self.leaving.others.append(self.cups.forget)
        self.ratings = Ratings(house.store)
        self.operator = Operator(house)
        self.seeks = Seeks(house, self.profiles)
        self.seeks.worth = self.ratings.worth
        self._keeping: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Begin with what goes on by itself; the store is open."""
        if push.is_possible():
            await self.nudges.key()
        await self.operator.key()
        self._house.when_ended.append(self.ratings.game_ended)
        self._keeping = [
            self._house.spawn(self._keep()),
            self._house.spawn(self.cups.keep_tidy()),
            self._house.spawn(self.ratings.go_on()),
        ]

    async def close(self) -> None:
        """Let go of everything."""
        for task in self._keeping:
            task.cancel()
        self.nudges.close()

    async def _keep(self) -> None:
        """At the start and now and then: finish farewells, forget what is past its time."""
        while True:
            await self.tidy()
            await asyncio.sleep(self._house.settings.housekeeping)

    async def tidy(self) -> None:
        """Finish farewells, forget what is past its time; what fails holds up nothing else."""
        since = self._house.now() - LOGIN_LASTS
        for do in (self.leaving.go_on, self.codes.tidy, lambda: self.profiles.tidy(since)):
            try:
                await do()
            except Exception:  # the store may be in trouble: next time, then
                log.exception("seeing to people")
