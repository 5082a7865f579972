"""The times of a table that whoever runs a server may set."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from tischlein.table.entries import Speed

DAY: Final = 86_400.0
CLOCKS: Final[Mapping[Speed, float]] = {
    "normal": 90.0, "quick": 20.0, "day": DAY, "three_days": 3 * DAY, "week": 7 * DAY,
}  # fmt: skip


class RaceRules(Struct, frozen=True):
    """How races are judged at a table."""

    lag_cap_ms: float = 400.0
    """The most lag that is made up for: who looks farther away than this gains nothing by it."""
    page_ms: float = 4.0
    """How long a page may take until its dice are drawn and its deed is sent."""
    false_start_ms: float = 200.0
    """Nobody finds a plate faster than this."""
    hold_ms: float = 600.0
    """How long a hand is held back after a false start."""
    lead_ms: float = 150.0
    """How long before it is shown a roll is kept, beside what the farthest player needs."""
    pause_ms: float = 3000.0
    """How long a photo finish can be looked at before the next roll."""
    beat_ms: float = 800.0
    """How long a roll comes after the last of several people was ready."""


class TableSettings(Struct, frozen=True):
    """Times are in seconds."""

    bot_pause: float = 1.2
    """How long bots pretend to think; 0 lets them answer at once."""
    clocks: dict[Speed, float] = field(default_factory=lambda: dict(CLOCKS))
    """The time for a move, by speed; relaxed has none."""
    strangers_clock: float = 300.0
    """The time for a move at a table that was open to everybody, if its speed has none."""
    gather: float = 1.5
    """How long after all have come a table of a tournament begins: words are sealed meanwhile."""
    relief_after: float = 30.0
    """How long a player must be away before the others may let a bot play on."""
    nudge_after: float = 60.0
    """How long somebody at a slow table must be to move and away before they are told so."""
    slow_again: float = 30.0
    """After so long it is noticed that a server died when something was to be done there."""
    slow_open_for: float = 14 * DAY
    """How long a slow table that has not begun is safe from being tidied up."""
    host_after: float = 60.0
    """How long a host must be away before their rights pass on."""
    open_within: float = 10.0
    """How long a start waits for a sealed word to be opened; then it begins anew."""
    hold_most: float = 6.0
    """How long a bot's move, or a roll, waits among several people for one who is not ready."""
    ready_within: float = 20.0
    """How long the first roll of a race waits for them."""
    silent_after: float = 8.0
    """How long after its last word a line that pings counts as gone."""
    seek_bots_after: float = 20.0
    """How long a table of strangers waits for more of them before it offers bots."""
    seek_gone_after: float = 5.0
    """How long somebody who looks for others may be away before the seat is free again."""
    seek_seals_within: float = 3.0
    """How long a full table of strangers waits for their sealed words before it starts."""
    race: RaceRules = RaceRules()
