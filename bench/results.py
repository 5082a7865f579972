"""Benchmark results: printed, and kept in `bench/results.md` with date and versions."""

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

FILE = Path(__file__).parent / "results.md"
PACKAGES = ("tischlein", "msgspec", "open_spiel", "jax", "pgx", "uvicorn", "starlette")


def keep(title: str, rows: list[str], save: bool) -> None:
    """Print a result; with `save` put it on top of the kept ones."""
    when = f"{datetime.now(UTC):%Y-%m-%d}"
    text = "\n".join([f"## {title}", "", f"{when}; {machine()}", "", *rows, ""])
    print(text)
    if save:
        head, _, older = FILE.read_text(encoding="utf-8").partition("\n## ")
        older = f"\n## {older}" if older else ""
        FILE.write_text(f"{head}\n{text}{older}", encoding="utf-8")


def machine() -> str:
    """Say on what was measured: cores, Python and the versions that matter."""
    found = [f"{len(Path('/proc/cpuinfo').read_text().split('processor')) - 1} cores"]
    found.append(f"Python {platform.python_version()}")
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
