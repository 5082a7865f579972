"""Everything goes wrong, nothing is lost; the short form of `python -m tests.server.faults`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines import Nats, Postgresql
from tests.server.faults import Tally, Town, collide, torment


@pytest.fixture
def town(postgresql: Postgresql, nats: Nats, tmp_path: Path) -> Iterator[Town]:
    """Three servers around one store."""
    built = Town(postgresql, nats, tmp_path)
    yield built
    built.end()


@pytest.mark.long
async def test_faults_cost_nothing(town: Town) -> None:
    tally = Tally()
    await torment(town, tally, tables=6, seconds=200, faults=7)
    print("\n".join(tally.rows()))
    assert tally.errors == []
    assert len(tally.faults) == 7, "each kind once"
    assert tally.games >= 6
    assert tally.acknowledged > 50
    assert tally.secrets > 50
    assert tally.bus_words > 100
    assert tally.slow > 0
    assert tally.rated > 0


async def test_without_the_unique_key_the_checks_find_errors(town: Town) -> None:
    """The same checks on a broken store: so they can fail."""
    town.drop_unique_key()
    tally = Tally()
    await collide(town, tally, tables=6, seconds=200)
    assert tally.errors
