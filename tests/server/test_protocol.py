"""The wire protocol, as the contract says it, over real sockets."""

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.client import (
    LIMIT,
    Seat,
    ServerProcess,
    get,
    open_table,
    play_to_the_end,
    post,
    start,
)
from tischlein import replay
from tischlein.chance import verify

GAMES = [("sushizock", 2), ("sushizock", 5), ("buffet", 3), ("buffet", 4), ("kakerlaken", 3)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
async def test_people_play_a_whole_game(server: ServerProcess, game: str, seats: int) -> None:
    people = await open_table(server.url, game, seats, people=seats)
    await asyncio.gather(*(seat.connect() for seat in people))
    watcher = await Seat(server.url, people[0].table, None, None).connect()
    await start(people[0])
    await play_to_the_end(people)
    end = people[0].state
    assert end["over"] is True
    assert end["to_move"] == []
    assert end["winners"]
    await watcher.until(lambda frame: bool(frame["over"]))
    assert watcher.state["scores"] == end["scores"]
    record = await get(server.url, f"/api/tables/{people[0].table}/record")
    assert record.status_code == 200
    game_played = replay(record.text.splitlines())
    again = (await get(server.url, f"/api/tables/{people[0].table}/replay")).json()
    assert len(again["positions"]) == len(game_played.moves) + 1
    assert again["positions"][0]["move"] is None
    assert again["positions"][-1]["scores"] == end["scores"]
    assert again["seats"] == [f"p{seat}" for seat in range(seats)]
    assert list(game_played.outcome().scores) == end["scores"]
    assert verify(game_played).agreed > 0
    public = (await get(server.url, f"/api/tables/{people[0].table}")).json()
    assert game_played.header.commitment == public["commitment"]
    for seat in [*people, watcher]:
        await seat.close()


@pytest.mark.parametrize("game", ["sushizock", "buffet", "kakerlaken"])
async def test_one_person_among_bots(server: ServerProcess, game: str) -> None:
    (me,) = await open_table(server.url, game, 3)
    await me.connect()
    await start(me)
    await play_to_the_end([me])
    assert me.state["over"] is True
    await me.close()


async def test_opening_and_joining(server: ServerProcess) -> None:
    url = server.url
    body = {"game": "sushizock", "seats": 3, "name": "Ina", "bots": {"1": "easy"}}
    opened = await post(url, "/api/tables", body)
    assert opened.status_code == 201
    held = opened.json()
    assert held["seat"] == 0
    assert len(held["token"]) >= 40
    host = Seat(url, held["table"], 0, held["token"])
    table = f"/api/tables/{held['table']}"
    early = await post(url, f"{table}/start", seat=host)
    assert (early.status_code, early.json()["error"]) == (409, "empty_seats")
    joined = await post(url, f"{table}/seats", {"name": "Tom"})
    assert (joined.status_code, joined.json()["seat"]) == (201, 2)
    tom = Seat(url, held["table"], 2, joined.json()["token"])
    full = await post(url, f"{table}/seats", {"name": "Zoe"})
    assert (full.status_code, full.json()["error"]) == (409, "full")
    not_host = await post(url, f"{table}/start", seat=tom)
    assert (not_host.status_code, not_host.json()["error"]) == (403, "not_host")
    assert (await post(url, f"{table}/start")).status_code == 401
    swapped = await post(url, f"{table}/bots", {"seat": 2, "bot": "easy"}, host)
    assert (swapped.status_code, swapped.json()["error"]) == (409, "taken")
    freed = await post(url, f"{table}/bots", {"seat": 1, "bot": None}, host)
    assert freed.json()["seats"][1]["name"] is None
    back = await post(url, f"{table}/bots", {"seat": 1, "bot": "random"}, host)
    assert back.status_code == 200
    await start(host)
    begun = await post(url, f"{table}/seats", {"name": "Zoe"})
    assert (begun.status_code, begun.json()["error"]) == (409, "begun")
    assert (await get(url, f"{table}/record")).status_code == 409
    assert (await get(url, f"{table}/replay")).status_code == 409
    public = (await get(url, table)).json()
    assert [seat["name"] for seat in public["seats"]][0::2] == ["Ina", "Tom"]
    assert "token" not in str(public)
    assert "seed" not in public


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/tables", {"game": "chess", "seats": 2, "name": "x"}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 99, "name": "x"}, 422),
        ("/api/tables", {"game": "sushizock", "seats": "2", "name": "x"}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": ""}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "   "}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "a\nb"}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "x" * 99}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "x", "cheat": 1}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "x", "bots": {"0": "easy"}}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "x", "bots": {"1": "god"}}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "x", "options": {"a": 1}}, 422),
        ("/api/tables", {"game": "sushizock", "seats": 2, "name": "x" * 40_000}, 413),
        ("/api/tables", [], 422),
        ("/api/tables/nowhere/seats", {"name": "x"}, 404),
        ("/api/tables/nowhere/start", {}, 404),
        ("/api/nowhere", {}, 404),
        ("/api/games", {}, 405),
    ],
)
async def test_wrong_requests(server: ServerProcess, path: str, body: Any, status: int) -> None:
    answer = await post(server.url, path, body)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "reason"}


