"""What people show each other beside playing: a laugh, a heart, and who wants to play again.

Nothing of it is stored; other servers are shown the last of each seat.
"""

from typing import Final, Literal, get_args

from tischlein.game import Refusal
from tischlein.table.book import Book
from tischlein.table.entries import Again, AnyEntry, Left, Removed
from tischlein.table.needs import Conflict
from tischlein.table.presence import Here, Now, Presence

Mood = Literal["laugh", "wow", "cry", "angry", "clap", "heart"]
MOODS: Final[tuple[Mood, ...]] = get_args(Mood)
EVERY: Final = 2.0
"""A seat may show something once in so many seconds,"""
AT_ONCE: Final = 5
"""and so often in a row."""


class Moods:
    """Who shows what, and who wishes for another game."""

    def __init__(self, book: Book, presence: Presence, now: Now) -> None:
        self._book, self._presence, self._now = book, presence, now
        self._full_at: dict[int, float] = {}

    @property
    def wishes(self) -> tuple[int, ...]:
        """Name the seats that want another game, at all servers."""
        if self._book.phase != "over":
            return ()
        games = self._book.games
        far = (seat for there in self._presence.elsewhere.values() for seat in there.wish(games))
        people = {seat for seat, chair in enumerate(self._book.chairs) if chair.token}
        return tuple(sorted({*self._presence.wishes, *far} & people))

    def took_in(self, entry: AnyEntry) -> None:
        """Hear what happened at the table: wishes end with the next game, or with a seat."""
        if isinstance(entry, Again):
            self._presence.wishes.clear()
        elif isinstance(entry, Left | Removed):
            self._presence.wishes.discard(entry.seat)

    def show(self, seat: int, mood: Mood) -> None:
        """Show everybody here how somebody feels, if they do not do so all the time."""
        self._check_pace(seat)
        number, _ = self._presence.moods.get(seat, (0, ""))
        self._presence.moods[seat] = (number + 1, mood)
        self._tell(seat, mood)

    def wish(self, seat: int) -> bool:
        """Hear that somebody wants to play again; False if that is known."""
        if self._book.phase != "over":
            raise Conflict("not_over", "a rematch comes when the game is over")
        if seat in self._presence.wishes:
            return False
        self._check_pace(seat)
        self._presence.wishes.add(seat)
        return True

    def _check_pace(self, seat: int) -> None:
        """Refuse what comes too often."""
        now = self._now()
        full_at = max(now, self._full_at.get(seat, 0.0))
        if full_at - now > (AT_ONCE - 1) * EVERY:
            raise Refusal("too_fast", "slow down: everybody has seen it")
        self._full_at[seat] = full_at + EVERY

    def others_showed(self, before: dict[str, Here]) -> None:
        """Show what people at other servers have shown since; not what was before we looked."""
        for server, there in self._presence.elsewhere.items():
            known = before[server].moods if server in before else there.moods
            for seat, (number, mood) in there.moods.items():
                if mood in MOODS and number > known.get(seat, (0, ""))[0]:
                    self._tell(seat, mood)

    def _tell(self, seat: int, mood: str) -> None:
        for listener in self._presence.listeners:
            listener.saw(seat, mood)
