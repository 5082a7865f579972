"""Web Push: a message sealed for one browser (RFC 8291), signed by this house (RFC 8292), and sent.

The address of a browser is a stranger's word: only push services that the operator knows are
called, nothing that they answer is followed or kept, and no log line tells the address. The library
is read when the first browser is to be told: a house may have none.
"""

import http.client
import os
import re
import socket
import ssl
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey as PrivateKey

RECORD: Final = 4096
"""A message is one record of this size at most (RFC 8291, 4)."""
LONGEST: Final = RECORD - 86 - 16 - 1
"""So many bytes a message may have, beside header, tag and delimiter."""
POINT: Final = 65
AUTH: Final = 16
SALT: Final = 16
LONGEST_ADDRESS: Final = 1000
PLAIN: Final = re.compile(r"[!-~]+")
"""Signs that may stand in an address."""
HOST: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
JWT_HEAD: Final = b'{"typ":"JWT","alg":"ES256"}'
SIGNED_FOR: Final = 12 * 3600.0
"""A signature holds for so many seconds; services refuse more than a day."""
DEADLINE: Final = 10.0
"""So many seconds a push service has to answer, all in all."""
LARGEST_ANSWER: Final = 4096
"""So many bytes of an answer are read: its first line is all that counts."""
STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)[ \r\n]")
TRY_AGAIN: Final = (408, 429, *range(500, 600))
GONE: Final = (404, 410)


class Target(Struct, frozen=True):
    """A browser that wants to be told: where, and the keys that only it can read with."""

    address: str
    point: bytes
    """Its public key, a point of P-256."""
    auth: bytes

    def __repr__(self) -> str:
        """Show nothing: whoever knows the address may knock there."""
        return "Target(…)"


def encoded(data: bytes) -> str:
    """Write bytes as Web Push does: base64 for addresses, without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def is_possible() -> bool:
    """Say whether there is what messages are sealed with: on a device by itself there is not."""
    return find_spec("cryptography") is not None


def decoded(text: str, size: int) -> bytes:
    """Read so many bytes, or raise ValueError."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+={0,2}", text):
        raise ValueError("not base64url")
    bare = text.rstrip("=")
    found = urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    if len(found) != size:
        raise ValueError(f"{size} bytes are wanted")
    return found


def read_point(text: str) -> bytes:
    """Read a public key, or raise ValueError: it must lie on the curve."""
    from cryptography.hazmat.primitives.asymmetric import ec

    found = decoded(text, POINT)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), found)
    return found


def point_of(key: "PrivateKey") -> bytes:
    """Give the public key that belongs to a private one."""
    from cryptography.hazmat.primitives import serialization

    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def new_secret() -> bytes:
    """Make a private key, as it is kept."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return number.to_bytes(32, "big")


def private_key(secret: bytes) -> "PrivateKey":
    """Read a private key as it is kept."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(secret, "big"), ec.SECP256R1())


def derived(salt: bytes, secret: bytes, info: bytes, size: int) -> bytes:
    """Derive a key (HKDF, RFC 5869)."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(hashes.SHA256(), size, salt, info).derive(secret)


def sealed(
    message: bytes,
    target: Target,
    own: "PrivateKey | None" = None,
    salt: bytes | None = None,
) -> bytes:
    """Seal a message so that only its browser can read it (RFC 8291); key and salt are new."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(message) > LONGEST:
        raise ValueError(f"a message has at most {LONGEST} bytes")
    own, salt = own or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(SALT)
    public = point_of(own)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), target.point)
    info = b"WebPush: info\0" + target.point + public
    secret = derived(target.auth, own.exchange(ec.ECDH(), theirs), info, 32)
    key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([POINT]) + public
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def signature(key: "PrivateKey", address: str, contact: str, now: float) -> str:
    """Say who knocks, so that a push service lets only this house in (RFC 8292)."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    place = urlsplit(address)
    claims = {"aud": f"{place.scheme}://{place.netloc}", "exp": int(now + SIGNED_FOR)}
    body = msgspec.json.encode(claims | {"sub": contact})
    signed = f"{encoded(JWT_HEAD)}.{encoded(body)}"
    numbers = utils.decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    proof = b"".join(number.to_bytes(32, "big") for number in numbers)
    return f"vapid t={signed}.{encoded(proof)}, k={encoded(point_of(key))}"


def service_of(address: str, services: str) -> str | None:
    """Find the push service that an address belongs to; None if it is none that we call.

    Services are separated by commas: a host that is meant with all below it, by https at the usual
    port, or a whole origin such as `http://127.0.0.1:9000`.
    """
    if len(address) > LONGEST_ADDRESS or not PLAIN.fullmatch(address):
        return None
    try:
        place = urlsplit(address)
        known = [name for name in services.split(",") if name and is_at(place, name.strip())]
    except ValueError:  # a port or a bracket that cannot be
        return None
    if any(sign in address for sign in "\\#") or "@" in place.netloc:
        return None
    return known[0] if known else None


def is_at(place: SplitResult, service: str) -> bool:
    """Say whether an address is a service's."""
    if "://" in service:
        named = urlsplit(service)
        return (place.scheme, place.netloc.lower()) == (named.scheme, named.netloc.lower())
    host = place.netloc.lower()
    if place.scheme != "https" or not HOST.fullmatch(host):
        return False
    return host == service or host.endswith(f".{service}")


class Letter(NamedTuple):
    """Something to be sent, once."""

    target: Target
    message: bytes
    headers: Mapping[str, str]
    """How long it is kept, how urgent it is, and what it takes the place of."""
    signature: str


def deliver(letter: Letter, seconds: float = DEADLINE) -> int:
    """Send a message, and give the status that the service answers; OSError if it does not.

    This takes up to so many seconds, and belongs into a thread. No redirect is followed.
    """
    until = time.monotonic() + seconds
    place = urlsplit(letter.target.address)
    line = connection(place, seconds)
    headers = {
        **letter.headers,
        "Authorization": letter.signature,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "Connection": "close",
    }
    try:
        way = (place.path or "/") + (f"?{place.query}" if place.query else "")
        line.request("POST", way, sealed(letter.message, letter.target), headers)
        return status_from(line.sock, until)
    except http.client.HTTPException as problem:
        raise OSError(type(problem).__name__) from None
    finally:
        line.close()


def connection(place: SplitResult, seconds: float) -> http.client.HTTPConnection:
    """Prepare a line to a push service."""
    if place.scheme == "https":
        return http.client.HTTPSConnection(place.netloc, timeout=seconds, context=trust())
    return http.client.HTTPConnection(place.netloc, timeout=seconds)


@cache
def trust() -> ssl.SSLContext:
    """Give what says whose certificates count."""
    return ssl.create_default_context()


def status_from(line: socket.socket, until: float) -> int:
    """Read the status of an answer and no more, in time: who sends it sign by sign gains none."""
    found = b""
    while len(found) < LARGEST_ANSWER and not STATUS.match(found):
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        line.settimeout(left)
        part = line.recv(LARGEST_ANSWER)
        if not part:
            break
        found += part
    match = STATUS.match(found)
    if match is None:
        raise OSError("no answer that is HTTP")
    return int(match[1])