async def test_a_move_is_refused_with_its_reason(server: ServerProcess) -> None:
    one, two = await open_table(server.url, "sushizock", 2, people=2, options={"starter": 0})
    await one.connect()
    await two.connect()
    await one.move({"do": "take", "row": "sushi"}, "early")
    refused = await one.until(lambda frame: frame["type"] == "refused")
    assert (refused["id"], refused["code"]) == ("early", "not_started")
    await start(one)
    await two.until(lambda frame: frame.get("to_move") == [0])
    await two.move({"do": "take", "row": "sushi"}, "mine")
    refused = await two.until(lambda frame: frame["type"] == "refused")
    assert refused["reason"] == "it is not your turn; it is the turn of seat 0"
    await one.until(lambda frame: frame.get("to_move") == [0])
    await one.move({"do": "steal", "pile": "sushi", "from": 1, "depth": 1}, "steal")
    refused = await one.until(lambda frame: frame["type"] == "refused")
    assert refused["code"] in ("few_blue", "pile_empty")
    await one.move({"do": "fly"}, "fly")
    refused = await one.until(lambda frame: frame["type"] == "refused")
    assert (refused["id"], refused["code"]) == ("fly", "not_a_move")
    watcher = await Seat(server.url, one.table, None, None).connect()
    await watcher.move({"do": "forced"}, "w")
    refused = await watcher.until(lambda frame: frame["type"] == "refused")
    assert refused["code"] == "watcher"


async def test_the_same_id_twice_is_one_move(server: ServerProcess) -> None:
    one, two = await open_table(server.url, "buffet", 3, people=2)
    await one.connect()
    twin = await Seat(server.url, one.table, 0, one.token).connect()
    await two.connect()
    await start(one)
    await one.until(lambda frame: bool(frame.get("legal")))
    await twin.until(lambda frame: bool(frame.get("legal")))
    card = one.legal[0]
    await asyncio.gather(one.move(card, "same"), twin.move(card, "same"))
    await one.until(lambda f: any(move["by"] == 0 for move in f.get("log", [])))
    await one.move(card, "same")
    again = await one.until(lambda frame: frame["type"] == "state")
    assert all(move["by"] != 0 for move in again["log"]), "no new move of mine"
    assert [f for f in one.frames + twin.frames if f["type"] == "refused"] == []
    mine = [m for f in one.frames if f["type"] == "state" for m in f["log"] if m["by"] == 0]
    assert len(mine) == 1
    await twin.move(twin.legal[-1], "other")
    refused = await twin.until(lambda frame: frame["type"] == "refused")
    assert refused["code"] == "already_moved"


