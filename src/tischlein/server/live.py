"""One WebSocket: a seat's, or a watcher's. Slow readers get fewer, fuller frames."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any, Final, NamedTuple

import msgspec
from starlette.types import Receive, Send
from starlette.websockets import WebSocketDisconnect

from tischlein.game import Refusal
from tischlein.house.house import House
from tischlein.house.limits import Bucket
from tischlein.server import wire
from tischlein.server.frames import frames_of
from tischlein.server.pings import Pings
from tischlein.store import StoreDown
from tischlein.table.book import hides_deeds
from tischlein.table.table import Table, told_of

log = logging.getLogger("tischlein.live")

POLICY, LATER = 1008, 1013
NO_SEAT, NO_TABLE, TOO_MANY = 4401, 4404, 4429
"""Close codes: what a client must tell apart."""
TROUBLE: Final = "the table is in trouble; try again"
MOST_IN_FLIGHT: Final = 32
MOST_ANSWERS: Final = 200
MOST_MOODS: Final = 20
LOOK_TWICE: Final = 0.1
FIRST_PINGS: Final = (0.1,) * 7
PING_EVERY: Final = 2.5
"""How long after one control ping the next one is sent, in seconds: the first ones soon."""

_decode: Final = msgspec.json.Decoder(wire.Frame)
_encode: Final = msgspec.json.Encoder()


class Goodbye(Exception):
    """The socket is to be closed, with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Socket(NamedTuple):
    """A WebSocket: where it comes from, and what its control pings are sent with."""

    receive: Receive
    send: Send
    network: str = ""
    pings: Pings | None = None


