"""A table as a test wants it: a real page, whose line tells what the test says."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx
from playwright.sync_api import Page, WebSocketRoute

from tests.browser.house import House

FULL: Final[dict[str, list[int]]] = {
    "sushi": [5, 1, 6, 2, 4, 3, 6, 1, 5, 2, 4, 3],
    "bones": [-1, -2, -4, -1, -3, -2, -1, -1, -3, -2, -1, -2],
}
NAMES: Final = ("Ada", "Bartholomew", "Cleo", "Wilhelmine", "Edi")


def pile(high: int, top: int) -> list[int | None]:
    """Make a pile of covered tiles and one to be seen."""
    return [*[None] * (high - 1), top] if high else []


def piles(seats: int, high: int = 3) -> list[dict[str, list[int | None]]]:
    """Make piles for everybody."""
    return [{"sushi": pile(high + seat % 2, 6 - seat), "bones": pile(high, -4 + seat % 4)}
            for seat in range(seats)]  # fmt: skip


def dice(rolled: Sequence[str], aside: Sequence[str] = (), left: int = 2) -> dict[str, Any]:
    """Make the dice of a turn."""
    return {"aside": list(aside), "rolled": list(rolled), "rolls_left": left}


class Staged:
    """A page whose line is in the test's hand: what it hears, and what it wants to play."""

    def __init__(self, page: Page, house: House, seats: int, watch: bool = False, **kept: Any):
        self.page, self.seats, self.watch = page, seats, watch
        self.names = (str(kept.get("name", NAMES[0])), *NAMES[1:])
        self.wanted: list[dict[str, Any]] = []
        self._line: WebSocketRoute | None = None
        self._first: dict[str, Any] = {}
        self._now: dict[str, Any] = {}
        self._open(house.url, {"name": "Ada", "explain": False, "pace": "none"} | kept)

    def _open(self, url: str, kept: Mapping[str, Any]) -> None:
        bots = {str(seat): "easy" for seat in range(1, self.seats)}
        body = {"game": "sushizock", "seats": self.seats, "name": "Ada", "bots": bots}
        held = httpx.post(f"{url}/api/tables", json=body, trust_env=False).json()
        bearer = {"Authorization": f"Bearer {held['token']}"}
        httpx.post(f"{url}/api/tables/{held['table']}/start", headers=bearer, trust_env=False)
        seat = [{"seat": held["seat"], "token": held["token"]}]
        known = dict(kept) if self.watch else dict(kept) | {f"seat.{held['table']}": seat}
        for name, value in known.items():
            entry = json.dumps([f"tischlein.{name}", json.dumps(value)])
            self.page.add_init_script(f"localStorage.setItem(...{entry})")
        self.address = f"{url}/t/{held['table']}{'?watch' if self.watch else ''}"
        self.page.route_web_socket("**/live", self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        self._line = line

        def from_server(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["type"] != "state":
                line.send(text)
            elif not self._first:  # what its bots do meanwhile is nobody's business
                self._first = frame
                self._send()

        def from_page(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["type"] in ("move", "ask"):
                self.wanted.append(frame)
            else:
                server.send(text)

        server.on_message(from_server)
        line.on_message(from_page)

    def _send(self) -> None:
        if self._line is None or not self._first or not self._now:
            return
        table = self._first["table"]
        people = [
            seat | {"name": name, "bot": None, "here": True}
            for seat, name in zip(table["seats"], self.names, strict=False)
        ]
        frame = self._first | {"table": table | {"seats": people}, "clocks": {}} | self._now
        self._line.send(json.dumps(frame))

    def show(
        self, view: dict[str, Any], legal: Sequence[object] = (), seen: str = ".board", **more: Any
    ) -> None:
        """Let the page hear how the table is now, and what its seat may do, until it is seen."""
        whole = {"rows": FULL, "piles": piles(self.seats), "turn": 0, "options": {}} | view
        may = {"0": list(legal)} if legal and not self.watch else {}
        seq = self._now.get("seq", 20) + 1
        now = self._first.get("now", 0) + seq
        self._now = {"now": now, "seq": seq, "view": whole, "legal": may, "log": [], "news": [],
                     "story": None, "to_move": [whole["turn"]]} | more  # fmt: skip
        if self.page.url == "about:blank":
            self.page.goto(self.address)
        else:
            self._send()
        self.page.locator(seen).first.wait_for()

    def tell(self, steps: Sequence[dict[str, Any]], legal: Sequence[object] = ()) -> None:
        """Let the page hear of moves, one after another; each step is as the server sends it."""
        view: dict[str, Any] = self._now["view"]
        whole: list[dict[str, Any]] = []
        for step in steps:
            view = view | step["view"]
            whole.append({"to_move": [0]} | step | {"view": view})
        news = [one for step in whole for one in step["news"]]
        self.show(view, legal, steps=whole, news=news, to_move=whole[-1]["to_move"])
