"""Schlacht am Buffet in plain text."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tischlein.bots.bot import Turn
from tischlein.games.buffet.news import cards_in_words, plate_in_words, space
from tischlein.games.buffet.rules import Exchange, Food, Tie, View
from tischlein.terminal.talk import Talk
from tischlein.words import Say, worded, written


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
    plates = "  ".join(worded(plate_in_words(plate), names, say) for plate in view.buffet)
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


def end(view: View, names: Sequence[str], say: Say) -> str:
    """Show all stacks, sum the top plates up, and say what broke a tie [B17] [B18]."""
    lines = []
    for name, stacks in zip(names, view.stacks, strict=True):
        lines.append(say("end", name=name, stacks=stacks_in_words(stacks, say)))
        adding = "+".join(str(written(top)) for top in tops(stacks)).replace("+−", "−") or 0
        lines.append(say("end_sum", sum=adding, points=sum(tops(stacks))))
    return "\n".join(lines + [tie_break(tie, view, names, say) for tie in view.ties])


def tops(stacks: Mapping[Food, Sequence[int]]) -> list[int]:
    """List the plates that count: those on top [B17]."""
    return [stack[-1] for stack in stacks.values()]


def tie_break(tie: Tie, view: View, names: Sequence[str], say: Say) -> str:
    """Say which food decides between two with equal points [B18]."""
    more, less = tie.plates
    fields = {"winner": names[tie.better], "loser": names[tie.worse], "more": more, "less": less}
    points = sum(tops(view.stacks[tie.better]))
    return say("end_tie", food=say(f"food.{tie.food}"), points=points, **fields)


def stacks_in_words(stacks: Mapping[Food, Sequence[int]], say: Say) -> str:
    """Name the stacks of a player: what lies on top counts, what lies under it does not."""
    shown = []
    for food, values in stacks.items():
        top = worded(plate_in_words((food, values[-1])), (), say)
        under = cards_in_words(values[-2::-1])
        shown.append(say("stack", top=top, under=under) if under else top)
    return ", ".join(shown) or say("nothing")
