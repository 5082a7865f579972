"""Kakerlaken Sushi by the rules [K1] to [K24]."""

import math
from typing import Any

SYMBOLS = ["chopsticks", "rice", "sushi"]
COLOURS = ["red", "green", "yellow"]
TILES = [[symbol, colour] for symbol in SYMBOLS for colour in COLOURS]
THIEVES = ["ant", "cockroach", "rat"]
ON_TILE = {  # [K3]
    "chopsticks": {"red": "ant", "green": "cockroach", "yellow": "rat"},
    "rice": {"red": "cockroach", "green": "rat", "yellow": "ant"},
    "sushi": {"red": "rat", "green": "ant", "yellow": "cockroach"},
}
MOST_TILES = 5
COINS_TO_WIN = 4


def _is_seat(found: object, seats: int) -> bool:
    """Tell whether this is the number of a seat."""
    return type(found) is int and 0 <= found < seats


def _is_time(found: object) -> bool:
    """Tell whether this is a finite number that is not negative."""
    if type(found) is not int and type(found) is not float:
        return False
    try:
        return math.isfinite(found) and found >= 0
    except OverflowError:
        return False


def header_fault(seats: int, options: dict[str, Any]) -> str:
    """Say what is wrong with the number of seats or the options, or ""."""
    if not 2 <= seats <= 5:
        return "kakerlaken is for 2 to 5"
    for name, value in options.items():
        if name == "starter":
            if value is not None and not _is_seat(value, seats):
                return "starter is neither null nor a seat"
        elif name in ("young", "calm"):
            if not isinstance(value, bool):
                return f"{name} is neither true nor false"
        elif name in ("race_ms", "naming_ms"):
            if type(value) is not int or value < 1000 or value > 60000:
                return f"{name} is not between 1000 and 60000"
        else:
            return f"unknown option {name}"
    return ""


