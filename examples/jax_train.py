"""Teaches a small network Sushizock by self-play over arrays, and lets it meet the bot `easy`.

Run: python examples/jax_train.py [--minutes 3] [--lanes 8192] [--curve FILE] [--keep FILE]

Needs the extra `batch`. All seats are played by the network; every decision is made likelier or
rarer by how much better its player did than the network itself had expected. On a GPU it beats
`easy` in less than a minute, on two cores (`--lanes 512`) after half an hour or so.
"""

import argparse
import json
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from tischlein import batch
from tischlein.batch.engine import States
from tischlein.bots import Answer, Chance, Turn, bot_named
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.bots.memory import remember
from tischlein.games.sushizock.decode import move_of
from tischlein.lab.simulate import ask_bots, play_game

SEATS, STEPS, HIDDEN = 3, 48, (256, 128)
GAME = batch.game("sushizock")
ACTIONS = GAME.actions(SEATS)
INPUTS = sum(many for _, many in GAME.layout(SEATS))
Net = list[tuple[Any, Any]]
"""Weights and biases, layer by layer; the last gives a number an action, and the chance to win."""


def fresh(key: Any) -> Net:
    net = []
    for a, b in pairwise((INPUTS, *HIDDEN, ACTIONS + 1)):
        key, one = jax.random.split(key)
        scale = np.sqrt(2 / a) * (0.1 if b > ACTIONS else 1)
        net.append((scale * jax.random.normal(one, (a, b)), jnp.zeros(b)))
    return net


def think(net: Net, seen: Any, xp: Any = jnp) -> Any:
    """Give a number for each action, and what the seat expects to win."""
    layer = seen.astype(np.float32) / 4
    for weights, bias in net[:-1]:
        layer = xp.maximum(layer @ weights + bias, 0)
    last = layer @ net[-1][0] + net[-1][1]
    return last[..., :-1], 1 / (1 + xp.exp(-last[..., -1]))


def play(net: Net, states: States, key: Any) -> tuple[States, Any]:
    """Play some steps; give what was seen, done and won by whoever decided."""

    def one(states: States, key: Any) -> tuple[States, Any]:
        seen, legal, mover = GAME.observe(states), GAME.legal(states), GAME.to_move(states)
        scores = jnp.where(legal, think(net, seen)[0], -1e9)
        action = jax.random.categorical(key, scores)
        states, ended = GAME.step(states, action)
        return states, (seen, legal, action, mover, ended.over, ended.shares)

    states, (seen, legal, action, mover, over, shares) = jax.lax.scan(
        one, states, jax.random.split(key, STEPS)
    )
    hopes = jnp.stack([think(net, GAME.observe(states, seat))[1] for seat in range(SEATS)], -1)

    def back(later: Any, now: Any) -> tuple[Any, Any]:
        result = jnp.where(now[0][:, None], now[1], later)
        return result, result

    _, results = jax.lax.scan(back, hopes, (over, shares), reverse=True)
    won = jnp.take_along_axis(results, mover[..., None], -1)[..., 0]
    return states, (seen, legal, action, won)


def loss(net: Net, taught: Any, mixing: float) -> Any:
    seen, legal, action, won = taught
    scores, hope = think(net, seen)
    logs = jax.nn.log_softmax(jnp.where(legal, scores, -1e9))
    better = jax.lax.stop_gradient(won - hope)
    better = better / (better.std() + 1e-6)
    done = jnp.take_along_axis(logs, action[..., None], -1)[..., 0]
    spread = -(jnp.exp(logs) * jnp.where(legal, logs, 0)).sum(-1)
    return -(done * better).mean() - mixing * spread.mean() + 2 * ((won - hope) ** 2).mean()


def teacher(rate: float, rounds: float) -> tuple[Any, Any]:
    """Give the optimiser and the function that plays and learns once."""
    steps = optax.cosine_decay_schedule(rate, int(rounds), 0.02)
    adam = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(steps))

    @partial(jax.jit, donate_argnums=(0, 1, 2))
    def learn(net: Net, memory: Any, states: States, key: Any) -> tuple[Net, Any, States]:
        states, taught = play(net, states, key)
        slope = jax.grad(loss)(net, taught, 0.01)
        change, memory = adam.update(slope, memory, net)
        return optax.apply_updates(net, change), memory, states

    return adam, learn


