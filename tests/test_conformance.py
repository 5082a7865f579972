"""The checks themselves: what they must find, and what they must not take for a fault."""

from types import SimpleNamespace

import pytest

from tischlein.conformance import moves_leak_nothing
from tischlein.game import whole
from tischlein.games.buffet import rules as buffet
from tischlein.games.sushizock import rules as sushizock


@pytest.mark.parametrize("seed", [10697, 11523, 15019])
def test_open_moves_that_end_alike_by_chance_leak_nothing(seed: int) -> None:
    """A tile is named by its depth for all to hear [S14], also where two covered ones are equal."""
    assert list(moves_leak_nothing(sushizock, 2, seed)) == []


def test_a_secret_card_that_is_told_is_found() -> None:
    """A Buffet at which everybody is told what lies face down [B23]."""
    tells = SimpleNamespace(**vars(buffet) | {"seen": lambda by, move, *_: whole(by, move)})
    assert "what `view` hides" in next(moves_leak_nothing(tells, 4, 1))
