"""Starts the server: settings from options and environment, the address printed when ready."""

import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import uvicorn
from msgspec import Struct
from starlette.types import ASGIApp

from tischlein.bus import bus_at
from tischlein.house.house import House
from tischlein.house.limits import Bucket
from tischlein.house.settings import Settings
from tischlein.names import printable, printable_lines
from tischlein.server.app import create_app
from tischlein.server.connections import (
    Connections,
    backlog_in,
    counted,
    open_files,
    raise_open_files,
)
from tischlein.server.pinging import PingingProtocol
from tischlein.server.proxy import Network
from tischlein.store import store_at
from tischlein.store.files import make_folder
from tischlein.store.sqlite import SqliteStore

LOG_LEVELS: Final = ("debug", "info", "warning")
LONGEST_LINE: Final = 1000
"""So many signs of a log line are written."""
LINES_AT_ONCE: Final = 20
"""So many lines of one kind are written about connections, then one a second."""


class Serving(Struct, frozen=True):
    """Where to listen, and where to keep tables."""

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path = Path()
    open_browser: bool = True
    lan: bool = False
    own_names: tuple[str, ...] = ()
    log_level: str | None = None
    store: str | None = None
    bus: str | None = None
    proxies: tuple[Network, ...] = ()


class Server(uvicorn.Server):
    """A server that says when it is ready, and where."""

    def __init__(self, config: uvicorn.Config, serving: Serving) -> None:
        super().__init__(config)
        self._serving = serving

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, then print the address."""
        await super().startup(sockets)
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            announce(self._serving, port)


class LogLines(logging.Formatter):
    """Writes what happened, one line for each; what came from outside plays no tricks in it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # logging's word
        """Write the line itself."""
        return printable(super().formatMessage(record)[:LONGEST_LINE])

    def format(self, record: logging.LogRecord) -> str:
        """Write the line, and below it the way to an error."""
        return printable_lines(super().format(record))


class Sparingly(logging.Filter):
    """Lets few lines of each kind pass: who knocks without end must not fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[str, Bucket] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is written."""
        now = time.monotonic()
        kind = str(record.msg)[:LONGEST_LINE]
        if kind not in self._kinds and len(self._kinds) >= LONGEST_LINE:
            self._kinds.clear()
        return self._kinds.setdefault(kind, Bucket(1.0, LINES_AT_ONCE, now)).take(now)


def announce(serving: Serving, port: int) -> None:
    """Print where the table is, for this machine and with `--lan` for phones."""
    here = "127.0.0.1" if serving.host in ("0.0.0.0", "::") else serving.host  # noqa: S104
    shown = printable(f"[{here}]" if ":" in here else here)
    print(f"http://{shown}:{port}", flush=True)
    if sys.stdout.isatty():
        print("The table is set. Ctrl-C clears it.")
    if serving.lan:
        for address in lan_addresses():
            print_for_phones(f"http://{address}:{port}")
    if serving.open_browser and sys.stdout.isatty():
        webbrowser.open(f"http://{shown}:{port}")


def is_taken(host: str, port: int) -> bool:
    """Say whether somebody listens at a port already."""
    if port == 0:
        return False
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as problem:
            return problem.errno == errno.EADDRINUSE
    return False


def print_for_phones(address: str) -> None:
    """Print an address as text and as a QR code."""
    import segno

    print(f"For phones: {address}")
    segno.make(address).terminal(compact=True)


def lan_addresses() -> list[str]:
    """Find this machine's addresses in the local network."""
    found = set()
    with contextlib.suppress(OSError):
        found |= set(socket.gethostbyname_ex(socket.gethostname())[2])
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # chooses a route, sends nothing
        found.add(probe.getsockname()[0])
    return sorted(address for address in found if not address.startswith("127."))


def default_data_folder() -> Path:
    """Give the folder where programs keep a user's data."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "Tischlein"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Tischlein"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share")) / "tischlein"


def calm_garbage_collector() -> None:
    """Let it pass over what lives as long as the server, and come less often: it makes all wait."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def let_the_loop_go_first() -> None:
    """Let a thread that draws or packs make way for the event loop within a millisecond."""
    sys.setswitchinterval(0.001)


def house_for(serving: Serving, settings: Settings) -> House:
    """Build the house: alone with a file of its own, or with others around a shared store."""
    if serving.store is None:
        make_folder(serving.data)
    store = store_at(serving.store or str(serving.data / "tables.sqlite"))
    is_shared = serving.bus is not None or not isinstance(store, SqliteStore)
    return House(store, settings, bus_at(serving.bus) if is_shared else None)


def configured(
    app: ASGIApp, settings: Settings, proxies: Sequence[Network] = (), **more: Any
) -> uvicorn.Config:
    """Say how connections are served, at a table as in a test."""
    usual: dict[str, Any] = {
        "http": counted(Connections(settings, proxies)),
        "backlog": backlog_in(open_files()),
        "proxy_headers": False,
        "ws": PingingProtocol,
        "ws_max_size": settings.largest_frame,
        "ws_per_message_deflate": False,
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": 5,
    }
    return uvicorn.Config(app, **(usual | more))


def serve(serving: Serving, settings: Settings) -> None:
    """Run the server until it is stopped."""
    usual = "warning" if sys.stderr.isatty() else "info"
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(LogLines("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=(serving.log_level or usual).upper(), handlers=[lines])
    for name in ("uvicorn", "websockets", "asyncio"):  # at debug they would write down all frames
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))
    logging.getLogger("uvicorn.error").addFilter(Sparingly())
    house = house_for(serving, settings)
    names = frozenset({socket.gethostname().lower(), *serving.own_names})
    raise_open_files()
    proxies = serving.proxies
    app = create_app(house, names, lan_addresses() if serving.lan else (), proxies)
    config = configured(app, settings, proxies, host=serving.host, port=serving.port)
    calm_garbage_collector()
    let_the_loop_go_first()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leave as after Ctrl-C: tidied up
    try:
        Server(config, serving).run()
    except SystemExit:  # the log says why it could not start
        sys.exit(1)
    except KeyboardInterrupt:  # the signal that stopped it, once more
        pass
    print("The table is cleared.")
