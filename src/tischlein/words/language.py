"""One catalogue for terminal and browser: a language's words, and how they are filled in.

What the rules refuse they word in English themselves, other languages by its code.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from tischlein.game import News, Refusal, Seat, Word
from tischlein.games import game_named, game_names, part_of

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
    return read(files(__package__).joinpath(f"{language}.json").read_bytes())


@cache
def folder_words(game: str, language: str) -> Mapping[str, str] | None:
    """Read the words that lie beside a game's rules; None if there are none."""
    part = part_of(game, "words")
    if part is None or hasattr(part, "WORDS"):
        return None
    page = files(part.__name__).joinpath(f"{language}.json")
    return read(page.read_bytes()) if page.is_file() else None


def own_words(game: str, language: str) -> Mapping[str, str]:
    """Give the words that a game brings in a language, beside its rules or in its one file."""
    found = folder_words(game, language)
    if found is None:
        given = getattr(part_of(game, "words") or game_named(game), "WORDS", {})
        found = given.get(language, {})
    return found


def words_of(game: str, language: str) -> Mapping[str, str]:
    """Give a game's own words; what it lacks in a language it says in English."""
    return {**own_words(game, "en"), **own_words(game, language)}


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
        kind = dict if is_ours(game) else Lenient
        words = kind({**house_words(language), **words_of(game, language)})

    def say(key: str, /, **fields: Any) -> str:
        one = f"{key}.one"
        form = one if one in words and is_one(fields.get("n"), language) else key
        return words[form].format(**{name: written(field) for name, field in fields.items()})

    return say


def is_ours(game: str) -> bool:
    """Say whether a game is one of the house, which has words for everything."""
    return files("tischlein.games").joinpath(game).is_dir()


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
