"""The book tells the same, however far back it is asked."""

import msgspec
import pytest

from tests.tables import ALL_TABLES, random_game
from tischlein.game import BY_NATURE, News
from tischlein.table import entries as e
from tischlein.table.book import RECENT, Book


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
