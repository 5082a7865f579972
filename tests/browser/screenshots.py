"""Pictures of every screen: `python -m tests.browser.screenshots [FOLDER]`.

Real games at a real server, each screen at every size, by day and by night, in four languages; and
beside the pictures `notes.txt`: what a machine can see of them (what is cut off, covered, small or
outside). `python -m tests.browser.screenshots FOLDER en` takes one language alone.
"""

import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.fits import SIZES, flaws
from tests.browser.house import is_over, new_page, open_browser, press, read_hint, until
from tests.browser.learners import go_learning, learn
from tests.browser.looks import PAINTED
from tests.browser.players import buffet_turn, join, meet_bots, sushizock_turn
from tischlein.words import LANGUAGES

BIG: Final = SIZES[-2:]
TWO: Final = [(390, 844), (1280, 800)]
LEARNING: Final = [(320, 568), (360, 640), (390, 844), (667, 375), (1280, 800)]
PHONE: Final = ViewportSize(width=390, height=844)
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
CHOOSE: Final = """([key, value]) => {
  localStorage[`tischlein.${key}`] = JSON.stringify(value);
  dispatchEvent(new StorageEvent("storage", { key: `tischlein.${key}` }));
}"""
"""Chooses a language as if it were chosen in another tab."""
ANSWER_MS: Final = 250
MOUSE_WALK_MS: Final = 1_500
PAUSE_MS: Final = 90_000
"""How long a photo finish stays, for its pictures."""
LONG_NAME: Final = "Maximiliane von Ungeduld"


class Game(NamedTuple):
    """A game as the landing page calls it, and how somebody takes a turn at it."""

    title: str
    most: int
    turn: Callable[[Page], bool]
    deeds: int
    """Deeds of two people until about the middle of a game."""


def race(page: Page) -> bool:
    """Slap the right plate, or else grab the master and name somebody."""
    if press(page, page.locator(".own button").first):
        return True  # a wrong grab: a tile goes back
    if press(page, page.get_by_role("button", name=re.compile("^(ant|cockroach|rat)$")).first):
        return True
    found = re.search(r"The dice show (\w+) and (\w+)", page.inner_text(".dice"))
    if found is None:
        return False
    if press(page, page.locator(f'[data-tile="{found[1]}-{found[2]}"]')):
        return True
    return press(page, page.get_by_role("button", name="Grab softly"))


GAMES: Final = {
    "sushizock": Game("Sushizock", 5, sushizock_turn, 4),
    "buffet": Game("Buffet", 6, buffet_turn, 14),
    "kakerlaken": Game("Kakerlaken Sushi", 5, race, 12),
}


class Album:
    """A folder of pictures, and what was noticed on the way."""

    def __init__(self, folder: Path, languages: Sequence[str] = LANGUAGES) -> None:
        self._folder, self._languages = folder, languages
        self._notes: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def take(
        self,
        page: Page,
        name: str,
        sizes: Iterable[tuple[int, int]] = SIZES,
        whole: bool = False,
    ) -> None:
        """Photograph a screen at each size in each language; `whole` is for pages that scroll."""
        size = page.viewport_size
        for language in self._languages:
            page.evaluate(CHOOSE, ["language", language])
            expect(page.locator(f"html[lang={language}]")).to_have_count(1)
            for width, height in sizes:
                page.set_viewport_size(ViewportSize(width=width, height=height))
                self._shoot(page, f"{name}-{width}x{height}-{language}", whole)
        page.evaluate(CHOOSE, ["language", "en"])
        expect(page.locator("html[lang=en]")).to_have_count(1)
        if size is not None:
            page.set_viewport_size(size)

    def _shoot(self, page: Page, name: str, whole: bool) -> None:
        self._notes += [f"{name}: {note}" for note in flaws(page)]
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            path = self._folder / f"{name}-{scheme}.png"
            page.screenshot(path=path, animations="disabled", full_page=whole, timeout=10_000)

    def close(self) -> None:
        """Write down what was noticed."""
        (self._folder / "notes.txt").write_text("\n".join([*self._notes, ""]), encoding="utf-8")


