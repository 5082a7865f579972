"""The one queue of a table: check, store, then tell; with a real store."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.virtual import VirtualHouse, VirtualStore
from tischlein.game import NATURE, IllegalMove
from tischlein.house.settings import Settings
from tischlein.table.needs import Conflict, Page, StoreDown
from tischlein.table.settings import RaceRules
from tischlein.table.table import Table

QUIET = Settings(bot_pause=0.0, race=RaceRules(lead_ms=0.0, pause_ms=0.0))


class Watched(VirtualStore):
    """A store that shows what a listener knows at the moment of writing, and may be away."""

    away = False
    told_before: list[int]

    def watch(self, table: Table) -> None:
        """Look at a table whenever something is written."""
        self.table, self.told_before = table, []

    async def append(self, page: Page, /) -> None:
        """Write a page."""
        if self.away:
            raise StoreDown("away")
        if hasattr(self, "table"):
            self.told_before.append(self.table.version)
        await super().append(page)


async def seated(tmp_path: Path, game: str = "sushizock") -> tuple[VirtualHouse, Table, list[str]]:
    """Set a table for two people, with the first to begin."""
    house = VirtualHouse(Watched(tmp_path / "t.sqlite"), QUIET)
    await house.wake()
    table = await house.open(game, 2, {"starter": 0})
    tokens = [(await table.seating.join(f"p{seat}"))[1] for seat in range(2)]
    return house, table, tokens


def raw(move: Any) -> msgspec.Raw:
    """Write a move as it comes in."""
    return msgspec.Raw(msgspec.json.encode(move))


@pytest.mark.virtual_time
async def test_nothing_is_told_before_it_is_stored(tmp_path: Path) -> None:
    house, table, tokens = await seated(tmp_path)
    await table.seating.start(0)
    assert isinstance(house.store, Watched)
    house.store.watch(table)
    before = table.version
    await table.play(0, tokens[0], raw(table.book.rules.legal(table.book.state, 0)[0]), "a", 0.0)
    assert house.store.told_before == [before]
    assert table.version > before
    await house.close()


@pytest.mark.virtual_time
async def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    house, table, tokens = await seated(tmp_path)
    with pytest.raises(Conflict, match="not started"):
        await table.play(0, tokens[0], raw({"do": "forced"}), "a", 0.0)
    await table.seating.start(0)
    entries, state, version = table.book.entries, table.book.state, table.version
    with pytest.raises(IllegalMove):
        await table.play(1, tokens[1], raw({"do": "take", "row": "sushi"}), "b", 0.0)
    assert (table.book.entries, table.book.state, table.version) == (entries, state, version)
    assert len(await house.store.load(table.book.name)) == entries
    await house.close()


@pytest.mark.virtual_time
async def test_what_the_store_refuses_has_not_happened(tmp_path: Path) -> None:
    house, table, tokens = await seated(tmp_path)
    await table.seating.start(0)
    assert isinstance(house.store, Watched)
    house.store.away = True
    move = raw(table.book.rules.legal(table.book.state, 0)[0])
    before = table.book.state
    with pytest.raises(StoreDown):
        await table.play(0, tokens[0], move, "a", 0.0)
    assert table.book.state == before
    house.store.away = False
    assert await table.play(0, tokens[0], move, "a", 0.0)
    assert not await table.play(0, tokens[0], move, "a", 0.0), "the same id twice is one move"
    await house.close()


@pytest.mark.virtual_time
async def test_nature_answers_at_once_but_a_race_waits_for_players(tmp_path: Path) -> None:
    house, table, _ = await seated(tmp_path)
    await table.seating.start(0)
    assert [played.by for played in table.book.moves] == [NATURE, NATURE], "dealt and rolled"
    (tmp_path / "race").mkdir()
    other, race, _ = await seated(tmp_path / "race", "kakerlaken")
    await race.seating.start(0)
    await asyncio.sleep(60)
    assert [played.by for played in race.book.moves] == [NATURE], "nobody looks: no roll"
    await house.close()
    await other.close()


@pytest.mark.virtual_time
async def test_to_ask_plays_nothing(tmp_path: Path) -> None:
    house, table, _ = await seated(tmp_path)
    await table.seating.start(0)
    version = table.version
    table.try_out(0, raw(table.book.rules.legal(table.book.state, 0)[0]))
    with pytest.raises(IllegalMove, match="not your turn"):
        table.try_out(1, raw({"do": "take", "row": "sushi"}))
    assert table.version == version
    await house.close()