async def test_a_dropped_player_comes_back_with_the_moves_missed(server: ServerProcess) -> None:
    one, two = await open_table(server.url, "sushizock", 2, people=2, options={"starter": 1})
    await one.connect()
    await two.connect()
    await start(one)
    await one.until(lambda frame: frame.get("to_move") == [1])
    seen = one.state["seq"]
    await one.close()
    await two.until(lambda frame: frame.get("to_move") == [1])
    await two.move(two.legal[0])
    await two.until(lambda frame: frame.get("seq", 0) > seen)
    again = await Seat(server.url, one.table, 0, one.token).connect(seq=seen)
    assert [move["by"] for move in again.state["log"]][:1] == [1]
    assert again.state["seq"] == seen + len(again.state["log"])
    whole = await Seat(server.url, one.table, 0, one.token).connect()
    assert [move["do"] for move in whole.state["log"]][:2] == ["deal", "roll"]
    assert whole.state["seq"] == again.state["seq"]
    assert whole.state["table"]["seats"][0]["here"] is True


async def test_wrong_tokens_and_missing_hello(server: ServerProcess) -> None:
    (one,) = await open_table(server.url, "sushizock", 2)
    for table, hello, code in (
        (one.table, {"type": "hello", "token": "guess"}, 4401),
        (one.table, {"type": "ping", "t0": 1}, 1008),
        (one.table, {"type": "nonsense"}, 1008),
        ("nowhere", {"type": "hello"}, 4404),
    ):
        stranger = Seat(server.url, table, None, None)
        with pytest.raises(ConnectionClosed) as closed:
            await stranger.connect(**hello)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


async def test_rematch_at_the_same_table(server: ServerProcess) -> None:
    (me,) = await open_table(server.url, "sushizock", 2)
    table = f"/api/tables/{me.table}"
    await me.connect()
    soon = await post(server.url, f"{table}/rematch", {"starter": "loser"}, me)
    assert soon.status_code == 409
    promises = []
    for number in (1, 2):
        promises.append((await get(server.url, table)).json()["commitment"])
        await start(me)
        await me.until(lambda frame: frame.get("seq", 9) < 9 and bool(frame.get("log")))
        await play_to_the_end([me])
        record = await get(server.url, f"{table}/record")
        scores = me.state["scores"]
        if number == 1:
            first, first_scores = record.text, scores
            again = await post(server.url, f"{table}/rematch", {"starter": "loser"}, me)
            assert again.json()["phase"] == "open"
            await me.until(lambda frame: frame["type"] == "state" and not frame["over"])
    assert promises[0] != promises[1]
    assert (await get(server.url, f"{table}/record?game=1")).text == first
    second = replay((await get(server.url, f"{table}/record?game=2")).text.splitlines())
    starter = second.moves[0][1].starter
    assert first_scores[starter] == min(first_scores)
    assert (await get(server.url, f"{table}/record?game=3")).status_code == 404
    for wrong in ("x", "0", "000001" + "9" * 30, "9" * 5000):
        refused = await get(server.url, f"{table}/record?game={wrong}")
        assert refused.status_code == 422
    stale = await Seat(server.url, me.table, 0, me.token).connect(seq=9999)
    assert len(stale.state["log"]) == stale.state["seq"]
    other = await Seat(server.url, me.table, 0, me.token).connect(seq=20, game=1)
    assert len(other.state["log"]) == other.state["seq"]
    assert (await get(server.url, "/healthz")).status_code == 200


async def test_the_hosts_rights_pass_on(server: ServerProcess) -> None:
    one, two = await open_table(server.url, "sushizock", 3, people=2)
    await two.connect()
    gone = await post(server.url, f"/api/tables/{one.table}/leave", seat=one)
    assert gone.json()["host"] == 1
    assert gone.json()["seats"][0]["name"] is None
    assert (await post(server.url, f"/api/tables/{one.table}/start", seat=one)).status_code == 401
    bot = await post(server.url, f"/api/tables/{one.table}/bots", {"seat": 0, "bot": "easy"}, two)
    assert bot.status_code == 200
    await start(two)


