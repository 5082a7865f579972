"""Who sits where: names, who plays for whom, and seats that are given back."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.virtual import Guest, VirtualHouse, VirtualStore, held
from tests.waiting import until
from tischlein.bots import Answer, Turn, levels
from tischlein.game import Refusal
from tischlein.games import game_named
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.names import are_alike
from tischlein.store import Page, StoreDown
from tischlein.store.sqlite import SqliteStore
from tischlein.table import entries as e
from tischlein.table import queue
from tischlein.table.book import Book
from tischlein.table.needs import Asker, Conflict, Stranger
from tischlein.table.queue import MOST_CHANGES, Change, check_room
from tischlein.table.table import Table

SOON = Settings(bot_pause=0.0, relief_after=30.0, clocks={"quick": 20.0})
pytestmark = pytest.mark.virtual_time


async def set_table(house: House, people: int = 2, **more: Any) -> Table:
    """Set a table with people at it."""
    await house.wake()
    options = {"starter": 1}
    table = await house.open("sushizock", more.pop("seats", people), options, **more)
    for number in range(people):
        await table.seating.join(f"p{number}")
    return table


async def without(table: Table, house: House) -> None:
    """Begin a game, from which the player in seat 1 goes away for long."""
    await table.arrive(Guest(0))
    await table.seating.start(0)
    await asyncio.sleep(house.settings.relief_after + 1)


def levels_asked(house: VirtualHouse) -> list[str]:
    """Note which bots are asked."""
    asked: list[str] = []
    choose = house.thinkers.choose

    async def noted(game: str, level: str, turn: Turn, asker: Asker) -> Answer:
        asked.append(level)
        return await choose(game, level, turn, asker)

    house.thinkers.choose = noted  # type: ignore[method-assign, assignment]
    return asked


# Names


async def test_nobody_sits_down_as_somebody_else(tmp_path: Path) -> None:
    """Two would have had one name, and all would have taken one for the other."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    await house.wake()
    table = await house.open("sushizock", 3, {})
    await table.seating.join("Anna")
    with pytest.raises(Conflict, match="called that already"):
        await table.seating.join("аnnа ")
    with pytest.raises(Refusal, match="bots are called that"):
        await table.seating.join("Easy 2")
    await table.seating.join("Anne\u200b")
    await table.seating.seat_bot(0, 2, "easy")
    assert [chair.name for chair in table.book.chairs] == ["Anna", "Anne", "Easy 3"]
    await house.close()


@given(st.lists(st.text("aAа0oIl.\u200bé", max_size=2) | st.text(max_size=6), max_size=9))
def test_whatever_people_call_themselves_no_two_names_are_alike(names: list[str]) -> None:
    """A sign that nobody thought of would have made two players one."""

    async def sit_down() -> list[str]:
        house = House(SqliteStore(":memory:"), SOON)
        table = await house.open("sushizock", 5, {})
        for name in names:
            with contextlib.suppress(Refusal):
                await table.seating.join(name)
        await house.close()
        return [chair.name for chair in table.book.chairs if chair.name]

    found = asyncio.run(sit_down())
    assert [pair for pair in combinations(found, 2) if are_alike(*pair)] == []


def test_old_names_can_still_be_read() -> None:
    """Who played before names were looked at would have lost the table."""
    book = Book("t")
    old = ["Easy 2", "a\u2028b", "\u200b"]
    book.fold(e.Opened(0.0, "sushizock", 3, {}, "relaxed", "seed"))
    for seat, name in enumerate(old):
        book.fold(e.decoder.decode(e.encoder.encode(e.Sat(0.0, seat, name, "x"))))
    assert [chair.name for chair in book.chairs] == old
    assert {chair.stand_in for chair in book.chairs} == {"easy"}


# Who plays for whom


