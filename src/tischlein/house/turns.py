"""Taking turns: networks stand in line, and in each network its tables; nobody passes another.

Who is served goes to the back of both lines. So an address with two hundred tables gets no more
than one with a single table, and who asks again at once stands behind all who wait already.
"""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """What waits, each of a table, and for people in one network or in several."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._lines: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()
        self._networks: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __iter__(self) -> Iterator[T]:
        return (thing for waiting in self._waiting.values() for thing in waiting)

    def add(self, thing: T, table: str, networks: Iterable[str]) -> None:
        """Let something of a table wait; it has its turn when any of its networks has."""
        self._waiting.setdefault(table, deque()).append(thing)
        for network in networks:
            self.join(table, network)

    def join(self, table: str, network: str) -> None:
        """Let a table, if something of it waits, have its turn also when this network has."""
        if table in self._waiting:
            self._networks.setdefault(table, set()).add(network)
            self._lines.setdefault(network, OrderedDict()).setdefault(table)

    def remove(self, thing: T, table: str) -> bool:
        """Let something wait no longer; False if it did not."""
        if thing not in self._waiting.get(table, ()):
            return False
        self._waiting[table].remove(thing)
        if not self._waiting[table]:
            self._leave(table)
        return True

    def take(self) -> T:
        """Give what is next."""
        network = next(iter(self._lines))
        table = next(iter(self._lines[network]))
        thing = self._waiting[table].popleft()
        self._lines.move_to_end(network)
        if not self._waiting[table]:
            self._leave(table)
        else:
            for other in self._networks[table]:
                self._lines[other].move_to_end(table)
        return thing

    def _leave(self, table: str) -> None:
        """Let a table that wants nothing more leave the lines, and a network that has none."""
        del self._waiting[table]
        for network in self._networks.pop(table):
            del self._lines[network][table]
            if not self._lines[network]:
                del self._lines[network]
