"""What several tests share: real engines, started once, when a test first needs them."""

from collections.abc import Iterator

import pytest

from tests import engines


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
