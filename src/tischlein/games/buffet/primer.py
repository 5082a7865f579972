"""A first game with three other mice, in its second round: be last, swap, and stay ahead."""

from typing import Final

from tischlein.game import NATURE, Word, without
from tischlein.games.buffet.rules import (
    CARDS,
    Deal,
    Exchange,
    Options,
    Plate,
    Play,
    all_plates,
)
from tischlein.primer import LEARNER, Moves, Primer, Step

MIA, LEO, IDA = 1, 2, 3

HANDS: Final = (
    *(9, 8, 7, 3, 0, 1, 5, 6, 2),
    *(6, 4, 5, 6, 5, 9, 6, 8, 1),
    *(3, 5, 3, 9, 7, 4, 2, 8, 1),
    *(5, 2, 7, 6, 1, 2, 4, 9, 8),
)
DRAWN: Final = (4, 6, 7, 2, 3, 4, 5, 3, 7)
"""What all draw after the first round, the learner first."""
SWAPPED: Final = (8, 9)
"""What the learner gets for the two smallest cards."""
PLATES: Final[tuple[Plate, ...]] = (
    *(("cheese", 5), ("pizza", 3), ("salad", 1)),
    *(("potatoes", 4), ("chicken", 2), ("cheese", -1)),
    *(("cheese", 4), ("sausage", 3), ("pizza", 1)),
)
"""What lies on the table in the first three rounds."""


def lay(**cards: int) -> Moves:
    """Let mice lay their cards, one after another."""
    seats = {"me": LEARNER, "mia": MIA, "leo": LEO, "ida": IDA}
    return tuple((seats[name], Play(card)) for name, card in cards.items())


def opening() -> Moves:
    """Play the first round: the learner wins the best plate."""
    first = HANDS + DRAWN + SWAPPED
    cards = (*first, *without(CARDS, first))
    plates = (*PLATES, *without(all_plates(Options()), PLATES))
    return (
        (NATURE, Deal(cards, plates, LEARNER)),
        *lay(me=9, mia=6, leo=3, ida=5),
        (LEO, Exchange(())),
        *lay(me=8, mia=4, ida=2),
        *lay(me=7, mia=5),
    )


def card(value: int) -> Word:
    """Name a card in one's hand."""
    return Word("card", {"card": value})


def laid(value: int) -> tuple[Word, ...]:
    """Name what lays a card: the card itself, then the button."""
    return card(value), Word("lay", {"card": value})


PRIMER: Final = Primer(
    others=("Mia", "Leo", "Ida"),
    opening=opening(),
    steps=(
        Step("welcome", then=lay(mia=6, leo=5, ida=7)),
        Step("three", Play(3), point=laid(3)),
        Step("plate"),
        Step("top", counts=True),
        Step(
            "swap",
            Exchange((0, 1)),
            (
                *lay(mia=5, leo=3, ida=6),
                *lay(mia=9, ida=1),
                *lay(mia=6, leo=9, ida=2),
            ),
            point=(card(0), card(1), Word("exchangeSome", {"n": 2})),
        ),
        Step("eight", Play(8), point=laid(8)),
        Step("stay"),
    ),
    options={"starter": LEARNER},
)
