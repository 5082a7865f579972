"""The benchmarks run: a short form, without their peers."""

from bench.rules import our_speeds


def test_our_half_of_the_rules_benchmark_runs() -> None:
    speeds = our_speeds(0.02)
    assert {speed.name.split(",")[0] for speed in speeds} == {"sushizock", "buffet", "kakerlaken"}
    assert all(speed.decisions_per_s > 0 for speed in speeds)
