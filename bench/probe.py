"""Looks inside a page: `bench.site` adds it to a game of one file that a site brings.

Where it is read by the Python of a page, whoever asks the house of the device may also ask what a
bot's move costs, and what lies in memory.
"""

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Iterator
from importlib import import_module
from itertools import count
from time import perf_counter
from typing import Any

from tischlein.bots import Turn, bot_named, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE, Refusal
from tischlein.games import game_named
from tischlein.page.keeping import PIECE


def decisions(name: str, seats: int, every: int, first: int) -> Iterator[Turn]:
    """Give what the seat that moves may know, now and then in games of easy bots."""
    many = 0
    for number in count(first):
        for turn in turns(name, seats, number):
            many += 1
            if many % every == 0:
                yield turn


def turns(name: str, seats: int, number: int) -> Iterator[Turn]:
    """Play a game of easy bots, and give all their turns; a race ends where two deeds collide."""
    rules, rng = game_named(name), Quick(number)
    easy, state = bot_named(rules, "easy"), rules.start(seats)
    moves: list[tuple[Any, Any]] = []
    while movers := rules.to_move(state):
        by = movers[0]
        if by == NATURE:
            move = rules.draw(state, rng)
        else:
            turn = turn_of(rules, state, moves, by)
            yield turn
            move = easy(turn, rng).move or turn.legal[0]
        try:
            state = rules.play(state, by, move)
        except Refusal:
            return
        moves.append((by, move))


def moves_of(
    name: str, level: str, seats: int, most: int, seconds: float, first: int
) -> list[float]:
    """Say how many milliseconds a bot takes for each of some moves; the first is not counted."""
    bot, took = bot_named(game_named(name), level), []
    begun = perf_counter()
    for number, turn in enumerate(decisions(name, seats, 5, first)):
        at = perf_counter()
        bot(turn, Quick(number))
        took.append(1000 * (perf_counter() - at))
        if len(took) > most or perf_counter() - begun > seconds:
            return took[1:] or took
    raise AssertionError("games have no end of decisions")


def stand(core: Any) -> dict[str, int]:
    """Say what lies in memory: bytes of the heap, and what of ours is not done with."""
    gc.collect()
    heap = import_module("pyodide_js")._module.HEAPU8.length
    tables = list(core._house.tables.values())
    return {
        "heap": heap,
        "objects": len(gc.get_objects()),
        "tables": len(tables),
        "lines": len(core._lines),
        "work": len(core._work),
        "tasks": len(asyncio.all_tasks()),
        "kept": core._house.store._count * PIECE,
    }


def look_inside() -> None:
    """Let whoever asks the house of a page ask this, too."""
    from tischlein.page.core import Core

    usual: Callable[..., Awaitable[object]] = Core._asked

    async def asked(core: Core, what: str, *words: str) -> object:
        match what, words:
            case "moves", (name, level, seats, most, seconds, first):
                limits = int(most), float(seconds), int(first)
                return moves_of(name, level, int(seats), *limits)
            case "stand", ():
                return stand(core)
            case "modules", ():
                return sorted(sys.modules)
        return await usual(core, what, *words)

    Core._asked = asked  # type: ignore[assignment, method-assign]


if sys.platform == "emscripten":
    look_inside()
