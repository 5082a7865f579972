"""Schlacht am Buffet, drawn for people who watch an environment."""

from collections.abc import Sequence

from tischlein.envs.shapes import BLUE, CHEESE, WHITE, Drawing, card, heading, in_row
from tischlein.games.buffet.rules import Plate, View


def drawn(view: View) -> Drawing:
    """Draw the plates and, seat by seat, the mouse's way, its plates and its hand."""
    part = f"round {view.round}, part {view.part}"
    shapes = [heading(30, part), *plates(30, view.buffet)]
    for seat, hand in enumerate(view.hands):
        y = 90 + 92 * seat
        token = "★ " if seat == view.token else ""
        state = "" if seat in view.inside else " (out)"
        shapes.append(heading(y, f"{token}player_{seat}: {view.at[seat]}{state}"))
        shapes += plates(y, [(food, stack[-1]) for food, stack in view.stacks[seat].items()])
        shapes += in_row(card, y + 42, WHITE, hand, 190)
        if seat in view.played:
            shapes.append(card(640, y + 42, BLUE, view.played[seat]))
    return 90 + 92 * len(view.hands), shapes


def plates(y: float, shown: Sequence[Plate]) -> list[str]:
    """Draw plates side by side, each with its food and value."""
    labels = [f"{food} {value}" for food, value in shown]
    return [card(220 + 90 * at, y, CHEESE, text, 84) for at, text in enumerate(labels)]
