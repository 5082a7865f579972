"""Opens a table of bots, plays the first legal move in its own seat, and prints what is seen.

Run: python examples/watch_table.py http://127.0.0.1:8080 GAME [SEATS]
"""

import asyncio
import json
import sys
from typing import Any
from urllib.request import build_opener

from websockets.asyncio.client import ClientConnection, connect


def post(url: str, body: dict[str, Any], token: str = "") -> Any:
    opener = build_opener()
    opener.addheaders = [("Authorization", f"Bearer {token}")]
    return json.load(opener.open(url, json.dumps(body).encode(), 20))


async def sit(socket: ClientConnection, token: str) -> None:
    """Play the first legal move; the same id twice is one move, so a repeat does no harm."""
    await socket.send(json.dumps({"type": "hello", "token": token}))
    made = 0
    async for text in socket:
        frame = json.loads(text)
        made += sum(move["by"] == 0 for move in frame.get("log", []))
        if frame["type"] == "state" and frame["legal"]:
            move = frame["legal"]["0"][0]
            if move["do"] in ("slap", "grab", "name"):  # in a race it waits for its own time
                move["at"] = 400.0
            await socket.send(json.dumps({"type": "move", "id": made, "move": move}))


async def watch(table: str, token: str) -> None:
    """Start the game and print each move as a watcher sees it."""
    live = f"ws{table[4:]}/live"
    async with connect(live) as seat, connect(live) as watcher:
        await watcher.send(json.dumps({"type": "hello"}))
        player = asyncio.create_task(sit(seat, token))
        await asyncio.to_thread(post, f"{table}/start", {}, token)
        frame: dict[str, Any] = {"over": False}
        while not frame["over"]:
            frame = json.loads(await watcher.recv())
            for move in frame["log"]:
                print(json.dumps(move)[:100], flush=True)
        player.cancel()
    print(f"Table: {table}, scores: {frame['scores']}, winners: {frame['winners']}")


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    url, game, n = sys.argv[1], sys.argv[2], int([*sys.argv, "3"][3])
    bots = {str(seat): "easy" for seat in range(1, n)}
    held = post(f"{url}/api/tables", {"game": game, "seats": n, "name": "Wanda", "bots": bots})
    asyncio.run(watch(f"{url}/api/tables/{held['table']}", held["token"]))


if __name__ == "__main__":
    main()
