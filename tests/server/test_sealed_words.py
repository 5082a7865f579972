"""Sealed words over real sockets: nobody hears a word before all are open."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.sealed import Word, word
from tests.server.client import (
    Seat,
    ServerProcess,
    get,
    open_table,
    play_to_the_end,
    post,
    server_here,
    settle,
    start,
)
from tischlein import replay
from tischlein.chance import verify
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore


async def send(seat: Seat, **body: Any) -> httpx.Response:
    """Send a seal or a word."""
    return await post(seat.url, f"/api/tables/{seat.table}/contribution", body, seat)


async def seal(seat: Seat, mine: Word) -> None:
    """Seal a word."""
    told = await send(seat, seal=mine.seal)
    assert told.status_code == 200, told.text
    assert told.json()["seats"][seat.seat]["sealed"] == mine.seal


async def unseal(seat: Seat, mine: Word) -> httpx.Response:
    """Open a word."""
    return await send(seat, text=mine.text, salt=mine.salt)


async def sealed_table(url: str, people: int = 2) -> tuple[list[Seat], list[Word]]:
    """Set a table at which everybody has sealed a word."""
    seats = await open_table(url, "sushizock", people, people=people)
    words = [word(f"secret {seat.seat} of {seat.table}") for seat in seats]
    for seat, mine in zip(seats, words, strict=True):
        await seal(seat, mine)
    return seats, words


async def test_no_word_is_heard_before_all_are_open(server: ServerProcess) -> None:
    """The last to speak would know all other words, and choose theirs so that the dice please."""
    (one, two, three), words = await sealed_table(server.url, 3)
    watcher = Seat(server.url, one.table, None, None)
    for seat in (one, two, three, watcher):
        await seat.connect()
    heard = [(await post(server.url, f"/api/tables/{one.table}/start", seat=one)).text]
    heard += [(await unseal(one, words[0])).text, (await unseal(three, words[2])).text]
    heard.append((await get(server.url, f"/api/tables/{one.table}")).text)
    await settle(one, two, three, watcher)
    heard += [json.dumps(seat.frames) for seat in (one, two, three, watcher)]
    for text in heard:
        for mine in words:
            assert mine.text not in text
            assert mine.salt not in text
    table = (await get(server.url, f"/api/tables/{one.table}")).json()
    assert (table["phase"], table["opening"]) == ("open", True)
    assert [seat["opened"] for seat in table["seats"]] == [True, False, True]
    started = (await unseal(two, words[1])).json()
    assert started["phase"] == "playing"
    assert [seat["contribution"] for seat in started["seats"]] == [mine.text for mine in words]
    for seat in (one, two, three, watcher):
        await seat.close()


async def test_a_game_with_sealed_words_is_proven(server: ServerProcess) -> None:
    seats, words = await sealed_table(server.url)
    before = (await get(server.url, f"/api/tables/{seats[0].table}")).json()["commitment"]
    for seat in seats:
        await seat.connect()
    await start(seats[0])
    for seat, mine in zip(seats, words, strict=True):
        assert (await unseal(seat, mine)).status_code == 200
    await seats[0].until(lambda frame: frame["type"] == "state" and bool(frame["log"]))
    await play_to_the_end(seats)
    record = (await get(server.url, f"/api/tables/{seats[0].table}/record")).text
    game = replay(record.split("\n"))
    assert game.header.contributions == [mine.text for mine in words]
    assert game.header.seals == [mine.told for mine in words]
    assert game.header.commitment == before
    assert verify(game).proof == "sealed"
    for seat in seats:
        await seat.close()


async def test_a_word_without_a_seal_is_refused(server: ServerProcess) -> None:
    """An operator who hears the others' words would add the one that rolls five sushi."""
    one, two = await open_table(server.url, "sushizock", 2, people=2)
    for body in ({"text": "pancake"}, {"text": "pancake", "salt": "ab" * 16}):
        refused = await send(one, **body)
        assert (refused.status_code, refused.json()["error"]) == (409, "not_sealed")
        assert "seal your word before the start" in refused.json()["reason"]
    await seal(two, word("mine"))
    early = await unseal(two, word("mine"))
    assert (early.status_code, early.json()["error"]) == (409, "too_early")
    await start(one)
    refused = await send(one, text="pancake", salt="ab" * 16)
    assert refused.json()["error"] == "not_sealed"
    assert (await unseal(two, word("mine"))).json()["phase"] == "playing"
    late = await send(one, text="pancake")
    assert (late.status_code, late.json()["error"]) == (409, "begun")


async def test_no_seal_is_changed_once_words_are_opened(server: ServerProcess) -> None:
    """Who hears the others' words would seal another word in place of their own."""
    (one, two), words = await sealed_table(server.url)
    await seal(one, word("another"))
    await seal(one, words[0])
    await start(one)
    late = await send(two, seal=word("another").seal)
    assert (late.status_code, late.json()["error"]) == (409, "opening")
    for wrong in (
        word("another"), Word(words[1].text, "ab" * 16), Word("", words[1].salt), words[0],
    ):  # fmt: skip
        refused = await unseal(two, wrong)
        assert (refused.status_code, refused.json()["error"]) == (422, "seal_broken")
    assert (await send(two, text=words[1].text)).json()["error"] == "seal_broken"


@pytest.mark.parametrize(
    "body",
    [{}, {"seal": "x" * 64}, {"seal": "A" * 64}, {"seal": "ab" * 16}, {"salt": "ab" * 16},
     {"seal": "ab" * 32, "text": "x"}, {"text": "x" * 101}, {"text": "x", "salt": "ab"},
     {"text": 7}, {"seal": "ab" * 32, "salt": "ab" * 16}, {"word": "x"}],
)  # fmt: skip
async def test_what_is_neither_seal_nor_word_is_refused(
    server: ServerProcess, body: dict[str, Any]
) -> None:
    (one,) = await open_table(server.url, "sushizock", 2)
    refused = await send(one, **body)
    assert refused.status_code == 422, refused.text
    assert refused.json()["reason"]


@pytest.mark.parametrize("text", ["a\nb", "a\u2028b", "a\u0085b", "\u202e", "\x1b[2J"])
async def test_a_word_that_nobody_could_read_is_not_opened(
    server: ServerProcess, text: str
) -> None:
    """Its record would be refused by everybody who checks the dice."""
    (one,) = await open_table(server.url, "sushizock", 2)
    await seal(one, word(text))
    await start(one)
    refused = await unseal(one, word(text))
    assert (refused.status_code, refused.json()["error"]) == (422, "bad_word")


async def test_who_keeps_a_word_back_is_named_and_all_begin_anew(tmp_path: Path) -> None:
    """A rival who hears the words first would open theirs only when the dice please them."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0, open_within=3.0))
    async with server_here(house) as url:
        (one, two), words = await sealed_table(url)
        await one.connect()
        await two.connect()
        await start(one)
        await unseal(one, words[0])
        for seat in (one, two):
            await seat.until(lambda f: f["type"] == "state" and bool(f["table"]["held_up"]))
            assert seat.state["table"]["held_up"] == [{"seat": 1, "name": "p1"}]
            assert seat.state["table"]["phase"] == "open"
            assert [found["sealed"] for found in seat.state["table"]["seats"]] == [None, None]
            assert words[0].text not in json.dumps(seat.frames)
        late = await unseal(two, words[1])
        assert late.json()["error"] == "not_sealed"
        await seal(one, word("new"))
        await start(one)
        begun = (await unseal(one, word("new"))).json()
        assert (begun["phase"], begun["held_up"]) == ("playing", [])
        await one.close()
        await two.close()
