"""What happens at a table, each as one durable entry: a table is the fold of its entries."""

from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tischlein.game import By

Slow = Literal["day", "three_days", "week"]
Speed = Literal["relaxed", "normal", "quick", Slow]
SLOW: Final[tuple[Slow, ...]] = get_args(Slow)
"""So long a move may take at a table where people play when they have time."""


Odd = Literal["clamped", "echoes", "far"]
"""What may look odd: a time that was not believed, echoes held back, a line that is very long."""


class Stamp(Struct, frozen=True):
    """A deed's time as it was claimed and as it counts; all of it is shown in the photo finish."""

    at: float
    claimed: float
    clamped: bool
    lag: float
    uncertainty: float
    handicap: float = 0.0
    window: float = 0.0
    """How long the deed may have been on its way: so far back a stated time is believed."""
    odd: tuple[Odd, ...] = ()


class Entry(Struct, frozen=True, tag_field="kind", tag=str.lower, omit_defaults=True):
    """Something that happened; `when` is the server's time in seconds."""

    when: float


class Opened(Entry, frozen=True):
    """A table is set for a game."""

    game: str
    seats: int
    options: dict[str, Any]
    speed: Speed
    seed: str
    hints: bool = False
    lag_cap: float | None = None
    stand_in: str | None = None
    public: bool = False
    seek: bool = False
    """Whether it is for strangers who look for somebody: it starts by itself when it is full."""
    cup: str | None = None
    """The cup for which the house has set it: its seats stay as they are, and it is played once."""
    lang: str | None = None
    """The language of whoever opened it."""


class Sat(Entry, frozen=True):
    """Somebody takes a seat; only a fingerprint of their token is kept."""

    seat: int
    name: str
    token: str
    profile: str | None = None


class Keyed(Entry, frozen=True):
    """A player gets one more token for their seat, on another device."""

    seat: int
    token: str


class Published(Entry, frozen=True):
    """The host opens the table to everybody, or only to who has its link."""

    public: bool


class TakesBots(Entry, frozen=True):
    """Somebody who waits for strangers takes bots in the empty seats."""

    seat: int


class Nudged(Entry, frozen=True):
    """A player who is away was told that it is their turn: written before, so that it is once."""

    seat: int


class Renamed(Entry, frozen=True):
    """A name is taken away: by whoever runs the server, or (`forget`) with its profile."""

    seat: int
    name: str
    forget: bool = False


class Closed(Entry, frozen=True):
    """Whoever runs the server closes the table: nobody plays or sits down here any more."""


class Handicapped(Entry, frozen=True):
    """The table gives a player some milliseconds in races."""

    seat: int
    handicap: float


class Seated(Entry, frozen=True):
    """A bot takes a seat, or with no level leaves it."""

    seat: int
    bot: str | None


class Left(Entry, frozen=True):
    """A player gets up: before the game the seat is free again, in it a bot may play on."""

    seat: int


class Removed(Entry, frozen=True):
    """The host gives a player's seat back to the table, before the game."""

    seat: int


class Hosted(Entry, frozen=True):
    """The host's rights pass on."""

    seat: int


class Salted(Entry, frozen=True):
    """A player adds a word to the seed, unsealed: so it was done once, and old tables tell it."""

    seat: int
    text: str


class Sealed(Entry, frozen=True):
    """A player shows the seal of a word, in place of an earlier one."""

    seat: int
    seal: str


class Unsealing(Entry, frozen=True):
    """The host starts, and the sealed words are to be opened: no seal is taken any more."""


class Unsealed(Entry, frozen=True):
    """A player opens the word that they had sealed."""

    seat: int
    word: str
    salt: str


class HeldUp(Entry, frozen=True):
    """Words of these seats did not come: the start begins anew, without any seal or word so far."""

    seats: tuple[int, ...]


class Appointed(Entry, frozen=True):
    """The host names the seat that begins; with none chance will."""

    seat: int | None


class Started(Entry, frozen=True):
    """The host starts the game."""


class Moved(Entry, frozen=True):
    """A move is made; `t` is in milliseconds since the start, `stamp` how a race deed was timed."""

    by: By
    move: msgspec.Raw
    t: int
    id: str | UnsetType = UNSET
    stamp: Stamp | UnsetType = UNSET
    show_at: float | UnsetType = UNSET
    for_seat: bool = False


class Relieved(Entry, frozen=True):
    """The others let a bot play for a player who is away; with no level the player is back."""

    seat: int
    bot: str | None


class StandIn(Entry, frozen=True):
    """It is chosen which bot plays for a player who is away."""

    seat: int
    bot: str


class Again(Entry, frozen=True):
    """The same people play once more: a new seed, and who begins; none: as the table was opened."""

    seed: str
    starter: int | None


AnyEntry = (
    Opened | Sat | Handicapped | Seated | Left | Hosted
    | Salted | Sealed | Unsealing | Unsealed | HeldUp
    | Appointed | Started | Moved | Relieved | Again | Removed | StandIn
    | Keyed | Published | TakesBots | Nudged | Renamed | Closed
)  # fmt: skip
decoder: Final = msgspec.json.Decoder(AnyEntry)
encoder: Final = msgspec.json.Encoder()
