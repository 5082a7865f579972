"""A nudge reaches the browsers of its player and nobody else, in their language, and no log."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.engines import Postgresql
from tests.pushes import Device, Service, push_service
from tests.waiting import until
from tischlein.game import Refusal
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people import People, nudges
from tischlein.people.nudges import NOBODY
from tischlein.people.push import Target
from tischlein.store import open_store, store_at
from tischlein.store.sqlite import SqliteStore
from tischlein.table.table import Table
from tischlein.words import in_language


@contextlib.asynccontextmanager
async def at_home(folder: Path, *services: Service, **more: Any) -> AsyncIterator[People]:
    """Open a house that knows these push services."""
    origins = ",".join(service.origin for service in services)
    settings = Settings(push_hosts=origins, push_retry=0.01, **more)
    house = House(SqliteStore(folder / "t.sqlite"), settings)
    people = People(house)
    await house.wake()
    await people.begin()
    try:
        yield people
    finally:
        await people.close()
        await house.close()


async def slow_table(people: People, *names: str, speed: Any = "day") -> Table:
    """Open a table for when people have time; bots take the seats without a name."""
    table = await people._house.open("sushizock", len(names), {}, speed)
    for seat, name in enumerate(names):
        if name:
            await table.seating.join(name)
        else:
            await table.seating.seat_bot(0, seat, "easy")
    return table


def target(service: Service, device: Device, path: str = "/one") -> Target:
    """Give a browser at a push service."""
    return Target(service.origin + path, device.point, device.auth)


async def done(people: People) -> None:
    """Wait until all nudges are done with."""
    await until(lambda: people.nudges._waiting == 0)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("Your turn!", "Sushizock with Bo and Cleo", "No more of these")),
        ("de", ("Du bist dran!", "Sushizock mit Bo und Cleo", "Keine mehr davon")),
        ("fr", ("À toi de jouer\u00a0!", "Sushizock avec Bo et Cleo", "Ne plus m’en envoyer")),
        ("it", ("Tocca a te!", "Sushizock con Bo e Cleo", "Basta con questi messaggi")),
    ],
)
async def test_a_nudge_in_the_players_language(
    tmp_path: Path, language: str, told: tuple[str, str, str]
) -> None:
    device = Device()
    with push_service() as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo", "Cleo")
            await people.nudges.switch_on(table, 0, target(service, device), language)
            people._house.nudges.nudge(table, 0)
            await done(people)
            await table.seating.start(0)
            people._house.nudges.nudge(table, 0)
            people._house.nudges.nudge(table, 1)
            await done(people)
            key = await people.nudges.public_key()
            now = people._house.now()
    full, got = service.got
    title, body, off = told
    assert device.told(full)["title"] == in_language(language, "sushizock")("mine.full")
    assert device.told(got) == {
        "title": title, "body": body, "off": off, "lang": language, "table": table.book.name,
    }  # fmt: skip
    claims = got.claims(key)
    assert claims["aud"] == service.origin
    assert now + 3600 < claims["exp"] <= now + 86_400
    assert claims["sub"] == NOBODY
    assert got.headers["ttl"] == "86400"
    assert got.headers["urgency"] == "normal"
    assert 0 < len(got.headers["topic"]) <= 32
    assert table.book.name not in str(got.headers)


async def test_bots_are_not_named_and_a_later_nudge_takes_the_place_of_an_earlier(
    tmp_path: Path,
) -> None:
    device = Device()
    with push_service() as service:
        async with at_home(tmp_path, service, push_contact="mailto:me@tisch.example") as people:
            table = await slow_table(people, "Anna", "", speed="week")
            await people.nudges.switch_on(table, 0, target(service, device), "en")
            for _ in range(2):
                people.nudges.nudge(table, 0)
                await done(people)
            key = await people.nudges.public_key()
    one, again = service.got
    assert device.told(one)["body"] == "Sushizock"
    assert one.headers["topic"] == again.headers["topic"]
    assert one.headers["ttl"] == str(7 * 86_400)
    assert one.claims(key)["sub"] == "mailto:me@tisch.example"


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path, status: int) -> None:
    with push_service([status]) as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            await people.nudges.switch_on(table, 0, target(service, Device()), "en")
            for _ in range(2):
                people.nudges.nudge(table, 0)
                await done(people)
            assert await people.nudges._kept.at(table.book.name) == []
    assert len(service.got) == 1


@pytest.mark.parametrize("trouble", [[429], [500, 503], [503, 429, 500]])
async def test_a_service_in_trouble_is_asked_again(tmp_path: Path, trouble: list[int]) -> None:
    with push_service([*trouble]) as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            await people.nudges.switch_on(table, 0, target(service, Device()), "en")
            people.nudges.nudge(table, 0)
            await done(people)
    assert len(service.got) == len(trouble) + 1


@pytest.mark.parametrize(
    ("answers", "times"), [([500] * 99, nudges.TRIES), ([400], 1), ([302], 1), ([403], 1)]
)
async def test_not_without_end(tmp_path: Path, answers: list[int], times: int) -> None:
    with push_service(answers) as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            await people.nudges.switch_on(table, 0, target(service, Device()), "en")
            people.nudges.nudge(table, 0)
            await done(people)
            assert len(await people.nudges._kept.at(table.book.name)) == 1
    assert len(service.got) == times


async def test_who_switches_off_meanwhile_is_not_told_again(tmp_path: Path) -> None:
    with push_service([503] * 9) as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            found = target(service, Device())
            await people.nudges.switch_on(table, 0, found, "en")

            def off(handler: BaseHTTPRequestHandler) -> None:
                asyncio.run_coroutine_threadsafe(
                    people.nudges.switch_all_off(found.address), loop
                ).result()
                handler.send_response(503)
                handler.end_headers()

            loop, service.behave = asyncio.get_running_loop(), off
            people.nudges.nudge(table, 0)
            await done(people)
    assert len(service.got) == 1


async def test_who_left_is_not_told_nor_is_who_sits_down_there(tmp_path: Path) -> None:
    with push_service() as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            await people.nudges.switch_on(table, 1, target(service, Device()), "en")
            await table.seating.leave(1)
            people.nudges.nudge(table, 1)
            await done(people)
            assert await people.nudges._kept.at(table.book.name) == []
            await people.nudges.switch_on(table, 0, target(service, Device()), "en")
            await table.seating.join("Cleo")
            await people.nudges.switch_on(table, 1, target(service, Device(2)), "en")
            assert len(await people.nudges._kept.at(table.book.name)) == 2
    assert service.got == []


async def test_a_service_that_does_not_answer_holds_up_nobody(tmp_path: Path) -> None:
    """Not tables, and not those whose push service is another one."""
    going = Event()

    def stall(handler: BaseHTTPRequestHandler) -> None:
        going.wait(60)
        handler.send_response(201)
        handler.end_headers()

    with push_service(behave=stall) as stuck, push_service() as service:
        async with at_home(tmp_path, stuck, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            await people.nudges.switch_on(table, 0, target(stuck, Device()), "en")
            await people.nudges.switch_on(table, 1, target(service, Device()), "en")
            for _ in range(nudges.AT_ONCE + 4):
                people.nudges.nudge(table, 0)
            await until(lambda: len(stuck.got) == nudges.AT_ONE_SERVICE)
            people.nudges.nudge(table, 1)
            await until(lambda: len(service.got) == 1)
            assert len(stuck.got) == nudges.AT_ONE_SERVICE
            going.set()
            await done(people)


async def test_more_than_can_wait_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nudges, "MOST_WAITING", 3)
    with push_service() as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            await people.nudges.switch_on(table, 0, target(service, Device()), "en")
            for _ in range(9):
                people.nudges.nudge(table, 0)
            await done(people)
    assert len(service.got) == 3


async def test_only_slow_tables_and_known_services(tmp_path: Path) -> None:
    with push_service() as service:
        async with at_home(tmp_path, service) as people:
            quick = await slow_table(people, "Anna", "Bo", speed="quick")
            with pytest.raises(Refusal) as problem:
                await people.nudges.switch_on(quick, 0, target(service, Device()), "en")
            assert problem.value.code == "not_slow"
            slow = await slow_table(people, "Anna", "Bo")
            elsewhere = Target("https://10.0.0.1/secret", Device().point, Device().auth)
            with pytest.raises(Refusal) as problem:
                await people.nudges.switch_on(slow, 0, elsewhere, "en")
            assert problem.value.code == "bad_push"
            assert "secret" not in str(problem.value)


async def test_a_service_that_the_operator_no_longer_knows_is_not_called(tmp_path: Path) -> None:
    with push_service() as service:
        async with at_home(tmp_path, service) as people:
            table = await slow_table(people, "Anna", "Bo")
            await people.nudges.switch_on(table, 0, target(service, Device()), "en")
            name = table.book.name
        async with at_home(tmp_path) as people:
            found = await people._house.find(name)
            assert found is not None
            people.nudges.nudge(found, 0)
            await done(people)
            assert await people.nudges._kept.at(name) == []
    assert service.got == []


async def test_a_store_in_trouble_costs_a_nudge_and_no_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with at_home(tmp_path) as people:
        table = await slow_table(people, "Anna", "Bo")
        await people._house.store.ask("DROP TABLE pushes")
        people.nudges.nudge(table, 0)
        await done(people)
    assert "nudge failed" in caplog.text


async def test_no_address_and_no_key_in_any_log_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    device = Device()
    answers = [201, 404, 429, 500, 302, 400]
    with push_service(answers) as service, push_service(behave=lambda _: None) as deaf:
        async with at_home(tmp_path, service, deaf) as people:
            table = await slow_table(people, "Anna", "Bo")
            for _ in range(5):
                await people.nudges.switch_on(
                    table, 0, target(service, device, "/secret-address"), "en"
                )
                people.nudges.nudge(table, 0)
                await done(people)
            await people.nudges.switch_on(table, 1, target(deaf, device, "/secret-address"), "en")
            people.nudges.nudge(table, 1)
            await done(people)
            (key,) = (await people._house.store.ask("SELECT body FROM keys WHERE name = 'vapid'"))[
                0
            ]
    assert "nudge" in caplog.text
    wants = device.wants("")
    for secret in ("secret-address", wants["p256dh"][:20], wants["auth"][:20], key.hex(), "vapid"):
        assert secret not in caplog.text


async def test_the_key_is_made_once_and_stays(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        async with at_home(tmp_path) as people:
            keys.append(await people.nudges.public_key())
    assert keys[0] == keys[1]
    (tmp_path / "other").mkdir()
    async with at_home(tmp_path / "other") as people:
        assert await people.nudges.public_key() != keys[0]


async def test_who_asked_one_server_is_told_by_another(postgresql: Postgresql) -> None:
    address, device = postgresql.new_database(), Device()
    with push_service() as service:
        settings = Settings(push_hosts=service.origin)
        houses = [House(store_at(address), settings) for _ in range(2)]
        people = [People(house) for house in houses]
        for house in houses:
            await house.wake()
        table = await slow_table(people[0], "Anna", "Bo")
        await people[0].nudges.switch_on(table, 0, target(service, device), "en")
        found = await houses[1].find(table.book.name)
        assert found is not None
        houses[1].nudges.nudge(found, 0)
        await until(lambda: len(service.got) == 1)
        key = await people[0].nudges.public_key()
        for house, one in zip(houses, people, strict=True):
            await one.close()
            await house.close()
    assert device.told(service.got[0])["body"] == "Sushizock with Bo"
    assert service.got[0].claims(key)["aud"] == service.origin


async def test_five_servers_that_start_at_once_have_one_key(postgresql: Postgresql) -> None:
    address = postgresql.new_database()
    await (await open_store(address)).close()
    houses = [House(store_at(address)) for _ in range(5)]
    people = [People(house) for house in houses]
    await asyncio.gather(*(house.store.open() for house in houses))
    await asyncio.gather(*(one.begin() for one in people))
    keys = {await one.nudges.public_key() for one in people}
    for house, one in zip(houses, people, strict=True):
        await one.close()
        await house.close()
    assert len(keys) == 1
