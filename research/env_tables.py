"""The tables of docs/research.md: actions, observations and parameters, made from the code.

`python -m research.env_tables` writes them anew between their marks; a test compares.
"""

from pathlib import Path
from typing import Any

from research.docs import filled
from tischlein.envs import open_spiel
from tischlein.envs.games import env_names, process_of, title
from tischlein.envs.process import Process
from tischlein.games import game_named

PAGE = Path(__file__).parent.parent / "docs" / "research.md"


def blocks() -> dict[str, str]:
    """Make all tables of the page."""
    made = {"versions": versions()}
    for name in env_names():
        kind = process_of(name)
        made[f"{name}_layout"] = layout(kind)
        made[f"{name}_actions"] = actions(kind)
        made[f"{name}_parameters"] = parameters(name)
    return made


def table(*rows: tuple[object, ...]) -> str:
    """Write a table; its first row is the head."""
    lines = [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def versions() -> str:
    """List the environments with their versions and sizes."""
    rows: list[tuple[object, ...]] = [
        ("environment", "OpenSpiel", "seats", "numbers in an observation", "actions")
    ]
    for name in env_names():
        kind = process_of(name)
        seats = game_named(name).SEATS
        sizes = [str(kind.make_layout(n).size) for n in seats]
        counts = [str(len(kind.action_labels(n))) for n in seats]
        how_many = ", ".join(dict.fromkeys(counts))
        rows.append(
            (f"`{title(kind)}`", f"`tischlein_{name}`", ", ".join(map(str, seats)),
             ", ".join(sizes), how_many)
        )  # fmt: skip
    return table(*rows)


def layout(kind: type[Process]) -> str:
    """List the blocks of an observation with their indices, for each number of seats."""
    every = game_named(kind.name).SEATS
    layouts = {n: kind.make_layout(n) for n in every}
    rows: list[tuple[object, ...]] = [
        ("block", *(f"at {n} seats" for n in every), "shape", "from", "to", "meaning")
    ]
    starts = dict.fromkeys(every, 0)
    for at, block in enumerate(layouts[every[0]].blocks):
        places = []
        for n in every:
            size = layouts[n].blocks[at].size
            last = starts[n] + size - 1
            places.append(f"{starts[n]}–{last}" if size > 1 else str(last))
            starts[n] += size
        shape = shape_in_words(block.shape, layouts[every[1]].blocks[at].shape, every[0])
        rows.append((f"`{block.name}`", *places, shape, block.low, block.high, block.meaning))
    return table(*rows)


def shape_in_words(shape: tuple[int, ...], with_one_more: tuple[int, ...], seats: int) -> str:
    """Write a shape; what grows with the table is called by the number of seats."""
    words = {seats: "seats", seats + 1: "(seats + 1)"}
    both = zip(shape, with_one_more, strict=True)
    return " × ".join(str(size) if size == larger else words[size] for size, larger in both)


def actions(kind: type[Process]) -> str:
    """List the numbers of all actions, what is alike in one row."""
    labels = kind.action_labels(game_named(kind.name).SEATS[-1])
    rows: list[tuple[object, ...]] = [("numbers", "actions")]
    groups: list[tuple[str, list[str]]] = []
    for label in labels:
        head = group_of(label)
        if not groups or groups[-1][0] != head:
            groups.append((head, []))
        groups[-1][1].append(label)
    at = 0
    for _, members in groups:
        last = at + len(members) - 1
        shown = ", ".join(members) if len(members) < 12 else f"{members[0]}, … {members[-1]}"
        rows.append((at if last == at else f"{at}–{last}", shown))
        at = last + 1
    return table(*rows)


def group_of(label: str) -> str:
    """Say with which actions one stands in a row."""
    words = label.split()
    if words[0] == "keep":
        return f"keep {len(words)}"
    if words[0] == "steal":
        return f"steal {words[1]} {words[-1]}"
    return words[0]


def parameters(name: str) -> str:
    """List the parameters of a game in OpenSpiel."""
    rows: list[tuple[object, ...]] = [("parameter", "default", "meaning")]
    given: dict[str, Any] = open_spiel.parameters(name)
    for parameter, default in given.items():
        rows.append((f"`{parameter}`", f"`{str(default).lower()}`", MEANINGS[parameter]))
    return table(*rows)


MEANINGS = {
    "players": "number of seats",
    "starter": "the seat that starts; -1: chance decides",
    "reward": "`win`: the share of the win, or `points`; less the mean of all seats",
    "max_steps": "a game with so many decisions is cut; it brings nothing to anybody",
    "open_piles": "house rule: covered tiles may be looked at",
    "young": "house rule: thieves are up from the start",
    "race_ms": "house rule: how long a race lasts",
    "naming_ms": "house rule: how long one may take to name the thief",
    "tiles": "sushi and bones, so many of each, spread over all values",
    "dice": "number of dice",
    "rolls": "rolls in a turn",
    "values": "different cards: from 1 upwards; 11 are all, from -1",
    "copies": "cards of each value",
    "hand": "cards in a full hand",
    "foods": "foods, the best first",
    "plates": "plates of each food, spread over all values",
    "symbols": "symbols on the tiles and the die",
    "colours": "colours on the tiles and the die",
    "coins": "coins that win",
    "tick_ms": "how long a tick lasts",
    "noise": "a deed arrives 0 to so many ticks after it was decided, each equally likely",
}


def main() -> None:
    """Write the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), blocks()), encoding="utf-8")


if __name__ == "__main__":
    main()
