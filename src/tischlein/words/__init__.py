"""The words that people read, in four languages: one catalogue for terminal and browser.

The house's words lie here, each game's in its own folder; a game that is one file has them in its
`WORDS`. What the rules refuse they word in English themselves; other languages by its code.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from tischlein.game import News, Refusal, Seat, Word
from tischlein.games import game_named, game_names

LANGUAGES: Final = ("en", "de", "fr", "it")

Say = Callable[..., str]
"""Words for a key: `say("yourTurn")`, `say("turnOf", name="Luc")`."""


def catalogue(language: str) -> dict[str, str]:
    """Give all words of a language: the house's, and each game's under its name."""
    found = dict(house_words(language))
    for game in game_names():
        found |= {f"{game}.{key}": text for key, text in words_of(game, language).items()}
    return found


@cache
def house_words(language: str) -> Mapping[str, str]:
    """Read the words that all games share."""
    return read(files(__name__).joinpath(f"{language}.json").read_bytes())


@cache
def folder_words(game: str, language: str) -> Mapping[str, str] | None:
    """Read the words in a game's folder; None if there are none."""
    page = files("tischlein.games").joinpath(game, "words", f"{language}.json")
    return read(page.read_bytes()) if page.is_file() else None


def words_of(game: str, language: str) -> Mapping[str, str]:
    """Give a game's own words; one that is one file says in English what it lacks."""
    found = folder_words(game, language)
    if found is None:
        given = getattr(game_named(game), "WORDS", {})
        found = {**given.get("en", {}), **given.get(language, {})}
    return found


def read(text: bytes) -> Mapping[str, str]:
    """Read a file of words."""
    return msgspec.json.decode(text, type=dict[str, str])


class Lenient(dict[str, str]):
    """Words of a game that may lack some: a key is then made readable."""

    def __missing__(self, key: str) -> str:
        """Make `deed.take_two` say `take two`."""
        return key.rpartition(".")[2].replace("_", " ")


def in_language(language: str, game: str | None = None) -> Say:
    """Give the function that speaks a language: of a game in its own words first."""
    if game is None:
        words: Mapping[str, str] = catalogue(language)
    else:
        kind = Lenient if folder_words(game, language) is None else dict
        words = kind({**house_words(language), **words_of(game, language)})

    def say(key: str, **fields: Any) -> str:
        one = f"{key}.one"
        form = one if one in words and is_one(fields.get("n"), language) else key
        return words[form].format(**{name: written(field) for name, field in fields.items()})

    return say


def is_one(count: object, language: str) -> bool:
    """Say whether a count takes the singular; in French none does, too."""
    return count == 1 or (language == "fr" and count == 0)


def written(field: object) -> object:
    """Write a number with a real minus sign; all else stays as it is."""
    return f"−{-field}" if isinstance(field, int) and field < 0 else field


def worded(told: News | Word, names: Sequence[str], say: Say) -> str:
    """Fill in what is told, with the names of those at the table."""
    key = told.key if isinstance(told, News) else told.word
    return say(key, **{name: filled(field, names, say) for name, field in told.fields.items()})


def filled(field: Any, names: Sequence[str], say: Say) -> Any:
    """Word a field of what is told: somebody by name, a word, or several of these."""
    if isinstance(field, Seat):
        return names[field.seat]
    if isinstance(field, Word):
        return worded(field, names, say)
    if isinstance(field, list | tuple):
        return ", ".join(str(written(filled(part, names, say))) for part in field)
    return field


def refusal(problem: Refusal, language: str, game: str | None = None) -> str:
    """Word a refusal."""
    words = {**house_words(language), **(words_of(game, language) if game else {})}
    sentence = words.get(f"reason.{problem.code}")
    return str(problem) if sentence is None else sentence.format(**problem.fields)


def language_of_user() -> str:
    """Guess the language from the environment, as other programs do."""
    for name in ("TISCHLEIN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name, "")[:2] in LANGUAGES:
            return os.environ[name][:2]
    return "en"


def rulebook(game: str, language: str) -> str:
    """Give the rules of a game for players, as Markdown; empty if nobody has written them."""
    page = files("tischlein.games").joinpath(game, "rulebook", f"{language}.md")
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def news_of(rules: Any) -> Any:
    """Give what tells the news of a game."""
    return lambda before, by, move, after, viewer: []
