"""Games on a Dask cluster: the same bytes as at home, even when workers die."""

import os
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.lab.clusters import cluster
from tests.program import run
from tischlein.lab import places
from tischlein.lab.places import HERE, Dask, NoPlace
from tischlein.lab.tally import Plan
from tischlein.lab.tally import run as run_plan
from tischlein.lab.tournament import Setup, hold

SIMULATE = ("simulate", "kakerlaken", "--seats", "3", "--games", "60", "--seed", "7", "--json")
TOURNAMENT = ("tournament", "kakerlaken", "--bots", "random,easy", "--seats", "2,3",
              "--games", "30", "--seed", "7", "--json")  # fmt: skip
SETUP = Setup("kakerlaken", ("random", "easy", "medium"), (3,), games=30, seed="far")
LONG = Plan("sushizock", ("medium", "easy", "random"), "far away")
LONG_GAMES = 400


def nothing(done: int) -> None:
    """Show no progress."""


def shown(*args: str) -> str:
    """Run the program and give what it prints; it must print nothing else."""
    done = run(*args)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_commands_print_the_same_bytes_as_at_home(tmp_path: Path) -> None:
    home, far = tmp_path / "home", tmp_path / "far"
    with cluster(tmp_path, 2) as found:
        at_home, away = ("--jobs", "1"), ("--dask", found.address)
        assert shown(*TOURNAMENT, *away) == shown(*TOURNAMENT, *at_home)
        there = shown(*SIMULATE, "--records", str(far), *away)
        assert there == shown(*SIMULATE, "--records", str(home), *at_home)
    names = {file.name for file in home.iterdir()}
    assert len(names) == 60
    assert {file.name for file in far.iterdir()} == names
    assert all((home / name).read_bytes() == (far / name).read_bytes() for name in names)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(workers: int, tmp_path: Path) -> None:
    with cluster(tmp_path, workers) as found, closing(Dask(found.address)) as place:
        assert place.hands == workers
        far = hold(SETUP, place, nothing)
    assert far == hold(SETUP, HERE, nothing)


def test_workers_that_die_change_nothing(tmp_path: Path) -> None:
    seen: list[int] = []
    with cluster(tmp_path, 3) as found:

        def watch(done: int) -> None:
            if len(seen) in (2, 6):
                found.kill_worker()
            if len(seen) == 6:
                found.add_worker()
            seen.append(done)

        with closing(Dask(found.address)) as place:
            far = run_plan(LONG, LONG_GAMES, place, watch)
        assert sum(worker.poll() is not None for worker in found.workers) == 2
    assert seen == sorted(seen)
    assert seen[-1] == LONG_GAMES
    assert far == run_plan(LONG, LONG_GAMES, HERE, nothing)


def test_what_is_missing_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "PATIENCE", 5.0)  # time enough to reach it
    with cluster(tmp_path, 0) as found:
        address = found.address
        with pytest.raises(NoPlace, match=f"^the Dask cluster at {address} has no workers$"):
            Dask(address)
    monkeypatch.setattr(places, "PATIENCE", 0.5)
    for nowhere in (address, "no-such-place:1", "tcp://"):
        with pytest.raises(NoPlace, match=f"^no Dask cluster answers at {nowhere}$"):
            Dask(nowhere)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NoPlace, match=r"pip install 'tischlein\[dask\]'"):
        Dask(address)


def test_a_cluster_that_ends_on_the_way_is_told(tmp_path: Path) -> None:
    with cluster(tmp_path, 1) as found, closing(Dask(found.address)) as place:

        def end(done: int) -> None:
            found.end()

        with pytest.raises(NoPlace, match="went away: nothing is counted"):
            run_plan(LONG, LONG_GAMES, place, end)


def test_games_that_end_every_worker_are_given_up(tmp_path: Path) -> None:
    again = pytest.raises(NoPlace, match="die again and again: nothing is counted")
    with cluster(tmp_path, 4) as found, closing(Dask(found.address)) as place, again:
        list(place.play(os._exit, [1]))


def test_workers_with_another_program_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "__version__", "99.0")
    with cluster(tmp_path, 1) as found, pytest.raises(NoPlace, match=r"here it is 99\.0"):
        Dask(found.address)


def test_here_or_there_but_not_both() -> None:
    done = run(*SIMULATE, "--jobs", "2", "--dask", "tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "games are played here (--jobs) or on Dask (--dask), not both\n"
