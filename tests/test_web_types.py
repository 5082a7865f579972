"""The client's types are those of the server."""

import subprocess
from pathlib import Path

KEPT = Path("web/src/wire")


def test_the_types_of_the_client_are_made_from_the_server(tmp_path: Path) -> None:
    subprocess.run(["scripts/wire-types", str(tmp_path)], check=True, timeout=100)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in KEPT.iterdir()}
    assert made == kept, "run scripts/wire-types"
