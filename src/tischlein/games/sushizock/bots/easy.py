"""A beginner: takes what looks good, keeps dice of the kind that is wanted."""

from math import fsum
from typing import Final

from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.games.sushizock.rules import Forced, Keep, PileView, Steal, Take, View, count

CONTENT: Final = {2: 4.5, 1: 3.5, 0: -99.0}
"""What a portion must be worth to stop, by the number of rolls left."""


def easy(turn: Turn, rng: Chance) -> Answer:
    """Take a good portion when one is there; else keep the dice of the kind that is wanted."""
    claims = [move for move in turn.legal if not isinstance(move, Keep)]
    keeps = [move for move in turn.legal if isinstance(move, Keep)]
    if claims:
        best = max(claims, key=lambda move: worth(turn.view, turn.seat, move))
        if not keeps or worth(turn.view, turn.seat, best) >= CONTENT[turn.view.dice.rolls_left]:
            return Answer(best)
    return Answer(max(keeps, key=lambda move: promise(turn.view, turn.seat, move)))


def worth(view: View, seat: int, move: Take | Steal | Forced) -> float:
    """Guess what a portion is worth: sushi need bones under them, small bones carry sushi."""
    if isinstance(move, Forced):
        return -9.0
    mine = view.piles[seat]
    kind = move.row if isinstance(move, Take) else move.pile
    tile = tile_won(view, move)
    if kind == "sushi":
        carried = len(mine.sushi) < len(mine.bones) + 2
        return tile if carried else tile / 3
    missing = len(mine.sushi) - len(mine.bones)
    return 4.0 + tile if missing > 0 else 1.0 + tile


def tile_won(view: View, move: Take | Steal) -> float:
    """Say which tile a move brings; of a covered one only what it is on average."""
    if isinstance(move, Take):
        sushi, bones = count(view.dice.aside + view.dice.rolled)[:2]
        return view.rows.sushi[sushi - 1] if move.row == "sushi" else view.rows.bones[bones - 1]
    pile: PileView = view.piles[move.victim]
    tile = (pile.sushi if move.pile == "sushi" else pile.bones)[-move.depth]
    return tile if tile is not None else (3.5 if move.pile == "sushi" else -1.9)


def promise(view: View, seat: int, keep: Keep) -> float:
    """Say how well the kept dice fit together: all of one kind, and not too many."""
    mine = view.piles[seat]
    wants_bones = len(mine.sushi) > len(mine.bones)
    sushi, bones, blue, red = count(view.dice.aside + keep.dice)
    rivals = [pile for other, pile in enumerate(view.piles) if other != seat]
    prey = max((len(pile.sushi) for pile in rivals), default=0)
    worth_of = (2.0 - wants_bones, 1.0 + wants_bones, 1.5 if prey else 0.0, 0.5 * wants_bones)
    kinds = (sushi, bones, blue, red)
    value = fsum(w * n for w, n in zip(worth_of, kinds, strict=True))
    spread = sum(1 for n in kinds if n)
    return value - 1.5 * spread
