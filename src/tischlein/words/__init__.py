"""The words that people read, in four languages, and what is told of a game in them.

The house's words lie here, each game's in its own folder; a game that is one file has them in its
`WORDS`, and what it has no words for is said by its key, made readable.
"""

from tischlein.words.language import (
    LANGUAGES,
    Say,
    catalogue,
    filled,
    house_words,
    in_language,
    language_of_user,
    own_words,
    refusal,
    worded,
    words_of,
    written,
)
from tischlein.words.news import Tell, deed, news_of, readable, reason, story, story_of
from tischlein.words.rule_pages import rulebook

__all__ = [
    "LANGUAGES",
    "Say",
    "Tell",
    "catalogue",
    "deed",
    "filled",
    "house_words",
    "in_language",
    "language_of_user",
    "news_of",
    "own_words",
    "readable",
    "reason",
    "refusal",
    "rulebook",
    "story",
    "story_of",
    "worded",
    "words_of",
    "written",
]
