"""Who is waited for since when, at a table where people play when they have time. Pure."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tischlein.game import NATURE, By
from tischlein.table import entries as e


class Waits(Struct, frozen=True):
    """Since when each seat's choice is up, as the entries tell it: no restart changes that."""

    since: dict[int, float] = {}
    nudged: frozenset[int] = frozenset()
    """Who was told of it while they were away."""
    last: tuple[int, bool] | None = None
    """Who moved while nature has not answered yet, and whether a bot did so for them."""

    def after(self, entry: e.AnyEntry, movers: Sequence[By]) -> "Waits":
        """Take in what happened, and who is to move then."""
        match entry:
            case e.Nudged():
                return replace(self, nudged=self.nudged | {entry.seat})
            case e.Again():
                return Waits()
            case e.Started():
                return Waits()._settled(entry.when, movers)
            case e.Moved(by=by):
                last = self.last if by == NATURE else (int(by), entry.for_seat)
                return replace(self, last=last)._settled(entry.when, movers)
            case _:
                return self

    def _settled(self, now: float, movers: Sequence[By]) -> "Waits":
        """Begin to wait for those who are to move, unless nature still has to answer.

        Who goes on alone is in the same turn: told of it once, and when a bot plays for them since
        they are late it plays the turn to its end. Their own next choice has its own time.
        """
        if NATURE in movers:
            return self
        seats = [int(by) for by in movers]
        mover, by_bot = self.last or (None, False)
        goes_on = mover is not None and [mover] == seats == list(self.since)
        same = {seat for seat in seats if seat in self.since and seat != mover}
        told = {*same, mover} if goes_on else same
        kept = told if by_bot else same
        since = {seat: self.since[seat] if seat in kept else now for seat in seats}
        return Waits(since, frozenset(self.nudged & told))
