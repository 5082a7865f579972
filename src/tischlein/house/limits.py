"""Limits: how often and from where. Every bucket is bounded, so that a flood costs no memory."""

import ipaddress
from collections import OrderedDict
from typing import Final
from urllib.parse import urlsplit

MOST_ADDRESSES: Final = 10_000


class Bucket:
    """Lets a burst through, then so many a second."""

    __slots__ = ("_filled", "_left", "_per_second", "_size")

    def __init__(self, per_second: float, size: float, now: float) -> None:
        self._per_second, self._size = per_second, size
        self._left, self._filled = size, now

    def take(self, now: float) -> bool:
        """Take one out; False if none is left."""
        self._left = min(self._size, self._left + (now - self._filled) * self._per_second)
        self._filled = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class PerAddress:
    """One bucket for each address; those unused for longest are forgotten."""

    def __init__(self, per_second: float, size: float) -> None:
        self._per_second, self._size = per_second, size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float) -> bool:
        """Take one out of an address's bucket; False if none is left."""
        bucket = self._buckets.pop(address, None) or Bucket(self._per_second, self._size, now)
        self._buckets[address] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take(now)


def network_of(address: str) -> str:
    """Give the part of an address that one household has: an IPv6 household has 2^64 of them."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def is_own_host(host: str, own_names: frozenset[str]) -> bool:
    """Say whether a Host header names this server: an address, localhost or a name given.

    Names that somebody else made point here (DNS rebinding) are refused.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in own_names or name == "localhost":
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_own_origin(origin: str | None, host: str) -> bool:
    """Say whether a request comes from our own page, or from a program that has no page."""
    try:
        return origin is None or urlsplit(origin).netloc == host
    except ValueError:
        return False
