"""A small numpy for the browser, which has none: just what our bots use, with numpy's own names.

Elements are floats, whole numbers of 64 bits, or bools; other names mean the nearest of these.
Sums run from first to last, sorting keeps equal elements as they stand, and powers of e, chance
and files are missing: what differs from machine to machine. What is not here raises an error.
The loops over elements are in WebAssembly (`web/src/arrays/kernels.ts`) and work on Python's own
memory. Only the page installs it; everywhere else bots have numpy itself.
"""

import sys
from math import e, inf, nan, pi
from types import ModuleType
from typing import Any, Final

from tischlein.page.numbers.heap import ndarray
from tischlein.page.numbers.methods import FUNCTIONS, put_on
from tischlein.page.numbers.scalars import bool_, dtype, float64, int64

KINDS: Final[dict[str, Any]] = {
    "bool": bool_,
    "bool_": bool_,
    "dtype": dtype,
    "float16": float64,
    "float32": float64,
    "float64": float64,
    "int8": int64,
    "int16": int64,
    "int32": int64,
    "int64": int64,
    "intp": int64,
    "ndarray": ndarray,
    "uint8": int64,
}
NUMBERS: Final[dict[str, Any]] = {"e": e, "inf": inf, "nan": nan, "newaxis": None, "pi": pi}


class Subscriptable:
    """A name for types of arrays, whatever stands in brackets behind it."""

    def __class_getitem__(cls, item: Any) -> type:
        return ndarray


def absent(name: str) -> Any:
    """Say that the small numpy lacks something."""
    raise AttributeError(f"the browser's small numpy has no `{name}`")


def install() -> None:
    """Let `import numpy` find this."""
    put_on()
    numpy, typing = ModuleType("numpy"), ModuleType("numpy.typing")
    vars(numpy).update(KINDS | NUMBERS | FUNCTIONS)
    vars(numpy).update(typing=typing, __getattr__=absent, __path__=[])
    vars(typing).update(NDArray=Subscriptable, ArrayLike=Any, DTypeLike=Any)
    sys.modules |= {"numpy": numpy, "numpy.typing": typing}
