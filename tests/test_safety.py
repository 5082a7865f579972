"""`docs/safety.md` names the tests that hold its promises: they exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "safety.md").read_text(encoding="utf-8")


def test_every_promise_names_tests_that_exist() -> None:
    named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", PAGE)
    assert len(named) > 50
    for file, test in named:
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {test}\(", source, re.MULTILINE), f"{file}::{test}"


def test_every_row_of_promises_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and "|---" not in line]
    promises = [row for row in rows if not row.startswith("| promise |")]
    assert promises
    assert [row for row in promises if "::test_" not in row] == []
