"""Fair dice: exactly even, and re-derivable by anyone from the seed and the words."""

import hashlib
import json
from collections import Counter
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sealed import SEED, record_with, sealed_record, word
from tests.tables import ALL_TABLES
from tischlein import game_named, replay
from tischlein.bots import bot_named
from tischlein.chance import (
    Fair,
    Quick,
    check_noted,
    commitment,
    is_word,
    new_seed,
    seal_of,
    seed_from,
    verify,
)
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.record import BadRecord, write

WORDS = {"sushizock": ("pancake", "blue elephant"), "buffet": ("été ☂", "", "x" * 100),
         "kakerlaken": ("一二三", "nori")}  # fmt: skip


def record_of(name: str, seats: int, seed: str = SEED) -> list[str]:
    bots = [bot_named(game_named(name), "random")] * seats
    return write(play_game(game_named(name), ask_bots(bots), ["x"] * seats, {}, seed)).splitlines()


@lru_cache
def sealed(name: str) -> tuple[str, ...]:
    """A good record, with every word sealed that is one."""
    return tuple(sealed_record(name, [word(text) if text else None for text in WORDS[name]]))


def with_header(lines: Any, **changes: Any) -> list[str]:
    """Change the header of a record; what is set to None is left out."""
    header = json.loads(lines[0]) | changes
    kept = {name: value for name, value in header.items() if value is not None}
    return [json.dumps(kept), *lines[1:]]


def with_seed(lines: Any, seed: Any) -> list[str]:
    """Reveal another seed."""
    return [*lines[:-1], json.dumps(json.loads(lines[-1]) | {"seed": seed})]


def refused(lines: list[str]) -> str:
    """Give the reason why a record is refused."""
    with pytest.raises(BadRecord) as found:
        verify(replay(lines))
    return str(found.value)


def test_numbers_are_the_bytes_of_sha_256() -> None:
    page = hashlib.sha256(b"apple\npear\nsushizock\n17\n0").digest()
    dice = Fair("apple", ["pear"], "sushizock", 17)
    kept = [byte % 6 for byte in page if byte < 252]
    assert [dice.below(6) for _ in kept] == kept
    second = hashlib.sha256(b"apple\npear\nsushizock\n17\n1").digest()
    assert dice.below(256) == second[0]


def test_where_all_words_are_empty_none_is_joined() -> None:
    """Games of before, and of clients that add no word, keep their dice."""
    bare = hashlib.sha256(b"apple\nsushizock\n17\n0").digest()
    for words in ([], ["", ""]):
        assert Fair("apple", words, "sushizock", 17).below(256) == bare[0]
    one = hashlib.sha256(b"apple\n\npear\nsushizock\n17\n0").digest()
    assert Fair("apple", ["", "pear"], "sushizock", 17).below(256) == one[0]


@pytest.mark.parametrize("n", [1, 2, 6, 7, 110, 255, 256, 257, 1000, 65_536, 100_000])
def test_below_stays_below(n: int) -> None:
    dice = Fair("s", [], "g", n)
    found = {dice.below(n) for _ in range(300)}
    assert found <= set(range(n))
    assert len(found) > 1 or n == 1


