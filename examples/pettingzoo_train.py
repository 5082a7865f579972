"""Trains a small agent with PettingZoo: Sushizock with two seats, against one who moves at random.

REINFORCE with a linear policy in NumPy: after each batch of games, what was chosen in games that
went better than usual becomes likelier. It learns from points and is judged by wins.

Run: python examples/pettingzoo_train.py [BATCHES [FILE]]   (FILE keeps it, for seat_policy.py)
"""

import sys
from typing import Any

import numpy as np

from tischlein.envs import pettingzoo

GAMES, RATE, LEARNER = 50, 0.03, "player_0"


def chances(weights: Any, scaled: Any, mask: Any) -> Any:
    logits = np.where(mask > 0, scaled @ weights, -np.inf)
    odds = np.exp(logits - logits.max())
    return odds / odds.sum()


def play(table: Any, weights: Any, scale: Any, rng: Any) -> tuple[Any, float, float]:
    """Play one game; give its gradient, the lead in points, and the share of the win."""
    table.reset(seed=int(rng.integers(2**32)))
    gradient, points = np.zeros_like(weights), {}
    for agent in table.agent_iter():
        seen, reward, ended, cut, _ = table.last()
        if ended or cut:
            points[agent] = reward
            table.step(None)
            continue
        mask = seen["action_mask"]
        if agent != LEARNER:
            table.step(rng.choice(np.flatnonzero(mask)))
            continue
        scaled = np.append(seen["observation"] / scale, np.float32(1))
        odds = chances(weights, scaled, mask)
        action = rng.choice(len(odds), p=odds)
        gradient += np.outer(scaled, np.eye(len(odds))[action] - odds)
        table.step(action)
    lead = points.pop(LEARNER) - max(points.values())
    return gradient, lead, float(lead > 0) + 0.5 * float(lead == 0)


def main(batches: str = "30", file: str = "") -> None:
    rng = np.random.default_rng(1)
    table = pettingzoo.env("sushizock", seats=2, reward="points")
    box = table.observation_space(LEARNER)["observation"]
    scale = np.maximum(box.high, -box.low)
    weights = np.zeros((len(scale) + 1, table.action_space(LEARNER).n))
    speed, spread = np.zeros_like(weights), np.zeros_like(weights)
    for batch in range(1, int(batches) + 1):
        games = [play(table, weights, scale, rng) for _ in range(GAMES)]
        leads = np.array([lead for _, lead, _ in games])
        better = (leads - leads.mean()) / (leads.std() + 1e-9)
        step = sum(g * b for (g, _, _), b in zip(games, better, strict=True)) / GAMES
        speed, spread = 0.9 * speed + 0.1 * step, 0.99 * spread + 0.01 * step**2
        weights += RATE * speed / (np.sqrt(spread) + 1e-3)
        wins = 100 * np.mean([share for _, _, share in games])
        print(f"batch {batch:3}: wins {wins:3.0f} %, lead {leads.mean():+5.1f} points", flush=True)
    if file:
        np.savez(file, weights=weights, scale=scale)


if __name__ == "__main__":
    main(*sys.argv[1:])
