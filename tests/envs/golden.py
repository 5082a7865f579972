"""Kept trajectories of the environments, one a game and number of seats, named by its version.

A change of behaviour makes the test fail: then raise `version` of the game's process, and write
them anew with `python -m tests.envs.golden`.
"""

from pathlib import Path
from typing import Any
from zlib import crc32

from tests.tables import ALL_TABLES
from tischlein.chance import Quick
from tischlein.envs import pettingzoo
from tischlein.envs.games import env_names, process_of, title

FOLDER = Path(__file__).parent / "golden"
STEPS = 200
TABLES = [(name, seats) for name, seats in ALL_TABLES if name in env_names()]


def trajectory(name: str, seats: int) -> str:
    """Tell a random game: who was shown what (as a sum of its bytes), could do and did what."""
    table, rng = pettingzoo.raw_env(name, seats, memory=seats % 2 == 0), Quick(seats)
    table.reset(seed=seats)
    lines = [f"{title(process_of(name))}, {seats} seats"]
    for agent in table.agent_iter(STEPS):
        seen, reward, ended, cut, _ = table.last()
        if ended or cut:
            lines.append(f"{agent} {reward}")
            table.step(None)
            continue
        legal = [at for at, may in enumerate(seen["action_mask"]) if may]
        action = legal[rng.below(len(legal))]
        shown = crc32(seen["observation"].tobytes())
        did = table.game.process.labels[action]
        lines.append(f"{agent} {shown:08x} {len(legal)} {action} {did}")
        table.step(action)
    return "\n".join([*lines, ""])


def file_of(name: str, seats: int) -> Path:
    """Say where a trajectory is kept."""
    return FOLDER / f"{title(process_of(name))}-{seats}.txt"


PLAYTHROUGHS: dict[str, dict[str, Any]] = {
    "sushizock": {"tiles": 2, "dice": 3},
    "buffet": {"players": 3, "values": 4, "copies": 3, "hand": 2, "foods": 1},
    "kakerlaken": {
        "symbols": 1, "colours": 2, "coins": 1, "race_ms": 2000, "naming_ms": 1000,
        "tick_ms": 1000, "noise": 1,
    },
}  # fmt: skip


def game_string(name: str, parameters: dict[str, Any]) -> str:
    """Write a game as OpenSpiel loads it."""
    return f"tischlein_{name}({','.join(f'{k}={v}' for k, v in parameters.items())})"


def playthrough(name: str) -> str:
    """Let OpenSpiel tell a reduced game."""
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    import tischlein.envs.open_spiel  # noqa: F401

    told: str = playthrough(game_string(name, PLAYTHROUGHS[name]), None, seed=1)
    return told


def playthrough_file(name: str) -> Path:
    """Say where a playthrough is kept."""
    return FOLDER / f"open_spiel-{title(process_of(name))}.txt"


def main() -> None:
    """Write all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, seats in TABLES:
        file_of(name, seats).write_text(trajectory(name, seats), encoding="utf-8")
    for name in env_names():
        playthrough_file(name).write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
