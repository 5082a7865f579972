"""The games that can be played as environments, and how one is set up."""

from collections.abc import Mapping
from typing import Any, Final

from tischlein.envs.material import with_material
from tischlein.envs.process import Process
from tischlein.games import game_named, game_names, has_part, part_of

PART: Final = "env"


def env_names() -> list[str]:
    """List the games that can be played as environments."""
    return [name for name in game_names() if has_part(name, PART)]


def process_of(name: str) -> type[Process]:
    """Find what a game is for an environment: the `PROCESS` of its `env.py`."""
    if name not in env_names():
        raise ValueError(f"there is no environment `{name}`; there are {', '.join(env_names())}")
    part: Any = part_of(name, PART)
    found: type[Process] = part.PROCESS
    return found


def process(
    name: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    *,
    listed: bool = False,
    memory: bool = False,
) -> Process:
    """Set a game up; options are house rules, sizes of the material and times of the race."""
    kind, left = process_of(name), dict(options or {})
    sizes = {size: left.pop(size, full) for size, full in kind.reductions.items()}
    times = {time: left.pop(time, usual) for time, usual in kind.times.items()}
    rules = game_named(name)
    if sizes != kind.reductions or seats not in rules.SEATS:
        for size, full in kind.reductions.items():
            if not 1 <= sizes[size] <= full:
                raise ValueError(f"`{size}` must be from 1 to {full}, not {sizes[size]}")
        rules = with_material(name, kind.material(seats, sizes))
    return kind(rules, seats, left, listed=listed, memory=memory, **times)


def title(kind: type[Process]) -> str:
    """Give the name of an environment with its version."""
    return f"{kind.name}_v{kind.version}"
