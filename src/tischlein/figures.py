"""Figures that people like to look at: what somebody did in a game, counted and timed.

What is worth counting a game says itself, in `figures.py` beside its rules; a game without it has
no figures of its own.
"""

from msgspec import Struct

from tischlein.games import has_part, part_of
from tischlein.record import Replay


class Figure(Struct, frozen=True, omit_defaults=True):
    """What a seat did in one game: how often each thing, or how long each time.

    Its title is `figure.KEY` in the game's words; a thing is called `KEY.THING` there.
    """

    key: str
    counts: dict[str, int] = {}
    people: bool = False
    """Whether those counted are other players, by the numbers of their seats."""
    times: tuple[int, ...] = ()
    """In milliseconds."""


Figures = tuple[tuple[Figure, ...], ...]
"""The figures of each seat."""


def figures_of(game: Replay) -> Figures:
    """Count what everybody did in a finished game."""
    seats = range(len(game.header.seats))
    if not has_part(game.rules.NAME, "figures"):
        return tuple(() for _ in seats)
    part = part_of(game.rules.NAME, "figures")
    assert part is not None  # noqa: S101  # it was there just now
    return tuple(tuple(part.figures(game, seat)) for seat in seats)
