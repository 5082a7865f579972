"""Who is at a table: those who look here, those at other servers, and who has been away since when.

Pure bookkeeping: whoever calls knows the clock, and tells the others.
"""

import hmac
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from tischlein.game import Refusal
from tischlein.table.book import Book
from tischlein.table.entries import AnyEntry, Left, Removed, Sat, Seated
from tischlein.table.lines import Measured
from tischlein.table.needs import Listener

Now = Callable[[], float]
Mark = Callable[[str], str]
"""Gives what tells a network from others, and its address to nobody."""
GIVEN_BACK: Final = Refusal("removed", "the host has given your seat back to the table")
MOST_NETWORKS: Final = 8
"""Of so many networks other servers are told."""


class Here(Struct, frozen=True):
    """What a server shows the others of a table: who is there, and since when others are not."""

    seats: dict[int, Measured] = {}
    watchers: int = 0
    gone: dict[int, float] = {}
    networks: tuple[str, ...] = ()
    """From where people look there, as marks; of some of them."""
    holds: tuple[int, ...] = ()
    """Which of these seats want to be waited for."""
    moods: dict[int, tuple[int, str]] = {}
    """What seats have shown last, each with its number."""
    wishes: tuple[int, tuple[int, ...]] = (0, ())
    """After which game which seats want another one."""

    def wish(self, games: int) -> tuple[int, ...]:
        """Name the seats that want another game after this one."""
        return self.wishes[1] if self.wishes[0] == games else ()


