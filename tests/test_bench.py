"""The benchmarks run: a short form, without their peers."""

from pathlib import Path

import pytest
from bench import crowd, doors, network, place, ratings, same
from bench.bots import row, timed
from bench.races import rows
from bench.rules import our_speeds
from msgspec.structs import replace

from tests.page.same import unpack_page
from tischlein import game_named

EMPTY = {"game": "sushizock 0", "levels": [], "moves": 0, "frames": 0, "bytes": 0, "thoughts": 0}


def test_our_half_of_the_rules_benchmark_runs() -> None:
    speeds = our_speeds(0.02)
    assert {speed.name.split(",")[0] for speed in speeds} == {"sushizock", "buffet", "kakerlaken"}
    assert all(speed.decisions_per_s > 0 for speed in speeds)


def test_the_benchmark_of_the_bots_runs() -> None:
    found = timed(game_named("kakerlaken"), "medium", 0.0)
    assert found.games == 1
    assert len(found.times) > 20
    assert row(found).startswith("| kakerlaken | medium | ")


def test_the_benchmark_of_races_runs() -> None:
    assert len(list(rows(20))) == 2 + 1 + 2 * 6 + 1


def test_the_benchmark_of_arithmetic_in_a_page_runs() -> None:
    assert [line.split(" ")[1] for line in network.rows(0.0)[2:]] == ["1", "16", "256"]


def test_the_comparison_with_a_page_runs(tmp_path: Path) -> None:
    found = same.compare("sushizock", 0, 1, unpack_page(tmp_path))
    assert found.row().startswith("| sushizock | 2 | 1 | 0 | 2")
    assert found.apart == []
    found.add({**EMPTY, "texts": "a"}, {**EMPTY, "texts": "b"})
    assert found.apart == ["sushizock 0 (texts)"]


@pytest.mark.parametrize("name", doors.SCENARIOS)
async def test_nobody_at_a_table_feels_the_unfriendly(name: str) -> None:
    """Else: dear calls, watchers or idle connections make everybody's hands slow."""
    found = await doors.SCENARIOS[name](doors.QUICK)
    assert doors.rows(found)
    for one in found:
        assert one.worst < 5000, "100 ms (coming back: 1 s) where nothing else goes on"
    assert "0 refused" in found[-1].note or name == "watchers"


async def test_an_easy_bot_answers_beside_tables_of_experts() -> None:
    """Whoever plays against an easy bot waited for a minute while strangers' experts thought."""
    alone, left, *played = await crowd.thinking(crowd.QUICK)
    for found in (alone, left, *played):
        assert len(found.waits) == crowd.QUICK.answers
        assert max(found.waits) < crowd.WITHIN, found.label
    assert left.others == 0
    assert all(found.others > 0 for found in played), "and experts have their turn"


@pytest.mark.parametrize("world", ratings.WORLDS, ids=lambda world: world.name)
def test_ratings_find_the_true_order(world: ratings.World) -> None:
    """A short form: fewer people, and fewer games; the doubt is honest where all meet all."""
    early, late = ratings.watch(replace(world, people=80), marks=(5, 60))
    assert early.order < late.order
    assert late.order > (0.6 if world.spread < 100 or world.activity > 1 else 0.8)
    assert late.known_order > 0.7
    assert early.within > 0.88
    assert late.within > (0.7 if world.matched else 0.88)
    assert late.doubt < early.doubt


def test_who_leaves_sinks() -> None:
    people = ratings.Population(replace(ratings.WORLDS[-1], people=80, leavers=0.3), seed=3)
    while people.played < 60 * 80:
        people.play()
    gained = [rating.mu - true for rating, true in zip(people.ratings, people.truth, strict=True)]
    left = [by for by, leaves in zip(gained, people.leaves, strict=True) if leaves]
    stayed = [by for by, leaves in zip(gained, people.leaves, strict=True) if not leaves]
    assert sum(left) / len(left) < sum(stayed) / len(stayed) - 50


def test_the_real_bots_are_found_in_the_order_of_their_levels() -> None:
    found = ratings.rate_bots("kakerlaken", 40, "order", most_seats=3)
    strengths = [found[level].mu for level in ("random", "easy", "medium", "hard")]
    assert strengths == sorted(strengths)
    assert found["expert"].mu > found["medium"].mu


@pytest.mark.parametrize("name", place.SCENARIOS)
async def test_the_benchmark_of_coming_back_runs(name: str) -> None:
    """Everybody who looks for somebody ends at a full table, or this never ends."""
    found = await place.SCENARIOS[name](place.QUICK)
    assert any("12 people at once came to 3 tables" in row for row in found) or name == "asleep"
    assert len(found) > 4
