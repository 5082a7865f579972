"""Files of a store are their owner's alone."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import run
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.run import Serving, house_for
from tischlein.store.sqlite import SqliteStore

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")


@pytest.fixture(autouse=True)
def _careless() -> Iterator[None]:
    """Let others read and write all new files, as a careless machine does."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """List what is in a folder, each with who may do what."""
    return {found.name: found.stat().st_mode & 0o777 for found in sorted(folder.iterdir())}


async def opened(house: House) -> None:
    """Set a table, so that all files are there."""
    await house.wake()
    await house.open("sushizock", 2, {})


async def test_what_a_server_keeps_is_its_owners(tmp_path: Path) -> None:
    """Another user of the machine would have read the seeds of games that go on, and all dice."""
    data = tmp_path / "new" / "data"
    house = house_for(Serving(data=data), Settings())
    await opened(house)
    assert modes(tmp_path / "new") == {"data": 0o700}
    assert set(modes(data)) == {"tables.sqlite", "tables.sqlite-shm", "tables.sqlite-wal"}
    assert set(modes(data).values()) == {0o600}
    await house.close()


async def test_an_older_store_is_tightened_and_its_parents_are_not(tmp_path: Path) -> None:
    """Whoever began with an older version would have stayed readable for ever."""
    tmp_path.chmod(0o755)
    data = tmp_path / "data"
    data.mkdir()
    older = SqliteStore(data / "tables.sqlite")
    for file in data.iterdir():
        file.chmod(0o666)
    house = house_for(Serving(data=data), Settings())
    await opened(house)
    assert modes(tmp_path) == {"data": 0o700}
    assert set(modes(data).values()) == {0o600}
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    await house.close()
    await older.close()


async def test_a_folder_that_holds_other_things_stays_open(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").touch()
    tmp_path.chmod(0o755)
    house = house_for(Serving(data=tmp_path), Settings())
    await opened(house)
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert modes(tmp_path)["tables.sqlite"] == 0o600
    await house.close()


async def test_an_export_is_its_owners(tmp_path: Path) -> None:
    """A backup on a shared disk would have told what the store hides."""
    await SqliteStore(tmp_path / "s.sqlite").close()
    (tmp_path / "s.sqlite").chmod(0o644)
    file = tmp_path / "export.jsonl"
    done = run("store", "export", str(file), "--store", str(tmp_path / "s.sqlite"))
    assert done.returncode == 0, done.stderr
    assert modes(tmp_path)["export.jsonl"] == 0o600
    assert modes(tmp_path)["s.sqlite"] == 0o600
