"""Virtual time: it stands still while anything is done, and jumps when all wait for it.

For tests without sockets and processes: of those a loop cannot know that something is on its way.
"""

import asyncio
import contextlib
import secrets
import selectors
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from tischlein.bots import Answer, Turn
from tischlein.bus import Bus
from tischlein.game import Refusal
from tischlein.house.clock import Clock
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.house.thinking import SOMEBODY, Thinkers, choose
from tischlein.store import Store
from tischlein.store.sqlite import SqliteStore, Work
from tischlein.table.needs import Asker

T = TypeVar("T")


class Selector(selectors.DefaultSelector):
    """Lets time jump where another one sleeps."""

    now = 1000.0
    at_work = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0 or self.at_work:
            return super().select(timeout)
        found = super().select(0)
        if not found:
            self.now += timeout
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is virtual."""

    def __init__(self) -> None:
        self.clock = Selector()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.now

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Let time stand still while a thread is at work."""
        self.clock.at_work += 1
        try:
            yield
        finally:
            self.clock.at_work -= 1


def in_virtual_time(check: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a check in which hours pass at once."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(check())


class VirtualStore(SqliteStore):
    """A real store; no time passes while it writes."""

    async def _do(self, work: Work) -> Any:
        with held():
            return await super()._do(work)

    async def close(self) -> None:
        with held():
            await super().close()


def held() -> contextlib.AbstractContextManager[None]:
    """Let virtual time stand still; real time goes on."""
    loop = asyncio.get_running_loop()
    return loop.held() if isinstance(loop, VirtualLoop) else contextlib.nullcontext()


class ThinkersHere(Thinkers):
    """Bots that think in this process, after a moment."""

    moment = 0.0

    async def choose(self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY) -> Answer:
        """Let a bot choose."""
        await asyncio.sleep(self.moment)
        return choose(game, level, turn, secrets.token_hex(8))


class VirtualHouse(House):
    """A house that goes by the time of the loop, and whose bots think here."""

    def __init__(
        self, store: Store, settings: Settings | None = None, bus: Bus | None = None
    ) -> None:
        clock = Clock(asyncio.get_running_loop().time)
        super().__init__(store, settings, bus, clock=clock)
        self.thinkers: ThinkersHere = ThinkersHere(0.0, 1)


class Guest:
    """Somebody who looks at a table."""

    network = "near"

    def __init__(self, seat: int | None = None) -> None:
        self.seat = seat
        self.told: list[str] = []

    def changed(self) -> None:
        """Hear of news."""

    def lose_seat(self, why: Refusal | None) -> None:
        """Hear that the seat is lost."""
        self.seat = None
        if why is not None:
            self.told.append(why.code)

    def saw(self, seat: int, mood: str) -> None:
        """See how somebody feels."""
        self.told.append(f"{seat} {mood}")
