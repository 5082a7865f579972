"""The WebSocket of this server: its application may send control pings."""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from tischlein.server.pings import EXTENSION, Pings


class PingingProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose application may send control pings."""

    def handle_connect(self, event: Request) -> None:
        """Begin with the application, and let it ping."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # not so where the handshake was refused
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self.pings = Pings(self._send_ping)

    def handle_pong(self, event: Frame) -> None:
        """Take in an answer, to the application's pings or to those that keep the line alive."""
        self.pings.answered(bytes(event.data))
        super().handle_pong(event)

    def _send_ping(self, payload: bytes) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_ping(payload)
            self.transport.write(b"".join(self.conn.data_to_send()))
