"""What all tests share: real engines, started once, and a loop for tests that are coroutines."""

import asyncio
import os
from collections.abc import Iterator
from inspect import iscoroutinefunction, signature
from pathlib import Path

import pytest
from hypothesis import settings

from tests import engines
from tischlein.lab.arrays import SHARE_WORK

# How long an example takes is the machine's affair.
settings.register_profile("tischlein", deadline=None)
settings.load_profile("tischlein")
# Before JAX starts: what `tischlein simulate --batch` sets, too, and to compile quickly.
QUICKLY = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
if SHARE_WORK not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {SHARE_WORK} {QUICKLY}".strip()
# What JAX compiles is kept from run to run: each worker keeps its own, for nobody locks it.
KEPT = Path(__file__).parents[1] / ".venv/compiled" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
os.environ["JAX_COMPILATION_CACHE_DIR"] = str(KEPT)
os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"


def pytest_configure(config: pytest.Config) -> None:
    """Name the marks that tests bear."""
    config.addinivalue_line("markers", "virtual_time: hours pass at once (see tests/virtual.py)")
    config.addinivalue_line("markers", "long: takes half a minute or more, and is begun first")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each worker begin with what takes long: in the end nobody waits for a single test."""
    long, browser, others = list[pytest.Item](), list[pytest.Item](), list[pytest.Item]()
    for item in items:
        drawn = browser if "browser" in item.path.parts else others
        kind = long if item.get_closest_marker("long") else drawn
        kind.append(item)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = []
    for worker in range(workers):
        items += long[worker::workers]
        items += share(browser, worker, workers) + share(others, worker, workers)


def share(items: list[pytest.Item], worker: int, workers: int) -> list[pytest.Item]:
    """Give a worker's share: neighbours stay together, for they need the same."""
    return items[len(items) * worker // workers : len(items) * (worker + 1) // workers]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, in real time or, where it is so marked, in virtual time."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in signature(pyfuncitem.obj).parameters}
    if pyfuncitem.get_closest_marker("virtual_time"):
        from tests.virtual import in_virtual_time

        in_virtual_time(lambda: pyfuncitem.obj(**given))
    else:
        asyncio.run(pyfuncitem.obj(**given))
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each core: half of the time a test waits for a server or a browser."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[engines.Postgresql]:
    """A real PostgreSQL."""
    with engines.postgresql() as engine:
        yield engine


@pytest.fixture(scope="session")
def nats() -> Iterator[engines.Nats]:
    """A real NATS server."""
    with engines.nats() as engine:
        yield engine
