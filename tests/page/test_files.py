"""All tables of a device as a file: whole or not at all, and no word of a liar."""

from collections.abc import Callable

import pytest

from tests.own import EXAMPLE, nothing_stays
from tests.page.device import Device, device
from tischlein.games import load_file
from tischlein.page.files import DEEPEST, Brought, bring, copy, is_deep
from tischlein.page.together import marks
from tischlein.store.moving import BadStore


async def two_tables(one: Device) -> str:
    """Begin two tables, and give them as a file."""
    for game, seats in (("sushizock", 2), ("buffet", 3)):
        await one.play(await one.open(game, seats), 4)
    return await copy(one.store)


async def test_a_file_brings_every_table_once() -> None:
    async with device() as old, device() as new:
        text = await two_tables(old)
        assert await bring(new.house, text) == Brought(tables=2)
        assert await marks(new.store) == await marks(old.store)
        assert await bring(new.house, text) == Brought()


async def test_what_has_gone_on_in_two_ways_is_there_twice() -> None:
    async with device() as old, device() as new:
        name = await old.open()
        await old.play(name, 4)
        await bring(new.house, await copy(old.store))
        new.tokens[name] = old.tokens[name]
        await old.play(name, 2)
        await new.play(name, 2, which=1)
        found = await bring(new.house, await copy(old.store))
        assert found.tables == 1
        assert len(await marks(new.store)) == 2
        assert set(found.apart) == {name}


def with_end(text: str, *lines: str) -> str:
    """Put lines before the last one."""
    *whole, end = text.splitlines()
    return "\n".join([*whole, *lines, end])


DEEP = "[" * 100_000
WRONG: dict[str, Callable[[str], str]] = {
    "nothing": lambda _: "",
    "something else": lambda _: '{"format":"tischlein-record/3"}\n{"kind":"end"}\n',
    "half a line": lambda text: text[: len(text) * 3 // 4],
    "half the lines": lambda text: "\n".join(text.splitlines()[:-1]),
    "a server's table": lambda text: text.replace('"name":"0', '"name":"k', 1),
    "a name that leads elsewhere": lambda text: text.replace('"name":"0', '"name":"0/../', 1),
    "too deep": lambda text: with_end(text, f'{{"kind":"table","name":{DEEP}'),
    "too deep beside": lambda text: with_end(text, f'{{"kind":"end","more":{DEEP}'),
    "too deep inside": lambda text: text.replace(r"{\"kind\"", r"{\"more\":" + DEEP, 1),
    "an unknown kind": lambda text: with_end(text, '{"kind":"rule"}'),
    "a table without anything": lambda text: with_end(
        text, '{"kind":"table","name":"0222222222222","touched":1,"live":true,"entries":["{}"]}'
    ),
    "another die": lambda text: text.replace(r"\"by\":\"nature\"", r"\"by\":0", 1),
    "no moment": lambda text: text.replace('"touched":', '"touched":"', 1),
}


@pytest.mark.parametrize("how", WRONG)
async def test_a_wrong_file_changes_nothing(how: str) -> None:
    async with device() as old, device() as new:
        text = WRONG[how](await two_tables(old))
        with pytest.raises(BadStore):
            await bring(new.house, text)
        assert await marks(new.store) == {}


async def test_what_is_played_just_now_stays_and_the_rest_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tischlein.page.together.PATIENCE", 1)
    async with device() as old, device() as new:
        name = await old.open()
        await bring(new.house, await copy(old.store))
        (await new.table(name)).presence.listeners[object()] = None  # type: ignore[index]
        await old.play(name, 4)
        await old.open("buffet", 3)
        assert await bring(new.house, await copy(old.store)) == Brought(tables=1, left=1)


async def test_a_game_that_is_not_here_stays_in_the_file_and_hinders_nothing() -> None:
    async with device() as old, device() as new:
        with nothing_stays():
            load_file(EXAMPLE)
            await old.open("two_dice")
            await old.open()
            text = await copy(old.store)
        assert await copy(old.store) == text, "its tables can still be taken elsewhere"
        assert await bring(new.house, text) == Brought(tables=1, left=1)


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        (b"[" * DEEPEST + b"]" * DEEPEST, False),
        (b"[" * (DEEPEST + 1), True),
        (b'{"a":' * (DEEPEST + 1), True),
        (b"[]" * 1000, False),
        (b'["' + b"[" * 1000 + b'"]', False),
        (rb'["\"' + b"[" * 1000 + b'"]', False),
        (rb'["\\"' + b"[" * 1000, True),
    ],
)
def test_what_lies_too_deep_is_found_by_its_brackets(text: bytes, deep: bool) -> None:
    assert is_deep(text) is deep
