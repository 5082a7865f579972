"""Fair dice: exactly even, and re-derivable by anyone from the seed."""

import hashlib
import json
from collections import Counter

import pytest

from tests.tables import ALL_TABLES
from tischlein import game_named, replay
from tischlein.bots import bot_named
from tischlein.chance import Fair, Quick, commitment, new_seed, verify
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.record import BadRecord, write


def record_of(name: str, seats: int, seed: str = "an apple") -> list[str]:
    bots = [bot_named(game_named(name), "random")] * seats
    return write(play_game(game_named(name), ask_bots(bots), ["x"] * seats, {}, seed)).splitlines()


def test_numbers_are_the_bytes_of_sha_256() -> None:
    page = hashlib.sha256(b"apple\npear\nsushizock\n17\n0").digest()
    dice = Fair("apple", ["pear"], "sushizock", 17)
    kept = [byte % 6 for byte in page if byte < 252]
    assert [dice.below(6) for _ in kept] == kept
    second = hashlib.sha256(b"apple\npear\nsushizock\n17\n1").digest()
    assert dice.below(256) == second[0]


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


@pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
def test_a_whole_game_verifies(name: str, seats: int) -> None:
    lines = record_of(name, seats)
    drawn = sum('"by":"nature"' in line for line in lines)
    assert verify(replay(lines)).agreed == drawn > 0


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
    end = json.loads(lines[-1])
    with pytest.raises(BadRecord, match="not the one that the commitment promised"):
        verify(replay([*lines[:-1], json.dumps(end | {"seed": "another"})]))
    header = json.loads(lines[0])
    del header["commitment"]
    forged = [json.dumps(header), *lines[1:-1], json.dumps(end | {"seed": "another"})]
    with pytest.raises(BadRecord, match=r"^line 2: this is not what the seed gives"):
        verify(replay(forged))
    with pytest.raises(BadRecord, match="not revealed"):
        verify(replay(lines[:-1]))
    with pytest.raises(BadRecord, match="list of texts"):
        verify(replay([json.dumps(header | {"contributions": 7}), *lines[1:]]))


def test_contributions_change_every_draw() -> None:
    lines = record_of("sushizock", 2)
    header = json.loads(lines[0]) | {"contributions": ["my lucky word", "mine"]}
    with pytest.raises(BadRecord, match=r"^line 2: "):
        verify(replay([json.dumps(header), *lines[1:]]))
