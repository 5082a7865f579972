"""How one's tables stand: told to who sits there, of what they may know, and nothing is woken."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.own import EXAMPLE, nothing_stays
from tests.stores import Opener, again, conform
from tests.tables import TABLES, position
from tischlein.chance import Quick
from tischlein.game import traits
from tischlein.games import game_named, load_file
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people.mine import Mine, MyTable, seen_from, stand_in, stand_of
from tischlein.store import Store
from tischlein.store.sqlite import SqliteStore
from tischlein.table.entries import Speed
from tischlein.table.settings import CLOCKS, DAY
from tischlein.table.table import Table

__all__ = ["again"]

QUIET = Settings(bot_pause=0.0)
NOBODY = "23456789abcd"


async def seated(house: House, game: str = "sushizock", **more: Any) -> tuple[Table, list[str]]:
    """Set a table for two, or three where two are too few."""
    seats = game_named(game).SEATS[0]
    table = await house.open(game, seats, {}, **more)
    held = [await table.seating.join(f"p{number}") for number in range(seats)]
    return table, [token for _, token in held]


def mover_of(table: Table) -> int:
    """Give a seat that is to move."""
    return table.book.movers()[0]


async def move(table: Table, tokens: list[str]) -> None:
    """Let somebody who is to move make any move."""
    seat, book = mover_of(table), table.book
    raw = msgspec.Raw(msgspec.json.encode(book.rules.legal(book.state, seat)[0]))
    await table.play(seat, tokens[seat], raw, None, 0.0)


async def looked(mine: Mine, *held: tuple[str, str]) -> list[MyTable]:
    """Look at tables of which none is gone."""
    found, gone = await mine.look(held, [], "", "here")
    assert gone == []
    return found


@conform
async def test_a_sleeping_table_tells_how_it_stands_and_sleeps_on(
    store: Store, again: Opener
) -> None:
    house = House(store, QUIET)
    table, tokens = await seated(house)
    name = table.book.name
    await table.seating.start(0)
    first = mover_of(table)
    late = House(store, QUIET)  # one that has never seen the table
    for seat, token in enumerate(tokens):
        (told,) = await looked(Mine(late), (name, token))
        assert (told.game, told.phase, told.names) == ("sushizock", "playing", ("p0", "p1"))
        assert (told.seats, told.to_move, told.held) == ((seat,), (first,), True)
        assert (told.number, told.due, told.scores, told.ended) == (1, None, (), None)
    (both,) = await looked(Mine(late), *((name, token) for token in tokens))
    assert both.seats == (0, 1)
    assert late.tables == {}
    (here,) = await looked(Mine(house), (name, tokens[0]))
    assert here == (await looked(Mine(late), (name, tokens[0])))[0]
    table.stop()


@conform
async def test_what_is_known_is_read_once_until_something_happens(
    store: Store, again: Opener
) -> None:
    house, other = House(store, QUIET), House(store, QUIET)
    table, tokens = await seated(house)
    seat = table.book.name, tokens[0]
    mine, loads = Mine(other), []
    load = store.load

    async def counted(table: str, after: int = 0) -> list[bytes]:
        loads.append(table)
        return await load(table, after)

    store.load = counted  # type: ignore[method-assign]
    assert [(await looked(mine, seat))[0].phase for _ in range(3)] == ["open"] * 3
    assert len(loads) == 1
    await table.seating.start(0)
    assert (await looked(mine, seat))[0].phase == "playing"
    assert len(loads) == 2
    table.stop()


@conform
async def test_what_is_gone_is_told_by_its_place(store: Store, again: Opener) -> None:
    house = House(store, QUIET)
    table, tokens = await seated(house)
    name = table.book.name
    held = [(NOBODY, tokens[0]), (name, "guess"), (name, tokens[1]), ("'; --\0", ""), (name, "")]
    found, gone = await Mine(house).look(held, [], "", "here")
    assert ([told.seats for told in found], gone) == ([(1,)], [0, 1, 3, 4])
    await table.seating.leave(1)
    assert (await Mine(house).look(held, [], "", "here"))[1] == [0, 1, 2, 3, 4]


@conform
async def test_another_device_finds_the_tables_of_its_profile(store: Store, again: Opener) -> None:
    house = House(store, QUIET)
    table = await house.open("sushizock", 2, {})
    _, token = await table.seating.join("Anna", "anna")
    await table.seating.join("Bo", "bo")
    name = table.book.name
    found, _ = await Mine(house).look([], [name, NOBODY], "anna", "here")
    assert [(told.table, told.seats, told.held) for told in found] == [(name, (0,), False)]
    found, _ = await Mine(house).look([(name, token)], [name], "anna", "here")
    assert [(told.seats, told.held) for told in found] == [((0,), True)]
    assert await Mine(house).look([], [name], "somebody", "here") == ([], [])
    await table.seating.leave(0)
    assert await Mine(house).look([], [name], "anna", "here") == ([], [])


async def test_who_waits_for_a_slow_table_knows_until_when() -> None:
    house = House(SqliteStore(":memory:"), QUIET)
    table, tokens = await seated(house, speed="day")
    await table.seating.start(0)
    first = mover_of(table)
    found = [(await looked(Mine(house), (table.book.name, token)))[0] for token in tokens]
    due = found[first].due
    assert due is not None
    assert abs(due - table.book.begun - DAY) < 5
    assert found[1 - first].due is None
    await house.close()


async def test_moves_of_earlier_games_are_passed_over() -> None:
    """What is read of a table with many games is the same as what its whole book tells."""
    house = House(SqliteStore(":memory:"), QUIET)
    table, tokens = await seated(house)
    for _ in range(3):
        await table.seating.start(0)
        while table.book.phase == "playing":
            await move(table, tokens)
        lines = await house.store.load(table.book.name)
        book, stand = stand_in(table.book.name, lines, CLOCKS)
        assert stand == stand_of(table.book, CLOCKS)
        assert (book.entries, len(stand.table.scores)) == (table.book.entries, 2)
        await table.seating.again(0, "chance")
    await house.close()


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
async def test_nothing_is_told_that_a_seat_cannot_see(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    """In random positions, swap everything that a seat may not see: what it is told is the same."""
    house = House(SqliteStore(":memory:"), QUIET)
    speed: Speed = "relaxed" if "race" in traits(game_named(name), options) else "week"
    table = await house.open(name, seats, options, speed)
    for number in range(seats):
        await table.seating.join(f"p{number}")
    rules, book = game_named(name), table.book
    book.phase = "playing"
    for seed in range(30):
        here = position(name, seats, seed, seed * 5 % 120, **options)
        for seat in range(seats):
            there = rules.imagine(rules.view(here, seat), Quick(seed))
            told = []
            for book.state in (here, there):
                told.append(msgspec.json.encode(seen_from(stand_of(book, CLOCKS), [seat])))
            assert told[0] == told[1]
    await house.close()


async def test_a_card_laid_in_secret_moves_no_deadline() -> None:
    """[B7]: how long somebody has thought is nobody else's business before all cards lie."""
    house = House(SqliteStore(":memory:"), QUIET)
    table, tokens = await seated(house, "buffet", speed="day")
    await table.seating.start(0)
    last, book = table.book.movers()[-1], table.book
    before = seen_from(stand_of(book, CLOCKS), [last])
    await move(table, tokens)
    book.moves[-1] = replace(book.moves[-1], t=3_600_000)
    after = seen_from(stand_of(book, CLOCKS), [last])
    assert after.due == before.due is not None
    assert len(after.to_move) == len(before.to_move) - 1
    await house.close()


async def test_a_seat_stays_ones_own_while_its_game_is_not_here() -> None:
    """Whoever forgets its key could not come back when the game is."""
    store = SqliteStore(":memory:")
    with nothing_stays():
        load_file(EXAMPLE)
        first = House(store, QUIET)
        table, tokens = await seated(first, "two_dice")
        name = table.book.name
        first.let_go(name)
    found, gone = await Mine(House(store, QUIET)).look([(name, tokens[0])], [], "", "here")
    assert (found, gone) == ([], [])
    await first.close()
