"""[S19] in the browser: a page holds no tile that lies covered, and after the end tells all.

Two tables are played by the same moves after two deals. When only what lies covered is different,
everything that their pages hold must be the same: what they show and say, what they keep, what
they have heard since they were loaded, and every object in their memory.
"""

import asyncio
import json
import re
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import msgspec
import pytest
from playwright.sync_api import Browser, WebSocket, expect

from tests.browser.house import new_page, until
from tests.memory import Moves, replayed, twins
from tests.server.client import LIMIT, Seat, open_table, server_here, start
from tests.tables import random_game
from tischlein.game import NATURE
from tischlein.games.sushizock import rules as sushizock
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore
from tischlein.table.book import Book

T = TypeVar("T")
SEATS: Final = 2
SEED: Final = 1
MOMENT: Final = 80
"""After so many moves we look: somebody thinks, and most tiles lie in piles."""
OURS: Final = r'"(now|lag|watchers|commitment|holds)":\s*("\w+"|null|true|false|[\d.]+)|<html[^>]*>'
"""What differs between tables and times, whatever is played, also in which order it is set."""
WHOLE: Final = """() => {
  const parts = [document.documentElement.outerHTML];
  for (const one of document.querySelectorAll("*")) {
    if (one.shadowRoot) parts.push(one.shadowRoot.innerHTML);
    if ("value" in one) parts.push(String(one.value));
  }
  return parts.join("\\n");
}"""
STORES: Final = """() =>
  JSON.stringify([localStorage, sessionStorage].map((kept) => Object.entries(kept).sort()))"""
TELLING: Final = """function () {
  const plain = [Object.prototype, Array.prototype];
  const isThing = (one) => one !== null && typeof one === "object";
  const isData = (one, deep) => {
    if (!isThing(one)) return one !== undefined && typeof one !== "function";
    if (!deep || !plain.includes(Object.getPrototypeOf(one))) return false;
    const own = Object.values(Object.getOwnPropertyDescriptors(one));
    return own.every((found) => "value" in found && isData(found.value, deep - 1));
  };
  const words = ["piles", "rows", "sushi", "dice", "rolled", "tile", "row", "do", "place", "faded"];
  const tells = (one) => isThing(one)
    ? isData(one, 6) && words.some((word) => Object.hasOwn(one, word))
    : typeof one === "string" && / (takes?|steals?|rolls|keeps) /.test(one);
  const held = this.flatMap((one) => (Array.isArray(one) ? one : [one])).filter(tells);
  return [...new Set(held.map((one) => JSON.stringify(one)))].sort().join("\\n");
}"""
"""The data in a page's memory, not its program, that has to do with tiles, dice and moves."""


class Wok:
    """A server in a thread of this process, so that the test can say how the dice fall."""

    def __init__(self, data: Path) -> None:
        self._data, self._ready = data, threading.Event()
        self._loop, self._end = asyncio.new_event_loop(), asyncio.Event()
        self.people: list[Seat] = []
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        house = House(SqliteStore(self._data / "t.sqlite"), Settings(bot_pause=0.0))
        async with server_here(house) as self.url:
            self._ready.set()
            await self._end.wait()
            for seat in self.people:
                await seat.close()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(LIMIT)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Let something happen at the tables, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LIMIT)


