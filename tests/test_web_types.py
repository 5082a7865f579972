"""The client's types are those of the server."""

import subprocess
from pathlib import Path

KEPT = Path("web/src")


def test_the_types_of_the_client_are_made_from_the_server(tmp_path: Path) -> None:
    subprocess.run(["scripts/wire-types", str(tmp_path)], check=True, timeout=100)
    made = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.ts")]
    assert made
    for path in made:
        assert (tmp_path / path).read_text() == (KEPT / path).read_text(), "run scripts/wire-types"
