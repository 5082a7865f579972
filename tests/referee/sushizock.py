"""Sushizock im Gockelwok by the rules [S1] to [S22]."""

import itertools
from collections import Counter
from typing import Any

SUSHI = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
BONES = [-1, -1, -1, -1, -1, -2, -2, -2, -2, -3, -3, -4]
FACES = ["sushi", "bones", "blue", "red"]
STICKS = {"sushi": "blue", "bones": "red"}


def _is_seat(found: object, seats: int) -> bool:
    """Tell whether this is the number of a seat."""
    return type(found) is int and 0 <= found < seats


def _same_numbers(found: object, wanted: list[int]) -> bool:
    """Tell whether this is a list of just these whole numbers, in any order."""
    if not isinstance(found, list) or not all(type(one) is int for one in found):
        return False
    return sorted(found) == sorted(wanted)


def header_fault(seats: int, options: dict[str, Any]) -> str:
    """Say what is wrong with the number of seats or the options, or ""."""
    if not 2 <= seats <= 5:
        return "sushizock is for 2 to 5"
    for name, value in options.items():
        if name == "starter":
            if value is not None and not _is_seat(value, seats):
                return "starter is neither null nor a seat"
        elif name == "open_piles":
            if not isinstance(value, bool):
                return "open_piles is neither true nor false"
        else:
            return f"unknown option {name}"
    return ""


