"""Schlacht am Buffet in plain text."""

from collections.abc import Sequence
from typing import Any

from tischlein.rules.buffet import Exchange, Play, View
from tischlein.words import Say

TRACK = 40  # the spaces of the track: 40 and 0 are one [B4]


def board(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the buffet, the mice with their plates, and the hands that may be seen."""
    lines = [say("buffet.round", round=view.round, left=view.plates_left)]
    if len(names) == 3 and view.round:
        lines.append(say("buffet.part", part=view.part))
    plates = "  ".join(plate_in_words(plate, say) for plate in view.buffet)
    lines.append(say("buffet.buffet", plates=plates or say("buffet.nothing")))
    lines += ["  " + mouse(view, seat, names, say) for seat in range(len(names))]
    for name, hand in zip(names, view.hands, strict=True):
        if hand and None not in hand:
            lines.append(say("buffet.hand", name=name, cards=cards_in_words(hand)))
    return "\n".join(lines)


def mouse(view: View, seat: int, names: Sequence[str], say: Say) -> str:
    """Draw one mouse: where it stands, what it has."""
    state = "buffet.inside" if seat in view.inside else "buffet.gone"
    if seat in view.played:
        state = "buffet.laid"
    stacks = ", ".join(
        f"{say(f'food.{food}')} {' '.join(map(signed, values))}"
        for food, values in view.stacks[seat].items()
    )
    return say(
        "buffet.mouse",
        token="★ " if seat == view.token else "  ",  # the first player's token
        name=names[seat],
        at=view.at[seat] % TRACK,
        state=say(state),
        cards=len(view.hands[seat]),
        stacks=stacks or say("buffet.nothing"),
    )


def move(move: Any, view: View, names: Sequence[str], say: Say) -> str:
    """Say what a legal move would do."""
    match move:
        case Play():
            return say("buffet.play", card=signed(move.card))
        case Exchange(cards=()):
            return say("buffet.exchange_none")
        case _:
            return say("buffet.exchange", cards=cards_in_words(move.cards))


def news(seen: dict[str, Any], before: View, after: View, names: Sequence[str], say: Say) -> str:
    """Tell what a move has changed, and what a reveal brought."""
    match seen["do"]:
        case "deal":
            return say("buffet.told_deal", name=names[seen["starter"]])
        case "shuffle":
            return say("buffet.told_shuffle")
        case "exchange":
            return say("buffet.told_exchange", name=names[seen["by"]], n=len(seen["cards"]))
    lines = [say("buffet.told_play", name=names[seen["by"]])]
    if after.revealed is not None and after.revealed != before.revealed:
        for seat, card in after.revealed.cards:
            lines.append("  " + say("buffet.told_reveal", name=names[seat], card=signed(card)))
        for seat, plate in after.revealed.left:
            key = "buffet.told_hungry" if plate is None else "buffet.told_left"
            with_what = plate_in_words(plate, say) if plate else ""
            lines.append("  " + say(key, name=names[seat], plate=with_what))
    return "\n".join(lines)


def plate_in_words(plate: tuple[str, int], say: Say) -> str:
    """Name a plate by food and value."""
    return f"{say(f'food.{plate[0]}')} {signed(plate[1])}"


def cards_in_words(cards: Sequence[int | None]) -> str:
    """Write cards in a row."""
    return " ".join(signed(card) for card in cards if card is not None)


def signed(value: int) -> str:
    """Write a value as it is printed on the card."""
    return str(value) if value >= 0 else f"−{-value}"
