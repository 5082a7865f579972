"""What people open in a browser: the page, its files, QR codes, and what they may load."""

import re
from pathlib import Path

from starlette.testclient import TestClient

from tests.own import EXAMPLE, nothing_stays
from tests.server.client import ServerProcess, get
from tischlein.games import load_file
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.app import create_app
from tischlein.store.sqlite import SqliteStore


async def test_the_page_loads_nothing_from_elsewhere_and_its_files_are_kept(
    server: ServerProcess,
) -> None:
    for path in ("/", "/t/abc"):
        page = await get(server.url, path)
        assert page.status_code == 200
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert page.headers["cache-control"] == "no-cache"
    files = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.text)
    assert len(files) >= 2
    for path in files:
        found = await get(server.url, path)
        assert found.status_code == 200
        assert "immutable" in found.headers["cache-control"]
    assert "http:" not in page.text
    assert (await get(server.url, "/icon.svg")).headers["content-type"] == "image/svg+xml"
    assert (await get(server.url, "/manifest.webmanifest")).json()["name"] == "Tischlein"
    assert "MPL-2.0" in (await get(server.url, "/licences.txt")).text
    for path in ("/assets/none.js", "/assets/../wire.py", "/t/a/b"):
        assert (await get(server.url, path)).status_code == 404


async def test_a_link_becomes_a_qr_code(server: ServerProcess) -> None:
    found = await get(server.url, "/api/qr?text=http://127.0.0.1/t/abc")
    assert found.headers["content-type"] == "image/svg+xml"
    assert found.text.startswith("<svg")
    for wrong in ("", "?text=", "?text=" + "a" * 301):
        assert (await get(server.url, "/api/qr" + wrong)).status_code == 422


async def test_phones_are_told_of_addresses_only_where_the_server_listens_to_them(
    server: ServerProcess, tmp_path: Path
) -> None:
    assert (await get(server.url, "/api/address")).json() == {"near": []}
    house = House(SqliteStore(tmp_path / "tables.sqlite"), Settings())
    client = TestClient(create_app(house, near=["192.168.1.8"]), "http://127.0.0.1:8080")
    assert client.get("/api/address").json() == {"near": ["http://192.168.1.8:8080"]}


async def test_a_game_of_one_file_goes_along_and_is_kept_as_another_version(
    server: ServerProcess, tmp_path: Path
) -> None:
    house = House(SqliteStore(tmp_path / "tables.sqlite"), Settings())
    with nothing_stays():
        load_file(EXAMPLE)
        client = TestClient(create_app(house), "http://127.0.0.1:8080")
    assert '<html data-games="games/0.py"' in client.get("/t/abc").text
    assert client.get("/games/0.py").content == EXAMPLE.read_bytes()
    assert client.get("/games/0.py").headers["content-type"].startswith("text/plain")
    assert "games/0.py" in client.get("/sw.js").text
    plain = await get(server.url, "/sw.js")
    version = re.compile(r'"version": ?"(\w+)"')
    assert version.findall(client.get("/sw.js").text) != version.findall(plain.text)
    for wrong in ("/games/1.py", "/games/two_dice.py", "/games/..%2fpages.py"):
        assert client.get(wrong).status_code == 404
    assert "data-games" not in (await get(server.url, "/")).text
    assert (await get(server.url, "/games/0.py")).status_code == 404