def test_every_face_is_equally_likely() -> None:
    """Of all 256 bytes 252 are used, 42 for each face: no face is favoured."""
    assert Counter(byte % 6 for byte in range(256 // 6 * 6)) == dict.fromkeys(range(6), 42)
    dice = Fair("many", [], "g", 1)
    counts = Counter(dice.below(6) for _ in range(60_000))
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts.values()) < 20.5, "chi squared, 0.1 %"


def test_quick_chance_covers_its_range() -> None:
    rng = Quick("x")
    assert {rng.below(5) for _ in range(200)} == set(range(5))
    assert 0 <= rng.uniform() < 1
    assert [Quick(3).below(99) for _ in range(3)] == [Quick(3).below(99) for _ in range(3)]


def test_seeds_are_long_and_new() -> None:
    assert len(new_seed()) == 64
    assert new_seed() != new_seed()
    assert commitment("a") == hashlib.sha256(b"a").hexdigest()
    assert seed_from("rain") == commitment("rain")
    assert seed_from(SEED) == SEED


@pytest.mark.parametrize(
    "text", ["a\nb", "a\u2028b", "a\x85b", "\x1b[2J", "a\u202eb", "a\u200bb", "\ufeff", "\ud800",
             "a\tb", "\u00a0", "\ue000", "x" * 101]
)  # fmt: skip
def test_what_nobody_sees_is_no_word(text: str) -> None:
    """Two people would read the same word and find other dice, or a terminal would obey it."""
    assert not is_word(text)


def test_words_of_all_languages_are_words() -> None:
    for text in ("", "pancake ☂", "été", "一二三", "🍣🔥", "x" * 100, "שלום", "e\u0301"):
        assert is_word(text), text


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_a_whole_game_verifies(name: str, seats: int) -> None:
    lines = record_of(name, seats)
    drawn = sum('"by":"nature"' in line for line in lines)
    verdict = verify(replay(lines))
    assert verdict.agreed == drawn > 0
    assert verdict.words == ("",) * seats
    assert verdict.proof == "none", "nobody could rule out that the seed was chosen"


@pytest.mark.parametrize("name", sorted(WORDS))
def test_sealed_words_are_a_proof(name: str) -> None:
    verdict = verify(replay(sealed(name)))
    assert verdict.proof == "sealed"
    assert verdict.words == WORDS[name]
    assert verdict.sealed == tuple(map(bool, WORDS[name]))


def test_words_that_were_not_sealed_are_no_proof() -> None:
    """The last to speak may have known the others' words, and chosen the dice."""
    for seals in (None, [None, None], [json.loads(sealed("sushizock")[0])["seals"][0], None]):
        assert verify(replay(with_header(sealed("sushizock"), seals=seals))).proof == "open"
    silent = sealed_record("sushizock", [word(""), None])
    assert verify(replay(silent)).proof == "none", "an empty word is known to everybody"


def test_a_loaded_die_is_found() -> None:
    lines = record_of("sushizock", 2)
    at = next(n for n, line in enumerate(lines) if '"roll"' in line)
    move = json.loads(lines[at])
    loaded = [*move["dice"][1:], move["dice"][0]]
    assert loaded != move["dice"]
    lines[at] = json.dumps(move | {"dice": loaded})
    with pytest.raises(BadRecord, match=f"^line {at + 1}: this is not what the seed gives"):
        verify(replay(lines))


def test_another_seed_or_promise_is_found() -> None:
    lines = record_of("kakerlaken", 2)
    assert "not the one that the commitment promised" in refused(with_seed(lines, new_seed()))
    assert "not revealed" in refused(lines[:-1])
    assert "not revealed" in refused(with_seed(lines, None))
    assert "list of texts" in refused(with_header(lines, contributions=7))
    assert "must be a list" in refused(with_header(lines, seals={"0": "x"}))
    assert "not the one" in refused(with_header(lines, commitment=7))


def forged(words: list[str] | None, seed: str = SEED, **told: Any) -> str:
    """Give the reason why a record is refused, though its dice do follow from what it tells."""
    words_told = {} if words is None else {"contributions": words}
    told = {"commitment": commitment(seed), **words_told, **told}
    return refused(record_with("sushizock", 2, seed, **told))


def test_a_seed_without_a_promise_is_refused() -> None:
    """A table that promised nothing could have thrown the dice again until it liked them."""
    assert "the commitment is missing" in refused(
        record_with("sushizock", 2, contributions=["", ""])
    )


def test_a_short_seed_is_refused() -> None:
    """A seed of one digit is guessed by everybody who plays: they know all dice beforehand."""
    for seed in ("7", "a" * 63, "g" * 64, "a" * 64 + "\n"):
        assert "64 hexadecimal digits" in forged(["", ""], seed)


def test_a_third_word_at_a_table_of_two_is_refused() -> None:
    """With a word that belongs to nobody the dice could be chosen after all had spoken."""
    told = forged(["pancake", "elephant", "4739"])
    assert told == "line 1: there are 2 seats, but 3 contributions"


def test_words_left_out_are_refused() -> None:
    """A player's word could be left out in silence, and with it what made the dice theirs."""
    assert forged(["pancake"]) == "line 1: there are 2 seats, but 1 contributions"
    assert "the contributions are missing" in forged(None)
    old = replay(record_with("sushizock", 2, commitment=commitment(SEED)))
    assert verify(old, older=True).agreed > 0, "a store of before is still read"


def test_a_line_break_in_a_word_is_refused() -> None:
    """`a` and `b`, or `a`, a line break and `b`: two tables' words would give the same dice."""
    for text in ("pan\ncake", "pan\u2028cake", "pan\u0085cake", "\x1b[2Jpan", "pan\u202ecake"):
        assert "seat 0 is no word" in forged([text, ""])
    assert "seat 1 is no word" in forged(["", "x" * 101])


def test_a_seal_that_does_not_fit_is_refused() -> None:
    """Whoever spoke last could have changed their word after they saw the others'."""
    mine, other = word("pancake"), word("waffle")
    for seal in (other.told, mine.told | {"salt": "ab" * 16}, mine.told | {"salt": ""},
                 {"seal": seal_of("pancake", "7"), "salt": "7"}, {}, "x", 7):  # fmt: skip
        told = forged(["pancake", ""], seals=[seal, None])
        assert "seal" in told
        assert told.startswith("line 1: ")
    assert "3 seals" in forged(["pancake", ""], seals=[mine.told, None, None])


def test_contributions_change_every_draw() -> None:
    lines = record_of("sushizock", 2)
    changed = with_header(lines, contributions=["my lucky word", "mine"])
    assert refused(changed).startswith("line 2: ")


CHANGES = ("commitment", "seed", "word", "salt", "seal", "order", "more", "fewer", "seals",
           "nature", "drop", "double", "game", "cut")  # fmt: skip


@settings(max_examples=150)
@given(st.sampled_from(sorted(WORDS)), st.sampled_from(CHANGES), st.data())
def test_a_record_that_was_changed_is_refused(name: str, change: str, data: st.DataObject) -> None:
    """Whoever keeps the record could tell other dice than those that were played."""
    lines = list(sealed(name))
    changed = forge(lines, change, data)
    if [json.loads(line) for line in changed] != [json.loads(line) for line in lines]:
        refused(changed)


@settings(max_examples=30)
@given(st.sampled_from(sorted(WORDS)), st.data())
def test_dropped_seals_weaken_the_proof_and_are_told(name: str, data: st.DataObject) -> None:
    """Without the seals the record still fits its dice; but it no longer claims to prove them."""
    header = json.loads(sealed(name)[0])
    some = data.draw(st.lists(st.booleans(), min_size=len(header["seals"]),
                              max_size=len(header["seals"])))  # fmt: skip
    seals = [None if drop else seal for drop, seal in zip(some, header["seals"], strict=True)]
    proof = verify(replay(with_header(sealed(name), seals=seals))).proof
    assert proof == ("sealed" if seals == header["seals"] else "open")


def forge(lines: list[str], change: str, data: st.DataObject) -> list[str]:
    """Change something that matters."""
    header = json.loads(lines[0])
    words, seals = header["contributions"], header["seals"]
    seat = data.draw(st.sampled_from([n for n, seal in enumerate(seals) if seal]))
    match change:
        case "commitment":
            return with_header(lines, commitment=changed_sign(header["commitment"], data))
        case "seed":
            return with_seed(lines, changed_sign(json.loads(lines[-1])["seed"], data))
        case "word":
            words[seat] = data.draw(st.text(max_size=100).filter(lambda text: text != words[seat]))
            return with_header(lines, contributions=words)
        case "salt" | "seal":
            seals[seat][change] = changed_sign(seals[seat][change], data)
            return with_header(lines, seals=seals)
        case "order":
            return with_header(lines, contributions=data.draw(st.permutations(words)))
        case "more":
            return with_header(lines, contributions=[*words, data.draw(st.sampled_from(["", "x"]))])
        case "fewer":
            return with_header(lines, contributions=words[:-1])
        case "seals":
            return with_header(
                lines, seals=data.draw(st.sampled_from([seals[:-1], [*seals, None]]))
            )
        case "game":
            return with_header(
                lines, game=data.draw(st.sampled_from(sorted(set(WORDS) - {header["game"]})))
            )
        case "cut":
            return lines[: data.draw(st.integers(1, len(lines) - 1))]
    return forged_moves(lines, change, data)


def forged_moves(lines: list[str], change: str, data: st.DataObject) -> list[str]:
    """Change what nature did, or leave it out, or let it happen twice."""
    natures = [
        n for n, line in enumerate(lines) if '"by":"nature"' in line and '"time"' not in line
    ]
    at = data.draw(st.sampled_from(natures))
    if change == "drop":
        return lines[:at] + lines[at + 1 :]
    if change == "double":
        return [*lines[: at + 1], *lines[at:]]
    move = json.loads(lines[at])
    other = json.loads(lines[data.draw(st.sampled_from(natures))])
    for field in sorted(move.keys() & other.keys() - {"by", "do"}):
        if isinstance(move[field], list):
            move[field] = data.draw(st.permutations(move[field]))
        else:
            move[field] = other[field]
    return (
        lines
        if move == json.loads(lines[at])
        else [*lines[:at], json.dumps(move), *lines[at + 1 :]]
    )


def changed_sign(text: str, data: st.DataObject) -> str:
    """Change one hexadecimal digit, or leave it out."""
    at = data.draw(st.integers(0, len(text) - 1))
    signs = [sign for sign in ["", *"0123456789abcdef"] if sign != text[at]]
    other: str = data.draw(st.sampled_from(signs))
    return text[:at] + other + text[at + 1 :]


def test_what_was_noted_before_the_game_counts() -> None:
    """A whole record, seed, words and dice, can be made up afterwards: but not what you noted."""
    game = replay(sealed("sushizock"))
    for promised, noted in (
        (None, []), (commitment(SEED), []), (commitment(SEED).upper(), ["pancake"]),
        (None, ["pancake", "blue elephant"]),
    ):  # fmt: skip
        check_noted(game, promised, noted)
    for promised, noted, reason in (
        (commitment("x"), [], "not the commitment that was noted"),
        (None, ["waffle"], "not among the contributions"),
        (None, ["blue elephant", "pancake"], "not the words that were noted"),
        (None, ["pancake", "blue elephant", ""], "not the words that were noted"),
    ):  # fmt: skip
        with pytest.raises(BadRecord, match=reason):
            check_noted(game, promised, noted)


def test_a_seal_is_the_sha_256_of_salt_and_word() -> None:
    assert seal_of("pancake", "ab" * 16) == hashlib.sha256(b"ab" * 16 + b"\npancake").hexdigest()