class Line:
    """A client's line to a table."""

    def __init__(self, socket: Socket, table: Table, house: House, hello: wire.Hello) -> None:
        self.seat: int | None = None
        self.network, self._pings = socket.network, socket.pings
        self._receive, self._send_message = socket.receive, socket.send
        self._table, self._house, self._frames = table, house, frames_of(table)
        self._news = asyncio.Event()
        self._answers: deque[bytes] = deque()
        self._told = self._seq = 0
        self._games = table.book.games
        self._token, self._wants_steps = hello.token or "", hello.steps
        is_same_game = hello.game is None or hello.game == table.book.games
        self._last_seen = hello.seq if is_same_game else 0
        self._stale = self._owed = self._fresh = True
        self._knows_story = False
        self._knows_end = False
        self._last_sent = b""
        self._sending_since = 0.0
        self._pongs: deque[float] = deque(maxlen=8)
        self._sees_moods = hello.reactions
        self._silence: asyncio.TimerHandle | None = None
        self._in_flight = 0
        settings, now = house.settings, house.now()
        self._bucket = Bucket(settings.frames_per_second, settings.frames_at_once, now)
        self._warned = Bucket(1.0, 20.0, now)
        self._heard = now
        self._pings_us = hello.pings

    def changed(self) -> None:
        """Hear that there is something new to see."""
        self._stale = True
        self._news.set()

    def lose_seat(self, why: Refusal | None) -> None:
        """Hear that the seat is no longer one's own: from now on one watches."""
        self.seat = None
        if why is not None:
            self._refuse(None, why)
        self._begin_anew()
        self._fresh = self._owed = True

    def saw(self, seat: int, mood: str) -> None:
        """See how somebody at the table feels; who reads slowly misses it."""
        if self._sees_moods and len(self._answers) < MOST_MOODS:
            self._answer({"type": "reaction", "seat": seat, "with": mood})

    async def serve(self) -> None:
        """Read and write until either side has enough."""
        if self._pings_us:
            self._listen()
        work = [self._read(), self._write()]
        if self._pings is not None and self.seat is not None and self._table.book.has_races:
            work.append(self._measure(self._pings))
        tasks = {asyncio.ensure_future(part) for part in work}
        patience = self._house.settings.slowest_reader
        try:
            done: set[asyncio.Future[None]] = set()
            while not done:
                done, _ = await asyncio.wait(
                    tasks, timeout=patience / 2, return_when=asyncio.FIRST_COMPLETED
                )
                if self._sending_since and self._house.now() - self._sending_since > patience:
                    raise Goodbye(POLICY, "too slow")
            for task in done:
                task.result()
        finally:
            if self._silence is not None:
                self._silence.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _listen(self, again: bool = False) -> None:
        """Say when nothing has come for too long; a server that stood still looks twice."""
        left = self._heard + self._house.settings.silent_after - self._house.now()
        if left <= 0 and again:
            self._silence = None
            self._table.people.fell_silent(self)
            return
        loop = asyncio.get_running_loop()
        self._silence = loop.call_later(max(left, LOOK_TWICE), self._listen, left <= 0)

    def _hears(self, arrival: float) -> None:
        """Note that something has come."""
        self._heard = arrival
        if self._pings_us and self._silence is None:
            self._table.people.is_heard(self)
            self._listen()

    async def _measure(self, pings: Pings) -> None:
        """Measure a player's line again and again by what their page cannot hold back."""
        pings.heard = self._heard_back
        for wait in chain(FIRST_PINGS, repeat(PING_EVERY)):
            pings.ping()
            await asyncio.sleep(wait)

    def _heard_back(self, round_trip: float) -> None:
        if self.seat is not None:
            self._table.measured(self.seat, round_trip, echo=False)

    async def _read(self) -> None:
        while True:
            text = await read(self._receive)
            arrival = self._house.now()
            self._hears(arrival)
            if not self._bucket.take(arrival):
                if not self._warned.take(arrival):
                    raise Goodbye(TOO_MANY, "too many frames")
                self._refuse(None, Refusal("too_fast", "slow down: too many frames at once"))
                continue
            try:
                self._handle(_decode.decode(text), arrival)
            except (msgspec.MsgspecError, RecursionError) as problem:
                self._refuse(None, Refusal("malformed", "{problem}", problem=told_of(problem)))

    def _handle(self, frame: wire.Frame, arrival: float) -> None:
        match frame:
            case wire.Ping():
                self._pong(frame, arrival)
            case wire.MoveFrame():
                self._take_move(frame, arrival)
            case wire.Ask():
                self._tell_why(frame)
            case wire.Hold():
                self._table.people.hold(self, frame.on)
            case wire.React():
                self._react(frame)
            case wire.Hello():
                self._refuse(None, Refusal("hello_again", "you have said hello already"))

    def _pong(self, ping: wire.Ping, arrival: float) -> None:
        if ping.echo is not None and ping.echo in self._pongs and self.seat is not None:
            self._table.measured(self.seat, arrival * 1000 - ping.echo, echo=True)
            self._pongs.remove(ping.echo)
        t1 = round(self._house.now() * 1000, 2)
        self._pongs.append(t1)
        self._answer(wire.Pong(ping.t0, t1))

    def _take_move(self, frame: wire.MoveFrame, arrival: float) -> None:
        if self.seat is None:
            self._refuse(frame.id, Refusal("watcher", "you are watching; take a seat to play"))
        elif self._in_flight >= MOST_IN_FLIGHT:
            self._refuse(frame.id, Refusal("too_fast", "slow down: too many moves at once"))
        else:
            self._in_flight += 1
            self._house.spawn(self._move(frame, self.seat, arrival))

    def _tell_why(self, ask: wire.Ask) -> None:
        """Say whether a move would be taken now, and if not, why."""
        try:
            if self.seat is None:
                raise Refusal("watcher", "you are watching; take a seat to play")
            self._table.try_out(self.seat, ask.move)
            self._answer(wire.ToldFrame(ask.id, True))
        except Refusal as no:
            self._answer(wire.ToldFrame(ask.id, False, str(no), no.code, no.fields))
        except Exception:  # a game from outside may fail: its line stays, and we are told
            log.exception("table=%s seat=%s asked in vain", self._table.book.name, self.seat)
            self._answer(wire.ToldFrame(ask.id, False, TROUBLE, "trouble"))

    def _react(self, frame: wire.React) -> None:
        """Let everybody see how somebody feels, or that they want to play again."""
        try:
            if self.seat is None:
                raise Refusal("watcher", "you are watching; take a seat to play")
            if frame.mood == "again":
                self._table.people.wish_again(self.seat)
            else:
                self._table.people.show_mood(self.seat, frame.mood)
        except Refusal as no:
            self._refuse(frame.id, no)

    async def _move(self, frame: wire.MoveFrame, seat: int, arrival: float) -> None:
        try:
            play = self._table.play
            if not await play(seat, self._token, frame.move, str(frame.id), arrival, frame.race):
                self._owed = True  # made before: say once more how things stand
                self.changed()
        except Refusal as refusal:
            self._refuse(frame.id, refusal)
        except StoreDown:
            self._refuse(frame.id, Refusal("trouble", TROUBLE))
        except Exception:  # the table could not take it; whoever sent it must know, and so must we
            log.exception("table=%s seat=%s move failed", self._table.book.name, seat)
            self._refuse(frame.id, Refusal("trouble", TROUBLE))
        finally:
            self._in_flight -= 1

    def _refuse(self, frame_id: str | int | None, refusal: Refusal) -> None:
        book = self._table.book
        self._house.counts.refused(refusal.code, book.name, hides_deeds(book))
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
                raise Goodbye(POLICY, "too much unread")
            while self._answers:
                await self._send(self._answers.popleft())
            if self._stale:
                self._stale = False
                await self._send_state()

    async def _send_state(self) -> None:
        """Send what is so now, the moves since the last frame and what they tell."""
        early = self._table.races.until_shown(self.seat)
        if early > 0:  # nobody gets a roll before the others
            asyncio.get_running_loop().call_later(early, self.changed)
            return
        told, steps = self._told_since()
        body = self._frames.body(self.seat)
        story = self._story()
        if body == self._last_sent and told == NOTHING and not story and not self._owed:
            return  # who sees nothing new hears nothing: else a hidden deed could be counted
        self._last_sent, self._owed = body, False
        now = self._house.now() * 1000
        await self._send(
            b'{"type":"state","seq":%d,%s,%s,"story":%s%s,"now":%.1f}'
            % (self._seq, body, told, story or b"null", steps, now)
        )

    def _told_since(self) -> tuple[bytes, bytes]:
        """Write the moves that this line has not been told, as it may see them, and their news.

        Then once more, one by one, for who wants that and has seen all before them.
        """
        book = self._table.book
        if book.games != self._games or len(book.moves) < self._told:
            self._games = book.games
            self._begin_anew()
        count, told = self._first() if self._fresh else self._frames.told(self.seat, self._told)
        steps = b""
        if self._wants_steps:
            scenes = b"[]" if self._fresh else self._frames.scenes(self.seat, self._told)
            steps = b',"steps":' + scenes
        self._fresh = False
        self._told, self._seq = len(book.moves), self._seq + count
        return told, steps

    def _first(self) -> tuple[int, bytes]:
        """Write the moves that this client has not seen on an earlier line; the story tells all."""
        log = self._table.book.log(self.seat, 0)
        unseen = log[self._last_seen :] if self._last_seen <= len(log) else log  # another game's
        return len(log), b'"log":%s,"news":[]' % _encode.encode(unseen)

    def _story(self) -> bytes:
        """Write the whole story where it must be told anew: at first, and at the end."""
        over = self._table.book.phase == "over"
        if self._knows_story and self._knows_end == over:
            return b""
        self._knows_story, self._knows_end = True, over
        return self._frames.story(self.seat)

    def _begin_anew(self) -> None:
        """Tell everything from the start: another game, or other eyes."""
        self._told = self._seq = self._last_seen = 0
        self._knows_story = False

    async def _send(self, frame: bytes) -> None:
        self._sending_since = self._house.now()
        await self._send_message({"type": "websocket.send", "text": frame.decode()})
        self._sending_since = 0.0


