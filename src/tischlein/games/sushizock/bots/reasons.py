"""Why a move is made, in codes that `tischlein.words` has sentences for."""

from typing import Any

from tischlein.bots.bot import Answer, Turn
from tischlein.games.sushizock.rules import Forced, Keep, Steal, Take, View, count


def because(
    turn: Turn,
    move: Any,
    worth: tuple[tuple[Any, float], ...] = (),
    doubt: tuple[float, ...] = (),
) -> Answer:
    """Answer with a move and its reason."""
    return Answer(move, reason(turn, move), fields(turn.view, move), worth, doubt)


def reason(turn: Turn, move: Any) -> str:
    """Name the reason for a move."""
    if isinstance(move, Keep):
        can_claim = any(not isinstance(other, Keep) for other in turn.legal)
        return "roll_on" if can_claim else "must_roll"
    if isinstance(move, Forced):
        return "forced"
    mine = turn.view.piles[turn.seat]
    above = len(mine.sushi) - len(mine.bones)
    if isinstance(move, Steal):
        return f"steal_{move.pile}"
    if move.row == "bones":
        return "bone_carries" if above > 0 else "bone_makes_room"
    return "sushi_counts" if above < 0 else "sushi_waits"


def fields(view: View, move: Any) -> dict[str, Any]:
    """Give the tile that a portion of the table is."""
    if not isinstance(move, Take):
        return {}
    sushi, bones = count(view.dice.aside + view.dice.rolled)[:2]
    tile = view.rows.sushi[sushi - 1] if move.row == "sushi" else view.rows.bones[bones - 1]
    return {"tile": abs(tile)}
