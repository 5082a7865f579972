"""Whole games in the house of a page, heard over its port: what they tell follows from a seed.

Played here and in the browser's Python they tell the same to the last byte. Time and chance are the
only fakes; how long a bot thinks depends on no clock at any level, so that experts play, too. Run:
`python -m tests.page.games KIND:FIRST:LAST …`, a line of JSON a game.
"""

import asyncio
import hashlib
import json
import sys
import zlib
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from tests.page.still import in_still_time, known_secrets, still_clock, still_now
from tischlein.bots import Answer, levels
from tischlein.chance import Quick, seal_of
from tischlein.game import traits
from tischlein.games import game_named
from tischlein.house.thinking import Thought
from tischlein.page.core import Core, house_in
from tischlein.page.keeping import PageStore
from tischlein.page.thinking import Here

KINDS: Final = ("sushizock", "buffet", "kakerlaken")
HOUSE_RULES: Final[Mapping[str, Sequence[dict[str, Any]]]] = {
    "sushizock": ({}, {"open_piles": True}, {"starter": 1}),
    "buffet": ({}, {"plate_values": [-3, -1, 0, 2, 4, 7]}, {"starter": 1}),
    "kakerlaken": (
        {},
        {"calm": True},
        {"young": True},
        {"race_ms": 4000, "naming_ms": 2000},
        {"calm": True, "young": True},
    ),
}
SPEEDS: Final = ("relaxed", "normal", "relaxed", "quick")
NAMES: Final = ("Ann", "Bö", "Ćel", "Dé", "Émil", "Φ")
QUICK_BOTS: Final = ("easy", "medium", "random", "medium")
HARD_EVERY: Final = 3
EXPERT_EVERY: Final = 9
SLOW_EVERY: Final = 15
MOODS: Final = ("laugh", "wow", "cry", "angry", "clap", "heart")
NONSENSE: Final = (
    {"do": "roll"},
    {"do": "steal", "from": 0, "pile": "bones"},
    {"do": "fly"},
    {"do": "play", "card": 12},
    {"do": "grab", "squeak": True, "at": 1.5},
)
LONGEST: Final = 6 * 3600.0
"""No game is longer than this, in seconds."""
LATE: Final = 25.0
"""Longer than a quick table has for a move, in seconds."""


class Plan(Struct, frozen=True):
    """How a game is set up."""

    kind: str
    number: int
    seats: int
    people: int
    bots: Mapping[str, str]
    options: Mapping[str, Any]
    speed: str
    extras: frozenset[str]
    """What else happens: words for the dice, a hint, somebody who watches or goes, the coach."""


