"""Until when people must have moved: among strangers always."""

import asyncio
from pathlib import Path

import pytest

from tests.table.home import at_home
from tests.virtual import Guest
from tests.waiting import until


@pytest.mark.virtual_time
@pytest.mark.parametrize("public", [True, False])
async def test_nobody_wins_among_strangers_by_keeping_them_waiting(
    tmp_path: Path, public: bool
) -> None:
    """Else: who loses looks on and does not move, until who wins gets up and is placed last."""
    async with at_home(tmp_path) as house:
        table = await house.open("sushizock", 2, {"starter": 1}, "relaxed", public=public)
        for name in ("Ada", "Mallory"):
            await table.seating.join(name)
        await table.seating.start(0)
        for seat in range(2):
            await table.arrive(Guest(seat))
        await until(lambda: table.book.movers() == [1])
        if not public:
            assert table.clocks.deadlines == {}
            return
        due = table.clocks.deadlines[1]
        assert due - house.now() == pytest.approx(house.settings.strangers_clock, abs=1)
        moves = table.book.made[1]
        await asyncio.sleep(due - house.now())
        await until(lambda: table.book.made[1] > moves)
        assert table.book.stood_in[1] == table.book.made[1], "a bot has played for who is late"
