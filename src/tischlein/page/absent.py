"""Modules that come with what a page runs, and of which nothing is ever called there.

In a browser's worker there are no threads, processes and certificates, nothing is installed, and
files are served by others. Reading the real ones would take a good part of the start.
"""

import sys
from types import ModuleType
from typing import Any, Final

ABSENT: Final = {
    "anyio": (),
    "anyio.abc": (),
    "anyio.to_thread": (),
    "concurrent.futures.process": ("ProcessPoolExecutor",),
    "gzip": (),
    "html.entities": ("html5",),
    "http.client": (),
    "importlib.metadata": ("EntryPoint", "entry_points"),
    "ssl": (),
}
"""By their names; what is asked of them when they are read."""


def leave_out() -> None:
    """Let these modules be there, and empty, for the modules that name them."""
    for name, parts in ABSENT.items():
        module = sys.modules[name] = ModuleType(name)
        for part in parts:
            setattr(module, part, nothing)


def nothing(*_: Any, **__: Any) -> tuple[()]:
    """Find nothing."""
    return ()
