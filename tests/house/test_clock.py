"""The clock of a server among others: set by the shared time, honest about how well."""

import random

import pytest

from tischlein.house.clock import FAR, SAMPLES, STEP, Clock


class World:
    """A shared time, a server's own clock that is off, and a line between them."""

    def __init__(self, off: float, drift: float = 0.0, trip: float = 0.004) -> None:
        self.true, self.off, self.drift, self.trip = 1000.0, off, drift, trip
        self.rng = random.Random(3)
        self.clock = Clock(lambda: self.true * (1 + self.drift) + self.off)

    def ask(self) -> None:
        """Ask for the shared time once, over a line that is not even."""
        sent = self.clock.now()
        self.true += self.trip * self.rng.random()
        shared = self.true
        self.true += self.trip * self.rng.random()
        self.clock.compare(sent, shared, self.clock.now())

    def error(self) -> float:
        """Say how far off the clock is, in ms."""
        return abs(self.clock.now() - self.true) * 1000


def test_where_it_begins_another_clock_tells_once() -> None:
    steady, begun = [5.0], [700.0]
    clock = Clock(lambda: steady[0], lambda: begun[0])
    assert clock.now() == 700.0
    steady[0], begun[0] = 7.5, 0.0
    assert clock.now() == 702.5


def test_alone_it_only_goes_on() -> None:
    world = World(0.0)
    before = world.clock.now()
    world.true += 5.0
    assert world.clock.now() == pytest.approx(before + 5.0)
    assert world.clock.uncertainty == 0.0


@pytest.mark.parametrize("off", [0.0, 7.3, -86_400.0, 1e9])
def test_in_company_it_agrees_within_what_it_says(off: float) -> None:
    world = World(off)
    for _ in range(SAMPLES):
        world.ask()
    assert world.error() <= world.clock.uncertainty + world.trip * 500
    assert world.clock.uncertainty < 5.0


def test_a_slow_answer_counts_for_little() -> None:
    world = World(3.0)
    for n in range(SAMPLES):
        world.trip = 0.5 if n % 4 == 3 else 0.002
        world.ask()
    assert world.error() < 2.0
    assert world.clock.uncertainty < 3.0


def test_it_never_jumps_in_a_game_and_says_what_is_yet_to_go() -> None:
    world = World(0.0, trip=0.0)
    for _ in range(SAMPLES):
        world.ask()
    world.off += 0.1
    for _ in range(SAMPLES):
        before = world.clock.now()
        world.ask()
        assert abs(world.clock.now() - before) <= STEP + 1e-9
        assert world.error() <= world.clock.uncertainty + 1e-6
    for _ in range(3 * SAMPLES):
        world.ask()
    assert world.error() < 0.01


def test_a_clock_that_is_far_off_is_set_at_once() -> None:
    world = World(0.0, trip=0.0)
    for _ in range(SAMPLES):
        world.ask()
    world.off += 4 * FAR
    for _ in range(SAMPLES):
        world.ask()
    assert world.error() < 0.01


def test_drift_is_followed() -> None:
    world = World(0.0, drift=5e-5)
    for _ in range(200):
        world.true += 1.0
        world.ask()
    assert world.error() < 5.0
