"""What is worth counting in a game is counted right, in every game that says so."""

import pytest

from tests.own import on_the_shelf
from tests.tables import random_game
from tischlein.figures import figures_of
from tischlein.games import game_named, game_names, has_part
from tischlein.record import Replay, header
from tischlein.words import LANGUAGES, own_words


def finished(name: str, seats: int, **options: object) -> Replay:
    """Play a random game."""
    game = Replay(header(name, [f"p{seat}" for seat in range(seats)], options))
    for _, by, move, _ in random_game(name, seats, 3, **options):
        game.play(by, move)
    return game


@pytest.mark.parametrize("name", game_names())
def test_every_seat_has_the_same_figures_and_words_for_them(name: str) -> None:
    seats = game_named(name).SEATS[-1]
    found = figures_of(finished(name, seats))
    assert len(found) == seats
    assert len({tuple(figure.key for figure in mine) for mine in found}) == 1
    assert has_part(name, "figures") == bool(found[0])
    for language in LANGUAGES:
        words = own_words(name, language)
        for figure in (figure for mine in found for figure in mine):
            assert f"figure.{figure.key}" in words
            named = [] if figure.people else [f"{figure.key}.{thing}" for thing in figure.counts]
            assert set(named) <= set(words)


def test_thieves_and_quick_hands_are_counted() -> None:
    game = finished("kakerlaken", 3)
    for seat, mine in enumerate(figures_of(game)):
        own = [move for by, move in game.moves if by == seat]
        named = [move for move in own if type(move).__name__ == "Name"]
        hands = [move for move in own if type(move).__name__ in ("Slap", "Grab")]
        thief, reaction = mine
        assert sum(thief.counts.values()) == len(named)
        assert reaction.times == tuple(round(move.at) for move in hands) != ()
    calm = figures_of(finished("kakerlaken", 3, calm=True))
    assert all(mine[1].times == () for mine in calm)


def test_steals_are_counted_by_victim() -> None:
    game = finished("sushizock", 4)
    steals = [(by, move.victim) for by, move in game.moves if type(move).__name__ == "Steal"]
    for seat, (victims,) in enumerate(figures_of(game)):
        assert sum(victims.counts.values()) == sum(by == seat for by, _ in steals)
        assert str(seat) not in victims.counts
    assert steals


def test_plates_are_counted_by_food() -> None:
    found = figures_of(finished("buffet", 4))
    assert all(sum(foods.counts.values()) > 0 for (foods,) in found)


def test_a_game_may_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_shelf(monkeypatch, "coins")
    assert not has_part("coins", "figures")
    game = finished("buffet", 3)
    monkeypatch.setattr("tischlein.figures.has_part", lambda name, part: False)
    assert figures_of(game) == ((), (), ())
