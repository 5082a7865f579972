"""The shared cases: records, and what replaying them must show."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tischlein import replay
from tischlein.position import position
from tischlein.record import BadRecord

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.name.removesuffix(".jsonl") for path in CASES.glob("*.jsonl"))


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    lines = (CASES / f"{name}.jsonl").read_bytes().splitlines()
    expected = json.loads((CASES / f"{name}.expect.json").read_text())
    if "refused" in expected:
        with pytest.raises(BadRecord, match=f"^line {expected['refused']}: "):
            replay(lines)
        return
    shown = comparable(json.loads(msgspec.json.encode(position(replay(lines), None))))
    wanted = comparable(expected["shows"])
    view = wanted.pop("view")
    assert {key: shown[key] for key in wanted} == wanted
    assert {key: shown["view"][key] for key in view} == view


def comparable(shown: dict[str, Any]) -> dict[str, Any]:
    """Bring what has no order into one."""
    view = dict(shown["view"])
    if "hands" in view:
        view["hands"] = [sorted(hand) for hand in view["hands"]]
    if "circle" in view:
        found = [(tile["tile"], tile["owner"]) for tile in view["circle"]]
        view["owners"] = sorted([tile, owner] for tile, owner in found if owner is not None)
    if "owners" in view:
        view["owners"] = sorted(view["owners"])
    return shown | {
        "view": view,
        "to_move": sorted(map(str, shown["to_move"])),
        "winners": sorted(shown["winners"]),
    }
