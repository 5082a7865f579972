"""Behind a proxy: whose word is taken for where a request comes from."""

import ipaddress
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from tischlein.game import BadStart
from tischlein.server.answers import problem_answer, refuse_handshake

log = logging.getLogger("tischlein.proxy")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
WIDEST: Final = {4: 8, 6: 16}
"""The shortest prefix of a network that can be one's own."""
SCHEMES: Final = ("http", "https", "ws", "wss")


class BadForward(ValueError):
    """A trusted proxy has said something that cannot be right."""


def proxies_of(given: Sequence[str], environment: Mapping[str, str]) -> tuple[Network, ...]:
    """Read the addresses and networks of trusted proxies; refuse what cannot be right."""
    check_old_name(environment.get("FORWARDED_ALLOW_IPS"))
    names = [name for each in given for name in each.replace(",", " ").split()]
    return tuple(map(trusted_network, names))


def trusted_network(name: str) -> Network:
    """Read one."""
    try:
        found = ipaddress.ip_network(name)
    except ValueError:
        sentence = "a trusted proxy is an address or a network such as 10.0.3.0/24, not `{name}`"
        raise BadStart("bad_proxy", sentence, name=name[:60]) from None
    if found.prefixlen < WIDEST[found.version]:
        sentence = "`{name}` is nearly everybody: name the addresses of your own proxies"
        raise BadStart("bad_proxy", sentence, name=name[:60])
    return found


def check_old_name(value: str | None) -> None:
    """Say what takes the place of uvicorn's variable, which is not used here."""
    if not value:
        return
    told = "FORWARDED_ALLOW_IPS is not used; name your proxies in TISCHLEIN_TRUSTED_PROXIES"
    if "*" in value:
        raise BadStart("bad_proxy", told + ", and not everybody (`*`)")
    log.warning(told)


def as_address(text: str) -> Address | None:
    """Read an address, with or without a port; None if it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def is_in(address: str, networks: Sequence[Network]) -> bool:
    """Say whether an address is of one of these networks."""
    found = as_address(address) if networks else None
    return found is not None and any(found in network for network in networks)


class Forwarded:
    """Takes a trusted proxy's word for where a request comes from, and nobody else's."""

    def __init__(self, app: ASGIApp, trusted: Sequence[Network] = ()) -> None:
        self._app, self._trusted = app, trusted
        self._has_warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, with its true caller."""
        if scope["type"] in ("http", "websocket") and any(forwarded(scope, b"x-forwarded-for")):
            try:
                self._look(scope)
            except BadForward as problem:
                await refuse(scope, receive, send, str(problem))
                return
        await self._app(scope, receive, send)

    def _look(self, scope: Scope) -> None:
        peer = scope["client"][0] if scope.get("client") else ""
        if not is_in(peer, self._trusted):
            self._warn(peer)
            return
        skipped = 0
        for text in forwarded(scope, b"x-forwarded-for"):
            found = as_address(text)
            if found is None:
                raise BadForward("X-Forwarded-For holds what is no address")
            scope["client"] = (str(found), 0)
            if not any(found in network for network in self._trusted):
                break
            skipped += 1
        take_scheme(scope, skipped)

    def _warn(self, peer: str) -> None:
        """Say once that a proxy near by is not trusted: all its people count as one."""
        found = as_address(peer)
        if self._has_warned or found is None or not found.is_private:
            return
        self._has_warned = True
        told = "%s passes requests on and is not trusted, so that all behind it count as one caller"
        log.warning(told + "; if it is your proxy: --trusted-proxy %s", peer, peer)


def forwarded(scope: Scope, name: bytes) -> Iterator[str]:
    """Give what proxies have noted, the last first."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    yield from reversed([part.strip() for value in values for part in value.split(",")])


def take_scheme(scope: Scope, skipped: int) -> None:
    """Take over how the caller speaks to the proxy: with TLS or without."""
    found = list(forwarded(scope, b"x-forwarded-proto"))
    if not found:
        return
    scheme = found[min(skipped, len(found) - 1)].lower()
    if scheme not in SCHEMES:
        raise BadForward("X-Forwarded-Proto is http or https")
    is_safe = scheme in ("https", "wss")
    plain = "ws" if scope["type"] == "websocket" else "http"
    scope["scheme"] = plain + "s" * is_safe


async def refuse(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    """Refuse a request that cannot be right."""
    if scope["type"] == "websocket":
        await refuse_handshake(send, 400, "bad_forward", reason)
        return
    await problem_answer(400, "bad_forward", reason)(scope, receive, send)
