"""Seats a policy at a table of people: it gets observations and masks as in the environments.

Run: python examples/seat_policy.py http://127.0.0.1:8080 TABLE NICKNAME [FILE]

FILE is what pettingzoo_train.py has kept (Sushizock, two seats); without it any legal action will
do. Put your own `(observation, mask) -> action` in its place.
"""

import json
import secrets
import sys
from typing import Any
from urllib.request import build_opener

import msgspec
import numpy as np
from websockets.sync.client import connect

from tischlein.chance import Quick
from tischlein.envs.seat import Policy, as_bot, turn_from


def at_random(observation: Any, mask: Any) -> int:
    return int(secrets.choice(np.flatnonzero(mask)))


def trained(file: str) -> Policy:
    kept = np.load(file)

    def choose(observation: Any, mask: Any) -> int:
        scaled = np.append(observation / kept["scale"], 1)
        return int(np.where(mask > 0, scaled @ kept["weights"], -np.inf).argmax())

    return choose


def main(url: str, table: str, name: str, file: str = "") -> None:
    opener = build_opener()
    game = json.load(opener.open(f"{url}/api/tables/{table}", timeout=20))["game"]
    bot = as_bot(trained(file) if file else at_random, game)
    body = json.dumps({"name": name}).encode()
    held = json.load(opener.open(f"{url}/api/tables/{table}/seats", body, 20))
    seat, rng, tried, made = held["seat"], Quick(secrets.randbits(64)), "", 0
    state: dict[str, Any] = {}
    with connect(f"ws{url[4:]}/api/tables/{table}/live") as socket:
        socket.send(json.dumps({"type": "hello", "token": held["token"]}))
        while not state.get("over"):
            frame = json.loads(socket.recv())
            if frame["type"] != "state":
                continue
            state, made = frame, made + sum(move["by"] == seat for move in frame["log"])
            turn = turn_from(game, seat, frame)
            choice = f"{made} {frame['race'] and frame['race']['show_at']}"
            if turn.legal and choice != tried:  # a deed of a race may be sent ahead of its time
                tried, move = choice, msgspec.to_builtins(bot(turn, rng).move)
                if move is not None:
                    socket.send(json.dumps({"type": "move", "id": choice, "move": move}))
    print(f"I was seat {seat}. Scores: {state['scores']}, winners: {state['winners']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