def numbers_of(state: sushizock.State, seat: int) -> Any:
    """Tell a state of the rules as `observe` tells a lane."""
    counts = [*state.aside, *(state.rolled or (0, 0, 0, 0))]
    found = [*padded(state.sushi), *padded(state.bones), *counts]
    found += [state.rolls_left, ((state.turn or 0) - seat) % state.seats]
    piles = [state.piles[(seat + step) % state.seats] for step in range(state.seats)]
    for sushi, bones in piles:
        found += [len(sushi), len(bones), sushi[-1] if sushi else 0, -bones[-1] if bones else 0]
    for sushi, bones in piles:
        found += [*padded(sushi), *padded(bones)]
    return np.array(found)


def padded(tiles: tuple[int, ...]) -> list[int]:
    return [abs(tile) for tile in tiles] + [0] * (12 - len(tiles))


def as_bot(net: Net) -> Any:
    """Let the network sit at a table like any other bot."""
    mine: Net = [(np.asarray(weights), np.asarray(bias)) for weights, bias in net]

    def bot(turn: Turn, rng: Chance) -> Answer:
        state = remember(turn) or sushizock.imagine(turn.view, rng)
        scores, _ = think(mine, numbers_of(state, turn.seat), np)
        moves = {move_of(action, state): action for action in range(ACTIONS)}
        return Answer(max(turn.legal, key=lambda move: scores[moves[move]]))

    return bot


def wins(net: Net, games: int) -> tuple[float, float]:
    """Let the network meet `easy`, alone among bots; give its share of the wins, and the error."""
    mine, easy = as_bot(net), bot_named(sushizock, "easy")
    shares = []
    for number in range(games):
        seat = number % SEATS
        bots = [mine if at == seat else easy for at in range(SEATS)]
        won = play_game(sushizock, ask_bots(bots), ["x"] * SEATS, {}, f"meet/{number // SEATS}")
        winners = won.outcome().winners
        shares.append((seat in winners) / len(winners))
    return float(np.mean(shares)), float(np.std(shares) / np.sqrt(games))


def train(minutes: float, lanes: int, games: int = 300, seed: int = 1) -> tuple[Net, list[Any]]:
    key = jax.random.key(seed)
    net, states = fresh(key), GAME.init(key, lanes, SEATS)
    adam, learn = teacher(1e-3, rounds=3000)
    memory, curve = adam.init(net), []
    spent, number = 0.0, 0
    while True:
        share, error = wins(net, games)
        curve.append({"seconds": round(spent, 1), "rounds": number, "share": share, "error": error})
        print(
            f"{spent:6.0f} s  {number:6} rounds  {share:.3f} ± {error:.3f} of 1/{SEATS}", flush=True
        )
        if spent >= 60 * minutes:
            return net, curve
        resumed = monotonic()
        while monotonic() - resumed < max(2.0, 60 * minutes / 12):
            key, one = jax.random.split(key)
            net, memory, states = learn(net, memory, states, one)
            number += 1
            if number % 20 == 0:
                net[-1][1].block_until_ready()
        net[-1][1].block_until_ready()
        spent += monotonic() - resumed


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=3)
    options.add_argument("--lanes", type=int, default=8192)
    options.add_argument("--games", type=int, default=300, help="against easy, at each look")
    options.add_argument("--curve", type=Path, help="keep the learning curve here, as JSON")
    options.add_argument("--keep", type=Path, help="keep the weights here, as .npz")
    asked = options.parse_args()
    net, curve = train(asked.minutes, asked.lanes, asked.games)
    if asked.curve:
        found = {"device": str(jax.devices()[0]), "seats": SEATS, "lanes": asked.lanes}
        asked.curve.write_text(json.dumps(found | {"curve": curve}, indent=1) + "\n")
    if asked.keep:
        np.savez_compressed(asked.keep, *[np.asarray(part) for layer in net for part in layer])


if __name__ == "__main__":
    main()
