"""A table of Sushizock at which all is written down."""

from typing import Any

import msgspec

from tests.memory import Moves
from tests.tables import Table
from tischlein.game import By
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.rules import State

ROWS: dict[str, Any] = {
    "sushi": [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6],
    "bones": [-1, -2, -3, -4, -1, -2, -3, -1, -2, -1, -2, -1],
    "starter": 0,
}


def told(moves: Moves, since: int, state: State, viewer: int | None = None) -> bytes:
    """Tell the moves of a game as they may be told now, to the byte."""
    return msgspec.json.encode(sushizock.retold(moves, since, state, viewer))


class Story(Table):
    """A table at which all is written down."""

    def __init__(self, seats: int = 3, **options: Any) -> None:
        super().__init__("sushizock", seats, **options)
        self.moves: Moves = []
        self.nature("deal", **ROWS)

    def do(self, by: By, what: str, **fields: Any) -> "Story":
        super().do(by, what, **fields)
        fields = {"from" if name == "frm" else name: value for name, value in fields.items()}
        self.moves.append((by, msgspec.convert({"do": what, **fields}, self.rules.Move)))
        return self

    def turn(self, dice: str, what: str, **fields: Any) -> "Story":
        """Roll once and claim; `dice` are the initials of the faces, `l` for blue."""
        names = {"s": "sushi", "b": "bones", "l": "blue", "r": "red"}
        self.nature("roll", dice=[names[die] for die in dice])
        seat = self.state.turn
        return self.do(seat, what, **fields)

    def told(self, viewer: Any = None, since: int = 0) -> list[Any]:
        """Tell the moves now, as JSON says them."""
        return list(msgspec.json.decode(told(self.moves, since, self.state, viewer)))

    def claims(self) -> list[Any]:
        """Tell only what is told of claims."""
        dice = ("deal", "roll", "keep")
        return [one["do"] for one in self.told() if one["do"] not in dice]


def three_rolls(story: Story) -> Story:
    """Roll what allows no claim: too many of what lies no more on the table."""
    seat = story.state.turn
    story.nature("roll", dice=["sushi", "sushi", "sushi", "bones", "bones"])
    story.do(seat, "keep", dice=["sushi", "sushi", "sushi"])
    story.nature("roll", dice=["bones", "bones"]).do(seat, "keep", dice=["bones"])
    story.nature("roll", dice=["bones"])
    return story
