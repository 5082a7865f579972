"""Four languages, each complete: no text is missing, no field forgotten."""

import re
from pathlib import Path
from string import Formatter

import pytest

from tischlein.game import IllegalMove
from tischlein.games import game_named
from tischlein.words import LANGUAGES, catalogue, in_language, language_of_user, refusal

GAMES = ("sushizock", "buffet", "kakerlaken")
BOOKS = Path(__file__).parents[1] / "src/tischlein/games"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    """What the rules refuse they word in English themselves."""
    reasons = {
        f"reason.{code}": text for name in GAMES for code, text in game_named(name).REASONS.items()
    }
    words = catalogue(language)
    english = catalogue("en") | (reasons if language != "en" else {})
    assert set(words) == set(english)
    for key, text in words.items():
        assert text.strip(), key
        assert fields(text) <= fields(english[key]), key


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_translations_are_translated(language: str) -> None:
    english, words = catalogue("en"), catalogue(language)
    for key, text in words.items():
        said = re.sub(r"{\w+}", "", text)
        assert len(said) < 20 or text != english.get(key), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_are_worded_in_every_language(language: str) -> None:
    for name in GAMES:
        for code, sentence in game_named(name).REASONS.items():
            problem = IllegalMove(code, sentence, **dict.fromkeys(fields(sentence), 2))
            text = refusal(problem, language)
            assert text
            assert "{" not in text
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
