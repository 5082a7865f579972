"""Who is at a table, as far as one server knows."""

from tests.virtual import Guest
from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.table.lines import Measured
from tischlein.table.presence import Here, Presence

LINE = Measured(1.0, 1.0, 0.0)


def at_a_table(people: int = 3) -> tuple[Presence, list[float]]:
    """Set a table, and a clock that the test moves."""
    clock = [100.0]
    book = Book("t")
    presence = Presence(book, lambda: clock[0], str.upper)
    opened = e.Opened(0.0, "sushizock", 4, {}, "relaxed", "seed")
    sat = [e.Sat(0.0, seat, f"p{seat}", "x") for seat in range(people)]
    entries: list[e.AnyEntry] = [opened, *sat]
    for entry in entries:
        book.fold(entry)
        presence.took_in(entry)
    return presence, clock


def test_who_sits_down_is_awaited_and_who_comes_is_here() -> None:
    presence, clock = at_a_table()
    clock[0] += 5
    assert presence.away_for(0) == 5
    guest = Guest(0)
    presence.came(guest)
    assert presence.away_for(0) is None
    assert presence.is_here(0)
    presence.went(guest)
    clock[0] += 2
    assert presence.away_for(0) == 2
    assert not presence.anybody


def test_a_seat_is_here_while_one_of_its_lines_is_open() -> None:
    presence, _ = at_a_table()
    one, twin = Guest(1), Guest(1)
    presence.came(one)
    presence.came(twin)
    presence.went(one)
    assert presence.is_here(1)
    assert presence.away_for(1) is None


def test_who_leaves_watches_from_then_on() -> None:
    presence, _ = at_a_table()
    guest = Guest(2)
    presence.came(guest)
    presence.took_in(e.Left(1.0, 2))
    assert guest.seat is None
    assert presence.watchers == 1
    assert not presence.is_here(2)


def test_others_tell_who_is_at_their_servers() -> None:
    presence, clock = at_a_table()
    assert presence.others_are({"far": Here({1: LINE}, 2, {0: 90.0})})
    assert presence.is_here(1)
    assert presence.is_elsewhere(1)
    assert not presence.is_at_this_server(1)
    assert presence.watchers == 2
    assert presence.anybody
    assert presence.away_for(0) == clock[0] - 90.0, "who has just looked in believes the others"
    assert not presence.others_are({"far": Here({1: LINE}, 2, {0: 90.0})}), "nothing new"


def test_the_heir_is_the_next_person_who_is_here() -> None:
    presence, _ = at_a_table()
    assert presence.heir(0) == 1, "nobody is here: the next person"
    presence.came(Guest(2))
    assert presence.heir(0) == 2
    assert presence.heir(2) == 0, "the free seat inherits nothing"