class Presence:
    """Who is there."""

    def __init__(self, book: Book, now: Now, mark: Mark) -> None:
        self._book, self._now, self._mark = book, now, mark
        self.listeners: dict[Listener, None] = {}
        """Those who look, in the order in which they came: so they are told what is new."""
        self.silent: set[Listener] = set()
        """Those of them that have a line of which nothing is heard any more."""
        self.holding: set[Listener] = set()
        """Those of them that want to be waited for."""
        self.moods: dict[int, tuple[int, str]] = {}
        self.wishes: set[int] = set()
        self.elsewhere: dict[str, Here] = {}
        self.away_since: dict[int, float] = {}
        self._woken = 0.0
        self.looked_at = now()
        self._has_asked = False

    def took_in(self, entry: AnyEntry) -> None:
        """Hear what happened at the table: who sits down is expected, who left watches."""
        if isinstance(entry, Left | Removed):
            self._vacate(entry.seat, GIVEN_BACK if isinstance(entry, Removed) else None)
        elif isinstance(entry, Seated):
            self._take_seat(entry.seat, None)
        elif isinstance(entry, Sat):
            self.away_since[entry.seat] = self._now()

    def all_away(self) -> None:
        """Count everybody as away from now on who is not here: the table comes into memory."""
        self._woken = self._now()
        for seat, chair in enumerate(self._book.chairs):
            if chair.token is not None and not self.is_here(seat):
                self.away_since.setdefault(seat, self._now())

    def _vacate(self, seat: int, why: Refusal | None) -> None:
        """Let those who held a seat watch from now on, and say why if others wished it."""
        self.away_since[seat] = 0.0
        self._take_seat(seat, why)

    def _take_seat(self, seat: int, why: Refusal | None) -> None:
        for listener in self.listeners:
            if listener.seat == seat:
                listener.lose_seat(why)

    def came(self, listener: Listener) -> None:
        """Hear that somebody looks, or is heard of again."""
        self.listeners[listener] = None
        self.silent.discard(listener)
        if listener.seat is not None:
            self.away_since.pop(listener.seat, None)

    def went(self, listener: Listener) -> None:
        """Hear that somebody no longer looks."""
        self.listeners.pop(listener, None)
        for group in (self.silent, self.holding):
            group.discard(listener)
        self._missed(listener)

    def fell_silent(self, listener: Listener) -> None:
        """Hear that nothing comes from somebody's line any more."""
        if listener in self.listeners:
            self.silent.add(listener)
            self._missed(listener)

    def _missed(self, listener: Listener) -> None:
        """Note since when somebody is away."""
        self.looked_at = self._now()
        if listener.seat is not None and not self.is_here(listener.seat):
            self.away_since.setdefault(listener.seat, self.looked_at)

    def others_are(self, elsewhere: dict[str, Here]) -> bool:
        """Hear who is at the other servers; False if that is nothing new."""
        if elsewhere == self.elsewhere:
            return False
        self.elsewhere = elsewhere
        for seat, chair in enumerate(self._book.chairs):
            if self.is_here(seat):
                self.away_since.pop(seat, None)
            elif chair.token is not None:
                self.away_since[seat] = self._gone_since(seat)
        self._has_asked = True
        return True

    def _gone_since(self, seat: int) -> float:
        """Say since when a player is gone; who has just looked in believes the others."""
        known = [there.gone[seat] for there in self.elsewhere.values() if seat in there.gone]
        if self._has_asked and seat in self.away_since:
            known.append(self.away_since[seat])
        return max(known, default=self._now())

    def shown(self, measured: Callable[[int], Measured]) -> Here:
        """Tell other servers who is at this one."""
        seats = {listener.seat for listener in self._present if listener.seat is not None}
        watchers = sum(listener.seat is None for listener in self._present)
        near = tuple(sorted(self._near())[:MOST_NETWORKS])
        lines = {seat: measured(seat) for seat in seats}
        holds = tuple(sorted(filter(self._holds_here, seats)))
        wishes = self._book.games, tuple(sorted(self.wishes))
        return Here(lines, watchers, self.away_since, near, holds, self.moods, wishes)

    @property
    def _present(self) -> Iterator[Listener]:
        """Give those who look here and are heard of."""
        return (listener for listener in self.listeners if listener not in self.silent)

    def holds(self, seat: int) -> bool:
        """Say whether a seat is here and wants to be waited for, wherever it looks."""
        there = [one for one in self.elsewhere.values() if seat in one.seats]
        if not all(seat in one.holds for one in there):
            return False
        return self._holds_here(seat) if self.is_at_this_server(seat) else bool(there)

    def _holds_here(self, seat: int) -> bool:
        """Say whether all lines of a seat hold: who has gone on in one of them is ready."""
        return all(line in self.holding for line in self._present if line.seat == seat)

    @property
    def networks(self) -> frozenset[str]:
        """Give the marks of the networks for whose people this table goes on."""
        far = (network for there in self.elsewhere.values() for network in there.networks)
        return frozenset({*self._near(), *far}) or frozenset({""})

    def _near(self) -> set[str]:
        """Give the networks of those who sit here, or else of those who watch."""
        sitting = {who.network for who in self.listeners if who.seat is not None}
        return {self._mark(network) for network in sitting} or {
            self._mark(who.network) for who in self.listeners
        }

    def is_here(self, seat: int) -> bool:
        """Say whether a seat has a socket open, at this server or another."""
        return self.is_at_this_server(seat) or self.is_elsewhere(seat)

    def is_at_this_server(self, seat: int) -> bool:
        """Say whether a seat has a socket open here."""
        return any(listener.seat == seat for listener in self._present)

    def is_elsewhere(self, seat: int) -> bool:
        """Say whether a seat has a socket open at another server."""
        return any(seat in there.seats for there in self.elsewhere.values())

    @property
    def anybody(self) -> bool:
        """Say whether somebody looks, here or elsewhere."""
        far = any(there.seats or there.watchers for there in self.elsewhere.values())
        return len(self.listeners) > len(self.silent) or far

    @property
    def watchers(self) -> int:
        """Count those who watch without a seat, at all servers."""
        far = sum(there.watchers for there in self.elsewhere.values())
        return far + sum(listener.seat is None for listener in self._present)

    def away_for(self, seat: int) -> float | None:
        """Say for how many seconds a player has been away; None if they are not."""
        since = self.away_since.get(seat)
        return None if since is None else self._now() - since

    def left_at(self, seat: int) -> float:
        """Say when somebody was seen to go; 0 if they were away when the table was woken."""
        gone = self.away_since.get(seat, 0.0)
        return gone if gone > self._woken else 0.0

    def heir(self, leaving: int) -> int | None:
        """Find who gets the host's rights: the next person clockwise, rather one who is here."""
        seats = len(self._book.chairs)
        order = [(leaving + step) % seats for step in range(1, seats)]
        people = [seat for seat in order if self._book.chairs[seat].token is not None]
        present = [seat for seat in people if self.is_here(seat)]
        return next(iter(present or people), None)


@lru_cache(4096)
def mark_of(network: str, key: bytes) -> str:
    """Give what tells a network from others: without the key nobody guesses its address."""
    return hmac.digest(key, network.encode(), "sha256").hex()[:12]
