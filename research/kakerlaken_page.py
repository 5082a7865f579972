"""The figures of docs/strategy/kakerlaken.md, worded from what is kept."""

from collections.abc import Sequence
from typing import Any

from research.figures import kept

Z95 = 1.96
SITUATIONS = {
    "even": "all even",
    "owner_has_3_coins": "the owner has three coins",
    "grabber_has_3_coins": "you have three coins",
    "grabber_has_5_tiles": "you have five tiles",
}


def blocks() -> dict[str, str]:
    """Word all figures of the page."""
    found = kept("kakerlaken")
    return {
        "adult": adult(found["adult_against_medium"]),
        "breaks_even": breaks_even(found["breaks_even"]),
        "grabbing": grabbing(found["grabbing_with_3_seats"]),
        "turns": turns(found["equals"]),
        "lengths": lengths(found["equals"]),
        "levels": levels(found["levels"]),
    }


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table of a page."""
    head = [f"| {' | '.join(headings)} |", f"|---|{'--:|' * (len(headings) - 1)}"]
    return "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows)])


def percent(value: dict[str, float]) -> str:
    """Write a share with half of its 95 % interval."""
    return f"{100 * value['mean']:.1f} ± {100 * Z95 * value['error']:.1f} %"


def adult(found: dict[str, Any]) -> str:
    """Say how an average adult does against medium."""
    return (
        f"The modelled adult wins {percent(found['plates'])} of the races against `medium` for "
        f"plates,\nand {percent(found['thieves'])} where the thieves lie on top."
    )


def breaks_even(found: dict[str, Any]) -> str:
    """Tell how often one may err before a grab does not pay."""
    rows = [
        [words, *(f"{100 * found[seats][name]['1.0']:.0f} %" for seats in found)]
        for name, words in SITUATIONS.items()
    ]
    return table(["", *(f"{seats} players" for seats in found)], rows)


def grabbing(found: dict[str, Any]) -> str:
    """Tell what always and never grabbing brought, by how often one errs."""
    rows = [
        [f"{100 * one['errs']:.0f} %", percent(one["always"]), percent(one["never"])]
        for one in found.values()
    ]
    return table(["grabs that go wrong", "wins, always grabbing", "wins, never grabbing"], rows)


def turns(found: dict[str, Any]) -> str:
    """Tell how often each place in the order of turns won."""
    most = max(len(one["wins_by_turn"]) for one in found.values())
    rows = []
    for seats, one in found.items():
        cells = [percent(share) for share in one["wins_by_turn"]]
        rows.append([f"{seats} players", *cells, *[""] * (most - len(cells))])
    return table(["", *(f"turn {turn}" for turn in range(1, most + 1))], rows)


def lengths(found: dict[str, Any]) -> str:
    """Tell how many rolls a game takes."""
    rows = []
    for seats, one in found.items():
        mean, (low, high) = one["races"], one["races_middle_half"]
        told = f"{mean['mean']:.1f} ± {Z95 * mean['error']:.1f}"
        rows.append([f"{seats} players", told, f"{low} to {high}"])
    return table(["", "rolls a game", "half of all games"], rows)


def levels(found: dict[str, Any]) -> str:
    """Tell how each level does against the one below."""
    pairs = {level: duel["over"] for level, duel in found["2"].items()}
    rows = [
        [f"{seats} players", *(percent(duels[level]["both"]) for level in pairs)]
        for seats, duels in found.items()
    ]
    return table(["", *(f"{level} over {below}" for level, below in pairs.items())], rows)
