"""Every address of the interface, once: who answers there, what goes in and comes out.

Routes are made from this table, and so is its description for programs (OpenAPI).
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from tischlein.primer import ToldPrimer
from tischlein.server import wire
from tischlein.server.pages import LONGEST_LINK
from tischlein.table.table import Table
from tischlein.words import LANGUAGES

TABLE: Final = "/api/tables/{table}"
GAME: Final = "/api/games/{game}"
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
TEXT: Final = Query(
    "text", {"type": "string", "minLength": 1, "maxLength": LONGEST_LINK}, required=True
)

Do = Callable[[Table, int, Any], Awaitable[None]]
"""What somebody in a seat does at a table, with what they have sent."""


class Address(NamedTuple):
    """A way in."""

    method: str
    path: str
    summary: str
    handler: str = "act"
    """Which method of the Api answers; `act` does what a seat asks for and tells the table."""
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
    Address("GET", "/api/address", "Where phones in the same network reach this server.",
            "address"),
    Address("GET", "/api/qr", "A link as a QR code.", "qr",
            errors=(503,), queries=(TEXT,), content="image/svg+xml", dear=True),
    Address("GET", "/api/openapi.json", "This description.", "openapi"),
)  # fmt: skip
HEALTH: Final = Address("GET", "/healthz", "Whether the server works.", "health")
