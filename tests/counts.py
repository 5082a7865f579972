"""Counts as truth: how many ways a game can go in its first moves after a fixed deal.

Equal rolls count once, race moves without regard to their time. Write the table anew with
`python -m tests.counts`; another implementation can use `tests/data/counts.json` as it is.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from tischlein import game_named
from tischlein.chance import Quick
from tischlein.game import NATURE, AnyGame, By
from tischlein.games.buffet.rules import CARDS, Options, all_plates
from tischlein.games.kakerlaken.rules import TILES
from tischlein.games.sushizock.rules import BONES, SUSHI

FILE = Path(__file__).parent / "data" / "counts.json"
DEALS: dict[str, dict[str, Any]] = {
    "sushizock": {"do": "deal", "sushi": SUSHI, "bones": BONES, "starter": 0},
    "buffet": {
        "do": "deal",
        # every hand is 1 to 9, so that the counts tell levels from places
        "cards": [*list(range(1, 10)) * 6, *[-1] * 10, *[0] * 10, *list(range(1, 10)) * 4],
        "plates": all_plates(Options()),
        "starter": 0,
    },
    "kakerlaken": {"do": "deal", "circle": TILES, "starter": 0},
}
DEPTHS = {"sushizock": 4, "buffet": 4, "kakerlaken": 5}
assert sorted(DEALS["buffet"]["cards"]) == sorted(CARDS)


def dealt(name: str, seats: int) -> Any:
    """Give the position after the fixed deal."""
    rules = game_named(name)
    deal = msgspec.convert(DEALS[name], rules.Move)
    return rules.play(rules.start(seats), NATURE, deal)


def ways(rules: AnyGame, state: Any) -> list[tuple[By, Any]]:
    """List every move that somebody can make now; in a race each at its own second."""
    found: list[tuple[By, Any]] = []
    for by in rules.to_move(state):
        if by != NATURE:
            found += [(by, move) for move in rules.legal(state, int(by))]
        elif rules.chances(state):
            found += [(by, move) for move, _ in rules.chances(state)]
        else:
            found.append((by, rules.draw(state, Quick(1))))  # the clock, which chance leaves alone
    return found


def count(rules: AnyGame, state: Any, depth: int) -> int:
    """Count the sequences of moves of some length."""
    if depth == 1:
        return len(ways(rules, state))
    total = 0
    for by, move in ways(rules, state):
        stamped = (
            msgspec.structs.replace(move, at=float(9 - depth)) if hasattr(move, "at") else move
        )
        total += count(rules, rules.play(state, by, stamped), depth - 1)
    return total


def table() -> dict[str, dict[str, list[int]]]:
    """Count for every game and number of seats, depth by depth."""
    counts: dict[str, dict[str, list[int]]] = {}
    for name, depth in DEPTHS.items():
        rules = game_named(name)
        counts[name] = {}
        for seats in (rules.SEATS[0], rules.SEATS[-1]):
            # deep counts grow by the seats; a smaller depth keeps the largest table quick
            deepest = depth if seats == rules.SEATS[0] or name == "sushizock" else depth - 2
            state = dealt(name, seats)
            counts[name][str(seats)] = [count(rules, state, d) for d in range(1, deepest + 1)]
    return counts


if __name__ == "__main__":
    FILE.write_text(json.dumps(table(), indent=1) + "\n")
