"""Who wins races, near and far, honest or not: 10,000 races a row, in virtual time.

`python -m bench.races [--save]`. The judge is the table's own; lines have jitter, loss and uneven
paths, reactions are human. `tests/server/test_liars.py` runs liars over real sockets.
"""

import sys
from collections.abc import Iterator

from tests.table.races import LIARS, Told, all_lines, race_all

from bench.results import keep

RACES = 10_000
LOSS = 0.01


def rows(races: int) -> Iterator[str]:
    """Run all races; give the lines of the table."""
    players = all_lines(LOSS)
    yield "| a liar who … | at | wins of near and far, % | gains a deed |"
    yield "|---|---|---|---|"
    for name, lie in LIARS.items():
        for seat in (0, 3) if name != "nobody" else (0,):
            table = [*players]
            table[seat] = lie(players[seat])
            where = f"{players[seat].line.trip} ms" if name != "nobody" else "–"
            yield row(name, where, race_all(table, races, seed=seat + 1))
    yield row("nobody, but judged by arrival", "–", race_all(players, races, 1, True))


def row(name: str, where: str, told: Told) -> str:
    """Write what one kind of races showed."""
    shares = " · ".join(f"{share:.1f}" for share in told.shares)
    gain = f"{told.gain:.0f} ms" if told.gain else "–"
    return f"| {name} | {where} | {shares} | {gain} |"


def main() -> None:
    """Print the shares; with `--save` keep them."""
    head = [
        f"{RACES:,} races a row among four equals at 10, 50, 150 and 300 ms, with jitter, uneven",
        f"paths and {LOSS:.0%} of all messages lost and sent again; fair is 25 % each.",
        "",
    ]
    keep("Races, honest and not", [*head, *rows(RACES)], "--save" in sys.argv)


if __name__ == "__main__":
    main()