class Kakerlaken:
    """The table: the circle of tiles, who has which, coins, and the race."""

    def __init__(self, seats: int, options: dict[str, Any]) -> None:
        """Set up an empty table that waits for the deal."""
        self.seats = seats
        self.starter = options.get("starter")
        self.young = options.get("young", False)
        self.calm = options.get("calm", False)
        self.race_ms = options.get("race_ms", 8000)
        self.naming_ms = options.get("naming_ms", 3000)
        self.over = False
        self.circle: list[list[str]] = []
        self.owners: list[int | None] = []  # by place in the circle; None: in the middle
        self.coins = [0] * seats
        self.roller = -1
        self.roll: list[str] | None = None
        self.racing = False
        self.deeds: dict[int, dict[str, Any]] = {}  # the slap or grab of each seat
        self.names: dict[int, dict[str, Any]] = {}  # the naming after a grab
        self.owing: list[int] = []  # who has to give a tile back [K10]

    def middle(self) -> list[list[str]]:
        """List the tiles in the middle, in the order of the circle."""
        return [tile for tile, owner in zip(self.circle, self.owners, strict=True) if owner is None]

    def tiles_of(self, seat: int) -> list[list[str]]:
        """List the tiles in front of a seat, in the order of the circle."""
        return [tile for tile, owner in zip(self.circle, self.owners, strict=True) if owner == seat]

    def may_name(self, seat: int) -> bool:
        """Tell whether a seat has grabbed and not yet named [K13]."""
        return seat in self.deeds and self.deeds[seat]["do"] == "grab" and seat not in self.names

    def to_move(self) -> list[int | str]:
        """Nature deals, rolls, closes a race; seats race at once, and give tiles back."""
        if self.over:
            return []
        found: list[int | str] = []
        if self.owing:
            found.extend(sorted(self.owing))
            return found
        if self.racing:
            for seat in range(self.seats):
                if seat not in self.deeds or self.may_name(seat):
                    found.append(seat)
            if self.calm:
                return found  # nobody closes it but the players [K24]
        found.append("nature")
        return found

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """List a seat's moves, those of the race without their time."""
        if seat not in self.to_move():
            return []
        if self.owing:
            return [{"do": "give", "tile": list(tile)} for tile in self.tiles_of(seat)]
        if self.may_name(seat):
            return [{"do": "name", "thief": thief} for thief in THIEVES]
        found: list[dict[str, Any]] = []
        for tile in self.middle():
            found.append({"do": "slap", "tile": list(tile)})
        found.append({"do": "grab", "squeak": False})
        found.append({"do": "grab", "squeak": True})
        if self.calm:
            found.append({"do": "pass"})
        return found

    def why_not(self, move: dict[str, Any]) -> str:
        """Say why the move is illegal, or "" if it is legal."""
        by, do = move.get("by"), move.get("do")
        if by != "nature" and not _is_seat(by, self.seats):
            return "by is neither a seat nor nature"
        if by not in self.to_move():
            return f"{by} is not to move"
        if by == "nature":
            return self.nature_fault(move)
        seat = int(str(by))
        if self.owing:
            if do != "give":
                return "a tile is to be given back [K10]"
            return "" if move.get("tile") in self.tiles_of(seat) else "not one of their tiles"
        if do not in ("slap", "grab", "name", "pass") or (do == "pass" and not self.calm):
            return "no such move in a race"
        if not self.calm:
            late = self.time_fault(move, seat)
            if late:
                return late
        if self.may_name(seat):
            if do != "name":
                return "one deed a roll [K6]"
            return "" if move.get("thief") in THIEVES else "no such thief"
        if do == "name":
            return "only who has grabbed names [K13]"
        if do == "pass":
            return ""
        if do == "grab":
            return "" if isinstance(move.get("squeak"), bool) else "squeak is true or false"
        return "" if move.get("tile") in self.middle() else "not a tile in the middle"

    def time_fault(self, move: dict[str, Any], seat: int) -> str:
        """Check the time of a deed, where a clock runs [K6] [K8] [K13]."""
        if not _is_time(move.get("at")):
            return "at is not a time"
        if self.may_name(seat):
            return "" if move["at"] >= self.deeds[seat]["at"] else "named before the grab"
        return "the time for the roll is up [K8]" if move["at"] > self.race_ms else ""

    def nature_fault(self, move: dict[str, Any]) -> str:
        """Check a deal, a roll or the end of a race [K1] [K5] [K8]."""
        if not self.circle:
            if move.get("do") != "deal":
                return "the deal comes first"
            circle = move.get("circle")
            if not isinstance(circle, list) or len(circle) != 9:
                return "circle is not a list of nine tiles"
            if not all(tile in circle for tile in TILES):
                return "these are not the nine tiles"
            if not _is_seat(move.get("starter"), self.seats):
                return "the starter is not a seat"
            if self.starter is not None and move.get("starter") != self.starter:
                return "the options name another starter"
            return ""
        if self.racing:
            return "" if move.get("do") == "time" else "the race is open"
        if move.get("do") != "roll":
            return "nature has to roll"
        if move.get("symbol") not in SYMBOLS or move.get("colour") not in COLOURS:
            return "no such dice"
        return ""

    def carry_out(self, move: dict[str, Any]) -> None:
        """Carry out a legal move."""
        if move["do"] == "deal":
            self.circle = [list(tile) for tile in move["circle"]]
            self.owners = [None] * 9
            self.roller = move["starter"]
        elif move["do"] == "roll":
            self.roll = [move["symbol"], move["colour"]]
            self.racing = True
        elif move["do"] == "time":
            self.close()
        elif move["do"] == "give":
            self.owners[self.circle.index(move["tile"])] = None
            self.owing.remove(move["by"])
            if not self.owing:
                self.next_roller()
        else:
            deed = {**move, "at": 0} if self.calm else dict(move)  # all times are equal [K24]
            if move["do"] == "name":
                self.names[move["by"]] = deed
            else:
                self.deeds[move["by"]] = deed
            if self.to_move() in ([], ["nature"]):
                self.close()

    def quickest(self, seats: list[int]) -> int:
        """Pick the least time; of equals the first clockwise, left of the roller first [K7]."""
        best = min(self.deeds[seat]["at"] for seat in seats)
        seat = (self.roller + 1) % self.seats
        while seat not in seats or self.deeds[seat]["at"] != best:
            seat = (seat + 1) % self.seats
        return seat

    def close(self) -> None:
        """Settle the race [K8]."""
        assert self.roll is not None
        self.racing = False
        place = self.circle.index(self.roll)
        grabbers = [seat for seat in self.deeds if self.deeds[seat]["do"] == "grab"]
        owner = self.owners[place]
        if owner is None:
            right = []
            for seat, deed in self.deeds.items():
                if deed["do"] == "slap" and deed["tile"] == self.roll:
                    right.append(seat)
            if grabbers:
                pays = self.quickest(grabbers)
                too_late = bool(right) and self.quickest([pays, *right]) != pays  # [K8]
                if self.tiles_of(pays) and not too_late:
                    self.owing = [pays]  # [K10]
            if right:
                self.hand_over(place, self.quickest(right))
        elif grabbers:
            self.settle_grab(place, owner, self.quickest(grabbers))
        else:
            self.owners[place] = None  # [K18]
        if self.over or not self.owing:
            self.next_roller()

    def hand_over(self, place: int, seat: int) -> None:
        """Lay a tile in front of a seat; a sixth goes to the middle [K9] [K16] [K19]."""
        if len(self.tiles_of(seat)) < MOST_TILES:
            self.owners[place] = seat
        else:
            self.owners[place] = None

    def settle_grab(self, place: int, owner: int, grabber: int) -> None:
        """Judge the squeak and the name of the quickest grabber [K12] to [K17]."""
        symbol, colour = self.circle[place]
        deed = self.deeds[grabber]
        named = False
        if grabber in self.names:
            name = self.names[grabber]
            in_time = name["at"] - deed["at"] <= self.naming_ms
            named = in_time and name["thief"] == ON_TILE[symbol][colour]
        if grabber == owner:
            if named and deed["squeak"]:
                self.coins[owner] += 1
            self.owners[place] = None
        elif named and not deed["squeak"]:
            self.hand_over(place, grabber)
        else:
            self.coins[owner] += 1
            self.owners[place] = None
        self.over = COINS_TO_WIN in self.coins

    def next_roller(self) -> None:
        """Clear the race away; the next player rolls [K5]."""
        self.roll = None
        self.deeds = {}
        self.names = {}
        self.roller = (self.roller + 1) % self.seats

    def scores(self) -> list[int]:
        """Count the coins."""
        return list(self.coins)

    def winners(self) -> list[int]:
        """Four coins win [K21]."""
        if not self.over:
            return []
        return [seat for seat in range(self.seats) if self.coins[seat] >= COINS_TO_WIN]

    def view(self) -> dict[str, Any]:
        """Show everything."""
        circle = []
        for tile, owner in zip(self.circle, self.owners, strict=True):
            shows_thief = self.young or owner is not None
            circle.append(
                {
                    "tile": list(tile),
                    "side": "thief" if shows_thief else "plate",
                    "thief": ON_TILE[tile[0]][tile[1]],
                    "owner": owner,
                }
            )
        return {
            "circle": circle,
            "coins": list(self.coins),
            "roller": self.roller if self.circle else None,
            "roll": list(self.roll) if self.roll is not None else None,
            "acted": sorted(self.deeds),
        }