@contextlib.contextmanager
def served(pause_ms: int, bot_pause: float = 0.05) -> Iterator[str]:
    """Start a server at a port that it finds itself; gives its address."""
    with tempfile.TemporaryDirectory() as data:
        command = [
            *(sys.executable, "-m", "tischlein", "serve", "--no-open", "--log-level", "warning"),
            *("--port", "0", "--data", data, "--bot-pause", str(bot_pause)),
            *("--set", f"race.pause_ms={pause_ms}"),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().strip()
            finally:
                process.terminate()


def set_table(host: Page, url: str, game: Game, seats: int, name: str = "Ada") -> str:
    """Open a table for friends; gives its link."""
    host.goto(url)
    host.get_by_label("Your nickname").fill(name)
    host.get_by_role("button", name=f"Invite friends: {game.title}").click()
    host.get_by_text(str(seats), exact=True).click()
    host.get_by_role("button", name="Set the table").click()
    return host.get_by_label("Send this link, or let them scan it.").input_value()


def fill(host: Page, taken: int, seats: int) -> None:
    """Put bots in the seats that are free, and start."""
    for seat in range(taken + 1, seats + 1):
        host.get_by_label(f"Bot, Seat {seat}").select_option("easy")
    host.get_by_role("button", name="Start").click()
    read_hint(host)


def pages_about(album: Album, browser: Browser, url: str) -> None:
    """Photograph what is not a game: landing, rules, a table that is gone, nobody answers."""
    page = new_page(browser)
    page.goto(url)
    page.get_by_label("Your nickname").fill("Ada")
    album.take(page, "landing", whole=True)
    page.get_by_role("button", name="Rules: Buffet").click()
    expect(page.get_by_role("heading", name="House rules at our table")).to_be_visible()
    album.take(page, "rules")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Settings").click()
    album.take(page, "settings")
    page.get_by_role("button", name="Close").click()
    for name, game in GAMES.items():
        page.get_by_role("button", name=f"Play alone: {game.title}").click()
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
        album.take(page, f"{name}-alone")
        page.get_by_role("button", name="Close").click()
    page.goto(f"{url}/t/nowhere")
    expect(page.get_by_text("This table is gone.")).to_be_visible()
    album.take(page, "gone")
    page.context.close()


def first_game(album: Album, browser: Browser, url: str, name: str) -> None:
    """Photograph every step of learning a game."""
    page = new_page(browser, phone=True)
    go_learning(page, url, name)
    for step in learn(page, name):
        page.evaluate(PAINTED)
        album.take(page, f"{name}-learn-{step.say}", LEARNING)
    page.context.close()


def lobby(album: Album, browser: Browser, url: str, name: str) -> tuple[Page, Page, Page]:
    """Photograph how a table fills; gives the host, a guest and the big screen, all in the game."""
    game = GAMES[name]
    host, guest, screen = (new_page(browser) for _ in range(3))
    host.goto(f"{url}/#new-{name}")
    expect(host.get_by_role("button", name="Set the table")).to_be_enabled()
    album.take(host, f"{name}-new", whole=True)
    link = set_table(host, url, game, 4)
    guest.goto(link)
    expect(guest.get_by_role("button", name="Sit down")).to_be_visible()
    album.take(guest, f"{name}-join", whole=True)
    join(guest, link)
    screen.goto(f"{link}?watch")
    expect(screen.get_by_text("Who sits down?")).to_be_visible()
    album.take(host, f"{name}-lobby", whole=True)
    album.take(guest, f"{name}-lobby-guest", whole=True)
    album.take(screen, f"{name}-lobby-screen", BIG)
    fill(host, 2, 4)
    read_hint(guest)
    return host, guest, screen


def play_to_the_middle(game: Game, players: tuple[Page, ...]) -> None:
    """Let two people take their turns; who is alone with bots takes half of them."""
    taken, wanted = 0, game.deeds * len(players) // 2

    def deed() -> bool:
        nonlocal taken
        done = any(game.turn(page) for page in players)
        taken += done
        return done

    until(players[0], lambda: taken >= wanted, deed)


def is_mine(page: Page) -> bool:
    """Say whether it is this person's turn, and not only until the last deed is answered."""
    turn = page.get_by_role("heading", name="Your turn!")
    if not turn.is_visible():
        return False
    page.wait_for_timeout(ANSWER_MS)
    return turn.is_visible()


def sushizock_pictures(album: Album, browser: Browser, url: str) -> None:
    """Photograph Sushizock: my turn, waiting, the big screen, the menu."""
    host, guest, screen = lobby(album, browser, url, "sushizock")
    play_to_the_middle(GAMES["sushizock"], (host, guest))
    until(host, lambda: is_mine(host), lambda: sushizock_turn(guest))
    die = host.get_by_role("button", name=re.compile(" die$"), disabled=False)
    press(host, die.first)
    album.take(host, "sushizock-mine")
    album.take(guest, "sushizock-waiting")
    album.take(screen, "sushizock-screen", BIG)
    guest.get_by_role("button", name=re.compile("^(Sushi|Bone) number 1:")).first.click()
    expect(guest.get_by_role("alert").get_by_role("button")).to_be_visible()
    album.take(guest, "sushizock-why-not", TWO[:1])
    host.get_by_role("button", name="Menu").click()
    album.take(host, "menu")
    host.get_by_role("button", name="Keys").click()
    album.take(host, "keys")
    host.get_by_role("button", name="Close").click()
    host.get_by_role("button", name=re.compile("^What happened")).click()
    album.take(host, "story")
    for page in (host, guest, screen):
        page.context.close()


def buffet_pictures(album: Album, browser: Browser, url: str) -> None:
    """Photograph Buffet: my turn, waiting with a card laid, the big screen, the exchange."""
    host, guest, screen = lobby(album, browser, url, "buffet")
    play_to_the_middle(GAMES["buffet"], (host, guest))
    lay = re.compile("^card ")
    until(
        host,
        lambda: can_lay(host) and can_lay(guest),
        lambda: (not can_lay(host) and buffet_turn(guest)) or buffet_turn(host),
    )
    host.wait_for_timeout(MOUSE_WALK_MS)
    press(host, host.get_by_role("button", name=lay).first)
    album.take(host, "buffet-mine")
    press(host, host.get_by_role("button", name=re.compile("^Lay ")))
    album.take(host, "buffet-waiting")
    album.take(screen, "buffet-screen", BIG)
    swap = re.compile("^Swap")

    def exchanging() -> bool:
        return host.get_by_role("button", name=swap).is_visible()

    until(host, exchanging, lambda: lay_low(host) or buffet_turn(guest))
    for card in host.get_by_role("button", name=lay).all()[:2]:
        press(host, card)
    album.take(host, "buffet-exchange")
    album.take(screen, "buffet-screen-exchange", BIG)
    for page in (host, guest, screen):
        page.context.close()


def can_lay(page: Page) -> bool:
    """Say whether this person is to lay a card."""
    hint = page.get_by_text("Pick a card, all show at once.")
    return hint.is_visible() and is_mine(page) and hint.is_visible()


def lay_low(page: Page) -> bool:
    """Lay the lowest card: who stays behind leaves first."""
    if press(page, page.get_by_role("button", name=re.compile("^card "), pressed=False).first):
        return press(page, page.get_by_role("button", name=re.compile("^Lay [−0-9]")))
    return False


def kakerlaken_pictures(album: Album, browser: Browser, url: str) -> None:
    """Photograph Kakerlaken: the dice on the table, the photo finish, naming the thief."""
    host, guest, screen = lobby(album, browser, url, "kakerlaken")
    grab = host.get_by_role("button", name="Grab softly", disabled=False)
    host.set_viewport_size(PHONE)
    until(host, grab.is_visible, lambda: False)
    album.take(host, "kakerlaken-race", TWO[:1])
    until(host, lambda: finished(host), lambda: race(host) or race(guest))
    album.take(host, "kakerlaken-photo")
    album.take(screen, "kakerlaken-screen-photo", BIG)
    thief = host.get_by_role("button", name="ant", exact=True, disabled=False)
    until(host, grab.is_visible, lambda: False)
    ends = time.monotonic() + 60
    while not thief.is_visible() and time.monotonic() < ends:
        if not (press(host, grab) or race(guest)):
            host.wait_for_timeout(30)
    if thief.is_visible():
        album.take(host, "kakerlaken-thief", TWO)
    for page in (host, guest, screen):
        page.context.close()


def duel(album: Album, browser: Browser, url: str) -> None:
    """Photograph the dice for as long as two people only look at them: bots would not wait."""
    host, guest, screen = (new_page(browser) for _ in range(3))
    link = set_table(host, url, GAMES["kakerlaken"], 2)
    join(guest, link)
    screen.goto(f"{link}?watch")
    fill(host, 2, 2)
    read_hint(guest)
    until(host, host.get_by_text(re.compile("^The dice show")).is_visible, lambda: False)
    album.take(screen, "kakerlaken-screen-dice", BIG)
    album.take(host, "kakerlaken-dice")
    for page in (host, guest, screen):
        page.context.close()


def finished(page: Page) -> bool:
    """Say whether the photo finish is shown."""
    return page.get_by_role("region", name="Photo finish").is_visible()


def full_table(album: Album, browser: Browser, url: str, name: str) -> None:
    """Photograph the narrowest case: every seat taken, and a name as long as may be."""
    game = GAMES[name]
    host = new_page(browser)
    set_table(host, url, game, game.most, LONG_NAME)
    fill(host, 1, game.most)
    play_to_the_middle(game, (host,))
    until(host, lambda: is_mine(host) or is_over(host), lambda: False)
    album.take(host, f"{name}-full-table", TWO)
    host.context.close()


def ending(album: Album, browser: Browser, url: str, name: str) -> None:
    """Photograph the end of a game, on a phone that was in it and on the big screen."""
    game = GAMES[name]
    host, screen = new_page(browser), new_page(browser)
    host.goto(url)
    meet_bots(host, game.title)
    read_hint(host)
    screen.goto(f"{host.url}?watch")
    until(host, lambda: is_over(host), lambda: game.turn(host))
    album.take(host, f"{name}-end")
    album.take(screen, f"{name}-screen-end", BIG)
    if name == "sushizock":
        host.set_viewport_size(PHONE)
        host.get_by_role("button", name="Check the dice").click()
        expect(host.get_by_text(re.compile("^Yes! All"))).to_be_visible()
        host.get_by_text(re.compile("^Yes! All")).scroll_into_view_if_needed()
        album.take(host, "fair-dice")
    host.get_by_role("button", name="Close").click()
    album.take(host, f"{name}-after", TWO)
    host.get_by_role("button", name="Show the result").click()
    host.get_by_role("button", name="Was it luck?").click()
    sheet = host.get_by_role("dialog", name="What the coach says")
    more = sheet.get_by_role("button", name=re.compile("^More"))
    expect(more).to_be_visible()
    album.take(host, f"{name}-coach")
    more.click()
    album.take(host, f"{name}-coach-more", TWO)
    host.context.close()
    screen.context.close()


def main(folder: Path, *languages: str) -> None:
    """Make all pictures."""
    album = Album(folder, languages or LANGUAGES)
    with open_browser() as browser:
        with served(300) as url:
            pages_about(album, browser, url)
            sushizock_pictures(album, browser, url)
            buffet_pictures(album, browser, url)
            for name in GAMES:
                first_game(album, browser, url, name)
                full_table(album, browser, url, name)
                ending(album, browser, url, name)
        with served(PAUSE_MS) as url:
            duel(album, browser, url)
            kakerlaken_pictures(album, browser, url)
    album.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"), *sys.argv[2:])
