"""Nudges over the wire: switched on by who holds a seat, off by one call, told to nobody else."""

import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.pushes import Device, Service, push_service, un64
from tests.server.client import Seat, ask, get, open_table, post, server_here, settle, start
from tests.waiting import until
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.proxy import trusted_network
from tischlein.store.sqlite import SqliteStore


@contextlib.asynccontextmanager
async def served(folder: Path, service: Service, **more: Any) -> AsyncIterator[tuple[House, str]]:
    """Run a server that knows a push service."""
    settings = Settings(push_hosts=service.origin, push_retry=0.01, **more)
    house = House(SqliteStore(folder / "t.sqlite"), settings)
    async with server_here(house, (trusted_network("127.0.0.1"),)) as url:
        yield house, url


async def switch_on(seat: Seat, wants: dict[str, Any]) -> int:
    """Switch nudges on; give the status."""
    found = await post(seat.url, f"/api/tables/{seat.table}/push", wants, seat)
    if found.status_code == 200:
        assert found.json() == {"on": True}
    else:
        assert set(found.json()) == {"error", "reason"}
        assert wants.get("endpoint", "?") not in found.text
    return found.status_code


async def kept(house: House) -> int:
    """Count the browsers that are told."""
    (rows,) = await house.store.ask("SELECT COUNT(*) FROM pushes")
    return int(rows[0])


async def test_a_seat_is_told_on_its_browsers(tmp_path: Path) -> None:
    phone, tablet = Device(1), Device(2)
    with push_service() as service:
        async with served(tmp_path, service) as (house, url):
            anna, bo = await open_table(url, "sushizock", 2, 2, speed="day")
            assert await switch_on(anna, phone.wants(f"{service.origin}/phone", "de")) == 200
            assert await switch_on(anna, tablet.wants(f"{service.origin}/tablet", "it")) == 200
            await start(anna)
            house.nudges.nudge(house.tables[anna.table], 0)
            await until(lambda: len(service.got) == 2)
            key = (await get(url, "/api/push")).json()["key"]
            assert len(un64(key)) == 65
            told = {push.path: push for push in service.got}
            assert phone.told(told["/phone"])["title"] == "Du bist dran!"
            assert tablet.told(told["/tablet"])["body"] == "Sushizock con p1"
            for push in service.got:
                assert push.claims(key)["aud"] == service.origin
            off = {"endpoint": f"{service.origin}/phone"}
            path = f"/api/tables/{anna.table}/push/off"
            assert (await post(url, path, off, bo)).json() == {"on": False}
            assert await kept(house) == 2  # Bo has no say in Anna's seat
            assert (await post(url, path, off, anna)).json() == {"on": False}
            assert await kept(house) == 1


async def test_one_call_ends_it_at_all_tables(tmp_path: Path) -> None:
    with push_service() as service:
        async with served(tmp_path, service) as (house, url):
            wants = Device().wants(f"{service.origin}/phone")
            for _ in range(3):
                (seat,) = await open_table(url, "sushizock", 2, speed="week")
                assert await switch_on(seat, wants) == 200
            other = {"endpoint": f"{service.origin}/phone2"}
            assert (await post(url, "/api/push/off", other)).json() == {"on": False}
            assert await kept(house) == 3
            mine = {"endpoint": wants["endpoint"]}
            assert (await post(url, "/api/push/off", mine)).json() == {"on": False}
            assert await kept(house) == 0
            house.nudges.nudge(house.tables[seat.table], 0)
    assert service.got == []


async def test_who_gets_up_or_is_sent_away_is_told_no_more(tmp_path: Path) -> None:
    with push_service() as service:
        async with served(tmp_path, service) as (house, url):
            anna, bo, cleo = await open_table(url, "sushizock", 3, 3, speed="day")
            for number, seat in enumerate((anna, bo, cleo)):
                wants = Device(number).wants(f"{service.origin}/{number}")
                assert await switch_on(seat, wants) == 200
            await post(url, f"/api/tables/{bo.table}/leave", seat=bo)
            assert await kept(house) == 2
            await post(url, f"/api/tables/{anna.table}/remove", {"seat": 2}, anna)
            assert await kept(house) == 1
            assert await switch_on(bo, Device().wants(f"{service.origin}/x")) == 401


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"endpoint": "http://127.0.0.1:1/secret"}, 422),
        ({"endpoint": "https://10.0.0.1/secret"}, 422),
        ({"endpoint": "https://fcm.googleapis.com.evil.example/secret"}, 422),
        ({"endpoint": "file:///secret"}, 422),
        ({"endpoint": "x" * 1001}, 422),
        ({"endpoint": 7}, 422),
        ({"p256dh": "AAAA"}, 422),
        ({"p256dh": "ä" * 87}, 422),
        ({"auth": "AAAA"}, 422),
        ({"lang": "xx"}, 422),
        ({"more": "x"}, 422),
        ({"p256dh": "A" * 20_000}, 413),
    ],
)
async def test_liars_are_refused(tmp_path: Path, change: dict[str, Any], status: int) -> None:
    with push_service() as service:
        async with served(tmp_path, service) as (house, url):
            (seat,) = await open_table(url, "sushizock", 2, speed="day")
            wants = Device().wants(f"{service.origin}/x") | change
            found = await post(url, f"/api/tables/{seat.table}/push", wants, seat)
            assert found.status_code == status
            assert set(found.json()) == {"error", "reason"}
            assert "secret" not in found.text
            assert await kept(house) == 0


