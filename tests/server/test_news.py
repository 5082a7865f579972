"""What happened is told with the frames: once, to each as far as they may know, and why not."""

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Seat, open_table, play_to_the_end, server_here, settle, start
from tests.waiting import until
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore
from tischlein.table.settings import RaceRules

QUIET = Settings(bot_pause=0.0, race=RaceRules(lead_ms=10.0, pause_ms=0.0))


def told(seat: Seat) -> list[dict[str, Any]]:
    """Put a seat's story together as a client does that lets nothing fade."""
    lines: list[dict[str, Any]] = []
    for frame in seat.frames:
        if frame["type"] == "state":
            lines = [*lines, *frame["news"]] if frame["story"] is None else frame["story"]
    return lines


@pytest.mark.parametrize(("game", "seats"), [("sushizock", 2), ("buffet", 3), ("kakerlaken", 2)])
async def test_a_story_is_told_from_the_first_frame_to_the_end(
    game: str, seats: int, tmp_path: Path
) -> None:
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), QUIET)) as url:
        (me,) = await open_table(url, game, seats)
        await me.connect()
        assert me.state["story"] == []
        await start(me)
        await play_to_the_end([me])
        late = await Seat(url, me.table, None, None).connect()
        assert told(me)
        assert me.state["story"] is not None, "at the end everything is told anew"
        if game == "sushizock":  # all see the same
            assert late.state["story"] == told(me)
        assert not any("place" in line for line in late.state["story"]), "nothing fades any more"
        assert late.state["news"] == [], "who comes late has missed the news; the story tells them"


async def test_whoever_comes_late_is_told_no_covered_tile(tmp_path: Path) -> None:
    """[S19]: the story of a running game, put together or told at once, is the same."""
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), QUIET)) as url:
        one, two = people = await open_table(url, "sushizock", 2, people=2, options={"starter": 0})
        for seat in people:
            await seat.connect()
        await start(one)
        for seat in people:
            await seat.until(lambda frame: bool(frame.get("log")))
        for _ in range(60):
            mover = one if one.state["legal"] else two
            if mover.state["over"]:
                break
            take = [move for move in mover.legal if move["do"] != "keep"]
            await mover.move((take or mover.legal)[0])
            for seat in people:
                await seat.until(lambda frame: bool(frame.get("log")))
            late = await Seat(url, one.table, None, None).connect()
            named = [line for line in late.state["story"] if "tile" in line.get("fields", {})]
            tops = sum(bool(pile[kind]) for pile in late.state["view"]["piles"] for kind in pile)
            over = late.state["over"]  # then everything is told
            assert len(named) <= tops or over, "of each pile only the top is named"
            await late.close()


async def test_may_i_and_why_not(tmp_path: Path) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    async with server_here(house) as url:
        one, two = people = await open_table(url, "buffet", 3, people=2, options={"starter": 0})
        watcher = await Seat(url, one.table, None, None).connect()
        for seat in people:
            await seat.connect()

        async def ask(seat: Seat, move: dict[str, Any]) -> dict[str, Any]:
            await seat.send({"type": "ask", "id": "q", "move": move})
            return await seat.until(lambda frame: frame["type"] == "told")

        assert (await ask(one, {"do": "play", "card": 1}))["code"] == "not_started"
        await start(one)
        await one.until(lambda frame: bool(frame.get("legal")))
        moves = len(house.tables[one.table].book.moves)
        yes = await ask(one, one.legal[0])
        assert (yes["id"], yes["legal"]) == ("q", True)
        no = await ask(one, {"do": "play", "card": 99})
        assert (no["legal"], no["code"]) == (False, "card_not_held")
        assert no["reason"] == "you do not hold the card 99"
        assert no["fields"] == {"card": "99"}
        assert (await ask(watcher, {"do": "play", "card": 1}))["code"] == "watcher"
        assert (await ask(two, {"do": "nonsense"}))["code"] == "not_a_move"
        assert len(house.tables[one.table].book.moves) - moves <= 1, "at most the bot has moved"
        assert not [frame for frame in one.frames if frame["type"] == "refused"]


