"""Is a page's house the same? The same seeds and the same moves, here and in a page's Python.

Run: `.venv/bin/python -m bench.same [--games 200] [--keep] [KIND …]`. Games of all house rules,
with two to six seats, people and bots, are played through the whole house as a page hears it: in
this Python with NumPy, and in the very parts that a page gets. All texts over the port, the record,
what is stored and every answer of a bot are compared to the last byte. No bot looks at a clock: a
level is bounded by what it counts, so that also experts answer the same; one sits at every ninth
table, a hard one at every third. `--from` begins with another game than the first.
"""

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path

from tests.page.games import KINDS
from tests.page.same import (
    Digest,
    apart,
    digests,
    first_difference,
    here,
    in_page,
    unpack_page,
)

from bench.results import keep

MIB = 1024 * 1024


class Sums:
    """What the games of a kind were, and what was different."""

    def __init__(self, kind: str) -> None:
        self.kind, self.games = kind, 0
        self.counts: Counter[str] = Counter()
        self.levels: Counter[str] = Counter()
        self.apart: list[str] = []

    def add(self, one: Digest, other: Digest) -> None:
        """Count a game that was played twice."""
        self.games += 1
        self.counts.update({what: one[what] for what in ("moves", "frames", "bytes", "thoughts")})
        self.levels.update({*one["levels"]})
        if apart(one, other):
            self.apart.append(f"{one['game']} ({', '.join(apart(one, other))})")

    def row(self) -> str:
        """Write a line of the table."""
        hard, expert = self.levels["hard"], self.levels["expert"]
        found = self.counts
        return (
            f"| {self.kind} | {self.games} | {hard} | {expert} | {found['moves']:,}"
            f" | {found['thoughts']:,} | {found['frames']:,} | {found['bytes'] / MIB:.1f}"
            f" | {len(self.apart)} |"
        )


def compare(kind: str, first: int, last: int, parts: Path) -> Sums:
    """Play games of a kind on both sides, at the same time."""
    found, which = Sums(kind), f"{kind}:{first}:{last}"
    for one, other in digests(here(which), in_page(parts, which)):
        found.add(one, other)
        if apart(one, other) and len(found.apart) == 1:
            print(first_difference(one, other, Path(tempfile.mkdtemp())), flush=True)
    print(found.row(), flush=True)
    return found


def main() -> None:
    """Play all games, and print and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--keep", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        parts = unpack_page(Path(folder))
        lock = json.loads((parts / "lock.json").read_text("utf-8"))
        last = wanted.first + wanted.games - 1
        found = [compare(kind, wanted.first, last, parts) for kind in wanted.kinds]
    rows = [
        "| game | games | with a hard bot | with an expert | moves | bots' answers | told over the"
        " port | MiB compared | games that differ |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(sums.row() for sums in found),
        *(f"\nDifferent: {'; '.join(sums.apart)}." for sums in found if sums.apart),
        "",
        "Each game was played here with NumPy and in the packed parts that a page gets (Python"
        f" {lock['info']['python']} in WebAssembly, in Node), from the",
        "same seed and with the same moves of people. Compared to the last byte: all that the page"
        " is told, the record, what is",
        "stored, and each bot's answer with its reasons, worth and doubt. Time and chance are the"
        " only fakes.",
    ]
    keep("The same games in a page and here", rows, wanted.keep)


if __name__ == "__main__":
    main()
