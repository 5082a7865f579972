"""A move as advice, `keep sushi ×2 and roll the rest`, and the reason for it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from tischlein.words import Say

Fields = Mapping[str, Any]


def deed(move: Any | None, names: Sequence[str], say: Say) -> str:
    """Word a move of a game that we know; of another its JSON."""
    if move is None:
        return say("deed.wait")
    fields = msgspec.to_builtins(move)
    word = WORDS.get(fields["do"])
    return msgspec.json.encode(move).decode() if word is None else word(fields, names, say)


def reason(code: str, fields: Fields, say: Say) -> str:
    """Word why a bot would do it; none is an empty text."""
    told = {key: written(it) if isinstance(it, int) else it for key, it in fields.items()}
    return say(f"because.{code}", **told) if code else ""


def keep(fields: Fields, names: Sequence[str], say: Say) -> str:
    """Word which dice to keep."""
    found = Counter(say(f"face.{face}") for face in fields["dice"])
    dice = ", ".join(face + (f" ×{n}" if n > 1 else "") for face, n in found.items())
    return say("deed.keep", dice=dice)


def take(fields: Fields, names: Sequence[str], say: Say) -> str:
    """Word which row to take from."""
    return say(f"deed.take_{fields['row']}")


def steal(fields: Fields, names: Sequence[str], say: Say) -> str:
    """Word what to steal from whom."""
    below = "" if fields["depth"] == 1 else "_below"
    where = {"name": names[fields["from"]], "depth": fields["depth"]}
    return say(f"deed.steal_{fields['pile']}{below}", **where)


def play(fields: Fields, names: Sequence[str], say: Say) -> str:
    """Word which card to lay."""
    return say("deed.play", card=written(fields["card"]))


def exchange(fields: Fields, names: Sequence[str], say: Say) -> str:
    """Word which cards to swap."""
    cards = " ".join(map(written, fields["cards"]))
    return say("deed.exchange", cards=cards) if cards else say("deed.exchange_none")


def grab(fields: Fields, names: Sequence[str], say: Say) -> str:
    """Word how to grab the master."""
    return say("deed.squeak" if fields["squeak"] else "deed.grab")


def name(fields: Fields, names: Sequence[str], say: Say) -> str:
    """Word which thief to name."""
    return say("deed.name", thief=say(f"thief.{fields['thief']}"))


def tile(key: str) -> "Word":
    """Word what to do with a tile."""

    def word(fields: Fields, names: Sequence[str], say: Say) -> str:
        symbol, colour = fields["tile"]
        return say(key, symbol=say(f"symbol.{symbol}"), colour=say(f"colour.{colour}"))

    return word


def written(number: int) -> str:
    """Write a number with a real minus sign."""
    return f"−{-number}" if number < 0 else str(number)


Word = Callable[[Fields, Sequence[str], Say], str]
WORDS: Final[dict[str, Word]] = {
    "keep": keep,
    "take": take,
    "steal": steal,
    "forced": lambda fields, names, say: say("deed.forced"),
    "play": play,
    "exchange": exchange,
    "slap": tile("deed.slap"),
    "grab": grab,
    "name": name,
    "give": tile("deed.give"),
}
