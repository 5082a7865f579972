"""What is written down of a table that waits for anybody."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import open_table, server_here
from tests.waiting import until
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(SqliteStore(tmp_path / "t.sqlite"), Settings())


async def test_a_table_that_waits_for_days_keeps_nothing_of_addresses(house: House) -> None:
    """They serve to bring a household together among strangers who look just now."""
    async with server_here(house) as url:
        (host,) = await open_table(url, "sushizock", 2, bots={}, public=True, speed="week")
        await host.connect()
        assert house.tables[host.table].presence.networks
        rows: list[Any] = []

        def told() -> bool:
            offer = house.offers._mine.get(host.table)
            return offer is not None and bool(offer.players)

        await until(told)
        await house.offers._write()
        rows = await house.store.ask("SELECT body FROM offers")
        assert [msgspec.json.decode(body)["networks"] for (body,) in rows] == [[]]
        await host.close()
