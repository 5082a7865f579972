"""Tischlein, the table that sets itself: three food-fight games, exact, fair and open to study."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tischlein.games import game_named, game_names
    from tischlein.record import replay

__all__ = ["__version__", "game_named", "game_names", "replay"]

__version__ = "0.1.0"

_WHERE = {
    "game_named": "tischlein.games",
    "game_names": "tischlein.games",
    "replay": "tischlein.record",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: `tischlein.batch` needs none of it."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)
