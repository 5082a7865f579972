"""The learner is not told what lies in the stock or in other hands."""

import msgspec
import pytest

from tischlein.games.buffet import primer
from tischlein.games.buffet.rules import Deal
from tischlein.primer import LEARNER, told_primer


def test_other_hidden_cards_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    told = msgspec.json.encode(told_primer("buffet"))
    by, deal = primer.PRIMER.opening[0]
    assert isinstance(deal, Deal)
    cards = list(deal.cards)
    never_laid, in_stock = 9 + cards[9:18].index(8), len(cards) - 1
    assert cards[never_laid] != cards[in_stock]
    cards[never_laid], cards[in_stock] = cards[in_stock], cards[never_laid]
    plates = (*deal.plates[:9], *reversed(deal.plates[9:]))
    other = Deal(tuple(cards), plates, LEARNER)
    changed = msgspec.structs.replace(
        primer.PRIMER, opening=((by, other), *primer.PRIMER.opening[1:])
    )
    monkeypatch.setattr(primer, "PRIMER", changed)
    assert msgspec.json.encode(told_primer("buffet")) == told


def test_the_other_mice_lay_in_secret() -> None:
    told = told_primer("buffet")
    assert told is not None
    welcome = told.steps[0].stand.view
    assert welcome.played == {1: None, 2: None, 3: None}
    assert all(card is None for hand in welcome.hands[1:] for card in hand)
