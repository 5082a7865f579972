"""[S19] over the wire: whoever comes late or comes back hears of no tile that lies covered now."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from tests.memory import Moves, Twins, twins
from tests.server.client import Seat, ask, frames, server_here
from tests.tables import random_game
from tischlein.bots import Answer, Turn
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.house.thinking import SOMEBODY, Thinkers
from tischlein.record import move_line
from tischlein.store.sqlite import SqliteStore
from tischlein.table import entries as e
from tischlein.table.needs import Asker

SEATS = 3


class Listening(Thinkers):
    """Thinkers that write down what advisers are told."""

    def __init__(self) -> None:
        super().__init__(5.0)
        self.advised: list[Turn] = []

    async def ask(
        self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY
    ) -> Answer | None:
        """Write down what an adviser is told, and ask."""
        self.advised.append(turn)
        return await super().ask(game, level, turn, asker)


async def set_table(house: House, url: str, moves: Moves) -> list[Seat]:
    """Set a table at which people have made these moves."""
    table = await house.open("sushizock", SEATS, {}, hints=True)
    tokens = [(await table.seating.join(f"p{seat}"))[1] for seat in range(SEATS)]
    table.book.fold(e.Started(house.now()))
    for number, (by, move) in enumerate(moves):
        table.book.fold(e.Moved(house.now(), by, msgspec.Raw(msgspec.json.encode(move)), number))
    return [Seat(url, table.book.name, seat, token) for seat, token in enumerate(tokens)]


def moments() -> list[Twins]:
    """Choose moments at which a player thinks, early and late in some games."""
    found = [pair for seed in range(3) for pair in twins(SEATS, seed)]
    thinking = [pair for pair in found if pair is not None and pair.states[0].rolled]
    return thinking[:: len(thinking) // 15]


async def first_frames(people: list[Seat], gap: int) -> list[Seat]:
    """Let a watcher come late, a player come anew, and another come back after a gap."""
    watcher = Seat(people[0].url, people[0].table, None, None)
    await watcher.connect()
    await people[0].connect()
    await people[1].connect(seq=gap, game=1)
    return [watcher, people[0], people[1]]


async def test_first_frames_tell_no_covered_tile(tmp_path: Path) -> None:
    """Who came late would have read in the log what all others must remember.

    Where only covered tiles differ, all first frames are the same to the byte.
    """
    thinkers = Listening()
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0), None, thinkers)
    async with server_here(house) as url:
        for pair in moments():
            told = []
            for moves in pair.moves:
                people = await set_table(house, url, moves)
                callers = await first_frames(people, len(moves) // 2)
                watcher, player, back = (caller.frames[0]["log"] for caller in callers)
                assert watcher[0]["sushi"] == [None] * 12
                assert len(watcher) == len(player) == len(moves)
                assert len(back) == len(moves) - len(moves) // 2
                told.append([frames(caller)[0] for caller in callers])
                await asyncio.gather(*(caller.close() for caller in callers))
            assert told[0] == told[1]


async def test_an_adviser_is_told_no_covered_tile(tmp_path: Path) -> None:
    thinkers = Listening()
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0), None, thinkers)
    async with server_here(house) as url:
        for pair in moments()[::7]:
            for moves in pair.moves:
                people = await set_table(house, url, moves)
                advice = await ask(people[pair.states[0].turn or 0], "hint")
                assert advice.status_code == 200, advice.text
            here, there = thinkers.advised[-2:]
            assert here == there


@pytest.mark.parametrize("cut", [0, 1], ids=["over", "one move before"])
async def test_the_whole_log_is_told_after_the_end(cut: int, tmp_path: Path) -> None:
    moves: Moves = [(by, move) for _, by, move, _ in random_game("sushizock", SEATS, 4)]
    stored = [msgspec.json.decode(move_line(by, move)) for by, move in moves]
    thinkers = Listening()
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0), None, thinkers)
    async with server_here(house) as url:
        people = await set_table(house, url, moves[: len(moves) - cut])
        watcher = await Seat(url, people[0].table, None, None).connect()
        assert watcher.state["over"] == (cut == 0)
        assert (watcher.state["log"] == stored) == (cut == 0)
        await watcher.close()
