"""What goes over the wire about oneself: requests and answers, each a typed struct."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from tischlein.people.passkeys import Passkey
from tischlein.server.wire import Name, Request

Device = Annotated[
    str, Meta(max_length=200, description="What a device or a passkey is called, for its owner.")
]
Shown = Annotated[str, Meta(max_length=40, description="The `id` that `GET /api/me` tells.")]
Code = Annotated[str, Meta(max_length=100)]
Seat = Annotated[int, Meta(ge=0, le=99)]
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,100}$")]
Credential = Annotated[
    dict[str, Any],
    Meta(description="What the browser gave, as `PublicKeyCredential.toJSON()` writes it."),
]


class Begin(Request, frozen=True):
    """Begin to make a profile: nothing is made before the passkey is there."""

    name: Name


class Finish(Request, frozen=True):
    """The passkey that the device has made."""

    name: Name
    credential: Credential
    device: Device = ""


class SignIn(Request, frozen=True):
    """What the device has signed."""

    credential: Credential
    device: Device = ""


class CallMe(Request, frozen=True):
    """Be called otherwise."""

    name: Name


class KeepSettings(Request, frozen=True):
    """Keep settings for all devices; `at`: when they were chosen, in ms since 1970."""

    settings: dict[str, Any]
    at: Annotated[float, Meta(ge=0)]


class AddPasskey(Request, frozen=True):
    """One more passkey that a device has made."""

    credential: Credential
    name: Device = ""


class NamePasskey(Request, frozen=True):
    """Give a passkey a name."""

    id: Shown
    name: Annotated[str, Meta(min_length=1, max_length=200)]


class RemovePasskey(Request, frozen=True):
    """Remove a passkey."""

    id: Shown


class SignOut(Request, frozen=True):
    """Sign a device out; without `id` this one."""

    id: Shown | None = None


class UseCode(Request, frozen=True):
    """A code that somebody has read or typed."""

    code: Code
    device: Device = ""


class DeleteMe(Request, frozen=True):
    """Delete a profile; `confirm` is its name."""

    confirm: Annotated[str, Meta(max_length=200)]


class AskKey(Request, frozen=True):
    """Ask for one more token of a seat of one's own; without `seat` the first."""

    seat: int | None = None


class CarryTable(Request, frozen=True):
    """A table of a device, with all that happened there; `was`: the mark that was known last."""

    entries: tuple[str, ...]
    seats: Annotated[tuple[tuple[Seat, Token], ...], Meta(max_length=20)]
    was: Annotated[str, Meta(max_length=64)] = ""


class Carrying(Struct, frozen=True):
    """Which version of a table is kept, and whether its game still goes on."""

    mark: str
    goes_on: bool


class MyCarried(Struct, frozen=True):
    """The tables of devices that are kept for somebody, whose profile that is."""

    profile: str
    tables: dict[str, Carrying]


class Marked(Struct, frozen=True):
    """The version of a table that is kept now."""

    mark: str


class LetIn(Struct, frozen=True):
    """The login of a device, and for whom it speaks."""

    login: str
    profile: str
    name: str


class MyDevice(Struct, frozen=True):
    """A device that is signed in."""

    id: str
    device: str
    made: float
    seen: float
    here: bool


class Me(Struct, frozen=True):
    """What somebody sees of themselves."""

    profile: str
    name: str
    made: float
    settings: dict[str, Any]
    settings_at: float
    devices: tuple[MyDevice, ...]
    passkeys: tuple[Passkey, ...]
    code: bool


class MySettings(Struct, frozen=True):
    """The settings that are kept, which may be newer than those that were sent."""

    settings: dict[str, Any]
    settings_at: float


class Link(Struct, frozen=True):
    """A code for a second device, and for how many seconds it is good."""

    code: str
    seconds: float


class PaperCode(Struct, frozen=True):
    """A code to be printed: it is shown once."""

    code: str
