"""Nothing is lost when the server is killed; the short form of `python -m tests.server.kills`."""

from pathlib import Path

import pytest

from tests.server.kills import run


@pytest.mark.long
async def test_kill_costs_nothing(tmp_path: Path) -> None:
    counts = await run(kills=6, tables=6, data=tmp_path / "data")
    print("\n".join(counts.rows()))
    assert counts.kills == 6
    assert counts.games >= 6
    assert counts.reconnects > 12, "everybody was there when it was killed"
    assert counts.told > 100
    assert counts.lost == []
    assert counts.doubled == []
