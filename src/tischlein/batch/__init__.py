"""The same rules over arrays: millions of games at once with JAX, on a CPU or a GPU.

>>> import jax
>>> from tischlein import batch
>>> game = batch.game("sushizock")
>>> states = game.init(jax.random.key(1), n=1000, seats=4)
>>> states, totals = game.rollout(None, states, decisions=1000)
>>> totals.games
15964
"""

from importlib import import_module

from tischlein.batch.engine import Ended, Engine, States, Totals

__all__ = ["Ended", "Engine", "States", "Totals", "game", "games"]


def games() -> list[str]:
    """List the games that can be played over arrays."""
    return ["buffet", "kakerlaken", "sushizock"]


_found: dict[str, Engine] = {}


def game(name: str) -> Engine:
    """Find a game by its name."""
    if name not in games():
        raise ValueError(f"there is no batch game `{name}`; there are {', '.join(games())}")
    if name not in _found:
        _found[name] = Engine(import_module(f"{__name__}.{name}"))
    return _found[name]
