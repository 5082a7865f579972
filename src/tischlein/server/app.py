"""The application: every way in over HTTP, and the errors that people get."""

import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tischlein import __version__
from tischlein.bots import check_level, levels
from tischlein.game import BadStart, Refusal
from tischlein.games import game_named, game_names
from tischlein.house.house import House
from tischlein.house.lessons import Busy, Lessons
from tischlein.house.limits import PerAddress, is_own_host, is_own_origin, network_of
from tischlein.position import positions
from tischlein.record import replay
from tischlein.server import wire
from tischlein.server.addresses import ADDRESSES, HEALTH, LIVE, Address
from tischlein.server.live import LATER, live
from tischlein.server.metrics import exposition
from tischlein.server.openapi import openapi
from tischlein.server.pages import HEADERS, LONGEST_LINK, page_routes, qr_code
from tischlein.store import StoreDown
from tischlein.table.needs import Conflict, Stranger
from tischlein.table.table import Table
from tischlein.words import LANGUAGES, in_language, rulebook, words_of

R = TypeVar("R", bound=wire.Request)
Handler = Callable[[Request], Awaitable[Response]]


class Problem(Exception):
    """An answer that is an error: status, code and sentence."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.code, self.reason = status, code, reason


class Api:
    """The ways in, around one house."""

    def __init__(self, house: House, near: Sequence[str] = ()) -> None:
        self.house, self._near = house, near
        settings = house.settings
        self._calls = PerAddress(settings.calls_per_second, settings.calls_at_once)
        self._openings = PerAddress(settings.tables_per_minute / 60, settings.tables_at_once)
        self.lessons = Lessons(settings.coach_effort)

    def routes(self) -> list[BaseRoute]:
        """List every address with what answers there."""
        return [
            *(Route(found.path, self._guarded(found), methods=[found.method])
              for found in ADDRESSES),
            Route(HEALTH.path, self.health),
            Route("/metrics", self.metrics),
            *page_routes(),
        ]  # fmt: skip

    async def games(self, request: Request) -> Response:
        """List the games with seats, house rules, bots and what they have."""
        return answer([describe_game(name) for name in game_names()])

    async def words(self, request: Request) -> Response:
        """Give a game's own words, for a client that does not have them."""
        return answer(words_of(self._game(request), language_of(request)))

    async def rules(self, request: Request) -> Response:
        """Give a game's rules for players, as Markdown; empty if nobody has written them."""
        return answer({"text": rulebook(self._game(request), language_of(request))})

    async def open_table(self, request: Request) -> Response:
        """Open a table; the caller sits in seat 0 and is the host."""
        if not self._openings.take(caller(request), self.house.now()):
            raise Problem(429, "too_many_tables", "too many new tables from here; wait a minute")
        wanted = await read(request, wire.OpenTable, self.house.settings.largest_body)
        rules = game_named(wanted.game)
        rules.start(wanted.seats, wanted.options)
        for place, bot in wanted.bots.items():
            if place not in map(str, range(1, wanted.seats)):
                sentence = "bots sit in seats 1 to {last}, not in `{seat}`"
                raise BadStart("bots", sentence, last=str(wanted.seats - 1), seat=place[:20])
            check_level(rules, bot)
        table = await self.house.open(
            wanted.game, wanted.seats, wanted.options, wanted.speed, wanted.hints
        )
        seat, token = await table.seating.join(wanted.name.strip())
        for place, bot in wanted.bots.items():
            await table.seating.seat_bot(seat, int(place), bot)
        return answer(wire.Held(seat, token, table.book.name), 201)

    async def show_table(self, request: Request) -> Response:
        """Tell what everyone may know of a table."""
        return answer(wire.table_info(await self._table(request)))

    async def take_seat(self, request: Request) -> Response:
        """Take a free seat."""
        table = await self._table(request)
        wanted = await read(request, wire.TakeSeat, self.house.settings.largest_body)
        seat, token = await table.seating.join(wanted.name.strip())
        return answer(wire.Held(seat, token, table.book.name), 201)

    async def act(self, request: Request, address: Address) -> Response:
        """Do what somebody in a seat asks for, and tell the table as it then is."""
        table, seat = await self._seat(request)
        sent = None
        if address.request is not None:
            sent = await read(request, address.request, self.house.settings.largest_body)
        assert address.do is not None  # noqa: S101  # every such address says what to do
        await address.do(table, seat, sent)
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
            course = self.lessons.ask(await self._record(request), caller(request))
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
        found = await table.advise(seat, caller(request))
        names = [chair.name or "" for chair in table.book.chairs]
        return answer(wire.told_hint(table.book.rules.NAME, found, names, say))

    async def _record(self, request: Request) -> str:
        name = str(request.path_params["table"])
        wanted = request.query_params.get("game")
        if wanted is not None and not re.fullmatch("[1-9][0-9]{0,4}", wanted):
            raise Problem(422, "bad_game", "`game` is the number of a game, from 1")
        game = None if wanted is None else int(wanted)
        table = await self.house.find(name)
        goes_on = table is not None and table.book.phase != "over"
        found = None if goes_on and game is None else await self.house.store.record(name, game)
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
            await self.house.store.tables("", 1)
        except StoreDown:
            return problem_answer(503, "trouble", "the store cannot be reached")
        return answer({"ok": True, "version": __version__})

    async def metrics(self, request: Request) -> Response:
        """Tell the numbers of this server, in Prometheus' format."""
        return PlainTextResponse(exposition(self.house))

    async def _table(self, request: Request) -> Table:
        table = await self.house.find(str(request.path_params["table"]))
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

    def _game(self, request: Request) -> str:
        """Read the name of a game that there is."""
        name = str(request.path_params["game"])
        if name not in game_names():
            raise Problem(404, "no_game", "there is no such game")
        return name

    def _guarded(self, address: Address) -> Handler:
        """Limit how often somebody may call, and turn problems into answers."""
        handler = getattr(self, address.handler)
        if address.do is not None:
            handler = partial(handler, address=address)

        async def guarded(request: Request) -> Response:
            if not self._calls.take(caller(request), self.house.now()):
                return problem_answer(429, "too_often", "too many requests from here; slow down")
            try:
                found: Response = await handler(request)
                return found
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
        "has": sorted(rules.HAS),
        "look": getattr(rules, "LOOK", {}),
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


