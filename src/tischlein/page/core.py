"""The house in a browser's worker: the application of a server, asked through a port.

The page sends one JSON text for each call, line and frame, and hears the same way:

    {"id", "method", "path", "headers", "body"}   a call; heard: id, status, headers, body
    {"line", "path"}                              a line is opened; heard: {"line", "open"}
    {"line", "text"}                              a frame; heard the same way
    {"line", "close"}                             it is closed; heard with code and reason
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.types import Message, Scope

from tischlein.house.clock import Clock
from tischlein.house.house import OF_A_DEVICE, House
from tischlein.house.settings import Settings
from tischlein.house.thinking import Thinker, Thinkers
from tischlein.page import files, together
from tischlein.page.keeping import Keep, PageStore
from tischlein.page.thinking import Here
from tischlein.server.app import create_app
from tischlein.store.moving import BadStore

FOR_EVER: Final = 100 * 365 * 86_400.0
PATIENT: Final = Settings(
    bot_budget=30.0,
    coach_effort=0.1,
    tidy_after=FOR_EVER,
    calls_per_second=1e6,
    dear_per_second=1e6,
    looks_per_second=1e6,
    frames_per_second=1e6,
    silent_after=60.0,
    unload_after=20.0,
    dear_kept=2_097_152,
)
"""A device is slower than a server and has less memory, forgets nothing, and need not be kept from
its own page. In a browser a timer stays in memory until its time, also where nobody waits for it
any more: so they are not long."""

Tell = Callable[[str], None]


class Heard(Struct, frozen=True):
    """What the page sends: a call has an `id`, all else a `line`."""

    id: int | None = None
    method: str = "GET"
    path: str = ""
    headers: dict[str, str] = {}
    body: str = ""
    line: int | None = None
    text: str | None = None
    close: bool = False


class Core:
    """The application, and the lines that are open to it."""

    def __init__(self, house: House, tell: Tell) -> None:
        self._app, self._tell = create_app(house), tell
        self._house = house
        self._lines: dict[int, asyncio.Queue[Message]] = {}
        self._work: set[asyncio.Task[None]] = set()
        self._end = asyncio.Event()

    async def begin(self) -> None:
        """Wake the house."""
        awake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        asked = iter(({"type": "lifespan.startup"},))

        async def receive() -> Message:
            for message in asked:
                return message
            await self._end.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                awake.set_result(None)
            elif message["type"] == "lifespan.startup.failed":
                awake.set_exception(RuntimeError(message.get("message", "")))

        self._spawn(self._app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send))
        await awake

    async def end(self) -> None:
        """Let the house close; whatever is open ends."""
        for number in list(self._lines):
            self._close(number)
        self._end.set()
        while self._work:
            await asyncio.wait(self._work)

    async def ask(self, what: str, *words: str) -> str:
        """Do something with all tables of the device, and tell what came of it as JSON."""
        try:
            found = await self._asked(what, *words)
        except BadStore as problem:
            found = {"refused": str(problem)}
        return msgspec.json.encode(found).decode()

    async def _asked(self, what: str, *words: str) -> object:
        store = self._house.store
        match what, words:
            case "copy", ():
                return await files.copy(store)
            case "bring", (text,):
                return await files.bring(self._house, text)
            case "marks", ():
                return await together.marks(store)
            case "entries", (name,):
                return await together.entries_of(store, name)
            case "merge", (name, entries):
                lines = msgspec.json.decode(entries, type=list[str])
                return await together.merge(self._house, name, lines)
        raise ValueError(f"nobody knows how to {what}")

    def hear(self, text: str) -> None:
        """Take in what the page sends."""
        heard = msgspec.json.decode(text, type=Heard)
        if heard.id is not None:
            self._spawn(self._answer(heard.id, heard))
        elif heard.line is None:
            raise ValueError("neither a call nor a line")
        elif heard.close:
            self._close(heard.line)
        elif heard.text is not None:
            if heard.line in self._lines:
                message = {"type": "websocket.receive", "text": heard.text}
                self._lines[heard.line].put_nowait(message)
        else:
            queue = self._lines[heard.line] = asyncio.Queue()
            queue.put_nowait({"type": "websocket.connect"})
            self._spawn(self._serve(heard.line, heard.path, queue))

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _told(self, **message: Any) -> None:
        self._tell(msgspec.json.encode(message).decode())

    async def _answer(self, number: int, call: Heard) -> None:
        """Let the application answer a call."""
        waiting = [{"type": "http.request", "body": call.body.encode(), "more_body": False}]
        sent: list[Message] = []

        async def receive() -> Message:
            if waiting:
                return waiting.pop()
            await self._end.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        scope = scope_of("http", call.path, call.headers)
        scope["method"] = call.method
        try:
            await self._app(scope, receive, send)
        except Exception:
            self._told(id=number, status=500, headers={}, body="")
            raise
        body = b"".join(message.get("body", b"") for message in sent[1:])
        headers = {key.decode(): value.decode("latin-1") for key, value in sent[0]["headers"]}
        self._told(id=number, status=sent[0]["status"], headers=headers, body=body.decode())

    async def _serve(self, number: int, path: str, queue: "asyncio.Queue[Message]") -> None:
        """Serve a line until either side closes it."""

        async def send(message: Message) -> None:
            if message["type"] == "websocket.accept":
                self._told(line=number, open=True)
            elif message["type"] == "websocket.send":
                self._told(line=number, text=message["text"])
            elif message["type"] == "websocket.close" and self._lines.pop(number, None):
                code, reason = message.get("code", 1000), message.get("reason") or ""
                self._told(line=number, close=code, reason=reason)

        try:
            await self._app(scope_of("websocket", path, {}), queue.get, send)
        finally:
            if self._lines.pop(number, None):
                self._told(line=number, close=1006, reason="")

    def _close(self, number: int) -> None:
        queue = self._lines.pop(number, None)
        if queue is not None:
            queue.put_nowait({"type": "websocket.disconnect", "code": 1000})


def scope_of(kind: str, path: str, headers: Mapping[str, str]) -> Scope:
    """Describe a call or a line as a server would that listens to this device alone."""
    path, _, query = path.partition("?")
    told = {"host": "localhost"} | {name.lower(): value for name, value in headers.items()}
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in told.items()],
        "client": ("127.0.0.1", 0),
        "server": ("localhost", 80),
        "state": {},
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }


def house_in(
    store: PageStore,
    settings: Settings = PATIENT,
    thinker: Thinker | None = None,
    clock: Clock | None = None,
) -> House:
    """Set up the house of a device around its store."""
    thinkers = Thinkers(settings.bot_budget, thinkers=[thinker or Here()])
    coach = Here()
    return House(store, settings, thinkers=thinkers, coach=coach, sign=OF_A_DEVICE, clock=clock)


async def begin(tell: Tell, keep: Keep, kept: bytes = b"", settings: Settings = PATIENT) -> Core:
    """Open the house of a device; raises ValueError if what was kept cannot be read."""
    core = Core(house_in(PageStore(keep, kept), settings), tell)
    with contextlib.suppress(asyncio.CancelledError):
        await core.begin()
    return core
