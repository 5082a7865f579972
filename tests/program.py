"""The `tischlein` program as a user runs it: a real process."""

import json
import os
import subprocess
import sys
from typing import Any


def run(*args: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    env = os.environ | {"TISCHLEIN_LANG": "en", "COLUMNS": "200"} | environment
    return subprocess.run(
        [sys.executable, "-m", "tischlein", *args],
        input=text, capture_output=True, text=True, timeout=100, check=False, env=env,
    )  # fmt: skip


def as_json(*args: str, text: str = "") -> Any:
    """Run the program and read its JSON."""
    done = run(*args, text=text)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)
