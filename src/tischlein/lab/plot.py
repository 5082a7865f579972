"""Small charts as inline SVG: dots with error bars, bars, lines; and the page around them.

No script, nothing from outside, readable in light and dark, each chart with a text in its place.
Colours are the page's own; what lines mean is told by their dashes and labels, never by colour
alone.
"""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, isclose, log10
from typing import Final

from msgspec import Struct

WIDTH: Final = 640
ROW: Final = 30
LEFT: Final = 130
RIGHT: Final = 84
BOTTOM: Final = 34
HEIGHT: Final = 240
DASHES: Final = ("", "7 4", "2 4", "9 3 2 3", "4 2", "1 3")

STYLE: Final = """
:root { --paper: #fbf3e4; --card: #fff; --ink: #2b2130; --soft: #6b5f70; --line: #d9cdb8;
  --mark: #2e5aa8; --bar: #9db7e0; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1e1a24; --card: #2a2532; --ink: #f4ead8; --soft: #b7abbd; --line: #4a4255;
    --mark: #8fb3f0; --bar: #46618f; } }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 56rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; } h3 { margin: 1.5rem 0 0.3rem; }
p.note { color: var(--soft); }
figure { margin: 0.5rem 0 1rem; padding: 0.75rem; background: var(--card); border-radius: 12px;
  overflow-x: auto; }
figcaption { color: var(--soft); font-size: 0.9rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
th, td { padding: 0.3rem 0.7rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
svg { display: block; width: 100%; min-width: 26rem; height: auto; font: 13px system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
svg text { fill: var(--ink); } svg .soft { fill: var(--soft); }
svg .grid { stroke: var(--line); } svg .even { stroke: var(--ink); stroke-dasharray: 3 4; }
svg .bar { fill: var(--bar); stroke: var(--mark); }
svg .dot { fill: var(--mark); } svg .err { stroke: var(--ink); stroke-width: 1.6; fill: none; }
svg .curve { fill: none; stroke: var(--mark); stroke-width: 2.2; stroke-linejoin: round; }
svg .band { fill: var(--bar); opacity: 0.35; }
"""


class Dot(Struct, frozen=True):
    """A value with the ends of its error bar."""

    label: str
    value: float
    low: float
    high: float


