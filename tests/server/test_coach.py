"""The coach and the expert's advice over HTTP: for whom, when, and that nothing hidden is told."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.client import (
    LIMIT,
    Seat,
    ServerProcess,
    ask,
    open_table,
    play_to_the_end,
    server_here,
    server_process,
)
from tests.server.client import start as start_game
from tischlein.bots import Answer, Turn
from tischlein.games import game_names
from tischlein.house import lessons
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.house.thinking import SOMEBODY, Thinkers
from tischlein.store.sqlite import SqliteStore
from tischlein.table.needs import Asker

QUIET = Settings(bot_pause=0.0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    quick = ("--set", "coach_effort=0.05", "--set", f"bot_budget={LIMIT}")
    with server_process(tmp_path_factory.mktemp("data"), *quick) as running:
        yield running


def said(answer: httpx.Response) -> tuple[int, str]:
    """Give the status and the code of a refusal."""
    return answer.status_code, answer.json()["error"]


@asynccontextmanager
async def seated(url: str, name: str, seats: int, **more: Any) -> AsyncIterator[list[Seat]]:
    """Start a game in which people sit in all seats."""
    people = await open_table(url, name, seats, people=seats, **more)
    await asyncio.gather(*(seat.connect() for seat in people))
    await start_game(people[0])
    await asyncio.gather(*(seat.until(lambda f: bool(f.get("to_move"))) for seat in people))
    yield people
    for seat in people:
        await seat.close()


async def turn(people: list[Seat]) -> tuple[Seat, Seat]:
    """Wait until somebody may move; give one who may and one who may not."""
    async with asyncio.timeout(LIMIT):
        while not any(seat.legal for seat in people):
            await people[0].frame()
            await people[1].frame()
    mover = next(seat for seat in people if seat.legal)
    return mover, next(seat for seat in people if seat is not mover)


async def finished(url: str, name: str = "sushizock") -> Seat:
    """Play a game to its end, alone against two bots."""
    (me,) = await open_table(url, name, 3)
    await me.connect()
    await start_game(me)
    await play_to_the_end([me])
    await me.close()
    return me


async def test_advice_is_for_who_may_move_where_the_host_allows_it(server: ServerProcess) -> None:
    async with seated(server.url, "sushizock", 2) as people:
        mover, _ = await turn(people)
        assert said(await ask(mover, "hint")) == (403, "no_hints")
    async with seated(server.url, "sushizock", 2, hints=True) as people:
        mover, other = await turn(people)
        watcher = Seat(server.url, mover.table, None, None)
        assert mover.state["table"]["hints"] is True
        assert said(await ask(watcher, "hint")) == (401, "no_seat_held")
        assert said(await ask(other, "hint")) == (409, "no_hint_now")
        assert said(await ask(mover, "hint", lang="xx")) == (422, "no_language")
        told = await ask(mover, "hint", lang="de")
        assert told.status_code == 200, told.text
        advice = told.json()
        assert advice["move"] in mover.legal
        assert advice["told"] == advice["worth"][0][0]
        assert advice["why"]
        assert (await ask(mover, "hint", lang="de")).json() == advice  # asked twice, thought once
        english = (await ask(mover, "hint")).json()
        assert english["move"] == advice["move"]
        assert english["why"] != advice["why"]


async def test_advice_waits_for_the_game_and_never_comes_in_a_race(server: ServerProcess) -> None:
    (host,) = await open_table(server.url, "sushizock", 2, hints=True)
    assert (await ask(host, "hint")).status_code == 409
    async with seated(server.url, "kakerlaken", 2, hints=True) as people:
        await people[0].until(lambda frame: bool((frame.get("race") or {}).get("show_at")))
        assert said(await ask(people[0], "hint")) == (409, "no_hint_now")


async def test_advice_names_no_card_of_anybody_else(server: ServerProcess) -> None:
    """[B7]: cards are played in secret. Only one's own are named."""

    async with seated(server.url, "buffet", 3, hints=True) as people:
        await turn(people)
        for seat in people:
            hand = seat.state["view"]["hands"][seat.seat]
            advice = (await ask(seat, "hint")).json()
            assert advice["move"]["card"] in hand
            for told in [advice["told"], *(words for words, _ in advice["worth"])]:
                (card,) = re.findall(r"−?\d+", told)
                assert int(card.replace("−", "-")) in hand
            assert not re.search(r"p[012]", advice["told"] + advice["why"])


