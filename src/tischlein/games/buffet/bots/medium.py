"""A good human at the buffet: weighs what each plate changes, guesses the others, mixes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb, fsum, prod, sqrt
from typing import Final

from msgspec import Struct

from tischlein.bots.bot import Answer, Chance, Turn
from tischlein.bots.exact import exp, power
from tischlein.games.buffet.bots.easy import prizes
from tischlein.games.buffet.bots.reasons import because_card, because_swap
from tischlein.games.buffet.rules import CARDS, VALUES, Exchange, Play, View


class Taste(Struct, frozen=True):
    """How a player weighs things."""

    thrift: float = 0.03
    """What a point on a card is worth in points of plates."""
    swap: float = 1.5
    """What it is worth to exchange cards."""
    spite: float = 0.35
    """What a rival's gain costs, shared among the rivals."""
    caution: float = 2.5
    """How many spaces make a difference in the race."""
    mixing: float = 0.06
    """By how little a card may be worse and still be laid now and then."""
    push: float = 0.5
    """How strongly eager rivals lay high cards."""
    poor: int = 6
    """Cards below this are worth giving away."""


TASTE: Final = Taste()
EACH: Final = len(CARDS) // len(VALUES)

Guess = dict[int, float]
"""How likely a rival lays each card."""


def medium(turn: Turn, rng: Chance) -> Answer:
    """Play as a good human does."""
    if isinstance(turn.legal[0], Exchange):
        return swap(turn, TASTE)
    cards = [move.card for move in turn.legal]
    worth = weigh(turn.view, turn.seat, cards, TASTE)
    best = max(worth)
    weights = [exp((value - best) / TASTE.mixing) for value in worth]
    card = cards[draw(weights, rng)]
    return Answer(Play(card), *because_card(turn, card))


def weigh(view: View, seat: int, cards: Sequence[int], taste: Taste) -> list[float]:
    """Guess what each card brings."""
    rivals = {
        rival: guess_cards(view, seat, rival, taste) for rival in view.inside if rival != seat
    }
    return [card_worth(view, seat, card, rivals, taste) for card in cards]


def draw(weights: Sequence[float], rng: Chance) -> int:
    """Draw a number by its weight."""
    left = rng.uniform() * fsum(weights)
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    return len(weights) - 1


def swap(turn: Turn, taste: Taste) -> Answer:
    """Give poor cards away."""
    given = tuple(card for card in turn.view.hands[turn.seat] if card < taste.poor)
    return Answer(*because_swap(given))


def card_worth(
    view: View, seat: int, card: int, rivals: Mapping[int, Guess], taste: Taste
) -> float:
    """Guess what a card brings, in points: leave with the next plate, or stay for the others."""
    mine = prizes(view, seat)
    place = view.at[seat] + card
    beaten = [chance_ahead(guess, place - view.at[rival]) for rival, guess in rivals.items()]
    last = prod(ahead for ahead, _ in beaten)
    cost = taste.thrift * (card - 4) * (view.plates_left > 0)
    if len(rivals) == 1:
        lost = last + beaten[0][1] / 2
        theirs = prizes(view, next(iter(rivals)))
        envy = taste.spite * (theirs[-1] - theirs[0]) / (len(view.at) - 1)
        return lost * (mine[0] - envy) + (1 - lost) * mine[1] - cost
    first = len(view.inside) == len(view.at) and view.part == 1
    leaving = mine[0] + taste.swap * first * (view.plates_left > 0)
    staying = later(view, seat, card, mine[1:], taste)
    return last * leaving + (1 - last) * staying - cost


def later(view: View, seat: int, card: int, places: Sequence[float], taste: Taste) -> float:
    """Guess what staying in brings: a place by the strength of the hand, or the next plate."""
    hand = list(view.hands[seat])
    hand.remove(card)
    best = sorted((held for held in hand if held is not None), reverse=True)[: len(places)]
    mine = view.at[seat] + card + sum(best)
    rivals = [other for other in view.inside if other != seat]
    theirs = sum(view.at[rival] for rival in rivals) / len(rivals) + 6.0 * (1 + len(best))
    ahead = 1 / (1 + exp((theirs - mine) / taste.caution / sqrt(1 + len(best))))
    more = len(places) - 1
    racing = fsum(
        comb(more, at) * power(ahead, at) * power(1 - ahead, more - at) * places[at]
        for at in range(more + 1)
    )
    return max(racing, places[0])


def guess_cards(view: View, seat: int, rival: int, taste: Taste) -> Guess:
    """Guess how likely a rival lays each card: eager ones lay high, others low."""
    theirs = prizes(view, rival)
    eager = max(-1.0, min(1.0, (max(theirs[1:]) - theirs[0] - 0.5) / 2.5))
    unseen = cards_unseen(view, seat)
    weights = {card: unseen[card] * exp(taste.push * eager * card) for card in VALUES}
    total = fsum(weights.values())
    return {card: weight / total for card, weight in weights.items()}


def chance_ahead(guess: Guess, place: int) -> tuple[float, float]:
    """Say how likely a rival's card is higher than needed to reach a place, and just enough."""
    return fsum(chance for card, chance in guess.items() if card > place), guess.get(place, 0.0)


def cards_unseen(view: View, seat: int) -> dict[int, int]:
    """Count the cards that lie neither in the own hand nor face up, value by value."""
    seen = Counter([*view.hands[seat], *view.discard])
    return {card: EACH - seen[card] for card in VALUES}
