"""The application: every way in over HTTP, and the errors that people get."""

import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from tischlein import __version__
from tischlein.bots import bot_named, levels
from tischlein.game import BadStart, Refusal
from tischlein.games import game_named, game_names
from tischlein.record import replay
from tischlein.report import positions
from tischlein.server import wire
from tischlein.server.lessons import Busy, Lessons
from tischlein.server.limits import PerAddress, is_own_host, is_own_origin
from tischlein.server.live import live
from tischlein.server.metrics import exposition
from tischlein.server.openapi import openapi
from tischlein.server.pages import HEADERS, LONGEST_LINK, page_routes, qr_code
from tischlein.store import StoreDown
from tischlein.table.desk import Conflict
from tischlein.table.hall import Hall
from tischlein.table.table import Stranger, Table
from tischlein.words import LANGUAGES, in_language

R = TypeVar("R", bound=wire.Request)
Handler = Callable[[Request], Awaitable[Response]]
PREFIX: Final = "/api/tables/{table}"


class Problem(Exception):
    """An answer that is an error: status, code and sentence."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.code, self.reason = status, code, reason


class Api:
    """The ways in, around one hall."""

    def __init__(self, hall: Hall, near: Sequence[str] = ()) -> None:
        self.hall, self._near = hall, near
        settings = hall.settings
        self._calls = PerAddress(settings.calls_per_second, settings.calls_at_once)
        self._openings = PerAddress(settings.tables_per_minute / 60, settings.tables_at_once)
        self._sockets: dict[str, int] = {}
        self.lessons = Lessons(settings.coach_effort)

    def routes(self) -> list[BaseRoute]:
        """List every address with what answers there."""
        post = ["POST"]
        return [
            Route("/api/games", self._guarded(self.games)),
            Route("/api/tables", self._guarded(self.open_table), methods=post),
            Route(PREFIX, self._guarded(self.show_table)),
            Route(f"{PREFIX}/record", self._guarded(self.record)),
            Route(f"{PREFIX}/replay", self._guarded(self.replay)),
            Route(f"{PREFIX}/coach", self._guarded(self.coach)),
            Route(f"{PREFIX}/hint", self._guarded(self.hint)),
            Route(f"{PREFIX}/seats", self._guarded(self.take_seat), methods=post),
            Route(f"{PREFIX}/bots", self._guarded(self.place_bot), methods=post),
            Route(f"{PREFIX}/handicap", self._guarded(self.give_handicap), methods=post),
            Route(f"{PREFIX}/starter", self._guarded(self.name_starter), methods=post),
            Route(f"{PREFIX}/start", self._guarded(self.start), methods=post),
            Route(f"{PREFIX}/contribution", self._guarded(self.add_word), methods=post),
            Route(f"{PREFIX}/relief", self._guarded(self.play_on), methods=post),
            Route(f"{PREFIX}/rematch", self._guarded(self.play_again), methods=post),
            Route(f"{PREFIX}/leave", self._guarded(self.leave), methods=post),
            Route("/api/address", self._guarded(self.address)),
            Route("/api/qr", self._guarded(self.qr)),
            Route("/api/openapi.json", self._guarded(self.openapi)),
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
            WebSocketRoute(f"{PREFIX}/live", self.live),
            *page_routes(),
        ]

    async def games(self, request: Request) -> Response:
        """List the games with seats, house rules and bots."""
        return answer([describe_game(name) for name in game_names()])

    async def open_table(self, request: Request) -> Response:
        """Open a table; the caller sits in seat 0 and is the host."""
        if not self._openings.take(address(request), self.hall.now()):
            raise Problem(429, "too_many_tables", "too many new tables from here; wait a minute")
        wanted = await read(request, wire.OpenTable, self.hall.settings.largest_body)
        rules = game_named(wanted.game)
        rules.start(wanted.seats, wanted.options)
        for place, bot in wanted.bots.items():
            if place not in map(str, range(1, wanted.seats)):
                sentence = "bots sit in seats 1 to {last}, not in `{seat}`"
                raise BadStart("bots", sentence, last=str(wanted.seats - 1), seat=place[:20])
            bot_named(rules, bot)
        table = await self.hall.open(
            wanted.game, wanted.seats, wanted.options, wanted.speed, wanted.hints
        )
        seat, token = await table.join(wanted.name.strip())
        for place, bot in wanted.bots.items():
            await table.seat_bot(seat, int(place), bot)
        return answer(wire.Held(seat, token, table.book.name), 201)

    async def show_table(self, request: Request) -> Response:
        """Tell what everyone may know of a table."""
        return answer(wire.table_info(await self._table(request)))

    async def take_seat(self, request: Request) -> Response:
        """Take a free seat."""
        table = await self._table(request)
        wanted = await read(request, wire.TakeSeat, self.hall.settings.largest_body)
        seat, token = await table.join(wanted.name.strip())
        return answer(wire.Held(seat, token, table.book.name), 201)

    async def place_bot(self, request: Request) -> Response:
        """Put a bot in a seat, or take it away: the host's."""
        table, seat = await self._seat(request)
        wanted = await read(request, wire.PlaceBot, self.hall.settings.largest_body)
        await table.seat_bot(seat, wanted.seat, wanted.bot)
        return answer(wire.table_info(table))

    async def give_handicap(self, request: Request) -> Response:
        """Give a player some milliseconds in races: the host's."""
        table, seat = await self._seat(request)
        wanted = await read(request, wire.GiveHandicap, self.hall.settings.largest_body)
        await table.give_handicap(seat, wanted.seat, wanted.handicap)
        return answer(wire.table_info(table))

    async def name_starter(self, request: Request) -> Response:
        """Name the seat that begins, or leave it to chance: the host's."""
        table, seat = await self._seat(request)
        wanted = await read(request, wire.NameStarter, self.hall.settings.largest_body)
        await table.appoint(seat, wanted.seat)
        return answer(wire.table_info(table))

    async def start(self, request: Request) -> Response:
        """Start the game: the host's."""
        table, seat = await self._seat(request)
        await table.start(seat)
        return answer(wire.table_info(table))

    async def add_word(self, request: Request) -> Response:
        """Add a word to the seed."""
        table, seat = await self._seat(request)
        wanted = await read(request, wire.AddWord, self.hall.settings.largest_body)
        await table.salt(seat, wanted.text)
        return answer(wire.table_info(table))

    async def play_on(self, request: Request) -> Response:
        """Let a bot play for somebody who is away."""
        table, seat = await self._seat(request)
        wanted = await read(request, wire.PlayOn, self.hall.settings.largest_body)
        await table.relieve(seat, wanted.seat, wanted.bot)
        return answer(wire.table_info(table))

    async def play_again(self, request: Request) -> Response:
        """Set the table once more for the same people: the host's."""
        table, seat = await self._seat(request)
        wanted = await read(request, wire.PlayAgain, self.hall.settings.largest_body)
        await table.again(seat, wanted.starter)
        return answer(wire.table_info(table))

    async def leave(self, request: Request) -> Response:
        """Get up from the table."""
        table, seat = await self._seat(request)
        await table.leave(seat)
        return answer(wire.table_info(table))

    async def record(self, request: Request) -> Response:
        """Give the record of a finished game: the last one, or `?game=1` for the first."""
        found = await self._record(request)
        name = request.path_params["table"]
        headers = {"content-disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(found, media_type="application/jsonl", headers=headers)

    async def replay(self, request: Request) -> Response:
        """Give a finished game position by position, to look at it again."""
        game = replay((await self._record(request)).split("\n"))
        names, options = game.header.seats, game.header.options
        found = {"game": game.header.game, "seats": names, "options": options}
        return answer(found | {"positions": positions(game)})

    async def coach(self, request: Request) -> Response:
        """Give what the coach says of a finished game; 202 while it is still at work."""
        language = language_of(request)
        try:
            course = self.lessons.ask(await self._record(request))
        except Busy:
            raise Problem(503, "busy", "the coach has too much to do; ask again later") from None
        if course.failed:
            raise Problem(500, "coach_failed", "the coach could not make sense of this game")
        if course.lesson is None:
            return answer({"done": round(course.done, 3)}, 202)
        return answer(wire.told_lesson(course.lesson, in_language(language, course.lesson.game)))

    async def hint(self, request: Request) -> Response:
        """Say what the expert would do in the caller's seat, where the host allows it."""
        table, seat = await self._seat(request)
        say = in_language(language_of(request), table.book.rules.NAME)
        found = await table.advise(seat)
        names = [chair.name or "" for chair in table.book.chairs]
        return answer(wire.told_hint(found, names, say))

    async def _record(self, request: Request) -> str:
        name = str(request.path_params["table"])
        wanted = request.query_params.get("game")
        if wanted is not None and not re.fullmatch("[1-9][0-9]{0,4}", wanted):
            raise Problem(422, "bad_game", "`game` is the number of a game, from 1")
        game = None if wanted is None else int(wanted)
        table = await self.hall.find(name)
        goes_on = table is not None and table.book.phase != "over"
        found = None if goes_on and game is None else await self.hall.store.record(name, game)
        if found is not None:
            return found
        if table is None:
            raise Problem(404, "no_table", "there is no such table")
        if game is not None and game > table.book.games:
            raise Problem(404, "no_such_game", "no such game was played at this table")
        raise Problem(409, "not_over", "the record is there when the game is over")

    async def address(self, request: Request) -> Response:
        """Tell where phones in the same network reach this server, if it listens to them."""
        port = f":{request.url.port}" if request.url.port else ""
        return answer({"near": [f"{request.url.scheme}://{host}{port}" for host in self._near]})

    async def qr(self, request: Request) -> Response:
        """Draw a link to this server as a QR code."""
        text = request.query_params.get("text", "")
        if not 0 < len(text) <= LONGEST_LINK:
            raise Problem(422, "bad_text", f"`text` is a link of 1 to {LONGEST_LINK} signs")
        return Response(qr_code(text), media_type="image/svg+xml", headers=HEADERS)

    async def openapi(self, request: Request) -> Response:
        """Describe this interface."""
        return answer(openapi(__version__))

    async def health(self, request: Request) -> Response:
        """Say that the server and its store work."""
        try:
            await self.hall.store.tables("", 1)
        except StoreDown:
            return problem_answer(503, "trouble", "the store cannot be reached")
        return answer({"ok": True, "version": __version__})

    async def metrics(self, request: Request) -> Response:
        """Tell the numbers of this server, in Prometheus' format."""
        return PlainTextResponse(exposition(self.hall))

    async def live(self, socket: WebSocket) -> None:
        """Serve a seat's or a watcher's WebSocket."""
        where = socket.client.host if socket.client else ""
        open_here = self._sockets.get(where, 0)
        if open_here >= self.hall.settings.sockets_per_address:
            await socket.close(1013, "too many connections from here")
            return
        self._sockets[where] = open_here + 1
        try:
            await live(socket, self.hall, str(socket.path_params["table"]))
        finally:
            self._sockets[where] -= 1
            if not self._sockets[where]:
                del self._sockets[where]

    async def _table(self, request: Request) -> Table:
        table = await self.hall.find(str(request.path_params["table"]))
        if table is None:
            raise Problem(404, "no_table", "there is no such table")
        return table

    async def _seat(self, request: Request) -> tuple[Table, int]:
        """Find the table, and the seat that the caller's token holds."""
        table = await self._table(request)
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        seat = table.book.seat_of(token.strip()) if kind.lower() == "bearer" else None
        if seat is None:
            raise Problem(
                401, "no_seat_held", "send the token of your seat: Authorization: Bearer …"
            )
        return table, seat

    def _guarded(self, handler: Handler) -> Handler:
        """Limit how often an address may call, and turn problems into answers."""

        async def guarded(request: Request) -> Response:
            if not self._calls.take(address(request), self.hall.now()):
                return problem_answer(429, "too_often", "too many requests from here; slow down")
            try:
                return await handler(request)
            except Problem as problem:
                return problem_answer(problem.status, problem.code, problem.reason)
            except Refusal as refusal:
                return problem_answer(status_of(refusal), refusal.code, str(refusal))
            except StoreDown:
                return problem_answer(503, "trouble", "the table is in trouble; try again")
            except ClientDisconnect:
                return problem_answer(400, "hung_up", "the request broke off")  # to nobody

        return guarded


def status_of(refusal: Refusal) -> int:
    """Find the status that fits a refusal."""
    if isinstance(refusal, Conflict):
        return 409
    return 403 if isinstance(refusal, Stranger) else 422


def describe_game(name: str) -> dict[str, Any]:
    """Tell a game's seats, house rules with their defaults, and bots."""
    rules = game_named(name)
    schema = msgspec.json.schema(rules.Options)
    return {
        "game": name,
        "seats": {"fewest": rules.SEATS[0], "most": rules.SEATS[-1]},
        "options": schema["$defs"][rules.Options.__name__]["properties"],
        "bots": list(levels(rules)),
    }


def language_of(request: Request) -> str:
    """Read in which language the caller wants to be told."""
    wanted = request.query_params.get("lang", "en")
    if wanted not in LANGUAGES:
        raise Problem(422, "no_language", f"`lang` is one of {', '.join(LANGUAGES)}")
    return wanted


async def read(request: Request, kind: type[R], largest: int) -> R:
    """Read the body of a request, or say what is wrong with it."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > largest:
            raise Problem(413, "too_large", f"a request has at most {largest:,} bytes")
    try:
        body.decode()
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as problem:
        raise Problem(422, "bad_request", str(problem)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Problem(400, "malformed", f"this is not JSON: {problem}") from None


def address(request: Request) -> str:
    """Say where a request comes from."""
    return request.client.host if request.client else ""


def answer(thing: object, status: int = 200) -> Response:
    """Answer with JSON."""
    return Response(msgspec.json.encode(thing), status, media_type="application/json")


def problem_answer(status: int, code: str, reason: str) -> Response:
    """Answer with an error."""
    return answer({"error": code, "reason": reason}, status)


async def http_problem(request: Request, problem: Exception) -> Response:
    """Answer what the router refuses in the same form as everything else."""
    assert isinstance(problem, HTTPException)  # noqa: S101  # registered for these alone
    codes = {404: "not_found", 405: "wrong_method"}
    code = codes.get(problem.status_code, "refused")
    found = problem_answer(problem.status_code, code, f"{problem.detail}: {request.url.path}")
    found.headers.update(problem.headers or {})
    return found


class OwnPagesOnly:
    """Refuses what a stranger's page sends, and names that do not belong to this server."""

    def __init__(self, app: ASGIApp, own_names: frozenset[str]) -> None:
        self._app, self._own_names = app, own_names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let own pages and programs pass."""
        if scope["type"] in ("http", "websocket") and not self._is_own(scope):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008, "reason": "other origin"})
                return
            refused = problem_answer(403, "stranger", "this page may not speak to the table")
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_own(self, scope: Scope) -> bool:
        headers = {key: value.decode("latin-1") for key, value in scope["headers"]}
        host = headers.get(b"host", "")
        return is_own_host(host, self._own_names) and is_own_origin(headers.get(b"origin"), host)


def create_app(
    hall: Hall, own_names: frozenset[str] = frozenset(), near: Sequence[str] = ()
) -> ASGIApp:
    """Build the application around a hall; the hall is woken and closed with it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await hall.wake()
        housekeeping = hall.spawn(hall.keep_house())
        yield
        housekeeping.cancel()
        api.lessons.close()
        await hall.close()

    api = Api(hall, near)
    app = Starlette(
        routes=api.routes(),
        lifespan=lifespan,
        exception_handlers={HTTPException: http_problem},
    )
    return OwnPagesOnly(app, own_names)
