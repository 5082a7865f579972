"""A slow game over three days at a real server: only its clock is moved.

Nudges come while nobody looks, to a push service on loopback; the server starts anew in between.
"""

import shutil
from pathlib import Path

from tests.days import HOUR, OLD, Days
from tests.pushes import Device, push_service
from tests.server.client import Seat, open_table, post, start
from tests.waiting import until
from tischlein.store import moving
from tischlein.table import entries as e


async def play_own_turn(seat: Seat) -> None:
    """Come, make one's moves until others are waited for, and go."""
    await seat.connect()
    while seat.legal:
        await seat.move(seat.legal[-1])
        await seat.until(lambda frame: frame["type"] == "state")
    await seat.close()
    seat.socket = None


def late_in(seat: Seat) -> list[bool]:
    """Say for whom a bot made the last move, as somebody is told."""
    return [one["late"] for one in seat.state["table"]["seats"]]


def at(seat: Seat, url: str) -> Seat:
    """Give somebody's seat at the address that the server has now."""
    return Seat(url, seat.table, seat.seat, seat.token)


async def test_three_days_with_nudges_and_restarts(tmp_path: Path) -> None:
    file, phone = tmp_path / "tables.sqlite", Device()
    shutil.copy(OLD, file)
    with push_service() as service:
        days = Days(file, service)
        async with days.house_opens() as url:  # an upgrade: the store is of an older version
            anna, bo = await open_table(url, "sushizock", 2, 2, speed="day",
                                        options={"starter": 0})  # fmt: skip
            wants = phone.wants(f"{service.origin}/bo", "fr")
            switched = await post(url, f"/api/tables/{bo.table}/push", wants, bo)
            assert switched.json() == {"on": True}
            await start(anna)
            await play_own_turn(anna)
            await days.asleep(anna.table)
            assert service.got == []
            days.pass_by(90.0)
            await until(lambda: len(service.got) == 1)
            told = phone.told(service.got[0])
            assert told["title"] == "À toi de jouer\u00a0!"
            assert anna.table in str(told)
        days.pass_by(20 * HOUR)
        async with days.house_opens() as url:  # nearly a day later: nobody was called again
            await play_own_turn(at(bo, url))
            await days.asleep(bo.table)
            days.pass_by(25 * HOUR)
            await days.is_turn_of(1, anna.table)  # Anna did not come: her bot has played
            days.pass_by(90.0)
            await until(lambda: len(service.got) == 2)
        async with days.house_opens() as url:
            days.pass_by(23 * HOUR)
            came = at(bo, url)
            await play_own_turn(came)
            assert late_in(came) == [True, False]
            await play_own_turn(came := at(anna, url))
            assert late_in(came) == [False, False]
            await days.asleep(bo.table)
            found = await days.entries(bo.table)
            await moving.check(days.house.store)
    nudges = [entry.seat for entry in found if isinstance(entry, e.Nudged)]
    assert nudges.count(1) == len(service.got) == 2
    moves = [entry for entry in found if isinstance(entry, e.Moved)]
    assert {move.by for move in moves if move.for_seat} == {0}, "Bo was in time, each day"
    assert found[-1].when - found[0].when > 2.8 * 24 * HOUR
