"""Thoughts are given out by turns, and broken off when nobody waits for them."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server import bots
from tests.waiting import LIMIT, until
from tischlein import game_named
from tischlein.bots import Answer, Turn, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.house import thinking
from tischlein.house.processes import Process
from tischlein.house.thinking import SHORT, Thinker, Thinkers, Wish
from tischlein.table.needs import Asker


class Slow(Thinkers):
    """Thinkers without processes: each thought takes as long as its level says, in seconds."""

    def __init__(self) -> None:
        super().__init__(5.0, 1)
        self.begun: list[str] = []

    async def _think(self, thinker: Thinker, wish: Wish) -> None:
        self.begun.append(wish.asker.table)
        took = float(wish.level)
        await asyncio.wait({wish.answer}, timeout=min(took, SHORT) if thinker.for_short else took)
        self._learn(wish, took)
        if thinker.for_short and took > SHORT:
            self._give_up(thinker, wish)
        wish.end(Answer(None))

    def want(self, level: str, table: str, network: str) -> "asyncio.Task[Answer | None]":
        """Let a table of a network want a thought."""
        asker = Asker(table, frozenset({network}))
        return asyncio.create_task(self.ask("g", level, a_turn(), asker))


def a_turn() -> Turn:
    """Give a choice in a game."""
    rules = game_named("sushizock")
    state = rules.start(2, {"starter": 0})
    for seed in ("deal", "roll"):
        state = rules.play(state, NATURE, rules.draw(state, Quick(seed)))
    return replace(turn_of(rules, state, [], 0), history=())


@pytest.mark.virtual_time
async def test_thoughts_go_by_turns_among_networks_and_tables() -> None:
    """An easy bot waited for a minute behind the experts of a stranger's tables."""
    thinkers = Slow()
    flood = [thinkers.want("0.2", f"t{number % 50}", "far") for number in range(200)]
    await asyncio.sleep(0.01)
    mine = [thinkers.want("0.1", "mine", "near") for _ in range(3)]
    await asyncio.gather(*mine)
    assert thinkers.begun[:8] == ["t0", "t1", "t2", "mine", "t3", "mine", "t4", "mine"]
    await asyncio.gather(*flood)
    others = [table for table in thinkers.begun if table != "mine"]
    assert others == [f"t{number % 50}" for number in range(200)]


@pytest.mark.virtual_time
async def test_a_thought_that_nobody_waits_for_is_not_thought() -> None:
    """Who left long ago would still be thought for, before those who are here."""
    thinkers = Slow()
    first = [thinkers.want("0.2", "first", "far") for _ in range(2)]
    stale = [thinkers.want("0.2", "stale", "far") for _ in range(99)]
    await asyncio.sleep(0.01)
    assert thinkers.waiting == 99
    for thought in stale:
        thought.cancel()
    mine = thinkers.want("0.2", "mine", "far")
    await asyncio.gather(*first, mine)
    assert thinkers.waiting == 0
    assert thinkers.begun == ["first", "first", "mine"]


@pytest.mark.virtual_time
async def test_short_thoughts_do_not_wait_for_long_ones() -> None:
    """With one process an expert of four seconds would hold up every easy bot."""
    thinkers = Slow()
    experts = [thinkers.want("4.0", f"t{number}", f"n{number}") for number in range(9)]
    await asyncio.sleep(0.01)
    loop = asyncio.get_running_loop()
    for number in range(20):
        asked = loop.time()
        await thinkers.want("0.01", f"m{number}", "near")
        assert loop.time() - asked < SHORT + 0.02
    await asyncio.gather(*experts)
    assert loop.time() < 1000 + 4.0 * (9 + 2), "and long ones have their turn"


@pytest.fixture
def one() -> Any:
    """Thinkers with one process, and one for short thoughts."""
    found = Thinkers(3600.0, 1)
    yield found
    found.close()


def numbers(thinkers: Iterable[Thinker]) -> set[int | None]:
    """Give the numbers of processes."""
    return {thinker._number for thinker in thinkers if isinstance(thinker, Process)}


async def test_who_leaves_frees_the_process_and_it_lives_on(
    one: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stale thoughts were thought to the end: forty seconds in which nobody else's bot moved."""
    monkeypatch.setattr(thinking, "choose", bots.dwell)
    turn = a_turn()
    await asyncio.gather(*(one.ask("sushizock", "expert", turn) for _ in range(2)))
    known = numbers(one._free)
    stuck = [asyncio.create_task(one.ask("sushizock", "expert", replace(turn, effort=2.0)))
             for _ in range(4)]  # fmt: skip
    await until(
        lambda: bool(one._long) and len(one._busy) == 1
    )  # one is too long for the short ones
    async with asyncio.timeout(LIMIT):
        assert await one.ask("sushizock", "easy", turn) is not None, "beside all those experts"
        for thought in stuck:
            thought.cancel()
        answer = await one.ask("sushizock", "expert", turn)
    assert answer is not None
    await until(lambda: not one._busy)
    assert numbers(one._free) == known, "no process had to be ended"


async def test_a_bot_that_clings_to_its_thought_is_ended(
    one: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that cannot be broken off would keep its process for ever."""
    monkeypatch.setattr(thinking, "choose", bots.cling)
    monkeypatch.setattr(thinking, "PATIENCE", 0.2)
    turn = a_turn()
    stuck = asyncio.create_task(one.ask("sushizock", "expert", turn))
    await until(lambda: any(thinker.is_ready for thinker in one._busy))
    stuck.cancel()
    async with asyncio.timeout(LIMIT):
        assert await one.ask("sushizock", "easy", turn) is not None
        await until(lambda: not one._busy)
