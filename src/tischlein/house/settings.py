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
    slow_unload_after: float = 30.0
    """How long such a table stays where people play when they have time."""
    offers_every: float = 2.0
    """How often it is looked whether all open tables are told as they are."""
    alarms_every: float = 2.0
    """How often it is looked which of these tables something is to be done at."""
    alarms_at_once: int = 100
    """How many of them are woken in one go."""
    housekeeping: float = 30.0
    """How often idle tables are let go and garbage is collected."""
    tidy_after: float = 30 * 86_400.0
    """How long an untouched table is kept; records of finished games stay."""
    tidy_unplayed_after: float = 86_400.0
    """How long a table is kept at which no game has been started."""
    tidy_cups_after: float = 30 * 86_400.0
    """How long a tournament is kept that nobody goes on with."""
    cup_patience: float = 120.0
    """How long people at a table of a tournament wait before they may begin without the others."""
    cups_per_minute: float = 6.0
    """How many tournaments one address may open."""
    cups_at_once: int = 20
    """How many tournaments one address may open in a burst."""
    peers: PeerRules = PeerRules()
    largest_body: int = 16_384
    """The longest request over HTTP."""
    largest_carried: int = 1_000_000
    """The longest of those that bring a table from a device of somebody with a profile."""
    largest_frame: int = 16_384
    """The longest frame over a WebSocket."""
    frames_per_second: float = 30.0
    """How many frames a client may send."""
    frames_at_once: int = 90
    """How many frames a client may send in a burst."""
    tables_per_minute: float = 60.0
    """How many tables one address may open, and seats take."""
    tables_at_once: int = 200
    """How many of these in a burst."""
    sign_ins_per_minute: float = 30.0
    """How often one address may sign in, make a profile or a code, or change what is its own."""
    sign_ins_at_once: int = 60
    """How many of these in a burst."""
    seeks_per_minute: float = 30.0
    """How often one address may look for somebody to play with."""
    seeks_at_once: int = 60
    """How often in a burst."""
    shown_slow_per_day: float = 10.0
    """How many tables with days for a move one address may open to everybody."""
    shown_slow_at_once: int = 5
    """How many of these in a burst."""
    waiting_per_address: int = 60
    """How many seats one address may hold at tables of strangers that have not started."""
    calls_per_second: float = 100.0
    """How many other requests one address may make."""
    calls_at_once: int = 1000
    """How many other requests one address may make in a burst."""
    dear_per_second: float = 10.0
    """How many of these may be dear ones: QR codes, records, replays, the coach, hints."""
    dear_at_once: int = 60
    """How many dear ones one address may make in a burst."""
    dear_kept: int = 33_554_432
    """How many bytes of what was dear to make are kept in memory."""
    looks_per_second: float = 2.0
    """How often one address may ask how its tables stand."""
    looks_at_once: int = 60
    """How often in a burst."""
    checks_per_second: float = 10.0
    """How often one address may ask for /healthz and /metrics."""
    checks_at_once: int = 100
    """How often one address may ask for them in a burst."""
    metrics_token: str = ""
    """Who sends it as a bearer token may read /metrics; without it only this machine may."""
    contact: str = ""
    """Whom people write to who want something deleted; shown on the page about privacy."""
    watchers_per_table: int = 100
    """How many may watch a table; seats do not count."""
    watchers_per_address: int = 20
    """How many of them may watch one table from one address."""
    lines_per_seat: int = 8
    """How many sockets one seat may have open; the oldest gives way to a new one."""
    handshakes_per_second: float = 50.0
    """How many sockets one address may open."""
    handshakes_at_once: int = 500
    """How many in a burst, and how many that have not said hello; the oldest gives way."""
    hello_within: float = 5.0
    """How long a socket may stay without a hello."""
    connections: int = 20_000
    """How many connections may be open in all, if open files allow for as many."""
    connections_per_address: int = 1000
    """How many one address may have open; who waits or watches gives way, a seat does not."""
    head_within: float = 10.0
    """How long a client may take to send the head of a request."""
    body_within: float = 10.0
    """How long a client may take to send the rest of it."""
    slowest_reader: float = 20.0
    """How long a client may leave a frame or an answer unread before it is let go."""
    push_hosts: str = (
        "fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com"
    )
    """The push services that nudges are sent to, each with all hosts below it; or an origin."""
    push_contact: str = ""
    """Whom a push service may write to: `mailto:…` or `https://…`; usually the page's address."""
    push_retry: float = 5.0
    """How long after a push service had trouble a nudge is tried again; then six times as long."""
    pushes_per_minute: float = 30.0
    """How often one address may switch nudges on or off, one seat each."""
    pushes_at_once: int = 120
    """How often in a burst."""


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
