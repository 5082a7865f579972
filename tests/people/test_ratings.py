"""Every game is rated once, whatever happens; boards tell what is known."""

import asyncio
import logging
from collections import Counter
from typing import Any

import pytest

from tests.rated import GAME, NOVEMBER, ended_game, people, wins
from tests.stores import Opener, again, conform
from tests.waiting import LIMIT
from tischlein.people import ratings as module
from tischlein.people.profiles import Profile
from tischlein.people.ratings import TOP, Own, Ratings
from tischlein.people.strength import ALL_TIME, MIDDLE, SURE, Strength, after
from tischlein.store import Step, Store, StoreDown

__all__ = ["again"]

ADD = """
    INSERT INTO ratings (profile, game, season, mu, sigma, games, worth, at)
    VALUES ($1, $2, $3, $4, $5, 9, $6, 0)
"""


class Shaky:
    """A store that is seen through somebody who may die between reading and writing."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.dies = ""
        self.arrived = asyncio.Event()
        self.may_write = asyncio.Event()
        self.may_write.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def together(self, *steps: Step) -> list[list[Any]] | None:
        """Take steps, or die before or after; `deaf`: they are taken, but that is not heard."""
        self.arrived.set()
        await self.may_write.wait()
        if self.dies == "before":
            raise StoreDown("dead")
        found = await self._store.together(*steps)
        if self.dies == "after":
            raise StoreDown("dead")
        return None if self.dies == "deaf" else found


async def strength(store: Store, who: Profile, season: str = ALL_TIME) -> Own:
    """Read somebody's rating."""
    (found,) = await Ratings(store).of(who.id, season)
    return found


async def unrated(store: Store) -> list[Any]:
    """List the games that wait."""
    return [tuple(row) for row in await store.ask("SELECT name, game FROM unrated ORDER BY name")]


@conform
async def test_a_game_is_rated_for_the_month_and_for_all_time(store: Store, again: Opener) -> None:
    anna, bo = await people(store, "Anna", "Bo")
    await wins(store, anna, bo, table="a", ended=NOVEMBER + 5)
    assert await Ratings(store).rate_some() == 1
    first, second = after([Strength()] * 2, [0, 1])
    for season in (ALL_TIME, "2026-11"):
        found = await strength(store, anna, season)
        assert found == Own(GAME, first, 1, first.mu - MIDDLE, "a/1")
        assert (await strength(store, bo, season)).strength == second
    assert await Ratings(store).rate_some() == 0
    assert await unrated(store) == []
    assert await Ratings(store).worth(anna.id, GAME) == pytest.approx(first.worth)
    assert await Ratings(store).worth(anna.id, "chess") is None


@conform
async def test_five_raters_at_once_rate_every_game_once(store: Store, again: Opener) -> None:
    some = await people(store, "Anna", "Bo", "Cleo", "Dora")
    times: Counter[str] = Counter()
    for number in range(12):
        players = [some[number % 4], some[(number + 1) % 4], some[(number + 2) % 4]]
        await wins(store, *players, table=f"t{number:02}", ended=NOVEMBER + number)
        times.update(player.id for player in players)
    stores = [await again() for _ in range(5)]
    raters = [Ratings(one) for one in stores]
    rated = 0
    while await unrated(store):
        rated += sum(await asyncio.gather(*(rater.rate_some() for rater in raters)))
    assert rated == 12
    for who in some:
        for season in (ALL_TIME, "2026-11"):
            assert (await strength(store, who, season)).games == times[who.id]
    for one in stores:
        await one.close()


@pytest.mark.parametrize("dies", ["before", "after"])
async def test_who_dies_while_rating_loses_and_doubles_nothing(again: Opener, dies: str) -> None:
    store = await again()
    anna, bo = await people(store, "Anna", "Bo")
    await wins(store, anna, bo, table="a")
    shaky = Shaky(store)
    shaky.dies = dies
    with pytest.raises(StoreDown):
        await Ratings(shaky).rate_some()
    await Ratings(store).rate_some()
    assert (await strength(store, anna)).games == (await strength(store, bo)).games == 1
    assert await unrated(store) == []
    await store.close()


