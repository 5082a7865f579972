"""A push service on loopback, and browsers that read what it gets: by the RFCs, not by our code."""

import contextlib
import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

P256 = ec.SECP256R1()


def b64(data: bytes) -> str:
    """Write bytes in base64url."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def un64(text: str) -> bytes:
    """Read bytes from base64url."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(salt: bytes, secret: bytes, info: bytes, size: int) -> bytes:
    """Derive a key by hand, as RFC 5869 says, for one block."""
    extracted = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(extracted, info + b"\x01", hashlib.sha256)[:size]


class Device:
    """A browser that can be told: its keys, and how it reads."""

    def __init__(self, number: int = 1, auth: bytes = b"0123456789abcdef") -> None:
        self.key = ec.derive_private_key(0xC0FFEE + number, P256)
        self.auth = auth
        self.point = self.key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    def wants(self, address: str, lang: str = "en") -> dict[str, str]:
        """Write what a page sends to switch nudges on."""
        keys = {"p256dh": b64(self.point), "auth": b64(self.auth)}
        return {"endpoint": address, "lang": lang} | keys

    def read(self, body: bytes) -> bytes:
        """Open a message, as RFC 8291 says; whatever is wrong with it raises."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        assert (length, size) == (65, 4096)
        assert len(body) <= size
        sender = body[21 : 21 + length]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(P256, sender)
        shared = self.key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self.point + sender
        secret = hkdf(self.auth, shared, info, 32)
        key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, body[21 + length :], None).rstrip(b"\0")
        assert plain[-1:] == b"\x02"
        return plain[:-1]

    def told(self, push: "Push") -> dict[str, Any]:
        """Read a message that is JSON."""
        found: dict[str, Any] = json.loads(self.read(push.body))
        return found


class Push(NamedTuple):
    """What came to a push service."""

    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self, key: str) -> dict[str, Any]:
        """Check that the house with this public key has signed, and give what it says."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert (scheme, parts["k"]) == ("vapid", key)
        signed, _, proof = parts["t"].rpartition(".")
        numbers = un64(proof)
        r, s = (int.from_bytes(half, "big") for half in (numbers[:32], numbers[32:]))
        point = ec.EllipticCurvePublicKey.from_encoded_point(P256, un64(key))
        signature = utils.encode_dss_signature(r, s)
        point.verify(signature, signed.encode(), ec.ECDSA(hashes.SHA256()))
        head, body = (json.loads(un64(part)) for part in signed.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}
        found: dict[str, Any] = body
        return found


Behave = Callable[[BaseHTTPRequestHandler], None]


class Service:
    """A push service that keeps what it gets, and answers as a test says."""

    def __init__(self, answers: list[int] | None = None, behave: Behave | None = None) -> None:
        self.got: list[Push] = []
        self.answers, self.behave = answers or [], behave
        service = self

        class Handler(BaseHTTPRequestHandler):
            """Answers one push."""

            def do_POST(self) -> None:
                size = int(self.headers["content-length"])
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.got.append(Push(self.path, headers, self.rfile.read(size)))
                if service.behave is not None:
                    service.behave(self)
                    return
                self.send_response(service.answers.pop(0) if service.answers else 201)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"


@contextlib.contextmanager
def push_service(
    answers: list[int] | None = None, behave: Behave | None = None
) -> Iterator[Service]:
    """Run a push service; it answers with these, then with 201."""
    service = Service(answers, behave)
    running = Thread(target=service.server.serve_forever, args=(0.02,))
    running.start()
    try:
        yield service
    finally:
        service.server.shutdown()
        running.join()
        service.server.socket.close()
