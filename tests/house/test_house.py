"""What a house is beside its tables."""

import hashlib
from pathlib import Path

from tests.virtual import VirtualHouse, VirtualStore

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
