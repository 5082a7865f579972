"""What a house is beside its tables."""

import hashlib
from pathlib import Path

from tests.virtual import VirtualHouse, VirtualStore
from tischlein.table.table import Table

HOME = "192.0.2.7"


async def mark(file: Path) -> str:
    """Open a house, and let it tell the network at home from others."""
    house = VirtualHouse(VirtualStore(file))
    await house.wake()
    assert house.mark(HOME) == house.mark(HOME) != house.mark("192.0.2.8")
    found = house.mark(HOME)
    await house.close()
    return found


async def test_the_mark_of_a_network_is_a_houses_own_and_stays(tmp_path: Path) -> None:
    """Whoever reads a store could have tried all addresses: a mark is kept beside an open table."""
    here = await mark(tmp_path / "here.sqlite")
    assert here == await mark(tmp_path / "here.sqlite")
    assert here != await mark(tmp_path / "there.sqlite")
    assert not hashlib.sha256(HOME.encode()).hexdigest().startswith(here)


async def test_a_table_that_is_let_go_while_it_is_looked_up_is_found(tmp_path: Path) -> None:
    """Else: who comes to a slow table in just that moment is told of an error."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"))
    await house.wake()
    opened = await house.open("sushizock", 2, {})
    name, caught_up = opened.book.name, []

    async def catch_up(table: Table) -> None:
        caught_up.append(table)
        if len(caught_up) == 1:
            house.let_go(name)

    house.servers.catch_up = catch_up  # type: ignore[method-assign]
    found = await house.find(name)
    assert found is not None
    assert found is not opened
    assert found.book.entries == opened.book.entries
    await house.close()
