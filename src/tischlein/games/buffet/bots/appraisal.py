"""Who is likely to win: the learned players finish the round, the judge says what it is worth."""

from typing import Final

import numpy as np

from tischlein.bots.arrays import Dice, mean
from tischlein.game import BY_NATURE, NATURE
from tischlein.games.buffet.bots.net import win_shares
from tischlein.games.buffet.bots.search import go_on, lay
from tischlein.games.buffet.bots.worlds import LOWEST, Worlds
from tischlein.games.buffet.rules import State, draw, play, winners

TRIES: Final = 64
SHUFFLES: Final = 8
REVEALS: Final = 10


def appraise(state: State) -> tuple[float, ...]:
    """Give the expected share of the win of each seat in a whole state; the result at the end."""
    if state.token is None:
        return (1 / state.seats,) * state.seats
    if state.over:
        won = winners(state)
        return tuple((seat in won) / len(won) for seat in range(state.seats))
    dice = Dice(0)
    states = [shuffled(state, dice) for _ in range(SHUFFLES if state.movers == BY_NATURE else 1)]
    worlds = Worlds.of(states, dice).take(np.arange(TRIES) % len(states))
    rows = np.arange(TRIES)
    start = worlds.round.copy()
    if any(card is not None for card in state.played):
        laid = lay(worlds, rows, dice)
        for seat, card in enumerate(state.played):
            if card is not None:
                laid[:, seat] = card - LOWEST
        worlds.play(rows, laid)
    go_on(worlds, start, REVEALS, dice)
    shares = mean(win_shares(worlds, rows), 0)
    return tuple((shares / shares.sum()).tolist())


def shuffled(state: State, dice: Dice) -> State:
    """Let nature shuffle where the stock has run out."""
    while state.movers == BY_NATURE:
        state = play(state, NATURE, draw(state, dice))
    return state