@conform
async def test_what_was_written_but_not_heard_is_not_written_again(
    store: Store, again: Opener
) -> None:
    anna, bo = await people(store, "Anna", "Bo")
    await wins(store, anna, bo, table="a")
    shaky = Shaky(store)
    shaky.dies = "deaf"
    assert await Ratings(shaky).rate_some() == 0
    assert (await strength(store, anna)).games == 1


@conform
async def test_two_games_that_end_at_one_moment_both_count(store: Store, again: Opener) -> None:
    anna, bo, cleo = await people(store, "Anna", "Bo", "Cleo")
    await wins(store, anna, bo, table="a")
    await wins(store, cleo, anna, table="b")
    other = await again()
    here, there = Shaky(store), Shaky(other)
    for one in (here, there):
        one.may_write.clear()
    tasks = [asyncio.create_task(Ratings(here).rate("a", 1)),
             asyncio.create_task(Ratings(there).rate("b", 1))]  # fmt: skip
    await here.arrived.wait()
    await there.arrived.wait()  # both have read what Anna was before
    here.may_write.set()
    there.may_write.set()
    assert await asyncio.gather(*tasks) == [True, True]
    new = Strength()
    won, _ = after([new, new], [0, 1])
    _, lost = after([new, new], [0, 1])
    orders = [after([new, won], [0, 1])[1], after([lost, new], [0, 1])[0]]
    found = await strength(store, anna)
    assert found.games == 2
    assert any(
        (found.strength.mu, found.strength.sigma) == pytest.approx((one.mu, one.sigma))
        for one in orders
    )
    await other.close()


@conform
async def test_who_has_left_is_last_even_if_their_bot_won(store: Store, again: Opener) -> None:
    anna, bo, cleo = await people(store, "Anna", "Bo", "Cleo")
    await wins(store, anna, bo, cleo, table="a", left=[0])
    await Ratings(store).rate_some()
    mine = [(await strength(store, who)).strength.mu for who in (anna, bo, cleo)]
    assert mine[0] == min(mine) < MIDDLE
    assert max(mine) > MIDDLE


@conform
async def test_a_game_belongs_to_the_month_in_which_it_ended(store: Store, again: Opener) -> None:
    anna, bo = await people(store, "Anna", "Bo")
    await wins(store, anna, bo, table="a", ended=NOVEMBER - 0.5)
    await wins(store, bo, anna, table="b", ended=NOVEMBER)
    assert await Ratings(store).rate_some() == 2
    assert (await strength(store, anna)).games == 2
    old, new = [await strength(store, anna, month) for month in ("2026-10", "2026-11")]
    assert (old.games, new.games) == (1, 1)
    assert old.strength.mu > MIDDLE > new.strength.mu, "each month begins anew"


@conform
async def test_a_broken_record_holds_nothing_up(store: Store, again: Opener) -> None:
    anna, bo = await people(store, "Anna", "Bo")
    lines = ended_game(2, 0).splitlines()
    for number, broken in enumerate(("", "{}", "\n".join(lines[:-1]), "\n".join(lines[3:]))):
        await wins(store, anna, bo, table=f"broken{number}", ended=NOVEMBER, record=broken)
    await wins(store, anna, bo, table="good", ended=NOVEMBER + 1)
    said: list[str] = []
    log = logging.getLogger("tischlein.people")
    listener = logging.Handler()
    listener.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    log.addHandler(listener)
    try:
        assert await Ratings(store).rate_some() == 1
    finally:
        log.removeHandler(listener)
    assert len(said) == 4
    assert said[0].startswith("table=broken0 game=1 cannot be rated")
    assert await unrated(store) == []
    assert (await strength(store, anna)).games == 1


