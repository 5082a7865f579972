"""The board for people who watch an environment: in plain text, and as a small drawing."""

from html import escape
from typing import Any, Final

from tischlein.envs.process import Process
from tischlein.envs.shapes import PAPER, WIDTH, Drawing, heading
from tischlein.game import REFEREE
from tischlein.games import part_of
from tischlein.terminal import board_of
from tischlein.words import in_language

LINE: Final = 20
"""The height of a line of plain text."""


def ansi(process: Process, position: Any) -> str:
    """Draw the whole table in plain text, as the referee sees it."""
    view = process.rules.view(position.state, REFEREE)
    names = [f"player_{seat}" for seat in range(process.seats)]
    return board_of(process.rules).board(view, names, in_language("en", process.name))


def svg(process: Process, position: Any) -> str:
    """Draw the whole table as the referee sees it."""
    height, shapes = drawn(process, position)
    box = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    look = 'font-family="sans-serif" font-size="15" text-anchor="middle"'
    paper = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    drawing = "\n".join([paper, *shapes])
    title = f"<title>{escape(process.name)}</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {look}>\n{title}\n{drawing}\n</svg>\n'


def drawn(process: Process, position: Any) -> Drawing:
    """Let the game draw its board; one that cannot is written, line by line."""
    found = part_of(process.name, "drawing")
    if found is None:
        return written(ansi(process, position))
    drawing: Drawing = found.drawn(process.rules.view(position.state, REFEREE))
    return drawing


def written(text: str) -> Drawing:
    """Write a board of plain text."""
    lines = text.splitlines()
    shapes = [heading(LINE * number, line) for number, line in enumerate(lines, start=1)]
    return LINE * (len(lines) + 1), shapes
