"""The pages on strategy say what was measured: every figure stands in the kept results."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from research.docs import BLOCK, FOLDER, PAGES, filled
from research.figures import FOLDER as RESULTS


@pytest.mark.parametrize("name", PAGES)
def test_pages_cite_the_kept_figures(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    blocks = PAGES[name]()
    assert filled(text, blocks) == text, "run python -m research.docs"
    assert {found[1] for found in BLOCK.finditer(text)} == set(blocks)
    by_hand = BLOCK.sub("", text).replace("All intervals are 95 %", "")
    assert not re.findall(r"[\d.]+ %|±", by_hand), "figures belong into the made parts"


def test_a_wrong_figure_is_found() -> None:
    text = (FOLDER / "kakerlaken.md").read_text(encoding="utf-8")
    blocks = PAGES["kakerlaken.md"]()
    wrong = re.sub(r"\d\.\d ±", "9.9 ±", text, count=1)
    assert wrong != text
    assert filled(wrong, blocks) == text


@pytest.mark.parametrize(
    "file",
    [*sorted(RESULTS.glob("kakerlaken*.json")), RESULTS / "sushizock.json"],
    ids=lambda file: file.stem,
)
def test_kept_figures_say_when_and_from_which_seed(file: Path) -> None:
    found: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", found["date"])
    assert found["seed"]
    assert found["figures"]


def test_the_version_to_cite_is_this_one() -> None:
    root = FOLDER.parent.parent
    version = re.search(r'^version = "(.+)"', (root / "pyproject.toml").read_text(), re.MULTILINE)
    assert version is not None
    assert f"version: {version[1]}\n" in (root / "CITATION.cff").read_text()
