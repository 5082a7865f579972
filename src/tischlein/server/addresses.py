"""Every address of the interface, once: who answers there, what goes in and comes out.

Routes are made from this table, and so is its description for programs (OpenAPI).
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from tischlein.people.carried import Carried
from tischlein.people.operator import CupSeen, Look, Renaming, TableSeen
from tischlein.primer import ToldPrimer
from tischlein.server import cup_wire, wire
from tischlein.server import me_wire as w
from tischlein.server.boards import Board, OwnRatings
from tischlein.server.pages import LONGEST_LINK
from tischlein.table.table import Table
from tischlein.words import LANGUAGES

TABLE: Final = "/api/tables/{table}"
GAME: Final = "/api/games/{game}"
CUP: Final = "/api/cups/{cup}"
LIVE: Final = re.compile(r"/api/tables/([^/]+)/live")
"""Where the WebSocket of a table is."""


class Query(NamedTuple):
    """Something that may stand behind the question mark."""

    name: str
    schema: dict[str, Any]
    text: str = ""
    required: bool = False


WHICH_GAME: Final = Query(
    "game",
    {"type": "integer", "minimum": 1, "maximum": 99999},
    "The number of a finished game at this table; without it the last.",
)
LANGUAGE: Final = Query(
    "lang",
    {"type": "string", "enum": list(LANGUAGES)},
    "The language of what is told; without it English.",
)
BEFORE: Final = Query(
    "before",
    {"type": "string", "maxLength": 200},
    "The `next` of the answer before; without it the newest.",
)
TEXT: Final = Query(
    "text", {"type": "string", "minLength": 1, "maxLength": LONGEST_LINK}, required=True
)
SEASON: Final = Query(
    "season",
    {"type": "string", "pattern": "^(all|[0-9]{4}-[0-9]{2})$"},
    "A month like 2026-11 (UTC), or `all`, as without it.",
)

Do = Callable[[Table, int, Any], Awaitable[None]]
"""What somebody in a seat does at a table, with what they have sent."""


class Address(NamedTuple):
    """A way in."""

    method: str
    path: str
    summary: str
    handler: str = "act"
    """Which method answers, of the Api or a part of it; `act` does what a seat asks for."""
    request: type[wire.Request] | None = None
    response: type | None = None
    status: int = 200
    errors: tuple[int, ...] = ()
    queries: tuple[Query, ...] = ()
    needs_seat: bool = False
    content: str = "application/json"
    do: Do | None = None
    dear: bool = False
    """Whether it takes long, so that one caller may ask for it less often."""


def action(
    what: str, summary: str, request: type[wire.Request] | None, do: Do, for_host: bool = False
) -> Address:
    """Describe something that is done at a table by somebody who holds a seat."""
    errors = (401, 403, 404, 409) if for_host else (401, 404, 409)
    return Address("POST", f"{TABLE}/{what}", summary, request=request, response=wire.TableInfo,
                   errors=errors, needs_seat=True, do=do)  # fmt: skip


def at_cup(
    what: str, summary: str, request: type[wire.Request] | None = None, response: type | None = None
) -> Address:
    """Describe something that a member of a cup does."""
    return Address("POST", f"{CUP}/{what}", summary, f"cups.{what}", request,
                   response or cup_wire.CupInfo, 200, (401, 403, 404, 409),
                   needs_seat=True)  # fmt: skip


ADDRESSES: Final = (
    Address("GET", "/api/games", "The games with seats, house rules, bots and what they have.",
            "games"),
    Address("GET", f"{GAME}/words", "A game's own words.", "words",
            errors=(404,), queries=(LANGUAGE,)),
    Address("GET", f"{GAME}/rules", "A game's rules for players.", "rules",
            errors=(404,), queries=(LANGUAGE,)),
    Address("GET", f"{GAME}/primer", "A first game to learn it by playing.", "primer",
            response=ToldPrimer, errors=(404,)),
    Address("POST", "/api/tables", "Open a table.", "open_table",
            wire.OpenTable, wire.Held, 201),
    Address("GET", TABLE, "What everyone may know.", "show_table",
            response=wire.TableInfo, errors=(404,)),
    Address("POST", f"{TABLE}/seats", "Take a free seat.", "take_seat",
            wire.TakeSeat, wire.Held, 201, (404, 409)),
    action("bots", "The host seats a bot.", wire.PlaceBot,
           lambda table, by, sent: table.seating.seat_bot(by, sent.seat, sent.bot), for_host=True),
    action("handicap", "The host gives a handicap.", wire.GiveHandicap,
           lambda table, by, sent: table.seating.give_handicap(by, sent.seat, sent.handicap),
           for_host=True),
    action("starter", "The host names who begins.", wire.NameStarter,
           lambda table, by, sent: table.seating.appoint(by, sent.seat), for_host=True),
    action("start", "The host starts.", None,
           lambda table, by, sent: table.seating.start(by), for_host=True),
    action("public", "The host opens the table to everybody, or no longer.", wire.Publish,
           lambda table, by, sent: table.seating.publish(by, sent.on), for_host=True),
    action("fill", "Take bots in the empty seats, at a table of strangers.", None,
           lambda table, by, sent: table.seeking.take_bots(by)),
    Address("POST", f"{TABLE}/look", "Look for a table of strangers that is nearer to its start.",
            "find.look", response=wire.Looked, errors=(401, 404), needs_seat=True),
    Address("GET", "/api/open", "Tables that wait for anybody.", "find.listed",
            response=wire.OpenTables, errors=(503,)),
    Address("POST", "/api/seek", "Play with somebody: sit down with others for the same game.",
            "find.seek", request=wire.Seek, response=wire.Held, status=201, errors=(503,)),
    action("contribution", "Seal a word for the dice, or open it.", wire.AddWord,
           lambda table, by, sent: table.sealing.take(by, sent.seal, sent.text, sent.salt)),
    action("relief", "Let a bot play for somebody away.", wire.PlayOn,
           lambda table, by, sent: table.seating.relieve(by, sent.seat)),
    action("stand-in", "Choose who plays for somebody away.", wire.ChooseStandIn,
           lambda table, by, sent: table.seating.choose_stand_in(by, sent.seat, sent.bot),
           for_host=True),
    action("remove", "The host gives a player's seat back to the table.", wire.RemovePlayer,
           lambda table, by, sent: table.seating.remove(by, sent.seat), for_host=True),
    action("rematch", "Play again.", wire.PlayAgain,
           lambda table, by, sent: table.seating.again(by, sent.starter), for_host=True),
    action("leave", "Get up.", None, lambda table, by, sent: table.seating.leave(by)),
    Address("GET", f"{TABLE}/record", "The record of a finished game.", "record",
            errors=(404, 409), queries=(WHICH_GAME,), content="application/jsonl", dear=True),
    Address("GET", f"{TABLE}/replay", "A finished game, position by position.", "replay",
            errors=(404, 409, 503), queries=(WHICH_GAME,), dear=True),
    Address("GET", f"{TABLE}/coach", "What the coach says of a finished game.", "coach",
            response=wire.ToldLesson, errors=(404, 409, 500, 503), queries=(WHICH_GAME, LANGUAGE),
            dear=True),
    Address("GET", f"{TABLE}/hint", "What the expert would do.", "hint",
            response=wire.Advice, errors=(401, 403, 404, 409), queries=(LANGUAGE,),
            needs_seat=True, dear=True),
    Address("GET", "/api/push", "The key that browsers subscribe to nudges with.", "push.key",
            response=wire.PushKey),
    Address("POST", "/api/push/off", "Tell a browser nothing any more, at no table.",
            "push.all_off", wire.NoNudges, wire.Nudging),
    Address("POST", f"{TABLE}/push", "Tell a seat's player their turn, on this browser.",
            "push.on", wire.WantNudges, wire.Nudging, errors=(401, 404, 409), needs_seat=True),
    Address("POST", f"{TABLE}/push/off", "Tell a seat's player no more, on this browser.",
            "push.off", wire.NoNudges, wire.Nudging, errors=(401, 404), needs_seat=True),
    Address("POST", "/api/cups", "Open a tournament.", "cups.make",
            cup_wire.OpenCup, cup_wire.CupHeld, 201),
    Address("GET", CUP, "What everyone may know of a tournament.", "cups.show",
            response=cup_wire.CupInfo, errors=(404,)),
    Address("POST", f"{CUP}/join", "Take part in a tournament.", "cups.join",
            cup_wire.JoinCup, cup_wire.CupHeld, 201, (404, 409)),
    at_cup("start", "The host begins."),
    at_cup("seat", "The token of one's seat in this round.", response=wire.Held),
    at_cup("me", "One's number, and what one is called.", response=cup_wire.CupSelf),
    at_cup("next", "The host goes on when all tables of a round are over."),
    at_cup("begin", "Start a table at which not all are.", cup_wire.NameTable),
    at_cup("skip", "The host leaves out a table at which nobody is.", cup_wire.NameTable),
    at_cup("leave", "Leave; a bot plays the rest."),
    Address("POST", f"{TABLE}/key", "One more token for a seat of one's own, on another device.",
            "me.key", w.AskKey, wire.Held, 201, (401, 403, 404, 409)),
    Address("GET", "/api/me", "What is kept of me.", "me.show",
            response=w.Me, errors=(401,)),
    Address("GET", "/api/me/data", "All that is kept of me, as one file.", "me.data",
            errors=(401,), dear=True),
    Address("POST", "/api/me/begin", "Ask for a passkey for a new profile.", "me.begin",
            w.Begin),
    Address("POST", "/api/me/finish", "Make a profile with a passkey.", "me.finish",
            w.Finish, w.LetIn, 201, (409,)),
    Address("POST", "/api/me/sign-in/begin", "Ask a device whom it knows.", "me.begin_sign_in",
            errors=(422,)),
    Address("POST", "/api/me/sign-in/finish", "Sign in with a passkey.", "me.sign_in",
            w.SignIn, w.LetIn, errors=(403, 409)),
    Address("POST", "/api/me/sign-out", "Sign a device out.", "me.sign_out",
            w.SignOut, errors=(401,)),
    Address("POST", "/api/me/name", "Be called otherwise.", "me.name",
            w.CallMe, w.Me, errors=(401, 409)),
    Address("POST", "/api/me/settings", "Keep settings for all devices.", "me.settings",
            w.KeepSettings, w.MySettings, errors=(401, 409)),
    Address("POST", "/api/me/passkeys/begin", "Ask for one more passkey.", "me.begin_passkey",
            errors=(401, 422)),
    Address("POST", "/api/me/passkeys/finish", "Keep one more passkey.", "me.add_passkey",
            w.AddPasskey, w.Me, errors=(401, 403, 409)),
    Address("POST", "/api/me/passkeys/name", "Give a passkey a name.", "me.name_passkey",
            w.NamePasskey, w.Me, errors=(401,)),
    Address("POST", "/api/me/passkeys/remove", "Remove a passkey.", "me.remove_passkey",
            w.RemovePasskey, w.Me, errors=(401, 409)),
    Address("POST", "/api/me/link", "A short code for a second device.", "me.link",
            response=w.Link, errors=(401,)),
    Address("POST", "/api/me/link/use", "Sign in with such a code.", "me.use_link",
            w.UseCode, w.LetIn, errors=(409,)),
    Address("POST", "/api/me/code", "A long code to be printed.", "me.code",
            response=w.PaperCode, errors=(401,)),
    Address("POST", "/api/me/recover", "Sign in with a printed code.", "me.recover",
            w.UseCode, w.LetIn, errors=(409,)),
    Address("POST", "/api/me/delete", "Delete a profile for good.", "me.delete",
            w.DeleteMe, errors=(401,)),
    Address("GET", "/api/me/tables", "Which tables of one's devices are kept.", "carry.known",
            response=w.MyCarried, errors=(401,)),
    Address("GET", "/api/me/tables/{table}", "A table of one's devices.", "carry.show",
            response=Carried, errors=(401, 404)),
    Address("POST", "/api/me/tables/{table}", "Keep a table of one's device, and its results.",
            "carry.keep", w.CarryTable, w.Marked, errors=(401, 404, 409, 503), dear=True),
    Address("GET", "/api/boards/{game}", "The best in a game, and one's own place.",
            "boards.show", response=Board, errors=(404,), queries=(SEASON,)),
    Address("GET", "/api/me/ratings", "One's own ratings.", "boards.mine",
            response=OwnRatings, errors=(401,)),
    Address("POST", "/api/mine", "How the tables stand at which the caller has seats.",
            "mine.tables", wire.AskMine, wire.ToldMine, errors=(503,)),
    Address("GET", "/api/me/games", "The finished games of the caller's profile.",
            "mine.games", response=wire.ToldGames, errors=(401,), queries=(BEFORE,), dear=True),
    Address("GET", "/api/me/figures", "What there is to look at in the games of a profile.",
            "mine.my_figures", response=wire.ToldFigures, errors=(401, 503), dear=True),
    Address("POST", "/api/figures", "What there is to look at in finished games.",
            "mine.figures", wire.AskFigures, wire.ToldFigures, errors=(503,), dear=True),
    Address("GET", "/api/address", "Where phones in the same network reach this server.",
            "address"),
    Address("GET", "/api/qr", "A link as a QR code.", "qr",
            errors=(503,), queries=(TEXT,), content="image/svg+xml", dear=True),
    Address("GET", "/api/house", "Whom to ask here, and how long what is kept.", "care.about",
            response=wire.AboutHouse),
    Address("POST", "/api/house/look", "For whoever runs the house: how it stands.", "care.look",
            wire.LookAround, Look, dear=True),
    Address("POST", "/api/house/table", "They look at a table.", "care.look_at",
            wire.NameTable, TableSeen, errors=(404,), dear=True),
    Address("POST", "/api/house/cup", "They look at a tournament.", "care.look_at_cup",
            wire.NameCup, CupSeen, errors=(404,), dear=True),
    Address("POST", "/api/house/close", "They close a table.", "care.close",
            wire.NameTable, TableSeen, errors=(404,), dear=True),
    Address("POST", "/api/house/rename", "They take a name away.", "care.rename",
            wire.TakeName, Renaming, errors=(404, 409), dear=True),
    Address("GET", "/api/openapi.json", "This description.", "openapi"),
)  # fmt: skip
HEALTH: Final = Address("GET", "/healthz", "Whether the server works.", "health")
