"""What is worth counting: from whom somebody likes to steal."""

from collections import Counter

from tischlein.figures import Figure
from tischlein.games.sushizock.rules import Steal
from tischlein.record import Replay


def figures(game: Replay, seat: int) -> list[Figure]:
    """Count from whom a seat has stolen."""
    own = [move for by, move in game.moves if by == seat and isinstance(move, Steal)]
    return [Figure("victim", dict(Counter(str(move.victim) for move in own)), people=True)]