def plan_of(kind: str, number: int) -> Plan:
    """Plan a game: seats, people, bots, house rules and speeds by turns."""
    rules = game_named(kind)
    fewest, most = rules.SEATS[0], rules.SEATS[-1]
    seats = fewest + number % (most - fewest + 1)
    people = seats if number % 7 == 6 else 1 + number // 3 % min(3, seats - 1 or 1)
    every = {"words": 3, "watch": 4, "replay": 2, "hint": 10, "coach": 40, "reads": 50, "away": 5}
    extras = frozenset(what for what, often in every.items() if number % often == often // 2)
    bots = dict(zip(map(str, range(people, seats)), bots_of(kind, number), strict=False))
    choices = HOUSE_RULES[kind]
    options = choices[number // (most - fewest + 1) % len(choices)]
    is_slow = number % SLOW_EVERY == SLOW_EVERY // 2 and "race" not in traits(rules, options)
    speed = "day" if is_slow else SPEEDS[number // 3 % 4]
    return Plan(kind, number, seats, people, bots, options, speed, extras)


def bots_of(kind: str, number: int) -> Iterator[str]:
    """Name the bots of a game, seat by seat: in some games a hard one or an expert is the first."""
    known = levels(game_named(kind))
    if number % EXPERT_EVERY == EXPERT_EVERY // 2:
        yield "expert"
    elif number % HARD_EVERY == HARD_EVERY // 2:
        yield "hard"
    for place in range(6):
        level = QUICK_BOTS[(number + place) % len(QUICK_BOTS)]
        yield level if level in known else "random"


class Noting(Here):
    """Thinks as a page does, and notes every answer."""

    def __init__(self) -> None:
        self.answers: list[str] = []

    def think(self, *what: *Thought) -> "asyncio.Future[Answer | None]":
        """Let a bot answer."""
        found = super().think(*what)
        _, game, level, turn, seed = what
        found.add_done_callback(partial(self._note, f"{game} {level} {turn.seat} {seed}"))
        return found

    def _note(self, who: str, found: "asyncio.Future[Answer | None]") -> None:
        if not found.cancelled():
            answer = found.result()
            self.answers.append(f"{who} {None if answer is None else told(answer)}")


def told(answer: Answer) -> str:
    """Write an answer down, all numbers bit for bit."""
    worth = [[in_words(move), float(share).hex()] for move, share in answer.worth]
    doubt = [float(gap).hex() for gap in answer.doubt]
    because = [answer.because, answer.fields, answer.why]
    return json.dumps([in_words(answer.move), in_words(because), worth, doubt])


def in_words(what: Any) -> str:
    """Write something down as the house does."""
    return msgspec.json.encode(what).decode()


class Page:
    """The page's side of the port: asks, opens lines, and keeps all that it is told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._core: Core | None = None
        self._calls: dict[int, asyncio.Future[Any]] = {}
        self._lines: dict[int, asyncio.Queue[dict[str, Any]]] = {}

    def told(self, text: str) -> None:
        """Hear what the core tells."""
        self.texts.append(text)
        found = json.loads(text)
        if "id" in found:
            self._calls.pop(found["id"]).set_result(found)
        elif "text" in found:
            self._lines[found["line"]].put_nowait(json.loads(found["text"]))

    def say(self, **message: Any) -> None:
        """Tell the core something."""
        assert self._core is not None
        self._core.hear(json.dumps(message))

    def reach(self, core: Core) -> None:
        """Speak to this core from now on."""
        self._core = core

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """Call, and give the answer."""
        number = len(self.texts)
        answer = self._calls[number] = asyncio.get_running_loop().create_future()
        headers = {"authorization": f"Bearer {token}"} if token else {}
        text = "" if body is None else json.dumps(body)
        self.say(id=number, method=method, path=path, headers=headers, body=text)
        found = await answer
        is_json = found["headers"]["content-type"] == "application/json"
        return json.loads(found["body"]) if is_json else found["body"]

    def line(self, number: int, table: str, heard: "asyncio.Queue[dict[str, Any]]") -> None:
        """Open a line to a table; what comes on it is heard there."""
        self._lines[number] = heard
        self.say(line=number, path=f"/api/tables/{table}/live")

    def frame(self, number: int, **frame: Any) -> None:
        """Send a frame over a line."""
        self.say(line=number, text=json.dumps(frame))


class Person:
    """Somebody with a line: looks at every state, and makes legal moves; or only watches."""

    def __init__(self, page: Page, plan: Plan, number: int, token: str | None) -> None:
        self._page, self._number, self._token = page, number, token
        self._plan = plan
        self._rng = Quick(f"{plan.kind} {plan.number} {number}")
        self._state: dict[str, Any] = {}
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._sent = 0
        self._acted: tuple[Any, ...] = ()
        self._news = asyncio.Event()
        self.has_seen_the_end = asyncio.Event()

    async def be_there(self, table: str) -> None:
        """Say hello, hear what is told, and play; until nobody needs that any more."""
        self._call(table)
        async with asyncio.TaskGroup() as work:
            work.create_task(self._hear())
            work.create_task(self._ping())
            work.create_task(self._play())
            if "away" in self._plan.extras:
                work.create_task(self._go_away(table))

    def _call(self, table: str, **known: Any) -> None:
        """Open a line, and say hello."""
        self._page.line(self._number, table, self._heard)
        token = {} if self._token is None else {"token": self._token}
        self._send(type="hello", steps=True, pings=True, reactions=True, **known, **token)

    async def _go_away(self, table: str) -> None:
        """Hang up in the middle of the game, and come back after a while."""
        await asyncio.sleep(20.0 + 10 * self._number)
        self._page.say(line=self._number, close=True)
        self._number += 10
        await asyncio.sleep(10.0)
        self._call(table, seq=self._state["seq"], game=self._state["table"]["games"])

    def _send(self, **frame: Any) -> None:
        self._page.frame(self._number, **frame)

    async def _hear(self) -> None:
        lag = 0.004 + 0.06 * self._rng.uniform()
        while True:
            found = await self._heard.get()
            if found["type"] == "state":
                self._state = found
                self._news.set()
                if found["over"]:
                    self.has_seen_the_end.set()
            elif found["type"] == "refused":
                self._news.set()
            elif found["type"] == "pong" and self._rng.below(2):
                await asyncio.sleep(lag)
                self._send(type="ping", t0=found["t0"], echo=found["t1"])

    async def _ping(self) -> None:
        while True:
            self._send(type="ping", t0=float(self._sent))
            await asyncio.sleep(7.0)

    async def _play(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            legal = self._state["legal"].get(str(self._state["seat"]), ())
            race = self._state["race"] or {}
            now = race.get("show_at"), legal and sorted(legal[0])
            if legal and (race.get("show_at") is None or now != self._acted):
                self._acted = now
                await self._move(legal, race.get("show_at"))

    async def _move(self, legal: Sequence[dict[str, Any]], shown: float | None) -> None:
        """Think for a while, perhaps for too long; ask something, feel something, and move."""
        rng, seq = self._rng, self._state["seq"]
        if rng.below(12) == 0:
            self._send(type="hold", on=True)
        late = self._plan.speed == "quick" and rng.below(25) == 0
        await asyncio.sleep(LATE if late else 0.25 + 2 * rng.uniform())
        if rng.below(8) == 0:
            move = NONSENSE[rng.below(len(NONSENSE))] if rng.below(2) else legal[0]
            self._send(type="ask", id=f"why {self._sent}", move=move)
        if rng.below(12) == 0:
            self._send(type="react", **{"with": MOODS[rng.below(len(MOODS))]})
        self._send(type="hold", on=False)
        if shown is not None and rng.below(6) == 0:
            return  # let this race pass
        if shown is None and self._state["seq"] != seq and not self._state["legal"]:
            return  # somebody was quicker
        self._sent += 1
        move = legal[rng.below(len(legal))] if rng.below(30) else NONSENSE[rng.below(5)]
        if shown is None:
            self._send(type="move", id=self._sent, move=move)
        else:
            at = 1000 * still_now() - shown + 20 * rng.uniform()
            self._send(type="move", id=self._sent, move=move | {"at": round(at, 1)}, race=shown)
        if rng.below(20) == 0:
            self._send(type="move", id=self._sent, move=move)  # the answer was lost


async def keep(changes: Mapping[int, bytes], count: int) -> None:
    """Keep nothing: what is heard and stored is what matters."""


class Played(Struct, frozen=True):
    """What a game has told: over the port, in the store, and what its bots have answered."""

    plan: Plan
    texts: list[str]
    record: list[str]
    entries: list[str]
    answers: list[str]

    def lines(self) -> Iterator[str]:
        """Give all of it."""
        for what in ("texts", "record", "entries", "answers"):
            yield from (
                f"{what} {number}: {line}" for number, line in enumerate(getattr(self, what))
            )

    def digest(self) -> dict[str, Any]:
        """Give the fingerprints of all of it, and how much it is."""
        found = {what: digest(getattr(self, what))
                 for what in ("texts", "record", "entries", "answers")}  # fmt: skip
        sizes = {
            "frames": len(self.texts),
            "thoughts": len(self.answers),
            "moves": len(self.record) - 2,
            "bytes": sum(len(line.encode()) for line in self.lines()),
        }
        name = f"{self.plan.kind} {self.plan.number}"
        about = {"game": name, "levels": sorted(self.plan.bots.values())}
        return about | found | sizes | {"whole": packed(self.lines())}


def digest(lines: Iterable[str]) -> str:
    """Give the fingerprint of some lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def packed(lines: Iterable[str]) -> str:
    """Pack lines, for who wants to look at them because their fingerprint is another one."""
    return b2a_base64(zlib.compress("\n".join(lines).encode(), 1), newline=False).decode()


def unpacked(text: str) -> list[str]:
    """Give packed lines."""
    return zlib.decompress(a2b_base64(text)).decode().split("\n")


async def play(plan: Plan) -> Played:
    """Play a game from its table to the last frame."""
    page, noting = Page(), Noting()
    store = PageStore(keep)
    core = Core(house_in(store, thinker=noting, clock=still_clock()), page.told)
    page.reach(core)
    await core.begin()
    table, tokens = await sit_down(page, plan)
    people = [Person(page, plan, seat, token) for seat, token in enumerate(tokens)]
    if "watch" in plan.extras:
        people.append(Person(page, plan, len(people), None))
    there = [asyncio.ensure_future(one.be_there(table)) for one in people]
    await start(page, plan, table, tokens)
    over = [asyncio.ensure_future(one.has_seen_the_end.wait()) for one in people]
    async with asyncio.timeout(LONGEST):
        await first_of(asyncio.gather(*over), *there)
    await look_back(page, plan, table)
    texts = list(page.texts)
    for one in there:
        one.cancel()
    await asyncio.gather(*there, return_exceptions=True)
    record, entries = await store.record(table, 1), await store.load(table)
    await core.end()
    assert record is not None
    return Played(plan, texts, record.splitlines(), [e.decode() for e in entries], noting.answers)


async def first_of(*waiting: "asyncio.Future[Any]") -> None:
    """Wait for one of them; what goes wrong in it goes wrong here."""
    done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for one in done:
        one.result()


async def sit_down(page: Page, plan: Plan) -> tuple[str, list[str]]:
    """Open the table, and take the seats of people."""
    if "reads" in plan.extras:
        about = f"/api/games/{plan.kind}"
        for path in ("/api/games", f"{about}/primer", f"{about}/words?lang=it"):
            await page.ask("GET", path)
    names = [f"{NAMES[seat]} {plan.number}" for seat in range(plan.people)]
    opened = {"game": plan.kind, "seats": plan.seats, "name": names[0], "options": plan.options,
              "bots": plan.bots, "speed": plan.speed, "hints": "hint" in plan.extras}  # fmt: skip
    held = [await page.ask("POST", "/api/tables", body=opened)]
    table = held[0]["table"]
    for name in names[1:]:
        held.append(await page.ask("POST", f"/api/tables/{table}/seats", body={"name": name}))
    return table, [one["token"] for one in held]


async def start(page: Page, plan: Plan, table: str, tokens: Sequence[str]) -> None:
    """Let the host start, after words for the dice where somebody has one."""
    at, host = f"/api/tables/{table}", tokens[0]
    word, salt = {"text": f"Wörter {plan.number}"}, {"salt": f"{plan.number:032x}"}
    if "words" in plan.extras:
        seal = {"seal": seal_of(word["text"], salt["salt"])}
        await page.ask("POST", f"{at}/contribution", host, seal)
    await page.ask("POST", f"{at}/start", host)
    if "words" in plan.extras:
        await page.ask("POST", f"{at}/contribution", host, word | salt)
    if "hint" in plan.extras:
        await page.ask("GET", f"{at}/hint?lang=de", host)


async def look_back(page: Page, plan: Plan, table: str) -> None:
    """Look at what is left of the game."""
    at = f"/api/tables/{table}"
    await page.ask("GET", at)
    await page.ask("GET", f"{at}/record")
    if "replay" in plan.extras:
        await page.ask("GET", f"{at}/replay")
    while "coach" in plan.extras and "done" in await page.ask("GET", f"{at}/coach?lang=fr"):
        await asyncio.sleep(1.0)


def played(kind: str, number: int) -> Played:
    """Play a game by its number."""
    plan = plan_of(kind, number)
    with known_secrets(f"{kind} {number}"):
        return in_still_time(partial(play, plan))


def main(*words: str) -> None:
    """Play some games, and print what they tell."""
    for kind, number in wanted(words):
        print(json.dumps(played(kind, number).digest()), flush=True)


def wanted(words: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Read which games are to be played."""
    for word in words:
        kind, first, last = word.split(":")
        yield from ((kind, number) for number in range(int(first), int(last) + 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
