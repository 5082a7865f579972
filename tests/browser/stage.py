"""A table of Kakerlaken that stands still: a real frame, shown as it would be at any moment."""

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.house import House, new_page, until
from tischlein.games.kakerlaken.rules import THIEF_OF

Frame = dict[str, Any]
THIEVES: Final = ("ant", "cockroach", "rat")
OWNERS: Final = (0, None, 1, None, 0, 2, None, None, 0)
"""Who has won which place of the circle; the seats that a table has not are nobody."""


class Stage:
    """One player's page, and what it is shown."""

    def __init__(
        self, browser: Browser, house: House, seats: int, language: str = "en-GB", **options: object
    ) -> None:
        self.page = new_page(browser, language)
        self.said: list[Frame] = []
        wish = {"game": "kakerlaken", "seats": seats, "name": "Maximiliane", "options": options}
        wish["bots"] = {str(seat): "random" for seat in range(1, seats)}
        self.page.goto(house.url)
        held = self.page.request.post(f"{house.url}/api/tables", data=wish).json()
        kept = json.dumps({"seat": held["seat"], "token": held["token"]})
        self.page.evaluate(
            "([table, kept]) => localStorage[`tischlein.seat.${table}`] = kept",
            [held["table"], kept],
        )
        self.page.evaluate("localStorage['tischlein.explain'] = 'false'")
        self.page.route_web_socket("**/live", self._listen)
        self._frame: Frame = {}
        self._begins = True
        self.page.goto(f"{house.url}/t/{held['table']}")
        self.page.locator("button.main").first.click()
        expect(self.page.locator(".board")).to_be_visible()

    def _listen(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        self._line = line
        if self._begins:
            self._frame, self._begins = {}, False

        def send(text: str | bytes) -> None:
            self.said.append(json.loads(text))
            server.send(text)

        def hear(text: str | bytes) -> None:
            if line is not self._line:
                return  # a page that is gone
            told = json.loads(text)
            playing = told["type"] == "state" and told["table"]["phase"] == "playing"
            if playing and not self._frame:
                self._frame = told
                self.show()
            elif told["type"] == "pong" or (told["type"] == "state" and not self._frame):
                line.send(text)  # a line that says nothing is given up

        line.on_message(send)
        server.on_message(hear)

    def moves(self, count: int) -> list[Frame]:
        """Wait for so many moves of the player, and give them all."""

        def made() -> list[Frame]:
            return [said["move"] for said in self.said if said["type"] == "move"]

        until(self.page, lambda: len(made()) >= count, lambda: False)
        return made()

    def show(self, **view: object) -> None:
        """Show the table with this in its view, on nobody's turn."""
        self.send(self.dressed(**view))

    def send(self, frame: Frame) -> None:
        """Let the page see a frame."""
        self._line.send(json.dumps(frame))

    def dressed(self, **view: object) -> Frame:
        """Give a frame in the middle of a game."""
        frame = deepcopy(self._frame)
        frame |= {"legal": {}, "to_move": [], "clocks": {}, "news": [], "steps": [], "story": None}
        frame["race"] = {"show_at": None, "photo": None}
        seats = len(frame["table"]["seats"])
        for shown, owner in zip(frame["view"]["circle"], OWNERS, strict=True):
            won = owner is not None and owner < seats
            thief = THIEF_OF[tuple(shown["tile"])] if won else None
            side = "thief" if won else "plate"
            shown |= {"owner": owner if won else None, "side": side, "thief": thief}
        none: Frame = {"roll": None, "last": None, "acted": [], "owing": [], "deeds": {}}
        frame["view"] |= none | {"coins": [2, 1, 0, 3, 1][:seats]} | view
        return frame

    def tile(self, place: int) -> list[str]:
        """Give the tile of a place of the circle, from 1."""
        found: list[str] = self._frame["view"]["circle"][place - 1]["tile"]
        return found

    def race(self, roll: list[str], naming: bool = False, calm: bool = False) -> None:
        """Let the dice fall, or be about to name the thief."""
        frame = self.dressed(roll=roll, acted=[0] if naming else [])
        middle = [one["tile"] for one in frame["view"]["circle"] if one["owner"] is None]
        deeds: list[Frame] = [{"do": "slap", "tile": tile} for tile in middle]
        deeds += [{"do": "grab", "squeak": squeak} for squeak in (False, True)]
        deeds += [{"do": "pass"}] if calm else []
        names = [{"do": "name", "thief": thief} for thief in THIEVES]
        frame["legal"] = {"0": names if naming else deeds}
        frame["to_move"] = list(range(len(frame["view"]["coins"])))
        frame["race"] = None if calm else {"show_at": frame["now"], "photo": None}
        frame["view"]["options"]["calm"] = calm
        self.send(frame)

    def decided(self) -> None:
        """Let this player have decided, where no clock runs."""
        frame = self.dressed(roll=self.tile(3), acted=[0])
        frame["to_move"] = list(range(1, len(frame["view"]["coins"])))
        frame["race"], frame["view"]["options"]["calm"] = None, True
        self.send(frame)

    def again(self) -> None:
        """Load the page anew."""
        self._begins = True
        self.page.reload()
        expect(self.page.locator(".board")).to_be_visible()

    def finish(self) -> None:
        """Show a photo finish: the first wins, the second was quicker and wrong, one grabbed."""
        roll, wrong = self.tile(1), self.tile(2)
        done: list[tuple[Frame, str]] = [
            ({"at": 812.0, "tile": roll}, "right_first"),
            ({"at": 640.0, "tile": wrong}, "wrong_tile"),
            ({"at": 905.0, "squeak": False}, "grab_instead_of_slap"),
            ({"at": 1310.0, "tile": roll}, "right_later"),
            ({"at": 1400.0, "tile": roll}, "right_later"),
        ]
        frame = self.dressed()
        seats = len(frame["view"]["coins"])
        frame["view"]["last"] = self._over(done[:seats])
        facts = {"lag": 31.0, "uncertainty": 4.0, "handicap": 0.0, "window": 0.0, "odd": []}
        frame["race"]["photo"] = [
            {"seat": at, "do": "slap" if "tile" in deed else "grab", "claimed": deed["at"]}
            | deed
            | facts
            for at, (deed, _) in enumerate(done[:seats])
        ]
        self.send(frame)

    def _over(self, done: Sequence[tuple[Frame, str]] = ()) -> Frame:
        """Give a race that is over, by what was done and why it was right or wrong."""
        return {
            "roll": self.tile(1),
            "deeds": [deed for deed, _ in done],
            "verdicts": [{"good": why == "right_first", "why": why} for _, why in done],
            "outcome": "tile_won",
            "seat": 0,
            "owner": None,
            "owing": [],
        }

    def give(self) -> None:
        """Let a tile be given back for a wrong grab."""
        frame = self.dressed(owing=[0], last=self._over())
        own = [one["tile"] for one in frame["view"]["circle"] if one["owner"] == 0]
        frame["legal"] = {"0": [{"do": "give", "tile": tile} for tile in own]}
        frame["to_move"] = [0]
        self.send(frame)
