"""Tischlein, the table that sets itself: three food-fight games, exact, fair and open to study."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tischlein.record import replay
    from tischlein.rules import game_named as game
    from tischlein.rules import names as games

__all__ = ["__version__", "game", "games", "replay"]

__version__ = "0.1.0"

_WHERE = {
    "game": ("tischlein.rules", "game_named"),
    "games": ("tischlein.rules", "names"),
    "replay": ("tischlein.record", "replay"),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: `tischlein.batch` needs none of it."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, original = _WHERE[name]
    return getattr(import_module(module), original)
