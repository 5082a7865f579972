"""One conformance suite for every bus: it may lose a word, it never makes one up."""

import asyncio
import signal
from collections.abc import Awaitable, Callable

import pytest

from tests.engines import Nats
from tests.waiting import LIMIT, until
from tischlein.bus import Bus, LocalBus
from tischlein.bus.nats import NatsBus

Opener = Callable[[], Bus]


class Ear:
    """Remembers what a server hears."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.heard: list[tuple[str, int]] = []

    async def listen(self, *tables: str) -> "Ear":
        """Start, and follow tables."""
        await self.bus.start(lambda table, entries: self.heard.append((table, entries)))
        for table in tables:
            self.bus.follow(table)
        return self


async def until_heard(ear: Ear, word: tuple[str, int], sayer: Bus) -> None:
    """Say it again until it is heard: a bus may lose words, most of all at first."""
    async with asyncio.timeout(LIMIT):
        while word not in ear.heard:
            sayer.say(*word)
            await asyncio.sleep(0.05)


@pytest.fixture(params=["local", "nats"])
def opener(request: pytest.FixtureRequest) -> Opener:
    """Give a way to join one bus of each kind."""
    if request.param == "nats":
        address = request.getfixturevalue("nats").address
        return lambda: NatsBus(address)
    room: set[LocalBus] = set()
    return lambda: LocalBus(room)


def conform(
    test: Callable[[Ear, Ear], Awaitable[None]],
) -> Callable[[Opener], Awaitable[None]]:
    """Run a check with two servers on every bus."""

    async def run(opener: Opener) -> None:
        one, two = Ear(opener()), Ear(opener())
        try:
            await asyncio.wait_for(test(one, two), LIMIT)
        finally:
            await one.bus.close()
            await two.bus.close()

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@conform
async def test_others_hear_what_is_said_of_tables_they_follow(one: Ear, two: Ear) -> None:
    await one.listen("bus-a")
    await two.listen("bus-a", "bus-b")
    await until_heard(two, ("bus-a", 7), one.bus)
    await until_heard(one, ("bus-a", 8), two.bus)
    await until_heard(two, ("bus-b", 9), one.bus)
    assert set(one.heard) == {("bus-a", 8)}, "neither oneself nor what one does not follow"
    assert set(two.heard) == {("bus-a", 7), ("bus-b", 9)}


@conform
async def test_what_is_no_longer_followed_is_not_heard(one: Ear, two: Ear) -> None:
    await one.listen("bus-c")
    await two.listen("bus-c", "bus-d")
    await until_heard(two, ("bus-c", 1), one.bus)
    two.bus.unfollow("bus-c")
    await until_heard(two, ("bus-d", 1), one.bus)
    two.bus.follow("bus-h")  # heard of it, the bus has also heard what was asked before
    await until_heard(two, ("bus-h", 1), one.bus)
    one.bus.say("bus-c", 2)
    await until_heard(two, ("bus-d", 2), one.bus)
    await until_heard(two, ("bus-d", 3), one.bus)  # of two words in one breath either may be first
    assert ("bus-c", 2) not in two.heard


@conform
async def test_the_last_word_arrives(one: Ear, two: Ear) -> None:
    """A burst may be told in fewer words, but its last is among them."""
    await one.listen()
    await two.listen("bus-e")
    await until_heard(two, ("bus-e", 0), one.bus)
    for entries in range(1, 2001):
        one.bus.say("bus-e", entries)
    await until(lambda: two.heard[-1] == ("bus-e", 2000))


async def test_nats_may_come_late_go_and_come_back(nats: Nats) -> None:
    async with asyncio.timeout(100):
        nats.stop()
        one, two = Ear(NatsBus(nats.address)), Ear(NatsBus(nats.address))
        try:
            await one.listen()
            await two.listen("bus-f")
            one.bus.say("bus-f", 1)
            await asyncio.to_thread(nats.start)
            await until_heard(two, ("bus-f", 2), one.bus)
            await asyncio.to_thread(nats.stop)
            one.bus.say("bus-f", 3)
            two.bus.follow("bus-g")
            await asyncio.to_thread(nats.start)
            await until_heard(two, ("bus-f", 4), one.bus)
            await until_heard(two, ("bus-g", 5), one.bus)
            nats.send(signal.SIGSTOP)
            for entries in range(1000):
                one.bus.say("bus-f", entries)
                await asyncio.sleep(0)
            nats.send(signal.SIGCONT)
            await until_heard(two, ("bus-f", 2000), one.bus)
        finally:
            nats.send(signal.SIGCONT)
            await one.bus.close()
            await two.bus.close()
