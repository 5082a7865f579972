"""Where figures are kept: one JSON file a study, with the day, the seed and all errors."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).parent / "results"


def keep(name: str, seed: str, figures: Any, **more: Any) -> None:
    """Write the figures of a study."""
    FOLDER.mkdir(exist_ok=True)
    made = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "seed": seed, **more, "figures": figures}
    text = msgspec.json.format(msgspec.json.encode(made), indent=1)
    (FOLDER / f"{name}.json").write_bytes(text + b"\n")
    print(f"kept in {FOLDER / name}.json")


def kept(name: str) -> Any:
    """Read the figures of a study."""
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())["figures"]
