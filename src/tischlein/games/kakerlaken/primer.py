"""A first game against Mia, who has one tile already: slap, grab for hers, squeak for your own."""

from typing import Final

from tischlein.game import NATURE, Word
from tischlein.games.kakerlaken.rules import (
    TILES,
    Deal,
    Grab,
    Name,
    Roll,
    Slap,
    Tile,
)
from tischlein.primer import LEARNER, Moves, Primer, Step

MIA: Final = 1
MINE: Final[Tile] = ("rice", "red")
HERS: Final[Tile] = ("sushi", "green")
WRONG: Final[Tile] = ("chopsticks", "red")
SOON, THEN, LATE = 900.0, 1800.0, 2400.0
"""Milliseconds. Mia is always late."""
CIRCLE: Final[tuple[Tile, ...]] = (
    *(("rice", "green"), ("chopsticks", "red"), ("sushi", "yellow")),
    *(("rice", "red"), ("sushi", "green"), ("chopsticks", "yellow")),
    *(("sushi", "red"), ("rice", "yellow"), ("chopsticks", "green")),
)


def plates(*tiles: Tile) -> tuple[Word, ...]:
    """Name plates by their places in the circle."""
    return tuple(Word("plateWithout", {"n": CIRCLE.index(tile) + 1}) for tile in tiles)


def roll(tile: Tile) -> Moves:
    """Let the dice ask for a tile."""
    return ((NATURE, Roll(*tile)),)


def late(tile: Tile) -> Moves:
    """Let Mia slap when all is decided."""
    return ((MIA, Slap(tile, LATE)),)


OPENING: Final[Moves] = (
    (NATURE, Deal(CIRCLE, MIA)),
    *roll(HERS),
    (MIA, Slap(HERS, SOON)),
    (LEARNER, Slap(WRONG, LATE)),
)
IN_THE_MIDDLE: Final = tuple(tile for tile in TILES if tile != HERS)
WITH_RICE: Final = tuple(tile for tile in IN_THE_MIDDLE if tile[0] != "rice")
WITH_RED: Final = tuple(tile for tile in IN_THE_MIDDLE if tile[1] != "red")
"""The plates that show them: a plate shows what its tile has not [K2]."""
BOTH: Final = plates(*dict.fromkeys(WITH_RICE + WITH_RED))

PRIMER: Final = Primer(
    others=("Mia",),
    opening=OPENING,
    steps=(
        Step("welcome", then=roll(MINE)),
        Step("symbol", cross=plates(*WITH_RICE)),
        Step("colour", cross=BOTH),
        Step("slap", Slap(MINE, SOON), late(MINE), point=plates(MINE), cross=BOTH),
        Step("won", then=roll(HERS)),
        Step("grab", Grab(False, SOON), point=(Word("grabSoft"),)),
        Step("name", Name("ant", THEN), late(WRONG), point=(Word("thief.ant"),)),
        Step("took", then=roll(MINE)),
        Step("squeak", Grab(True, SOON), point=(Word("squeak"),)),
        Step("own", Name("cockroach", THEN), late(WRONG), point=(Word("thief.cockroach"),)),
        Step("coin"),
    ),
    options={"starter": MIA},
)
