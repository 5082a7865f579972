"""The application: every way in over HTTP, and the errors that people get."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from functools import partial
from hashlib import sha256
from hmac import compare_digest
from math import inf
from typing import Any, Final

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
from tischlein.house.limits import PerAddress, is_own_host, is_own_origin
from tischlein.names import is_printable, texts_in
from tischlein.people import People
from tischlein.people.history import bots_of
from tischlein.position import positions
from tischlein.primer import has_primer, told_primer
from tischlein.record import replay
from tischlein.server import wire
from tischlein.server.addresses import ADDRESSES, HEALTH, Address
from tischlein.server.answers import Problem, SafeHeaders, answer, problem_answer
from tischlein.server.boards import BoardsApi
from tischlein.server.care import CareApi
from tischlein.server.carry import CarryApi
from tischlein.server.cups import CupsApi
from tischlein.server.dear import Dear
from tischlein.server.finding import FindApi
from tischlein.server.me import MeApi
from tischlein.server.metrics import exposition
from tischlein.server.mine import MineApi
from tischlein.server.openapi import openapi
from tischlein.server.pages import HEADERS, LONGEST_LINK, packed, page_routes, qr_code
from tischlein.server.proxy import Forwarded, Network, as_address
from tischlein.server.pushing import PushApi
from tischlein.server.requests import caller, guest_of, language_of, read
from tischlein.server.sockets import Sockets
from tischlein.store import StoreDown
from tischlein.table.entries import SLOW
from tischlein.table.needs import Conflict, Stranger
from tischlein.table.seating import persons_name
from tischlein.table.settings import DAY
from tischlein.table.table import Table
from tischlein.words import in_language, rulebook, words_of

Handler = Callable[[Request], Awaitable[Response]]

HEALTH_IS_FRESH: Final = 1.0
"""So many seconds the store is not asked again how it is."""
LONGEST_ECHO: Final = 100
"""So much of a wrong address is told again."""
KEPT_A_WHILE: Final = {"cache-control": "private, max-age=3600"}


class Api:
    """The ways in, around one house."""

    def __init__(self, house: House, people: People, near: Sequence[str] = ()) -> None:
        self.house, self.people, self._near = house, people, near
        settings = house.settings
        self._calls = PerAddress(settings.calls_per_second, settings.calls_at_once)
        self._openings = PerAddress(settings.tables_per_minute / 60, settings.tables_at_once)
        self._showings = PerAddress(settings.shown_slow_per_day / DAY, settings.shown_slow_at_once)
        self._dear_calls = PerAddress(settings.dear_per_second, settings.dear_at_once)
        self._checks = PerAddress(settings.checks_per_second, settings.checks_at_once)
        self._health = Health(house)
        self._fixed: dict[Hashable, bytes] = {}
        self.dear = Dear(settings.dear_kept)
        self.lessons = Lessons(settings.coach_effort, house.coach)
        self.mine = MineApi(house, people, self.dear)
        self._parts: dict[str, object] = {
            "": self,
            "boards": BoardsApi(house, people),
            "carry": CarryApi(house, people, self.dear),
            "care": CareApi(people.operator, house.settings),
            "cups": CupsApi(house, people),
            "find": FindApi(house, people, self._seat),
            "me": MeApi(house, people),
            "mine": self.mine,
            "push": PushApi(house, people, self._seat),
        }
        """Who answers: `me.show` is the method `show` of the part `me`."""

    def routes(self) -> list[BaseRoute]:
        """List every address with what answers there."""
        return [
            *(Route(found.path, self._guarded(found), methods=[found.method])
              for found in ADDRESSES),
            Route(HEALTH.path, self._checked(self.health)),
            Route("/metrics", self._checked(self.metrics)),
            *page_routes(self.dear),
        ]  # fmt: skip

    async def games(self, request: Request) -> Response:
        """List the games with seats, house rules, bots and what they have."""
        return self._once("games", lambda: [describe_game(name) for name in game_names()])

    async def words(self, request: Request) -> Response:
        """Give a game's own words, for a client that does not have them."""
        game, language = self._game(request), language_of(request)
        return self._once(("words", game, language), lambda: words_of(game, language))

    async def rules(self, request: Request) -> Response:
        """Give a game's rules for players, as Markdown; empty if nobody has written them."""
        game, language = self._game(request), language_of(request)
        return self._once(("rules", game, language), lambda: {"text": rulebook(game, language)})

    async def primer(self, request: Request) -> Response:
        """Give a first game to learn it by playing, as who sits in seat 0 will see it."""
        game = self._game(request)
        if not has_primer(game):
            raise Problem(404, "no_primer", "nobody has written a first game to learn this one")
        return packed(request, self._once(("primer", game), lambda: told_primer(game)))

    async def open_table(self, request: Request) -> Response:
        """Open a table; the caller sits in seat 0 and is the host."""
        if not self._openings.take(caller(request), self.house.now()):
            raise Problem(429, "too_many_tables", "too many new tables from here; wait a minute")
        wanted = await read(request, wire.OpenTable, self.house.settings)
        rules = game_named(wanted.game)
        rules.start(wanted.seats, wanted.options)
        if not all(map(is_printable, texts_in(wanted.options))):
            raise BadStart("bad_option", "house rules are written with signs that all can see")
        for place, bot in wanted.bots.items():
            if place not in map(str, range(1, wanted.seats)):
                sentence = "bots sit in seats 1 to {last}, not in `{seat}`"
                raise BadStart("bots", sentence, last=str(wanted.seats - 1), seat=place[:20])
            check_level(rules, bot)
        if wanted.stand_in is not None:
            check_level(rules, wanted.stand_in)
        if wanted.public and wanted.speed in SLOW:
            self._check_showings(request)
        name, profile = persons_name(wanted.name), await guest_of(request, self.people)
        table = await self.house.open(
            wanted.game,
            wanted.seats,
            wanted.options,
            wanted.speed,
            wanted.hints,
            wanted.lag_cap,
            wanted.stand_in,
            wanted.public,
            lang=wanted.lang,
        )
        seat, token = await self._join(table, name, profile)
        for place, bot in wanted.bots.items():
            await table.seating.seat_bot(seat, int(place), bot)
        return answer(wire.Held(seat, token, table.book.name), 201)

    async def show_table(self, request: Request) -> Response:
        """Tell what everyone may know of a table."""
        return answer(wire.table_info(await self._table(request)))

    async def take_seat(self, request: Request) -> Response:
        """Take a free seat."""
        if not self._openings.take(caller(request), self.house.now()):
            raise Problem(429, "too_many_tables", "too many new seats from here; wait a minute")
        table = await self._table(request)
        wanted = await read(request, wire.TakeSeat, self.house.settings)
        profile = await guest_of(request, self.people)
        if table.book.seek:
            seat, token = await self.people.seeks.sit(table, wanted.name, profile, caller(request))
        else:
            seat, token = await self._join(table, wanted.name, profile)
        return answer(wire.Held(seat, token, table.book.name), 201)

    async def _join(self, table: Table, name: str, profile: str | None) -> tuple[int, str]:
        """Let somebody sit down; whose profile is known finds the table on other devices, too."""
        if profile is not None:
            await self.people.profiles.sits(profile, table.book.name)
        return await table.seating.join(name, profile)

    def _check_showings(self, request: Request) -> None:
        """Refuse to show one slow table more: they stay for days, and few fill the list."""
        if not self._showings.take(caller(request), self.house.now()):
            raise Problem(429, "too_many_tables", "too many tables were opened to all from here")

    async def act(self, request: Request, address: Address) -> Response:
        """Do what somebody in a seat asks for, and tell the table as it then is."""
        table, seat = await self._seat(request)
        sent = None
        if address.request is not None:
            sent = await read(request, address.request, self.house.settings)
        if isinstance(sent, wire.Publish) and sent.on > table.book.public and table.book.is_slow:
            self._check_showings(request)
        assert address.do is not None  # noqa: S101  # every such address says what to do
        await address.do(table, seat, sent)
        if table.book.is_slow:
            with contextlib.suppress(StoreDown):  # it is done: who is forgotten later is so, too
                await self.people.nudges.sweep(table)
        return answer(wire.table_info(table))

    async def record(self, request: Request) -> Response:
        """Give the record of a finished game: the last one, or `?game=1` for the first."""
        _, found = await self._record(request)
        name = request.path_params["table"]
        headers = {"content-disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(found, media_type="application/jsonl", headers=headers)

    async def replay(self, request: Request) -> Response:
        """Give a finished game position by position, to look at it again."""
        _, record = await self._record(request)
        key = "replay", sha256(record.encode()).digest()
        found = await self.dear.give(key, caller(request), partial(all_positions, record))
        return Response(found, media_type="application/json")

    async def coach(self, request: Request) -> Response:
        """Give what the coach says of a finished game; 202 while it is still at work."""
        language, (number, record) = language_of(request), await self._record(request)
        try:
            course = self.lessons.ask(record, caller(request))
        except Busy:
            raise Problem(503, "busy", "the coach has too much to do; ask again later") from None
        if course.failed:
            raise Problem(500, "coach_failed", "the coach could not make sense of this game")
        if course.lesson is None:
            return answer({"done": round(course.done, 3)}, 202)
        if number is not None:
            game = str(request.path_params["table"]), number
            await self.mine.keep_luck(game, record, course.lesson, caller(request))
        return answer(wire.told_lesson(course.lesson, in_language(language, course.lesson.game)))

    async def hint(self, request: Request) -> Response:
        """Say what the expert would do in the caller's seat, where the host allows it."""
        table, seat = await self._seat(request)
        say = in_language(language_of(request), table.book.rules.NAME)
        found = await table.advise(seat, caller(request))
        names = [chair.name or "" for chair in table.book.chairs]
        return answer(wire.told_hint(table.book.rules.NAME, found, names, say))

    async def _record(self, request: Request) -> tuple[int | None, str]:
        """Find the record of a finished game, and which game of its table that is, if known."""
        name = str(request.path_params["table"])
        wanted = request.query_params.get("game")
        if wanted is not None and not re.fullmatch("[1-9][0-9]{0,4}", wanted):
            raise Problem(422, "bad_game", "`game` is the number of a game, from 1")
        game = None if wanted is None else int(wanted)
        table = await self.house.find(name)
        goes_on = table is not None and table.book.phase != "over"
        found = None if goes_on and game is None else await self.house.store.record(name, game)
        if found is not None:
            return (game if table is None else game or table.book.finished), found
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
        found = await self.dear.give(("qr", text), caller(request), partial(qr_code, text))
        return Response(found, media_type="image/svg+xml", headers=HEADERS | KEPT_A_WHILE)

    async def openapi(self, request: Request) -> Response:
        """Describe this interface."""
        return self._once("openapi", lambda: openapi(__version__))

    async def health(self, request: Request) -> Response:
        """Say that the server and its store work."""
        if not await self._health.is_well():
            return problem_answer(503, "trouble", "the store cannot be reached")
        return answer({"ok": True, "version": __version__})

    async def metrics(self, request: Request) -> Response:
        """Tell the numbers of this server, in Prometheus' format, to whom they concern."""
        if not may_read_metrics(request, self.house.settings.metrics_token):
            reason = "these numbers are for this machine, or for who sends the `metrics_token`"
            return problem_answer(403, "no_metrics", reason)
        return PlainTextResponse(exposition(self.house))

    def _once(self, key: Hashable, make: Callable[[], object]) -> Response:
        """Answer with what never changes, made once."""
        if key not in self._fixed:
            self._fixed[key] = msgspec.json.encode(make())
        return Response(self._fixed[key], media_type="application/json")

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
        part, _, method = address.handler.rpartition(".")
        handler = getattr(self._parts[part], method)
        if address.do is not None:
            handler = partial(handler, address=address)

        async def guarded(request: Request) -> Response:
            now, network = self.house.now(), caller(request)
            if not self._calls.take(network, now):
                return problem_answer(429, "too_often", "too many requests from here; slow down")
            if address.dear and not self._dear_calls.take(network, now):
                return problem_answer(429, "too_often", "this takes long to make; slow down")
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

    def _checked(self, handler: Handler) -> Handler:
        """Limit how often somebody may ask how the server is."""

        async def checked(request: Request) -> Response:
            if not self._checks.take(caller(request), self.house.now()):
                return problem_answer(429, "too_often", "too many requests from here; slow down")
            return await handler(request)

        return checked


class Health:
    """Whether the store works: it is asked once a second, however many want to know."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._asking: asyncio.Task[bool] | None = None
        self._asked = -inf

    async def is_well(self) -> bool:
        """Say whether the store works."""
        if self._asking is None or (
            self._asking.done() and self._house.now() - self._asked >= HEALTH_IS_FRESH
        ):
            self._asking = self._house.spawn(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> bool:
        try:
            await self._house.store.tables("", 1)
        except StoreDown:
            return False
        finally:
            self._asked = self._house.now()
        return True


def may_read_metrics(request: Request, token: str) -> bool:
    """Say whether the numbers are for the caller: on this machine, or with the token."""
    kind, _, sent = request.headers.get("authorization", "").partition(" ")
    if token and kind.lower() == "bearer" and compare_digest(sent.strip().encode(), token.encode()):
        return True
    found = as_address(request.client.host) if request.client else None
    passed_on = any(name in request.headers for name in ("x-forwarded-for", "forwarded"))
    return found is not None and found.is_loopback and not passed_on


def all_positions(record: str) -> bytes:
    """Write a finished game position by position."""
    game = replay(record.split("\n"))
    names, options = game.header.seats, game.header.options
    found = {"game": game.header.game, "seats": names, "options": options,
             "bots": bots_of(game.header)}  # fmt: skip
    return msgspec.json.encode(found | {"positions": positions(game)})


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
        "calm": getattr(rules, "CALM", None),
        "look": getattr(rules, "LOOK", {}),
        "primer": has_primer(name),
    }


async def http_problem(request: Request, problem: Exception) -> Response:
    """Answer what the router refuses in the same form as everything else."""
    assert isinstance(problem, HTTPException)  # noqa: S101  # registered for these alone
    codes = {404: "not_found", 405: "wrong_method"}
    code = codes.get(problem.status_code, "refused")
    path = request.url.path[:LONGEST_ECHO]
    found = problem_answer(problem.status_code, code, f"{problem.detail}: {path}")
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
    house: House,
    own_names: frozenset[str] = frozenset(),
    near: Sequence[str] = (),
    proxies: Sequence[Network] = (),
) -> ASGIApp:
    """Build the application around a house; the house is woken and closed with it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await house.wake()
        await people.begin()
        chores = [house.spawn(house.keep_house()), house.spawn(house.alarms.keep_looking())]
        yield
        for chore in chores:
            chore.cancel()
        await people.close()
        api.lessons.close()
        api.dear.close()
        await house.close()

    people = People(house)
    api = Api(house, people, near)
    app = Starlette(
        routes=api.routes(),
        lifespan=lifespan,
        exception_handlers={HTTPException: http_problem},
    )
    inside = OwnPagesOnly(Sockets(app, house), own_names)
    return SafeHeaders(Forwarded(inside, proxies))
