"""Hands like people's: how long they take, how they slip, and who of several is quickest.

Times are ex-Gaussian (a normal part and an exponential tail), in milliseconds from the moment the
dice are seen. They start from published figures: a simple reaction to something seen takes 231 ms
on average, recognising one of six things 630 ms, and a touch screen adds 50 to 200 ms. By Hick's
law the time grows with the number of bits, here (630 - 231) / log2(6) = 154 ms a bit; one of nine
tiles takes 720 ms, and 845 ms with a touch of 125 ms: that is the average adult, and `medium`.
`hard` finds a tile 8 % quicker than that, `expert` 10 %, and knows when to hurry.
On the plate side people look for what is NOT there. How long that takes nobody has measured; we
count one bit for each of the two "not" (not red: green or yellow), 309 ms together.
"""

from functools import lru_cache
from math import fsum, sqrt
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tischlein.bots.arrays import Floats
from tischlein.bots.bot import Chance
from tischlein.bots.exact import erf, exp, log

SIMPLE_MS: Final = 231.0
ONE_OF_SIX_MS: Final = 630.0
TOUCH_MS: Final = (50.0, 200.0)
BIT_MS: Final = (ONE_OF_SIX_MS - SIMPLE_MS) * log(2) / log(6)
NOT_MS: Final = 2 * BIT_MS
QUICKEST: Final = SIMPLE_MS + TOUCH_MS[0]
"""The floor of all deeds: a mere reaction on the best screen, with nothing to read or find."""
QUICKEST_NAME: Final = 150.0
"""The floor from a grab to the name after it, which is known already: a finger's way."""
PAUSE_MS: Final = 600.0
"""How long a hesitation lasts on average."""


class Hand(Struct, frozen=True):
    """How a player reacts: an ex-Gaussian time, what plates add to it, slips, hesitations."""

    mean: float
    """Of the normal part."""
    spread: float
    tail: float
    slip: float
    daring: float = 1.0
    """How often it grabs for another's tile at all."""
    excluding: float = 0.0
    """What it takes longer to find a plate by what is not on it."""
    hesitates: float = 0.0
    """How often it stops for a moment."""


EASY: Final = Hand(mean=900, spread=150, tail=350, slip=0.12, daring=0.6)
MEDIUM: Final = Hand(635, 85, 210, slip=0.06, daring=0.9, excluding=309, hesitates=0.06)
HARD: Final = Hand(592, 79, 197, slip=0.04, excluding=284, hesitates=0.03)
EXPERT: Final = Hand(580, 77, 193, slip=0.025, excluding=278, hesitates=0.01)

STEP_MS: Final = 40
GRID: Final = tuple(range(int(QUICKEST), 4200, STEP_MS))
"""The moments at which a race is looked at; hardly a deed comes later."""


def at_pace(hand: Hand, factor: float) -> Hand:
    """Make a hand slower or quicker."""
    return replace(
        hand,
        mean=hand.mean * factor,
        spread=hand.spread * factor,
        tail=hand.tail * factor,
        excluding=hand.excluding * factor,
    )


def at_plates(hand: Hand) -> Hand:
    """Give the hand as it is when it must find a plate."""
    return replace(hand, mean=hand.mean + hand.excluding, excluding=0.0)


def average(hand: Hand) -> float:
    """Give the mean time of a hand, without its hesitations."""
    return hand.mean + hand.tail


def reaction(rng: Chance, hand: Hand) -> float:
    """Draw a reaction time, never quicker than a human."""
    normal = fsum(rng.uniform() for _ in range(12)) - 6  # mean 0, spread 1, and no skew
    tail = -log(1.0 - rng.uniform())
    return round(max(QUICKEST, hand.mean + hand.spread * normal + hand.tail * tail), 1)


def hesitation(rng: Chance, hand: Hand) -> float:
    """Draw how long a hand stops: mostly not at all."""
    if not hand.hesitates or rng.uniform() >= hand.hesitates:
        return 0.0
    return round(-PAUSE_MS * log(1.0 - rng.uniform()), 1)


def chance_by(hand: Hand, at: float) -> float:
    """Give the chance that a hand has acted by a moment: the ex-Gaussian distribution."""
    if at < QUICKEST:
        return 0.0
    z = (at - hand.mean) / hand.spread
    slow = hand.spread / hand.tail
    return normal_by(z) - exp(slow * slow / 2 - z * slow) * normal_by(z - slow)


def names_in_time(hand: Hand, limit: float) -> float:
    """Give the chance that the name after a grab, half a reaction later, comes in time [K13]."""
    return chance_by(hand, 2 * limit) if limit >= QUICKEST_NAME else 0.0


def normal_by(z: float) -> float:
    """Give the chance that a normal number is at most z."""
    return (1 + erf(z / sqrt(2))) / 2


@lru_cache(512)
def on_grid(hand: Hand) -> Floats:
    """Give the chance that a hand has acted, moment by moment."""
    return np.array([chance_by(hand, at) for at in GRID])


@lru_cache(4096)
def first_chances(hands: tuple[Hand, ...], acting: tuple[float, ...]) -> tuple[float, ...]:
    """Give each hand's chance to be first, if it acts at all with the chance given."""
    acted = np.array([on_grid(hand) for hand in hands]) * np.array(acting)[:, None]
    before = np.concatenate([np.zeros((len(hands), 1)), acted[:, :-1]], axis=1)
    waiting = np.maximum(1 - (acted + before) / 2, 1e-12)
    nobody = np.ones(len(GRID))
    for one in waiting:
        nobody = nobody * one
    first = (acted - before) * nobody / waiting
    return tuple(fsum(one) for one in first.tolist())
