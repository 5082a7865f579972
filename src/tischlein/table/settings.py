"""What whoever runs a server may set, with sane defaults."""

from msgspec import Struct, field

from tischlein.table.entries import Speed
from tischlein.table.race import RaceRules


class Settings(Struct, frozen=True):
    """Times are in seconds, sizes in bytes."""

    bot_pause: float = 1.2
    """How long bots pretend to think; 0 lets them answer at once."""
    bot_budget: float = 5.0
    """How long a bot may really think before any legal move is made for it."""
    clocks: dict[Speed, float] = field(default_factory=lambda: {"normal": 90.0, "quick": 20.0})
    """The time for a move, by speed; relaxed has none."""
    relief_after: float = 30.0
    """How long a player must be away before the others may let a bot play on."""
    host_after: float = 60.0
    """How long a host must be away before their rights pass on."""
    unload_after: float = 600.0
    """How long a table that nobody looks at stays in memory."""
    tidy_after: float = 30 * 86_400.0
    """How long an untouched table is kept; records of finished games stay."""
    race: RaceRules = RaceRules()
    largest_body: int = 16_384
    largest_frame: int = 16_384
    frames_per_second: float = 30.0
    frames_at_once: int = 90
    """How many frames a client may send in a burst."""
    tables_per_minute: float = 20.0
    tables_at_once: int = 30
    """How many tables one address may open in a burst."""
    calls_per_second: float = 20.0
    calls_at_once: int = 100
    """How many other requests one address may make in a burst."""
    sockets_per_table: int = 200
    sockets_per_address: int = 400
    slowest_reader: float = 20.0
    """How long a client may leave a frame unread before it is let go."""
