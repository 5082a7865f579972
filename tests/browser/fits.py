"""A machine's look at a screen: nothing is cut off, covered, too small, or outside of it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, ViewportSize

from tests.browser.looks import PAINTED

SIZES: Final = [
    (320, 568), (360, 640), (375, 667), (390, 664), (390, 844), (667, 375), (844, 390),
    (820, 1180), (1280, 800), (1920, 1080),
]  # fmt: skip
FLAWS: Final = Path("tests/browser/flaws.js").read_text()


def flaws(page: Page) -> list[str]:
    """Name what is cut off, covered, under 12 px, outside, or smaller than a finger."""
    page.evaluate(PAINTED)
    found: list[str] = page.evaluate(FLAWS)
    return found


def look_at(page: Page, sizes: Iterable[tuple[int, int]] = SIZES) -> list[str]:
    """Look at a screen at every size."""
    told = []
    for width, height in sizes:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        told += [f"{width}x{height} {flaw}" for flaw in flaws(page)]
    return told
