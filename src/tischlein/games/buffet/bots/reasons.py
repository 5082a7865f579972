"""Why a card was laid: codes for which `tischlein.words` has sentences."""

from typing import Any

from tischlein.bots.bot import Turn
from tischlein.games.buffet.bots.easy import prizes
from tischlein.games.buffet.rules import Exchange


def because_card(turn: Turn, card: int) -> tuple[str, dict[str, Any]]:
    """Say in a code what a card is for."""
    plates = prizes(turn.view, turn.seat)
    cards = [move.card for move in turn.legal]
    low = card < cards[len(cards) // 2]
    if len(plates) == 2:
        code = ("decline" if plates[1] < plates[0] else "save") if low else "duel"
    elif low:
        code = "leave" if plates[0] > 0 else "thrift"
    else:
        code = "dodge" if plates[0] < 0 else "race"
    return code, {"card": card}


def because_swap(given: tuple[int, ...]) -> tuple[Exchange, str, dict[str, Any]]:
    """Say in a code which cards were given away."""
    return Exchange(given), "swap" if given else "keep_all", {"count": len(given)}
