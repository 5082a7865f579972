"""What a cup keeps of people, beside its tables."""

from pathlib import Path
from typing import Any

import pytest

from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people import People
from tischlein.people.cup import Board, Cup
from tischlein.people.cups import AT_ONCE, Cups
from tischlein.store.sqlite import SqliteStore
from tischlein.table.care import neutral_name


async def test_who_deletes_their_profile_is_somebody_in_every_cup(tmp_path: Path) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    people = People(house)
    anna = (await people.profiles.make("Anna")).id
    made = [await people.cups.make("Sunday", "sushizock", 2, {}, "at_once", "Bo")
            for _ in range(AT_ONCE + 2)]  # fmt: skip
    cups = [cup for cup, _ in made]
    for cup in sorted(cups)[-2:]:
        await people.cups.join(cup, "Anna", anna)
    await people.leaving.begin(anna)
    await people.leaving.finish(anna)
    for cup in sorted(cups)[-2:]:
        found, _ = await people.cups.load(cup)
        assert [member.name for member in found.members] == ["Bo", "somebody"]
    rows = await house.store.ask("SELECT body FROM cups")
    assert not any(anna.encode() in body or b"Anna" in body for (body,) in rows)
    await house.close()


async def test_a_table_that_another_server_was_quicker_to_set_is_in_nobodys_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else: who plays in a tournament finds two tables, and at one of them nobody ever comes."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    people = People(house)
    quicker, cups = Cups(house, people.profiles), people.cups
    anna = (await people.profiles.make("Anna")).id
    cup, token = await cups.make("Sunday", "sushizock", 2, {}, "at_once", "Anna", anna)
    await cups.join(cup, "Bo")
    open_one = cups._open

    async def open_slowly(name: str, found: Cup, board: Board) -> str:
        table = await open_one(name, found, board)
        await quicker.tend(cup)
        return table

    monkeypatch.setattr(cups, "_open", open_slowly)
    await cups.start(cup, token)
    assert house.counts.tables_opened == 2
    (board,) = (await cups.tend(cup)).cup.boards
    assert await people.profiles.tables(anna, 9) == [board.table]
    await house.store.ask("DELETE FROM sits")  # as if the server had died before it noted it
    await cups.seat(cup, token)
    assert await people.profiles.tables(anna, 9) == [board.table]
    await house.close()


async def test_two_who_go_have_two_names(tmp_path: Path) -> None:
    """Else: a page that lists members by their names cannot tell them apart."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    people = People(house)
    cup, _ = await people.cups.make("Sunday", "sushizock", 2, {}, "at_once", "Bo")
    for name in ("Anna", "Cleo"):
        who = (await people.profiles.make(name)).id
        await people.cups.join(cup, name, who)
        await people.leaving.begin(who)
        await people.leaving.finish(who)
    names = [member.name for member in (await people.cups.load(cup))[0].members]
    assert names == ["Bo", "somebody", "somebody 3"]
    await house.close()


def test_a_neutral_name_is_nobody_elses() -> None:
    """Else: numbers change when somebody leaves before the start, and two have one name."""
    assert neutral_name(["Bo"], 1) == "somebody"
    assert neutral_name(["Bo", "Somebody"], 2) == "somebody 3"
    assert neutral_name(["somebody", "somebody 3"], 2) == "somebody 4"


async def test_a_cup_is_made_though_the_line_broke_when_it_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    people, ask = People(house), house.store.ask

    async def ask_twice(words: str, *values: Any) -> list[Any]:
        await ask(words, *values)  # as a store does that did not hear the answer
        return await ask(words, *values)

    monkeypatch.setattr(house.store, "ask", ask_twice)
    cup, _ = await people.cups.make("Sunday", "sushizock", 2, {}, "at_once", "Bo")
    assert (await people.cups.load(cup))[1] == 1
    await house.close()