async def test_relief_comes_from_the_level_that_the_player_chose(tmp_path: Path) -> None:
    """A rival would have let the clumsiest bot play for whoever was away for half a minute."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    asked = levels_asked(house)
    table = await set_table(house, stand_in="hard")
    assert [chair.stand_in for chair in table.book.chairs] == ["hard", "hard"]
    await without(table, house)
    await table.seating.choose_stand_in(1, None, "medium")
    await table.seating.relieve(0, 1)
    await until(lambda: table.book.movers() == [0])
    assert table.book.chairs[1].relief == "medium"
    assert set(asked) == {"medium"}
    await house.close()


async def test_who_is_too_late_is_played_for_by_the_same_level(tmp_path: Path) -> None:
    """The clock would have played worse for somebody than the bot that they chose."""
    short = replace(SOON, clocks={"quick": 5.0})  # of a turn's moves each takes as long
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), short)
    asked = levels_asked(house)
    table = await set_table(house, speed="quick")
    await table.seating.choose_stand_in(0, 1, "medium")
    await table.arrive(Guest(0))
    await table.arrive(Guest(1))
    await table.seating.start(0)
    await until(lambda: table.book.made[1] > 0)
    assert set(asked) == {"medium"}
    await house.close()


async def test_who_may_choose_a_stand_in(tmp_path: Path) -> None:
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    table = await set_table(house, 3)
    choose = table.seating.choose_stand_in
    for bot in levels(game_named("sushizock")):
        await choose(1, None, bot)
        assert table.book.chairs[1].stand_in == bot
    await choose(0, 2, "hard")
    with pytest.raises(Stranger, match="only the host"):
        await choose(1, 2, "random")
    for bot in ("expert*1000", "onepage", "god"):
        with pytest.raises(Refusal, match="there is no bot"):
            await choose(1, None, bot)
    for seat in (-1, 3):
        with pytest.raises(Refusal, match="there is no seat"):
            await choose(0, seat, "easy")
    await table.seating.start(0)
    with pytest.raises(Conflict, match="has begun"):
        await choose(0, 2, "random")
    await choose(2, 2, "easy")
    assert table.book.chairs[2].stand_in == "easy"
    await house.close()


async def test_a_thought_from_before_moves_for_nobody_who_came_back(tmp_path: Path) -> None:
    """The bot would have made one more move in the hand of its player, who was back already."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    house.thinkers.moment = 5.0
    table = await set_table(house)
    await without(table, house)
    await table.seating.relieve(0, 1)
    moves = len(table.book.moves)
    await table.arrive(Guest(1))
    assert table.book.chairs[1].relief is None
    await asyncio.sleep(60)
    assert len(table.book.moves) == moves
    await house.close()


class Slow(VirtualStore):
    """A store that takes its time, and may fail."""

    taking = 0.0
    failing = 0

    async def append(self, page: Page, /) -> None:
        await asyncio.sleep(self.taking)
        if self.failing:
            self.failing -= 1
            raise StoreDown("away for a moment")
        await super().append(page)


@pytest.mark.parametrize("failing", [0, 2])
async def test_who_comes_while_a_bot_is_let_in_takes_over_at_once(
    tmp_path: Path, failing: int
) -> None:
    """A player who came back in that moment would have sat there and seen a bot play on."""
    store = Slow(tmp_path / "t.sqlite")
    house = VirtualHouse(store, SOON)
    table = await set_table(house)
    await without(table, house)
    store.taking = 2.0
    house.thinkers.moment = 60.0
    relief = asyncio.create_task(table.seating.relieve(0, 1))
    await asyncio.sleep(1)
    await table.arrive(Guest(1))
    await relief
    store.failing = failing
    await until(lambda: table.book.chairs[1].relief is None)
    await house.close()


# Seats that are given back


