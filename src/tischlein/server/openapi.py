"""The interface described for programs, made from the types that the server itself uses."""

from typing import Any, Final

import msgspec

from tischlein.server import wire
from tischlein.server.pages import LONGEST_LINK
from tischlein.words import LANGUAGES

ERROR: Final = {
    "type": "object",
    "required": ["error", "reason"],
    "properties": {"error": {"type": "string"}, "reason": {"type": "string"}},
}
DONE: Final = {
    "type": "object",
    "required": ["done"],
    "properties": {"done": {"type": "number", "minimum": 0, "maximum": 1}},
}
TABLE: Final = {
    "name": "table", "in": "path", "required": True, "schema": {"type": "string"},
}  # fmt: skip
GAME: Final = {
    "name": "game", "in": "query", "required": False,
    "schema": {"type": "integer", "minimum": 1, "maximum": 99999},
    "description": "The number of a finished game at this table; without it the last.",
}  # fmt: skip
LANGUAGE: Final = {
    "name": "lang", "in": "query", "required": False,
    "schema": {"type": "string", "enum": list(LANGUAGES)},
    "description": "The language of what is told; without it English.",
}  # fmt: skip
TEXT: Final = {
    "name": "text", "in": "query", "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_LINK},
}  # fmt: skip
QUERIES: Final = {
    "record": [GAME], "replay": [GAME], "coach": [GAME, LANGUAGE], "hint": [LANGUAGE], "qr": [TEXT],
}  # fmt: skip
OPERATIONS: Final[list[tuple[str, str, str, type | None, type | None, int, list[int]]]] = [
    ("get", "/api/games", "The games with seats, house rules and bots.", None, None, 200, []),
    ("post", "/api/tables", "Open a table.", wire.OpenTable, wire.Held, 201, []),
    ("get", "/api/tables/{table}", "What everyone may know.", None, wire.TableInfo, 200, [404]),
    ("post", "/api/tables/{table}/seats", "Take a free seat.", wire.TakeSeat, wire.Held, 201,
     [404, 409]),
    ("post", "/api/tables/{table}/bots", "The host seats a bot.", wire.PlaceBot, wire.TableInfo,
     200, [401, 403, 404, 409]),
    ("post", "/api/tables/{table}/handicap", "The host gives a handicap.", wire.GiveHandicap,
     wire.TableInfo, 200, [401, 403, 404, 409]),
    ("post", "/api/tables/{table}/starter", "The host names who begins.", wire.NameStarter,
     wire.TableInfo, 200, [401, 403, 404, 409]),
    ("post", "/api/tables/{table}/start", "The host starts.", None, wire.TableInfo, 200,
     [401, 403, 404, 409]),
    ("post", "/api/tables/{table}/contribution", "Add a word to the seed.", wire.AddWord,
     wire.TableInfo, 200, [401, 404, 409]),
    ("post", "/api/tables/{table}/relief", "Let a bot play for somebody away.", wire.PlayOn,
     wire.TableInfo, 200, [401, 404, 409]),
    ("post", "/api/tables/{table}/rematch", "Play again.", wire.PlayAgain, wire.TableInfo, 200,
     [401, 403, 404, 409]),
    ("post", "/api/tables/{table}/leave", "Get up.", None, wire.TableInfo, 200, [401, 404, 409]),
    ("get", "/api/tables/{table}/record", "The record of a finished game.", None, None, 200,
     [404, 409]),
    ("get", "/api/tables/{table}/replay", "A finished game, position by position.", None, None,
     200, [404, 409]),
    ("get", "/api/tables/{table}/coach", "What the coach says of a finished game.", None,
     wire.ToldLesson, 200, [404, 409, 500, 503]),
    ("get", "/api/tables/{table}/hint", "What the expert would do.", None, wire.Advice, 200,
     [401, 403, 404, 409]),
    ("get", "/api/address", "Where phones in the same network reach this server.", None, None, 200,
     []),
    ("get", "/api/qr", "A link as a QR code.", None, None, 200, []),
    ("get", "/healthz", "Whether the server works.", None, None, 200, []),
]  # fmt: skip
WITHOUT_SEAT: Final = {"/api/tables", "/api/tables/{table}/seats"}


def openapi(version: str) -> dict[str, Any]:
    """Write the OpenAPI document."""
    kinds = [kind for op in OPERATIONS for kind in (op[3], op[4]) if kind is not None]
    _, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for method, path, summary, request, response, status, errors in OPERATIONS:
        paths.setdefault(path, {})[method] = operation(
            method, path, summary, request, response, status, errors
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tischlein", "version": version, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": {**components, "Error": ERROR},
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}},
        },
    }


def operation(
    method: str,
    path: str,
    summary: str,
    request: type | None,
    response: type | None,
    status: int,
    errors: list[int],
) -> dict[str, Any]:
    """Describe one call."""
    found: dict[str, Any] = {"summary": summary, "responses": {}}
    queries = QUERIES.get(path.rpartition("/")[2], [])
    parameters = [TABLE, *queries] if "{table}" in path else queries
    if parameters:
        found["parameters"] = parameters
    if request is not None:
        found["requestBody"] = {"required": True, "content": as_json(ref(request))}
        errors = [*errors, 400, 413, 422]
    if queries:
        errors = [*errors, 422]
    if path.endswith("/hint") or (method == "post" and path not in WITHOUT_SEAT):
        found["security"] = [{"seat": []}]
    content = as_json(ref(response)) if response else as_json({})
    if path.endswith("/record"):
        content = {"application/jsonl": {"schema": {"type": "string"}}}
    if path == "/api/qr":
        content = {"image/svg+xml": {"schema": {"type": "string"}}}
    found["responses"][str(status)] = {"description": summary, "content": content}
    problem = {
        "description": "Refused.",
        "content": as_json({"$ref": "#/components/schemas/Error"}),
    }
    for code in sorted({*errors, 403, 429}):
        found["responses"][str(code)] = problem
    if path.endswith("/coach"):
        found["responses"]["202"] = {"description": "At work.", "content": as_json(DONE)}
    return found


def as_json(schema: dict[str, Any]) -> dict[str, Any]:
    """Say that a body is JSON of this form."""
    return {"application/json": {"schema": schema}}


def ref(kind: type) -> dict[str, Any]:
    """Point at the schema of a type."""
    return {"$ref": f"#/components/schemas/{kind.__name__}"}
