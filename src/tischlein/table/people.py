"""Who comes and goes, falls silent, wants to be waited for, laughs: what follows from it."""

from collections.abc import Callable
from typing import Final

from tischlein.table.book import Book
from tischlein.table.moods import Mood, Moods
from tischlein.table.needs import House, Listener, StoreDown
from tischlein.table.presence import Here, Presence
from tischlein.table.seating import Seating
from tischlein.table.timers import Timers

TOLD_TOGETHER: Final = 0.2
"""Who is waited for is told so many seconds later, once for all that changed meanwhile."""


class People:
    """Hears of people, and sees to it that the table goes on accordingly."""

    def __init__(
        self,
        book: Book,
        presence: Presence,
        moods: Moods,
        seating: Seating,
        timers: Timers,
        house: House,
    ) -> None:
        self._book, self._presence, self._moods = book, presence, moods
        self._seating, self._timers, self._house = seating, timers, house
        self.tell: Callable[[], None] = lambda: None
        """Tells everybody how things stand."""
        self.plan: Callable[[], None] = lambda: None
        """Sees to what comes next."""

    async def arrive(self, listener: Listener, holds: bool = False) -> None:
        """Let somebody look at the table; a player who was away takes over again."""
        self._presence.came(listener)
        if holds:
            self._presence.holding.add(listener)
        seat = listener.seat
        if seat is not None and self._book.chairs[seat].relief is not None:
            await self._seating.come_back(seat)
        self._changed()

    def go_away(self, listener: Listener) -> None:
        """Hear that somebody no longer looks."""
        self._presence.went(listener)
        self._changed()

    def fell_silent(self, listener: Listener) -> None:
        """Hear that nothing comes from somebody's line any more: they count as away."""
        self._presence.fell_silent(listener)
        self._changed()

    def is_heard(self, listener: Listener) -> None:
        """Hear from somebody whose line had fallen silent; who was played for takes over again."""
        if listener not in self._presence.silent:
            return
        self._presence.came(listener)
        if listener.seat is not None:
            self._house.spawn(self._seating.take_over(listener.seat))
        self._changed()

    def others_are(self, elsewhere: dict[str, Here]) -> None:
        """Hear who is at the other servers."""
        before = self._presence.elsewhere
        if self._presence.others_are(elsewhere):
            self._moods.others_showed(before)
            self._look_after()
            self.plan()

    def hold(self, listener: Listener, on: bool) -> None:
        """Hear that somebody wants bots and rolls to wait for them, or no longer."""
        holding = self._presence.holding
        if listener.seat is None or (listener in holding) == on:
            return
        (holding.add if on else holding.discard)(listener)
        self._house.servers.seen(self._book.name)
        if "holds" not in self._timers:
            self._timers.set("holds", TOLD_TOGETHER, self._tell_holds)
        self.plan()

    def show_mood(self, seat: int, mood: Mood) -> None:
        """Let everybody see how somebody feels."""
        self._moods.show(seat, mood)
        self._house.servers.seen(self._book.name)

    def wish_again(self, seat: int) -> None:
        """Let everybody know that somebody wants to play again."""
        if self._moods.wish(seat):
            self._house.servers.seen(self._book.name)
            self.tell()

    async def _tell_holds(self) -> None:
        """Tell who is waited for."""
        self.tell()

    def _changed(self) -> None:
        """See to what follows when somebody came or went here."""
        self._house.servers.seen(self._book.name)
        self._look_after()
        self.plan()

    def _look_after(self) -> None:
        self._watch_absent()
        self._watch_host()
        self.tell()

    def _watch_absent(self) -> None:
        """See to it that all hear when the next player may be relieved."""
        if self._book.is_slow:  # being away is as usual there
            return
        now, after = self._house.now(), self._house.settings.relief_after
        away = self._presence.away_since.values()
        waits = [since + after - now for since in away if now - since < after]
        if waits:
            self._timers.set("relief", min(waits) + 0.01, self._tell_again)

    async def _tell_again(self) -> None:
        """Tell what time alone has changed: who may now be relieved."""
        self.tell()
        self._watch_absent()

    def _watch_host(self) -> None:
        """While somebody is here without the host, the host's rights are about to pass on."""
        if not self._presence.listeners or self._stays_host:
            self._timers.cancel("host")
        elif "host" not in self._timers:
            self._timers.set("host", self._house.settings.host_after, self._pass_host)

    @property
    def _stays_host(self) -> bool:
        """Say whether the host is here, or need not be."""
        return self._book.is_slow or self._presence.is_here(self._book.host)

    async def _pass_host(self) -> None:
        try:
            await self._seating.pass_host()
        except StoreDown:
            self._watch_host()  # later, then
