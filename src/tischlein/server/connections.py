"""Connections: so many from each network and in all; who only waits gives way to who comes."""

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tischlein.house.limits import Bucket, network_of
from tischlein.house.settings import Settings
from tischlein.server.proxy import Network, is_in
from tischlein.server.stages import Sitting, Stage

log = logging.getLogger("tischlein.connections")

FEW: Final = 4096
"""With fewer connections than this whoever runs the server is told."""
LARGEST_HEAD: Final = 16_384
LONGEST_ADDRESS: Final = 8192
MOST_HEADERS: Final = 100
"""So much of a head is kept: tiny headers take up many times their size."""
PIECE, PIECE_OF_LINE = 4096, 1024
"""So many bytes are read in one breath."""
TOO_MANY_FRAMES: Final = 4429
GOODBYE: Final = 1.0
"""How long a line that is closed may still be read, so that the other side hears why."""
MOST_PIPELINED: Final = 32
"""So many requests may be sent ahead on one connection."""
SWEEP: Final = 1.0
"""How often connections are looked through, in seconds."""
A_ROUND: Final = 8
"""So many requests are read in one round of the event loop."""
A_SWEEP: Final = 100
"""So many connections are cut in one sweep; the others soon after."""
LEAST_READ: Final = 16_384
"""Who has not read even so many bytes of an answer in time does not read it."""


class Connection:
    """One connection: where it comes from, how far it has come, until when it may stay so."""

    def __init__(self, among: "Connections", transport: asyncio.Transport, network: str) -> None:
        self.network, self.transport = network, transport
        self.stage, self.deadline = Stage.WAITING, inf
        self.is_line = False
        self.line: Sitting | None = None
        self._among = among
        self._unread, self._unread_since = 0, inf

    def comes_to(self, stage: Stage, within: float = inf) -> None:
        """Hear how far it has come, and how soon it must come farther."""
        self.deadline = self._among.now() + within
        self._among.move(self, stage)

    def is_read(self, now: float, patience: float) -> bool:
        """Say whether what was sent is read: some of it in every while."""
        left = self.transport.get_write_buffer_size()
        if not left or self._unread_since == inf or left <= self._unread - LEAST_READ:
            self._unread, self._unread_since = left, now if left else inf
        return now - self._unread_since < patience


class Group:
    """The connections of one network, by how far they have come, the oldest first."""

    def __init__(self) -> None:
        self.at: tuple[dict[Connection, None], ...] = tuple({} for _ in Stage)

    def __len__(self) -> int:
        return sum(map(len, self.at))

    def dispensable(self) -> Connection | None:
        """Give the connection that gives way first; none if all are lines of seats."""
        for stage in (Stage.WAITING, Stage.WATCHING, Stage.ANSWERED):
            if self.at[stage]:
                return next(iter(self.at[stage]))
        left = (one for one in self.at[Stage.SEATED] if one.line and one.line.seat is None)
        return next(left, None)


