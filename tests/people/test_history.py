"""What somebody has played is found page by page, whatever became of the table."""

import pytest

from tests.stores import Opener, again, conform
from tischlein.people.history import (
    NEWEST,
    Cursor,
    History,
    bots_of,
    cursor_in,
    past_game,
    place_of,
    written,
)
from tischlein.record import FORMAT, Header, Result
from tischlein.store import KeptRecord, Store

__all__ = ["again"]

RECORD = """{"format":"tischlein/1","game":"sushizock","seats":["Anna","Easy 2"],"options":{}}
{"by":0,"do":"not read"}
{"result":{"scores":[3,7],"winners":[1]},"seed":"00"}
"""


async def played(store: Store, profile: str, name: str, game: int, ended: float) -> None:
    """Keep a game of somebody's."""
    await store.keep(KeptRecord(name, game, RECORD, ended))
    words = "INSERT INTO played (name, game, seat, profile, ended) VALUES ($1, $2, $3, $4, $5)"
    await store.ask(words, name, game, 0, profile, ended)


@conform
async def test_games_come_page_by_page_the_newest_first(store: Store, again: Opener) -> None:
    history = History(store)
    times = [5.0, 7.0, 7.0, 7.0, 9.0]
    for number, ended in enumerate(times, start=1):
        await played(store, "anna", "t", number, ended)
    await played(store, "bo", "u", 1, 8.0)
    found: list[int] = []
    before: Cursor | None = NEWEST
    while before is not None:
        games, before = await history.games("anna", before, 2)
        assert 0 < len(games) <= 2
        found += [game.number for game in games]
        before = before and cursor_in(written(before) or "")
    assert found == [5, 4, 3, 2, 1]
    assert await history.games("nobody", NEWEST) == ([], None)
    assert await history.last("bo") == [("u", 1, 0)]
    assert len(await history.last("anna")) == 5


def test_a_game_is_told_by_its_first_and_last_line() -> None:
    told = past_game("t", 3, 0, 9.0, RECORD)
    assert (told.game, told.names, told.bots) == ("sushizock", ("Anna", "Easy 2"), (None, "easy"))
    assert (told.scores, told.winners, told.place, told.number) == ((3, 7), (1,), 2, 3)


def test_only_a_bots_own_name_in_its_own_seat_makes_a_bot() -> None:
    names = ("Easy 2", "Easy 2", "Hard 3", "easy 4")
    assert bots_of(Header(FORMAT, "sushizock", names)) == (None, "easy", "hard", None)
    assert bots_of(Header(FORMAT, "no such game", ("Easy 1",))) == (None,)


def test_places_are_shared_by_equal_points_but_not_with_winners() -> None:
    result = Result((5, 9, 9, 5, 2), (1,))
    assert [place_of(result, seat) for seat in range(5)] == [3, 1, 2, 3, 5]
    assert [place_of(Result((4, 4, 1), (0, 1)), seat) for seat in range(3)] == [1, 1, 3]


@pytest.mark.parametrize(
    "text", ["", "x", "[]", '[1,"a",1]', '[1,"\\u0000",1,1]', '[1,"a",1,99999999999]', "[" * 9999]
)
def test_a_wrong_cursor_is_none(text: str) -> None:
    assert cursor_in(text) is None
