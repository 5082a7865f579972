"""How should bots multiply where there is no NumPy? One network, three ways, side by side.

Run: `.venv/bin/python -m bench.network [--keep]`. The network of the Buffet's bots answers for some
hands at once: in plain Python, and with the loops in WebAssembly that a page has; beside them NumPy
in this Python. All give the same numbers.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tests.page.network import ROWS, measure
from tests.page.same import in_page, unpack_page

from bench.results import keep

SECONDS: Final = 1.0
"""So long each way is tried."""


def rows(seconds: float) -> list[str]:
    """Measure here and in a page's Python."""
    with tempfile.TemporaryDirectory() as folder:
        parts = unpack_page(Path(folder))
        command = in_page(parts, str(seconds), module="tests.page.network")
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    table = [
        "| hands at once | plain Python in a page, ms | WebAssembly in a page, ms | ratio |"
        " NumPy here, ms |",
        "|--:|--:|--:|--:|--:|",
    ]
    for hands, (loops, slow), (numpy, _) in zip(
        ROWS, json.loads(told), measure(seconds), strict=True
    ):
        ratio = slow / loops
        table.append(f"| {hands} | {slow:.2f} | {loops:.3f} | {ratio:.0f} | {numpy:.3f} |")
    return table


def main() -> None:
    """Print and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true")
    keep("How bots multiply in a page", rows(SECONDS), parser.parse_args().keep)


if __name__ == "__main__":
    main()
