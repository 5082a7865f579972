"""The number of ways that a game can go is what it was."""

import json

from tests.counts import FILE, table


def test_counts() -> None:
    assert table() == json.loads(FILE.read_text())


def test_the_first_counts_by_hand() -> None:
    """56 rolls; three hands of nine cards; nine rolls, then 11 deeds a seat or the clock."""
    counts = json.loads(FILE.read_text())
    assert counts["sushizock"]["2"][0] == 56
    assert counts["buffet"]["3"][:2] == [3 * 9, 3 * 9 * 2 * 9]
    assert counts["kakerlaken"]["2"][:2] == [9, 9 * (2 * 11 + 1)]
