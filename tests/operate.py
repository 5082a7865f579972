"""The tables of `docs/operate.md`, from the program; `python -m tests.operate` renews them."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import msgspec
import typer

from tischlein.bus import LocalBus
from tischlein.cli import app
from tischlein.house.house import House
from tischlein.house.settings import PeerRules, Settings
from tischlein.server.metrics import exposition
from tischlein.store.sqlite import SqliteStore
from tischlein.table.settings import RaceRules

PAGE = Path(__file__).parent.parent / "docs" / "operate.md"


def options() -> list[str]:
    """List the options of `tischlein serve` with their variables."""
    rows = ["| option | variable | default | |", "|---|---|---|---|"]
    group: Any = typer.main.get_command(app)
    for param in group.commands["serve"].params:
        if param.param_type_name != "option" or param.name == "help":
            continue
        flags = "/".join([*param.opts, *param.secondary_opts])
        default = "" if param.default is None else f"`{param.default}`"
        rows.append(f"| `{flags}` | `{param.envvar}` | {default} | {param.help} |")
    return rows


def settings() -> list[str]:
    """List what `--set` sets."""
    rows = ["| setting | default | |", "|---|--:|---|"]
    parts = {"race": RaceRules, "peers": PeerRules}
    defaults = msgspec.to_builtins(Settings())
    for name, words in docstrings(Settings).items():
        if name in parts:
            for inner, told in docstrings(parts[name]).items():
                rows.append(f"| `{name}.{inner}` | {defaults[name][inner]} | {told} |")
        elif isinstance(defaults[name], dict):
            for inner, value in defaults[name].items():
                rows.append(f"| `{name}.{inner}` | {value} | {words} |")
        else:
            rows.append(f"| `{name}` | {defaults[name]} | {words} |")
    return rows


def docstrings(kind: type) -> dict[str, str]:
    """Give what stands below each field of a class."""
    found = docstrings(kind.__bases__[0]) if kind.__bases__[0] is not msgspec.Struct else {}
    (tree,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    name = ""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            found[name] = ""
        elif name and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found[name] = str(node.value.value)
    return found


def metrics() -> list[str]:
    """List the numbers that a server in company tells."""
    text = exposition(House(SqliteStore(":memory:"), Settings(), LocalBus()))
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    rows = ["| metric | kind | |", "|---|---|---|"]
    for name, words in re.findall(r"^# HELP (\S+) (.+)$", text, re.MULTILINE):
        rows.append(f"| `{name}` | {kinds[name]} | {words} |")
    return rows


def renewed(text: str) -> str:
    """Put the tables in between their marks."""
    for name, rows in (("options", options()), ("settings", settings()), ("metrics", metrics())):
        first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        head, _, rest = text.partition(first)
        _, found, tail = rest.partition(last)
        assert found, f"the page has no place for {name}"
        text = head + first + "\n".join(rows) + "\n" + last + tail
    return text


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