@conform
async def test_who_is_deleted_is_neither_rated_nor_shown(store: Store, again: Opener) -> None:
    anna, bo, cleo = await people(store, "Anna", "Bo", "Cleo")
    await wins(store, anna, bo, cleo, table="a")
    await wins(store, anna, bo, table="b")
    forget = "DELETE FROM profiles WHERE id = $1"
    await store.ask(forget, bo.id)
    ratings = Ratings(store)
    assert await ratings.rate_some() == 1
    assert await unrated(store) == [], "one alone learns nothing from a game"
    assert await ratings.of(bo.id) == []
    assert [row.name for row in await ratings.board(GAME, ALL_TIME)] == ["Anna", "Cleo"]
    await store.ask(forget, anna.id)
    assert [row.name for row in await ratings.board(GAME, ALL_TIME)] == ["Cleo"]


@conform
async def test_who_is_deleted_between_reading_and_writing_leaves_nothing(
    store: Store, again: Opener
) -> None:
    anna, bo, cleo = await people(store, "Anna", "Bo", "Cleo")
    await wins(store, anna, bo, cleo, table="a")
    shaky = Shaky(store)
    shaky.may_write.clear()
    task = asyncio.create_task(Ratings(shaky).rate("a", 1))
    await shaky.arrived.wait()
    await store.ask("DELETE FROM profiles WHERE id = $1", bo.id)
    shaky.may_write.set()
    assert await task
    assert await Ratings(store).of(bo.id) == []
    assert (await strength(store, cleo)).games == 1


@conform
async def test_a_board_begins_with_the_best_of_whom_enough_is_known(
    store: Store, again: Opener
) -> None:
    known = {"Low": (950.0, 60.0), "High": (1300.0, 90.0), "New": (1500.0, 150.0)}
    known["Sure"] = 1200.0, 30.0
    for who in await people(store, *known):
        mu, sigma = known[who.name]
        await store.ask(ADD, who.id, GAME, ALL_TIME, mu, sigma, mu - 2 * sigma)
    ratings = Ratings(store)
    board = await ratings.board(GAME, ALL_TIME)
    assert [row.name for row in board] == ["Sure", "High", "Low", "New"]
    places = []
    for row in board:
        (own,) = await ratings.of(row.profile)
        places.append(await ratings.place(row.profile, own, ALL_TIME))
    assert places == [1, 2, 3, None]
    assert await ratings.board("chess", ALL_TIME) == []
    assert await ratings.board(GAME, "2026-10") == []


@conform
async def test_a_board_has_an_end(store: Store, again: Opener) -> None:
    some = await people(store, *(f"N{number}" for number in range(TOP + 5)))
    for number, who in enumerate(some):
        sigma = SURE - 1 if number % 2 else SURE + 1
        await store.ask(ADD, who.id, GAME, ALL_TIME, 1000.0 + number, sigma, 800.0 + number)
    board = await Ratings(store).board(GAME, ALL_TIME)
    assert len(board) == TOP
    assert [row.name for row in board][:2] == ["N53", "N51"]
    kinds = [row.strength.is_provisional for row in board]
    assert kinds == sorted(kinds)


async def test_games_are_rated_at_once_and_after_trouble(
    again: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVERY", 0.01)
    store = await again()
    anna, bo = await people(store, "Anna", "Bo")
    shaky = Shaky(store)
    shaky.dies = "before"
    ratings = Ratings(shaky)
    going = asyncio.create_task(ratings.go_on())
    await wins(store, anna, bo, table="a")
    ratings.game_ended("a", 1)
    await shaky.arrived.wait()
    shaky.dies = ""
    async with asyncio.timeout(LIMIT):
        while await unrated(store):
            await asyncio.sleep(0.01)
    assert (await strength(store, anna)).games == 1
    going.cancel()
    await store.close()
