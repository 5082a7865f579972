"""`docs/scale.md` holds what `bench/scale.py` computes, and its queues are as theory has them."""

import numpy as np
import pytest
from bench import scale

from tischlein.house.settings import Settings
from tischlein.store.postgresql import CONNECTIONS


def test_the_page_holds_what_the_kept_results_give() -> None:
    text = scale.PAGE.read_text(encoding="utf-8")
    assert scale.renewed(text, scale.read_costs()) == text, "run: python -m bench.scale"


def test_what_the_page_says_of_the_program_is_so() -> None:
    text = scale.PAGE.read_text(encoding="utf-8")
    assert CONNECTIONS == 8
    assert "up to eight connections" in text
    assert Settings().tidy_after == 30 * 86_400
    assert Settings().peers.check == scale.CHECK
    assert scale.THINKING == 6
    assert "every six seconds" in text
    assert scale.BUSY == 0.6
    assert "60 % of the time" in text


@pytest.mark.parametrize("busy", [0.3, 0.6, 0.8])
def test_one_core_is_the_queue_of_the_textbook(busy: float) -> None:
    """Moves at random moments, work of random length: the mean time is 1 / (1 - load)."""
    rng = np.random.default_rng(5)
    count = 400_000
    arrive = np.cumsum(rng.exponential(1 / busy, count))
    place = np.zeros(count, dtype=np.int64)
    done = scale.one_core_each(arrive, place, 1, rng.exponential(1.0, count))
    assert np.mean(done - arrive) == pytest.approx(1 / (1 - busy), rel=0.05)


def test_some_cores_are_the_queue_of_the_textbook() -> None:
    """With 32 cores that are 90 % busy Erlang's formula gives the wait."""
    rng = np.random.default_rng(6)
    count, cores, busy = 400_000, scale.CORES, 0.9
    arrive = np.cumsum(rng.exponential(1 / (busy * cores), count))
    work = rng.exponential(1.0, count)
    done = scale.some_cores_each(arrive, np.zeros(count, dtype=np.int64), 1, work)
    free = 1.0
    for servers in range(1, cores + 1):  # Erlang's loss formula, step by step
        free = busy * cores * free / (servers + busy * cores * free)
    waits = free / (1 - busy * (1 - free))
    assert np.mean(done - arrive - work) == pytest.approx(waits / (cores - busy * cores), rel=0.1)


def test_a_flush_takes_all_that_wait() -> None:
    ready = np.array([1.0, 1.1, 1.2, 3.0])
    place = np.zeros(4, dtype=np.int64)
    done = scale.flushed(ready, place, 1, 0.5)
    assert done.tolist() == pytest.approx([1.5, 2.0, 2.0, 3.5])
    other = scale.flushed(ready, np.array([0, 1, 0, 1]), 2, 0.5)
    assert other.tolist() == pytest.approx([1.5, 1.6, 2.0, 3.5])


def test_seats_spread_over_servers() -> None:
    assert scale.spread(1) == 1
    assert scale.spread(2) == pytest.approx(2 * (1 - 1 / 16))
    assert scale.spread(10_000) == pytest.approx(scale.SEATS, rel=0.001)


def test_more_tables_need_more_and_a_hashing_balancer_less() -> None:
    costs = scale.read_costs()
    small = scale.need(costs, 10_000, False, scale.CHECK)
    large = scale.need(costs, scale.MILLION, False, scale.CHECK)
    hashed = scale.need(costs, scale.MILLION, True, scale.TOLERANT_CHECK)
    assert small.partitions == 1
    assert small.servers < hashed.servers < large.servers / 2
    assert hashed.store_cores < large.store_cores / 2
    assert hashed.memory_gb < large.memory_gb / 2


def test_what_is_left_can_be_measured() -> None:
    rows = scale.measure(subjects=200, tables=50)
    assert [row.count("|") for row in rows] == [3] * len(rows)