class Sushizock:
    """The table: two rows, a pile of each kind for each seat, five dice."""

    def __init__(self, seats: int, options: dict[str, Any]) -> None:
        """Set up an empty table that waits for the deal."""
        self.seats = seats
        self.starter = options.get("starter")
        self.over = False
        self.dealt = False
        self.rows: dict[str, list[int]] = {"sushi": [], "bones": []}
        self.piles: list[dict[str, list[int]]] = []
        for _ in range(seats):
            self.piles.append({"sushi": [], "bones": []})
        self.turn = -1
        self.aside: list[str] = []
        self.rolled: list[str] = []
        self.rolls_made = 0
        self.to_roll = 0

    def to_move(self) -> list[int | str]:
        """Nature deals and rolls, else it is the turn's seat [S4]."""
        if self.over:
            return []
        if not self.dealt or self.to_roll > 0:
            return ["nature"]
        return [self.turn]

    def can_roll_again(self) -> bool:
        """Three rolls at most, and a die must be left after keeping one [S5] [S7] [S8]."""
        return self.rolls_made < 3 and len(self.rolled) >= 2

    def number(self, face: str) -> int:
        """Count a face over all dice, aside or just rolled [S7]."""
        return self.aside.count(face) + self.rolled.count(face)

    def can_take(self, row: str) -> bool:
        """With n dice of the kind the n-th of the row must be there [S10] [S11]."""
        return 1 <= self.number(row) <= len(self.rows[row])

    def can_steal(self, pile: str, victim: int, depth: int) -> bool:
        """Three sticks reach the top, four or five any depth of a pile [S13] [S14] [S15]."""
        sticks = self.number(STICKS[pile])
        if victim == self.turn or not 1 <= depth <= len(self.piles[victim][pile]):
            return False
        return sticks >= 4 or (sticks == 3 and depth == 1)

    def claims(self) -> list[dict[str, Any]]:
        """List every claim the dice allow [S16]."""
        found: list[dict[str, Any]] = []
        for row in ("sushi", "bones"):
            if self.can_take(row):
                found.append({"do": "take", "row": row})
        for pile in ("sushi", "bones"):
            for victim in range(self.seats):
                for depth in range(1, len(self.piles[victim][pile]) + 1):
                    if self.can_steal(pile, victim, depth):
                        found.append({"do": "steal", "pile": pile, "from": victim, "depth": depth})
        return found

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """List the claims, and the dice to keep or the forced take [S6] [S7] [S9] [S18]."""
        if seat not in self.to_move():
            return []
        found = self.claims()
        if self.can_roll_again():
            seen: list[list[str]] = []
            for many in range(1, len(self.rolled)):
                for chosen in itertools.combinations(self.rolled, many):
                    dice = sorted(chosen)
                    if dice not in seen:
                        seen.append(dice)
                        found.append({"do": "keep", "dice": dice})
        elif not found:
            found.append({"do": "forced"})
        return found

    def why_not(self, move: dict[str, Any]) -> str:
        """Say why the move is illegal, or "" if it is legal."""
        by, do = move.get("by"), move.get("do")
        if by != "nature" and not _is_seat(by, self.seats):
            return "by is neither a seat nor nature"
        if by not in self.to_move():
            return f"{by} is not to move"
        if by == "nature":
            if not self.dealt:
                return self.deal_fault(move) if do == "deal" else "the deal comes first"
            return self.roll_fault(move) if do == "roll" else "nature has to roll"
        if do == "keep":
            return self.keep_fault(move)
        if do == "take":
            row = move.get("row")
            if row not in ("sushi", "bones"):
                return "no such row"
            return "" if self.can_take(row) else "the dice do not allow it [S10] [S11]"
        if do == "steal":
            pile, victim, depth = move.get("pile"), move.get("from"), move.get("depth")
            if pile not in ("sushi", "bones"):
                return "no such pile"
            if not _is_seat(victim, self.seats) or type(victim) is not int:
                return "from is not a seat"
            if type(depth) is not int:
                return "depth is not a whole number"
            return "" if self.can_steal(pile, victim, depth) else "no such steal [S13] to [S15]"
        if do == "forced":
            if self.can_roll_again():
                return "a roll is left [S18]"
            return "something can be claimed [S18]" if self.claims() else ""
        return "no such move"

    def deal_fault(self, move: dict[str, Any]) -> str:
        """Check the tiles and the starter of the deal [S2] [S3] [S4]."""
        if not _same_numbers(move.get("sushi"), SUSHI):
            return "these are not the 12 sushi"
        if not _same_numbers(move.get("bones"), BONES):
            return "these are not the 12 bones"
        if not _is_seat(move.get("starter"), self.seats):
            return "the starter is not a seat"
        if self.starter is not None and move.get("starter") != self.starter:
            return "the options name another starter"
        return ""

    def roll_fault(self, move: dict[str, Any]) -> str:
        """Check that as many dice are rolled as there are to roll [S1] [S5] [S7]."""
        dice = move.get("dice")
        if not isinstance(dice, list) or not all(die in FACES for die in dice):
            return "dice is not a list of faces"
        return "" if len(dice) == self.to_roll else f"{self.to_roll} dice are to be rolled"

    def keep_fault(self, move: dict[str, Any]) -> str:
        """Some of the dice just rolled, at least one and not all [S7] [S8]."""
        dice = move.get("dice")
        if not isinstance(dice, list) or not all(die in FACES for die in dice):
            return "dice is not a list of faces"
        if not self.can_roll_again():
            return "no roll is left [S5] [S8]"
        if len(dice) == 0:
            return "at least one die is set aside [S7]"
        if Counter(dice) - Counter(self.rolled):
            return "not among the dice just rolled [S7]"
        return "all dice aside leave none to roll" if len(dice) == len(self.rolled) else ""

    def carry_out(self, move: dict[str, Any]) -> None:
        """Carry out a legal move."""
        if move["do"] == "deal":
            self.rows = {"sushi": list(move["sushi"]), "bones": list(move["bones"])}
            self.dealt = True
            self.begin_turn(move["starter"])
        elif move["do"] == "roll":
            self.rolled = list(move["dice"])
            self.rolls_made += 1
            self.to_roll = 0
        elif move["do"] == "keep":
            for die in move["dice"]:
                self.rolled.remove(die)
                self.aside.append(die)
            self.to_roll = len(self.rolled)
            self.rolled = []
        elif move["do"] == "take":
            self.take(move["row"], self.number(move["row"]) - 1)
        elif move["do"] == "steal":
            pile = self.piles[move["from"]][move["pile"]]
            tile = pile.pop(len(pile) - move["depth"])
            self.piles[self.turn][move["pile"]].append(tile)
            self.begin_turn((self.turn + 1) % self.seats)
        elif self.rows["bones"]:
            self.take("bones", self.rows["bones"].index(min(self.rows["bones"])))
        else:
            self.take("sushi", self.rows["sushi"].index(min(self.rows["sushi"])))

    def take(self, row: str, place: int) -> None:
        """Move a tile of a row on top of one's pile; the last one ends the game [S12] [S20]."""
        self.piles[self.turn][row].append(self.rows[row].pop(place))
        if not self.rows["sushi"] and not self.rows["bones"]:
            self.over = True
        else:
            self.begin_turn((self.turn + 1) % self.seats)

    def begin_turn(self, seat: int) -> None:
        """Give all five dice to a seat [S5]."""
        self.turn = seat
        self.aside = []
        self.rolled = []
        self.rolls_made = 0
        self.to_roll = 5

    def scores(self) -> list[int]:
        """Sushi as high as the bones reach, and all bones [S21] [S22]."""
        found = []
        for piles in self.piles:
            counted = piles["sushi"][: len(piles["bones"])]
            found.append(sum(counted) + sum(piles["bones"]))
        return found

    def winners(self) -> list[int]:
        """Most points; equal scores share [S22]."""
        if not self.over:
            return []
        scores = self.scores()
        return [seat for seat in range(self.seats) if scores[seat] == max(scores)]

    def view(self) -> dict[str, Any]:
        """Show everything."""
        rolls_left = 3 - self.rolls_made
        if self.to_roll == 0 and not self.can_roll_again():
            rolls_left = 0
        return {
            "rows": {row: list(tiles) for row, tiles in self.rows.items()},
            "piles": [{kind: list(pile[kind]) for kind in pile} for pile in self.piles],
            "dice": {
                "aside": list(self.aside),
                "rolled": list(self.rolled),
                "rolls_left": rolls_left,
            },
            "turn": self.turn if self.dealt else None,
        }
