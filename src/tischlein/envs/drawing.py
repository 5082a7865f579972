"""The board for people who watch an environment: in plain text, and as a small drawing."""

from collections.abc import Sequence
from html import escape
from math import cos, pi, sin
from typing import Any, Final

from tischlein.envs.process import Process
from tischlein.game import REFEREE
from tischlein.games.kakerlaken.rules import THIEF_OF
from tischlein.terminal import board_of
from tischlein.words import in_language

PAPER, INK, WHITE = "#FBF3E4", "#2B2130", "#FFFFFF"
BLUE, RED, CHEESE, WASABI = "#2E5AA8", "#C63F2B", "#F2B632", "#6E9B2F"
WIDTH: Final = 720
TINTS: Final = {"red": RED, "green": WASABI, "yellow": CHEESE}


def ansi(process: Process, position: Any) -> str:
    """Draw the whole table in plain text, as the referee sees it."""
    view = process.rules.view(position.state, REFEREE)
    names = [f"player_{seat}" for seat in range(process.seats)]
    return board_of(process.rules).board(view, names, in_language("en", process.name))


def svg(process: Process, position: Any) -> str:
    """Draw the whole table as the referee sees it."""
    view = process.rules.view(position.state, REFEREE)
    height, shapes = DRAWINGS[process.name](view)
    box = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    look = 'font-family="sans-serif" font-size="15" text-anchor="middle"'
    paper = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    drawing = "\n".join([paper, *shapes])
    title = f"<title>{escape(process.name)}</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {look}>\n{title}\n{drawing}\n</svg>\n'


def write(x: float, y: float, text: object, colour: str = INK, anchor: str = "middle") -> str:
    """Write a text."""
    place = f'x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(str(text))}</text>"


def disc(x: float, y: float, fill: str, text: object) -> str:
    """Draw something round with a text on it."""
    shape = f'<circle cx="{x:.0f}" cy="{y:.0f}" r="16"'
    return f'{shape} fill="{fill}" stroke="{INK}" stroke-width="2"/>{label(x, y, fill, text)}'


def card(x: float, y: float, fill: str, text: object, width: int = 28) -> str:
    """Draw something square with a text on it."""
    place = f'x="{x - width / 2:.0f}" y="{y - 16:.0f}" width="{width}" height="32" rx="5"'
    shape = f'<rect {place} fill="{fill}" stroke="{INK}" stroke-width="2"/>'
    return shape + label(x, y, fill, text)


def label(x: float, y: float, fill: str, text: object) -> str:
    """Write on a shape so that it can be read."""
    return write(x, y + 5, text, INK if fill in (WHITE, CHEESE, WASABI) else WHITE)


def heading(y: float, text: str) -> str:
    """Name a line."""
    return write(12, y + 5, text, anchor="start")


def in_row(draw: Any, y: float, fill: str, texts: Sequence[object], x: float = 150) -> list[str]:
    """Draw shapes side by side."""
    return [draw(x + 38 * at, y, fill, text) for at, text in enumerate(texts)]


def plates(y: float, shown: Sequence[tuple[str, int]]) -> list[str]:
    """Draw plates side by side, each with its food and value."""
    labels = [f"{food} {value}" for food, value in shown]
    return [card(220 + 90 * at, y, CHEESE, text, 84) for at, text in enumerate(labels)]


def draw_sushizock(view: Any) -> tuple[int, list[str]]:
    """Draw rows, dice and piles: sushi round, bones square."""
    shapes = [heading(30, "sushi"), *in_row(disc, 30, BLUE, view.rows.sushi)]
    shapes += [heading(72, "bones"), *in_row(card, 72, RED, view.rows.bones)]
    dice = [face[:2] for face in view.dice.rolled]
    aside = [face[:2] for face in view.dice.aside]
    shapes += [heading(114, "rolled"), *in_row(card, 114, WHITE, dice)]
    shapes += [write(380, 119, "aside"), *in_row(card, 114, CHEESE, aside, 430)]
    shapes.append(write(660, 119, f"{view.dice.rolls_left} left"))
    for seat, piles in enumerate(view.piles):
        y = 170 + 92 * seat
        turn = "▶ " if seat == view.turn else ""
        shapes.append(heading(y + 20, f"{turn}player_{seat}"))
        shapes += in_row(disc, y, BLUE, piles.sushi) + in_row(card, y + 42, RED, piles.bones)
    return 170 + 92 * len(view.piles), shapes


def draw_buffet(view: Any) -> tuple[int, list[str]]:
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


def draw_kakerlaken(view: Any) -> tuple[int, list[str]]:
    """Draw the circle, the dice in its middle, and what lies before each seat."""
    shapes = []
    for at, shown in enumerate(view.circle):
        angle = 2 * pi * at / len(view.circle) - pi / 2
        x, y = 180 + 130 * cos(angle), 175 + 130 * sin(angle)
        shapes.append(tile(x, y, *shown.tile) if shown.owner is None else dot(x, y))
    dice = "no dice" if view.roll is None else f"{view.roll[1]} {view.roll[0]}"
    shapes.append(write(180, 180, dice))
    for seat, coins in enumerate(view.coins):
        y = 30 + 70 * seat
        rolls = "▶ " if seat == view.roller else ""
        acted = " (acted)" if seat in view.acted else ""
        shapes.append(write(350, y + 5, f"{rolls}player_{seat}: {coins}{acted}", anchor="start"))
        mine = [shown.tile for shown in view.circle if shown.owner == seat]
        shapes += [tile(390 + 78 * n, y + 36, *one) for n, one in enumerate(mine)]
    return 370, shapes


def tile(x: float, y: float, symbol: str, colour: str) -> str:
    """Draw a tile with its initials and its thief."""
    thief = {str(one): name for one, name in THIEF_OF.items()}[str((symbol, colour))]
    return card(x, y, TINTS[colour], f"{colour[0]} {symbol[:2]} {thief[:2]}", 72)


def dot(x: float, y: float) -> str:
    """Draw the place that a tile has left."""
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{INK}"/>'


DRAWINGS: Final = {
    "sushizock": draw_sushizock,
    "buffet": draw_buffet,
    "kakerlaken": draw_kakerlaken,
}
