"""Single numbers, as arrays give them; their types also name the kinds of elements."""

from typing import Any, Final

from tischlein.page.numbers.heap import BOOL, FLOAT, INT, refuse


class Scalar:
    """What a single number has in common with an array."""

    shape = ()
    ndim = 0
    size = 1
    kind: str

    @property
    def dtype(self) -> "dtype":
        """Name the kind of the number."""
        return dtype(type(self))

    def tolist(self) -> Any:
        """Give Python's own number."""
        return OWN[kind_of(type(self))](self)

    item = tolist

    def _same(self, axis: None = None) -> Any:
        return self

    sum = min = max = mean = copy = _same

    def any(self) -> "bool_":
        """Say whether it is not zero."""
        return bool_(self.item())

    all = any  # noqa: A003

    def astype(self, kind: Any) -> Any:
        """Make it a number of another kind."""
        return SCALARS[kind_of(kind)](self)


class float64(Scalar, float):  # noqa: N801
    """A float; `float32` means the same."""

    __slots__ = ()
    kind = "f"


class int64(Scalar, int):  # noqa: N801
    """A whole number; `int8`, `int16`, `int32` and `intp` mean the same."""

    kind = "i"


class bool_(Scalar, int):  # noqa: N801
    """True or False."""

    kind = "b"

    def __new__(cls, value: Any = False) -> "bool_":
        return super().__new__(cls, bool(value))

    def __repr__(self) -> str:
        return f"np.{bool(self)}"


SCALARS: Final[tuple[Any, ...]] = (bool_, int64, float64)
OWN: Final[tuple[Any, ...]] = (bool, int, float)
KINDS: Final[dict[Any, int]] = {
    bool_: BOOL,
    bool: BOOL,
    int64: INT,
    int: INT,
    float64: FLOAT,
    float: FLOAT,
    "bool": BOOL,
    "int64": INT,
    "int": INT,
    "float64": FLOAT,
    "float": FLOAT,
}
NAMES: Final = ("bool", "int64", "float64")


class dtype:  # noqa: N801
    """The kind of the elements of an array."""

    def __init__(self, kind: Any) -> None:
        self.number = kind_of(kind)
        self.type = SCALARS[self.number]
        self.kind = "bif"[self.number]
        self.name = NAMES[self.number]
        self.itemsize = (1, 8, 8)[self.number]

    def __eq__(self, other: object) -> bool:
        return KINDS.get(other, getattr(other, "number", None)) == self.number

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"dtype('{self.name}')"


def kind_of(kind: Any) -> int:
    """Read the name of a kind."""
    if type(kind) is dtype:
        return kind.number
    found = KINDS.get(kind)
    return refuse(f"elements of {kind}") if found is None else found
