"""Bots for Kakerlaken Sushi: they see what the dice ask for, but with human hands."""

from math import log
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from tischlein.bots.bot import Answer, Bot, Chance, Turn
from tischlein.rules.kakerlaken import (
    THIEVES,
    Give,
    Grab,
    Name,
    Slap,
    Tile,
    TileView,
    View,
)


class Hand(Struct, frozen=True):
    """How a player reacts: an ex-Gaussian time in milliseconds, and how often they slip."""

    mean: float
    spread: float
    tail: float
    slip: float
    daring: float


EASY: Final = Hand(mean=900, spread=150, tail=350, slip=0.12, daring=0.6)
QUICKEST: Final = 250.0
"""Nobody reads two dice and finds a plate quicker than this."""


def at_random(turn: Turn, rng: Chance) -> Answer:
    """Do anything legal, at any moment of the race."""
    view: View = turn.view
    move = turn.legal[rng.below(len(turn.legal))]
    if isinstance(move, Give):
        return Answer(move)
    if isinstance(move, Name):
        return Answer(replace(move, at=my_grab(turn) + rng.below(2 * view.options.naming_ms)))
    return Answer(replace(move, at=float(rng.below(view.options.race_ms))))


def easy(turn: Turn, rng: Chance) -> Answer:
    """Know the right tile, react like a person, slip now and then."""
    return Answer(react(turn, rng, EASY))


def react(turn: Turn, rng: Chance, hand: Hand) -> Any | None:
    """Answer the table with a hand of some skill."""
    view: View = turn.view
    if isinstance(turn.legal[0], Give):
        return turn.legal[0]
    if view.roll is None:
        return None
    asked = tile_asked(view)
    if isinstance(turn.legal[0], Name):
        return name(turn, rng, hand, asked)
    at = reaction(rng, hand)
    if at > view.options.race_ms:
        return None
    slips = rng.uniform() < hand.slip
    if asked.owner is None:
        return Slap(neighbour(view, asked, rng) if slips else asked.tile, at)
    if asked.owner == turn.seat:
        return Grab(not slips, at)
    return Grab(slips, at) if rng.uniform() < hand.daring else None


def name(turn: Turn, rng: Chance, hand: Hand, asked: TileView) -> Name:
    """Name the thief after one's own grab."""
    at = my_grab(turn) + reaction(rng, hand) / 2
    known = asked.thief is not None and rng.uniform() >= hand.slip
    return Name(asked.thief if known and asked.thief else THIEVES[rng.below(3)], at)


def my_grab(turn: Turn) -> float:
    """Give the time of one's own grab."""
    mine = turn.view.deeds[turn.seat]
    assert mine is not None  # noqa: S101  # a seat sees its own deed
    return float(mine.at)


def tile_asked(view: View) -> TileView:
    """Find the tile that the dice ask for."""
    return next(shown for shown in view.circle if shown.tile == view.roll)


def neighbour(view: View, asked: TileView, rng: Chance) -> Tile:
    """Slip to a tile in the middle that shares the symbol or the colour, if there is one."""
    middle = [shown.tile for shown in view.circle if shown.owner is None]
    alike = [
        tile
        for tile in middle
        if tile != asked.tile and (tile[0] == asked.tile[0] or tile[1] == asked.tile[1])
    ]
    choice = alike or middle
    return choice[rng.below(len(choice))]


def reaction(rng: Chance, hand: Hand) -> float:
    """Draw a reaction time: a normal part and an exponential tail, never quicker than a human."""
    normal = sum(rng.uniform() for _ in range(12)) - 6
    tail = -log(1.0 - rng.uniform())
    return round(max(QUICKEST, hand.mean + hand.spread * normal + hand.tail * tail), 1)


LEVELS: Final[dict[str, Bot]] = {"random": at_random, "easy": easy}
