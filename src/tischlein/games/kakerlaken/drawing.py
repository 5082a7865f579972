"""Kakerlaken Sushi, drawn for people who watch an environment."""

from math import cos, pi, sin
from typing import Final

from tischlein.envs.shapes import CHEESE, INK, RED, WASABI, Drawing, card, write
from tischlein.games.kakerlaken.rules import THIEF_OF, Colour, Tile, View

TINTS: Final[dict[Colour, str]] = {"red": RED, "green": WASABI, "yellow": CHEESE}


def drawn(view: View) -> Drawing:
    """Draw the circle, the dice in its middle, and what lies before each seat."""
    shapes = []
    for at, shown in enumerate(view.circle):
        angle = 2 * pi * at / len(view.circle) - pi / 2
        x, y = 180 + 130 * cos(angle), 175 + 130 * sin(angle)
        shapes.append(tile(x, y, shown.tile) if shown.owner is None else dot(x, y))
    dice = "no dice" if view.roll is None else f"{view.roll[1]} {view.roll[0]}"
    shapes.append(write(180, 180, dice))
    for seat, coins in enumerate(view.coins):
        y = 30 + 70 * seat
        rolls = "▶ " if seat == view.roller else ""
        acted = " (acted)" if seat in view.acted else ""
        shapes.append(write(350, y + 5, f"{rolls}player_{seat}: {coins}{acted}", anchor="start"))
        mine = [shown.tile for shown in view.circle if shown.owner == seat]
        shapes += [tile(390 + 78 * n, y + 36, one) for n, one in enumerate(mine)]
    return 370, shapes


def tile(x: float, y: float, shown: Tile) -> str:
    """Draw a tile with its initials and its thief."""
    symbol, colour = shown
    return card(x, y, TINTS[colour], f"{colour[0]} {symbol[:2]} {THIEF_OF[shown][:2]}", 72)


def dot(x: float, y: float) -> str:
    """Draw the place that a tile has left."""
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{INK}"/>'
