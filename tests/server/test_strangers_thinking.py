"""What strangers may make bots and the coach do: not more than anybody else."""

from pathlib import Path
from typing import Any

import pytest

from tests.server.client import (
    Seat,
    ServerProcess,
    ask,
    get,
    open_table,
    play_to_the_end,
    post,
    server_here,
    start,
)
from tests.waiting import until
from tischlein.game import BadStart
from tischlein.games import game_named
from tischlein.house import lessons
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.store.sqlite import SqliteStore

NO_BOTS = (
    "expert*1000", "expert*0.5", "easy*", "*", "onepage", "", " easy", "Easy", "easy\n",
    "tischlein.bots:play_randomly", "examples/bot.py", "__class__",
)  # fmt: skip


@pytest.mark.parametrize("bot", NO_BOTS)
async def test_a_bot_is_a_level_and_nothing_else(server: ServerProcess, bot: str) -> None:
    """Eight tables with `expert*1000` made everybody else's bots wait for two minutes."""
    body = {"game": "sushizock", "seats": 3, "name": "x", "bots": {"1": bot}}
    opened = await post(server.url, "/api/tables", body)
    assert (opened.status_code, opened.json()["error"]) == (422, "no_bot")
    one, _ = await open_table(server.url, "sushizock", 3, people=2)
    path = f"/api/tables/{one.table}"
    seated = await post(server.url, f"{path}/bots", {"seat": 2, "bot": bot}, one)
    assert (seated.status_code, seated.json()["error"]) == (422, "no_bot")
    assert "expert" in seated.json()["reason"], "it says which there are"
    await start(one)
    relieved = await post(server.url, f"{path}/relief", {"seat": 1, "bot": bot}, one)
    assert relieved.status_code == 422


async def test_all_levels_that_are_listed_may_sit_down(server: ServerProcess) -> None:
    """A check that is too strict would leave the tables without bots."""
    for game in (await get(server.url, "/api/games")).json():
        seats = game["seats"]["most"]
        bots = {str(n + 1): game["bots"][n % len(game["bots"])] for n in range(seats - 1)}
        body = {"game": game["game"], "seats": seats, "name": "x", "bots": bots}
        assert (await post(server.url, "/api/tables", body)).status_code == 201


def nested(depth: int) -> Any:
    """Give lists in lists."""
    found: Any = 1
    for _ in range(depth):
        found = [found]
    return found


NO_TIMES: list[Any] = [
    1, 999, 60_001, -1000, 10**30, 1500.5, "2000", True, None, [2000], {},
]  # fmt: skip
NO_ANSWERS: list[Any] = [0, "no", None, []]
NO_PLATES: list[Any] = [
    [1, 2, 3, 4, 5], [1] * 7, [1] * 5 + [100], [1] * 5 + [-100], [1] * 5 + [0.5], [1] * 5 + [True],
    "123456", 7, {"0": 1}, None, [[1]] * 6,
]  # fmt: skip
BEYOND: list[tuple[str, dict[str, Any]]] = [
    *(("kakerlaken", {rule: value}) for rule in ("race_ms", "naming_ms")
      for value in NO_TIMES),
    *(("kakerlaken", {"young": value}) for value in (1, "yes", None)),
    *(("buffet", {"plate_values": value})
      for value in NO_PLATES),
    *(("sushizock", {"open_piles": value}) for value in NO_ANSWERS),
    *(("sushizock", {"starter": value}) for value in (-1, 2, 1.0, True, "0", 10**30, [0])),
    *(("sushizock", {name: 1}) for name in ("", "x" * 9000, "{0}", "\u2028", "__class__")),
    *(("kakerlaken", {"race_ms": nested(depth)}) for depth in (50, 400)),
]  # fmt: skip


async def test_house_rules_have_bounds(server: ServerProcess) -> None:
    """A race of a millisecond was a table that rolls for ever, and filled the disk."""
    for game, options in BEYOND:
        seats = 3 if game == "buffet" else 2
        body = {"game": game, "seats": seats, "name": "x", "options": options}
        answer = await post(server.url, "/api/tables", body)
        assert answer.status_code == 422, (game, options, answer.text)
        assert answer.json()["error"] in ("bad_option", "no_option")
        assert 20 < len(answer.json()["reason"]) < 250, "a sentence, however long the value is"


def test_no_depth_of_a_house_rule_is_an_error_of_the_server() -> None:
    """A value that can just be read, but no longer be shown, was an error with a traceback."""
    for depth in range(1, 1000, 9):
        with pytest.raises(BadStart, match="must be a number of milliseconds"):
            game_named("kakerlaken").start(2, {"race_ms": nested(depth)})


async def test_tables_that_nobody_looks_at_cost_no_thought(tmp_path: Path) -> None:
    """150 tables of experts, started and left, made an easy bot wait for a minute."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0))
    async with server_here(house) as url:
        left = []
        for number in range(12):
            bots = {"1": "expert", "2": "expert"}
            (host,) = await open_table(
                url, "buffet", 3, speed="quick", bots=bots, options={"starter": number % 3}
            )
            await start(host)
            left.append(host)
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        await start(me)
        await play_to_the_end([me])
        for host in left:
            deals = house.tables[host.table].book.moves
            assert [move.by for move in deals] == ["nature"], "it was dealt, no more"
        watcher = await Seat(url, left[0].table, None, None).connect()
        await watcher.until(lambda frame: any(move["by"] == 1 for move in frame.get("log", [])))
        await watcher.close()
        await until(lambda: not house.tables[left[0].table].presence.listeners)
        assert house.thinkers.waiting == 0


async def test_the_coach_hears_four_games_of_one_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """32 games from one address left no coach for anybody else."""
    monkeypatch.setattr(lessons.Lessons, "_work", never)
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), Settings(bot_pause=0.0))) as u:
        statuses = []
        for _ in range(5):
            (me,) = await open_table(u, "sushizock", 2)
            await me.connect()
            await start(me)
            await play_to_the_end([me])
            statuses.append((await ask(me, "coach")).status_code)
            assert (await ask(me, "coach")).status_code == statuses[-1], "the same game is one"
        assert statuses == [202, 202, 202, 202, 503]


async def never(lessons: lessons.Lessons) -> None:
    """Teach nobody anything."""
