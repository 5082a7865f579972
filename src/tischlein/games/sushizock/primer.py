"""A first game against Mia, near its end: take, set aside, steal, and see why bones matter."""

from typing import Final

from tischlein.game import NATURE, Seat, Word
from tischlein.games.sushizock.rules import Deal, Face, Keep, Kind, Roll, Steal, Take
from tischlein.primer import LEARNER, Moves, Primer, Step

MIA: Final = 1

SUSHI_TAKEN: Final = (2, 1, 4, 2, 6, 3, 4, 5, 5)
SUSHI_LEFT: Final = (3, 1, 6)
BONES_TAKEN: Final = (-4, -2, -3, -1, -1, -3, -2, -2, -1)
BONES_LEFT: Final = (-2, -1, -1)
OPENING: Final = "sbbssbbsbssbbsssbb"
"""Who has taken what so far, from the learner by turns: sushi or bones, always the first."""


def roll(*dice: Face) -> Moves:
    """Let chance roll."""
    return ((NATURE, Roll(dice)),)


def turn(seat: int, row: Kind) -> Moves:
    """Let somebody take the first tile of a row at once."""
    return (*roll(row, "blue", "blue", "red", "red"), (seat, Take(row)))


def opening() -> Moves:
    """Play until six tiles are left."""
    deal = Deal(SUSHI_TAKEN + SUSHI_LEFT, BONES_TAKEN + BONES_LEFT, LEARNER)
    found: Moves = ((NATURE, deal),)
    for nth, row in enumerate(OPENING):
        found += turn((LEARNER, MIA)[nth % 2], "sushi" if row == "s" else "bones")
    return found


def tile(row: Kind, place: int, value: int) -> Word:
    """Name a tile of a row."""
    return Word("tileNumber", {"kind": Word(row, {"n": 1}), "n": place, "value": value})


BLUE_DIE: Final = Word("die", {"face": Word("face.blue")})

PRIMER: Final = Primer(
    others=("Mia",),
    opening=opening(),
    steps=(
        Step("welcome", then=roll("sushi", "sushi", "sushi", "bones", "red")),
        Step(
            "third",
            Take("sushi"),
            (*turn(MIA, "bones"), *roll("blue", "blue", "sushi", "bones", "red")),
            point=(tile("sushi", 3, 6),),
        ),
        Step(
            "aside",
            Keep(("blue", "blue")),
            roll("blue", "bones", "red"),
            point=(BLUE_DIE, BLUE_DIE, Word("keepRoll", {"n": 2})),
        ),
        Step(
            "steal",
            Steal("sushi", MIA),
            (*turn(MIA, "sushi"), *roll("bones", "red", "red", "blue", "sushi")),
            point=(Word("stealFrom", {"name": Seat(MIA)}),),
        ),
        Step(
            "bone",
            Take("bones"),
            (*turn(MIA, "bones"), *roll("sushi", "red", "red", "blue", "blue")),
            point=(tile("bones", 1, -1),),
        ),
        Step("last", Take("sushi"), point=(tile("sushi", 1, 1),)),
        Step("count", counts=True),
    ),
    options={"starter": LEARNER},
)
