"""The games that can be played as environments, and how one is set up."""

from collections.abc import Mapping
from typing import Any, Final

from tischlein.envs.material import with_material
from tischlein.envs.process import Process
from tischlein.games import game_named
from tischlein.games.buffet.env import Buffet
from tischlein.games.kakerlaken.env import Kakerlaken
from tischlein.games.sushizock.env import Sushizock

PROCESSES: Final[dict[str, type[Process]]] = {
    kind.name: kind for kind in (Sushizock, Buffet, Kakerlaken)
}


def process(
    name: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    *,
    listed: bool = False,
    memory: bool = False,
) -> Process:
    """Set a game up; options are house rules, sizes of the material and times of the race."""
    if name not in PROCESSES:
        raise ValueError(f"there is no environment `{name}`; there are {', '.join(PROCESSES)}")
    kind, left = PROCESSES[name], dict(options or {})
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
