"""People who play: how they sit down, and how they take their turns."""

import contextlib
import re
from typing import Final

from playwright.sync_api import Error, Page, expect

from tests.browser.house import QUICKLY, House, press, read_hint
from tischlein.words import in_language

ANYTHING: Final = "@"
"""Stands in a text for whatever is filled in there."""


def said(text: str, whole: bool = False) -> re.Pattern[str]:
    """Give the pattern of a text of the catalogue."""
    words = r"\s+".join(map(re.escape, text.split())).replace(ANYTHING, ".+")
    return re.compile(f"^{words}$" if whole else words)


def meet_bots(page: Page, game: str) -> None:
    """Sit down with the bots that are offered, from the page with all games."""
    page.get_by_role("button", name=f"Play alone: {game}").click()
    page.get_by_role("button", name="Play", exact=True).click()


def play_alone(page: Page, house: House, game: str) -> None:
    """Sit down with bots, and read how the game goes."""
    page.goto(house.url)
    meet_bots(page, game)
    read_hint(page)


def set_table(host: Page, house: House, game: str, seats: int) -> str:
    """Open a table for friends, and give its link as the page shows it."""
    host.goto(house.url)
    host.get_by_label("Your nickname").fill("Ada")
    host.get_by_role("button", name=f"Invite friends: {game}").click()
    host.get_by_text(str(seats), exact=True).click()
    host.get_by_role("button", name="Set the table").click()
    link = host.get_by_label("Send this link, or let them scan it.").input_value()
    assert link.startswith(f"{house.url}/t/")
    return link


def join(guest: Page, link: str, name: str = "Bo") -> None:
    """Sit down at somebody's table."""
    guest.goto(link)
    guest.get_by_label("Your nickname").fill(name)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.get_by_text("Ada starts when everybody is here.")).to_be_visible()


def sit_with_bots(page: Page, house: House, seats: int) -> str:
    """Sit down at a table of Buffet that is full; gives its link."""
    link = set_table(page, house, "Buffet", seats)
    for seat in range(2, seats + 1):
        page.get_by_label(f"Bot, Seat {seat}").select_option("easy")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    return link


def sushizock_turn(page: Page, turn: str | None = None, language: str = "en") -> bool:
    """Take what glows, else keep a die and roll; False if it is not this person's turn."""
    say = in_language(language, "sushizock")
    if not page.get_by_role("heading", name=turn or said(say("yourTurn"))).is_visible():
        return False
    named = page.get_by_role("button")
    for first in ("shake", "forcedTake"):
        if press(page, named.filter(has_text=said(say(first)))):
            return True
    if press(page, page.get_by_role("button", name=said(say("canTake"))).first):
        return True
    face = said(say("die", face=ANYTHING), whole=True)
    die = page.get_by_role("button", name=face, disabled=False, pressed=False)
    if press(page, die.first):
        return press(page, page.get_by_role("button", name=said(say("keepRoll", n=ANYTHING))))
    if press(page, page.get_by_role("button", name=said(say("stealFrom", name=ANYTHING))).first):
        press(page, page.get_by_role("button", name=say("top"), exact=True))
        return True
    return False


def buffet_turn(page: Page) -> bool:
    """Swap cards, or lay the highest; False if there is nothing to do."""
    if press(page, page.get_by_role("button", name=re.compile("^Swap"))):
        return True
    if press(page, page.get_by_role("button", name=re.compile("^card "), pressed=False).last):
        return press(page, page.get_by_role("button", name=re.compile("^Lay [−0-9]")))
    return False


def kakerlaken_deed(page: Page) -> bool:
    """Look at the dice and slap, or grab the master and name the thief."""
    if press(page, page.locator(".own button").first):
        return True  # a tile of one's own, to be given back
    told = page.get_by_text(re.compile("^The dice show"))
    if not told.is_visible():
        return False
    with contextlib.suppress(Error):
        symbol, colour = re.findall(r"show (\w+) and (\w+)", told.inner_text(timeout=QUICKLY))[0]
        plate = page.locator(f'[data-tile="{symbol}-{colour}"]')
        if press(page, plate):
            return True
        won = page.get_by_role("img", name=re.compile(f"^{colour} {symbol}, "))
        thief = (won.get_attribute("aria-label", timeout=QUICKLY) or "").rpartition(", ")[2]
        if press(page, page.get_by_role("button", name=thief, exact=True)):
            return True
        mine = page.locator("li.me").get_by_role("img", name=re.compile(f"^{colour} {symbol}, "))
        return press(
            page,
            page.get_by_role("button", name="Squeak!" if mine.is_visible() else "Grab softly"),
        )
    return False
