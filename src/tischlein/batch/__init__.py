"""The same rules over arrays: millions of games at once with JAX, on a CPU or a GPU.

>>> import jax
>>> from tischlein import batch
>>> game = batch.game(batch.games()[0])
>>> states = game.init(jax.random.key(1), n=1000, seats=4)
>>> states, totals = game.rollout(None, states, decisions=1000)
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from tischlein.batch.engine import Ended, Engine, States, Totals
from tischlein.games import game_names, has_part, part_of

__all__ = ["Decoder", "Ended", "Engine", "States", "Totals", "decoder", "game", "games"]

PART: Final = "batch"
DECODER: Final = "decode"
"""Beside the arrays and not in them: these need JAX alone, this needs the rules as well."""


class Decoder(Protocol):
    """What reads a game over arrays as the rules would have it."""

    def state_of(self, words: Sequence[int], seats: int, /) -> Any:
        """Read a lane as a state; what no rule asks for is not in a lane and is left empty."""

    def move_of(self, action: int, state: Any, /) -> Any:
        """Read an action as a move; None is to wait."""


_found: dict[str, Engine] = {}


def games() -> list[str]:
    """List the games that can be played over arrays."""
    return [name for name in game_names() if has_part(name, PART)]


def game(name: str) -> Engine:
    """Find a game by its name."""
    if name not in _found:
        _found[name] = Engine(_part(name, PART))
    return _found[name]


def decoder(name: str) -> Decoder:
    """Find what reads lanes of a game as states, and actions as moves."""
    found: Decoder = _part(name, DECODER)
    return found


def _part(name: str, part: str) -> Any:
    """Find a part of a game that can be played over arrays."""
    if name not in games():
        raise ValueError(f"there is no batch game `{name}`; there are {', '.join(games())}")
    return part_of(name, part)
