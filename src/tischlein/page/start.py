"""How a worker starts: what it does without, arithmetic, games of one file, and then the house."""

import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tischlein.page.absent import leave_out


async def start(
    kernels: Any, tell: Any, keep: Any, kept: Any, games: Any, patient: bool = True
) -> Any:
    """Open the house of a device for the worker that asks, whose functions these are."""
    leave_out()
    set_up_arrays(kernels)
    from tischlein.page.core import PATIENT, begin

    for number, source in enumerate(games):
        add_game(number, str(source))

    async def keep_all(changes: Mapping[int, bytes], count: int) -> None:
        await keep(as_map(changes), count)

    settings = PATIENT if patient else replace(PATIENT, bot_pause=0.0)
    return await begin(tell, keep_all, kept.to_bytes(), settings)


def set_up_arrays(kernels: Any) -> None:
    """Let arrays be ours, in the place of NumPy's: there is none for a browser."""
    from tischlein.page import numbers

    code = files("tischlein.page").joinpath("kernels.wasm").read_bytes()
    sys.modules["tischlein_kernels"] = kernels(to_js(code))
    numbers.install()


def add_game(number: int, source: str) -> None:
    """Add a game that is one file."""
    from tischlein.games import load_file

    path = Path(tempfile.gettempdir()) / f"game_{number}.py"
    path.write_text(source, encoding="utf-8")
    load_file(path)


def as_map(changes: Mapping[int, bytes]) -> Any:
    """Give changed pieces as the browser takes them."""
    found = import_module("js").Map.new()
    for number, piece in changes.items():
        found.set(number, to_js(piece))
    return found


def to_js(data: bytes) -> Any:
    """Give bytes as the browser takes them."""
    array = import_module("js").Uint8Array.new(len(data))
    array.assign(data)
    return array
