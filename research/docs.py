"""Pages that cite figures: what stands between `<!-- figures NAME -->` and `<!-- end -->` is made.

`python -m research.docs` writes all pages anew from the kept figures; a test compares.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from research import kakerlaken_page, sushizock_page

FOLDER = Path(__file__).parent.parent / "docs" / "strategy"
PAGES = {"kakerlaken.md": kakerlaken_page.blocks, "sushizock.md": sushizock_page.blocks}
BLOCK = re.compile(r"<!-- figures (\w+) -->\n(.*?)<!-- end -->\n", re.DOTALL)


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """Put the figures into a page."""
    return BLOCK.sub(
        lambda found: f"<!-- figures {found[1]} -->\n{blocks[found[1]]}\n<!-- end -->\n", text
    )


def main() -> None:
    """Write all pages."""
    for name, blocks in PAGES.items():
        page = FOLDER / name
        page.write_text(filled(page.read_text(encoding="utf-8"), blocks()), encoding="utf-8")


if __name__ == "__main__":
    main()
