"""The same games where one thing is wrong, to see that it is found."""

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec.structs import replace

from tests.page import games
from tischlein.page import core


def worse_bots() -> None:
    """Let bots that count with arrays take the least for the most."""
    np.maximum = np.minimum  # type: ignore[assignment]


def later_bots() -> None:
    """Let bots pretend to think for a thousandth of a second longer."""
    core.house_in.__defaults__ = (
        replace(core.PATIENT, bot_pause=core.PATIENT.bot_pause + 0.001),
        *(core.house_in.__defaults__ or ())[1:],
    )


WRONG: Final[dict[str, Callable[[], None]]] = {"bots": worse_bots, "times": later_bots}


def main(what: str, *words: str) -> None:
    """Play with one thing wrong."""
    WRONG[what]()
    games.main(*words)
