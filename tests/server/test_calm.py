"""A table where no clock runs: all decide in secret, then all is shown, and the dice go on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import (
    Seat,
    ask,
    frames,
    get,
    open_table,
    play_to_the_end,
    server_here,
    settle,
    start,
)
from tests.waiting import until
from tischlein.chance import verify
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.record import replay
from tischlein.store.sqlite import SqliteStore
from tischlein.table.book import Book, hides_deeds
from tischlein.table.settings import RaceRules

QUIET = Settings(
    bot_pause=0.0,
    race=RaceRules(lead_ms=10.0, pause_ms=0.0),
    frames_at_once=100_000,
    frames_per_second=100_000,
)
CALM = {"calm": True, "starter": 0}
PASS = {"do": "pass"}


def house_at(folder: Path, settings: Settings = QUIET) -> House:
    """Open a house."""
    return House(SqliteStore(folder / "t.sqlite"), settings)


async def begun(people: list[Seat]) -> None:
    """Let all come, one after the other, and begin."""
    for number, seat in enumerate(people, start=1):
        await seat.connect(steps=True)
        await settle(*people[:number])
    await start(people[0])
    await settle(*people)


def in_the_middle(seat: Seat) -> dict[str, Any]:
    """Slap the tile that the dice ask for."""
    return {"do": "slap", "tile": seat.state["view"]["roll"]}


def wrong(seat: Seat) -> dict[str, Any]:
    """Slap another tile."""
    roll = seat.state["view"]["roll"]
    return next(move for move in seat.legal if move["do"] == "slap" and move["tile"] != roll)


def grab(seat: Seat) -> dict[str, Any]:
    """Grab the master."""
    return {"do": "grab", "squeak": True, "at": 12}


DEEDS: dict[str, list[Callable[[Seat], dict[str, Any]]]] = {
    "right": [in_the_middle],
    "wrong": [wrong],
    "passed": [lambda seat: PASS],
    "grabbed": [grab],
    "named": [grab, lambda seat: {"do": "name", "thief": "rat"}],
    "named with a time": [grab, lambda seat: {"do": "name", "thief": "ant", "at": 7.5}],
}


async def test_others_hear_the_same_whatever_somebody_decides(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Slap, pass, or grab and name: equally often, to the byte, also how the clocks run."""
    fixed = Book.natures_move
    monkeypatch.setattr(Book, "natures_move", lambda book, state, n: fixed(SAME, state, n))
    house = house_at(tmp_path)
    house.now = lambda: 1_000.0  # the clocks run from here
    async with server_here(house, ws="websockets-sansio") as url:
        told = {}
        for what, deeds in DEEDS.items():
            people = await open_table(url, "kakerlaken", 3, people=3, options=CALM, speed="normal")
            SAME.rules = house.tables[people[0].table].book.rules
            await begun(people)
            book = house.tables[people[0].table].book
            assert set(people[0].state["clocks"]) == {"0", "1", "2"}
            for deed in deeds:
                await made(book, people[1], deed(people[1]))
            assert hides_deeds(book)
            await settle(*people)
            assert people[2].state["view"]["acted"] == [1]
            assert people[2].state["to_move"] == [0, 2]
            assert set(people[2].state["clocks"]) == {"0", "2"}
            told[what] = frames(people[0]), frames(people[2])
        assert all(found == told["right"] for found in told.values())


class Same(Book):
    """A book whose seed is the same for all tables, and so are its dice."""

    seed = "ab" * 32


SAME = Same("same")


async def made(book: Book, seat: Seat, move: dict[str, Any], moves: int = 1) -> None:
    """Make a move, and wait until it is in the book, with those of nature that follow."""
    wanted = len(book.moves) + moves
    await seat.move(move)
    await until(lambda: len(book.moves) == wanted)


