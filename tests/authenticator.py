"""A device that makes and uses passkeys, in software: honest, or not."""

import hashlib
import json
import os
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

UP_UV_AT, UP_UV = 0x45, 0x05


class Authenticator:
    """Holds one passkey."""

    def __init__(self, origin: str, count: int = 1) -> None:
        self.origin, self.count = origin, count
        self.id = os.urandom(16)
        self.user = b""
        self._key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: dict[str, Any], rp: str | None = None, **client: Any) -> Any:
        """Make the passkey that a server asks for."""
        self.user = base64url_to_bytes(options["user"]["id"])
        data = self._data(rp or options["rp"]["id"], UP_UV_AT) + self._attested()
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        told = self._client("webauthn.create", options, **client)
        answer = {"clientDataJSON": b64(told), "attestationObject": b64(made)}
        return self._credential(answer)

    def get(self, options: dict[str, Any], rp: str | None = None, **client: Any) -> Any:
        """Sign a challenge; who counts has done so once more."""
        self.count += self.count > 0
        data = self._data(rp or options["rpId"], UP_UV)
        told = self._client("webauthn.get", options, **client)
        signed = data + hashlib.sha256(told).digest()
        answer = {
            "clientDataJSON": b64(told),
            "authenticatorData": b64(data),
            "signature": b64(self._key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": b64(self.user),
        }
        return self._credential(answer)

    def _credential(self, answer: dict[str, str]) -> dict[str, Any]:
        name = b64(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": answer}

    def _client(self, kind: str, options: dict[str, Any], **other: Any) -> bytes:
        told = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(told | other).encode()

    def _data(self, rp: str, flags: int) -> bytes:
        count = self.count.to_bytes(4, "big")
        return hashlib.sha256(rp.encode()).digest() + bytes([flags]) + count

    def _attested(self) -> bytes:
        at = self._key.public_key().public_numbers()
        x, y = at.x.to_bytes(32, "big"), at.y.to_bytes(32, "big")
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        return bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key


def b64(data: bytes) -> str:
    """Write bytes as a browser does."""
    return bytes_to_base64url(data)