async def test_the_host_gives_a_seat_back_before_the_game(tmp_path: Path) -> None:
    """Who sits down and does not play would have kept the others from ever beginning."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    table = await set_table(house, 3)
    guest, other = Guest(1), Guest(2)
    for listener in (Guest(0), guest, other):
        await table.arrive(listener)
    for by, seat in ((1, 2), (2, 0)):
        with pytest.raises(Stranger, match="only the host"):
            await table.seating.remove(by, seat)
    for seat in (0, 3, -1):
        with pytest.raises(Refusal, match="seat"):
            await table.seating.remove(0, seat)
    await table.seating.remove(0, 1)
    assert (guest.seat, guest.told, other.seat, other.told) == (None, ["removed"], 2, [])
    assert table.book.chairs[1].free
    with pytest.raises(Refusal, match="another player"):
        await table.seating.remove(0, 1)
    assert (await table.seating.join("p3"))[0] == 1
    await table.seating.start(0)
    with pytest.raises(Conflict, match="has begun"):
        await table.seating.remove(0, 1)
    with held():
        entries = await house.store.load(table.book.name)
    assert [type(e.decoder.decode(line)).__name__ for line in entries].count("Removed") == 1
    await house.close()


# A book that does not grow without end


async def change_seal(table: Table, turn: int) -> None:
    """Seal another word."""
    await table.sealing.seal(1, f"{turn:064x}")


async def change_stand_in(table: Table, turn: int) -> None:
    """Choose another stand-in."""
    await table.seating.choose_stand_in(1, None, ("easy", "medium")[turn % 2])


async def change_starter(table: Table, turn: int) -> None:
    """Name a seat that begins."""
    await table.seating.appoint(0, 1)


async def change_handicap(table: Table, turn: int) -> None:
    """Give another handicap."""
    await table.seating.give_handicap(0, 1, float(turn))


async def change_bot(table: Table, turn: int) -> None:
    """Put a bot in the last seat, or take it away."""
    await table.seating.seat_bot(0, 2, None if turn % 2 else "easy")


@pytest.mark.parametrize(
    "change",
    [change_seal, change_stand_in, change_starter, change_handicap, change_bot],
)
async def test_nobody_lets_a_book_grow_without_end(
    tmp_path: Path, change: Callable[[Table, int], Awaitable[None]]
) -> None:
    """A stranger with one seat wrote a hundred entries a second, for hours.

    After a night the table had millions, and whoever asked for it made all others wait while they
    were read. The others at the table must still be able to change what is theirs, and to begin.
    """
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    table = await set_table(house, 2, seats=3)
    begun = table.book.entries

    async def change_for_hours() -> None:
        for turn in range(2 * MOST_CHANGES):
            await change(table, turn)

    with pytest.raises(Conflict, match="too often") as refused:
        await change_for_hours()
    assert refused.value.code == "worn_out"
    assert table.book.entries - begun <= 2 * MOST_CHANGES
    again = Book(table.book.name)
    with held():
        for line in await house.store.load(table.book.name):
            again.fold(e.decoder.decode(line))
    assert again.changes == table.book.changes, "the next server counts the same"
    await table.seating.choose_stand_in(0, None, "medium")
    await table.sealing.seal(0, "0" * 64)
    if table.book.chairs[2].free and change is not change_bot:
        await table.seating.seat_bot(0, 2, "easy")
    await table.seating.leave(1)
    assert table.book.chairs[1].free
    await house.close()


async def test_nobody_wears_out_a_seat_for_who_comes_next(tmp_path: Path) -> None:
    """A stranger who sealed five hundred words and left kept a guest from sealing one."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    table = await set_table(house)
    for turn in range(MOST_CHANGES):
        await change_seal(table, turn)
    await table.seating.leave(1)
    await table.seating.join("next")
    await table.sealing.seal(1, "0" * 64)
    assert table.book.words.seals[1] == "0" * 64
    await house.close()


async def test_a_rematch_lets_people_change_things_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Friends who play all evening would have been told one day that they changed too much."""
    monkeypatch.setattr(queue, "MOST_CHANGES", 1)
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), SOON)
    table = await set_table(house)
    await table.sealing.seal(1, "0" * 64)
    table.book.fold(e.Again(house.now(), "0" * 64, None))
    assert not table.book.changes
    monkeypatch.setattr(queue, "MOST_ENTRIES", table.book.entries)
    with pytest.raises(Conflict, match="set a new one"):
        check_room(table.book, [Change(e.Again(house.now(), "0" * 64, None))])
    await house.close()
