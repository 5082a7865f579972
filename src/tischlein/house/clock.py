"""The clock of a server: its own steady one, set by the time that all servers share."""

import time
from collections import deque
from collections.abc import Callable
from statistics import median
from typing import Final

SAMPLES: Final = 16
STEP: Final = 0.005
"""The most by which one sample moves the clock, in seconds: a game never sees it jump."""
FAR: Final = 0.25
"""A clock that is farther off than this is set at once."""


class Clock:
    """Gives the time in seconds; alone it only goes on, with others it follows the shared time."""

    def __init__(
        self,
        steady: Callable[[], float] = time.monotonic,
        begun: Callable[[], float] = time.time,
    ) -> None:
        """Go on with a steady clock; where it begins another one tells, once."""
        self._steady = steady
        self._offset = begun() - steady()
        self._samples: deque[tuple[float, float]] = deque(maxlen=SAMPLES)

    def now(self) -> float:
        """Give the time."""
        return self._offset + self._steady()

    def compare(self, sent: float, shared: float, heard: float) -> None:
        """Take in what the shared time was between two readings of `now`."""
        offset = self._offset + shared - (sent + heard) / 2
        self._samples.appendleft((heard - sent, offset))
        gap = median(self._best()) - self._offset
        self._offset += gap if abs(gap) > FAR else max(-STEP, min(STEP, gap))

    def _best(self) -> list[float]:
        """Give the offsets that were measured with the shortest trips: at least half of all."""
        ordered = sorted(self._samples, key=lambda sample: sample[0])
        return [offset for _, offset in ordered[: (len(ordered) + 1) // 2]]

    @property
    def uncertainty(self) -> float:
        """Say how far off this clock may be, in ms: so far is the farthest good sample."""
        return max((abs(offset - self._offset) for offset in self._best()), default=0.0) * 1000