async def test_when_all_have_decided_all_is_shown_and_the_dice_go_on(tmp_path: Path) -> None:
    house = house_at(tmp_path)
    async with server_here(house) as url:
        people = await open_table(url, "kakerlaken", 3, people=3, options=CALM)
        await begun(people)
        ada, bo, cleo = people
        book = house.tables[ada.table].book
        first = ada.state["view"]["roll"]
        for seat in (ada, cleo):
            await made(book, seat, in_the_middle(seat))
            await settle(*people)
        assert [move["do"] for move in bo.state["log"]] == [None], "nobody hears what"
        assert bo.state["news"] == []
        await made(book, bo, PASS, moves=2)
        await settle(*people)
        for seat in people:
            last = seat.state["view"]["last"]
            assert last["seat"] == 2, "left of Bo, who is left of the roller, and passed"
            assert last["roll"] == first
            assert [told and told["why"] for told in last["verdicts"]] == [
                *("right_later", None, "right_first")
            ]
            assert [news["key"] for news in seat.state["news"]] == ["all_did", "tile_won"]
            assert seat.state["view"]["roll"] is not None, "the dice go on at once"
            assert seat.state["race"] is None
            assert PASS in seat.legal


async def test_people_and_bots_play_to_the_end_and_the_dice_were_fair(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        people = await open_table(url, "kakerlaken", 4, people=2, options=CALM, speed="normal")
        await begun(people)
        await play_to_the_end(people)
        record = (await get(url, f"/api/tables/{people[0].table}/record")).text
        game = replay(record.splitlines())
        assert game.over
        assert verify(game).proof
        assert '"do":"time"' not in record
        shown = await get(url, f"/api/tables/{people[0].table}/replay")
        assert shown.status_code == 200


async def test_the_expert_may_be_asked(tmp_path: Path) -> None:
    house = house_at(tmp_path)
    async with server_here(house) as url:
        people = await open_table(url, "kakerlaken", 2, people=2, options=CALM, hints=True)
        await begun(people)
        told = await ask(people[0], "hint", lang="en")
        assert told.status_code == 200
        assert told.json()["move"] == in_the_middle(people[0])
        assert told.json()["why"] == "The tile lies in the middle: slap it."
        await made(house.tables[people[0].table].book, people[0], grab(people[0]))
        assert (await ask(people[0], "hint")).json()["move"]["do"] == "name"


async def test_who_is_too_late_is_played_for(tmp_path: Path) -> None:
    settings = Settings(bot_pause=0.0, clocks={"quick": 0.3, "normal": 60.0})
    async with server_here(house_at(tmp_path, settings)) as url:
        people = await open_table(url, "kakerlaken", 2, people=2, options=CALM, speed="quick")
        await begun(people)
        await people[0].move(PASS)
        await people[1].until(lambda frame: frame.get("view", {}).get("last") is not None)
        assert people[1].state["view"]["last"]["deeds"][0] is None


async def test_who_is_away_is_relieved(tmp_path: Path) -> None:
    house = house_at(tmp_path, Settings(bot_pause=0.0, relief_after=0.0))
    async with server_here(house) as url:
        people = await open_table(url, "kakerlaken", 2, people=2, options=CALM)
        await begun(people)
        await people[1].close()
        table = house.tables[people[0].table]
        await until(lambda: table.seating.may_be_relieved(1))
        await table.seating.relieve(0, 1)
        await until(lambda: 1 in table.book.rules.view(table.book.state, None).acted)
        await people[0].move(PASS)
        await people[0].until(lambda frame: frame.get("view", {}).get("last") is not None)


async def test_what_a_page_must_know_of_the_game(tmp_path: Path) -> None:
    async with server_here(house_at(tmp_path)) as url:
        found = {info["game"]: info for info in (await get(url, "/api/games")).json()}
        assert found["kakerlaken"]["calm"] == "calm"
        assert found["kakerlaken"]["options"]["calm"] == {"type": "boolean", "default": False}
        assert found["buffet"]["calm"] is None
