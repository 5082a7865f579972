"""What is worth counting: whom somebody likes to call a thief, and how quick their hand is."""

from collections import Counter

from tischlein.figures import Figure
from tischlein.games.kakerlaken.rules import Grab, Name, Slap
from tischlein.record import Replay


def figures(game: Replay, seat: int) -> list[Figure]:
    """Count the thieves that a seat named, and time its hand; without a clock nothing is timed."""
    own = [move for by, move in game.moves if by == seat]
    thieves: Counter[str] = Counter(move.thief for move in own if isinstance(move, Name))
    hands = [move.at for move in own if isinstance(move, Slap | Grab)]
    times = tuple(round(at) for at in hands if isinstance(at, int | float))
    return [Figure("thief", dict(thieves)), Figure("reaction", times=times)]
