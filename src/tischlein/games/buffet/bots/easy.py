"""A beginner at the buffet, and what each place in the race brings."""

from typing import Final

from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.games.buffet.rules import SHORT_TABLE, Exchange, Food, Play, View

POOR_CARD: Final = 3
"""Cards below this are worth giving away."""


def easy(turn: Turn, rng: Chance) -> Answer:
    """Spend high cards for high plates, low cards for poor ones."""
    if isinstance(turn.legal[0], Exchange):
        hand = turn.view.hands[turn.seat]
        return Answer(Exchange(tuple(card for card in hand if card < POOR_CARD)))
    cards = sorted(move.card for move in turn.legal)
    eager = eagerness(turn.view, turn.seat) + 0.3 * (rng.uniform() - 0.5)
    wanted = round(eager * (len(cards) - 1))
    return Answer(Play(cards[min(max(wanted, 0), len(cards) - 1)]))


def eagerness(view: View, seat: int) -> float:
    """Say how much staying in the race is worth, from 0 (leave now) to 1 (all out)."""
    last = len(view.inside) == 2
    staying = gain(view, seat, view.buffet[0])
    leaving = 0.0 if last and view.part + len(view.at) != 4 else gain(view, seat, view.buffet[-1])
    return min(max((staying - leaving + 1.0) / 5.0, 0.0), 1.0)


def gain(view: View, seat: int, plate: tuple[Food, int]) -> float:
    """Say by how much a plate changes the score: it covers the one before."""
    food, value = plate
    before = view.stacks[seat].get(food, ())
    return value - (before[-1] if before else 0)


def prizes(view: View, seat: int) -> list[float]:
    """List what each place brings a seat: the first to leave first, the winner last."""
    inside = len(view.inside)
    everybody_eats = len(view.at) == SHORT_TABLE and view.part == 1  # [B20]
    plates = [gain(view, seat, view.buffet[-1 - at]) for at in range(inside - 1 + everybody_eats)]
    return plates if everybody_eats else [*plates[:-1], 0.0, plates[-1]]
