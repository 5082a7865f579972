"""State frames: what somebody may know now. What several lines are told alike is written once."""

from typing import Any, Final
from weakref import WeakValueDictionary

import msgspec

from tischlein.server import wire
from tischlein.table.book import Book, goes_on, photo_of, scenes_of
from tischlein.table.table import Table

_encode: Final = msgspec.json.Encoder().encode


class Frames:
    """The frames of one table, kept until something changes."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._version = -1
        self._people: tuple[int, frozenset[int]] | None = None
        self._info = b""
        self._bodies: dict[int | None, bytes] = {}
        self._told: dict[tuple[int | None, int], tuple[int, bytes]] = {}
        self._stories: dict[int | None, bytes] = {}
        self._scenes: dict[tuple[int | None, int], bytes] = {}

    def body(self, seat: int | None) -> bytes:
        """Write all that a seat or a watcher may know, as long as nothing changes."""
        self._look()
        book, viewer = self._table.book, self._as_seen_by(seat)
        if viewer not in self._bodies:
            self._bodies[viewer] = _encode(common(self._table, viewer, self._info))[1:-1]
        if seat is None:
            return b'"seat":null,"legal":{},%s' % self._bodies[viewer]
        legal = book.rules.legal(book.state, seat) if goes_on(book) else ()
        mine = b'{"%d":%s}' % (seat, _encode(legal)) if legal else b"{}"
        return b'"seat":%d,"legal":%s,%s' % (seat, mine, self._bodies[viewer])

    def told(self, seat: int | None, since: int) -> tuple[int, bytes]:
        """Write the moves after a number, and what they tell; say how many are seen of them."""
        self._look()
        key = self._as_seen_by(seat), since
        if key not in self._told:
            book = self._table.book
            log, news = book.log(key[0], since), book.news(key[0], since)
            self._told[key] = len(log), b'"log":%s,"news":%s' % (_encode(log), _encode(news))
        return self._told[key]

    def scenes(self, seat: int | None, since: int) -> bytes:
        """Write the moves after a number one by one, for who shows one after another."""
        self._look()
        key = self._as_seen_by(seat), since
        if key not in self._scenes:
            self._scenes[key] = _encode(scenes_of(self._table.book, *key))
        return self._scenes[key]

    def story(self, seat: int | None) -> bytes:
        """Write the whole story as far as it may be told now."""
        self._look()
        viewer = self._as_seen_by(seat)
        if viewer not in self._stories:
            self._stories[viewer] = _encode(self._table.book.story(viewer))
        return self._stories[viewer]

    def _look(self) -> None:
        """Forget what was written of a table that has changed since."""
        if self._version != self._table.version:
            self._version = self._table.version
            self._bodies.clear()
            self._told.clear()
            self._stories.clear()
            self._scenes.clear()
        people = self._table.people_version, self._table.book.late
        if self._people != people:
            self._people = people
            self._info = _encode(wire.table_info(self._table))

    def _as_seen_by(self, seat: int | None) -> int | None:
        """Say whose eyes a seat looks with: where nothing is hidden by seat, anybody's."""
        return None if self._table.book.all_see_the_same else seat


_frames: Final[WeakValueDictionary[Table, Frames]] = WeakValueDictionary()


def frames_of(table: Table) -> Frames:
    """Give what is written of a table, for all its lines: it is kept as long as one of them is."""
    found = _frames.get(table)
    if found is None:
        found = _frames[table] = Frames(table)
    return found


def common(table: Table, viewer: int | None, info: bytes) -> wire.Common:
    """Tell what all who look with the same eyes may know."""
    book, rules = table.book, table.book.rules
    over = book.phase == "over"
    movers = rules.waits_for(book.state, viewer) if goes_on(book) else ()
    due = {who: when for who, when in table.clocks.deadlines.items() if who in movers}
    return wire.Common(
        view=rules.view(book.state, viewer),
        to_move=movers,
        scores=rules.standing(book.state, viewer),
        winners=rules.winners(book.state) if over else (),
        ranking=book.ranking if over else (),
        over=over,
        table=msgspec.Raw(info),
        clocks={str(who): round(when * 1000) for who, when in due.items()},
        race=race_info(book),
    )


def race_info(book: Book) -> dict[str, Any] | None:
    """Tell of a race: when its dice are shown, and when it is over the photo finish."""
    if book.is_race:
        return {"show_at": book.race_name, "photo": None}
    photo = photo_of(book)
    return {"show_at": None, "photo": photo} if photo else None