class Look:
    """Somebody's page at a table, and all that it has heard since it was loaded."""

    def __init__(self, browser: Browser, seat: Seat, plays: bool) -> None:
        self.page, self.heard = new_page(browser), list[str]()
        self.page.on("websocket", self._listen)
        self.page.on("framenavigated", lambda _: self.heard.clear())  # a new line is no new page
        kept: dict[str, Any] = {"name": "Ada", "explain": False}
        if plays:
            kept[f"seat.{seat.table}"] = [{"seat": seat.seat, "token": seat.token}]
        for name, value in kept.items():
            entry = json.dumps([f"tischlein.{name}", json.dumps(value)])
            self.page.add_init_script(f"localStorage.setItem(...{entry})")
        self.page.goto(f"{seat.url}/t/{seat.table}{'' if plays else '?watch'}")
        until(self.page, lambda: bool(self.states), lambda: False)

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", lambda frame: self.heard.append(str(frame)))

    @property
    def states(self) -> list[dict[str, Any]]:
        """Give the states that were heard."""
        return [one for one in map(json.loads, self.heard) if one["type"] == "state"]

    def told(self) -> tuple[set[str], list[Any], list[Any]]:
        """Give the states, moves and news that were heard; how often depends on lines."""
        parts = ("seq", "view", "to_move", "legal", "scores", "over", "race")
        states = {json.dumps([one[part] for part in parts]) for one in self.states}
        news: list[Any] = []
        for one in self.states:  # a line that is lost and comes back tells the story anew
            news = one["story"] or [*news, *one["news"]]
        return states, [move for one in self.states for move in one["log"]], news

    def rows(self) -> dict[str, Any]:
        """Give the rows as they lay when the page first saw tiles."""
        return next(rows for one in self.states if (rows := one["view"]["rows"])["sushi"])

    def wait_for(self, moves: int) -> None:
        """Wait until the page has heard of so many moves, and has drawn what it heard."""
        until(self.page, lambda: [one["seq"] for one in self.states][-1:] == [moves], lambda: False)
        self.page.evaluate("new Promise(requestAnimationFrame)")

    def holds(self) -> dict[str, str]:
        """Read everything: the page with its story open, its stores, and every object in memory."""
        self.page.get_by_role("button", name=re.compile("^What happened")).click()
        expect(self.page.get_by_role("dialog", name="What happened")).to_be_visible()
        found = {
            "page": self.page.evaluate(WHOLE),
            "stores": self.page.evaluate(STORES),
            "memory": self._memory(),
        }
        self.page.get_by_role("button", name="Close").click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        return found

    def _memory(self) -> str:
        """Let the browser collect what is forgotten, and read what is still in its memory."""
        line = self.page.context.new_cdp_session(self.page)
        root = line.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]
        query = {"prototypeObjectId": root["objectId"]}
        held = line.send("Runtime.queryObjects", query)["objects"]["objectId"]
        call = {"functionDeclaration": TELLING, "returnByValue": True, "objectId": held}
        told = line.send("Runtime.callFunctionOn", call)
        line.detach()
        assert "exceptionDetails" not in told, told
        return str(told["result"]["value"])


class Played:
    """A table at which people make given moves, and nature too."""

    def __init__(self, wok: Wok, browser: Browser, moves: Moves, script: dict[str, Moves]) -> None:
        self.wok, self.moves, self.made = wok, moves, 0
        self.people = wok.do(open_table(wok.url, "sushizock", SEATS, people=SEATS))
        script[self.people[0].table] = moves
        wok.people += self.people
        for seat in self.people:
            wok.do(seat.connect())
        wok.do(start(self.people[0]))  # before the pages come: what a lobby leaves is chance
        self.looks = [Look(browser, self.people[0], plays) for plays in (True, False)]

    def play(self, moves: int) -> None:
        """Play on until so many moves are made and the pages have seen them."""
        while self.made < moves:
            by, move = self.moves[self.made]
            if by != NATURE:
                self.wok.do(self.people[int(by)].move(msgspec.to_builtins(move)))
            self.made += 1
            if self.made == len(self.moves) or self.moves[self.made][0] != NATURE:
                for seat in self.people:
                    self.wok.do(hear(seat, self.made))
        for look in self.looks:
            look.wait_for(self.made)

    def may_be_told(self) -> set[str]:
        """Write what anybody may be told now: a page may hold the frames of its last scenes.

        These are the moves, and how the dice lay since the tiles lie as they do. How many of
        them a page holds depends on how many moves came in one frame.
        """
        moves = self.moves[: self.made]
        now = seen_after(moves)
        told: list[Any] = sushizock.retold(moves, 0, now[0], None)
        for made in range(len(moves) - 1, 0, -1):
            _, view = seen_after(moves[:made])
            if (view.rows, view.piles) != (now[1].rows, now[1].piles):
                break
            told += [view, view.dice]
        return {msgspec.json.encode(one).decode() for one in told}

    def come_late(self, browser: Browser) -> list[Look]:
        """Load the player's page again, and let somebody new watch."""
        player, watcher = self.looks[0], Look(browser, self.people[0], plays=False)
        player.page.reload()
        for look in (player, watcher):
            look.wait_for(self.made)
        return [player, watcher]


