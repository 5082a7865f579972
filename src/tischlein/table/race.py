"""The fair race: who was quicker is decided by what a player did, not by how far away they sit.

Times here are milliseconds after the moment at which the dice were to be shown. Pure: whoever
calls knows the clock.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.kakerlaken.rules import State

RACING: Final = frozenset({kakerlaken.NAME})
"""The games that have races."""
SAMPLES: Final = 16


class RaceRules(Struct, frozen=True):
    """How races are judged at a table."""

    lag_cap_ms: float = 400.0
    """The most lag that is made up for: who looks farther away than this gains nothing by it."""
    false_start_ms: float = 100.0
    """Nobody reads dice faster than this."""
    hold_ms: float = 600.0
    """How long a hand is held back after a false start."""
    lead_ms: float = 400.0
    """How long before they are shown the dice are sent, beside the lag of the farthest player."""
    pause_ms: float = 3000.0
    """How long a photo finish can be looked at before the next roll is sent."""


class Lag:
    """The round trips that the server has measured of one player's line."""

    def __init__(self) -> None:
        self._trips: deque[float] = deque(maxlen=SAMPLES)

    def add(self, round_trip: float) -> None:
        """Take one more measurement in."""
        self._trips.append(round_trip)

    @property
    def worst(self) -> float:
        """Give the longest of the last round trips; nothing measured is no lag."""
        return max(self._trips, default=0.0)

    @property
    def median(self) -> float:
        """Give the usual round trip."""
        trips = sorted(self._trips)
        return trips[len(trips) // 2] if trips else 0.0

    @property
    def uncertainty(self) -> float:
        """Give half of the spread: so far off may an honest time be."""
        return (self.worst - min(self._trips, default=0.0)) / 2

    @property
    def line(self) -> "Line":
        """Give what another server needs to know of it."""
        return Line(round(self.worst, 1), round(self.median, 1), round(self.uncertainty, 1))


class Line(Struct, frozen=True):
    """What another server has measured of a player's line; it looks like a Lag."""

    worst: float
    median: float
    uncertainty: float


class Here(Struct, frozen=True):
    """What a server shows the others of a table: who is there, and since when others are not."""

    seats: dict[int, Line] = {}
    watchers: int = 0
    gone: dict[int, float] = {}


class Stamp(Struct, frozen=True):
    """A deed's time as it was claimed and as it counts; all of it is shown in the photo finish."""

    at: float
    claimed: float
    clamped: bool
    lag: float
    uncertainty: float
    handicap: float = 0.0


def window(lag: Lag | Line, rules: RaceRules) -> float:
    """Say how long before its arrival a deed may have been done."""
    return min(lag.worst, rules.lag_cap_ms)


def stamp(claimed: float, arrival: float, lag: Lag, handicap: float, rules: RaceRules) -> Stamp:
    """Accept a claimed time only inside of what arrival and round trip allow; else clamp it."""
    earliest = max(0.0, arrival - window(lag, rules))
    believed = min(max(claimed, earliest), max(arrival, 0.0))
    return Stamp(
        at=round(max(0.0, believed - handicap), 2),
        claimed=claimed,
        clamped=abs(believed - claimed) > 0.01,
        lag=round(lag.median, 1),
        uncertainty=round(lag.uncertainty, 1),
        handicap=handicap,
    )


def is_false_start(claimed: float, arrival: float, rules: RaceRules) -> bool:
    """Say whether a deed was done before anybody could have read the dice."""
    return min(claimed, arrival) < rules.false_start_ms


def lead(lags: Iterable[Lag | Line], rules: RaceRules) -> float:
    """Say how long ahead a roll is sent, so that it is there before it is to be shown."""
    return rules.lead_ms + max((window(lag, rules) for lag in lags), default=0.0)


def closes_at(state: State, waiting: Mapping[int, float], naming: Mapping[int, float]) -> float:
    """Say when the race is to be closed if nothing more arrives.

    `waiting` are the seats that may still act, `naming` the grabbers who may still name, each with
    the longest time that a deed of theirs can be on its way. A deed that comes after this moment
    was done too late to change the result.
    """
    decisive = kakerlaken.deciding(state)
    last_arrival = state.options.race_ms + max(waiting.values(), default=0.0)
    if decisive is None:
        return last_arrival if waiting else 0.0
    seat, deed = decisive
    settled = deed.at + max(waiting.values()) + 1.0 if waiting else 0.0
    if deed.tile is not None:
        return min(settled, last_arrival)
    if seat in naming:
        settled = max(settled, deed.at + state.options.naming_ms + naming[seat] + 1.0)
    return settled