class Connections:
    """All connections of one server."""

    def __init__(
        self, settings: Settings, proxies: Sequence[Network] = (), files: int | None = None
    ) -> None:
        """Know the limits; a trusted proxy's connections are many people's."""
        self.settings, self._proxies = settings, proxies
        self.most = min(settings.connections, room_in(open_files() if files is None else files))
        self.count = 0
        self._groups: dict[str, Group] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._unread: deque[Callable[[], None]] = deque()
        self._read = 0
        self._line_classes: dict[Any, Any] = {}

    def line_class(self, base: Any) -> Any:
        """Give the protocol of lines, made from the server's: their connections are counted."""
        if base not in self._line_classes:
            kinds = (CountedLine, base)
            self._line_classes[base] = type("CountedLineHere", kinds, {"among": self})
        return self._line_classes[base]

    def has_turn(self) -> bool:
        """Say whether one more request may be read in this round of the event loop."""
        self._read += 1
        if self._read == 1:
            asyncio.get_running_loop().call_soon(self._next_round)
        return self._read <= A_ROUND and not self._unread

    def read_later(self, read: Callable[[], None]) -> None:
        """Read something in a later round."""
        self._unread.append(read)

    def _next_round(self) -> None:
        """Read some of what has waited; lines have been served meanwhile."""
        self._read = min(A_ROUND, len(self._unread))
        for _ in range(self._read):
            self._unread.popleft()()
        if self._read:
            asyncio.get_running_loop().call_soon(self._next_round)

    def now(self) -> float:
        """Give the time of the event loop."""
        return asyncio.get_running_loop().time()

    def enter(self, transport: asyncio.Transport, address: str) -> Connection | None:
        """Let a connection in; None if there is no room even where others give way."""
        network = network_of(address)
        group = self._groups.get(network) or Group()
        if len(group) >= self._most_from(address) and not self._let_go(group):
            return None
        if self.count >= self.most and not self._make_room():
            return None
        found = Connection(self, transport, network)
        self._groups.setdefault(network, group).at[Stage.WAITING][found] = None
        self.count += 1
        found.comes_to(Stage.WAITING, self.settings.head_within)
        if self._sweeping is None:
            self._sweep_later()
        return found

    def _most_from(self, address: str) -> float:
        """Say how many one network may have: never so many that nobody else has room."""
        if is_in(address, self._proxies):
            return inf
        return min(self.settings.connections_per_address, max(1, self.most // 2))

    def move(self, connection: Connection, stage: Stage) -> None:
        """Hear how far a connection has come."""
        group = self._groups.get(connection.network)
        if group is None or connection not in group.at[connection.stage]:
            return  # it has been let go
        del group.at[connection.stage][connection]
        connection.stage = stage
        group.at[stage][connection] = None

    def leave(self, connection: Connection) -> None:
        """Hear that a connection is gone, or let go."""
        group = self._groups.get(connection.network)
        if group is None or connection not in group.at[connection.stage]:
            return
        del group.at[connection.stage][connection]
        self.count -= 1
        if not len(group):
            del self._groups[connection.network]

    def _let_go(self, group: Group) -> bool:
        """Let the first of a network give way; False if nobody can."""
        found = group.dispensable()
        if found is None:
            return False
        self.leave(found)
        found.transport.abort()
        return True

    def _make_room(self) -> bool:
        """Let some of the network that holds most give way; False if all are lines of seats."""
        groups = sorted(self._groups.values(), key=len, reverse=True)
        for group in groups:
            if self._let_go(group):
                for _ in range(min(len(group) // 50, len(group.at[Stage.WAITING]))):
                    self._let_go(group)
                return True
        return False

    def _sweep_later(self, wait: float = SWEEP) -> None:
        self._sweeping = asyncio.get_running_loop().call_later(wait, self._sweep)

    def _sweep(self) -> None:
        """Let go who has taken too long to send a request or to read an answer."""
        now, patience = self.now(), self.settings.slowest_reader
        late = [
            connection
            for group in self._groups.values()
            for stage in group.at
            for connection in stage
            if connection.deadline < now
            or not connection.is_read(now, patience * (1 + connection.is_line))
        ]
        for connection in late[:A_SWEEP]:
            self.leave(connection)
            connection.transport.abort()
        self._sweeping = None
        if self.count:
            self._sweep_later(SWEEP if len(late) <= A_SWEEP else SWEEP / 50)


class Counted(HttpToolsProtocol):
    """Uvicorn's HTTP, with a time for each step, and a connection that is counted."""

    among: ClassVar[Connections]
    here: Connection | None = None
    _head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Come in, if there is room."""
        super().connection_made(transport)
        self.here = self.among.enter(transport, self.client[0] if self.client else "")
        if self.here is None:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self._leave()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # else it is kept for seconds, with all that it sent

    def _leave(self) -> None:
        if self.here is not None:
            self.among.leave(self.here)

    def _comes_to(self, stage: Stage, within: float = inf) -> None:
        if self.here is not None:
            self.here.comes_to(stage, within)

    def data_received(self, data: bytes) -> None:
        """Read when it is our turn: a thousand requests at once must not keep lines waiting."""
        if self.among.has_turn():
            self._read_all(data)
        else:
            self.transport.pause_reading()
            self.among.read_later(partial(self._read_paused, data))

    def _read_paused(self, data: bytes) -> None:
        """Read what has waited, and then what comes."""
        if self._is_open() and not self.flow.read_paused:
            self.transport.resume_reading()
        self._read_all(data)

    def _read_all(self, data: bytes) -> None:
        """Read piece by piece: no endless head, and no thousand requests in one breath."""
        for start in range(0, len(data), PIECE):
            if not self._is_open():
                return
            piece = data[start : start + PIECE]
            self._head += len(piece)
            super().data_received(piece)
            if self._is_open() and self._head > LARGEST_HEAD:
                self.send_400_response("The head of this request is too long.")
            if len(self.pipeline) > MOST_PIPELINED:
                self.transport.abort()

    def _is_open(self) -> bool:
        """Say whether this is still ours to read."""
        is_line = self.here is not None and self.here.is_line
        return self.parser is not None and not is_line and not self.transport.is_closing()

    def on_url(self, url: bytes) -> None:
        """Keep the address, if it is one; what is raised here is answered with 400."""
        if len(self.url) + len(url) > LONGEST_ADDRESS:
            raise ValueError("too long an address")
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header, if there are not too many."""
        if len(self.headers) >= MOST_HEADERS:
            raise ValueError("too many headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Wait for the body; the application says in time what is missing, so here is more time."""
        self._comes_to(Stage.WAITING, 2 * self.among.settings.body_within)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a head only where there is one."""
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Answer, however long that takes."""
        self._head = 0
        if self.cycle is not None and not self.cycle.response_complete:
            self._comes_to(Stage.ANSWERED)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        if not self.pipeline:
            self._comes_to(Stage.WAITING, self.among.settings.head_within)
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection on to a line, which tells how far it comes and when it is gone."""
        settings = self.among.settings
        self._comes_to(Stage.WAITING, settings.head_within + settings.hello_within)
        if self.here is not None:
            self.here.is_line = True
            self.app_state = {**self.app_state, "connection": self.here}
            self.ws_protocol_class = self.among.line_class(self.ws_protocol_class)
        super().handle_websocket_upgrade()


class CountedLine(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket: its connection is counted, and so is every frame, also of control."""

    among: ClassVar[Connections]
    _rest, _holds, _is_deaf = b"", False, False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with a full bucket of frames."""
        super().connection_made(transport)
        rate, burst = self.among.settings.frames_per_second, self.among.settings.frames_at_once
        self._bucket = Bucket(2 * rate + 20, 2 * burst + 100, self.among.now())

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self.among.leave(self.app_state["connection"])
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a little at once; who sends much at once has it read in later rounds."""
        is_reading, self._rest = bool(self._rest), self._rest + data
        if not is_reading:
            self._read_on()

    def _read_on(self) -> None:
        """Read the next piece."""
        if self.transport.is_closing():
            return
        piece, self._rest = self._rest[:PIECE_OF_LINE], self._rest[PIECE_OF_LINE:]
        if self._is_deaf:
            self._rest = b""
        else:
            super().data_received(piece)
        if self._rest:
            self._holds = True
            self.transport.pause_reading()
            self.among.has_turn()
            self.among.read_later(self._read_on)
        elif self._holds:
            self._holds = False
            if not self.read_paused and not self.transport.is_closing():
                self.transport.resume_reading()

    def handle_events(self) -> None:
        """Take in frames, as long as they are not too many."""
        now = self.among.now()
        if all(self._bucket.take(now) for _ in self.conn.events):
            super().handle_events()
            return
        self._is_deaf = True
        if not self.close_sent:
            self._hang_up()
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(GOODBYE, self.transport.close)

    def _hang_up(self) -> None:
        """Close the line of somebody who sends too many frames; what still comes is passed over."""
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": TOO_MANY_FRAMES})
        self.conn.fail(TOO_MANY_FRAMES, "too many frames")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self.disconnected = True


def counted(connections: Connections) -> type[HttpToolsProtocol]:
    """Give the protocol of a server whose connections are counted."""
    return type("CountedHere", (Counted,), {"among": connections})


def open_files() -> int:
    """Say how many files and connections this process may have open."""
    if sys.platform == "win32":
        return 1 << 20
    import resource

    found, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 20 if found == resource.RLIM_INFINITY else found


def room_in(files: int) -> int:
    """Say how many connections fit: a quarter is left to the store, to thinkers and to a burst."""
    return max(1, files - max(64, files // 4))


def backlog_in(files: int) -> int:
    """Say how many connections may come in at once, before one of them gives way."""
    return max(16, min(2048, files // 8))


def raise_open_files() -> None:
    """Let this process have as many open files as it may; say so if these are few."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError) as problem:  # macOS has a limit of its own below the hard one
            log.warning("the limit of open files stays at %d: %s", soft, problem)
    fits = room_in(open_files())
    if fits < FEW:
        log.warning("%d connections fit; raise the limit of open files for more (ulimit -n)", fits)
