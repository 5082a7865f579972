"""Nobody is taken for a bot."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from tischlein.bots import levels
from tischlein.bots.names import is_bots_name
from tischlein.games import game_named, game_names
from tischlein.names import are_alike
from tischlein.words import LANGUAGES, house_words, in_language


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


OWN = re.compile(r"bot_name\.(\w+)\.(\d)")


def own_names(language: str) -> dict[str, str]:
    """The bots' own names, by their keys."""
    return {key: name for key, name in house_words(language).items() if OWN.fullmatch(key)}


def test_every_level_has_characters_of_its_own() -> None:
    """Somebody plays alone with up to five of a level, and knows them again in any language."""
    names = own_names("en")
    known = {level for game in game_names() for level in levels(game_named(game))}
    assert set(names) == {f"bot_name.{level}.{n}" for level in known for n in range(1, 7)}
    assert all(own_names(language) == names for language in LANGUAGES)
    assert not any(are_alike(a, b) for a, b in combinations(names.values(), 2))


@pytest.mark.parametrize("shown", ["{}", "{} 2", "{}.", " {} "])
def test_nobody_takes_a_bots_own_name(shown: str) -> None:
    """Who is called Gouda at the table plays as Gouda does, and is no person."""
    for name in own_names("en").values():
        assert is_bots_name(shown.format(name))
        assert is_bots_name(shown.format(name.upper()))
    assert is_bots_name("Gоudа")


@pytest.mark.parametrize(
    "name",
    [
        *("Zotte1", "Zotte|", "Pecorin0", "Biscott0 2", "ꜰɪᴘꜱ", "Ғips"),
        *("Fips 🧀", "🐭Fips", "Fips ♥ 2", "Fips 👍🏽", "👋🏿 Fips"),
    ],
)
def test_a_digit_or_a_picture_makes_no_other_name_of_a_bots(name: str) -> None:
    """A last `1` was taken for the bot's number, not for an l."""
    assert is_bots_name(name)


def test_a_guest_who_chose_no_name_has_no_bots_name() -> None:
    page = (Path(__file__).parents[2] / "web/src/lib/prefs.svelte.ts").read_text()
    guests = re.findall(r'"(\w+)"', re.findall(r"const guests = \[(.*?)\]", page)[0])
    assert len(guests) > 5
    assert not any(map(is_bots_name, guests))


@pytest.mark.parametrize("game", ["sushizock", "buffet", "kakerlaken"])
def test_how_each_level_plays_is_told(game: str) -> None:
    for language in LANGUAGES:
        say = in_language(language, game)
        assert len({say(f"bot_way.{level}") for level in levels(game_named(game))}) == 5


@pytest.mark.parametrize("name", ["Luc", "Profil", "Botond", "2", "Nori 2", "Eva", "🙂", "Medina"])
def test_other_names_are_peoples(name: str) -> None:
    assert not is_bots_name(name)
