"""How to play well enough by what a screen reader says: names of things, in the order of the page.

Each mind reads the tree of a page and names the next thing to press; how it is pressed is not
its business.
"""

import re
from typing import Final, NamedTuple

from playwright.sync_api import Page

LINE: Final = re.compile(r"""^( *)- '?([a-z]+) "((?:[^"\\]|\\.)*)"([^\n]*)$""", re.MULTILINE)


class Thing(NamedTuple):
    """Something with a role and a name; `state` holds what else is said of it."""

    role: str
    name: str
    state: str

    @property
    def open(self) -> bool:
        """Whether it can be pressed."""
        return self.role == "button" and "[disabled]" not in self.state

    @property
    def down(self) -> bool:
        """Whether it is held down."""
        return "[pressed]" in self.state


def read(page: Page) -> str:
    """Read the page as a screen reader gets it."""
    return page.locator("body").aria_snapshot()


def things(tree: str) -> list[Thing]:
    """List what has a name, in order."""
    return [Thing(role, name, state) for _, role, name, state in LINE.findall(tree)]


def is_mine(tree: str) -> bool:
    """Say whether it is the reader's turn."""
    return 'heading "Your turn!"' in tree


def first(found: list[Thing], pattern: str) -> Thing | None:
    """Find the first thing that can be pressed and is called so."""
    return next((one for one in found if one.open and re.search(pattern, one.name)), None)


def value(name: str) -> int:
    """Read the number at the end of a name, before any remark."""
    found = re.findall(r"[−-]?\d+", name)
    return int(found[-1].replace("−", "-"))


def sushizock(tree: str, _: str = "") -> Thing | None:
    """Take what is worth it, else keep one die of the commonest face and roll on."""
    found = things(tree)
    if asked := first(found, "^(Shake or tap to roll!|top)$"):
        return asked  # to let the dice out, or which tile of a pile to steal
    claims = sorted(
        (one for one in found if one.open and one.name.endswith("you can take it")),
        key=lambda one: value(one.name),
    )
    rolls = first(found, r"^Keep [1-9]") or next(
        (one for one in found if one.name == "First set a die aside"), None
    )
    if claims and (not rolls or value(claims[-1].name) > 3):
        return claims[-1]
    if stolen := first(found, "^Steal from .* Sushi") or first(found, "^Steal from"):
        return stolen
    if forced := first(found, "^Take it, sigh"):
        return forced
    if rolls and rolls.open:
        return rolls
    dice = [one for one in found if one.open and one.name.endswith(" die")]
    names = [one.name for one in dice]
    return max(dice, key=lambda one: names.count(one.name), default=None)


def buffet(tree: str, _: str = "") -> Thing | None:
    """Lay the lowest card but one; swap the lowest card."""
    found = things(tree)
    hand = [one for one in found if one.open and one.name.startswith("card ")]
    if swap := first(found, "^Swap"):
        return swap if any(card.down for card in hand) or not hand else hand[0]
    if lay := first(found, r"^Lay [−0-9]"):
        return lay
    return hand[min(1, len(hand) - 1)] if hand else None


def kakerlaken(tree: str, me: str) -> Thing | None:
    """Look for the tile of the dice: on a plate, or in front of somebody."""
    found = things(tree)
    if "Wrong grab: give one tile back." in tree:
        return first(found, r"^\w+ \w+, \w+$")
    dice = re.search(r"The dice show (\w+) and (\w+)", tree)
    if not dice:
        return None
    symbol, colour = dice.groups()
    tile = re.search(rf'img "{colour} {symbol}, (\w+)"', tree)
    if first(found, "^ant$"):
        return first(found, f"^{tile[1] if tile else 'ant'}$")
    if not first(found, "^Do nothing$"):
        return None
    if tile is None:
        without = rf"^Plate \d: (?!.*\b{symbol}\b)(?!.*\b{colour}\b)"
        return first(found, without)
    before = tree[: tile.start()].rpartition("listitem:")[2]
    return first(found, "^Squeak!" if re.search(rf"\b{me}\b", before) else "^Grab softly")
