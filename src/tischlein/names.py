"""What people are called and write, and how texts from outside are shown: no sign plays tricks.

A name is made proper where that is kind, and refused where it would deceive: signs that cannot be
seen are taken out, white space becomes one space; what breaks lines or turns the direction of what
stands beside it is refused. Two names are alike if somebody could take one for the other.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from tischlein.game import Refusal

LONGEST_NAME: Final = 24
MOST_MARKS: Final = 2
"""So many marks may sit on one letter: some languages need two, a tower of them hides others."""
JOINER: Final = "\u200d"
"""Makes one picture of two: a family."""
AS_PICTURE: Final = "\ufe0f"
"""Shows a sign as a picture: a heart."""
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159")
"""Signs that are no spaces and look like nothing."""
TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what follows."""

LOOK_LIKE: Final = {
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "D": "ĐÐ", "E": "ЕΕ", "F": "ҒϜ", "H": "НΗĦ", "I": "ІΙӀ",
    "J": "ЈͿ", "K": "КΚ", "L": "Ł", "M": "МΜ", "N": "Ν", "O": "ОΟՕØ", "P": "РΡ", "S": "ЅՏ",
    "T": "ТΤŦ", "U": "Ս", "X": "ХΧ", "Y": "УΥ", "Z": "Ζ", "3": "З",
    "a": "аαɑᴀ", "b": "вьβʙ", "c": "сϲᴄ", "d": "ԁđðᴅ", "e": "еεᴇ", "f": "ꜰғϝ", "g": "ցɡɢ",
    "h": "һнհħʜ", "i": "іιıɩɪ", "j": "јϳᴊ", "k": "кκᴋ", "l": "ӏłʟ", "m": "мᴍ", "n": "пոηɴ",
    "o": "оοօσøᴏ", "p": "рρᴘ", "q": "ԛ", "r": "гʀ", "s": "ѕꜱ", "t": "тτŧᴛ", "u": "սυᴜ",
    "v": "ѵνᴠ", "w": "ԝωѡᴡ", "x": "хχ", "y": "уγʏ", "z": "ᴢ",
}  # fmt: skip
"""Letters of other alphabets, and rare ones of ours, under the one that they look like."""
ALIKE: Final = {ord(other): letter for letter, found in LOOK_LIKE.items() for other in found}
SMALL: Final = str.maketrans("01i|", "olll")
"""Among small letters: zero and o; one, i and l."""


def proper_name(text: str) -> str:
    """Make a name proper, or refuse it with a sentence."""
    text = text.strip()
    if TURNING & set(text):
        raise Refusal("odd_name", "a name must not turn the direction of the text around it")
    while (cleaned := _cleaned(text)) != text:
        text = cleaned
    if not text:
        raise Refusal("no_name", "a name needs a sign that one can see")
    if len(text) > LONGEST_NAME:
        raise Refusal("long_name", "a name has at most {most} signs", most=LONGEST_NAME)
    if not is_printable(text) or _has_tower(text):
        raise Refusal("odd_name", "a name is made of letters, digits and pictures that all can see")
    return text


def _cleaned(text: str) -> str:
    """Take out what cannot be seen; all spaces become plain ones, several become one."""
    seen = [
        " " if unicodedata.category(sign) == "Zs" else sign
        for place, sign in enumerate(text)
        if not _is_unseen(sign) or _is_in_picture(text, place)
    ]
    return unicodedata.normalize("NFC", re.sub(" +", " ", "".join(seen)).strip())


def _is_unseen(sign: str) -> bool:
    """Say whether a sign leaves no trace: it is a format sign, chooses a variant, or is blank."""
    code = ord(sign)
    varies = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F
    return varies or sign in BLANK or unicodedata.category(sign) == "Cf"


def _is_in_picture(text: str, place: int) -> bool:
    """Say whether an unseen sign makes a picture of the signs around it."""
    sign, before = text[place], text[max(0, place - 2) : place]
    if sign == AS_PICTURE:
        return _is_picture(before[-1:])
    return (
        sign == JOINER
        and _is_picture(before.removesuffix(AS_PICTURE)[-1:])
        and _is_picture(text[place + 1 : place + 2])
    )


def _is_picture(sign: str) -> bool:
    """Say whether a sign is a picture, or the colour of a skin."""
    if sign <= "\u2010":
        return False
    return unicodedata.category(sign) in ("So", "Sm") or "\U0001f3fb" <= sign <= "\U0001f3ff"


def _has_tower(text: str) -> bool:
    """Say whether marks are piled up, or sit on nothing."""
    room = 0
    for sign in text:
        kind = unicodedata.category(sign)
        if kind not in ("Mn", "Me"):
            room = 0 if kind == "Zs" else MOST_MARKS
        elif sign != AS_PICTURE:
            room -= 1
        if room < 0:
            return True
    return False


def likenesses(name: str) -> frozenset[str]:
    """Give what a quick look leaves of a name, as it is and in small letters.

    Names are alike if they have one of these in common.
    """
    return frozenset((_quick_look(name), _quick_look(name.casefold())))


def are_alike(name: str, other: str) -> bool:
    """Say whether one name can be taken for another."""
    return not likenesses(name).isdisjoint(likenesses(other))


def _quick_look(name: str) -> str:
    """Leave out accents, spaces and stops, and write one sign for all that look the same."""
    wide = unicodedata.normalize("NFKD", name)
    bare = "".join(sign for sign in wide if not unicodedata.combining(sign))
    folded = bare.translate(ALIKE).casefold().translate(ALIKE).translate(SMALL)
    kept = folded.replace(JOINER, "").replace(AS_PICTURE, "").replace(" ", "")
    letters = "".join(sign for sign in kept if unicodedata.category(sign)[0] not in "PZ")
    return (letters or kept).replace("rn", "m").replace("vv", "w")


def is_printable(text: str) -> bool:
    """Say whether a text can be shown as it is, in one line."""
    return printable(text) == text


def texts_in(held: Any) -> Iterator[str]:
    """List all texts in something that came as JSON."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict):
        yield from texts_in([*held, *held.values()])
    elif isinstance(held, list):
        for part in held:
            yield from texts_in(part)


def printable(text: object) -> str:
    r"""Show a text from outside so that it plays no tricks on a terminal: `\x1b`, in one line."""
    told = str(text)
    if told.isascii() and told.isprintable():
        return told
    return "".join(
        sign if _can_be_seen(sign) or _is_in_picture(told, place) else _escaped(sign)
        for place, sign in enumerate(told)
    )


def printable_lines(text: object) -> str:
    """Show a text whose line breaks are our own."""
    return "\n".join(map(printable, str(text).split("\n")))


def _can_be_seen(sign: str) -> bool:
    """Say whether a sign shows itself and does nothing else; a space may be of any width."""
    if sign in BLANK:
        return False
    return sign.isprintable() or unicodedata.category(sign) == "Zs"


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def json_line(thing: Any) -> bytes:
    r"""Write something as one line of JSON that plays no tricks either: `\u009b`."""
    text = msgspec.json.encode(thing).decode()
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else _in_json(sign) for sign in text)
    return text.encode() + b"\n"


def _in_json(sign: str) -> str:
    """Write a sign as JSON does, in two halves where it must."""
    wide = sign.encode("utf-16-be").hex()
    return "".join(f"\\u{wide[at : at + 4]}" for at in range(0, len(wide), 4))
