"""Four languages, each complete: no text is missing, no field forgotten."""

import re
from collections.abc import Mapping
from pathlib import Path
from string import Formatter

import pytest

from tests.own import on_the_shelf
from tischlein.game import COMMON_REASONS, IllegalMove, News, Seat, Word
from tischlein.games import game_named
from tischlein.words import (
    LANGUAGES,
    catalogue,
    house_words,
    in_language,
    language_of_user,
    own_words,
    refusal,
    rulebook,
    worded,
)
from tischlein.words.rule_pages import rules_for_players

GAMES = ("sushizock", "buffet", "kakerlaken")
BOOKS = Path(__file__).parents[2] / "src/tischlein/games"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def of(game: str | None, language: str) -> Mapping[str, str]:
    return house_words(language) if game is None else own_words(game, language)


def reasons(game: str | None) -> dict[str, str]:
    """What the rules refuse they word in English themselves."""
    found = COMMON_REASONS if game is None else game_named(game).REASONS
    return {
        f"reason.{code}": text
        for code, text in found.items()
        if game is None or code not in COMMON_REASONS
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [None, *GAMES])
def test_every_language_says_everything(game: str | None, language: str) -> None:
    words = of(game, language)
    english = {**of(game, "en"), **(reasons(game) if language != "en" else {})}
    assert set(words) == set(english)
    for key, text in words.items():
        assert text.strip(), key
        assert fields(text) <= fields(english[key]), key


@pytest.mark.parametrize("language", ["de", "fr", "it"])
@pytest.mark.parametrize("game", [None, *GAMES])
def test_translations_are_translated(game: str | None, language: str) -> None:
    english, words = of(game, "en"), of(game, language)
    for key, text in words.items():
        said = re.sub(r"{\w+}", "", text)
        assert len(said) < 20 or text != english.get(key), key


@pytest.mark.parametrize("game", [None, *GAMES])
def test_files_are_sorted_and_set_as_books_are(game: str | None) -> None:
    """So that a key is found, and the same text looks the same in terminal and browser."""
    for language in LANGUAGES:
        words = of(game, language)
        assert list(words) == sorted(words, key=lambda key: (key.lower(), key))
        for text in words.values():
            assert not (language in ("fr", "it") and "'" in text), text
            assert not (language == "fr" and re.search(r" [!?;:»]|« ", text)), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_holds_the_words_of_all(language: str) -> None:
    whole = catalogue(language)
    for game in GAMES:
        assert whole[f"{game}.title"] == in_language(language, game)("title")
        assert in_language(language)(f"{game}.title") == in_language(language, game)("title")
    assert whole["yourTurn"] == in_language(language, "buffet")("yourTurn")


def test_one_of_a_thing_has_words_of_its_own() -> None:
    assert in_language("en")("points", n=1) == "1 point"
    assert in_language("en")("points", n=-3) == "−3 points"
    assert in_language("en")("points", n=0) == "0 points"
    assert in_language("fr")("points", n=0) == "0 point"


def test_a_word_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        in_language("en")("no such word")
    with pytest.raises(KeyError):
        in_language("en", "buffet")("no such word")


def test_what_is_told_is_filled_in() -> None:
    say = in_language("de", "sushizock")
    dice = [Word("face.sushi"), Word("face_many", {"face": Word("face.red"), "n": 2})]
    told = worded(News("told_roll", {"name": Seat(1), "dice": dice}), ("Ada", "Bo"), say)
    assert told == "Bo würfelt Sushi, rote Stäbchen ×2."
    assert worded(News("points", {"n": 1}), (), in_language("en")) == "1 point"
    assert worded(News("score", {"name": "Bo", "points": [1, -2]}), (), say) == "Bo: 1, −2"


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_are_worded_in_every_language(language: str) -> None:
    for name in GAMES:
        for code, sentence in game_named(name).REASONS.items():
            problem = IllegalMove(code, sentence, **dict.fromkeys(fields(sentence), 2))
            text = refusal(problem, language, name)
            assert text
            assert "{" not in text
            assert language == "en" or text != str(problem)
            assert not re.search(r"invalid|ungültig|invalide", text, re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_the_rules_for_players_say_the_same_in_every_language(name: str, language: str) -> None:
    """Heading by heading and point by point; house rules that they name are there."""
    told, english = (
        (BOOKS / name / "rulebook" / f"{spoken}.md").read_text(encoding="utf-8")
        for spoken in (language, "en")
    )
    assert outline(told) == outline(english)
    named = re.findall(r"`(\w+)`", told)
    assert named == re.findall(r"`(\w+)`", english)
    assert set(named) <= set(game_named(name).Options.__struct_fields__)


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_show_the_same_pieces_in_every_language(name: str) -> None:
    drawn = [re.findall("<!-- pieces: (.*) -->", rulebook(name, spoken)) for spoken in LANGUAGES]
    assert len(drawn[0]) > 3
    assert drawn == drawn[:1] * len(LANGUAGES)
    assert "<!--" not in rules_for_players(name, "en", {}), "a terminal draws none"


def outline(page: str) -> list[str]:
    return re.findall(r"^(?:#+|-|\d+\.) ", page, re.MULTILINE)


def test_the_language_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TISCHLEIN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert language_of_user() == "en"
    monkeypatch.setenv("LANG", "fr_CH.UTF-8")
    assert language_of_user() == "fr"
    monkeypatch.setenv("TISCHLEIN_LANG", "it")
    assert language_of_user() == "it"
    assert in_language("de")("over") != in_language("en")("over")


def test_the_rulebook_of_a_game_lies_beside_it_or_among_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert rulebook("buffet", "fr").startswith("# ")
    assert rulebook("buffet", "xx") == rulebook("buffet", "en")
    rules = on_the_shelf(monkeypatch, "coins")
    assert rulebook("coins", "de") == ""
    rules.WORDS = {"en": {"rulebook": "# Coins"}}
    assert rulebook("coins", "de") == "# Coins"
