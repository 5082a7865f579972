"""The learner is not told what lies covered [S19] until the game is over."""

import msgspec
import pytest

from tischlein.games.sushizock import primer
from tischlein.games.sushizock.rules import Deal
from tischlein.primer import LEARNER, told_primer


def test_other_covered_tiles_tell_the_same_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    told = told_primer("sushizock")
    by, deal = primer.PRIMER.opening[0]
    assert isinstance(deal, Deal)
    first, second, *rest = deal.sushi
    assert first != second
    opening = ((by, Deal((second, first, *rest), deal.bones, LEARNER)), *primer.PRIMER.opening[1:])
    changed = msgspec.structs.replace(primer.PRIMER, opening=opening)
    monkeypatch.setattr(primer, "PRIMER", changed)
    other = told_primer("sushizock")
    assert told is not None
    assert other is not None
    running = [step for step in told.steps if not step.stand.over]
    assert len(running) > 4
    assert other.steps[: len(running)] == running
    assert other.steps != told.steps, "at the end all is open"


def test_the_sushi_without_a_bone_falls_away() -> None:
    told = told_primer("sushizock")
    assert told is not None
    end = told.steps[-1].stand
    sushi, bones = end.view.piles[LEARNER].sushi, end.view.piles[LEARNER].bones
    assert (len(sushi), len(bones)) == (7, 6)
    assert end.over
    assert end.winners == (LEARNER,)
