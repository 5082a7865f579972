"""What tests of the server share."""

from collections.abc import Iterator

import pytest

from tests.server.client import ServerProcess, server_process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server in a process of its own."""
    with server_process(tmp_path_factory.mktemp("data")) as running:
        yield running