async def test_a_card_laid_in_secret_breaks_off_no_advice(tmp_path: Path) -> None:
    """[B7]: others lay while the expert thinks for somebody; what is asked is still the same."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    class Slow(Thinkers):
        async def ask(
            self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY
        ) -> Answer | None:
            asked.set()
            await go_on.wait()
            return Answer(turn.legal[0], worth=tuple((move, 0.5) for move in turn.legal))

    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET, thinkers=Slow(5.0))
    async with server_here(house) as url, seated(url, "buffet", 3, hints=True) as people:
        await turn(people)
        asking = asyncio.create_task(ask(people[0], "hint"))
        await asyncio.wait_for(asked.wait(), LIMIT)
        for other in people[1:]:
            await other.move(other.legal[0])
            await other.until(lambda frame: frame["type"] == "state")
        go_on.set()
        told = await asking
        assert told.status_code == 200, told.text
        assert told.json()["move"] == people[0].legal[0]
        assert told.json()["equal"] == list(range(1, len(people[0].legal)))


async def test_an_expert_who_fails_says_so(tmp_path: Path) -> None:
    """No random move is passed off as advice."""

    class Speechless(Thinkers):
        async def ask(
            self, game: str, level: str, turn: Turn, asker: Asker = SOMEBODY
        ) -> Answer | None:
            return None

    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET, thinkers=Speechless(5.0))
    async with server_here(house) as url, seated(url, "sushizock", 2, hints=True) as people:
        mover, _ = await turn(people)
        assert said(await ask(mover, "hint")) == (409, "no_answer")


@pytest.mark.parametrize("name", game_names())
async def test_the_coach_works_through_a_finished_game(server: ServerProcess, name: str) -> None:
    me = await finished(server.url, name)
    first = await ask(me, "coach")
    assert first.status_code == 202
    assert set(first.json()) == {"done"}
    lesson, seen = await patiently(me)
    assert seen == sorted(seen)
    assert all(0 <= done <= 1 for done in seen)
    assert lesson["names"][0] == "p0"
    winners = me.state["winners"]
    for seat, account in enumerate(lesson["ledger"]):
        parts = account["start"] + account["luck"] + account["own"] + account["others"]
        assert parts == pytest.approx(account["share"], abs=1e-9)
        assert account["share"] == pytest.approx((seat in winners) / len(winners))
    positions = (await ask(me, "replay")).json()["positions"]
    assert len(lesson["curve"]) == len(positions)
    for mistake in lesson["mistakes"]:
        assert positions[mistake["number"]]["move"]["by"] == mistake["seat"]
        assert mistake["told"] != mistake["better"]
        assert mistake["lost"] >= 0.03  # told in ten-thousandths
    french = (await ask(me, "coach", lang="fr")).json()
    assert french["ledger"] == lesson["ledger"]
    own = {mistake["number"]: mistake["seat"] for mistake in lesson["mistakes"]}
    for seat, verdict in enumerate(lesson["verdicts"]):
        assert len(verdict["says"]) == 2
        assert verdict["says"][0].startswith("You ")
        assert french["verdicts"][seat]["lessons"] == verdict["lessons"]
        assert french["verdicts"][seat]["says"] != verdict["says"]
        assert len(verdict["lessons"]) <= 3
        assert all(own[number] == seat for number in verdict["lessons"])


async def answered(seat: Seat) -> tuple[httpx.Response, list[float]]:
    """Ask the coach until it is done; give its answer, and how far it was each time."""
    seen: list[float] = []
    async with asyncio.timeout(90):
        while (answer := await ask(seat, "coach")).status_code == 202:
            seen.append(answer.json()["done"])
            await asyncio.sleep(0.05)
    return answer, seen


async def patiently(seat: Seat) -> tuple[dict[str, Any], list[float]]:
    """Wait for the coach's lesson; give it, and how far the coach was each time."""
    answer, seen = await answered(seat)
    assert answer.status_code == 200, answer.text
    return answer.json(), seen


async def test_the_coach_waits_for_the_end_and_speaks_four_languages(server: ServerProcess) -> None:
    async with seated(server.url, "sushizock", 2) as people:
        assert said(await ask(people[0], "coach")) == (409, "not_over")
        assert said(await ask(people[0], "coach", lang="xx")) == (422, "no_language")
        assert said(await ask(people[0], "coach", game="0")) == (422, "bad_game")


async def test_a_coach_with_too_much_to_do_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), QUIET)) as url:
        one, two = await finished(url), await finished(url)
        monkeypatch.setattr(lessons, "WAITING_OF_ONE", 1)
        first, second = await asyncio.gather(ask(one, "coach"), ask(two, "coach"))
        if first.status_code == 503:
            one, two, first, second = two, one, second, first
        assert first.status_code == 202
        assert said(second) == (503, "busy")
        await patiently(one)
        await patiently(two)  # when one is done, the other has its turn


async def test_a_game_that_nobody_can_appraise_fails_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stuck(*args: Any) -> None:
        raise ValueError("no idea")

    async with server_here(House(SqliteStore(tmp_path / "t.sqlite"), QUIET)) as url:
        me = await finished(url)
        monkeypatch.setattr(lessons, "weigh_record", stuck)
        assert said((await answered(me))[0]) == (500, "coach_failed")
