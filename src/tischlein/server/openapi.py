"""The interface described for programs, made from the table of addresses and the server's types."""

import re
from typing import Any, Final

import msgspec

from tischlein.server.addresses import ADDRESSES, HEALTH, Address, Query

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
WITH_BODY: Final = (400, 408, 413, 422)
ALWAYS: Final = (403, 429)


def openapi(version: str) -> dict[str, Any]:
    """Write the OpenAPI document."""
    addresses = [*ADDRESSES, HEALTH]
    kinds = [kind for found in addresses for kind in (found.request, found.response) if kind]
    _, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for address in addresses:
        paths.setdefault(address.path, {})[address.method.lower()] = operation(address)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tischlein", "version": version, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": {**components, "Error": ERROR},
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}},
        },
    }


def operation(address: Address) -> dict[str, Any]:
    """Describe one call."""
    found: dict[str, Any] = {"summary": address.summary, "responses": responses(address)}
    if given := parameters(address):
        found["parameters"] = given
    if address.request is not None:
        found["requestBody"] = {"required": True, "content": as_json(ref(address.request))}
    if address.needs_seat:
        found["security"] = [{"seat": []}]
    return found


def parameters(address: Address) -> list[dict[str, Any]]:
    """Describe what stands in the path and behind the question mark."""
    inside = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", address.path)
    ]
    return [*inside, *map(in_query, address.queries)]


def in_query(query: Query) -> dict[str, Any]:
    """Describe something that may stand behind the question mark."""
    found = {"name": query.name, "in": "query", "required": query.required, "schema": query.schema}
    return found | ({"description": query.text} if query.text else {})


def responses(address: Address) -> dict[str, Any]:
    """Describe the answers: the good one, and what may go wrong."""
    body = {address.content: {"schema": {"type": "string"}}}
    if address.content == "application/json":
        body = as_json(ref(address.response) if address.response else {})
    found = {str(address.status): {"description": address.summary, "content": body}}
    problem = {
        "description": "Refused.",
        "content": as_json({"$ref": "#/components/schemas/Error"}),
    }
    more = WITH_BODY if address.request else (422,) if address.queries else ()
    for code in sorted({*address.errors, *more, *ALWAYS}):
        found[str(code)] = problem
    if address.handler == "coach":
        found["202"] = {"description": "At work.", "content": as_json(DONE)}
    return found


def as_json(schema: dict[str, Any]) -> dict[str, Any]:
    """Say that a body is JSON of this form."""
    return {"application/json": {"schema": schema}}


def ref(kind: type) -> dict[str, Any]:
    """Point at the schema of a type."""
    return {"$ref": f"#/components/schemas/{kind.__name__}"}
