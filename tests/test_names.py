"""Names, words and texts from outside: no sign plays tricks."""

import contextlib
import unicodedata

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tischlein.game import Refusal
from tischlein.names import (
    LONGEST_NAME,
    are_alike,
    is_printable,
    json_line,
    printable,
    printable_lines,
    proper_name,
)

FAMILY = "\U0001f469\u200d\U0001f467"
TRICKS = (
    "\x00\x07\x1b\x7f\x85\x9b\u00ad\u061c\u200b\u200c\u200d\u200e\u2028\u2029\u202e\u2066\ufeff"
)
BLANK = "\u115f\u2800\u3164\uffa0\U000e0041\ufe0f"
strange = st.text(st.characters() | st.sampled_from(TRICKS + BLANK + "e\u0301🙂❤️ "), max_size=40)


def is_text(text: str) -> bool:
    """Say whether a text can be sent at all: half a sign cannot."""
    return not any(unicodedata.category(sign) == "Cs" for sign in text)


def refused(text: str) -> str:
    """Give the code with which a name is refused."""
    with pytest.raises(Refusal) as no:
        proper_name(text)
    return no.value.code


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Luc ", "Luc"),
        ("Luc\n", "Luc"),
        ("Anna\u00a0 \u3000Maria", "Anna Maria"),
        ("Mia\u200b", "Mia"),
        ("\ufeffMi\u00ada\u200e", "Mia"),
        ("Rene\u0301", "René"),
        ("דוד", "דוד"),
        ("محمد", "محمد"),
        ("Nguyễn", "Nguyễn"),
        (FAMILY, FAMILY),
        ("❤️ Zoë", "❤️ Zoë"),
        ("\U0001f9d1\U0001f3fd\u200d\U0001f680", "\U0001f9d1\U0001f3fd\u200d\U0001f680"),
        ("Mia\ufe0f\u3164", "Mia"),
    ],
)
def test_a_name_is_made_proper(text: str, name: str) -> None:
    """Who pastes an unseen sign with their name is not sent away for it."""
    assert proper_name(text) == name


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "\u3164\u2800", "\u115f", "\ufeff", "\ufe0f"])
def test_a_name_can_be_seen(text: str) -> None:
    """Others would have played against a seat that seems to be nobody's."""
    assert refused(text) == "no_name"


@pytest.mark.parametrize(
    "text",
    ["a\u202eb", "\u2066a", "a\nb", "a\u2028b", "a\x85b", "a\x1b[31mb", "\ue000", "\u0378",
     "Z\u0301\u0302\u0303\u0304", "\u0301a", "a \u0301", "a\tb"],
)  # fmt: skip
def test_a_name_plays_no_tricks(text: str) -> None:
    """A name would have turned round, broken or painted over the words beside it."""
    assert refused(text) == "odd_name"


def test_a_name_is_short() -> None:
    assert proper_name("e\u0301" * LONGEST_NAME) == "é" * LONGEST_NAME
    assert refused("x" * (LONGEST_NAME + 1)) == "long_name"


@given(strange)
@example("⫝̸\ufe0f")
@example("❤\u200d\u200d❤")
def test_whatever_is_sent_the_name_is_printable_and_stays_as_it_is(text: str) -> None:
    """A sign that nobody thought of would have come to everybody's screen."""
    with contextlib.suppress(Refusal):
        name = proper_name(text)
        assert proper_name(name) == name
        assert 1 <= len(name) <= LONGEST_NAME
        assert printable(name) == name
        assert name == unicodedata.normalize("NFC", name) == " ".join(name.split())
        assert not set(name) & (set(TRICKS + BLANK) - set("\u200d\ufe0f"))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "anna"), ("Anna", "Аnnа"), ("Ian", "lan"), ("Bo", "B0"), ("Zoë", "Zoe"),
     ("Arne", "Ame"), ("Anna", "Ａｎｎａ"), ("Anna", "An na"), ("Anna", "Anna."), ("Max", "𝕄𝕒𝕩"),
     ("ΝΙΚΟΣ", "νίκος"), ("Nina", "ηina"), ("Hans", "Ηans"), ("Łukasz", "Lukasz"),
     (FAMILY, "👩👧")],
)  # fmt: skip
def test_names_that_can_be_taken_for_each_other(one: str, other: str) -> None:
    """Somebody would have sat down as somebody else, and been given their tiles in the talk."""
    assert are_alike(one, other)
    assert are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Luc", "Luca"), ("p1", "p2"), ("!!!", "???"), ("דוד", "דנה"), ("🙂", "🙃"), ("Nori", "Miso")],
)
def test_other_names_are_other_names(one: str, other: str) -> None:
    assert not are_alike(one, other)


def test_what_is_printed_shows_its_tricks() -> None:
    assert printable("\x1b[2Jfair\nfair\u202e\x9b") == r"\x1b[2Jfair\nfair\u202e\x9b"
    assert printable_lines("a\nb\x07") == "a\nb\\x07"
    assert printable(f"Zoë spielt – 3\u202f× {FAMILY}") == f"Zoë spielt – 3\u202f× {FAMILY}"


@given(strange)
def test_nothing_that_is_printed_does_anything(text: str) -> None:
    """A terminal would have obeyed a stranger's record."""
    shown = printable(text)
    assert is_printable(shown)
    assert not set(shown) & (set(TRICKS) - set("\u200d"))
    kinds = {unicodedata.category(sign) for sign in shown.replace("\u200d", "")}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.dictionaries(strange.filter(str.isascii), strange.filter(is_text)))
def test_json_tells_the_same_and_does_nothing(thing: dict[str, str]) -> None:
    line = json_line(thing)
    assert msgspec.json.decode(line) == thing
    assert line.decode().removesuffix("\n").isprintable()
