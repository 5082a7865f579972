"""What is worth counting: what somebody likes to eat."""

from tischlein.figures import Figure
from tischlein.games.buffet.rules import FOODS
from tischlein.record import Replay


def figures(game: Replay, seat: int) -> list[Figure]:
    """Count the plates that a seat has won, by food: covered ones were eaten, too."""
    stacks = zip(FOODS, game.state.stacks[seat], strict=True)
    return [Figure("food", {food: len(stack) for food, stack in stacks if stack})]
