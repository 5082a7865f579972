"""The learner crosses out what shows the roll, and one plate remains [K2]."""

from tischlein.games.kakerlaken import primer
from tischlein.games.kakerlaken.rules import COLOURS, SYMBOLS, TILES
from tischlein.primer import told_primer


def test_what_is_crossed_out_shows_the_roll() -> None:
    shows = {tile: {*SYMBOLS, *COLOURS} - {*tile} for tile in TILES if tile != primer.HERS}
    assert {tile for tile in shows if "rice" in shows[tile]} == {*primer.WITH_RICE}
    assert {tile for tile in shows if "red" in shows[tile]} == {*primer.WITH_RED}
    assert {*shows} - {*primer.WITH_RICE, *primer.WITH_RED} == {primer.MINE}
    assert primer.plates(primer.MINE)[0] not in primer.BOTH


def test_the_learner_earns_a_coin_and_takes_a_tile() -> None:
    told = told_primer("kakerlaken")
    assert told is not None
    end = told.steps[-1].stand
    assert end.scores == (1, 0)
    assert [shown.owner for shown in end.view.circle if shown.owner is not None] == [0]
    assert all(step.stand.racing for step in told.steps[:3])
