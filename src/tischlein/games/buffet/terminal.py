"""Schlacht am Buffet in plain text."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tischlein.bots.bot import Turn
from tischlein.games.buffet.rules import Exchange, Food, Reveal, Tie, View
from tischlein.terminal.talk import Talk
from tischlein.words import Say

TRACK = 40  # the spaces of the track: 40 and 0 are one [B4]


def aim(view: View, say: Say) -> str:
    """Tell in a few lines what the game is about."""
    return say("aim")


def board(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the buffet, the mice with their plates, and the hands that may be seen."""
    lines = [table(view, names, say)]
    for name, hand in zip(names, view.hands, strict=True):
        if hand and None not in hand:
            lines.append(say("hand", name=name, cards=cards_in_words(hand)))
    return "\n".join(lines)


def table(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the buffet and the mice with their plates."""
    lines = [say("round_line", round=view.round, left=view.plates_left)]
    if len(names) == 3 and view.round:
        lines.append(say("part_line", part=view.part))
    plates = "  ".join(plate_in_words(plate, say) for plate in view.buffet)
    lines.append(say("buffet", plates=plates or say("nothing")))
    lines += ["  " + mouse(view, seat, names, say) for seat in range(len(names))]
    return "\n".join(lines)


def mouse(view: View, seat: int, names: Sequence[str], say: Say) -> str:
    """Draw one mouse: where it stands, what it has."""
    state = "inside" if seat in view.inside else "gone"
    if seat in view.played:
        state = "has_laid"
    return say(
        "mouse",
        token="★ " if seat == view.token else "  ",  # the first player's token
        name=names[seat],
        at=space(view.at[seat]),
        state=say(state),
        cards=len(view.hands[seat]),
        stacks=stacks_in_words(view.stacks[seat], say),
    )


def ask(turn: Turn, names: Sequence[str], talk: Talk) -> Any:
    """Ask for a card by its value, or for the cards to exchange."""
    view, say = turn.view, talk.say
    hand = cards_in_words(view.hands[turn.seat])
    talk.tell(f"\n{table(view, names, say)}")
    if isinstance(turn.legal[0], Exchange):
        talk.tell(say("exchange_help"))
        again, question = "exchange_again", "which_cards"
    else:
        again, question = "play_again", "which_card"
    while True:
        cards = read_cards(talk.ask(say(question, cards=hand)))
        for move in turn.legal:
            if cards == (move.cards if isinstance(move, Exchange) else (move.card,)):
                return move
        talk.tell(say(again))


def read_cards(answer: str) -> tuple[int, ...] | None:
    """Read the values of cards in a line; None if something else stands there."""
    words = answer.replace("−", "-").replace(",", " ").split()
    if all(re.fullmatch(r"-?\d{1,2}", word) for word in words):
        return tuple(sorted(int(word) for word in words))
    return None


def news(seen: dict[str, Any], before: View, after: View, names: Sequence[str], say: Say) -> str:
    """Tell what a move has changed, what a reveal brought, and which cards were drawn."""
    lines = []
    match seen["do"]:
        case "deal":
            return say("told_deal", name=names[seen["starter"]])
        case "shuffle":
            lines.append(say("told_shuffle"))
        case "exchange":
            key = "told_exchange" if seen["cards"] else "told_no_exchange"
            lines.append(say(key, name=names[seen["by"]], n=len(seen["cards"])))
    if after.revealed is not None and after.revealed != before.revealed:
        lines += what_was_revealed(after.revealed, before, names, say)
        lines += what_begins(before, after, say)
    return "\n".join(lines + what_was_drawn(seen, before, after, names, say))


def what_was_revealed(shown: Reveal, before: View, names: Sequence[str], say: Say) -> list[str]:
    """Tell how far each mouse ran, and what came of it."""
    lines, stands = [], {}
    for seat, card in shown.cards:
        stands[seat] = before.at[seat] + card
        fields = {"name": names[seat], "card": signed(card), "at": space(stands[seat])}
        lines.append("  " + say("told_play", **fields))
    back = min(stands.values())
    level = [names[seat] for seat in stands if stands[seat] == back]
    if not shown.left:
        lines.append("  " + say("told_level", names=", ".join(level), at=space(back)))
    for nth, (seat, plate) in enumerate(shown.left):
        key = "told_ahead" if nth else "told_last"
        key = "told_hungry" if plate is None else key
        with_what = plate_in_words(plate, say) if plate else ""
        lines.append("  " + say(key, name=names[seat], plate=with_what))
    return lines


def what_begins(before: View, after: View, say: Say) -> list[str]:
    """Say that a round or its first part is over."""
    if after.over or after.round != before.round:
        return [say("told_round_over", round=before.round)]
    return [say("told_part_two")] if after.part != before.part else []


def what_was_drawn(
    seen: dict[str, Any], before: View, after: View, names: Sequence[str], say: Say
) -> list[str]:
    """Tell the new cards of every hand that may be seen."""
    lines = []
    given = seen.get("cards", []) if seen["do"] == "exchange" else [seen.get("card")]
    for seat, hand in enumerate(after.hands):
        if None in hand or not hand:
            continue
        kept = Counter(before.hands[seat])
        if seat == seen["by"]:
            kept -= Counter(given)
        drawn = sorted((Counter(hand) - kept).elements(), key=lambda card: card or 0)
        if drawn:
            lines.append(say("told_draw", name=names[seat], cards=cards_in_words(drawn)))
    return lines


def space(at: int) -> str:
    """Write how far a mouse has run, and the space of the track where that is not the same."""
    here = at % TRACK
    return signed(at) if at == here else f"{signed(at)} ({here})"


def end(view: View, names: Sequence[str], say: Say) -> str:
    """Show all stacks, sum the top plates up, and say what broke a tie [B17] [B18]."""
    lines = []
    for name, stacks in zip(names, view.stacks, strict=True):
        lines.append(say("end", name=name, stacks=stacks_in_words(stacks, say)))
        adding = "+".join(map(signed, tops(stacks))).replace("+−", "−") or 0
        lines.append(say("end_sum", sum=adding, points=signed(sum(tops(stacks)))))
    return "\n".join(lines + [tie_break(tie, view, names, say) for tie in view.ties])


def tops(stacks: Mapping[Food, Sequence[int]]) -> list[int]:
    """List the plates that count: those on top [B17]."""
    return [stack[-1] for stack in stacks.values()]


def tie_break(tie: Tie, view: View, names: Sequence[str], say: Say) -> str:
    """Say which food decides between two with equal points [B18]."""
    more, less = map(signed, tie.plates)
    fields = {"winner": names[tie.better], "loser": names[tie.worse], "more": more, "less": less}
    points = signed(sum(tops(view.stacks[tie.better])))
    return say("end_tie", food=say(f"food.{tie.food}"), points=points, **fields)


def stacks_in_words(stacks: Mapping[Food, Sequence[int]], say: Say) -> str:
    """Name the stacks of a player: what lies on top counts, what lies under it does not."""
    shown = []
    for food, values in stacks.items():
        top = plate_in_words((food, values[-1]), say)
        under = cards_in_words(values[-2::-1])
        shown.append(say("stack", top=top, under=under) if under else top)
    return ", ".join(shown) or say("nothing")


def plate_in_words(plate: tuple[str, int], say: Say) -> str:
    """Name a plate by food and value."""
    return f"{say(f'food.{plate[0]}')} {signed(plate[1])}"


def cards_in_words(cards: Sequence[int | None]) -> str:
    """Write cards in a row."""
    return " ".join(signed(card) for card in cards if card is not None)


def signed(value: int) -> str:
    """Write a value as it is printed on the card."""
    return str(value) if value >= 0 else f"−{-value}"