NOTHING: Final = b'"log":[],"news":[]'


async def read(receive: Receive) -> bytes:
    """Read one frame, text or bytes."""
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005), message.get("reason"))
    text = message.get("text")
    return message.get("bytes") or b"" if text is None else text.encode()


Admit = Callable[[Table, Line], None]
"""Lets a line to its table, or says goodbye."""


async def live(
    socket: Socket, house: House, name: str, admit: Admit = lambda table, line: None
) -> None:
    """Serve a WebSocket from somewhere: hello first, then a line to the table."""
    send = socket.send
    try:
        await socket.receive()
        await send({"type": "websocket.accept"})
        await greet_and_serve(socket, house, name, admit)
    except WebSocketDisconnect:
        return
    except StoreDown:
        await close(send, LATER, "the table is in trouble; come back soon")
    except Goodbye as goodbye:
        refused = wire.RefusedFrame(None, goodbye.reason, "goodbye", {})
        await close(send, goodbye.code, goodbye.reason, _encode.encode(refused).decode())


async def close(send: Send, code: int, reason: str, last: str | None = None) -> None:
    """Close a socket, after a last frame; it may be gone already."""
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(1.0):
            if last is not None:
                await send({"type": "websocket.send", "text": last})
            await send({"type": "websocket.close", "code": code, "reason": reason})


async def greet_and_serve(socket: Socket, house: House, name: str, admit: Admit) -> None:
    """Hear who calls, find the table and the seat, and serve."""
    try:
        async with asyncio.timeout(house.settings.hello_within):
            hello = _decode.decode(await read(socket.receive))
    except (msgspec.MsgspecError, RecursionError, TimeoutError):
        hello = None
    if not isinstance(hello, wire.Hello):
        raise Goodbye(POLICY, "say hello first")
    table = await house.find(name)
    if table is None:
        raise Goodbye(NO_TABLE, "there is no such table")
    line = Line(socket, table, house, hello)
    if hello.token is not None:
        line.seat = table.book.seat_of(hello.token)
        if line.seat is None:
            raise Goodbye(NO_SEAT, "this token holds no seat here")
    admit(table, line)
    try:
        await table.arrive(line, hello.hold)
        await line.serve()
    finally:
        table.go_away(line)
