"""The one-page rule of docs/strategy/sushizock.md, played to the letter."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.games.sushizock.bots.reasons import because
from tischlein.games.sushizock.rules import DICE, FACES, STEAL_TOP, Keep, Steal, Take, View, count

BONE: Final = 2
"""A bone is worth this less its number,"""
SCARCE_BONE: Final = 4
"""and this to one who is short of bones."""
THIEF: Final = 1
"""A stolen sushi is worth so much more."""


class Aim(Struct, frozen=True):
    """A portion: which face brings it, with how many dice, by which move, for how many points."""

    face: int
    dice: int
    move: Any
    points: float


def aims(view: View, seat: int) -> Iterator[Aim]:
    """List every portion of the table that dice can reach, and the top tiles of the others."""
    short = is_short_of_bones(view, seat)
    half, bone = (2, SCARCE_BONE) if short else (1, BONE)
    for at, tile in enumerate(view.rows.sushi[:DICE]):
        yield Aim(0, at + 1, Take("sushi"), tile / half)
    for at, tile in enumerate(view.rows.bones[:DICE]):
        yield Aim(1, at + 1, Take("bones"), bone + tile)
    for victim, pile in enumerate(view.piles):
        if victim != seat and pile.sushi:
            yield Aim(2, STEAL_TOP, Steal("sushi", victim), THIEF + (pile.sushi[-1] or 0) / half)
        if victim != seat and pile.bones:
            yield Aim(3, STEAL_TOP, Steal("bones", victim), bone + (pile.bones[-1] or 0))


def is_short_of_bones(view: View, seat: int) -> bool:
    """Say whether the sushi are higher than the bones by one's fair part of those on the table."""
    mine = view.piles[seat]
    above = len(mine.sushi) - len(mine.bones)
    return above > 0 and above * len(view.piles) >= len(view.rows.bones)


def onepage(turn: Turn, rng: Chance) -> Answer:
    """Choose the portion with the most points, less one for each die that is missing."""
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
    keep = Keep((FACES[aim.face],) * min(aim.dice - aside, rolled))
    if keep not in turn.legal:
        return None
    return aim.points - max(aim.dice - have, 1), keep
