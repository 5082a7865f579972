"""What whoever runs a server may set, with sane defaults."""

from typing import Any

import msgspec
from msgspec import Struct

from tischlein.game import BadStart
from tischlein.table.settings import TableSettings


class PeerRules(Struct, frozen=True):
    """How servers that share a store keep in touch; seconds."""

    beat: float = 1.0
    """How often a server says that it lives."""
    lease: float = 4.0
    """How long after its last word a server still conducts its tables; then others take over."""
    check: float = 2.0
    """How often it looks into the store for what the bus may have lost."""


class Settings(TableSettings, frozen=True):
    """Times are in seconds, sizes in bytes."""

    bot_budget: float = 5.0
    """How long a bot may really think before any legal move is made for it."""
    coach_effort: float = 0.2
    """How long the coach thinks about a decision, as a part of the expert's usual time."""
    unload_after: float = 600.0
    """How long a table that nobody looks at stays in memory."""
    housekeeping: float = 30.0
    """How often idle tables are let go and garbage is collected."""
    tidy_after: float = 30 * 86_400.0
    """How long an untouched table is kept; records of finished games stay."""
    tidy_unplayed_after: float = 86_400.0
    """How long a table is kept at which no game has been started."""
    peers: PeerRules = PeerRules()
    largest_body: int = 16_384
    """The longest request over HTTP."""
    largest_frame: int = 16_384
    """The longest frame over a WebSocket."""
    frames_per_second: float = 30.0
    """How many frames a client may send."""
    frames_at_once: int = 90
    """How many frames a client may send in a burst."""
    tables_per_minute: float = 60.0
    """How many tables one address may open."""
    tables_at_once: int = 200
    """How many tables one address may open in a burst."""
    calls_per_second: float = 100.0
    """How many other requests one address may make."""
    calls_at_once: int = 1000
    """How many other requests one address may make in a burst."""
    sockets_per_table: int = 200
    """How many may sit at a table and watch it."""
    sockets_per_address: int = 3000
    """How many sockets one address may have open."""
    slowest_reader: float = 20.0
    """How long a client may leave a frame unread before it is let go."""


def changed(settings: Settings, changes: list[str]) -> Settings:
    """Set what `NAME=VALUE` says; `race.NAME` and `clocks.NAME` reach inside."""
    found: dict[str, Any] = msgspec.to_builtins(settings)
    for change in changes:
        path, _, value = change.partition("=")
        *outer, name = path.strip().split(".")
        inside: Any = found
        for step in outer:
            inside = inside.get(step) if isinstance(inside, dict) else None
        if not isinstance(inside, dict) or (name not in inside and outer != ["clocks"]):
            known = ", ".join(found)
            raise BadStart("no_setting", "there is no setting `{path}`; there are {known}",
                           path=path[:40], known=known)  # fmt: skip
        inside[name] = value.strip()
    try:
        return msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as problem:
        raise BadStart("bad_setting", "{problem}", problem=str(problem)) from None