async def test_only_who_holds_a_seat_at_a_slow_table(tmp_path: Path) -> None:
    with push_service() as service:
        async with served(tmp_path, service) as (house, url):
            wants = Device().wants(f"{service.origin}/x")
            (quick,) = await open_table(url, "sushizock", 2, speed="quick")
            refused = await post(url, f"/api/tables/{quick.table}/push", wants, quick)
            assert (refused.status_code, refused.json()["error"]) == (409, "not_slow")
            (slow,) = await open_table(url, "sushizock", 2, speed="day")
            for stranger in (Seat(url, slow.table, 0, "guess"), Seat(url, slow.table, 0, None)):
                assert await switch_on(stranger, wants) == 401
            assert await switch_on(Seat(url, "a" * 12, 0, slow.token), wants) == 404
            assert await kept(house) == 0


async def test_switches_are_counted_by_address(tmp_path: Path) -> None:
    with push_service() as service:
        async with served(tmp_path, service, pushes_at_once=3, pushes_per_minute=0.001) as (_, url):
            (seat,) = await open_table(url, "sushizock", 2, speed="day")
            wants = Device().wants(f"{service.origin}/x")
            found = [await switch_on(seat, wants) for _ in range(4)]
            assert found == [200, 200, 200, 429]
            off = await post(url, "/api/push/off", {"endpoint": wants["endpoint"]})
            assert off.status_code == 429


async def test_a_push_service_is_told_the_address_that_pages_know_us_by(tmp_path: Path) -> None:
    """Behind a proxy that speaks TLS for us."""
    with push_service() as service:
        async with served(tmp_path, service) as (house, url):
            (seat,) = await open_table(url, "sushizock", 2, speed="day")
            headers = {**seat.auth, "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7"}
            async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
                wants = Device().wants(f"{service.origin}/x")
                path = f"/api/tables/{seat.table}/push"
                assert (await client.post(path, json=wants, headers=headers)).status_code == 200
            house.nudges.nudge(house.tables[seat.table], 0)
            await until(lambda: len(service.got) == 1)
            key = (await get(url, "/api/push")).json()["key"]
            assert service.got[0].claims(key)["sub"] == url.replace("http://", "https://")


async def test_no_address_in_logs_frames_answers_and_metrics(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("uvicorn").setLevel(logging.INFO)  # as `tischlein serve` does
    device = Device()
    with push_service([201, 500, 404]) as service:
        async with served(tmp_path, service) as (house, url):
            anna, bo = await open_table(url, "sushizock", 2, 2, speed="day")
            await bo.connect()
            wants = device.wants(f"{service.origin}/secret-address")
            assert await switch_on(anna, wants) == 200
            await switch_on(anna, wants | {"p256dh": "secret-address"})
            await switch_on(anna, wants | {"endpoint": "https://10.0.0.1/secret-address"})
            for number in (1, 3):
                house.nudges.nudge(house.tables[anna.table], 0)
                await until(lambda number=number: len(service.got) == number)  # type: ignore[misc]
            await settle(bo)
            told = [
                caplog.text,
                msgspec.json.encode(bo.frames).decode(),
                (await ask(bo, "")).text,
                (await get(url, "/metrics")).text,
                (await get(url, f"/api/tables/{anna.table}")).text,
            ]
    for secret in ("secret-address", wants["p256dh"], wants["auth"]):
        assert [text for text in told if secret in text] == []


async def test_the_worker_is_served_for_the_whole_house_and_may_do_little(tmp_path: Path) -> None:
    with push_service() as service:
        async with served(tmp_path, service) as (_, url):
            worker = await get(url, "/sw.js")
            page = await get(url, "/")
            manifest = (await get(url, "/manifest.webmanifest")).json()
            icons = [await get(url, icon["src"]) for icon in manifest["icons"]]
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
    policy = worker.headers["content-security-policy"]
    assert policy == "default-src 'none'; connect-src 'self'; img-src 'self'"
    assert "worker-src 'self'" in page.headers["content-security-policy"]
    assert (manifest["start_url"], manifest["display"]) == ("./", "standalone")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon, told in zip(icons, manifest["icons"], strict=True):
        assert (icon.status_code, icon.headers["content-type"]) == (200, told["type"])