async def test_to_ask_a_game_that_fails_costs_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    async with server_here(house) as url:
        (me,) = await open_table(url, "sushizock", 2, options={"starter": 0})
        await me.connect()
        await start(me)
        await me.until(lambda frame: bool(frame.get("legal")))

        def fails(state: Any, by: Any, move: Any) -> Any:
            raise ZeroDivisionError

        with monkeypatch.context() as broken:
            broken.setattr(house.tables[me.table].book.rules, "play", fails)
            await me.send({"type": "ask", "id": 1, "move": me.legal[0]})
            assert (await me.until(lambda f: f["type"] == "told"))["code"] == "trouble"
        await me.send({"type": "ask", "id": 2, "move": me.legal[0]})
        assert (await me.until(lambda f: f["type"] == "told"))["legal"], "the same line goes on"


async def test_may_i_in_a_race(tmp_path: Path) -> None:
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), QUIET)) as url:
        long = {"race_ms": 60_000, "naming_ms": 60_000}
        one, two = people = await open_table(url, "kakerlaken", 2, people=2, options=long)
        for seat in people:
            await seat.connect()
        await start(one)
        await one.until(lambda frame: bool(frame.get("legal")))
        await one.send({"type": "ask", "id": 1, "move": one.legal[0]})
        assert (await one.until(lambda f: f["type"] == "told"))["legal"], "asked without a time"
        await one.send({"type": "ask", "id": 2, "move": {"do": "name", "thief": "rat"}})
        assert (await one.until(lambda f: f["type"] == "told"))["code"] == "grab_first"
        assert two.state["view"]["acted"] == []


async def test_a_table_that_nobody_looks_at_leaves_memory(tmp_path: Path) -> None:
    settings = Settings(bot_pause=0.0, unload_after=-1.0)
    house = House(SqliteStore(tmp_path / "t.sqlite"), settings)
    async with server_here(house) as url:
        one, two = people = await open_table(url, "sushizock", 2, people=2)
        for seat in people:
            await seat.connect()
        await start(one)
        await two.until(lambda frame: bool(frame.get("log")))
        kept = weakref.ref(house.tables[one.table])
        for seat in people:
            await seat.close()
        await until(lambda: not house.tables[one.table].busy)
        house.unload()
        assert one.table not in house.tables
        await until(lambda: gc.collect() >= 0 and kept() is None)


async def test_those_who_see_the_same_share_one_encoding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    async with server_here(house) as url:
        people = await open_table(url, "sushizock", 4, people=4, options={"starter": 0})
        for seat in people:
            await seat.connect()
        await start(people[0])
        await people[0].until(lambda frame: bool(frame.get("legal")))
        await settle(*people)
        rules, views = house.tables[people[0].table].book.rules, []
        view = rules.view

        def counted(state: Any, viewer: Any) -> Any:
            views.append(viewer)
            return view(state, viewer)

        monkeypatch.setattr(rules, "view", counted)
        await people[0].move(people[0].legal[0])
        for seat in people:
            await seat.until(lambda frame: bool(frame.get("log")))
        assert views == [None], "four seats are told, one view is made"


@pytest.mark.parametrize(("game", "seats"), [("sushizock", 2), ("buffet", 3), ("kakerlaken", 2)])
async def test_moves_are_told_one_by_one_to_who_asks_for_it(
    game: str, seats: int, tmp_path: Path
) -> None:
    """Step by step, each with what is seen after it, and together just the news of the frame."""
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), QUIET)) as url:
        (me,) = await open_table(url, game, seats)
        await me.connect(steps=True)
        plain = await Seat(url, me.table, me.seat, me.token).connect()
        await start(me)
        await play_to_the_end([me])
        states = [frame for frame in me.frames if frame["type"] == "state"]
        assert all("steps" in state for state in states)
        assert not any("steps" in frame for frame in plain.frames), "nobody else pays for it"
        told = [state for state in states if state["steps"]]
        assert len(told) > 5
        for state in told:
            assert [news for step in state["steps"] for news in step["news"]] == state["news"]
            assert all(step["news"] and step["move"]["by"] is not None for step in state["steps"])
        if game == "sushizock":  # every move tells something: the last one leaves what is so now
            assert all(state["steps"][-1]["view"] == state["view"] for state in told)
            several = [state["steps"] for state in told if len(state["steps"]) > 1]
            assert any(steps[0]["view"] != steps[1]["view"] for steps in several)
