"""Schlacht am Buffet in plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from tischlein.rules.buffet import FOODS, Exchange, Food, Play, View
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
    return say(
        "buffet.mouse",
        token="★ " if seat == view.token else "  ",  # the first player's token
        name=names[seat],
        at=view.at[seat] % TRACK,
        state=say(state),
        cards=len(view.hands[seat]),
        stacks=stacks_in_words(view.stacks[seat], say),
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


def end(view: View, names: Sequence[str], say: Say) -> str:
    """Show all stacks, sum the top plates up, and say what broke a tie [B17] [B18]."""
    lines, tops = [], []
    for name, stacks in zip(names, view.stacks, strict=True):
        top = [stacks[food][-1] if food in stacks else 0 for food in FOODS]
        tops.append(top)
        lines.append(say("buffet.end", name=name, stacks=stacks_in_words(stacks, say)))
        plates = [signed(stack[-1]) for stack in stacks.values()]
        adding = "+".join(plates).replace("+−", "−") or 0
        lines.append(say("buffet.end_sum", sum=adding, points=signed(sum(top))))
    return "\n".join(lines + tie_breaks(tops, names, say))


def tie_breaks(tops: list[list[int]], names: Sequence[str], say: Say) -> list[str]:
    """Say which food decides between the winner and each who has as many points [B18]."""
    first = max(range(len(tops)), key=lambda seat: (sum(tops[seat]), tops[seat]))
    told = []
    for seat, top in enumerate(tops):
        if sum(top) == sum(tops[first]) and top != tops[first]:
            at = next(at for at in range(len(FOODS)) if top[at] != tops[first][at])
            fields = {"winner": names[first], "loser": names[seat], "points": signed(sum(top))}
            fields |= {"more": signed(tops[first][at]), "less": signed(top[at])}
            told.append(say("buffet.end_tie", food=say(f"food.{FOODS[at]}"), **fields))
    return told


def stacks_in_words(stacks: Mapping[Food, Sequence[int]], say: Say) -> str:
    """Name the stacks of a player: what lies on top counts, what lies under it does not."""
    shown = []
    for food, values in stacks.items():
        top = plate_in_words((food, values[-1]), say)
        under = cards_in_words(values[-2::-1])
        shown.append(say("buffet.stack", top=top, under=under) if under else top)
    return ", ".join(shown) or say("buffet.nothing")


def plate_in_words(plate: tuple[str, int], say: Say) -> str:
    """Name a plate by food and value."""
    return f"{say(f'food.{plate[0]}')} {signed(plate[1])}"


def cards_in_words(cards: Sequence[int | None]) -> str:
    """Write cards in a row."""
    return " ".join(signed(card) for card in cards if card is not None)


def signed(value: int) -> str:
    """Write a value as it is printed on the card."""
    return str(value) if value >= 0 else f"−{-value}"
