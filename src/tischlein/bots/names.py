"""What bots are called, in all languages: nobody else may be called so."""

import re
import unicodedata
from functools import cache
from typing import Final

from tischlein.bots import levels
from tischlein.games import game_named, game_names
from tischlein.names import likenesses
from tischlein.words import LANGUAGES, catalogue

NUMBER: Final = re.compile(r"(\W+[\dlIoO|]{1,2}|[\W_]*\d+)\W*$")
"""What tells one bot from another, and signs that could be taken for it."""
BOTS: Final = re.compile(r"(^|\.)(level\.\w+|bot_name\.\w+\.\d)$")
"""The keys under which bots have their names: the levels', and those of their own."""
PICTURES: Final = ("So", "Sk")
"""Emoji, and what gives a hand its colour."""


def is_bots_name(name: str) -> bool:
    """Say whether somebody could be taken for a bot: `Easy 2` or `Gouda`, in any language."""
    whole = "".join(sign for sign in name if unicodedata.category(sign) not in PICTURES).strip()
    bare = NUMBER.sub("", unicodedata.normalize("NFKC", whole))
    looks = likenesses(whole or name) | likenesses(bare or name)  # `Zotte1`: its number, or an l
    return not looks.isdisjoint(_bots_names(*game_names()))


@cache
def _bots_names(*games: str) -> frozenset[str]:
    """List what bots are called, as far as a quick look tells."""
    words = {level for game in games for level in levels(game_named(game))}
    for language in LANGUAGES:
        found = catalogue(language)
        words |= {text for key, text in found.items() if BOTS.search(key)}
        words.add(found["bot"])
    return frozenset(likeness for word in words for likeness in likenesses(word))
