"""A real Dask cluster on loopback: a scheduler and workers, each a process of its own."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from distributed import Client

LIMIT: Final = 60.0
"""No wait for the cluster is longer than this, in seconds."""


class Cluster:
    """A scheduler at a free port, and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show",
            "--scheduler-file", str(file),
        )  # fmt: skip
        try:
            self.address = self._read_address(file)
        except BaseException:
            self.end()
            raise

    def add_worker(self) -> None:
        """Start one more worker; the scheduler hears of it soon."""
        worker = self._start(
            "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard",
            "--no-nanny", "--death-timeout", str(LIMIT), "--local-directory", str(self.folder),
        )  # fmt: skip
        self.workers.append(worker)

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers are there."""
        with Client(self.address, timeout=LIMIT, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            if workers:
                client.wait_for_workers(workers, timeout=LIMIT)

    def kill_worker(self) -> None:
        """End the first worker that lives, at once and without a word."""
        worker = next(one for one in self.workers if one.poll() is None)
        worker.kill()
        worker.wait(LIMIT)

    def end(self) -> None:
        """End every process."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait(LIMIT)

    def _start(self, part: str, *options: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{part}.log").open("ab") as log:
            command = [sys.executable, "-m", f"distributed.cli.dask_{part}", *options]
            return subprocess.Popen(command, stdout=log, stderr=log)

    def _read_address(self, file: Path) -> str:
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.scheduler.poll() is None:
            if file.exists() and file.read_text().rstrip().endswith("}"):
                return str(json.loads(file.read_text())["address"])
            time.sleep(0.05)
        raise AssertionError((self.folder / "scheduler.log").read_text())


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """Run a cluster for a test."""
    found = Cluster(folder)
    try:
        for _ in range(workers):
            found.add_worker()
        found.wait_for(workers)
        yield found
    finally:
        found.end()