def seen_after(moves: Moves) -> tuple[sushizock.State, sushizock.View]:
    """Give the state after moves, and what anybody sees of it."""
    state = replayed(SEATS, moves)
    assert state is not None
    return state, sushizock.view(state, None)


async def hear(seat: Seat, moves: int) -> None:
    """Read what a seat is told until it has heard of so many moves: nobody's line fills up."""
    if seat.state["seq"] < moves:
        await seat.until(lambda frame: frame.get("seq") == moves)


def alike(seen: dict[str, str], at: Played) -> dict[str, str]:
    """Write what was read without names of tables, tokens and times, and less the last log."""
    names = [at.people[0].table, *(str(seat.token) for seat in at.people)]
    found = {}
    for what, text in seen.items():
        for name in names:
            text = text.replace(name, "…")
        lines = re.sub(OURS, "", text).split("\n")
        found[what] = "\n".join(line for line in lines if line not in at.may_be_told())
    return found


@pytest.fixture
def wok(tmp_path: Path) -> Iterator[Wok]:
    with Wok(tmp_path) as found:
        yield found


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> dict[str, Moves]:
    """Let nature do what the test says, table by table."""
    moves: dict[str, Moves] = {}

    def scripted(book: Book, state: Any, number: int) -> Any:
        return moves[book.name][number - 1][1]

    monkeypatch.setattr(Book, "natures_move", scripted)
    return moves


def test_a_page_holds_nothing_of_what_lies_covered(
    browser: Browser, wok: Wok, script: dict[str, Moves]
) -> None:
    pair = next(p for p in twins(SEATS, SEED) if p is not None and len(p.moves[0]) == MOMENT)
    here, there = (Played(wok, browser, moves, script) for moves in pair.moves)
    for table in (here, there):
        table.play(MOMENT)
    for one, other in zip(here.looks, there.looks, strict=True):
        assert one.rows() != other.rows()  # once it could be seen
        mine, theirs = alike(one.holds(), here), alike(other.holds(), there)
        assert '"piles":[{"sushi":[null,' in mine["memory"]
        assert mine == theirs
    for one, other in zip(here.come_late(browser), there.come_late(browser), strict=True):
        mine, theirs = alike(one.holds(), here), alike(other.holds(), there)
        assert "takes a sushi." in mine["page"]
        assert mine == theirs
        assert one.told() == other.told()


def test_after_the_end_the_whole_story_is_told(
    browser: Browser, wok: Wok, script: dict[str, Moves]
) -> None:
    moves: Moves = [(by, move) for _, by, move, _ in random_game("sushizock", SEATS, SEED)]
    table = Played(wok, browser, moves, script)
    table.play(len(moves))
    claims = [move for _, move in moves if type(move) in sushizock.CLAIMS]
    player = table.looks[0]
    for _ in ("there to the end", "loaded anew"):
        player.page.get_by_role("button", name="Close").click()
        player.page.get_by_role("button", name=re.compile("^What happened")).click()
        told = player.page.get_by_role("dialog", name="What happened").get_by_role("listitem")
        expect(told).to_have_count(len(moves))
        tiles = told.filter(has_text=re.compile(r"(takes|steals|must take) .*\d\.$"))
        expect(tiles).to_have_count(len(claims))
        player = table.come_late(browser)[0]
