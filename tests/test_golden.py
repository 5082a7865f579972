"""Every game and number of seats has a golden playthrough, and still plays it."""

import pytest

from tests.golden import FOLDER, playthrough
from tests.tables import ALL_TABLES


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_playthrough(name: str, seats: int) -> None:
    file = FOLDER / f"{name}-{seats}.txt"
    assert file.exists(), "run: python -m tests.golden"
    assert playthrough(name, seats) == file.read_text(encoding="utf-8")


def test_no_playthrough_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{n}-{s}.txt" for n, s in ALL_TABLES}
