"""The same games where one thing is wrong, to see that it is found."""

from collections.abc import Callable
from typing import Final

import numpy as np

from tests.page import games
from tischlein.server import frames


def worse_bots() -> None:
    """Let bots that count with arrays take the least for the most."""
    np.maximum = np.minimum  # type: ignore[assignment]


def silent_steps() -> None:
    """Let frames tell no move one by one."""
    frames.scenes_of = lambda *_: []  # type: ignore[attr-defined]


WRONG: Final[dict[str, Callable[[], None]]] = {"bots": worse_bots, "frames": silent_steps}


def main(what: str, *words: str) -> None:
    """Play with one thing wrong."""
    WRONG[what]()
    games.main(*words)
