"""A table of strangers: nobody waits for a ghost, and it starts by itself."""

import asyncio
from pathlib import Path

import pytest

from tests.sealed import Word, word
from tests.table.home import Home, at_home
from tests.virtual import Guest
from tischlein.game import Refusal
from tischlein.house.settings import Settings
from tischlein.store import Page, StoreDown
from tischlein.table.book import Book
from tischlein.table.needs import Conflict, Stranger
from tischlein.table.table import Table

pytestmark = pytest.mark.virtual_time
SETTINGS = Settings(bot_pause=0.0)


async def strangers(house: Home, count: int, seats: int = 4) -> tuple[Table, list[Guest]]:
    """Let people sit down who look for somebody, and be there."""
    table = await house.open("sushizock", seats, {}, "normal", public=True, seek=True)
    return table, [await come(table, f"p{number}") for number in range(count)]


async def come(table: Table, name: str) -> Guest:
    """Sit down and be there."""
    seat, _ = await table.seating.join(name)
    guest = Guest(seat)
    await table.arrive(guest)
    return guest


async def seal(table: Table, guest: Guest, text: str = "0f" * 16) -> Word:
    """Seal a word."""
    chosen = word(text)
    assert guest.seat is not None
    await table.sealing.seal(guest.seat, chosen.seal)
    return chosen


def phase_of(table: Table) -> str:
    """Say how far a table is."""
    return table.book.phase


def people(book: Book) -> list[int]:
    """List the seats of people."""
    return [seat for seat, chair in enumerate(book.chairs) if chair.token is not None]


async def test_it_starts_when_it_is_full_and_all_have_sealed(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, guests = await strangers(house, 4)
        words = [await seal(table, guest, f"{guest.seat}" * 32) for guest in guests]
        await asyncio.sleep(0.1)
        assert table.book.words.is_opening
        for guest, chosen in zip(guests, words, strict=True):
            assert guest.seat is not None
            await table.sealing.open(guest.seat, chosen.text, chosen.salt)
        assert phase_of(table) == "playing"


async def test_it_waits_a_moment_for_words_and_for_nobody_longer(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, _ = await strangers(house, 4)
        await asyncio.sleep(SETTINGS.seek_seals_within - 0.5)
        assert phase_of(table) == "open"
        await asyncio.sleep(1.0)
        assert phase_of(table) == "playing"


async def test_three_wait_for_the_fourth(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, _ = await strangers(house, 3)
        await asyncio.sleep(600)
        assert (table.book.phase, people(table.book)) == ("open", [0, 1, 2])
        await come(table, "last")
        await asyncio.sleep(SETTINGS.seek_seals_within + 0.1)
        assert phase_of(table) == "playing"


async def test_who_is_gone_loses_the_seat_and_who_reloads_does_not(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, guests = await strangers(house, 3)
        table.go_away(guests[0])
        table.go_away(guests[1])
        await asyncio.sleep(SETTINGS.seek_gone_after - 1)
        await table.arrive(guests[1])
        await asyncio.sleep(2)
        assert (people(table.book), table.book.host) == ([1, 2], 1)


async def test_who_never_came_and_who_fell_silent_start_no_game(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, guests = await strangers(house, 3)
        await table.seating.join("never here")
        await asyncio.sleep(SETTINGS.seek_seals_within + 0.5)
        assert phase_of(table) == "open"
        table.people.fell_silent(guests[2])
        await asyncio.sleep(SETTINGS.seek_gone_after + 0.5)
        assert people(table.book) == [0, 1]
        assert guests[2].told == ["removed"]


async def test_who_does_not_open_a_word_loses_the_seat(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, guests = await strangers(house, 4)
        words = [await seal(table, guest, f"{guest.seat}" * 32) for guest in guests]
        await asyncio.sleep(0.1)
        for guest, chosen in list(zip(guests, words, strict=True))[:3]:
            assert guest.seat is not None
            await table.sealing.open(guest.seat, chosen.text, chosen.salt)
        await asyncio.sleep(SETTINGS.open_within + 0.1)
        assert (table.book.phase, people(table.book)) == ("open", [0, 1, 2])
        assert guests[3].told == ["removed"]
        await come(table, "last")
        await asyncio.sleep(SETTINGS.seek_seals_within + 0.1)
        assert phase_of(table) == "playing"


async def test_bots_come_when_everybody_takes_them_and_not_before(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, guests = await strangers(house, 2)
        with pytest.raises(Conflict, match="20 seconds"):
            await table.seeking.take_bots(0)
        await asyncio.sleep(SETTINGS.seek_bots_after)
        await table.seeking.take_bots(0)
        await asyncio.sleep(60)
        assert sum(chair.free for chair in table.book.chairs) == 2
        table.go_away(guests[1])
        await asyncio.sleep(SETTINGS.seek_gone_after + SETTINGS.seek_seals_within + 1)
        assert [chair.bot for chair in table.book.chairs] == [None, "easy", "easy", "easy"]
        assert phase_of(table) == "playing"


async def test_nobody_is_its_host_before_the_game_and_somebody_after_it(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, guests = await strangers(house, 2, seats=2)
        seating = table.seating
        for deed in (
            seating.start(0),
            seating.remove(0, 1),
            seating.seat_bot(0, 1, "easy"),
            seating.publish(0, False),
        ):
            with pytest.raises(Stranger, match="nobody is the host"):
                await deed
        await asyncio.sleep(SETTINGS.seek_seals_within + 0.1)
        table.go_away(guests[0])
        await asyncio.sleep(SETTINGS.host_after + 1)
        assert table.book.host == 1
        table.book.phase = "over"  # as if they had played
        await table.seating.again(1, "chance")
        await asyncio.sleep(1)
        assert people(table.book) == [1]  # who went is not waited for a second time


async def test_an_ordinary_table_waits_for_its_host(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table = await house.open("sushizock", 2, {}, public=True)
        guests = [await come(table, "p0"), await come(table, "p1")]
        table.go_away(guests[1])
        await asyncio.sleep(600)
        assert (table.book.phase, people(table.book)) == ("open", [0, 1])
        with pytest.raises(Refusal, match="the host sees to the seats"):
            await table.seeking.take_bots(0)


async def test_a_full_table_survives_a_store_in_trouble(tmp_path: Path) -> None:
    async with at_home(tmp_path, SETTINGS) as house:
        table, _ = await strangers(house, 4)
        append = house.store.append

        async def fail(page: Page, /) -> None:
            raise StoreDown("no disk")

        house.store.append = fail  # type: ignore[method-assign]
        await asyncio.sleep(10)
        assert phase_of(table) == "open"
        house.store.append = append  # type: ignore[method-assign]
        await asyncio.sleep(2)
        assert phase_of(table) == "playing"
