"""A remote bot: takes a seat and plays random legal moves, whatever the game, until it is over.

Run: python examples/remote_bot.py http://127.0.0.1:8080 TABLE NICKNAME
"""

import json
import secrets
import sys
from time import monotonic
from typing import Any
from urllib.request import build_opener

from websockets.sync.client import ClientConnection, connect


def say(socket: ClientConnection, **frame: Any) -> None:
    socket.send(json.dumps(frame))


def play(socket: ClientConnection, seat: str, token: str) -> dict[str, Any]:
    state: dict[str, Any] = {"over": False, "legal": {}}
    race: float | None = None
    made, reaction, seen = 0, 400.0, 0.0
    say(socket, type="hello", token=token)
    while not state["over"]:
        timed, left = {}, 0.0 if seat in state["legal"] else None
        if left is not None and race:  # a person needs a while to see what the dice show
            timed["at"] = reaction + (state["view"]["deeds"].get(seat) or {"at": 0.0})["at"]
            left = max(0.0, seen + timed["at"] / 1000 - monotonic())
        try:
            frame = json.loads(socket.recv(left))
        except TimeoutError:  # nothing new to see, and it is time; the same id twice is one move
            move = secrets.choice(state["legal"].pop(seat)) | timed
            say(socket, type="move", id=made, move=move)
            reaction = 300.0 + secrets.randbelow(500)
            continue
        if frame["type"] == "state":
            state = frame
            made += sum(str(move["by"]) == seat for move in frame["log"])
            if (frame["race"] or {}).get("show_at") != race:  # the dice are shown as they come
                race, seen = (frame["race"] or {}).get("show_at"), monotonic()
    return state


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    url, table, name = sys.argv[1:]
    body = json.dumps({"name": name}).encode()
    held = json.load(build_opener().open(f"{url}/api/tables/{table}/seats", body, 20))
    with connect(f"ws{url[4:]}/api/tables/{table}/live") as socket:
        end = play(socket, str(held["seat"]), held["token"])
    print(f"I was seat {held['seat']}. Scores: {end['scores']}, winners: {end['winners']}")


if __name__ == "__main__":
    main()
