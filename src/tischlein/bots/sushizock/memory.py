"""What one knows who has watched the whole game: all that was ever laid or taken."""

import msgspec

from tischlein.bots.bot import Turn
from tischlein.rules import sushizock as rules
from tischlein.rules.sushizock import State


def remember(turn: Turn) -> State | None:
    """Play all moves that were told once more; None if the game was not watched from its start."""
    if not turn.history or turn.history[0]["do"] != "deal":
        return None
    state = State(len(turn.view.piles), turn.view.options, piles=(((), ()),) * len(turn.view.piles))
    for told in turn.history:
        move = {name: value for name, value in told.items() if name != "by"}
        state = rules.play(state, told["by"], msgspec.convert(move, rules.Move))
    return state
