"""People who look for somebody to play with, as the page does it for them."""

import asyncio
import contextlib
import secrets
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from tests.sealed import word
from tests.server.client import LIMIT, Seat

LOOKS_EVERY = 0.5
"""How often somebody who waits asks for a better table, in seconds."""


class Seeker:
    """Somebody who taps "play with somebody", seals a word, and goes where they are brought."""

    def __init__(self, url: str, name: str, game: str = "sushizock", seals: bool = True) -> None:
        self.url, self.name, self.game, self.seals = url, name, game, seals
        self.sat: list[tuple[str, int]] = []
        """Where they have sat, in turn."""
        self.seat = Seat(url, "", None, None)
        self._http = httpx.AsyncClient(
            base_url=url,
            timeout=LIMIT,
            trust_env=False,
            verify=False,  # it is near
        )

    async def post(self, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        """Call the server, in the name of one's seat if one has one."""
        headers = self.seat.auth if self.seat.token else {}
        return await self._http.post(path, json=body or {}, headers=headers)

    async def look(self) -> Seat:
        """Sit down somewhere, and be there; who came too late looks again."""
        wish = {"game": self.game, "name": self.name, "lang": "de"}
        while True:
            found = await self.post("/api/seek", wish)
            assert found.status_code == 201, found.text
            with contextlib.suppress(ConnectionClosed):
                return await self._sit(found.json())

    async def _sit(self, held: dict[str, Any]) -> Seat:
        seat = Seat(self.url, held["table"], held["seat"], held["token"])
        await seat.connect()
        self.seat = seat
        self.sat.append((held["table"], held["seat"]))
        await self._tend()
        return seat

    async def _tend(self) -> None:
        """Seal a word, or open it when all are opened."""
        told, mine = self.told, self.told["seats"][self.seat.seat or 0]
        if not self.seals or self.seat.state["seat"] is None or told["phase"] != "open":
            return
        path = f"/api/tables/{self.seat.table}/contribution"
        if not told["opening"] and mine["sealed"] is None:
            chosen = word(secrets.token_hex(16))
            if (await self.post(path, {"seal": chosen.seal})).status_code == 200:
                self.word = chosen
        elif told["opening"] and not mine["opened"]:
            await self.post(path, {"text": self.word.text, "salt": self.word.salt})

    async def until_playing(self) -> None:
        """Wait for the game, and go on to a better table meanwhile."""
        looks_at = 0.0
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(LIMIT):
            while self.told["phase"] == "open":
                if loop.time() >= looks_at:
                    looks_at = loop.time() + LOOKS_EVERY
                    await self._look_on()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOKS_EVERY):
                        await self.seat.frame()
                await self._tend()

    async def _look_on(self) -> None:
        """Ask for a better table, and go there."""
        before = self.seat
        found = await self.post(f"/api/tables/{before.table}/look")
        if found.status_code == 200 and found.json()["held"]:
            await self._sit(found.json()["held"])
            await before.close()

    @property
    def told(self) -> dict[str, Any]:
        """Give the table as they were told of it last."""
        found: dict[str, Any] = self.seat.state["table"]
        return found

    async def close(self) -> None:
        """Close the page."""
        await self.seat.close()
        await self._http.aclose()
