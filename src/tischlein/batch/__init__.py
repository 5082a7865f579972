"""The same rules over arrays: millions of games at once with JAX, on a CPU or a GPU.

>>> import jax
>>> from tischlein import batch
>>> game = batch.game("sushizock")
>>> states = game.init(jax.random.key(1), n=1000, seats=4)
>>> states, totals = game.rollout(None, states, decisions=1000)
>>> totals.games
15964
"""

from typing import cast

from tischlein.batch.engine import Core, Ended, Engine, States, Totals
from tischlein.games import game_names, has_part, part_of

__all__ = ["Ended", "Engine", "States", "Totals", "game", "games"]


def games() -> list[str]:
    """List the games that can be played over arrays."""
    return [name for name in game_names() if has_part(name, "batch")]


_found: dict[str, Engine] = {}


def game(name: str) -> Engine:
    """Find a game by its name."""
    if name not in games():
        raise ValueError(f"there is no batch game `{name}`; there are {', '.join(games())}")
    if name not in _found:
        _found[name] = Engine(cast(Core, part_of(name, "batch")))
    return _found[name]
