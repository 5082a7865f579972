"""The benchmarks run: a short form, without their peers."""

import pytest
from bench import crowd, doors
from bench.bots import row, timed
from bench.races import rows
from bench.rules import our_speeds

from tischlein import game_named


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
