"""The words that people read, in four languages: one flat catalogue a language.

What the rules refuse they word in English themselves; the other languages word it by its code.
"""

import os
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from tischlein.game import Refusal

LANGUAGES: Final = ("en", "de", "fr", "it")

Say = Callable[..., str]
"""Words for a key: `say("your_turn", name="Luc")`."""


@cache
def catalogue(language: str) -> dict[str, str]:
    """Read the words of a language."""
    text = files(__name__).joinpath(f"{language}.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, str])


def in_language(language: str) -> Say:
    """Give the function that speaks a language."""
    words = catalogue(language)
    return lambda key, **fields: words[key].format(**fields)


def refusal(problem: Refusal, language: str) -> str:
    """Word a refusal."""
    sentence = catalogue(language).get(f"reason.{problem.code}")
    return str(problem) if sentence is None else sentence.format(**problem.fields)


def language_of_user() -> str:
    """Guess the language from the environment, as other programs do."""
    for name in ("TISCHLEIN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name, "")[:2] in LANGUAGES:
            return os.environ[name][:2]
    return "en"
