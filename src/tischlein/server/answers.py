"""Answers over HTTP: as JSON, with headers that keep browsers from guessing and from keeping."""

from typing import Final

import msgspec
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
"""What every answer has, unless it says something else."""


class Problem(Exception):
    """An answer that is an error: status, code and sentence."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.code, self.reason = status, code, reason


def answer(thing: object, status: int = 200) -> Response:
    """Answer with JSON."""
    return Response(msgspec.json.encode(thing), status, media_type="application/json")


def problem_answer(status: int, code: str, reason: str) -> Response:
    """Answer with an error."""
    found = answer({"error": code, "reason": reason}, status)
    if status == 408:
        found.headers["connection"] = "close"
    return found


async def refuse_handshake(send: Send, status: int, code: str, reason: str) -> None:
    """Answer a handshake of a WebSocket with an error."""
    body = msgspec.json.encode({"error": code, "reason": reason})
    headers = [(b"content-type", b"application/json"), *SAFE]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})


class SafeHeaders:
    """Gives every answer the headers that it lacks; what tells of a table is kept nowhere."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and add to what is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = with_safe(message.get("headers", ()), scope["path"])
            await send(message)

        await self._app(scope, receive, safely)


def with_safe(headers: list[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
    """Add what an answer lacks."""
    kept = b"no-store" if path.startswith(("/api/tables", "/api/me")) else b"no-cache"
    known = {name.lower() for name, _ in headers}
    more = (*SAFE, (b"cache-control", kept))
    return [*headers, *(pair for pair in more if pair[0] not in known)]