class Bar(Struct, frozen=True):
    """A bar, with the ends of an error bar where there is one."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


class Curve(Struct, frozen=True):
    """A line through points, and the band of its errors where there is one."""

    label: str
    points: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float], ...] = ()
    """The low and the high end at each point."""


def page(title: str, body: str, language: str = "en") -> str:
    """Make a whole page that needs nothing else."""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def figure(svg: str, caption: str = "") -> str:
    """Frame a chart."""
    told = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{svg}{told}</figure>\n"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table; the first column names its row."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in headings)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in rows
    )
    whole = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll">{whole}</div>\n'


def dots(rows: Sequence[Dot], alt: str, even: float | None = None, digits: int = 0) -> str:
    """Draw a row for each value, with its error bar; `even` marks where all would be equal."""
    ends = [end for dot in rows for end in (dot.low, dot.high)] + ([] if even is None else [even])
    ticks = nice_ticks(min(ends), max(ends))
    height = ROW * len(rows) + BOTTOM
    x = Scale(ticks[0], ticks[-1], LEFT, WIDTH - RIGHT)
    parts = [upright(x(tick), height - BOTTOM, number(tick, ticks)) for tick in ticks]
    if even is not None:
        parts.append(segment("even", x(even), 0, x(even), height - BOTTOM))
    for at, dot in enumerate(rows):
        y = ROW * at + ROW / 2
        parts.append(text(LEFT - 10, y + 4, dot.label, "end"))
        parts.append(segment("err", x(dot.low), y, x(dot.high), y))
        for end in (dot.low, dot.high):
            parts.append(segment("err", x(end), y - 5, x(end), y + 5))
        parts.append(f'<circle class="dot" cx="{x(dot.value):.1f}" cy="{y:.1f}" r="5"/>')
        told = f"{dot.value:.{digits}f} ± {(dot.high - dot.low) / 2:.{digits}f}"
        parts.append(text(WIDTH - RIGHT + 8, y + 4, told.replace("-", "−")))
    return drawing(height, alt, parts)


def bars(rows: Sequence[Bar], alt: str, below: str = "") -> str:
    """Draw upright bars from zero; labels that would touch are left out."""
    ends = [0.0, *(bar.value if bar.high is None else bar.high for bar in rows)]
    ticks = nice_ticks(min(ends), max(ends))
    x = Scale(0, max(1, len(rows)), 60, WIDTH - 16)
    y = Scale(ticks[0], ticks[-1], HEIGHT - 2 * BOTTOM, 10)
    parts = [level(y(tick), number(tick, ticks)) for tick in ticks]
    every = ceil(max(len(bar.label) for bar in rows) * 8 * len(rows) / (WIDTH - 76)) or 1
    for at, bar in enumerate(rows):
        left, wide = x(at + 0.1), max(1.0, x(at + 0.9) - x(at + 0.1))
        top, foot = y(max(bar.value, 0)), y(min(bar.value, 0))
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" '
            f'height="{max(0.5, foot - top):.1f}"/>'
        )
        middle = x(at + 0.5)
        if bar.low is not None and bar.high is not None:
            parts.append(segment("err", middle, y(bar.low), middle, y(bar.high)))
        if at % every == 0:
            parts.append(text(middle, HEIGHT - 2 * BOTTOM + 18, bar.label, "middle"))
    parts.append(text((60 + WIDTH - 16) / 2, HEIGHT - BOTTOM + 12, below, "middle", "soft"))
    return drawing(HEIGHT - BOTTOM + 20, alt, parts)


def lines(rows: Sequence[Curve], alt: str, below: str = "", even: float | None = None) -> str:
    """Draw lines over a common axis, each labelled at its end."""
    ends = [y for line in rows for _, y in line.points]
    ends += [end for line in rows for pair in line.band for end in pair]
    ends += [] if even is None else [even]
    up = nice_ticks(min(ends), max(ends))
    along = [x for line in rows for x, _ in line.points]
    across = nice_ticks(min(along), max(along))
    x = Scale(across[0], across[-1], 60, WIDTH - RIGHT - 20)
    y = Scale(up[0], up[-1], HEIGHT - 2 * BOTTOM, 10)
    parts = [level(y(tick), number(tick, up), WIDTH - RIGHT - 20) for tick in up]
    parts += [
        text(x(tick), HEIGHT - 2 * BOTTOM + 18, number(tick, across), "middle") for tick in across
    ]
    if even is not None:
        parts.append(segment("even", 60, y(even), WIDTH - RIGHT - 20, y(even)))
    for at, line in enumerate(rows):
        parts += one_line(line, x, y, DASHES[at % len(DASHES)])
    labels = apart([y(line.points[-1][1]) for line in rows])
    for line, place in zip(rows, labels, strict=True):
        parts.append(text(WIDTH - RIGHT - 12, place + 4, line.label))
    parts.append(text((60 + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 12, below, "middle", "soft"))
    return drawing(HEIGHT - BOTTOM + 20, alt, parts)


class Scale:
    """Maps values to places on the drawing."""

    def __init__(self, low: float, high: float, first: float, last: float) -> None:
        self._low, self._first = low, first
        self._step = (last - first) / ((high - low) or 1.0)

    def __call__(self, value: float) -> float:
        """Give the place of a value."""
        return self._first + (value - self._low) * self._step


def one_line(line: Curve, x: Scale, y: Scale, dash: str) -> list[str]:
    """Draw a line, over its band of errors."""
    parts = []
    if line.band:
        places = [x(at) for at, _ in line.points]
        there = [f"{at:.1f},{y(low):.1f}" for at, (low, _) in zip(places, line.band, strict=True)]
        back = [f"{at:.1f},{y(high):.1f}" for at, (_, high) in zip(places, line.band, strict=True)]
        parts.append(f'<polygon class="band" points="{" ".join([*there, *back[::-1]])}"/>')
    path = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in line.points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return [*parts, f'<polyline class="curve"{dashes} points="{path}"/>']


def apart(places: Sequence[float], least: float = 15) -> list[float]:
    """Move labels apart that would lie on each other, keeping their order."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    for before, at in pairwise(order):
        moved[at] = max(moved[at], moved[before] + least)
    return moved


def nice_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Give round numbers that span a range."""
    if isclose(low, high):
        low, high = low - 1, high + 1
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough * 0.999)
    return [step * at for at in range(floor(low / step + 1e-9), ceil(high / step - 1e-9) + 1)]


def number(tick: float, ticks: Sequence[float]) -> str:
    """Write a tick with no more digits than its neighbours need."""
    step = ticks[1] - ticks[0]
    digits = next(
        digits for digits in range(7) if isclose(round(step, digits), step) or digits == 6
    )
    return f"{tick:,.{digits}f}".replace("-", "−")


def drawing(height: float, alt: str, parts: Sequence[str]) -> str:
    """Put a drawing together, with the text that stands for it."""
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {height:.0f}" aria-label="{escape(alt)}">'
        f"<title>{escape(alt)}</title>{''.join(parts)}</svg>"
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Write words at a place."""
    soft = f' class="{kind}"' if kind else ""
    return f'<text{soft} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def segment(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Draw a straight line."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def upright(x: float, foot: float, label: str) -> str:
    """Draw a line of the grid upwards, its number below."""
    return segment("grid", x, 0, x, foot) + text(x, foot + 20, label, "middle", "soft")


def level(y: float, label: str, right: float = WIDTH - 16) -> str:
    """Draw a line of the grid across, its number on the left."""
    return segment("grid", 60, y, right, y) + text(52, y + 4, label, "end", "soft")
