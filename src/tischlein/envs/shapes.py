"""Round and square things with a text on them, from which a board is drawn (SVG)."""

from collections.abc import Sequence
from html import escape
from typing import Any, Final

PAPER, INK, WHITE = "#FBF3E4", "#2B2130", "#FFFFFF"
BLUE, RED, CHEESE, WASABI = "#2E5AA8", "#C63F2B", "#F2B632", "#6E9B2F"
WIDTH: Final = 720

Drawing = tuple[int, list[str]]
"""The height of a board, and its shapes; its width is WIDTH."""


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
