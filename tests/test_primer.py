"""Every primer is a real game: legal from the first move to the last, told to seat 0 alone."""

from typing import Any

import msgspec
import pytest

from tests.own import on_the_shelf
from tischlein.chance import Quick
from tischlein.game import AnyGame, Timed
from tischlein.games import game_named, game_names
from tischlein.primer import (
    LEARNER,
    Primer,
    Step,
    has_primer,
    moves_of,
    primer_of,
    shown_of,
    told_primer,
)
from tischlein.words import LANGUAGES, own_words

GAMES = [name for name in game_names() if has_primer(name)]
LONGEST = 120
"""A bubble has at most two short sentences."""


def begun(name: str) -> tuple[AnyGame, Primer, Any]:
    """Play the opening of a game's primer."""
    rules, primer = game_named(name), primer_of(name)
    assert primer is not None
    state = rules.start(len(primer.others) + 1, primer.options)
    for by, move in primer.opening:
        state = rules.play(state, by, move)
    return rules, primer, state


def untimed(move: Any) -> Any:
    """Give a move as `legal` lists it."""
    return msgspec.structs.replace(move, at=msgspec.UNSET) if isinstance(move, Timed) else move


def test_all_games_of_the_house_can_be_learnt() -> None:
    assert game_names() == GAMES


@pytest.mark.parametrize("name", GAMES)
def test_the_learner_is_asked_for_legal_moves(name: str) -> None:
    rules, primer, state = begun(name)
    asked = 0
    for step in primer.steps:
        if step.do is not None:
            asked += 1
            assert untimed(step.do) in rules.legal(state, LEARNER), step.say
        for by, move in moves_of(step):
            state = rules.play(state, by, move)
    assert asked > 2


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_follows_the_moves(name: str) -> None:
    rules, primer, state = begun(name)
    told = told_primer(name)
    assert told is not None
    assert told.stand.view == rules.view(state, LEARNER)
    for step, found in zip(primer.steps, told.steps, strict=True):
        shown, state = shown_of(rules, state, moves_of(step))
        assert (found.say, found.shown) == (step.say, shown)
        assert found.stand.view == rules.view(state, LEARNER)
        assert found.stand.legal.get("0", ()) == rules.legal(state, LEARNER)
        assert found.stand.over == (not rules.to_move(state))


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_is_told(name: str) -> None:
    """Who imagines other hidden things from what the learner sees is told the same."""
    rules, told = game_named(name), told_primer(name)
    assert told is not None
    stands = [told.stand, *(step.stand for step in told.steps)]
    for nth, stand in enumerate(stands):
        other = rules.imagine(stand.view, Quick(nth))
        assert rules.view(other, LEARNER) == stand.view
        assert rules.standing(other, LEARNER) == stand.scores
    for shown in (shown for step in told.steps for shown in step.shown):
        other = rules.imagine(shown.view, Quick(7))
        assert rules.view(other, LEARNER) == shown.view


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_step_has_short_words_in_every_language(name: str, language: str) -> None:
    words, told = own_words(name, language), told_primer(name)
    assert told is not None
    said = [f"learn.{step.say}" for step in told.steps]
    assert len(said) == len(set(said))
    assert sorted(said) == sorted(key for key in words if key.startswith("learn."))
    assert [key for key in said if len(words[key]) > LONGEST] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_primer_is_small(name: str) -> None:
    assert len(msgspec.json.encode(told_primer(name))) < 60_000


def test_a_game_without_a_primer_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_shelf(monkeypatch, "coins")
    assert not has_primer("coins")
    assert told_primer("coins") is None


def test_a_game_of_one_file_may_bring_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Primer(("Mia",), (), (Step("welcome"),))
    on_the_shelf(monkeypatch, "coins", PRIMER=mine)
    assert primer_of("coins") == mine
