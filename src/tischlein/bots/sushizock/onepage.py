"""The one-page rule of docs/strategy/sushizock.md, played to the letter."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.bots.sushizock.people import UNSEEN
from tischlein.bots.sushizock.reasons import because
from tischlein.rules.sushizock import DICE, STEAL_TOP, Keep, Kind, Steal, Take, View, count

PRICE: Final = {2: (1.0, 2.0), 1: (2.0, 3.0)}
"""What a missing die costs, by the rolls left: sushi and bones, chopsticks."""
CARRIES: Final = 4
ROOM: Final = 2
THIEF: Final = 1


class Aim(Struct, frozen=True):
    """A portion: which face brings it, with how many dice, by which move, for how many points."""

    face: int
    dice: int
    move: Any
    points: float


def points(view: View, seat: int, kind: Kind, tile: float) -> float:
    """Count the points of a portion: a sushi above the bones half, a bone by what it carries."""
    mine = view.piles[seat]
    above = len(mine.sushi) - len(mine.bones)
    if kind == "sushi":
        return tile
    return (CARRIES if above > 0 else ROOM) + tile


def aims(view: View, seat: int) -> Iterator[Aim]:
    """List every portion of the table, and the top tiles of the others for a point more."""
    for at, tile in enumerate(view.rows.sushi[:DICE]):
        yield Aim(0, at + 1, Take("sushi"), points(view, seat, "sushi", tile))
    for at, tile in enumerate(view.rows.bones[:DICE]):
        yield Aim(1, at + 1, Take("bones"), points(view, seat, "bones", tile))
    for victim, pile in enumerate(view.piles):
        if victim != seat and pile.sushi:
            tile_there = pile.sushi[-1] or UNSEEN["sushi"]
            gain = THIEF + points(view, seat, "sushi", tile_there)
            yield Aim(2, STEAL_TOP, Steal("sushi", victim, 1), gain)
        if victim != seat and pile.bones:
            tile_there = pile.bones[-1] or UNSEEN["bones"]
            yield Aim(
                3, STEAL_TOP, Steal("bones", victim, 1), points(view, seat, "bones", tile_there)
            )


def onepage(turn: Turn, rng: Chance) -> Answer:
    """Choose the portion with the most points, less a price for each die that is missing."""
    view: View = turn.view
    choices = [choice for aim in aims(view, turn.seat) if (choice := weigh(turn, aim))]
    if choices:
        return because(turn, max(choices, key=lambda choice: choice[0])[1])
    return because(turn, min(turn.legal, key=lambda move: len(getattr(move, "dice", ()))))


def weigh(turn: Turn, aim: Aim) -> tuple[float, Any] | None:
    """Give the points of an aim and what to do for it now; None where it is out of reach."""
    dice = turn.view.dice
    aside, rolled = count(dice.aside)[aim.face], count(dice.rolled)[aim.face]
    have = aside + rolled
    if aim.move in turn.legal and (have == aim.dice or aim.face > 1):
        return aim.points, aim.move
    kept = min(aim.dice - aside, rolled)
    keep = Keep((("sushi", "bones", "blue", "red")[aim.face],) * max(kept, 0))
    if keep not in turn.legal:
        return None
    missing = max(aim.dice - have, 1)
    return aim.points - missing * PRICE[dice.rolls_left][aim.face > 1], keep
