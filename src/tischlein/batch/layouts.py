"""The tables of `docs/research.md`: what stands where. Run: `python -m tischlein.batch.layouts`."""

from tischlein import batch

SEATS = 4


def layout_table(name: str) -> str:
    """Write where each part of an observation begins and ends, for four seats."""
    rows, first = ["| index | what |", "|---|---|"], 0
    for what, size in batch.game(name).layout(SEATS):
        last = first + size - 1
        rows.append(f"| {first} | {what} |" if size == 1 else f"| {first}–{last} | {what} |")
        first += size
    return "\n".join(rows)


if __name__ == "__main__":
    for game in batch.games():
        print(f"{game}, {SEATS} seats\n\n{layout_table(game)}\n")
