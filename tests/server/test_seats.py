"""Seats over the wire: what somebody may be called, who plays for them, and who is sent away."""

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.own import changed_game, nothing_stays
from tests.server.client import Seat, ServerProcess, get, open_table, post, server_here, start
from tischlein.games import load_file
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("P0", 409, "name_taken"),
        ("р0 ", 409, "name_taken"),
        ("Easy 2", 422, "bots_name"),
        ("Leicht 3", 422, "bots_name"),
        ("Gouda", 422, "bots_name"),
        ("\u200b", 422, "no_name"),
        ("\u202eluc", 422, "odd_name"),
        ("a\u2028b", 422, "odd_name"),
        ("a\u0085b", 422, "odd_name"),
        ("x" * 25, 422, "long_name"),
    ],
)
async def test_names_that_deceive_are_refused(
    name: str, status: int, code: str, server: ServerProcess
) -> None:
    """Others would have taken one for another or for a bot, and the coach have failed at U+2028."""
    (one,) = await open_table(server.url, "sushizock", 2, bots={})
    refused = await post(server.url, f"/api/tables/{one.table}/seats", {"name": name})
    assert (refused.status_code, refused.json()["error"]) == (status, code)
    if status == 422:
        wish = {"game": "sushizock", "seats": 2, "name": name}
        assert (await post(server.url, "/api/tables", wish)).json()["error"] == code


async def test_a_name_comes_out_as_all_can_see_it(server: ServerProcess) -> None:
    (one,) = await open_table(server.url, "sushizock", 2, bots={})
    path = f"/api/tables/{one.table}"
    assert (await post(server.url, f"{path}/seats", {"name": " Mi\u00ada\u200b  B "})).is_success
    shown = (await get(server.url, path)).json()
    assert shown["seats"][1]["name"] == "Mia B"


async def test_texts_in_house_rules_can_be_seen(tmp_path: Path) -> None:
    """A house rule of somebody's own game would have turned round the lobby of all others."""
    own = "class Options(game.Options, frozen=True):\n    motto: str = ''\n"
    rule = ("from tischlein.game import By, Options", f"from tischlein.game import By\n{own}")
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"))) as url:
        with nothing_stays():
            name = load_file(changed_game(tmp_path, rule)).NAME
            for motto, status in (("Prost!", 201), ("\u202etsorp", 422), ("a\nb", 422)):
                wish = {"game": name, "seats": 2, "name": "Ina", "options": {"motto": motto}}
                assert (await post(url, "/api/tables", wish)).status_code == status


async def test_no_rival_chooses_who_plays_for_somebody_away(tmp_path: Path) -> None:
    """A rival would have let `random` play for whoever lost the line for half a minute."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0, relief_after=0.2))
    async with server_here(house) as url:
        one, two = await open_table(url, "sushizock", 2, people=2, stand_in="medium")
        path = f"/api/tables/{one.table}"
        shown = (await get(url, path)).json()["seats"]
        assert [seat["stand_in"] for seat in shown] == ["medium", "medium"]
        chosen = await post(url, f"{path}/stand-in", {"bot": "hard"}, two)
        assert [seat["stand_in"] for seat in chosen.json()["seats"]] == ["medium", "hard"]
        for bot, seat in (({"bot": "random", "seat": 0}, two), ({"bot": "expert*1000"}, two)):
            assert (await post(url, f"{path}/stand-in", bot, seat)).status_code in (403, 422)
        await one.connect()
        await start(one)
        await one.until(lambda f: f["table"]["seats"][1]["can_be_relieved"])
        worse = await post(url, f"{path}/relief", {"seat": 1, "bot": "random"}, one)
        assert (worse.status_code, worse.json()["error"]) == (422, "bad_request")
        assert (await post(url, f"{path}/relief", {"seat": 1})).status_code == 401
        relieved = await post(url, f"{path}/relief", {"seat": 1}, one)
        assert relieved.json()["seats"][1]["relief"] == "hard"


@pytest.mark.parametrize("level", ["expert*1000", "onepage", "god", ""])
async def test_a_table_is_set_with_a_level_for_those_away(
    level: str, server: ServerProcess
) -> None:
    wish = {"game": "sushizock", "seats": 2, "name": "Ina", "stand_in": level}
    assert (await post(server.url, "/api/tables", wish)).json()["error"] == "no_bot"


async def test_who_is_removed_watches_and_their_token_holds_nothing(server: ServerProcess) -> None:
    """Who takes a seat and does not play would have kept everybody from beginning."""
    one, two = await open_table(server.url, "sushizock", 2, people=2)
    await one.connect()
    await two.connect()
    path = f"/api/tables/{one.table}"
    cheeky = await post(server.url, f"{path}/remove", {"seat": 0}, two)
    assert (cheeky.status_code, cheeky.json()["error"]) == (403, "not_host")
    removed = await post(server.url, f"{path}/remove", {"seat": 1}, one)
    assert removed.json()["seats"][1]["name"] is None
    told = await two.until(lambda frame: frame["type"] == "refused")
    assert (told["code"], told["reason"]) == (
        "removed",
        "the host has given your seat back to the table",
    )
    await two.until(lambda frame: frame["type"] == "state" and frame["seat"] is None)
    assert (await post(server.url, f"{path}/leave", seat=two)).status_code == 401
    with pytest.raises(ConnectionClosed) as closed:
        await Seat(server.url, two.table, 1, two.token).connect()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    again = await post(server.url, f"{path}/seats", {"name": "p1"})
    assert again.status_code == 201
    await start(one)
    late = await post(server.url, f"{path}/remove", {"seat": 1}, one)
    assert (late.status_code, late.json()["error"]) == (409, "begun")


async def test_a_removed_player_stays_removed_after_a_restart(tmp_path: Path) -> None:
    """The seat would have been taken again by somebody who is not there."""
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"))) as url:
        one, two = await open_table(url, "sushizock", 2, people=2)
        path = f"/api/tables/{one.table}"
        assert (await post(url, f"{path}/remove", {"seat": 1}, one)).is_success
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"))) as url:
        assert (await get(url, path)).json()["seats"][1]["name"] is None
        assert (await post(url, f"{path}/leave", seat=two)).status_code == 401
