"""Who begins: named by the host in the lobby or for a rematch, seen by everybody, kept."""

from pathlib import Path
from typing import Any

from tests import ended
from tests.server.client import (
    Seat,
    ServerProcess,
    get,
    open_table,
    play_to_the_end,
    post,
    server_here,
    server_process,
    start,
)
from tischlein.house.house import House
from tischlein.store.sqlite import SqliteStore
from tischlein.table import entries as e
from tischlein.table.book import Book


async def name_starter(host: Seat, seat: object) -> Any:
    return await post(host.url, f"/api/tables/{host.table}/starter", {"seat": seat}, host)


def deal(seat: Seat) -> dict[str, Any]:
    """Find nature's deal in what a seat was told."""
    moves = [move for frame in seat.frames for move in frame.get("log", [])]
    return next(move for move in moves if move["do"] == "deal")


async def test_only_the_host_names_a_seat_that_is_there_and_before_the_start(
    server: ServerProcess,
) -> None:
    one, two = await open_table(server.url, "sushizock", 3, people=2)
    assert (await name_starter(two, 1)).json()["error"] == "not_host"
    for wrong in (3, -1):
        refused = await name_starter(one, wrong)
        assert refused.status_code == 422
        assert refused.json()["reason"] == f"there is no seat {wrong} at this table"
    assert (await name_starter(one, "me")).json()["error"] == "bad_request"
    await start(one)
    assert (await name_starter(one, 1)).json()["error"] == "begun"


async def test_everybody_sees_the_starter_who_begins_also_after_a_restart(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        one, two = await open_table(server.url, "sushizock", 4, people=2)
        await two.connect()
        assert (await name_starter(one, 1)).json()["options"] == {"starter": 1}
        await two.until(lambda frame: frame["table"]["options"] == {"starter": 1})
        assert two.state["view"]["options"]["starter"] == 1
        server.kill()
        server.start()
        table = await get(server.url, f"/api/tables/{one.table}")
        assert table.json()["options"] == {"starter": 1}
        again = await Seat(server.url, one.table, 1, two.token).connect()
        await start(one)
        await again.until(lambda frame: bool(frame["log"]))
        assert deal(again)["starter"] == 1


async def test_the_starter_stays_with_the_seat_until_the_host_says_otherwise(
    server: ServerProcess,
) -> None:
    one, two = await open_table(server.url, "sushizock", 2, people=2, options={"starter": 1})
    left = await post(server.url, f"/api/tables/{one.table}/leave", seat=two)
    assert left.json()["options"] == {"starter": 1}
    assert (await name_starter(one, None)).json()["options"] == {"starter": None}


async def test_a_rematch_by_chance_is_by_chance_whoever_began(server: ServerProcess) -> None:
    (me,) = await open_table(server.url, "sushizock", 2, options={"starter": 0})
    await me.connect()
    await start(me)
    await play_to_the_end([me])
    again = await post(server.url, f"/api/tables/{me.table}/rematch", {}, me)
    assert again.json()["options"]["starter"] is None


async def test_the_loser_is_the_last_by_the_tie_break(tmp_path: Path) -> None:
    """[B18] Two have the fewest points; the food that differs says who is last."""
    book = ended.tied_at_the_bottom()
    ((last,),) = book.ranking[-1:]
    ended.lay_into(tmp_path / "t.sqlite", book)

    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"))) as url:
        host = await Seat(url, ended.NAME, 0, ended.TOKEN).connect()
        assert host.state["ranking"] == [list(level) for level in book.ranking]
        (tie,) = host.state["view"]["ties"]
        assert tie["worse"] == last
        body = {"starter": "loser"}
        again = await post(url, f"/api/tables/{ended.NAME}/rematch", body, host)
        assert again.json()["options"] == {"starter": last}


def test_older_stores_say_with_the_rematch_who_begins() -> None:
    """Before the host could name a starter, none meant: as the table was opened."""
    for opened, then, begins in (({}, 2, 2), ({"starter": 1}, 2, 2), ({"starter": 1}, None, 1)):
        book = Book("old")
        book.fold(e.Opened(0.0, "sushizock", 3, opened, "relaxed", "0" * 64))
        book.fold(e.Again(0.0, "1" * 64, then))
        assert book.game_options["starter"] == begins
