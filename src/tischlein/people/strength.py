"""How strong somebody seems, and how sure that is: Plackett and Luce's model, counted in points.

The sums are those of Weng and Lin (`openskill`). 400 points more are about ten times the chance to
finish before somebody. Pure: no clock, no store.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from tischlein.game import ranking
from tischlein.record import BadRecord, replay

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MIDDLE: Final = 1000.0
"""Where everybody begins."""
UNKNOWN: Final = 200.0
"""How far apart people are thought to be before they have played."""
LUCK: Final = 100.0
"""How much one game of two tells: the more, the less."""
DRIFT: Final = 4.0
"""How much people change from game to game."""
SURE: Final = 100.0
"""Below this a rating is no longer provisional."""
ALL_TIME: Final = "all"
"""The season that never ends."""


class Strength(Struct, frozen=True):
    """What the games so far say of somebody: the best guess, and its standard deviation."""

    mu: float = MIDDLE
    sigma: float = UNKNOWN

    @property
    def worth(self) -> float:
        """Give what somebody is worth almost surely: by this they are put in order."""
        return self.mu - self.doubt

    @property
    def doubt(self) -> float:
        """Say how far off the guess may be: about 95 of 100 are within this."""
        return 2 * self.sigma

    @property
    def is_provisional(self) -> bool:
        """Say whether too little is known yet."""
        return self.sigma > SURE


class Outcome(Struct, frozen=True):
    """How a game ended: the seats in order, best first, equal ones together."""

    game: str
    order: tuple[tuple[int, ...], ...]


def after(before: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """Say how strong some people seem after a game among them; equal places are ties."""
    model = model_for(len(before))
    teams = [[model.create_rating([one.mu, one.sigma])] for one in before]
    found = model.rate(teams, ranks=[float(place) for place in places])
    return [Strength(one.mu, one.sigma) for (one,) in found]


@cache
def model_for(players: int) -> "PlackettLuce":
    """Give the model for so many players: points mean the same at tables of all sizes."""
    from openskill.models import PlackettLuce

    luck = LUCK * sqrt(2 / players)
    return PlackettLuce(mu=MIDDLE, sigma=UNKNOWN, beta=luck, tau=DRIFT, gamma=whole)


def whole(*about: Any) -> float:
    """Let a game take away as much doubt as it should; by default it takes less."""
    return 1.0


def outcome_of(record: str) -> Outcome:
    """Read from its record how a game ended; raises BadRecord if it did not."""
    game = replay(record.split("\n"))
    if game.result is None:
        raise BadRecord(game.lines, "the game has no end")
    return Outcome(game.header.game, ranking(game.rules, game.state))


def places_of(
    order: Sequence[Sequence[int]], seats: Sequence[int], left: Collection[int]
) -> list[int]:
    """Give the place of each of these seats; who has left comes after all others."""
    place = {seat: number for number, level in enumerate(order) for seat in level}
    return [len(order) if seat in left else place[seat] for seat in seats]


def month_of(when: float) -> str:
    """Name the month of a moment."""
    return f"{datetime.fromtimestamp(when, UTC):%Y-%m}"
