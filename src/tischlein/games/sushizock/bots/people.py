"""How people play: what a portion is worth to them, and which dice they keep for it."""

from collections.abc import Iterator
from functools import cache
from math import comb, fsum
from typing import Final

from msgspec import Struct

from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.bots.exact import power
from tischlein.games.sushizock.bots.reasons import because
from tischlein.games.sushizock.rules import (
    DICE,
    FACES,
    STEAL_TOP,
    Count,
    Forced,
    Keep,
    Kind,
    Steal,
    Take,
    View,
    count,
    faces,
)

UNSEEN: Final[dict[Kind, float]] = {"sushi": 3.5, "bones": -1.9}
"""What a covered tile is, on average."""
CARRY: Final = 0.6
"""How much of a sushi a bone is worth that makes it count: another bone could do it too."""
REACH: Final = 1.0
"""How many of the bones on the table a player can hope for: a fair part."""
SCARCE: Final = 1.2
"""How much of it when there are fewer of them than one needs."""
ROOM: Final = 2.5
"""What a bone is worth that has no sushi to carry yet."""
FACE: Final[dict[Kind, tuple[int, int]]] = {"sushi": (0, 2), "bones": (1, 3)}
"""The faces that take a kind and that steal it, by their place in a count."""
LUCK: Final = (1 / 3, 1 / 3, 1 / 6, 1 / 6)


class Goal(Struct, frozen=True):
    """A portion to aim at: so many dice of a face bring it."""

    face: int
    dice: int
    worth: float


def worth(view: View, seat: int, kind: Kind, tile: float) -> float:
    """Say what a tile is worth: sushi need bones to count, and bones may come or not."""
    mine = view.piles[seat]
    above = len(mine.sushi) - len(mine.bones)
    hope = REACH * len(view.rows.bones) / len(view.piles)
    if kind == "sushi":
        return tile if above < hope else tile * hope / (above + 1)
    if above > 0:
        carried = mine.sushi[len(mine.bones)]
        carry = CARRY if above <= hope else SCARCE
        return carry * (UNSEEN["sushi"] if carried is None else carried) + tile
    return ROOM / (1 - above) + tile


def worth_of_steal(view: View, seat: int, kind: Kind, victim: int, tile: float) -> float:
    """Say what a stolen tile is worth: it is also missing elsewhere."""
    theirs = view.piles[victim]
    harm = tile / (len(view.piles) - 1)
    if kind == "sushi" and len(theirs.sushi) > len(theirs.bones):
        harm *= 0.5
    return worth(view, seat, kind, tile) + harm


def tile_at(view: View, kind: Kind, victim: int, depth: int) -> float:
    """Read a tile of a pile, or guess it."""
    pile = view.piles[victim].sushi if kind == "sushi" else view.piles[victim].bones
    tile = pile[-depth]
    return UNSEEN[kind] if tile is None else tile


def worth_of_claim(view: View, seat: int, move: Take | Steal | Forced) -> float:
    """Say what ending the turn so is worth."""
    sushi, bones = count(view.dice.aside + view.dice.rolled)[:2]
    if isinstance(move, Take):
        tile = view.rows.sushi[sushi - 1] if move.row == "sushi" else view.rows.bones[bones - 1]
        return worth(view, seat, move.row, tile)
    if isinstance(move, Steal):
        tile_there = tile_at(view, move.pile, move.victim, move.depth)
        return worth_of_steal(view, seat, move.pile, move.victim, tile_there)
    return 0.0


def goals(view: View, seat: int) -> Iterator[Goal]:
    """List all portions that dice could bring."""
    kinds: tuple[Kind, ...] = ("sushi", "bones")
    for kind in kinds:
        take, steal = FACE[kind]
        row = view.rows.sushi if kind == "sushi" else view.rows.bones
        for place, tile in enumerate(row[:DICE]):
            yield Goal(take, place + 1, worth(view, seat, kind, tile))
        for victim, pile in enumerate(view.piles):
            if victim != seat and (pile.sushi if kind == "sushi" else pile.bones):
                tile_there = tile_at(view, kind, victim, 1)
                gain = worth_of_steal(view, seat, kind, victim, tile_there)
                yield Goal(steal, STEAL_TOP, gain)


@cache
def chance(missing: int, dice: int, luck: float, rolls: int) -> float:
    """Guess the chance to get the dice that are missing, when hits are kept from roll to roll."""
    hit = 1 - power(1 - luck, rolls)
    return fsum(
        comb(dice, n) * power(hit, n) * power(1 - hit, dice - n)
        for n in range(max(missing, 0), dice + 1)
    )


def kept_for(view: View, goal: Goal) -> Count | None:
    """Choose the dice to keep for a goal: those of its face; None if it cannot be reached so."""
    aside, rolled = count(view.dice.aside), count(view.dice.rolled)
    wanted = min(goal.dice - aside[goal.face], rolled[goal.face])
    if wanted <= 0 or wanted == sum(rolled):
        return None
    kept = [0] * len(FACES)
    kept[goal.face] = wanted
    return (kept[0], kept[1], kept[2], kept[3])


def promise(view: View, goal: Goal, kept: Count, fallback: float) -> float:
    """Say what going for a goal promises."""
    have = count(view.dice.aside)[goal.face] + kept[goal.face]
    dice = DICE - len(view.dice.aside) - sum(kept)
    rolls = view.dice.rolls_left
    likely = chance(goal.dice - have, dice, LUCK[goal.face], rolls)
    return likely * goal.worth + (1 - likely) * fallback


FALLBACK: Final = 1.0
"""What a turn brings, more or less, that misses its goal."""


def medium(turn: Turn, rng: Chance) -> Answer:
    """Weigh every goal by its chance against what the dice give now."""
    view: View = turn.view
    claims = [move for move in turn.legal if not isinstance(move, Keep)]
    now = max(claims, key=lambda move: worth_of_claim(view, turn.seat, move), default=None)
    best, dice = float("-inf"), None
    if view.dice.rolls_left:
        for goal in goals(view, turn.seat):
            kept = kept_for(view, goal)
            if kept is not None and (hope := promise(view, goal, kept, FALLBACK)) > best:
                best, dice = hope, kept
    if now is not None and (dice is None or worth_of_claim(view, turn.seat, now) >= best):
        return because(turn, now)
    keeps = [move for move in turn.legal if isinstance(move, Keep)]
    if dice is not None:
        return because(turn, Keep(faces(dice)))
    return because(turn, min(keeps, key=lambda move: len(move.dice)))
