"""A server of a company, as a process that can be killed, paused and given a slow disk.

`python -m tests.server.member serve …` is `tischlein serve …` with a store that waits before every
write for as long as the file named by `TISCHLEIN_TEST_DELAY` says.
"""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.engines import SPAWNER, die_with_parent
from tests.server.client import LIMIT, QUICK, ServerProcess
from tischlein.store.postgresql import PostgresqlStore

SWIFT = ("peers.beat=0.5", "peers.lease=2", "peers.check=1")


class Member(ServerProcess):
    """One of several servers around one store."""

    def __init__(self, folder: Path, store: str, bus: str, *args: str) -> None:
        folder.mkdir()
        self.delay = folder / "delay"
        settings = (part for each in SWIFT for part in ("--set", each))
        super().__init__(folder, "--store", store, "--bus", bus, *settings, *args)

    def start(self) -> None:
        """Start, and wait until it prints its address."""
        command = [sys.executable, "-m", "tests.server.member", "serve", "--no-open", "--port",
                   str(self.port), *QUICK, *self.args]  # fmt: skip
        log = (self.data / "server.log").open("ab")
        env = os.environ | {"TISCHLEIN_TEST_DELAY": str(self.delay)}
        self.process = SPAWNER.submit(
            subprocess.Popen, command, stdout=subprocess.PIPE, stderr=log, env=env, text=True,
            preexec_fn=die_with_parent, cwd=Path(__file__).parents[2],
        ).result()  # fmt: skip
        log.close()
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), (self.data / "server.log").read_text()[-3000:]
        self.url = line

    def pause(self) -> None:
        """Let it stand still."""
        self.process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on, much later."""
        self.process.send_signal(signal.SIGCONT)

    def slow_down(self, seconds: float) -> None:
        """Give it a slow disk, or with 0 a quick one again."""
        self.delay.write_text(str(seconds))

    def end(self) -> None:
        """End it at once; nothing of it stays behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(LIMIT)
        if self.process.stdout is not None:
            self.process.stdout.close()


class SlowStore(PostgresqlStore):
    """A store whose disk is as slow as a file says."""

    async def append(self, *args: Any, **more: Any) -> None:
        """Wait, then write."""
        file = Path(os.environ["TISCHLEIN_TEST_DELAY"])
        if file.exists():
            await asyncio.sleep(float(file.read_text() or 0))
        await super().append(*args, **more)


if __name__ == "__main__":
    import tischlein.store.postgresql
    from tischlein.cli import main

    tischlein.store.postgresql.PostgresqlStore = SlowStore  # type: ignore[misc]
    main()