def caller(request: Request) -> str:
    """Say where a request comes from: all addresses of one household are one."""
    return network_of(request.client.host) if request.client else ""


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


class Sockets:
    """Serves the WebSockets of seats and watchers, so many from each place; all else passes.

    They come first: what stands between a line and its table is paid for with every frame.
    """

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app, self._house = app, house
        self._open: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a line to a table."""
        found = LIVE.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await self._app(scope, receive, send)
        else:
            await self._serve(found[1], scope, receive, send)

    async def _serve(self, table: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one, unless too many are open from there."""
        where = network_of(scope["client"][0]) if scope.get("client") else ""
        if self._open.get(where, 0) >= self._house.settings.sockets_per_address:
            await send({"type": "websocket.close", "code": LATER, "reason": "too many from here"})
            return
        self._open[where] = self._open.get(where, 0) + 1
        try:
            await live(receive, send, self._house, table, where)
        finally:
            self._open[where] -= 1
            if not self._open[where]:
                del self._open[where]


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
    house: House, own_names: frozenset[str] = frozenset(), near: Sequence[str] = ()
) -> ASGIApp:
    """Build the application around a house; the house is woken and closed with it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await house.wake()
        housekeeping = house.spawn(house.keep_house())
        yield
        housekeeping.cancel()
        api.lessons.close()
        await house.close()

    api = Api(house, near)
    app = Starlette(
        routes=api.routes(),
        lifespan=lifespan,
        exception_handlers={HTTPException: http_problem},
    )
    return OwnPagesOnly(Sockets(app, house), own_names)
