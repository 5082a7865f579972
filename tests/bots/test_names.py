"""Nobody is taken for a bot."""

import pytest

from tischlein.bots import levels
from tischlein.bots.names import is_bots_name
from tischlein.games import game_named, game_names
from tischlein.words import LANGUAGES, in_language


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_bots_names_are_bots(game: str, language: str) -> None:
    """A person called `Easy 2` would have been nobody's worry, and played like an expert."""
    say = in_language(language)
    for level in levels(game_named(game)):
        if level in ("random", "easy", "medium", "hard", "expert"):
            assert is_bots_name(f"{say(f'level.{level}')} 3")
        assert is_bots_name(f"{level.capitalize()} 2")


@pytest.mark.parametrize(
    "name",
    [
        "Easy",
        "easy2",
        "EASY l",
        "Еаsу 2",
        "Easy (2)",
        "Easy #2",
        "Ｅａｓｙ ２",
        "E a s y 2",
        "Bot",
        "Bot 1",
    ],
)
def test_what_looks_like_a_bots_name(name: str) -> None:
    assert is_bots_name(name)


@pytest.mark.parametrize("name", ["Luc", "Profil", "Botond", "2", "Nori 2", "Eva", "🙂", "Medina"])
def test_other_names_are_peoples(name: str) -> None:
    assert not is_bots_name(name)
