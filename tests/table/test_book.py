"""The book tells the same, however far back it is asked."""

import msgspec
import pytest

from tests.tables import ALL_TABLES, random_game
from tischlein.game import BY_NATURE, News
from tischlein.table import entries as e
from tischlein.table.book import RECENT, Book, guests_of, is_rated, left_of


def book_of(name: str, seats: int, seed: int) -> Book:
    """Fold a random game into a book."""
    book = Book("t")
    book.fold(e.Opened(0.0, name, seats, {}, "relaxed", "seed"))
    for seat in range(seats):
        book.fold(e.Sat(0.0, seat, f"p{seat}", "x"))
    book.fold(e.Started(0.0))
    for _, by, move, _ in random_game(name, seats, seed):
        book.fold(e.Moved(0.0, by, msgspec.Raw(msgspec.json.encode(move)), 0))
    return book


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_news_of_long_ago_are_found_by_replaying(name: str, seats: int) -> None:
    book = book_of(name, seats, 1)
    assert len(book.moves) > RECENT
    for viewer in (None, 0):
        told = book.news(viewer, 0)
        for back in (1, RECENT, RECENT + 3):
            latest = book.news(viewer, len(book.moves) - back)
            assert told[len(told) - len(latest) :] == latest


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_the_story_of_a_game_that_is_over_tells_everything(name: str, seats: int) -> None:
    book = book_of(name, seats, 2)
    assert book.is_over
    assert book.story(None) == [News(news.key, news.fields) for news in book.news(None, 0)]


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_who_sees_the_same_is_told_the_same(name: str, seats: int) -> None:
    book = book_of(name, seats, 3)
    views = {msgspec.json.encode(book.rules.view(book.state, seat)) for seat in (None, 0, 1)}
    logs = {msgspec.json.encode(book.log(seat, 0)) for seat in (None, 0, 1)}
    news = {msgspec.json.encode(book.news(seat, 0)) for seat in (None, 0, 1)}
    if book.all_see_the_same:
        assert (len(views), len(logs), len(news)) == (1, 1, 1)


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_a_race_is_open_where_nature_and_players_move_at_once(name: str, seats: int) -> None:
    book = book_of(name, seats, 4)
    for state, _, _, _ in random_game(name, seats, 4):
        movers = book.rules.to_move(state)
        is_race = "nature" in movers and movers != BY_NATURE
        assert (book.race_in(state) is not None) == is_race


def seated(*profiles: str | None, public: bool = True, hints: bool = False) -> Book:
    """Fold a table at which some people with and without a profile have sat down."""
    book, seats = Book("t"), len(profiles)
    book.fold(e.Opened(0.0, "sushizock", seats, {}, "relaxed", "seed", hints, public=public))
    for seat, profile in enumerate(profiles):
        book.fold(e.Sat(0.0, seat, f"p{seat}", "x", profile))
    return book


def test_a_game_counts_among_different_profiles_at_an_open_table() -> None:
    def counts(*profiles: str | None, public: bool = True) -> bool:
        book = seated(*profiles, public=public)
        book.fold(e.Started(0.0))
        return is_rated(book)

    assert counts("anna", "bo")
    assert counts("anna", None, "bo")
    assert not counts("anna", "bo", public=False)
    assert not counts("anna", None)
    assert not counts("anna", "bo", "anna"), "several devices of one person"


def test_a_game_with_help_does_not_count() -> None:
    asked = seated("anna", "bo", hints=True)
    given = seated("anna", "bo")
    given.fold(e.Handicapped(0.0, 0, 50.0))
    for book in (asked, given):
        book.fold(e.Started(0.0))
        assert not is_rated(book)


@pytest.mark.parametrize("public", [True, False])
def test_nobody_chooses_in_the_middle_whether_a_game_counts(public: bool) -> None:
    book = seated("anna", "bo", public=public)
    book.fold(e.Started(0.0))
    book.fold(e.Published(1.0, not public))
    assert is_rated(book) == public


def test_who_was_late_has_been_so_until_their_own_next_move() -> None:
    book = seated("anna", "bo")
    book.fold(e.Started(0.0))
    for number, (_, by, move, _) in enumerate(random_game("sushizock", 2, 1)):
        is_late = by == 1 and number % 5 > 1
        before = book.late
        told = msgspec.Raw(msgspec.json.encode(move))
        book.fold(e.Moved(0.0, by, told, 0, for_seat=is_late))
        assert book.late == (before if by != 1 else {1} if is_late else set())
    late = book_of("sushizock", 2, 1)
    late.late = frozenset({0})
    late.fold(e.Again(1.0, "seed", None))
    assert late.late == set()


def test_who_gets_up_or_is_mostly_played_for_has_left() -> None:
    book = seated("anna", "bo", "cleo")
    book.fold(e.Started(0.0))
    moves = list(random_game("sushizock", 3, 1))
    own = {seat: [move for _, by, move, _ in moves if by == seat] for seat in range(3)}
    made = dict.fromkeys(range(3), 0)
    for _, by, move, _ in moves:
        for_seat = by == 1 and made[1] <= len(own[1]) // 2
        if by == 2 and made[2] == len(own[2]) // 2 + 1:
            book.fold(e.Relieved(0.0, 2, "easy"))
        if by != "nature":
            made[by] += 1
        book.fold(e.Moved(0.0, by, msgspec.Raw(msgspec.json.encode(move)), 0, for_seat=for_seat))
    assert left_of(book) == [1], "Bo had more than half made; Cleo less"
    again = seated("anna", "bo")
    again.fold(e.Started(0.0))
    again.fold(e.Left(1.0, 0))
    assert left_of(again) == [0]
    assert guests_of(again) == [(0, "anna"), (1, "bo")], "who left is still counted"
