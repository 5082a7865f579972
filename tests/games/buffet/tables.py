"""Short ways to set a table of the buffet for a test."""

from collections.abc import Sequence
from typing import Any

from tests.tables import Table
from tischlein import game
from tischlein.games.buffet import rules as buffet
from tischlein.games.buffet.rules import CARDS, FOODS, Plate

C, P, W, Z, H, S = FOODS
ALL_PLATES = buffet.all_plates(buffet.Options())
FIRST_FOUR: list[Plate] = [(C, 5), (S, 3), (Z, 1), (H, -1)]


def table(
    *hands: Sequence[int],
    plates: Sequence[Plate] = FIRST_FOUR,
    starter: int = 0,
    stock: Sequence[int] = (),
    **options: Any,
) -> Table:
    """Deal these hands, this top of the stock and these plates, the rest as it comes."""
    at = Table("buffet", len(hands), **options)
    values = options.get("plate_values", buffet.PLATE_VALUES)
    pool = buffet.all_plates(buffet.Options(plate_values=tuple(values)))
    named = [*(card for hand in hands for card in hand), *stock]
    rest = game.without(CARDS, named)
    later = game.without(pool, plates)
    return at.nature("deal", cards=[*named, *rest], plates=[*plates, *later], starter=starter)


def hand(*cards: int) -> list[int]:
    """Fill a hand up to nine with zeros."""
    return [*cards, *[0] * (9 - len(cards))]


def play(at: Table, **cards: int) -> Table:
    """Let seats play: s0=4 is the 4 of seat 0."""
    for seat, card in cards.items():
        at.do(int(seat[1:]), "play", card=card)
    return at


FOUR = ([9, 5, 4, 3, 2, 1, 0, -1, 7], [8, 5, 4, 3, 2, 1, 0, -1, 7],
        [6, 5, 4, 3, 2, 1, 0, -1, 7], [6, 5, 4, 3, 2, 1, 0, -1, 7])  # fmt: skip
