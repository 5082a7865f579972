"""One WebSocket: a seat's, or a watcher's. Slow readers get fewer, fuller frames."""

import asyncio
import contextlib
import logging
from collections import deque
from typing import Any, Final
from weakref import WeakKeyDictionary

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tischlein.game import Refusal
from tischlein.server import wire
from tischlein.server.limits import Bucket
from tischlein.store import StoreDown
from tischlein.table.hall import Hall
from tischlein.table.table import Table

log = logging.getLogger("tischlein.live")

POLICY, TOO_SLOW, LATER, GONE = 1008, 1008, 1013, 4404
MOST_IN_FLIGHT: Final = 32
MOST_ANSWERS: Final = 200
HELLO_WITHIN: Final = 15.0

_decode: Final = msgspec.json.Decoder(wire.Frame)
_encode: Final = msgspec.json.Encoder()


class Goodbye(Exception):
    """The socket is to be closed, with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Line:
    """A client's line to a table."""

    def __init__(self, socket: WebSocket, table: Table, hall: Hall, hello: wire.Hello) -> None:
        self.seat: int | None = None
        self._socket, self._table, self._hall = socket, table, hall
        self._news = asyncio.Event()
        self._answers: deque[bytes] = deque()
        self._told = self._seq = 0
        self._games = table.book.games
        self._token = hello.token or ""
        is_same_game = hello.game is None or hello.game == table.book.games
        self._last_seen = hello.seq if is_same_game else 0
        self._stale = True
        self._owed = True
        self._last_sent = b""
        self._sending_since = 0.0
        self._pongs: deque[float] = deque(maxlen=8)
        self._moves: set[asyncio.Task[None]] = set()
        settings = hall.settings
        now = hall.now()
        self._bucket = Bucket(settings.frames_per_second, settings.frames_at_once, now)
        self._warned = Bucket(1.0, 20.0, now)

    def changed(self) -> None:
        """Hear that there is something new to see."""
        self._stale = True
        self._news.set()

    def lose_seat(self) -> None:
        """Hear that the seat is no longer one's own: from now on one watches."""
        self.seat = None
        self._told = self._seq = self._last_seen = 0
        self._owed = True

    async def serve(self) -> None:
        """Read and write until either side has enough."""
        tasks = {asyncio.ensure_future(self._read()), asyncio.ensure_future(self._write())}
        patience = self._hall.settings.slowest_reader
        try:
            done: set[asyncio.Future[None]] = set()
            while not done:
                done, _ = await asyncio.wait(
                    tasks, timeout=patience / 2, return_when=asyncio.FIRST_COMPLETED
                )
                if self._sending_since and self._hall.now() - self._sending_since > patience:
                    raise Goodbye(TOO_SLOW, "too slow")
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self) -> None:
        while True:
            text = await receive(self._socket)
            arrival = self._hall.now()
            if not self._bucket.take(arrival):
                if not self._warned.take(arrival):
                    raise Goodbye(POLICY, "too many frames")
                self._refuse(None, Refusal("too_fast", "slow down: too many frames at once"))
                continue
            try:
                self._handle(_decode.decode(text), arrival)
            except (msgspec.MsgspecError, RecursionError) as problem:
                self._refuse(None, Refusal("malformed", "{problem}", problem=str(problem)))

    def _handle(self, frame: wire.Frame, arrival: float) -> None:
        match frame:
            case wire.Ping():
                self._pong(frame, arrival)
            case wire.MoveFrame():
                self._take_move(frame, arrival)
            case wire.Hello():
                self._refuse(None, Refusal("hello_again", "you have said hello already"))

    def _pong(self, ping: wire.Ping, arrival: float) -> None:
        if ping.echo is not None and ping.echo in self._pongs and self.seat is not None:
            self._table.measured(self.seat, arrival * 1000 - ping.echo)
            self._pongs.remove(ping.echo)
        t1 = round(self._hall.now() * 1000, 2)
        self._pongs.append(t1)
        self._answer(wire.Pong(ping.t0, t1))

    def _take_move(self, frame: wire.MoveFrame, arrival: float) -> None:
        if self.seat is None:
            self._refuse(frame.id, Refusal("watcher", "you are watching; take a seat to play"))
        elif len(self._moves) >= MOST_IN_FLIGHT:
            self._refuse(frame.id, Refusal("too_fast", "slow down: too many moves at once"))
        else:
            task = self._hall.spawn(self._move(frame, self.seat, arrival))
            self._moves.add(task)
            task.add_done_callback(self._moves.discard)

    async def _move(self, frame: wire.MoveFrame, seat: int, arrival: float) -> None:
        try:
            play = self._table.play
            if not await play(seat, self._token, frame.move, str(frame.id), arrival, frame.race):
                self._owed = True  # made before: say once more how things stand
                self.changed()
        except Refusal as refusal:
            self._refuse(frame.id, refusal)
        except StoreDown:
            self._refuse(frame.id, Refusal("trouble", "the table is in trouble; try again"))
        except Exception:  # the table could not take it; whoever sent it must know, and so must we
            log.exception("table=%s seat=%s move failed", self._table.book.name, seat)
            self._refuse(frame.id, Refusal("trouble", "the table is in trouble; try again"))

    def _refuse(self, frame_id: str | int | None, refusal: Refusal) -> None:
        refusals = self._hall.counts.refusals
        refusals[refusal.code] = refusals.get(refusal.code, 0) + 1
        self._answer(wire.RefusedFrame(frame_id, str(refusal), refusal.code, refusal.fields))

    def _answer(self, frame: Any) -> None:
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append(_encode.encode(frame))
        self._news.set()

    async def _write(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            if len(self._answers) >= MOST_ANSWERS:
                raise Goodbye(TOO_SLOW, "too much unread")
            while self._answers:
                await self._send(self._answers.popleft())
            if self._stale:
                self._stale = False
                await self._send_state()

    async def _send_state(self) -> None:
        """Send what is so now, and the moves since the last frame."""
        news = self._news_since()
        frame = wire.state_frame(self._table, self.seat, self._seq, info_of(self._table))
        state = _encode.encode(frame)
        if state == self._last_sent and not news and not self._owed:
            return  # who sees nothing new hears nothing: else a hidden deed could be counted
        self._last_sent, self._owed = state, False
        log = _encode.encode(news)
        now = f"{self._hall.now() * 1000:.1f}".encode()
        await self._send(b'%s,"log":%s,"now":%s}' % (state[:-1], log, now))

    def _news_since(self) -> list[Any]:
        """List the moves that this line has not been told, as it may see them."""
        book = self._table.book
        if book.games != self._games or len(book.moves) < self._told:
            self._games, self._told, self._seq, self._last_seen = book.games, 0, 0, 0
        news = book.log(self.seat, self._told)
        self._told = len(book.moves)
        if self._last_seen > self._seq + len(news):
            self._last_seen = 0  # that was another game
        unseen = news[max(0, self._last_seen - self._seq) :]
        self._seq += len(news)
        return unseen

    async def _send(self, frame: bytes) -> None:
        self._sending_since = self._hall.now()
        await self._socket.send({"type": "websocket.send", "text": frame.decode()})
        self._sending_since = 0.0


_infos: Final[WeakKeyDictionary[Table, tuple[int, msgspec.Raw]]] = WeakKeyDictionary()


def info_of(table: Table) -> msgspec.Raw:
    """Write what everybody may know of a table, once for all who are told."""
    version, info = _infos.get(table, (-1, msgspec.Raw()))
    if version != table.version:
        info = msgspec.Raw(_encode.encode(wire.table_info(table)))
        _infos[table] = table.version, info
    return info


async def receive(socket: WebSocket) -> bytes:
    """Read one frame, text or bytes."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005), message.get("reason"))
    text = message.get("text")
    return message.get("bytes") or b"" if text is None else text.encode()


async def live(socket: WebSocket, hall: Hall, name: str) -> None:
    """Serve a WebSocket: hello first, then a line to the table."""
    await socket.accept()
    try:
        await greet_and_serve(socket, hall, name)
    except WebSocketDisconnect:
        return
    except StoreDown:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it may be gone
            await socket.close(LATER, "the table is in trouble; come back soon")
    except Goodbye as goodbye:
        refused = wire.RefusedFrame(None, goodbye.reason, "goodbye", {})
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):  # it may be gone
            async with asyncio.timeout(1.0):
                await socket.send_text(_encode.encode(refused).decode())
            await socket.close(goodbye.code, goodbye.reason)


async def greet_and_serve(socket: WebSocket, hall: Hall, name: str) -> None:
    """Hear who calls, find the table and the seat, and serve."""
    try:
        async with asyncio.timeout(HELLO_WITHIN):
            hello = _decode.decode(await receive(socket))
    except (msgspec.MsgspecError, RecursionError, TimeoutError):
        hello = None
    if not isinstance(hello, wire.Hello):
        raise Goodbye(POLICY, "say hello first")
    table = await hall.find(name)
    if table is None:
        raise Goodbye(GONE, "there is no such table")
    if len(table.listeners) >= hall.settings.sockets_per_table:
        raise Goodbye(POLICY, "this table has too many watchers")
    line = Line(socket, table, hall, hello)
    if hello.token is not None:
        line.seat = table.book.seat_of(hello.token)
        if line.seat is None:
            raise Goodbye(POLICY, "this token holds no seat here")
    try:
        await table.arrive(line)
        await line.serve()
    finally:
        table.go_away(line)
