"""What `deploy/try` does to a house that stands: play, look at headers, find a table again.

`python -m tests.trial play URL [CA]` prints what it saw, a line for each; the last is a table and a
token. `python -m tests.trial again URL TABLE TOKEN [CA]` sits down at that table once more.
"""

import asyncio
import ssl
import sys
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

PATIENCE = 60
INSIDE = ("/metrics", "/healthz")


class House:
    """A house at an address, over TLS where there is a certificate of who signs for it."""

    def __init__(self, url: str, authority: str | None) -> None:
        self.url, self.is_secure = url.rstrip("/"), url.startswith("https")
        self.tls = ssl.create_default_context(cafile=authority) if self.is_secure else None
        verify = self.tls or False
        self.http = httpx.AsyncClient(
            base_url=self.url, verify=verify, timeout=PATIENCE, trust_env=False
        )

    async def call(self, path: str, body: Any, token: str = "") -> Any:
        """Do something at the house."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        answer = await self.http.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    def line(self, table: str) -> Any:
        """Open a line to a table."""
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/live"
        return connect(address, ssl=self.tls, proxy=None, compression=None)


async def play(house: House) -> str:
    """Play a game against a bot to its end; leave another one in its middle, and tell its key."""
    held = await house.call("/api/tables", {"game": "sushizock", "seats": 2, "name": "Ina",
                                            "bots": {"1": "easy"}})  # fmt: skip
    await house.call(f"/api/tables/{held['table']}/start", {}, held["token"])
    moves = await play_on(house, held["table"], held["token"])
    record = await house.http.get(f"/api/tables/{held['table']}/record")
    assert record.is_success
    print(f"a game over its WebSocket: {moves} moves of ours, {len(record.text)} bytes of record")
    left = await house.call("/api/tables", {"game": "buffet", "seats": 3, "name": "Ina",
                                            "bots": {"1": "easy", "2": "easy"}})  # fmt: skip
    await house.call(f"/api/tables/{left['table']}/start", {}, left["token"])
    return f"{left['table']} {left['token']}"


async def play_on(house: House, table: str, token: str) -> int:
    """Make the first legal move until the game is over; give how many were made."""
    made, answered = 0, -1
    async with house.line(table) as line, asyncio.timeout(PATIENCE * 3):
        await line.send(msgspec.json.encode({"type": "hello", "token": token}).decode())
        while True:
            frame = msgspec.json.decode(await line.recv())
            if frame["type"] != "state":
                continue
            if frame["over"]:
                return made
            legal = frame["legal"].get(str(frame["seat"]))
            if legal and frame["seq"] != answered:
                answered, made = frame["seq"], made + 1
                move = {"type": "move", "id": f"m{made}", "move": legal[0]}
                await line.send(msgspec.json.encode(move).decode())


async def headers(house: House) -> None:
    """Look at what answers come with: what may be kept, what a page may do, what is inside."""
    page = await house.http.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-cache"
    script = page.text.partition('src="/assets/')[2].partition('"')[0]
    asset = await house.http.get(f"/assets/{script}", headers={"accept-encoding": "gzip"})
    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers["content-encoding"] == "gzip"
    stranger = await house.http.get("/api/games", headers={"origin": "https://elsewhere.example"})
    assert stranger.status_code == 403
    print("headers: page not kept, files kept for ever and packed, a stranger's page refused")
    if house.is_secure:
        for path in INSIDE:
            assert (await house.http.get(path)).status_code == 404
        own = await house.http.get("/api/games", headers={"origin": house.url})
        assert own.is_success
        print(f"behind the proxy: own page let in over TLS; {' and '.join(INSIDE)} are inside")
    else:
        assert (await house.http.get("/healthz")).json()["ok"]


async def again(house: House, table: str, token: str) -> None:
    """Sit down again at a table that must still be there, and play it to its end."""
    moves = await play_on(house, table, token)
    print(f"the table is still there: {moves} more moves to the end of its game")


async def main(what: str, url: str, *more: str) -> None:
    """Do one of these."""
    if what == "play":
        house = House(url, *(more or (None,)))
        await headers(house)
        print(await play(house))
    else:
        await again(House(url, *(more[2:] or (None,))), *more[:2])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
