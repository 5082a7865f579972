"""Lines: how long messages take between the server and a player, by what was measured.

A line is measured in two ways: by control pings, which the browser itself answers, and by the
page's own echoes. Whoever writes the page can hold the latter back, so the shorter one counts, of
the usual round trip as of the longest.
"""

from collections import deque
from typing import Final

from msgspec import Struct

from tischlein.table.entries import Odd, Stamp
from tischlein.table.settings import RaceRules

SAMPLES: Final = 16
ENOUGH: Final = 3
"""So many round trips of one kind count beside those of the other."""
NOTABLE: Final = 75.0
"""A stated time that is off by more than this, in ms, is shown as odd: slow phones are not."""
HELD_BACK: Final = 100.0
"""Echoes that take so much longer than the line, in milliseconds, are shown as odd."""
FAR: Final = 0.8
"""A line that uses up so much of what is made up for is shown as odd."""
NEARBY: Final = 100.0
"""A line of up to so many milliseconds is not far, also where little or nothing is made up for."""


class Measured(Struct, frozen=True):
    """What a server has measured of a player's line, in milliseconds."""

    worst: float
    """The longest round trip that is to be expected: the usual one and its spread."""
    median: float
    uncertainty: float
    held_back: float = 0.0


class Trips:
    """The last round trips of one kind."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(maxlen=SAMPLES)

    def __len__(self) -> int:
        return len(self._last)

    def add(self, round_trip: float) -> None:
        """Take one more measurement in."""
        self._last.append(round_trip)

    def part(self, share: float) -> float:
        """Give the round trip that this share of all is shorter than; nothing measured is none."""
        trips = sorted(self._last)
        return trips[int(share * len(trips))] if trips else 0.0

    @property
    def usual(self) -> float:
        """Give the usual round trip."""
        return self.part(0.5)

    @property
    def spread(self) -> float:
        """Say by how much an honest round trip may be longer: one long one in four is no reason."""
        return 2 * (self.part(0.75) - self.usual)


class Lag:
    """The round trips that a server has measured of one player's line."""

    def __init__(self) -> None:
        self._pings, self._echoes = Trips(), Trips()

    def add(self, round_trip: float, echo: bool = True) -> None:
        """Take in a round trip: the page's echo, or a control ping that the browser answered."""
        (self._echoes if echo else self._pings).add(round_trip)

    @property
    def _counted(self) -> list[Trips]:
        """Give the kinds of round trips that count; one that was hardly measured only if alone."""
        found = [kind for kind in (self._pings, self._echoes) if kind]
        return [kind for kind in found if len(kind) >= ENOUGH] or found

    @property
    def median(self) -> float:
        """Give the usual round trip."""
        return min((kind.usual for kind in self._counted), default=0.0)

    @property
    def uncertainty(self) -> float:
        """Give its spread: none that only one kind shows, or some held echoes would be one."""
        return self.worst - self.median

    @property
    def worst(self) -> float:
        """Give the longest round trip that is to be expected."""
        return min((kind.usual + kind.spread for kind in self._counted), default=0.0)

    @property
    def held_back(self) -> float:
        """Say how much later the page answers than the line allows; nothing if that is unknown."""
        if min(len(self._pings), len(self._echoes)) < ENOUGH:
            return 0.0
        return max(0.0, self._echoes.usual - self._pings.usual)

    @property
    def measured(self) -> Measured:
        """Give what another server needs to know of it."""
        numbers = self.worst, self.median, self.uncertainty, self.held_back
        return Measured(*(round(number, 1) for number in numbers))


Line = Lag | Measured
UNKNOWN: Final = Measured(0.0, 0.0, 0.0)
"""A line that nobody has measured: no lag is made up for."""


def window(line: Line, rules: RaceRules, ahead: float = 0.0) -> float:
    """Say how long a deed may have been on its way, in ms: there the dice, back the deed.

    So many ms `ahead` the roll had left for somebody else. Two who play together and both look far
    away could tell each other: all in all they gain the cap, not more.
    """
    return min(line.worst + rules.page_ms, rules.lag_cap_ms - ahead)


def head_start(line: Line, rules: RaceRules) -> float:
    """Say by how many ms earlier a roll leaves for this line, to arrive when others see it."""
    return min(line.median, rules.lag_cap_ms) / 2


def stamp(
    claimed: float,
    elapsed: float,
    line: Line,
    handicap: float,
    rules: RaceRules,
    ahead: float = 0.0,
) -> Stamp:
    """Decide what time of a deed counts, by what the line allows; what is outside is clamped.

    `elapsed` are the milliseconds from when the roll left for this line to when the deed came.
    """
    believable = window(line, rules, ahead)
    earliest = max(0.0, elapsed - believable)
    believed = min(max(claimed, earliest), max(elapsed, 0.0))
    return Stamp(
        at=round(max(0.0, believed - handicap), 2),
        claimed=claimed,
        clamped=abs(believed - claimed) > 0.01,
        lag=round(line.median, 1),
        uncertainty=round(line.uncertainty, 1),
        handicap=handicap,
        window=round(believable, 1),
        odd=odd(believed - claimed, line, rules),
    )


def odd(off: float, line: Line, rules: RaceRules) -> tuple[Odd, ...]:
    """Name what looks odd about a deed: its time was not true, its line is strange or long."""
    found: list[Odd] = []
    if abs(off) > NOTABLE + line.uncertainty:
        found.append("clamped")
    if line.held_back > HELD_BACK:
        found.append("echoes")
    if line.worst > max(NEARBY, FAR * rules.lag_cap_ms):
        found.append("far")
    return tuple(found)