async def test_who_has_left_only_watches(server: ServerProcess) -> None:
    """The socket of somebody who got up neither sees nor plays the seat's next owner's cards."""

    one, two = await open_table(server.url, "buffet", 4, people=2)
    await one.connect()
    await two.connect()
    table = f"/api/tables/{one.table}"
    await post(server.url, f"{table}/leave", seat=two)
    await two.until(lambda frame: frame["type"] == "state" and frame["seat"] is None)
    joined = (await post(server.url, f"{table}/seats", {"name": "new"})).json()
    assert joined["seat"] == 1
    await start(one)
    await two.until(lambda frame: bool(frame["view"]["hands"][1]))
    assert set(two.state["view"]["hands"][1]) == {None}
    await two.move({"do": "play", "card": 4})
    refused = await two.until(lambda frame: frame["type"] == "refused")
    assert refused["code"] == "watcher"


async def test_a_seat_left_after_the_end_is_free_in_the_rematch(server: ServerProcess) -> None:
    one, two = await open_table(server.url, "sushizock", 2, people=2)
    for seat in (one, two):
        await seat.connect()
    await start(one)
    await play_to_the_end([one, two])
    table = f"/api/tables/{one.table}"
    await post(server.url, f"{table}/leave", seat=two)
    again = await post(server.url, f"{table}/rematch", {}, one)
    assert again.json()["seats"][1]["name"] is None
    assert (await post(server.url, f"{table}/seats", {"name": "new"})).status_code == 201


async def test_games_health_metrics_and_openapi(server: ServerProcess) -> None:
    games = (await get(server.url, "/api/games")).json()
    assert {game["game"] for game in games} == {"sushizock", "buffet", "kakerlaken"}
    assert games[0]["bots"][:2] == ["random", "easy"]
    assert (await get(server.url, "/healthz")).json()["ok"] is True
    metrics = (await get(server.url, "/metrics")).text
    for name in ("tables", "seats", "moves_total", "refusals_total", "race_uncertainty_ms_sum"):
        assert f"tischlein_{name}" in metrics
    document = (await get(server.url, "/api/openapi.json")).json()
    assert {"/api/tables/{table}/seats", "/api/qr", "/api/address"} <= set(document["paths"])
    assert "Tischlein" in (await get(server.url, "/")).text


async def test_strangers_pages_are_refused(server: ServerProcess) -> None:
    import httpx
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    own = server.url
    async with httpx.AsyncClient(base_url=own, timeout=LIMIT, trust_env=False) as client:
        for headers, status in (
            ({"Origin": own}, 200),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Host": "evil.example"}, 403),
            ({"Host": "evil.example", "Origin": "http://evil.example"}, 403),
        ):
            assert (await client.get("/api/games", headers=headers)).status_code == status
    (one,) = await open_table(own, "sushizock", 2)
    address = own.replace("http", "ws", 1) + f"/api/tables/{one.table}/live"
    with pytest.raises(InvalidStatus):
        await connect(address, origin="https://evil.example", proxy=None)  # type: ignore[arg-type]


async def test_a_primer_is_told_packed_or_not(server: ServerProcess) -> None:
    for game in (await get(server.url, "/api/games")).json():
        assert game["primer"] is True
        told = await get(server.url, f"/api/games/{game['game']}/primer")
        plain = await get(
            server.url, f"/api/games/{game['game']}/primer", **{"Accept-Encoding": "identity"}
        )
        assert told.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert told.json() == plain.json()
        assert told.json()["steps"]
    assert (await get(server.url, "/api/games/chess/primer")).status_code == 404
